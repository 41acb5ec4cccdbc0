"""The heavy symmetric top in closed form, for an axis let go at rest (cusps).

With u = cos θ, α = I3 ω3/I1, β = 2 m g l/I1 the energy gives u̇² = (u0 − u)[β (1 − u²) − α² (u0 − u)] = f(u):
u swings between u1 (the other root within −1 … 1) and u2 = u0, with the third root u3 > 1:

    u = u1 + (u2 − u1) sn²(s),   s = √(β (u3 − u1)/4) (t − T/2),   k² = (u2 − u1)/(u3 − u1)
    φ̇ = α (u0 − u)/(1 − u²),     T = 2 K/√(β (u3 − u1)/4)

[Goldstein, Classical Mechanics, ch. 5; Landau and Lifshitz, Mechanics, § 35]
"""
import pathlib
import sys

import numpy as np
from scipy.integrate import quad
from scipy.special import ellipj, ellipk

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

I1, I3, m, l, g, w3, theta0 = 0.012, 0.004, 1.2, 0.08, 9.81, 120.0, np.pi / 6
alpha, beta, u2 = I3 * w3 / I1, 2 * m * g * l / I1, np.cos(theta0)
u1, u3 = np.sort(np.roots([-beta, alpha**2, beta - alpha**2 * u2]).real)
k2, speed = (u2 - u1) / (u3 - u1), np.sqrt(beta * (u3 - u1) / 4)
K = ellipk(k2)
T = 2 * K / speed
u = lambda t: u1 + (u2 - u1) * ellipj(speed * t - K, k2)[0] ** 2
theta = lambda t: np.arccos(u(t))
phi = lambda t: quad(lambda x: alpha * (u2 - u(x)) / (1 - u(x) ** 2), 0, t, epsabs=1e-13, epsrel=1e-13, limit=400)[0]
finish(__file__, {
    "problem": "A heavy symmetric top let go with its axis at rest",
    "source": "closed form with Jacobi's elliptic functions, precession by quadrature (reference.py)",
    "columns": ["time", "theta", "phi"],
    "tolerance": 1e-9,
    "why": "rtol is 1e-12",
    "rows": [[t, theta(t), phi(t)] for t in np.arange(0, 1.01, 0.05)],
    "checks": [{"column": "tip.u3", "always": w3, "tolerance": 1e-9, "why": "no moment about the axis of symmetry"},
               {"column": "energy.ledger", "max_abs": 1e-10, "why": "nothing rubs"}]
    + [{"event": "lowest", "index": i, "time": (i + 0.5) * T, "tolerance": 1e-9, "why": "half way between two cusps"}
       for i in range(5)],
})
