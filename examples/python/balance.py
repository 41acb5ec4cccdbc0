"""An inverted pendulum on a cart, held up by a linear-quadratic regulator.

The linear model comes from exact derivatives: no step size, no formula on paper.
"""
import numpy
from scipy.linalg import solve_continuous_are

import sarrus

model = sarrus.parse("""
sarrus = 1
[parameters]
push = 0
[[body]]
name = "cart"
mass = 2
[[body]]
name = "pole"
mass = 0.5
com = [0, 0, 0.4]
inertia = [0.02, 0.02, 0.001]
[[joint]]
name = "rail"
type = "prismatic"
child = "cart"
axis = "x"
force = "push"
[[joint]]
name = "pivot"
type = "revolute"
parent = "cart"
child = "pole"
axis = "y"
q = "15 deg"
[simulate]
rtol = 1e-9
""")

# x = (q, u): upright and at rest
by_q, by_u, by_tau = model.derivatives(q=[0, 0], u=[0, 0])
A = numpy.block([[numpy.zeros((2, 2)), numpy.eye(2)], [by_q, by_u]])
B = numpy.concatenate([numpy.zeros(2), by_tau[:, model.velocities.index("rail.u")]])[:, None]
P = solve_continuous_are(A, B, numpy.diag([10.0, 10.0, 1.0, 1.0]), numpy.array([[0.1]]))
gain = (B.T @ P / 0.1)[0]
print("open loop:  ", numpy.sort(numpy.linalg.eigvals(A).real).round(3))
print("closed loop:", numpy.sort(numpy.linalg.eigvals(A - B @ gain[None]).real).round(3))

sim = model.simulation()
while sim.time < 8:
    sim["push"] = -gain @ numpy.concatenate([sim.q, sim.u])
    sim.advance(sim.time + 0.005)
print(f"after {sim.time:.0f} s: cart at {sim['rail.q']:.4f} m, pole at {sim['pivot.q']:.5f} rad")
assert abs(sim["pivot.q"]) < 1e-3 and abs(sim["rail.q"]) < 1e-2
