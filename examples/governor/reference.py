"""Watt's governor on a shaft that turns at Ω, its arms at the angle α, the sleeve 2 L cos α below the pivot.

    (2 m L² + 4 M L² sin² α) α̈ + 4 M L² sin α cos α α̇² = 2 m Ω² L² sin α cos α − 2 (m + M) g L sin α
    in balance          cos α = (m + M) g/(m Ω² L)
    small vibrations    ω² = m Ω² sin² α/(m + 2 M sin² α)
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

g, L, m, M, speed = 9.81, 0.3, 1.0, 4.0, 20.0


def rate(t, y):
    s, c = np.sin(y[0]), np.cos(y[0])
    force = 2 * m * speed**2 * L**2 * s * c - 2 * (m + M) * g * L * s - 4 * M * L**2 * s * c * y[1] ** 2
    return [y[1], force / (2 * m * L**2 + 4 * M * L**2 * s**2)]


def balance(w):
    a = np.arccos((m + M) * g / (m * w**2 * L))
    return a, np.sqrt(m * w**2 * np.sin(a) ** 2 / (m + 2 * M * np.sin(a) ** 2))


times = np.arange(0, 2.01, 0.5)
y = integrate(rate, [np.radians(60), 0], times)
speeds = np.linspace(13, 40, 10)
checks = [{"file": "campbell.csv", "row": i + 1, "column": "mode1.imaginary[rad/s]", "value": float(balance(w)[1]),
           "tolerance": 1e-9 * balance(w)[1]} for i, w in enumerate(speeds)]
angle, omega = balance(speed)
checks += [{"file": "summary.json", "pointer": "/point/q/right_hinge.q", "value": float(angle), "tolerance": 1e-10},
           {"file": "modes.csv", "row": 1, "column": "imaginary[rad/s]", "value": float(omega), "tolerance": 1e-10 * omega}]

finish(__file__, {
    "problem": "Watt's governor: balls released below their balance; small vibrations at ten speeds",
    "source": "Lagrange's equation of the one freedom, integrated with SciPy's DOP853; closed forms of balance and mode (reference.py)",
    "columns": ["time", "right_hinge.q", "left_hinge.u", "slide.q"],
    "tolerance": 1e-8,
    "rows": [[t, a, u, -2 * L * np.cos(a)] for t, (a, u) in zip(times, y)],
    "checks": [],
    "runs": [{"command": ["modes", "model.toml", "--campbell", "speed=13:40:10", "-o", "sweep"], "folder": "sweep", "checks": checks}],
})
