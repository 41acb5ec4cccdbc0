"""A block on a slope with friction μ N tanh(u/s): time and way as functions of the speed, in closed form.

    u̇ = −(a + b tanh(u/s)),  a = g sin α,  b = μ g cos α
    ∫ du/(a + b tanh(u/s)) = s [a z − b ln(a cosh z + b sinh z)]/(a² − b²),  z = u/s

With ideal dry friction (s → 0) the smooth block stops at u₀/(a + b); the smoothing moves that by a few s/g.
The rough block ends creeping down where a = b tanh(u/s).
"""
import pathlib
import sys

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

g, alpha, u0, s = 9.81, np.radians(20), 4.0, 1e-3
a, smooth, rough = g * np.sin(alpha), 0.3 * g * np.cos(alpha), 0.5 * g * np.cos(alpha)


def log_sum(z, b):
    """ln(a cosh z + b sinh z) without overflow."""
    k = abs(z)
    return k + np.log(((a + np.sign(z) * b) + (a - np.sign(z) * b) * np.exp(-2 * k)) / 2)


def clock(u, b):
    primitive = lambda v: s * (a * v / s - b * log_sum(v / s, b)) / (a**2 - b**2)
    return primitive(u0) - primitive(u)


stop = clock(0, smooth)
speed = lambda t: brentq(lambda u: clock(u, smooth) - t, -5, 5, xtol=1e-15)
ideal = u0 / (a + smooth)
assert abs(stop - ideal) < 5 * s / g, (stop, ideal)
rows = [[t, speed(t)] for t in (0, 0.25, 0.5, 0.75, 1, 1.5, 2)]
creep = -s * np.arctanh(a / rough)
way = lambda u: quad(lambda v: v / (a + smooth * np.tanh(v / s)), u, u0, epsabs=1e-13, epsrel=1e-12, limit=500,
                     points=[p for p in (-0.01, -0.001, 0, 0.001, 0.01) if p > u])[0]
finish(__file__, {
    "problem": "Blocks pushed up a slope against dry friction",
    "source": "closed form for friction smoothed by tanh(u/s) (reference.py)",
    "columns": ["time", "slide_a.u"],
    "tolerance": 1e-7,
    "why": "rtol is 1e-10 and the turn of friction at u = 0 takes a thousandth of a second",
    "rows": rows,
    "checks": [
        {"event": "stop_a", "index": 0, "time": stop, "tolerance": 1e-8, "why": "the closed form at u = 0"},
        {"event": "stop_a", "index": 0, "time": ideal, "tolerance": 5 * s / g,
         "why": "ideal dry friction: u0/(g sin + mu g cos); the smoothing moves it by a few s/g"},
        {"column": "slide_a.q", "time": 2, "value": way(speed(2)), "tolerance": 1e-7, "why": "integral of u du/u-dot"},
        {"column": "slide_b.u", "time": 2, "value": creep, "tolerance": 1e-9, "why": "creeps where a = b tanh(u/s)"},
        {"column": "slide_b.q", "time": 1, "value": u0**2 / (2 * (a + rough)), "tolerance": 2 * s,
         "why": "ideal dry friction: u0²/(2 (a + b)), then at most s per second of creep"},
        {"column": "energy.ledger", "max_abs": 1e-7, "why": "what friction takes is accounted for"},
    ],
})
