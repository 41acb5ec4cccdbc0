"""The pole on a cart in two coordinates, its force held between samples, and the gains from the Riccati equation.

    (M + m) ẍ + m l (θ̈ cos θ − θ̇² sin θ) = F        (J + m l²) θ̈ + m l ẍ cos θ = m g l sin θ

Sampled every h from h/2 on: F_k+1 = −K (x, θ, ẋ, θ̇, F)_k acts from t_k+1 on, one sample after it was computed.
"""
import pathlib
import sys

import numpy as np
from scipy.linalg import expm, solve_discrete_are

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

M, m, l, J, g, h = 1.0, 0.2, 0.3, 0.006, 9.81, 0.02

# linear about upright: z = (x, θ, ẋ, θ̇)
mass = np.array([[M + m, m * l], [m * l, J + m * l * l]])
A, B = np.zeros((4, 4)), np.zeros((4, 1))
A[:2, 2:] = np.eye(2)
A[2:, :2] = np.linalg.solve(mass, [[0, 0], [0, m * g * l]])
B[2:] = np.linalg.solve(mass, [[1], [0]])
both = expm(h * np.block([[A, B], [np.zeros((1, 5))]]))  # exact for a force that is held
# with the force that acts now as a fifth state, since the next one comes a sample late
Ad, Bd = np.block([[both[:4, :4], both[:4, 4:]], [np.zeros((1, 5))]]), np.eye(5)[:, 4:]
Q, R = np.diag([10, 20, 0.1, 0.1, 1e-6]), np.array([[0.05]])
P = solve_discrete_are(Ad, Bd, Q, R)
K = np.linalg.solve(R + Bd.T @ P @ Bd, Bd.T @ P @ Ad)[0]
gains = np.round(K, 3)  # as the model has them


def rate(force):
    def f(t, y):
        x, theta, v, w = y
        c, s = np.cos(theta), np.sin(theta)
        M2 = np.array([[M + m, m * l * c], [m * l * c, J + m * l * l]])
        return np.append(y[2:], np.linalg.solve(M2, [force + m * l * w * w * s, m * g * l * s]))
    return f


# samples at h/2, 3h/2, …, rows between them
y, force, following, rows = np.array([0, 0.3, 0, 0.0]), 0.0, 0.0, []
for k in range(201):
    if k % 10 == 0:
        rows.append([k * h, *y, force])
    y = integrate(rate(force), y, [k * h, (k + 0.5) * h])[-1]
    force = following
    following = float(np.clip(-gains @ np.append(y, force), -15, 15))
    y = integrate(rate(force), y, [(k + 0.5) * h, (k + 1) * h])[-1]

if "--gains" in sys.argv:
    sys.exit(print(*gains))
finish(__file__, {
    "problem": "A pole balanced on a cart by a sampled controller whose force comes one sample late",
    "source": "two equations of motion, SciPy's DOP853 from sample to sample; gains by SciPy's solve_discrete_are (reference.py)",
    "columns": ["time", "rail.q", "hinge.q", "rail.u", "hinge.u", "force"],
    "tolerance": 2e-8,
    "why": "the loop is stable: errors of both integrations, 1e-10, do not grow; the force is 40 times an angle",
    "rows": rows,
    "checks": [{"column": "energy.ledger", "max_abs": 1e-8, "why": "the work of the force alone"}],
})
