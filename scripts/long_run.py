#!/usr/bin/env python3
"""Ten million steps of a double pendulum with springs: does the energy stay?

    python3 scripts/long_run.py build/release/apps/sarrus/sarrus [--steps 10000000] [--svg FILE]

Runs `midpoint` and `rk4` with equal steps on the same model, formulation `hamiltonian`, and fits a line
through the relative energy error. The error of the midpoint rule oscillates by O(h²) about nothing; it is
the trend that counts. What oscillates is known in the first order, so the fit is made a second time without
it, through the energy that the method itself keeps,

    H̃ = H − h²/24 (f·∇)² H + O(h⁴),      f = (∂H/∂p, −∂H/∂q)          [Hairer, Lubich, Wanner 2006, IX.3]

with H written down here for this one pendulum. That is also compared with the column energy.H.
"""
import argparse
import csv
import pathlib
import subprocess
import tempfile

import numpy as np

MODEL = """
sarrus = 1
name = "double pendulum with springs"
[[body]]
name = "upper"
mass = 1
com = [0, 0, -1]
[[body]]
name = "lower"
mass = 1
com = [0, 0, -1]
[[joint]]
name = "shoulder"
type = "revolute"
axis = [0, 1, 0]
child = "upper"
q = 0.5
spring = { k = 4 }
[[joint]]
name = "elbow"
type = "revolute"
axis = [0, 1, 0]
parent = "upper"
child = "lower"
on_parent = { at = [0, 0, -1] }
q = 0.3
spring = { k = 2 }
"""
K1, K2, G = 4.0, 2.0, 9.81


def energy(z):
    """H of two mass points on rods of 1 m; q2 is the relative angle."""
    q1, q2, p1, p2 = z
    a, b = 3 + 2 * np.cos(q2), 1 + np.cos(q2)  # M = [a b; b 1]
    kinetic = (p1 * p1 - 2 * b * p1 * p2 + a * p2 * p2) / (2 * (a - b * b))
    return kinetic - G * (2 * np.cos(q1) + np.cos(q1 + q2)) + (K1 * q1**2 + K2 * q2**2) / 2


def flow(z):
    """(∂H/∂p, −∂H/∂q) by complex steps."""
    gradient = []
    for i in range(4):
        moved = z.astype(complex)
        moved[i] += 1e-30j
        gradient.append(energy(moved).imag / 1e-30)
    return np.array([gradient[2], gradient[3], -gradient[0], -gradient[1]])


def modified_energy(z, h):
    f, d = flow(z), 1e-3
    second = (energy(z + d * f) + energy(z - d * f) - 2 * energy(z)) / d**2
    return energy(z) - h * h / 24 * second


def run(program, model, folder, integrator, h, steps, rows):
    until = steps * h
    name = str(folder / integrator)
    subprocess.run([program, "run", str(model), "-o", name, "--force", "--quiet", "--formulation", "hamiltonian",
                    "--integrator", integrator, "--step", repr(h), "--until", repr(until),
                    "--output-step", repr(until / rows), "--csv", name + ".csv"], check=True)
    with open(name + ".csv") as file:
        table = csv.reader(line for line in file if not line.startswith("#"))
        names = [column.split("[")[0] for column in next(table)]
        data = np.array([row for row in table], float)
    columns = [data[:, names.index(n)] for n in ("shoulder.q", "elbow.q", "shoulder.p", "elbow.p")]
    return data[:, 0], np.array(columns), data[:, names.index("energy.H")]


def trend(t, error):
    """Change over the whole run of the line that fits best."""
    return np.polyfit((t - t[0]) / (t[-1] - t[0]) - 0.5, error, 1)[0]


def draw(path, t, curves):
    """Relative energy errors over time as an SVG; a picture of 720 × 320."""
    width, height, left, right, bottom, top = 720, 320, 78, 40, 44, 30
    low = min(c.min() for _, c, _ in curves)
    high = max(c.max() for _, c, _ in curves)
    pad = 0.06 * (high - low)
    low, high = low - pad, high + pad
    x = lambda v: left + (width - left - right) * (v - t[0]) / (t[-1] - t[0])
    y = lambda v: height - bottom - (height - bottom - top) * (v - low) / (high - low)
    unit = 10.0 ** np.floor(np.log10((high - low) / 4))
    unit *= next(f for f in (1, 2, 5, 10) if (high - low) / (unit * f) < 6)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="13">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for k in range(int(np.ceil(low / unit)), int(np.floor(high / unit)) + 1):
        out.append(f'<path d="M{left} {y(k * unit):.1f}H{width - right}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{y(k * unit) + 4:.1f}" text-anchor="end">{k * unit:.2g}</text>')
    for k in range(6):
        v = t[0] + k * (t[-1] - t[0]) / 5
        out.append(f'<text x="{x(v):.1f}" y="{height - bottom + 18}" text-anchor="middle">{v:g}</text>')
    out.append(f'<text x="{left}" y="18">relative error of the energy</text>')
    out.append(f'<text x="{(left + width) / 2}" y="{height - 8}" text-anchor="middle">time in s</text>')
    for i, (name, error, colour) in enumerate(curves):
        # lowest and highest error of every piece of the run: an area that hides nothing
        pieces = np.array_split(np.arange(len(t)), 300)
        up = [f"{x(t[p].mean()):.1f},{y(error[p].max()):.2f}" for p in pieces]
        down = [f"{x(t[p].mean()):.1f},{y(error[p].min()):.2f}" for p in reversed(pieces)]
        out.append(f'<polygon points="{" ".join(up + down)}" fill="{colour}" stroke="{colour}" stroke-width="1.5"/>')
        out.append(f'<rect x="{left + 16}" y="{height - bottom - 50 + 20 * i}" width="12" height="12" fill="{colour}"/>'
                   f'<text x="{left + 34}" y="{height - bottom - 39 + 20 * i}">{name}</text>')
    pathlib.Path(path).write_text("\n".join(out) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--steps", type=int, default=10_000_000)
    parser.add_argument("--step", type=float, default=0.01)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--svg")
    a = parser.parse_args()
    curves = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        model = folder / "model.toml"
        model.write_text(MODEL)
        for integrator, colour in (("rk4", "#d95f02"), ("midpoint", "#1b6ca8")):
            t, z, column = run(a.program, model, folder, integrator, a.step, a.steps, a.rows)
            H = energy(z)
            print(f"{integrator}: {a.steps} steps of {a.step:g} s")
            print(f"  energy.H against the formula here   {np.abs(column - H).max():.1e} J")
            error = (H - H[0]) / abs(H[0])
            print(f"  largest relative energy error       {np.abs(error).max():.2e}")
            print(f"  trend over the run                  {trend(t, error):.2e}")
            if integrator == "midpoint":
                kept = modified_energy(z, a.step)
                print(f"  trend without the oscillation       {trend(t, kept / abs(kept[0])):.2e}")
            curves.append((integrator, error, colour))
    if a.svg:
        draw(a.svg, t, curves)


if __name__ == "__main__":
    main()
