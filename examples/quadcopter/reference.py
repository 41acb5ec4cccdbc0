"""The quadcopter as one rigid body: Newton and Euler with a rotation matrix, and the same law of control.

    ẋ = v    m v̇ = R (0, 0, ΣT) − m g    Ṙ = R [ω]×    I ω̇ = Σ r × T + drag − ω × I ω
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate, step, turn

m, g, d, c, kp, kd, goal = 1.2, 9.81, 0.15, 0.016, 4.0, 0.45, 1.0
I = np.array([0.012, 0.013, 0.022])
place = d * np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]])
drag = c * np.array([1, -1, 1, -1])


def thrusts(t, x, v, R, w):
    lift = m * (g + 12 * (step(t, 0, 0, 2, 1.5)[0] - x[2]) - 6 * v[2])
    pitch = (2 * (step(t, 1, 0, 3, goal)[0] - x[0]) - 2 * v[0]) / g
    roll = (2 * x[1] + 2 * v[1]) / g
    # 2 q₀ qᵢ are the entries of (R − Rᵀ)/2
    turned = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    moment = np.array([kp * (roll - turned[0]) - kd * w[0], kp * (pitch - turned[1]) - kd * w[1],
                       -0.1 * turned[2] - 0.06 * w[2]])
    # thrusts that give this lift and these moments
    give = np.vstack([np.ones(4), place[:, 1], -place[:, 0], drag])
    return np.linalg.solve(give, np.concatenate([[lift], moment]))


def rate(t, y):
    x, v, R, w = y[:3], y[3:6], y[6:15].reshape(3, 3), y[15:]
    T = thrusts(t, x, v, R, w)
    force = np.outer(T, [0, 0, 1])
    moment = np.cross(place, force).sum(0) + np.array([0, 0, drag @ T])
    spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return np.concatenate([v, R @ force.sum(0) / m - [0, 0, g], (R @ spin).ravel(),
                           (moment - np.cross(w, I * w)) / I])


times = np.arange(0, 6.01, 0.5)
y = integrate(rate, np.concatenate([np.zeros(6), turn([0, 0, 1], np.pi / 9).ravel(), np.zeros(3)]), times,
              max_step=0.05)
first = [thrusts(t, s[:3], s[3:6], s[6:15].reshape(3, 3), s[15:])[0] for t, s in zip(times, y)]
finish(__file__, {
    "problem": "A quadcopter under feedback: climb, sideways flight, turn",
    "source": "Newton's and Euler's equations with the same control law, integrated with SciPy's DOP853 (reference.py)",
    "columns": ["time", "gps.x", "gps.y", "gps.z", "gps.vx", "flight.u1", "flight.u2", "flight.u3", "rotor_1"],
    "tolerance": 2e-8,
    "why": "rtol is 1e-10 and the steps of the wish are only twice differentiable",
    "rows": np.column_stack([times, y[:, :4], y[:, 15:], first]),
    "checks": [{"column": "energy.ledger", "max_abs": 1e-7, "why": "the work of the thrusts is accounted for"}],
})
