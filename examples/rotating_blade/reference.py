"""Flap and lag frequencies of a rotating cantilever by Galerkin's method with integrated Legendre
polynomials (another basis than Sarrus'), EI = ρA = L = 1:

    flap   ∫ φ″φ″ + Ω² ∫ ½ (1 − x²) φ′φ′  against  ∫ φφ
    lag    the same minus Ω² ∫ φφ

Eight polynomials come within 1e-6 of these at the speeds asked for. They agree to four decimals with Wright, Smith, Thresher & Wang, J. Appl. Mech. 49 (1982).
"""
import pathlib
import sys

import numpy as np
from numpy.polynomial import Polynomial
from scipy.linalg import eigh

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

n = 14
x, w = np.polynomial.legendre.leggauss(40)
x, w = (x + 1) / 2, w / 2
# x² times Chebyshev polynomials of 2x − 1
basis = [np.polynomial.Chebyshev.basis(k, domain=[0, 1]).convert(kind=Polynomial) * Polynomial([0, 0, 1]) for k in range(n)]
phi, dphi, ddphi = (np.array([b.deriv(d)(x) if d else b(x) for b in basis]) for d in range(3))
M, K, G = (phi * w) @ phi.T, (ddphi * w) @ ddphi.T, (dphi * w * (1 - x**2) / 2) @ dphi.T


def frequencies(speed):
    flap = np.sqrt(eigh(K + speed**2 * G, M, eigvals_only=True)[:2])
    return sorted([*flap, *np.sqrt(flap**2 - speed**2)])


def run(speed):
    folder = f"at_{speed}"
    return {"command": ["modes", "model.toml", "--set", f"speed={speed} rad/s", "-o", folder], "folder": folder,
            "checks": [{"file": "modes.csv", "row": i + 1, "column": "imaginary[rad/s]", "value": float(f), "tolerance": 1e-6 * f}
                       for i, f in enumerate(frequencies(speed))]}


# the blade, bent as in its first mode at rest by 1 mm in both directions, let go while it turns: linear theory
square, V = eigh(K, M)
end = np.array([b(1) for b in basis])
start = V[:, 0] / (V[:, 0] @ end) * 1e-3
rows = []
for t in np.arange(0, 1.01, 0.1):
    tip = []
    for stiffness in (K + 36 * (G - M), K + 36 * G):
        lam, W = eigh(stiffness, M)
        tip.append(end @ W @ (np.cos(np.sqrt(lam) * t) * (W.T @ M @ start)))
    rows.append([t, 6 * t, -np.sin(6 * t) * tip[0] + np.cos(6 * t), np.cos(6 * t) * tip[0] + np.sin(6 * t), tip[1]])
finish(__file__, {
    "problem": "Flap and lag of a rotating cantilever: frequencies, and a free vibration",
    "source": "Galerkin's method in another basis (reference.py); Wright, Smith, Thresher & Wang 1982 to four decimals",
    "columns": ["time", "spin.q", "tip.x", "tip.y", "tip.z"],
    "tolerance": 3e-6,
    "rows": rows,
    "runs": [run(0), run(2), run(6), run(12)],
})
