"""A homogeneous ball with the speed v0 and no spin, under Coulomb's friction: it slides with the deceleration μ g while
its spin grows by 5 μ g/2r, until both fit; from then on it rolls with 5/7 of v0.

    t1 = 2 v0/(7 μ g),    x = v0 t − μ g t²/2 up to t1,    then x = x(t1) + (5/7) v0 (t − t1)
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[2]))
from reference_tools import finish

v0, mu, g, r = 3.0, 0.2, 9.81, 0.1
t1 = 2 * v0 / (7 * mu * g)


def row(t):
    s = min(t, t1)
    v = v0 - mu * g * s
    return [t, v0 * s - mu * g * s**2 / 2 + v * (t - s), v, 2.5 * mu * g * s / r]


finish(__file__, {
    "problem": "A ball with 3 m/s and no spin slides on a floor until it rolls",
    "source": "closed form (reference.py)",
    "columns": ["time", "centre.x", "centre.vx", "place.u2"],
    "tolerance": 3e-3,
    "why": "where it begins to roll, the spring of the contact swings a little: 2e-3 rad/s",
    "rows": [row(t) for t in np.arange(0, 1.001, 0.05)],
    "checks": [{"column": "centre.x", "time": 0.4, "value": row(0.4)[1], "tolerance": 1e-9, "why": "sliding"},
               {"column": "centre.x", "time": 1.0, "value": row(1.0)[1], "tolerance": 1e-6, "why": "rolling"},
               {"column": "centre.vx", "time": 1.0, "value": 5 * v0 / 7, "tolerance": 1e-9, "why": "rolling"},
               {"column": "place.u2", "time": 1.0, "value": 5 * v0 / (7 * r), "tolerance": 1e-7, "why": "rolling"}],
})
