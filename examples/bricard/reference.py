"""The rectangular Bricard mechanism as one equation in the turn a of its first hinge.

Every second hinge turns alike. With the turns a and b of two neighbours, counted from the edges of the cube,

    sin a + sin b + sin a sin b = 0        b′ = −cos a (1 + sin b) / (cos b (1 + sin a))

The five bars are a chain of hinges whose angles are q = s (a, b, a, b, a), with signs s that make the sixth hinge meet its
place; with T = dq/da and the chain's mass matrix M and right-hand side r,  Tᵀ M T ä = Tᵀ (r − M T′ ȧ²).
"""
import itertools
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import Chain, finish, integrate

x, y, z = np.eye(3)
along, across = 0.02 / 12, 1.01 / 12
bars = [x, -y, z, -x, y]
chain = Chain(gravity=(0, -9.81, 0))
at = np.zeros(3)
for bar, axis in zip(bars, (y, z, x, y, z)):
    inertia = np.where(np.abs(bar) > 0.5, along, across)
    chain.add(at, axis, 1.0, bar / 2, inertia)
    at = bar


def partner(a):
    return -np.arcsin(np.sin(a) / (1 + np.sin(a)))


def slope(a):
    b = partner(a)
    return -np.cos(a) * (1 + np.sin(b)) / (np.cos(b) * (1 + np.sin(a)))


def gap(sign, a):
    """How far the last bar is from its hinge on the ground: place and axis."""
    R, p = chain.frames(sign * np.array([a, partner(a), a, partner(a), a]))[-1]
    return np.linalg.norm(p + R @ y - z) + np.linalg.norm(R @ x - x)


signs = [np.array(s) for s in itertools.product((1, -1), repeat=5) if gap(np.array(s), 0.3) < 1e-12]
fall = [s for s in signs if chain.equations(np.zeros(5), np.zeros(5), np.zeros(5))[1] @ (s * [1, -1, 1, -1, 1]) > 0]
sign = fall[0]
assert all(gap(sign, a) < 1e-12 for a in (0.1, 1.0, 2.5))


def shape(a):
    b = slope(a)
    curved = slope(a + 1e-30j).imag / 1e-30
    return sign * np.array([a, partner(a), a, partner(a), a]), sign * [1, b, 1, b, 1], sign * [0, curved, 0, curved, 0]


def rate(t, state):
    a, speed = state
    q, T, bent = shape(a)
    M, r = chain.equations(q, T * speed, np.zeros(5))
    return [speed, T @ (r - M @ bent * speed**2) / (T @ M @ T)]


times = np.linspace(0, 4, 17)
rows = []
for t, (a, speed) in zip(times, integrate(rate, [0.0, 0.0], times)):
    q, T, _ = shape(a)
    p3 = chain.frames(q)[3][1]
    rows.append([t, q[0], q[1], T[0] * speed, T[1] * speed, *p3])
finish(__file__, {
    "problem": "The rectangular Bricard mechanism falls from the edges of a cube",
    "source": "one equation in the turn of a hinge, SciPy's DOP853 (reference.py); problem A04 of the IFToMM library",
    "columns": ["time", "p0.q", "p1.q", "p0.u", "p1.u", "corner.x", "corner.y", "corner.z"],
    "tolerance": 2e-9,
    "why": "both integrations have errors near 1e-11, and the motion passes twice through its start",
    "rows": rows,
    "checks": [
        {"column": "constraint.position", "max_abs": 1e-12, "why": "every row is projected"},
        {"column": "energy.ledger", "max_abs": 1e-9, "why": "hinges do no work"},
    ],
})
