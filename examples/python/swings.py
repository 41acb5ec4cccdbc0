"""4096 swings at once: the period of a pendulum over its amplitude, all states in one array."""
import math
import time

import numpy
from scipy.special import ellipk

import sarrus

model = sarrus.Model(name="pendulum")
model.body("bob", mass=1, com=(0, 0, -1))
model.joint("hinge", type="revolute", child="bob", axis="y")

n, steps = 4096, 250
amplitude = numpy.linspace(0.05, 3.0, n)
period = 4 * math.sqrt(1 / 9.81) * ellipk(numpy.sin(amplitude / 2) ** 2)  # exact
q, u, h = amplitude[:, None].copy(), numpy.zeros((n, 1)), (period / 4 / steps)[:, None]

began = time.perf_counter()
for _ in range(steps):  # classical Runge–Kutta; each call is 4096 accelerations on all cores
    k1 = model.forward_dynamics(q, u)
    k2 = model.forward_dynamics(q + h / 2 * u, u + h / 2 * k1)
    k3 = model.forward_dynamics(q + h / 2 * u + h * h / 4 * k1, u + h / 2 * k2)
    k4 = model.forward_dynamics(q + h * u + h * h / 2 * k2, u + h * k3)
    q = q + h * u + h * h / 6 * (k1 + k2 + k3)
    u = u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
seconds = time.perf_counter() - began
print(f"{4 * steps * n / seconds / 1e6:.1f} million accelerations a second; "
      f"after a quarter of each period the largest angle is {abs(q).max():.1e} rad")
assert abs(q).max() < 1e-7  # all pass the bottom now
