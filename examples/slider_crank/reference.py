"""A slider-crank as one equation in the crank's angle θ, derivatives in closed form.

    rod angle φ: sin φ = −(r/l) sin θ, cos φ > 0        slider x = r cos θ + l cos φ
    φ′ = −(r/l) cos θ / cos φ,   φ″ = (r/l) sin θ / cos φ + φ′² tan φ
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

r, l, mc, mr, ms, g, torque = 0.15, 0.4, 0.6, 1.0, 0.8, 9.81, 0.1


def shape(theta):
    s, c = np.sin(theta), np.cos(theta)
    phi = -np.arcsin(r / l * s)
    p1 = -r / l * c / np.cos(phi)
    p2 = r / l * s / np.cos(phi) + p1**2 * np.tan(phi)
    sp, cp = np.sin(phi), np.cos(phi)
    # places and their derivatives with respect to θ: rod's centre x, y, then the slider
    x1 = np.array([-r * s - l / 2 * sp * p1, r * c + l / 2 * cp * p1, -r * s - l * sp * p1])
    x2 = np.array([-r * c - l / 2 * (cp * p1**2 + sp * p2), -r * s + l / 2 * (cp * p2 - sp * p1**2),
                   -r * c - l * (cp * p1**2 + sp * p2)])
    return phi, p1, p2, x1, x2


def rate(t, y):
    theta, speed = y
    phi, p1, p2, x1, x2 = shape(theta)
    m = np.array([mr, mr, ms])
    M = mc * r**2 / 3 + m @ x1**2 + mr * l**2 / 12 * p1**2
    half_dM = m @ (x1 * x2) + mr * l**2 / 12 * p1 * p2
    dV = g * (mc * r / 2 * np.cos(theta) + mr * x1[1])
    return [speed, (torque - dV - half_dM * speed**2) / M]


times = np.linspace(0, 3, 13)
rows = []
for t, (theta, speed) in zip(times, integrate(rate, [0.7, 5.0], times)):
    phi, p1, _, x1, _ = shape(theta)
    rows.append([t, theta, speed, r * np.cos(theta) + l * np.cos(phi), x1[2] * speed])
finish(__file__, {
    "problem": "A slider-crank turned by a constant torque",
    "source": "one equation in the crank's angle, SciPy's DOP853 (reference.py)",
    "columns": ["time", "crankshaft.q", "crankshaft.u", "guide.q", "guide.u"],
    "tolerance": 2e-9,
    "why": "36 rad of crank; both integrations have errors near 1e-10",
    "rows": rows,
    "checks": [
        {"column": "constraint.position", "max_abs": 1e-12, "why": "every row is projected"},
        {"column": "energy.ledger", "max_abs": 1e-9, "why": "only the torque does work"},
    ],
})
