"""A part in a hand goes with the forearm; let go, it flies on a parabola with the speed that it had.

The hinges follow smooth steps, so that place and speed of every point of the forearm are known in closed form.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, step

g, taken, released = 9.81, 0.3, 1.0
lie = np.array([0.7787, 0.2870])


def hinge(t):
    return step(t, 0.5, 0, 1.5, 1.5), step(t, 0.5, 0.8, 1.5, -0.4)


def point(t, local):
    """Place and speed of a point of the forearm, in the plane."""
    (a, ad, _), (b, bd, _) = hinge(t)
    u = lambda x: np.array([np.cos(x), np.sin(x)])
    n = lambda x: np.array([-np.sin(x), np.cos(x)])
    place = 0.5 * u(a) + local[0] * u(a + b) + local[1] * n(a + b)
    speed = 0.5 * ad * n(a) + (ad + bd) * (local[0] * n(a + b) - local[1] * u(a + b))
    return place, speed


(a, _, _), (b, _, _) = hinge(taken)
turn = np.array([[np.cos(a + b), np.sin(a + b)], [-np.sin(a + b), np.cos(a + b)]])
local = turn @ (lie - 0.5 * np.array([np.cos(a), np.sin(a)]))
off, speed = point(released, local)


def centre(t):
    if t <= taken:
        return [*lie, 0.0]
    if t <= released:
        return [*point(t, local)[0], 0.0]
    s = t - released
    return [*(off + speed * s), -g * s**2 / 2]


times = [0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4]
finish(__file__, {
    "problem": "A part taken, carried and thrown",
    "source": "kinematics of the driven arm, then a parabola (reference.py)",
    "columns": ["time", "part_centre.x", "part_centre.y", "part_centre.z"],
    "tolerance": 5e-4,
    "why": "joints open by micrometres, and the hand lets go within a step; the speed of the throw is off by as much",
    "rows": [[t, *centre(t)] for t in times],
    "checks": [
        {"column": "part_centre.vx", "time": 1.2, "value": speed[0], "tolerance": 2e-3, "why": "the speed of the throw"},
        {"column": "part_centre.vy", "time": 1.2, "value": speed[1], "tolerance": 2e-3, "why": "likewise"},
    ],
})
