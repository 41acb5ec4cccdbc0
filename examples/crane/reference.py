"""A point mass on a rope of prescribed length from a moving point, in cartesian coordinates.

    ẍ = g + λ n,  n = (x − p)/l,  |x − p| = l(t)
    twice differentiated: n·(ẍ − p̈) = (l̇² + l l̈ − |ẋ − ṗ|²)/l     gives λ;   tension −m λ
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate, step

g = np.array([0, 0, -9.81])


def pivot(t):
    a, da, dda = step(t, 0, 0, 12, np.pi / 2)
    e, f = np.array([np.cos(a), np.sin(a), 0]), np.array([-np.sin(a), np.cos(a), 0])
    return 8 * e + [0, 0, 10], 8 * da * f, 8 * (dda * f - da**2 * e)


def pull(t, y):
    p, dp, ddp = pivot(t)
    l, dl, ddl = step(t, 2, 6, 8, 4)
    n, v = (y[:3] - p) / l, y[3:] - dp
    return n, n @ (ddp - g) + (dl**2 + l * ddl - v @ v) / l


def rate(t, y):
    n, pulled = pull(t, y)
    return np.concatenate([y[3:], g + pulled * n])


times = np.arange(0, 20.01, 2.0)
y = integrate(rate, [8, 0, 4, 0, 0, 0], times, max_step=0.05)
drift = max(abs(np.linalg.norm(s[:3] - pivot(t)[0]) - step(t, 2, 6, 8, 4)[0]) for t, s in zip(times, y))
assert drift < 1e-10, drift
finish(__file__, {
    "problem": "A crane slews and hoists; the load swings as a spherical pendulum with a moving pivot",
    "source": "cartesian equations with the pull of the rope, integrated with SciPy's DOP853 (reference.py)",
    "columns": ["time", "hook.x", "hook.y", "hook.z", "hook.vx", "hook.vy", "hook.vz", "tension"],
    "tolerance": 2e-6,
    "why": "the tension is 500 kg times an acceleration; positions agree to 1e-9 m",
    "rows": [[t, *s, -500 * pull(t, s)[1]] for t, s in zip(times, y)],
    "checks": [
        {"column": "slew.q", "time": 12, "value": np.pi / 2, "tolerance": 1e-14, "why": "prescribed"},
        {"column": "slew.q", "time": 6, "value": np.pi / 4, "tolerance": 1e-14, "why": "half way of a symmetric step"},
        {"column": "energy.ledger", "max_abs": 1e-4,
         "why": "1e-8 of the 10 kJ of the drives; the kinks where motions begin and end cost most of it"},
    ],
})
