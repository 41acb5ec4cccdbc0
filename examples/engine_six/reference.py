"""The engine as what it is, a mechanism with one freedom: θ, the angle of the crankshaft.

    J(θ) θ̈ + ½ J'(θ) θ̇² + V'(θ) = τ − d θ̇,     J = Σ m |∂x/∂θ|² + I (∂β/∂θ)²

with the slider-crank's geometry in closed form; derivatives by complex steps.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

r, l, g, start, torque, drag = 0.04, 0.14, 9.81, (0.3, 60.0), 25.0, 0.2
shaft, rod, I_rod, com, head = 0.03 + 0.12, 0.6, 1.5e-3, 0.05, 0.4 + 0.1
phases = np.radians([0, 120, 240, 240, 120, 0])


def places(theta):
    """Of all cylinders: angle of the rod, its centre of mass, height of the piston."""
    a = theta + phases
    s = -r / l * np.sin(a)
    b, c = np.arcsin(s), np.sqrt(1 - s * s)
    return b, -r * np.sin(a) - com * s, r * np.cos(a) + com * c, r * np.cos(a) + l * c


def slopes(theta):
    h = 1e-30
    return [np.imag(x) / h for x in places(theta + 1j * h)]


def inertia(theta):
    b, y, z, p = slopes(theta)
    return shaft + np.sum(rod * (y * y + z * z) + I_rod * b * b + head * p * p)


def rate(t, state):
    theta, speed = state
    _, _, z, p = slopes(theta)
    e = 1e-5
    slope = (8 * (inertia(theta + e) - inertia(theta - e)) - (inertia(theta + 2 * e) - inertia(theta - 2 * e))) / (12 * e)
    weight = g * np.sum(rod * z + head * p)
    return [speed, (torque - drag * speed - weight - slope * speed**2 / 2) / inertia(theta)]


times = np.array([0, 0.05, 0.1, 0.15, 0.2])
found = integrate(rate, start, times, rtol=1e-11, atol=1e-12)
rows = [[t, q, u, places(q)[3][0], places(q)[3][2]] for t, (q, u) in zip(times, found)]
finish(__file__, {
    "problem": "An engine with six cylinders",
    "source": "the same mechanism reduced to its one freedom, integrated with SciPy (reference.py)",
    "columns": ["time", "bearing.q", "bearing.u", "first.z", "third.z"],
    "tolerance": 2e-3,
    "why": "the second power of the step of 10 µs over four turns; speeds of 65 rad/s to 3e-5 of themselves",
    "rows": rows,
})
