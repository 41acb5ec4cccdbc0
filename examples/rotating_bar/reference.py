"""A bar of finite elements that turns at ω: the semi-discrete equations, solved exactly in time.

    m d″ + (k − ω² m) d = ω² ∫ ρA x N dx + F sin(Ω t) at the tip,   at rest and straight at first

with m and k of the two-node bar (consistent mass). In the modes of (k − ω² m, m) every equation is

    η″ + λ² η = f + g sin Ω t
    η = f/λ² (1 − cos λt) + g/(λ² − Ω²) (sin Ωt − Ω/λ sin λt)
"""
import pathlib
import sys

import numpy as np
from scipy.linalg import eigh

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

rho_A, EA, L, omega, F, Omega, n = 1.0, 210e9 * 2e-5, 1.0, 15.0, 100.0, 200.0, 10
h = L / n
m, k, f = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1)), np.zeros(n + 1)
for e in range(n):
    i = slice(e, e + 2)
    m[i, i] += rho_A * h / 6 * np.array([[2, 1], [1, 2]])
    k[i, i] += EA / h * np.array([[1, -1], [-1, 1]])
    f[i] += omega**2 * rho_A * h * np.array([e * h / 2 + h / 6, e * h / 2 + h / 3])
m, k, f = m[1:, 1:], k[1:, 1:], f[1:]
square, V = eigh(k - omega**2 * m, m)
lam, fm, gm = np.sqrt(square), V.T @ f, F * V[-1]
times = np.arange(0, 0.0201, 0.001)


def tip(t):
    return V[-1] @ (fm / lam**2 * (1 - np.cos(lam * t)) + gm / (lam**2 - Omega**2) * (np.sin(Omega * t) - Omega / lam * np.sin(lam * t)))


rows = [[t, 15 * t, tip(t), V[n // 2 - 1] @ (fm / lam**2 * (1 - np.cos(lam * t)) + gm / (lam**2 - Omega**2) * (np.sin(Omega * t) - Omega / lam * np.sin(lam * t)))]
        for t in times]
finish(__file__, {
    "problem": "A rotating bar of ten finite elements under a harmonic force at its tip",
    "source": "modal solution of the semi-discrete equations, exact in time (reference.py)",
    "columns": ["time", "axle.q", "bar.e10", "bar.e5"],
    "tolerance": 6e-13,
    "rows": rows,
    "runs": [{"command": ["modes", "model.toml", "--set", "force=0", "-o", "modes"], "folder": "modes",
              "checks": [{"file": "modes.csv", "row": i + 1, "column": "imaginary[rad/s]", "value": float(lam[i]), "tolerance": float(1e-9 * lam[i])}
                         for i in (0, 1, n - 1)]}],
})
