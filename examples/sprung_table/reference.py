"""A table on three springs, one along each axis of a translational joint: three oscillators.

    x = x₀ cos ω₁t    y = (v₀/ω₂) sin ω₂t    z = −(g/ω₃²)(1 − cos ω₃t)    ω² = k/m
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

m, g, x0, v0 = 2.0, 9.81, 0.03, 0.24
wx, wy, wz = np.sqrt(np.array([32.0, 72.0, 162.0]) / m)


def row(t):
    return [t, x0 * np.cos(wx * t), v0 / wy * np.sin(wy * t), -g / wz**2 * (1 - np.cos(wz * t)), v0 * np.cos(wy * t)]


finish(__file__, {
    "problem": "A table that slides along three axes on springs",
    "source": "closed form of three oscillators (reference.py)",
    "columns": ["time", "slide.q1", "slide.q2", "slide.q3", "slide.u2"],
    "tolerance": 1e-8,
    "why": "rtol is 1e-10, over seven periods of the fastest oscillation",
    "rows": [row(float(t)) for t in (0, 0.5, 1, 2, 3.5, 5)],
    "checks": [
        {"column": "energy.ledger", "max_abs": 1e-8, "why": "springs keep the energy"},
    ],
})
