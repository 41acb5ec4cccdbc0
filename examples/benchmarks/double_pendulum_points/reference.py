"""Lagrange's equations of two point masses in the absolute angles a, b, with masses and lengths of one.

    2 a'' + cos(a − b) b'' = −sin(a − b) b'² − 2 g sin a
    cos(a − b) a'' + b''   =  sin(a − b) a'² −   g sin b
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[2]))
from reference_tools import finish, integrate

g = 9.81


def rate(t, y):
    a, b, w, v = y
    c, s = np.cos(a - b), np.sin(a - b)
    r1, r2 = -s * v**2 - 2 * g * np.sin(a), s * w**2 - g * np.sin(b)
    return [w, v, (r1 - c * r2) / (2 - c * c), (2 * r2 - c * r1) / (2 - c * c)]


times = np.arange(0, 5.01, 0.25)
y = integrate(rate, [2 * np.pi / 3, -np.pi / 18, 0, 0], times)
finish(__file__, {
    "problem": "Planar double pendulum of two points, let go at 120 and -10 degrees",
    "source": "Lagrange's equations in absolute angles, SciPy's DOP853 (reference.py); agrees to 1e-12 with an extrapolation "
              "of order 18 in 80-bit numbers",
    "columns": ["time", "shoulder.q", "lower_angle", "shoulder.u", "lower_speed", "tip.x", "tip.z"],
    "tolerance": 2e-9,
    "why": "errors grow a thousandfold in 5 s; rtol is 1e-12",
    "rows": [[t, *s, np.sin(s[0]) + np.sin(s[1]), -np.cos(s[0]) - np.cos(s[1])] for t, s in zip(times, y)],
    "checks": [{"column": "energy.total", "always": 0.14903594295023895, "tolerance": 1e-9,
                "why": "g (cos 60° · 2 − cos 10°), nothing rubs"}],
})
