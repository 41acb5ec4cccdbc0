"""Chaplygin's sleigh in closed form.

    c² = I/m + a²,  U² = v0² + c² ω0²,  s = a U t/c² + artanh(v0/U)
    v = U tanh s,  ω = (U/c)/cosh s,  θ = θ0 + (c/a)(gd s − gd s0),  gd s = arctan sinh s
    sideways force m (v ω + a ω̇);  x and y are integrals of v cos θ, v sin θ
"""
import pathlib
import sys

import numpy as np
from scipy.integrate import quad

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

m, I, a, theta0, w0, v0 = 1.0, 0.2, 0.3, 0.1, 2.0, 0.5
c = np.sqrt(I / m + a**2)
U = np.hypot(v0, c * w0)
s0 = np.arctanh(v0 / U)
s = lambda t: a * U * t / c**2 + s0
v = lambda t: U * np.tanh(s(t))
w = lambda t: U / c / np.cosh(s(t))
theta = lambda t: theta0 + c / a * (np.arctan(np.sinh(s(t))) - np.arctan(np.sinh(s0)))
across = lambda t: m * (v(t) * w(t) - a * w(t) * np.tanh(s(t)) * a * U / c**2)
along = lambda f, t: quad(lambda x: v(x) * f(theta(x)), 0, t, epsabs=1e-13, epsrel=1e-13)[0]
times = np.arange(0, 6.01, 0.5)
finish(__file__, {
    "problem": "Chaplygin's sleigh on a horizontal plane",
    "source": "closed form, position by quadrature (reference.py)",
    "columns": ["time", "blade.q1", "blade.q2", "blade.q3", "blade.u1", "blade.u2", "blade.fy"],
    "tolerance": 1e-9,
    "why": "rtol is 1e-12",
    "rows": [[t, theta(t), along(np.cos, t), along(np.sin, t), w(t), v(t), across(t)] for t in times],
    "checks": [{"column": "energy.total", "always": 0.705, "tolerance": 1e-11,
                "why": "½ m v² + ½ (I + m a²) ω² = 0.125 + 0.58; the blade does no work"}],
})
