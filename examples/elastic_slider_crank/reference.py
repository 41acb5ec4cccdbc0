"""A connecting rod that bends, driven by a crank at constant speed, with a piston at its end: coordinates are the rod's angle and its elastic
coordinates; the piston is a mass point at the rod's tip, which is kept on the x axis by a multiplier."""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import PlaneBeam, finish, integrate, point_masses

a, side, L, speed, piston = 0.15, 0.012, 0.4, 50.0, 0.3
rod = PlaneBeam(L, 4e9 * side**4 / 12, 1200 * side**2, 1200 * side**4 / 12, 3)
masses = np.append(rod.masses, piston)


def tip(t, z):
    return rod.tip(z[1:], (a * np.cos(speed * t), a * np.sin(speed * t)), np.cos(z[0]), np.sin(z[0]))


def places(t, z):
    parts = rod.parts(z[1:], (a * np.cos(speed * t), a * np.sin(speed * t)), np.cos(z[0]), np.sin(z[0]))
    return np.concatenate([parts, tip(t, z)[:, None]], axis=1)


def forces(t, z, dz):
    return -np.append(0, rod.K @ z[1:])


def closed(t, z):
    return tip(t, z)[1:]


times = np.arange(0, 0.101, 0.025)
start = np.zeros(8)
start[4] = -speed * a / L  # the tip stays on the axis
y = integrate(point_masses(places, masses, forces, closed), start, times, rtol=1e-8, atol=1e-10)
rows = [[t, s[0] - speed * t, tip(t, s[:4])[0], rod.tip_phi @ s[1:4]] for t, s in zip(times, y)]
finish(__file__, {
    "problem": "A slider-crank with an elastic connecting rod at constant crank speed",
    "source": "Lagrange's equations of mass points along the rod with one multiplier, integrated with SciPy (reference.py)",
    "columns": ["time", "pin.q", "guide.q"],
    "tolerance": 1e-6,
    "rows": [r[:3] for r in rows],
    "checks": [{"column": "constraint.position", "max_abs": 1e-10, "why": "the loop stays closed"}],
})
