"""The arm by Kane's equations with Jacobians in world axes (class Chain), servos and armatures added."""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import Chain, finish, integrate, step

arm = Chain()
arm.add([0, 0, 0.15], [0, 0, 1], 4.0, [0, 0, 0.1], [0.03, 0.03, 0.02])
arm.add([0, 0, 0.2], [0, 1, 0], 3.0, [0, 0, 0.2], [0.045, 0.045, 0.006])
arm.add([0, 0, 0.4], [0, 1, 0], 2.0, [0, 0, 0.15], [0.018, 0.018, 0.003])
arm.add([0, 0, 0.3], [0, 0, 1], 0.8, [0, 0, 0.05], [0.002, 0.002, 0.001])
arm.add([0, 0, 0.1], [0, 1, 0], 0.6, [0, 0, 0.04], [0.001, 0.001, 0.0006])
arm.add([0, 0, 0.08], [0, 0, 1], 0.4, [0, 0.02, 0.03], [0.0004, 0.0004, 0.0003])
armature = np.array([0.5, 0.5, 0.3, 0.05, 0.05, 0.02])
kp = np.array([3000, 3000, 2000, 200, 200, 80])
kd = np.array([150, 150, 80, 8, 8, 2])
goals = [(0, 0, 1.5, 0.8), (0, 0, 1.5, 0.6), (0.2, 0, 1.5, 1.1), (0, 0, 1, -0.7), (0.5, 0, 1.5, 0.9), (0, 0, 1.5, 2.0)]
limit = np.array([np.inf, 120, np.inf, np.inf, np.inf, np.inf])


def servo(t, q, u):
    wish = np.array([step(t, *goal)[:2] for goal in goals])
    return np.clip(kp * (wish[:, 0] - q) + kd * (wish[:, 1] - u), -limit, limit)


def rate(t, y):
    q, u = y[:6], y[6:]
    return np.concatenate([u, arm.accelerations(q, u, servo(t, q, u), armature)])


times = np.arange(0, 2.01, 0.25)
y = integrate(rate, np.zeros(12), times, 1e-10, 1e-11, max_step=0.05)
rows = []
for t, s in zip(times, y):
    R, p = arm.frames(s[:6])[5]
    rows.append([t, *s[:6], *(p + R @ [0, 0, 0.1]), *servo(t, s[:6], s[6:])[:3]])
finish(__file__, {
    "problem": "Six hinges under servos that follow smooth steps",
    "source": "Kane's equations with Jacobians in world axes, integrated with SciPy's DOP853 (reference.py)",
    "columns": ["time", "waist.q", "shoulder.q", "elbow.q", "roll.q", "bend.q", "twist.q", "grip.x", "grip.y", "grip.z",
                "waist.drive", "shoulder.drive", "elbow.drive"],
    "tolerance": 1e-6,
    "why": "torques are positions times 3000; the angles themselves agree to 1e-9",
    "rows": rows,
    "checks": [{"column": "energy.ledger", "max_abs": 1e-7, "why": "the work of the servos is accounted for"}],
})
