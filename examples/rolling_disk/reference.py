"""A rolling disk by momentum about the point of contact, in world axes.

    r: from the contact to the centre, v = ω × r,  r = ρ k_p/|k_p|,  k_p = k − (k·d) d,  d: the disk's axis
    d/dt(I ω) = −r × F,  F = m (v̇ − g)      with  v̇ = ω̇ × r + ω × ṙ   linear in ω̇
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate, turn

m, rho, lean = 1.5, 0.3, 0.35
I0 = m * rho**2 * np.diag([0.25, 0.5, 0.25])
k, g = np.array([0, 0, 1.0]), np.array([0, 0, -9.81])


def cross_matrix(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rate(t, y):
    R, w = y[3:12].reshape(3, 3), y[12:]
    I, d = R @ I0 @ R.T, R[:, 1]
    dd = np.cross(w, d)
    kp, dkp = k - (k @ d) * d, -(k @ dd) * d - (k @ d) * dd
    size = np.linalg.norm(kp)
    r, dr = rho * kp / size, rho * (dkp / size - kp * (kp @ dkp) / size**3)
    # I ω̇ + ω × I ω + r × m (ω̇ × r + ω × ṙ − g) = 0;  r × (ω̇ × r) = −[r]×² ω̇
    left = I - m * cross_matrix(r) @ cross_matrix(r)
    right = -np.cross(w, I @ w) - m * np.cross(r, np.cross(w, dr) - g)
    return np.concatenate([np.cross(w, r), (cross_matrix(w) @ R).ravel(), np.linalg.solve(left, right)])


R0 = turn([1, 0, 0], lean)
times = np.arange(0, 2.01, 0.25)
y = integrate(rate, np.concatenate([[0, 0, rho * np.cos(lean)], R0.ravel(), R0 @ [0.3, -8, 0.4]]), times)
finish(__file__, {
    "problem": "A thin disk rolls without slipping on a horizontal plane",
    "source": "balance of angular momentum in world axes, integrated with SciPy's DOP853 (reference.py)",
    "columns": ["time", "centre.x", "centre.y", "centre.z", "floor.u1", "floor.u2", "floor.u3"],
    "tolerance": 1e-9,
    "why": "both integrations have errors near 1e-11",
    "rows": [[t, *s[:3], *(s[3:12].reshape(3, 3).T @ s[12:])] for t, s in zip(times, y)],
    "checks": [{"column": "energy.ledger", "max_abs": 1e-10, "why": "rolling without slipping does no work"}],
})
