#!/usr/bin/env python3
"""The blade in two ways that share nothing with Sarrus: closed forms of the linear motion, and Kane's equations in full.

With the second moments Jx = m L²/3 about the hinges, Jy = m c²/12, Jz = 0 and S = m L/2:

    flap   ω² = Ω² (1 + e S/Jx) + k/Jx           about −g S/(Jx ω²), where the weight holds it
    lag    ω² = Ω² e S/(Jx + Jy) + k/(Jx + Jy)
    pitch  ω² = Ω² + k/Jy                        the "tennis racket" moment of a flat blade

To first order the three do not feel each other.

    reference.py [--write]
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from reference_tools import Chain, finish, integrate  # noqa: E402

OMEGA, E, L, M, C, G = 30.0, 0.2, 4.0, 50.0, 0.4, 9.81
K = np.array([2000.0, 30000.0, 4000.0])
START = np.array([0.03, 0.02, 0.01])
JX, JY, S = M * L**2 / 3, M * C**2 / 12, M * L / 2

frequency = np.sqrt([OMEGA**2 * (1 + E * S / JX) + K[0] / JX,
                     OMEGA**2 * E * S / (JX + JY) + K[1] / (JX + JY),
                     OMEGA**2 + K[2] / JY])
held = np.array([-G * S / (JX * frequency[0] ** 2), 0, 0])


def linear(t):
    return held + (START - held) * np.cos(frequency * t)


chain = Chain()
chain.add((0, 0, 0), (0, 0, 1), 40, (0, 0, 0), (2, 2, 3))
chain.add((E, 0, 0), (0, -1, 0))
chain.add((0, 0, 0), (0, 0, 1))
chain.add((0, 0, 0), (1, 0, 0), M, (L / 2, 0, 0), (JY, M * L**2 / 12, JY + M * L**2 / 12))


def rate(t, y):
    """The shaft's acceleration is zero: its row and column drop out."""
    q, u = np.array([OMEGA * t, *y[:3]]), np.array([OMEGA, *y[3:]])
    mass, force = chain.equations(q, u, np.array([0, *(-K * y[:3])]))
    return np.concatenate([y[3:], np.linalg.solve(mass[1:, 1:], force[1:])])


times = np.linspace(0, 2, 11)
full = integrate(rate, [*START, 0, 0, 0], times)
names = ["flap", "lag", "pitch"]
checks = []
for i, t in enumerate(times[1:], 1):
    for k, name in enumerate(names):
        checks.append({"column": f"{name}.q", "time": float(t), "value": float(linear(t)[k]), "tolerance": 1e-9,
                       "model": "model.toml", "why": "closed form"})
        checks.append({"column": f"{name}.q", "time": float(t), "value": float(full[i, k]), "tolerance": 1e-9,
                       "model": "full.toml", "why": "Kane's equations in full"})

print("frequencies / Ω:", *(f"{name} {w / OMEGA:.9f}" for name, w in zip(names, frequency)), sep="  ")
print("linear and full differ by at most", np.abs(full[:, :3] - [linear(t) for t in times]).max(), "rad")
finish(__file__, {
    "problem": "Rotor blade with flap, lag and pitch hinges and springs on a hub of constant speed",
    "source": "closed forms of the linear motion; in full by Kane's equations, SciPy's DOP853 at rtol 1e-13",
    "models": ["model.toml", "full.toml"],
    "columns": ["time", "shaft.q", "shaft.u"],
    "tolerance": 1e-9,
    "rows": [[t, OMEGA * t, OMEGA] for t in times],
    "checks": checks,
})
