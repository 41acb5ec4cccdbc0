"""The governor in three coordinates: β below the horizontal (both rods alike), the sleeve's height s, the shaft's angle φ.

With r(x) = 0.05 + x cos β the distance of a rod's point x from the axis,

    T = ½ J(β) φ̇² + I β̇² + ½ m_s ṡ²        J = J_shaft + J_sleeve + 2 ∫ r² dm

and the springs of length L(β, s) between the sleeve and the middle of the rods, with damping. Lagrange's equations, SciPy's
Radau for the stiff part and DOP853 as a check of it.
"""
import pathlib
import sys

import numpy as np
from scipy.integrate import solve_ivp

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

density, g, K, C, l0, off, ball = 3000.0, 9.81, 8e5, 4e4, 0.5, 0.05, 5.0
rod = density * 1e-4
sleeve = density * 1e-3
thin, across = rod * 2e-4 / 12, rod * (1 + 1e-4) / 12
mass = rod + ball
first = rod * 0.5 + ball                               # Σ m x along a rod
second = across + rod * 0.25 + ball                    # about the hinge, across the rod
fixed = thin + sleeve * 0.02 / 12                      # shaft and sleeve about the axis

# about the vertical: a rod of inertia (thin, across_c, across_c) at its own centre, tilted by β
Jc = across + rod * 0.25 + ball - first**2 / mass      # about the common centre of rod and ball


def about_axis(beta):
    """J(β) and its derivative."""
    c, s = np.cos(beta), np.sin(beta)
    x = first / mass
    r, dr = off + x * c, -x * s
    own, down = thin * s * s + Jc * c * c, 2 * (thin - Jc) * s * c
    return fixed + 2 * (mass * r * r + own), 2 * (2 * mass * r * dr + down)


def rate(t, y):
    beta, b1, s, s1, phi, w = y
    c, sn = np.cos(beta), np.sin(beta)
    J, dJ = about_axis(beta)
    # from the sleeve's corner (0.05, s) to the middle of the rod (0.05 + c/2, 1 − sin β/2)
    dx, dz = c / 2, 1 - sn / 2 - s
    L = np.hypot(dx, dz)
    L_beta, L_s = (dx * -sn / 2 + dz * -c / 2) / L, -dz / L
    pull = K * (L - l0) + C * (L_beta * b1 + L_s * s1)
    b2 = (0.5 * dJ * w * w / 2 + first * g * c - pull * L_beta) / second
    s2 = (-sleeve * g - 2 * pull * L_s) / sleeve
    return [b1, b2, s1, s2, w, -dJ * b1 * w / J]


start = [np.pi / 6, 0.0, 0.5, 0.0, 0.0, 2 * np.pi]
times = np.array([0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0])
stiff = solve_ivp(rate, (0, 2), start, "Radau", times, rtol=1e-11, atol=1e-13)
check = solve_ivp(rate, (0, 0.1), start, "DOP853", [0.1], rtol=1e-12, atol=1e-13)
assert stiff.success and np.max(np.abs(check.y[:, 0] - stiff.y[:, 1])) < 1e-9
rows = [[t, y[0], y[1], y[2], y[3], y[4], y[5]] for t, y in zip(times, stiff.y.T)]
finish(__file__, {
    "problem": "A flyball governor with stiff links",
    "source": "Lagrange's equations in three coordinates, SciPy's Radau (reference.py); problem A05 of the IFToMM library",
    "columns": ["time", "right_hinge.q", "right_hinge.u", "slide.q", "slide.u", "bearing.q", "bearing.u"],
    "tolerance": 1e-8,
    "why": "rtol is 1e-11 and the motion is stable",
    "rows": rows,
    "checks": [{"column": "energy.ledger", "max_abs": 5e-7, "why": "rtol of the 238 J: the dampers' work is counted"}],
})
