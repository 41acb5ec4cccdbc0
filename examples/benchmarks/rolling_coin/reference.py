"""A thin rolling disk by the balance of angular momentum about the point of contact, in world axes.

    r: from the contact to the centre, v = ω × r,  r = ρ k_p/|k_p|,  k_p = k − (k·d) d,  d: the coin's axis
    I ω̇ + ω × I ω + r × m (v̇ − g) = 0      with  v̇ = ω̇ × r + ω × ṙ
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[2]))
from reference_tools import finish, integrate, turn

m, rho, lean = 1.0, 0.01, np.pi / 180
I0 = np.diag([5e-5, 2.5e-5, 2.5e-5])
k, g = np.array([0, 0, 1.0]), np.array([0, 0, -9.81])


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def arm(R, w):
    d = R[:, 0]
    dd = np.cross(w, d)
    kp, dkp = k - (k @ d) * d, -(k @ dd) * d - (k @ d) * dd
    size = np.linalg.norm(kp)
    return rho * kp / size, rho * (dkp / size - kp * (kp @ dkp) / size**3)


def accelerations(R, w):
    I, (r, dr) = R @ I0 @ R.T, arm(R, w)
    alpha = np.linalg.solve(I - m * skew(r) @ skew(r), -np.cross(w, I @ w) - m * np.cross(r, np.cross(w, dr) - g))
    return alpha, np.cross(alpha, r) + np.cross(w, dr)


def rate(t, y):
    R, w = y[3:12].reshape(3, 3), y[12:]
    return np.concatenate([np.cross(w, arm(R, w)[0]), (skew(w) @ R).ravel(), accelerations(R, w)[0]])


def row(t, y):
    R, w = y[3:12].reshape(3, 3), y[12:]
    contact, force = y[:3] - arm(R, w)[0], accelerations(R, w)[1] - g
    return [t, contact[0], contact[1], y[2], force[0], force[2]]


R0 = turn([0, 1, 0], lean)
times = np.arange(0, 0.501, 0.05)
start = np.concatenate([[rho * np.sin(lean), 0, rho * np.cos(lean)], R0.ravel(), [0, 0, 10 * np.pi]])
finish(__file__, {
    "problem": "A coin on its edge, leaning by 1 degree, with a spin of 1800 degrees per second",
    "source": "problem of Rill and Schaeffer, and of Exudyn's rollingCoinTest; balance of angular momentum, SciPy's DOP853 "
              "(reference.py), agrees to 1e-11 with an extrapolation in 80-bit numbers; Exudyn publishes contact x = 0.0020041 m "
              "at 0.5 s",
    "columns": ["time", "contact_x", "contact_y", "centre.z", "push_x", "push_z"],
    "tolerance": 1e-8,
    "why": "forces of 10 N; positions are better by far",
    "rows": [row(t, y) for t, y in zip(times, integrate(rate, start, times))],
    "checks": [{"column": "contact_x", "time": 0.5, "value": 0.002004947020762058, "tolerance": 1e-11,
                "why": "extrapolation in 80-bit numbers"},
               {"column": "contact_y", "time": 0.5, "value": 0.0025969231036024995, "tolerance": 1e-11,
                "why": "extrapolation in 80-bit numbers"}],
})
