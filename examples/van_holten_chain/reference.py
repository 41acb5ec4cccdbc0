#!/usr/bin/env python3
"""The motion of the chain from Kane's equations with Jacobians, by SciPy: no energy matrix, no momenta.

    reference.py [--write]
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from reference_tools import Chain, finish, integrate  # noqa: E402


def tensor(J):
    """The inertia tensor of second moments."""
    J = np.array(J)
    return np.trace(J) * np.eye(3) - J


chain = Chain()
chain.add((0, 0, 0), (0, 0, 1), 1.3, (0.25, 0.02, -0.03),
          tensor([[0.060, -0.002, 0.001], [-0.002, 0.015, 0.0], [0.001, 0.0, 0.010]]),
          [[1, 0, 0], [0, 0.8, -0.6], [0, 0.6, 0.8]])
chain.add((0.5, 0.04, -0.05), (0, 1, 0), turned=[[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])
chain.add((0, 0, 0), (1, 0, 0), 1.6, (0.3, 0.04, -0.03),
          tensor([[0.075, 0.003, 0.0], [0.003, 0.012, 0.001], [0.0, 0.001, 0.008]]))
chain.add((0.6, 0.05, 0), (0, 1, 0), 0.9, (0.2, 0.0, 0.02),
          tensor([[0.030, 0.0, 0.0], [0.0, 0.006, -0.001], [0.0, -0.001, 0.004]]),
          [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
stiffness, rest = np.array([6, 9, 4, 3]), np.array([0.1, -0.3, 0, 0.2])


def rate(t, y):
    q, u = y[:4], y[4:]
    return np.concatenate([u, chain.accelerations(q, u, -stiffness * (q - rest))])


def energy(q, u):
    """From the velocities of the points, by differences of the positions along the motion."""
    total, h = 0.5 * np.sum(stiffness * (q - rest) ** 2), 1e-6
    ahead, behind, now = chain.frames(q + h * u), chain.frames(q - h * u), chain.frames(q)
    for (_, _, m, com, I, _), (Ra, pa), (Rb, pb), (R, p) in zip(chain.links, ahead, behind, now):
        v = (pa + Ra @ com - pb - Rb @ com) / (2 * h)
        W = (Ra - Rb) @ R.T / (2 * h)
        w = np.array([W[2, 1], W[0, 2], W[1, 0]])
        total += 0.5 * m * v @ v + 0.5 * w @ (R @ I @ R.T) @ w + m * 9.81 * (p + R @ com)[2]
    return total


times = np.linspace(0, 2, 21)
motion = integrate(rate, [0.3, 0.2, -0.4, 0.7, 0.4, 0, 1.0, 0], times)
rows = []
for t, y in zip(times, motion):
    R, p = chain.frames(y[:4])[3]
    rows.append([t, *y, *(p + R @ [0.4, 0, 0])])

finish(__file__, {
    "problem": "Chain of three segments and a dummy with hinges and springs, given by second moments and "
               "transformation matrices",
    "source": "Kane's equations with Jacobians for this chain, integrated by SciPy's DOP853 at rtol 1e-13",
    "models": ["model.toml"],
    "columns": ["time", "hinge1.q", "hinge2a.q", "hinge2b.q", "hinge3.q", "hinge1.u", "hinge2a.u", "hinge2b.u",
                "hinge3.u", "tip.x", "tip.y", "tip.z"],
    "tolerance": 1e-6,
    "rows": rows,
    "checks": [{"column": "energy.total", "always": energy(motion[0, :4], motion[0, 4:]), "tolerance": 1e-7,
                "why": "hinges and springs conserve energy; value from the points' velocities"}],
})
