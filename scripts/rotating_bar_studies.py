#!/usr/bin/env python3
"""The rotating bar of examples/rotating_bar: parameter studies, and the cost of Lagrange's and Hamilton's form.

    python3 scripts/rotating_bar_studies.py build/release/apps/sarrus/sarrus [--svg docs/theory/pictures/rotating_bar.svg] [--csv FILE]

Draws the tip over time, the steady stretch over speed and over section, the amplitude over the frequency of the force, each beside the closed form

    steady     tan(kL)/k − L,  k = ω/c                       amplitude  F tan(κL)/(EA κ),  κ² = (Ω² + ω²)/c²

and the evaluations of both formulations over their error. Prints the same as tables, for 5 to 25 elements over 0.1 s: evaluations at the same tolerance, which means another thing for a
momentum than for a velocity, evaluations for the same error against the solution that is exact in time, and CPU times. Needs NumPy and SciPy.
"""
import argparse
import csv
import io
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np
from scipy.linalg import eigh

sys.path.append(str(pathlib.Path(__file__).parent))
import line_chart

MODEL = (pathlib.Path(__file__).parents[1] / "examples/rotating_bar/model.toml").read_text(encoding="utf-8")
L, A, E, rho, speed, force, drive = 1.0, 2e-5, 210e9, 50000.0, 15.0, 100.0, 200.0
c = np.sqrt(E / rho)
FORMS = {"recursive": "Lagrange", "hamiltonian": "Hamilton"}
SAME_ERROR = 1e-6  # of the largest stretch


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, pathlib.Path(folder)

    def model(self, elements, area=A, density=rho):
        text = MODEL.replace("elements = 10", f"elements = {elements}").replace('area = "2e-5 m^2"', f"area = {area}").replace("density = 50000", f"density = {density}")
        path = self.folder / "bar.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def call(self, *words):
        return subprocess.run([self.path, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def steady(self, elements=10, set_speed=speed, **section):
        """Stretch at which the bar stays while it turns."""
        found = json.loads(self.call("equilibrium", self.model(elements, **section), "--json", "--set", f"speed={set_speed}", "--set", "force=0"))
        return found["equilibria"][0]["q"][f"bar.e{elements}"]

    def run(self, elements=10, until=0.02, step=0.001, formulation="recursive", rtol=1e-9, set_drive=drive):
        """Times, stretch of the tip, what the run says of itself, CPU seconds."""
        out = self.folder / "out"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = self.call("run", self.model(elements), "-o", out, "--force", "--json", "--until", until, "--output-step", step, "--rtol", rtol, "--formulation", formulation,
                         "--set", f"drive={set_drive}")
        cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        rows = list(csv.reader(io.StringIO(self.call("export", out, "--csv", "-", "--columns", f"bar.e{elements}"))))[1:]
        return *np.array(rows, float).T, json.loads(said), cpu


class Exact:
    """The semi-discrete equations solved exactly in time (examples/rotating_bar/reference.py has them)."""

    def __init__(self, n):
        h, m, k, f = L / n, np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1)), np.zeros(n + 1)
        for e in range(n):
            i = slice(e, e + 2)
            m[i, i] += rho * A * h / 6 * np.array([[2, 1], [1, 2]])
            k[i, i] += E * A / h * np.array([[1, -1], [-1, 1]])
            f[i] += speed**2 * rho * A * h * np.array([e * h / 2 + h / 6, e * h / 2 + h / 3])
        square, V = eigh((k - speed**2 * m)[1:, 1:], m[1:, 1:])
        self.lam, self.tip_row = np.sqrt(square), V[-1]
        self.f, self.g = V.T @ f[1:], force * V[-1]

    def tip(self, t):
        lam, t = self.lam, np.asarray(t)[:, None]
        return (self.f / lam**2 * (1 - np.cos(lam * t)) + self.g / (lam**2 - drive**2) * (np.sin(drive * t) - drive / lam * np.sin(lam * t))) @ self.tip_row


def over_time(bar):
    t, u, *_ = bar.run(elements=25, until=0.05, step=2.5e-4)
    return line_chart.Chart("Tip under 100 N · sin 200 t, 25 elements", "t [s]", "stretch [µm]").line("", t, 1e6 * u)


def over_speed(bar):
    print("steady stretch over speed (no force), 10 elements\n  ω [rad/s]   found [m]     exact [m]")
    speeds, exact = [5, 15, 50, 100, 150], lambda w: np.tan(w / c * L) / (w / c) - L
    found = [bar.steady(set_speed=w) for w in speeds]
    for w, u in zip(speeds, found):
        print(f"  {w:9} {u:.6e}  {exact(w):.6e}")
    fine = np.linspace(5, 150, 80)
    return (line_chart.Chart("Steady stretch over speed", "ω [rad/s]", "stretch [µm], line: closed form")
            .line("", fine, 1e6 * exact(fine)).line("", speeds, 1e6 * np.array(found), dots=True))


def over_section(bar):
    print("steady stretch over section, mass held, 10 elements\n  A [cm²]   found [m]     exact [m]")
    areas = np.array([1e-5, 2e-5, 4e-5, 8e-5])
    exact = lambda area: np.tan(speed / np.sqrt(E * area / (rho * A)) * L) * np.sqrt(E * area / (rho * A)) / speed - L
    found = [bar.steady(area=a, density=rho * A / a) for a in areas]
    for a, u in zip(areas, found):
        print(f"  {1e4 * a:7.1f} {u:.6e}  {exact(a):.6e}")
    fine = np.linspace(1e-5, 8e-5, 80)
    return (line_chart.Chart("Steady stretch over section, mass held", "A [cm²]", "stretch [µm], line: closed form")
            .line("", 1e4 * fine, 1e6 * exact(fine)).line("", 1e4 * areas, 1e6 * np.array(found), dots=True))


def over_frequency(bar):
    """Amplitude of the part that goes with the force: least squares beside the bar's own vibrations."""
    print("amplitude over the frequency of the force, 25 elements\n  Ω [rad/s]   found [m]     exact [m]")
    exact = lambda w: force * np.tan(np.sqrt(w**2 + speed**2) / c * L) / (E * A * np.sqrt(w**2 + speed**2) / c)
    frequencies, found = [100, 200, 1000, 2000, 2600, 3000], []
    for w in frequencies:
        t, u, *_ = bar.run(elements=25, until=0.1, step=1e-4, set_drive=w, rtol=1e-8)
        basis = np.array([np.ones_like(t)] + [g(x * t) for x in (w, *Exact(25).lam[:12]) for g in (np.sin, np.cos)]).T
        found.append(np.hypot(*np.linalg.lstsq(basis, u, rcond=None)[0][1:3]))
        print(f"  {w:9} {found[-1]:.6e}  {exact(w):.6e}")
    fine = np.linspace(50, 3000, 160)
    return (line_chart.Chart("Amplitude over the frequency of the force", "Ω [rad/s]", "amplitude [µm], line: closed form")
            .line("", fine, 1e6 * exact(fine)).line("", frequencies, 1e6 * np.array(found), dots=True))


def at_error(errors, values, error):
    """Where a line through the logarithms passes the error."""
    assert min(errors) < error < max(errors), f"no run on either side of {error}: {errors}"
    order = np.argsort(errors)
    return float(np.exp(np.interp(np.log(error), np.log(np.array(errors)[order]), np.log(np.array(values)[order]))))


def cost(bar, table):
    """Evaluations and times over the error."""
    print(f"cost for 0.1 s, dop853: Lagrange's form L, Hamilton's form H\n"
          f"            evaluations, rtol 1e-8      evaluations, error {SAME_ERROR:.0e}     CPU [s], error {SAME_ERROR:.0e}\n"
          f"  elements      L        H     H/L         L        H     H/L          L        H     H/L")
    charts = [line_chart.Chart(f"{n} elements: evaluations over error", "relative error", "evaluations", log=True) for n in (5, 25)]
    for n in (5, 10, 15, 20, 25):
        exact, line = Exact(n), []
        for formulation, form in FORMS.items():
            runs = []
            for exponent in (-7, -8, -9, -10, -11, -12):
                t, u, said, cpu = bar.run(elements=n, until=0.1, step=0.001, formulation=formulation, rtol=10.0**exponent)
                truth = exact.tip(t)
                runs.append((np.abs(u - truth).max() / np.abs(truth).max(), said["evaluations"], cpu))
                table.append([n, form, exponent, *runs[-1]])
            errors, evaluations, cpus = zip(*runs)
            if n in (5, 25):
                charts[n == 25].line(form, errors, evaluations)
            line.append((evaluations[1], at_error(errors, evaluations, SAME_ERROR), at_error(errors, cpus, SAME_ERROR)))
        shown = [f"{a:8.0f} {b:8.0f} {b / a:7.2f}" if a > 100 else f"{a:8.3f} {b:8.3f} {b / a:7.2f}" for a, b in zip(*line)]
        print(f"  {n:8} " + "   ".join(shown))
    return charts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--csv", type=pathlib.Path, help="what every run of the cost comparison took")
    options = parser.parse_args()
    table = []
    with tempfile.TemporaryDirectory() as folder:
        bar = Program(options.program, folder)
        charts = [over_time(bar), over_speed(bar), over_section(bar), over_frequency(bar), *cost(bar, table)]
    if options.svg:
        line_chart.write(options.svg, charts)
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["elements", "form", "log10 of rtol", "relative error", "evaluations", "CPU seconds"], *table])


main()
