"""Steady precession with a horizontal axle: the moment of the weight turns the spin's momentum about the vertical.

    m g a = C σ Ω     exactly, since with the axle horizontal no other momentum turns
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

spin, C, weight, arm = 3000 * 2 * np.pi / 60, 1.2e-3, 0.08, 0.09
Omega = weight * 9.81 * arm / (C * spin)
times = np.arange(0, 10.5, 1.0)
finish(__file__, {
    "problem": "A gyroscope in gimbals precesses steadily under a weight",
    "source": "closed form: m g a = C σ Ω (reference.py)",
    "columns": ["time", "vertical.q", "vertical.u", "tilt.q", "tilt.u", "axle.u"],
    "tolerance": 1e-9,
    "why": "the precession is stable, so errors do not grow; rtol is 1e-11 and the spin 314 rad/s",
    "rows": np.column_stack([times, Omega * times, 0 * times + Omega, 0 * times, 0 * times, 0 * times + spin]),
    "checks": [{"column": "tilt.q", "max_abs": 1e-9, "why": "the axle stays horizontal"}],
})
