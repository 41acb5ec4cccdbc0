"""Flap and lag frequencies of a rotating cantilever by Galerkin's method with integrated Legendre
polynomials (another basis than Sarrus'), EI = ρA = L = 1:

    flap   ∫ φ″φ″ + Ω² ∫ ½ (1 − x²) φ′φ′  against  ∫ φφ
    lag    the same minus Ω² ∫ φφ

They agree to four decimals with Wright, Smith, Thresher & Wang, J. Appl. Mech. 49 (1982).
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
    return {"command": ["modes", "model.toml", "--rotate", f"spin={speed}", "-o", folder], "folder": folder,
            "checks": [{"file": "modes.csv", "row": i + 1, "column": "imaginary[rad/s]", "value": float(f), "tolerance": 2e-7 * f}
                       for i, f in enumerate(frequencies(speed))]}


finish(__file__, {
    "problem": "Flap and lag frequencies of a rotating cantilever",
    "source": "Galerkin's method in another basis (reference.py); Wright, Smith, Thresher & Wang 1982 to four decimals",
    "columns": ["time", "spin.q", "blade.e1"],
    "tolerance": 1e-7,
    "rows": [[0.0, 0.0, 0.0], [0.5, 3.0, 0.0], [1.0, 6.0, 0.0]],
    "checks": [{"column": "tip.z", "max_abs": 1e-12, "why": "nothing bends it out of its plane"}],
    "runs": [run(0), run(2), run(6), run(12)],
})
