"""The period of a pendulum over its length and its swing, against the exact one."""
import math

import numpy
from scipy.special import ellipk

import sarrus

PENDULUM = """
sarrus = 1
[parameters]
L = 1
swing = 0.5
[[body]]
name = "bob"
mass = 1
com = [0, 0, "-L"]
[[joint]]
name = "hinge"
type = "revolute"
child = "bob"
axis = "y"
q = "swing"
"""


def period(length: float, swing: float) -> float:
    result = sarrus.parse(PENDULUM, L=length, swing=swing).simulate(until=4 * math.sqrt(length), rows=4000)
    q, t = result["hinge.q"], result.time
    i = numpy.flatnonzero((q[:-1] > 0) & (q[1:] <= 0))[0]  # a quarter of it
    return float(4 * (t[i] + (t[i + 1] - t[i]) * q[i] / (q[i] - q[i + 1])))


print("   L [m]  swing [rad]   period [s]   exact [s]")
for length in (0.25, 1.0, 4.0):
    for swing in (0.1, 1.0, 2.5):
        exact = 4 * math.sqrt(length / 9.81) * ellipk(math.sin(swing / 2) ** 2)
        found = period(length, swing)
        print(f"{length:8.2f} {swing:12.1f} {found:12.6f} {exact:11.6f}")
        assert abs(found - exact) < 1e-5 * exact
