"""A double wishbone as one equation in the angle θ of its lower arm.

The lower ball joint follows from θ. The upper one lies on the circle of the upper arm at a fixed distance from it,
A cos ψ + B sin ψ = C, and the outer end of the tie rod at fixed distances from both and from the rack (three spheres). Three
points place the upright. With all places and turns x(θ)

    m(θ) = Σ m |dc/dθ|² + ωᵀ I ω,    m θ̈ = −½ m′ θ̇² − V′ − c (dL/dθ)² θ̇

first derivatives by complex steps, m′ by differences of sixth order.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

lower0, upper0, tie0 = np.array([0.01, 0.72, 0.18]), np.array([-0.015, 0.66, 0.48]), np.array([-0.12, 0.70, 0.22])
rack, top = np.array([-0.13, 0.33, 0.235]), np.array([0, 0.45, 0.62])
lower_at, upper_at = np.array([0, 0.34, 0.2]), np.array([0, 0.40, 0.46])
k, rest, c, g = 28e3, 0.45, 1200.0, 9.81
up = np.array([0, 0, 1.0])


def unit(v):
    return v / np.sqrt(v @ v)


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


lower_axis, upper_axis = unit(np.array([1, 0.05, -0.03])), unit(np.array([1, -0.04, 0.06]))


def rotation(axis, cosine, sine):
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + sine * K + (1 - cosine) * K @ K


def length2(a, b):
    return (a - b) @ (a - b)


def fourth(P, Q, S, p2, q2, s2, sign):
    """The point at the squared distances p2, q2, s2 from three points."""
    x = unit(Q - P)
    i = x @ (S - P)
    y = unit(S - P - i * x)
    d, j = np.sqrt(length2(P, Q)), y @ (S - P)
    a = (p2 - q2 + d * d) / (2 * d)
    b = (p2 - s2 + i * i + j * j - 2 * i * a) / (2 * j)
    return P + a * x + b * y + sign * np.sqrt(p2 - a * a - b * b) * cross(x, y)


arm = upper0 - upper_at
along, e1 = upper_axis * (upper_axis @ arm), arm - upper_axis * (upper_axis @ arm)
e2 = cross(upper_axis, e1)


def triad(P, Q, S):
    x = unit(Q - P)
    y = unit(S - P - x * (x @ (S - P)))
    return np.array([x, y, cross(x, y)]).T


T0 = triad(lower0, upper0, tie0)
tie_sign = 1.0


def place(theta):
    """Rotations of the three bodies and their origins."""
    R_low = rotation(lower_axis, np.cos(theta), np.sin(theta))
    lower = lower_at + R_low @ (lower0 - lower_at)
    # |upper − lower|² fixed on the circle upper_at + along + e1 cos ψ + e2 sin ψ
    w = upper_at + along - lower
    C = (length2(upper0, lower0) - w @ w - e1 @ e1) / 2
    A, B = w @ e1, w @ e2
    n2 = A * A + B * B
    root = np.sqrt(n2 - C * C)
    cosine, sine = (A * C + side * B * root) / n2, (B * C - side * A * root) / n2
    R_up = rotation(upper_axis, cosine, sine)
    upper = upper_at + along + e1 * cosine + e2 * sine
    tie = fourth(lower, upper, rack, length2(tie0, lower0), length2(tie0, upper0), length2(tie0, rack), tie_sign)
    return (R_low, lower_at), (R_up, upper_at), (triad(lower, upper, tie) @ T0.T, lower)


side = 1.0
if abs(place(0.0)[1][0][0, 0] - 1) > 1e-9:
    side = -1.0
if np.max(np.abs(place(0.0)[2][0] - np.eye(3))) > 1e-9:
    tie_sign = -1.0
assert np.max(np.abs(place(0.0)[2][0] - np.eye(3))) < 1e-9 and np.max(np.abs(place(0.0)[1][0] - np.eye(3))) < 1e-9

mass = [4.2, 2.6, 24.0]
com = [np.array([0, 0.18, 0]), np.array([0, 0.13, 0.005]), np.array([0.005, 0.04, 0.12])]
inertia = [np.diag([0.055, 0.03, 0.08]), np.diag([0.02, 0.012, 0.03]), np.diag([0.75, 1.1, 0.72])]


def strut(theta):
    R, p = place(theta)[0]
    return np.sqrt(length2(p + R @ np.array([0, 0.26, -0.01]), top))


def inertia_and_slope(theta):
    """m(θ), the slope of the weight, of the strut."""
    tilted = place(theta + 1e-30j)
    m = slope = 0.0
    for (R, p), mb, cb, Ib in zip(tilted, mass, com, inertia):
        v = (p + R @ cb).imag / 1e-30
        W = (R.imag / 1e-30) @ R.real.T
        w = R.real.T @ np.array([W[2, 1], W[0, 2], W[1, 0]])
        m += mb * v @ v + w @ Ib @ w
        slope += mb * g * v[2]
    return m, slope, strut(theta + 1e-30j).imag / 1e-30


h = 1e-3


def rate(t, y):
    theta, speed = y
    m, weight, dL = inertia_and_slope(theta)
    dm = sum(f * (inertia_and_slope(theta + n * h)[0] - inertia_and_slope(theta - n * h)[0])
             for n, f in ((1, 45), (2, -9), (3, 1))) / (60 * h)
    pull = k * (strut(theta) - rest) + c * dL * speed
    return [speed, (-0.5 * dm * speed**2 - weight - pull * dL) / m]


times = np.linspace(0, 1, 11)
rows = []
for t, (theta, speed) in zip(times, integrate(rate, [-0.11, 0.0], times, rtol=1e-12, atol=1e-13)):
    R, p = place(theta)[2]
    hub = p + R @ np.array([0.005, 0.06, 0.12])
    tilted = place(theta + 1e-30j)
    vz = ((tilted[2][1] + tilted[2][0] @ np.array([0.005, 0.06, 0.12])).imag / 1e-30)[2] * speed
    rows.append([t, theta, speed, *hub, vz])
finish(__file__, {
    "problem": "A double wishbone suspension swings back",
    "source": "one equation in the lower arm's angle, SciPy's DOP853 (reference.py)",
    "columns": ["time", "lower.q", "lower.u", "hub.x", "hub.y", "hub.z", "hub.vz"],
    "tolerance": 1e-9,
    "why": "both integrations have errors near 1e-11",
    "rows": rows,
    "checks": [
        {"column": "constraint.position", "max_abs": 1e-12, "why": "every row is projected"},
        {"column": "energy.ledger", "max_abs": 1e-9, "why": "the damper's work is counted"},
    ],
})
