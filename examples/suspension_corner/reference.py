"""Arm and wheel as one plane body (the wheel turns freely, so it counts as a point mass at the hub):

    m ẍ = F,   J θ̈ = M about the common centre, θ about +y, moment z Fx − x Fz

with the forces of the bushing, coil, damper and tyre written down in world axes. At the end everything rests.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate, step

ma, mw = 9.0, 18.0
com_arm, hub, foot = np.array([-0.2, 0]), np.array([-0.45, 0]), np.array([-0.3, 0.03])
m = ma + mw
c = (ma * com_arm + mw * hub) / m
J = 0.25 + ma * np.sum((com_arm - c) ** 2) + mw * np.sum((hub - c) ** 2)
pivot, top = np.array([0, 0.29]), np.array([-0.27, 0.62])


def turn(theta):
    return np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])


def load(t, y):
    centre = y[:2] + turn(y[2]) @ (hub - c)
    return 180e3 * (step(t, 1, 0, 1.06, 0.04)[0] + 0.3 - centre[1])


def rate(t, y):
    x, theta, v, w = y[:2], y[2], y[3:5], y[5]
    R = turn(theta)
    point = lambda p: (x + R @ (p - c), v + w * np.array([(R @ (p - c))[1], -(R @ (p - c))[0]]))
    force, moment = np.array([0, -m * 9.81]), 0.0

    def act(where, F):
        nonlocal force, moment
        arm = where - x
        force, moment = force + F, moment + arm[1] * F[0] - arm[0] * F[1]

    at, speed = point(np.zeros(2))
    act(at, -np.array([400e3, 600e3]) * (at - pivot) - np.array([900, 1200]) * speed)
    moment += -150 * theta - 2 * w
    at, speed = point(foot)
    length = np.linalg.norm(top - at)
    along = (top - at) / length
    act(at, (32e3 * (length - 0.42) - 2100 * (along @ speed)) * along)
    at, speed = point(hub)
    act(at, np.array([0, load(t, y)]))
    return np.concatenate([v, [w], force / m, [moment / J]])


times = np.arange(0, 3.01, 0.1)
start = np.concatenate([pivot + c, np.zeros(4)])
y = integrate(rate, start, times, 1e-12, 1e-13, max_step=0.01)
rows = []
for t, s in zip(times, y):
    at, centre = s[:2] - turn(s[2]) @ c, s[:2] + turn(s[2]) @ (hub - c)
    rows.append([t, *at, centre[1], s[5], load(t, s)])
keep = [r for r in rows if round(r[0] * 10) in (0, 1, 2, 5, 10, 11, 12, 13, 15, 20, 30)]
finish(__file__, {
    "problem": "A trailing arm in a bushing meets a kerb",
    "source": "plane equations of Newton and Euler for the same forces, integrated with SciPy's DOP853 (reference.py)",
    "columns": ["time", "mount.q5", "mount.q7", "centre.z", "mount.u2", "load"],
    "tolerance": 2e-5,
    "why": "the load is 180 kN/m times a position, which agrees to 1e-10 m",
    "rows": keep,
    "checks": [{"column": "mount.q6", "max_abs": 1e-12, "why": "everything stays in its plane"},
               {"column": "hub.u", "time": 0, "value": 400 * 2 * np.pi / 60, "tolerance": 1e-12, "why": "400 rpm"},
               {"column": "energy.ledger", "max_abs": 1e-6, "why": "what the dampers take is accounted for"}],
})
