"""The Sarrus linkage as one equation in the inclination φ of its links (two legs of two links, mass m, length L).

    m(φ) = 2 (I + mL²/4) + 2 (I + mL² (sin²φ/4 + 9 cos²φ/4)) + 4 P L² cos²φ,   V = g L (4m + 2P) sin φ
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

L, m, P, g = 0.5, 0.8, 2.0, 9.81
I = m * L**2 / 12


def rate(t, y):
    phi, speed = y
    s, c = np.sin(phi), np.cos(phi)
    M = 2 * (I + m * L**2 / 4) + 2 * (I + m * L**2 * (s * s / 4 + 9 * c * c / 4)) + 4 * P * L**2 * c * c
    dM = -8 * m * L**2 * s * c - 8 * P * L**2 * s * c
    return [speed, (-0.5 * dM * speed**2 - g * L * (4 * m + 2 * P) * c) / M]


times = np.linspace(0, 0.3, 7)
finish(__file__, {
    "problem": "The platform of a Sarrus linkage falls",
    "source": "one equation in the inclination of the links, SciPy's DOP853 (reference.py)",
    "columns": ["time", "a1.q", "a1.u", "b1.q", "centre.x", "centre.y", "centre.z"],
    "tolerance": 1e-10,
    "why": "both integrations have errors near 1e-12",
    "rows": [[t, p, u, -p, 0, 0, 2 * L * np.sin(p)] for t, (p, u) in zip(times, integrate(rate, [0.6, 0.5], times))],
    "checks": [
        {"column": "centre.qx", "max_abs": 1e-12, "why": "the platform does not turn"},
        {"column": "centre.qz", "max_abs": 1e-12, "why": "the platform does not turn"},
        {"column": "energy.ledger", "max_abs": 1e-10, "why": "hinges do no work"},
    ],
})
