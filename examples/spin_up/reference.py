"""A beam spun up about its clamped end, linear in the deflection v = Σ φ q with the stiffness of the
centrifugal force (eigenfunctions of the cantilever: another basis than Sarrus'):

    M q″ + [K + ω² (G − M)] q = −ω′ ∫ ρA x φ dx − ω′ ∫ ρI φ′ dx,   N(x) = ½ ω² ρA (L² − x²) in G
    ω = ω_s/T (t − T/2π sin 2πt/T) until T

Terms of third order in v are left out, so that agreement is to be expected to about (v/L)² of v.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

L, EI, rhoA, rhoI, final = 10.0, 1.4e4, 1.2, 6e-4, 6.0
x, w = np.polynomial.legendre.leggauss(80)
x, w = L * (x + 1) / 2, L * w / 2
roots = np.array([1.8751040687119611, 4.694091132974175, 7.854757438237613, 10.995540734875467, 14.137168391046471])
n = 5
s = x / L
sigma = (np.cosh(roots) + np.cos(roots)) / (np.sinh(roots) + np.sin(roots))
phi = np.array([np.cosh(b * s) - np.cos(b * s) - c * (np.sinh(b * s) - np.sin(b * s)) for b, c in zip(roots, sigma)])
slope = np.array([b / L * (np.sinh(b * s) + np.sin(b * s) - c * (np.cosh(b * s) - np.cos(b * s))) for b, c in zip(roots, sigma)])
bent = np.array([(b / L)**2 * (np.cosh(b * s) + np.cos(b * s) - c * (np.sinh(b * s) + np.sin(b * s))) for b, c in zip(roots, sigma)])
M = rhoA * (phi * w) @ phi.T + rhoI * (slope * w) @ slope.T
K, G = EI * (bent * w) @ bent.T, (slope * w * rhoA * (L**2 - x**2) / 2) @ slope.T
f = (phi * w) @ (rhoA * x) + (slope * w) @ np.full_like(x, rhoI)
end = np.array([np.cosh(b) - np.cos(b) - c * (np.sinh(b) - np.sin(b)) for b, c in zip(roots, sigma)])
inverse = np.linalg.inv(M)


def lag(T, times, stiff=True):
    def rate(t, y):
        omega = final / T * (t - T / (2 * np.pi) * np.sin(2 * np.pi * t / T)) if t < T else final
        domega = final / T * (1 - np.cos(2 * np.pi * t / T)) if t < T else 0
        return [*y[n:], *(inverse @ (-(K + omega**2 * (stiff * G - M)) @ y[:n] - domega * f))]
    return integrate(rate, np.zeros(2 * n), times, rtol=1e-11, atol=1e-13)[:, :n] @ end


if __name__ == "__main__":
    times = np.arange(0, 20.1, 2.5)
    finish(__file__, {
        "problem": "Spin-up of a slender beam to a speed above its bending frequency at rest",
        "source": "linear equations with centrifugal stiffness in another basis, integrated with SciPy (reference.py); Kane, Ryan & Banerjee 1987",
        "columns": ["time", "lag"],
        "tolerance": 2.5e-3,
        "rows": [[t, v] for t, v in zip(times, lag(15.0, times))],
    })
