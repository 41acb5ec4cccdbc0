"""Two rigid bodies and a spring, by the equations of Newton and Euler for each body on its own.

    m r̈ = F,    I ω̇ = x × Rᵀ F − ω × I ω,    q̇ = ½ q ⊗ (0, ω)

with F the tension along the tether at the point x of the body; quaternions, no joints, no momenta. Integrated
with DOP853 of SciPy to 1e-13. The run of the example is of second order with a step of 0.01 s, so it is compared with
a tolerance of that size; what it conserves it conserves to rounding.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import cross, finish, integrate

m = [100.0, 20.0]
I = [np.array([20, 30, 40.0]), np.array([2, 3, 3.5])]
at = [np.array([0.5, 0.1, 0.2]), np.array([-0.3, 0, 0.1])]
k, length, rate, apart = 50.0, 10.0, 0.2, 11.0


def rotation(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def product(p, q):
    return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + cross(p[1:], q[1:])])


def rates(t, y):
    bodies = y.reshape(2, 13)  # r, v, q, ω
    R = [rotation(b[6:10]) for b in bodies]
    d = (bodies[1][:3] + R[1] @ at[1]) - (bodies[0][:3] + R[0] @ at[0])
    L = np.linalg.norm(d)
    pull = k * (L - length) * d / L
    out = []
    for i, b in enumerate(bodies):
        F = pull if i == 0 else -pull
        w = b[10:]
        out += [b[3:6], F / m[i], 0.5 * product(b[6:10], np.concatenate([[0], w])),
                (cross(at[i], R[i].T @ F) - cross(w, I[i] * w)) / I[i]]
    return np.concatenate(out)


share = np.array([-m[1], m[0]]) / sum(m)
start = np.concatenate([
    [apart * share[0], 0, 0, 0, rate * apart * share[0], 0, 1, 0, 0, 0, 0.05, -0.1, 0.25],
    [apart * share[1], 0, 0, 0, rate * apart * share[1], 0.05, 1, 0, 0, 0, 0.3, 0.1, 0.1]])
times = np.arange(0, 20.01, 2.5)
y = integrate(rates, start, times)
stretch = apart + at[1][0] - at[0][0]
d = np.array([stretch, at[1][1] - at[0][1], at[1][2] - at[0][2]])
energy = 0.5 * k * (np.linalg.norm(d) - length) ** 2 + sum(
    0.5 * m[i] * start[13 * i + 3:13 * i + 6] @ start[13 * i + 3:13 * i + 6]
    + 0.5 * start[13 * i + 10:13 * i + 13] @ (I[i] * start[13 * i + 10:13 * i + 13]) for i in range(2))
momentum = "no force from outside: the method keeps momenta to rounding"
finish(__file__, {
    "problem": "Two satellites spin about each other at the ends of an elastic tether",
    "source": "equations of Newton and Euler for each body, by DOP853 of SciPy at 1e-13 (reference.py)",
    "columns": ["time", "ship_centre.x", "ship_centre.y", "ship_centre.z", "probe_centre.x", "probe_centre.y",
                "probe_centre.z", "probe_flight.u1", "probe_flight.u2", "probe_flight.u3"],
    "tolerance": 5e-4,
    "why": "a method of second order with steps of 0.01 s over 20 s",
    "rows": np.column_stack([times, y[:, 0:3], y[:, 13:16], y[:, 23:26]]),
    "checks": [
        {"column": "Py", "always": 0, "tolerance": 1e-11, "why": momentum},
        {"column": "Pz", "always": m[1] * 0.05, "tolerance": 1e-11, "why": momentum},
        {"column": "energy.total", "always": energy, "tolerance": 1e-4,
         "why": "symplectic: the energy oscillates by O(h²) and has no trend"},
    ],
})
