"""Euler's equations without torque, in closed form.

For I1 < I2 < I3 and H² > 2 E I2, with s = p t + K(k²) where ω1(0) = 0:

    ω1 = a1 cn(s)    ω2 = a2 sn(s)    ω3 = a3 dn(s)
    a1² = (2 E I3 − H²)/(I1 (I3 − I1))   a2² = (2 E I3 − H²)/(I2 (I3 − I2))   a3² = (H² − 2 E I1)/(I3 (I3 − I1))
    p² = (I3 − I2)(H² − 2 E I1)/(I1 I2 I3)      k² = (I2 − I1)(2 E I3 − H²)/((I3 − I2)(H² − 2 E I1))

[Landau and Lifshitz, Mechanics, § 37]
"""
import pathlib
import sys

import numpy as np
from scipy.special import ellipj, ellipkm1

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

a, b, c, rho = 0.24, 0.16, 0.03, 700
m = rho * a * b * c
I1, I2, I3 = m * (b**2 + c**2) / 12, m * (a**2 + c**2) / 12, m * (a**2 + b**2) / 12
w2, w3 = 8, 0.05
E2, H2 = I2 * w2**2 + I3 * w3**2, (I2 * w2) ** 2 + (I3 * w3) ** 2  # 2 E and H²
up, low = E2 * I3 - H2, H2 - E2 * I1
k2 = (I2 - I1) * up / ((I3 - I2) * low)
# 1 − k² without cancellation: H² − 2 E I2 = I3 (I3 − I2) ω3² for ω1 = 0
m1 = (I3 - I1) * I3 * (I3 - I2) * w3**2 / ((I3 - I2) * low)
p, K = np.sqrt((I3 - I2) * low / (I1 * I2 * I3)), ellipkm1(m1)

times = np.arange(0, 10.01, 0.5)
sn, cn, dn, _ = ellipj(p * times + K, k2)
rows = np.column_stack([times, np.sqrt(up / (I1 * (I3 - I1))) * cn, np.sqrt(up / (I2 * (I3 - I2))) * sn,
                        np.sqrt(low / (I3 * (I3 - I1))) * dn])
flips = [(2 * i + 1) * K / p for i in range(20) if (2 * i + 1) * K / p < 10]
constant = "no torque: the angular momentum keeps its size and direction in space"
finish(__file__, {
    "problem": "A box spins freely about its middle axis and turns over",
    "source": "closed form with Jacobi's elliptic functions (reference.py)",
    "columns": ["time", "flight.u1", "flight.u2", "flight.u3"],
    "tolerance": 1e-8,
    "why": "the spin about the middle axis is unstable: errors grow about 160 times before each flip",
    "rows": rows,
    "checks": [
        {"column": "Hx", "always": 0, "tolerance": 1e-11, "why": constant},
        {"column": "Hy", "always": I2 * w2, "tolerance": 1e-11, "why": constant},
        {"column": "Hz", "always": I3 * w3, "tolerance": 1e-11, "why": constant},
        {"column": "energy.total", "always": E2 / 2, "tolerance": 1e-11, "why": "no work is done"},
    ] + [{"event": "flip", "index": i, "time": t, "tolerance": 1e-8, "why": "(2 i + 1) K/p"}
         for i, t in enumerate(flips)],
})
