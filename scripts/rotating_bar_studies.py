#!/usr/bin/env python3
"""The rotating bar of examples/rotating_bar: parameter studies, and the cost of Lagrange's and Hamilton's form.

    python3 scripts/rotating_bar_studies.py build/release/apps/sarrus/sarrus [--svg docs/theory/pictures/rotating_bar.svg]

Prints tables and draws: the tip over time, the steady stretch over speed and over section, the amplitude over the frequency of the force, each beside the closed form

    steady     tan(kL)/k − L,  k = ω/c                       amplitude  F tan(κL)/(EA κ),  κ² = (Ω² + ω²)/c²

and the evaluations and times of both formulations for 5 to 25 elements over 0.1 s, with the same tolerance for all coordinates and with one that means the same for momenta.
"""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent))
import line_chart

MODEL = (pathlib.Path(__file__).parents[1] / "examples/rotating_bar/model.toml").read_text(encoding="utf-8")
L, A, E, rho = 1.0, 2e-5, 210e9, 50000.0
c = np.sqrt(E / rho)


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, pathlib.Path(folder)

    def run(self, elements=10, until=0.02, step=0.001, area=A, density=rho, formulation="recursive", rtol=1e-9, **parameters):
        text = MODEL.replace("elements = 10", f"elements = {elements}").replace('area = "2e-5 m^2"', f"area = {area}").replace("density = 50000", f"density = {density}")
        model = self.folder / "bar.toml"
        model.write_text(text, encoding="utf-8")
        sets = [w for name, value in parameters.items() for w in ("--set", f"{name}={value}")]
        out = self.folder / "out"
        said = subprocess.run([self.path, "run", str(model), "-o", str(out), "--force", "--json", "--until", str(until), "--output-step", str(step), "--rtol", str(rtol),
                               "--formulation", formulation, *sets], check=True, capture_output=True, text=True).stdout
        rows = csv.reader(io.StringIO(subprocess.run([self.path, "export", str(out), "--csv", "-"], check=True, capture_output=True, text=True).stdout))
        names = [n.split("[")[0] for n in next(rows)]
        tip = names.index(f"bar.e{elements}")
        return np.array([(float(r[0]), float(r[tip])) for r in rows]).T, json.loads(said)


def amplitude(t, u, frequency):
    """Of the part that goes with the force, by least squares."""
    basis = np.array([np.sin(frequency * t), np.cos(frequency * t), np.ones_like(t)]).T
    found = np.linalg.lstsq(basis, u, rcond=None)[0]
    return np.hypot(found[0], found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--svg", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bar = Program(options.program, folder)
        (t, u), _ = bar.run(elements=25, until=0.05, step=2.5e-4)
        charts = [line_chart.Chart("Tip under 100 N · sin 200 t, 25 elements", "t [s]", "stretch [µm]").line("", t, 1e6 * u)]

        print("mean stretch over speed (no force)\n  ω [rad/s]   mean [m]        exact [m]")
        speeds, means = [5, 15, 50, 100, 150], []
        for speed in speeds:
            (t, u), _ = bar.run(until=0.2, step=2e-4, speed=speed, force=0)
            means.append(u.mean())
            k = speed / c
            print(f"  {speed:9} {means[-1]:.6e}  {np.tan(k * L) / k - L:.6e}")
        fine = np.linspace(5, 150, 80)
        charts.append(line_chart.Chart("Mean stretch over speed", "ω [rad/s]", "stretch [µm], line: closed form")
                      .line("", fine, 1e6 * (np.tan(fine / c * L) / (fine / c) - L)).line("", speeds, 1e6 * np.array(means), dots=True))

        print("mean stretch over section, mass held\n  A [cm²]     mean [m]        exact [m]")
        areas, means = [1e-5, 2e-5, 4e-5, 8e-5], []
        for area in areas:
            density = rho * A / area
            (t, u), _ = bar.run(until=0.2, step=2e-4, area=area, density=density, force=0)
            means.append(u.mean())
            k = 15 / np.sqrt(E / density)
            print(f"  {1e4 * area:7} {means[-1]:.6e}  {np.tan(k * L) / k - L:.6e}")
        fine = np.linspace(1e-5, 8e-5, 80)
        k = 15 / np.sqrt(E / (rho * A / fine))
        charts.append(line_chart.Chart("Mean stretch over section, mass held", "A [cm²]", "stretch [µm], line: closed form")
                      .line("", 1e4 * fine, 1e6 * (np.tan(k * L) / k - L)).line("", 1e4 * np.array(areas), 1e6 * np.array(means), dots=True))

        print("amplitude over the frequency of the force\n  Ω [rad/s]   found [m]       exact [m]")
        frequencies, found = [100, 200, 1000, 2000, 2600], []
        for frequency in frequencies:
            (t, u), _ = bar.run(elements=25, until=0.5, step=1e-4, drive=frequency, rtol=1e-7)
            found.append(amplitude(t, u, frequency))
            kappa = np.sqrt(frequency**2 + 15**2) / c
            print(f"  {frequency:9} {found[-1]:.5e}   {100 * np.tan(kappa * L) / (E * A * kappa):.5e}")
        fine = np.linspace(50, 2700, 120)
        kappa = np.sqrt(fine**2 + 15**2) / c
        charts.append(line_chart.Chart("Amplitude over the frequency of the force", "Ω [rad/s]", "amplitude [µm], line: closed form")
                      .line("", fine, 1e6 * 100 * np.tan(kappa * L) / (E * A * kappa)).line("", frequencies, 1e6 * np.array(found), dots=True))

        print("cost for 0.1 s, dop853, rtol 1e-8\n  elements   evaluations L     H      L/H    time L [s]   H [s]")
        for n in (5, 10, 15, 20, 25):
            cost = {}
            for formulation in ("recursive", "hamiltonian"):
                walls = []
                for _ in range(3):
                    _, said = bar.run(elements=n, until=0.1, step=0.01, formulation=formulation, rtol=1e-8)
                    walls.append(said["wall"])
                cost[formulation] = (said["evaluations"], sorted(walls)[1])
            (le, lt), (he, ht) = cost["recursive"], cost["hamiltonian"]
            print(f"  {n:8} {le:12} {he:9} {le / he:8.3f} {lt:9.3f} {ht:9.3f}")
        if options.svg:
            line_chart.write(options.svg, charts)


main()
