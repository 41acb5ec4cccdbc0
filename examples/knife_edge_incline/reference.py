"""Knife edge on a slope in closed form: with a = g sin α and φ = φ0 + ω t

    v = v0 + (a/ω)(sin φ − sin φ0) = b + (a/ω) sin φ
    x = [b sin φ + (a/2ω) sin² φ]/ω,   y = [−b cos φ + (a/2ω)(φ − sin φ cos φ)]/ω     from φ0 to φ
    sideways force m (v ω + a sin φ)
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

m, alpha, w, phi0, v0 = 2.0, np.pi / 6, 3.0, 0.2, 0.4
a = 9.81 * np.sin(alpha)
b = v0 - a / w * np.sin(phi0)
x = lambda f: (b * np.sin(f) + a / (2 * w) * np.sin(f) ** 2) / w
y = lambda f: (-b * np.cos(f) + a / (2 * w) * (f - np.sin(f) * np.cos(f))) / w
rows = []
for t in np.arange(0, 4.01, 0.5):
    f = phi0 + w * t
    v = b + a / w * np.sin(f)
    rows.append([t, f, x(f) - x(phi0), y(f) - y(phi0), w, v, m * (v * w + a * np.sin(f))])
finish(__file__, {
    "problem": "A knife edge on a plane inclined by 30 degrees",
    "source": "closed form (reference.py)",
    "columns": ["time", "blade.q1", "blade.q2", "blade.q3", "blade.u1", "blade.u2", "blade.fy"],
    "tolerance": 1e-9,
    "why": "rtol is 1e-12",
    "rows": rows,
    "checks": [{"column": "energy.ledger", "max_abs": 1e-10, "why": "the blade does no work"}],
})
