"""N four-bars in a row, as long as they stay parallelograms, are one pendulum: the posts turn alike, the beams do not turn.

    I β̈ = k sin β      I = (N + 1) m l²/3 + N m l²      k = (N + 1) m g l/2 + N m g l

β clockwise from upright. As the energy E = ½ β̇² − (k/I) (1 − cos β) is large enough for full turns, with ψ = (β − π)/2
counted from the lowest place, ψ̇² = Ω² (1 − m sin² ψ) with Ω² = (β̇₀² + 4 k/I)/4 and m = (k/I)/Ω²: ψ is Jacobi's amplitude.
"""
import pathlib
import sys

import numpy as np
from scipy.special import ellipj, ellipk

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

N, g, speed0 = 2, 9.81, 1.0
pull = g * ((N + 1) / 2 + N) / ((N + 1) / 3 + N)
fastest = np.sqrt(speed0**2 / 4 + pull)                        # of ψ, at the lowest place
m = pull / fastest**2
half = ellipk(m)                                               # from upright to the lowest place

rows = []
for t in np.linspace(0, 10, 21):
    sn, cn, dn, psi = ellipj(fastest * t - half, m)
    beta, rate = 2 * psi + np.pi, 2 * fastest * dn
    rows.append([t, -beta, -rate, np.sin(beta), np.cos(beta)])
finish(__file__, {
    "problem": "Two four-bars in a row turn through ten seconds",
    "source": "Jacobi's elliptic functions (reference.py); problem A02 of the IFToMM library",
    "verify": {"until": 2.09, "reason": "chosen so that none of the 200 rows lies within 0.018 rad of a flat position; forces have a pole there, 0.27 N/angle, and in a row 0.009 rad from it, as up to 2 s, only 7 digits agree"},
    "columns": ["time", "a0.q", "a0.u", "top.x", "top.y"],
    "tolerance": 5e-7,
    "why": "five turns of an unstable start: an error of 1e-10 grows by the ratio of speeds at the bottom and the top in each",
    "rows": rows,
    "checks": [
        {"column": "constraint.position", "max_abs": 1e-12, "why": "every row is projected"},
        {"column": "energy.ledger", "max_abs": 2e-7, "why": "hinges do no work"},
    ],
})
