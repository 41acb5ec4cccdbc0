"""A cart on two wheels in the speeds that rolling leaves free: v forward, ω turning (c: centre of mass ahead of the axle).

    left wheel (v − w ω)/r, right wheel (v + w ω)/r
    (m + 2 mw + 2 Jw/r²) v̇ = (τl + τr)/r + m c ω²
    (I + m c² + 2 (Id + mw w²) + 2 Jw w²/r²) ω̇ = (τr − τl) w/r − m c v ω
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

r, w, m, c, I, mw, Jw, Id, tl, tr = 0.1, 0.25, 8.0, 0.05, 0.25, 0.5, 2.5e-3, 1.25e-3, 0.05, 0.08


def rate(t, y):
    angle, x, y_, v, omega = y
    dv = ((tl + tr) / r + m * c * omega**2) / (m + 2 * mw + 2 * Jw / r**2)
    dw = ((tr - tl) * w / r - m * c * v * omega) / (I + m * c**2 + 2 * (Id + mw * w**2) + 2 * Jw * w**2 / r**2)
    return [omega, v * np.cos(angle), v * np.sin(angle), dv, dw]


times = np.linspace(0, 4, 9)
finish(__file__, {
    "problem": "A cart driven by two wheels that roll without slipping",
    "source": "two equations in the free speeds, SciPy's DOP853 (reference.py)",
    "columns": ["time", "floor.q1", "hub.x", "hub.y", "left_axle.u", "right_axle.u"],
    "tolerance": 1e-9,
    "why": "rtol is 1e-11",
    "rows": [[t, a, x, y, (v - w * o) / r, (v + w * o) / r]
             for t, (a, x, y, v, o) in zip(times, integrate(rate, [0, 0, 0, 0, 0], times))],
    "checks": [
        {"column": "constraint.velocity", "max_abs": 1e-11, "why": "the wheels do not slip"},
        {"column": "energy.ledger", "max_abs": 1e-9, "why": "only the motors do work"},
    ],
})
