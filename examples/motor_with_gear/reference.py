"""Two linear equations with constant coefficients, solved by their eigenvalues.

    (J + G² Jr) ω̇ = η G Kt i − d ω        L i̇ = U − R i − Ke G ω
"""
import pathlib
import sys

import numpy as np
from scipy.optimize import brentq

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

J, d, U, R, L, K, G, eta, Jr = 0.03, 0.05, 24, 1.2, 2e-3, 0.05, 30, 0.85, 2e-5
A = np.array([[-d, eta * G * K], [-K * G, -R]]) / [[J + G**2 * Jr], [L]]
rest = np.linalg.solve(A, [0, -U / L])  # where both rates are zero
values, vectors = np.linalg.eig(A)
part = np.linalg.solve(vectors, -rest)


def state(t):
    """Angle, speed, current."""
    speed, current = (rest + vectors @ (part * np.exp(values * t))).real
    angle = (rest[0] * t + vectors[0] @ (part * (np.exp(values * t) - 1) / values)).real
    return angle, speed, current


times = [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
finish(__file__, {
    "problem": "Step response of a DC motor with inductance, gear and load",
    "source": "closed form of two linear equations (reference.py)",
    "columns": ["time", "shaft.q", "shaft.u", "shaft.current"],
    "tolerance": 1e-8,
    "why": "rtol is 1e-11 and the current is 10 A",
    "rows": [[t, *state(t)] for t in times],
    "checks": [
        {"event": "turn", "index": 0, "time": brentq(lambda t: state(t)[0] - 2 * np.pi, 0, 1, xtol=1e-15),
         "tolerance": 1e-9, "why": "where the closed form passes 2 pi"},
        {"column": "energy.ledger", "max_abs": 1e-8, "why": "the work of the motor and the damper's loss"},
    ],
})
