"""A four-bar as one equation in the crank's angle θ.

The coupler's and the rocker's angle follow from the closure: the point B = crank tip, the point C at the distances
l₂ from B and l₃ from the rocker's pivot, on the open side. With x(θ) the places and angles of all bodies

    m(θ) = Σ m |dc/dθ|² + I (dφ/dθ)²,   m θ̈ = −½ m′ θ̇² − V′

and all derivatives by complex steps or differences of high order.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

l = (1.0, 3.5, 3.0)
ground, g = 4.0, 9.81


def angles(theta):
    """Of coupler and rocker against x, analytic in θ: law of cosines in the triangle B, C, pivot."""
    bx, by = np.cos(theta), np.sin(theta)
    dx, dy = ground - bx, -by                       # from B to the rocker's pivot
    d = np.sqrt(dx * dx + dy * dy)
    along = np.arctan(dy / dx)                      # dx > 0 always
    at_b = np.arccos((l[1] ** 2 + d * d - l[2] ** 2) / (2 * l[1] * d))
    coupler = along + at_b
    cx, cy = bx + l[1] * np.cos(coupler), by + l[1] * np.sin(coupler)
    # the rocker's direction is (cx − 4, cy)/3; its angle by the half-angle formula, analytic away from π
    rocker = 2 * np.arctan((cy / l[2]) / (1 + (cx - ground) / l[2]))
    return coupler, rocker


def bodies(theta):
    """Centres and angles: x, y, φ of crank, coupler, rocker."""
    coupler, rocker = angles(theta)
    bx, by = np.cos(theta), np.sin(theta)
    return np.array([bx / 2, by / 2, theta,
                     bx + l[1] / 2 * np.cos(coupler), by + l[1] / 2 * np.sin(coupler), coupler,
                     ground + l[2] / 2 * np.cos(rocker), l[2] / 2 * np.sin(rocker), rocker])


weights = np.array([w for m in l for w in (m, m, m**3 / 12)])      # mass = length, slender rods


def first(theta):
    return bodies(theta + 1e-30j).imag / 1e-30


def second(theta, h=1e-3):
    """Of first(), by differences of sixth order."""
    c = (45, -9, 1)
    return sum(c[k - 1] * (first(theta + k * h) - first(theta - k * h)) for k in (1, 2, 3)) / (60 * h)


def rate(t, y):
    theta, speed = y
    x1, x2 = first(theta), second(theta)
    m, dm = weights @ x1**2, 2 * weights @ (x1 * x2)
    dV = g * (l[0] * x1[1] + l[1] * x1[4] + l[2] * x1[7])
    return [speed, (-0.5 * dm * speed**2 - dV) / m]


times = np.linspace(0, 2, 9)
rows = []
for t, (theta, speed) in zip(times, integrate(rate, [1.0, 2.0], times)):
    coupler, rocker = angles(theta)
    x1 = first(theta)
    rows.append([t, theta, coupler - theta, rocker, speed, (x1[5] - 1) * speed, x1[8] * speed])
finish(__file__, {
    "problem": "A planar four-bar falls through two seconds",
    "source": "one equation in the crank's angle, SciPy's DOP853 (reference.py)",
    "columns": ["time", "a.q", "b.q", "c.q", "a.u", "b.u", "c.u"],
    "tolerance": 2e-8,
    "why": "the reference differentiates numerically, 1e-9 after two seconds",
    "rows": rows,
    "checks": [
        {"column": "constraint.position", "max_abs": 1e-12, "why": "every row is projected"},
        {"column": "energy.ledger", "max_abs": 1e-9, "why": "hinges do no work"},
    ],
})
