"""One linear equation: (J + m h²) ω̇ = τ − m g h − d ω with the rise h = pitch/2π per radian.

    ω = ω∞ (1 − exp(−t/T)),  ω∞ = (τ − m g h)/d,  T = (J + m h²)/d,  angle = ω∞ (t − T (1 − exp(−t/T)))
"""
import pathlib
import sys

import numpy as np
from scipy.optimize import brentq

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

pitch, m, J, tau, d = 8e-3, 400.0, 2e-3, 6.0, 0.02
h = pitch / (2 * np.pi)
T, last = (J + m * h**2) / d, (tau - m * 9.81 * h) / d
speed = lambda t: last * (1 - np.exp(-t / T))
angle = lambda t: last * (t - T * (1 - np.exp(-t / T)))
finish(__file__, {
    "problem": "A screw jack driven by a constant torque",
    "source": "closed form (reference.py)",
    "columns": ["time", "thread.q", "thread.u", "head.z"],
    "tolerance": 1e-8,
    "why": "rtol is 1e-11 and the angle reaches 250 rad",
    "rows": [[t, angle(t), speed(t), h * angle(t)] for t in (0, 0.05, 0.1, 0.25, 0.5, 1, 2, 5)],
    "checks": [
        {"event": "lifted", "index": 0, "time": brentq(lambda t: h * angle(t) - 0.05, 0.01, 5, xtol=1e-15),
         "tolerance": 1e-9, "why": "where the closed form passes 50 mm"},
        {"column": "energy.ledger", "max_abs": 1e-7, "why": "torque, height and the thread's loss"},
    ],
})
