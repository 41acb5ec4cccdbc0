"""Andrews' squeezer as one equation in the crank's angle β.

Every point follows from β by intersections of circles: E from F and B, G from E and A, H from E and A. With the places x(β)
of the centres of mass and the angles of the bodies

    m(β) = Σ m |dc/dβ|² + I (dφ/dβ)²,   m β̈ = T − V′ − ½ m′ β̇²

first derivatives by complex steps, second ones by differences of sixth order of those. The solution published with the
test set of initial value problems agrees to the digits that it has.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

A, B, C = np.array([[-0.06934], [-0.00227]]), np.array([[-0.03635], [0.03273]]), np.array([[0.014], [0.072]])
rr, ra, d, da, ss, sa, sb, sc, sd = 0.007, 0.00092, 0.028, 0.0115, 0.035, 0.01874, 0.01043, 0.018, 0.02
e, ea, zt, ta, tb, zf, fa, u, ua, ub = 0.02, 0.01421, 0.04, 0.02308, 0.00916, 0.02, 0.01421, 0.04, 0.01228, 0.00449
mass = [0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498]
inertia = [2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
c0, l0, torque = 4530.0, 0.07785, 0.033


def length2(v):
    return v[0] * v[0] + v[1] * v[1]


def meet(P, r, Q, s, side):
    """The point at the distances r from P and s from Q, to the left (+1) or right of the way from P to Q."""
    w = Q - P
    l2 = length2(w)
    along = (r * r - s * s + l2) / (2 * l2)
    across = side * np.sqrt(r * r / l2 - along * along)
    return P + along * w + across * np.array([-w[1], w[0]])


def direction(v):
    """Unit vector; also of complex numbers with a tiny imaginary part."""
    return v / np.sqrt(length2(v))


def turned(v):
    return np.array([-v[1], v[0]])


def points(beta):
    F = rr * np.array([np.cos(beta), np.sin(beta)])
    E = meet(F, d, B, ss, side_E)
    return F, E, meet(A, zt, E, e, side_G), meet(A, u, E, zf, side_H)


def axes(beta):
    """x axes of the seven bodies."""
    F, E, G, H = points(beta)
    return [direction(F), direction(F - E), turned(direction(E - B)), turned(direction(E - G)),
            direction(G - A), direction(E - H), turned(direction(H - A))]


def centres(beta):
    F, E, G, H = points(beta)
    x = axes(beta)
    place = [(0 * A, ra, 0), (F, -da, 0), (B, sb, -sa), (G, 0, ea - e), (A, ta, tb), (H, zf - fa, 0), (A, ub, -ua)]
    return np.concatenate([o + along * x[k] + across * turned(x[k]) for k, (o, along, across) in enumerate(place)])


def angles(beta):
    return np.array([np.arctan2(x[1], x[0])[0] for x in axes(beta)])


# the side of each intersection, from the start that the problem gives
start, gamma, delta, epsilon = -0.0617138900142764, 0.455279819163070, 0.487364979543842, 1.230547444549821


def at(o, r, angle):
    return o + r * np.array([[np.cos(angle)], [np.sin(angle)]])


def side(right):
    return 1 if right else -1


side_E = side_G = side_H = 1
side_E = side(np.allclose(points(np.array([start]))[1], at(B, ss, gamma - np.pi / 2), atol=1e-9))
side_G = side(np.allclose(points(np.array([start]))[2], at(A, zt, delta), atol=1e-9))
side_H = side(np.allclose(points(np.array([start]))[3], at(A, u, epsilon - np.pi / 2), atol=1e-9))

weights = np.array([w for m in mass for w in (m, m)] + inertia)


def stretch(beta):
    F, E, G, H = points(beta)
    x = turned(direction(E - B))
    D = B + sd * x - sc * turned(x)
    return np.sqrt(length2(D - C)) - l0


def first(beta):
    """d/dβ of centres, angles, and the spring's stretch; one column for each β."""
    tilted = beta + 1e-30j
    turning = [x[0].real * x[1].imag - x[1].real * x[0].imag for x in axes(tilted)]
    return np.vstack([centres(tilted).imag, turning, stretch(tilted).imag]) / 1e-30


h = 2e-3
beside = h * np.arange(-3, 4)
slope = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)


def rate(t, y):
    beta, speed = y
    x = first(beta + beside)
    x1, x2 = x[:-1, 3], x[:-1] @ slope
    m, half_dm = weights @ x1**2, weights @ (x1 * x2)
    dV = c0 * stretch(np.array([beta]))[0] * x[-1, 3]
    return [speed, (torque - dV - half_dm * speed**2) / m]


times = np.linspace(0, 0.03, 13)
rows = []
for t, (beta, speed) in zip(times, integrate(rate, [start, 0.0], times, rtol=1e-12, atol=1e-12)):
    one = np.array([beta])
    a, r = angles(one), first(one)[14:21, 0] * speed      # the second body only swings, so that its angle needs no turns
    rows.append([t, beta, a[1] - beta, a[2], a[4], a[3] - a[4], a[6], a[5] - a[6],
                 speed, r[1] - speed, r[2], r[4], r[3] - r[4], r[6], r[5] - r[6]])
names = ["beta", "theta", "gamma", "delta", "phi", "epsilon", "omega"]
finish(__file__, {
    "problem": "Andrews' squeezer, two and a half turns of the crank",
    "source": "one equation in the crank's angle, SciPy's DOP853 (reference.py); at 0.03 s also the published solution",
    "columns": ["time"] + [n + ".q" for n in names] + [n + ".u" for n in names],
    "tolerance": 5e-6,
    "why": "speeds reach 1400 rad/s; the reference's second derivatives leave 1e-10 in angles, 1e-6 in speeds",
    "rows": rows,
    "checks": [
        {"column": "beta.q", "time": 0.03, "value": 15.81077119629904, "tolerance": 1e-8, "why": "published"},
        {"column": "theta.q", "time": 0.03, "value": -15.75637105984298, "tolerance": 1e-8, "why": "published"},
        {"column": "gamma.q", "time": 0.03, "value": 0.04082224013073101, "tolerance": 1e-9, "why": "published"},
        {"column": "phi.q", "time": 0.03, "value": -0.5347301163226948, "tolerance": 1e-9, "why": "published"},
        {"column": "delta.q", "time": 0.03, "value": 0.5244099658805303, "tolerance": 1e-9, "why": "published"},
        {"column": "omega.q", "time": 0.03, "value": 0.5347301163226948, "tolerance": 1e-9, "why": "published"},
        {"column": "epsilon.q", "time": 0.03, "value": 1.048080741042263, "tolerance": 1e-9, "why": "published"},
        {"column": "beta.u", "time": 0.03, "value": 1139.920302151208, "tolerance": 1e-6, "why": "published"},
        {"column": "constraint.position", "max_abs": 1e-12, "why": "every row is projected"},
        {"column": "energy.ledger", "max_abs": 1e-9, "why": "only the motor does work"},
    ],
})
