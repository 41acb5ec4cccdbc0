"""An inverted pendulum on a cart, held up by a linear-quadratic regulator.

The linear model comes from exact derivatives: no step size, no formula on paper.
"""
import numpy
from scipy.linalg import solve_continuous_are

import sarrus

model = sarrus.Model(name="cart and pole", parameters={"push": 0})
model.body("cart", mass=2)
model.body("pole", mass=0.5, com=(0, 0, 0.4), inertia=(0.02, 0.02, 0.001))
model.joint("rail", type="prismatic", child="cart", axis="x", force="push")
model.joint("pivot", type="revolute", parent="cart", child="pole", axis="y", q="15 deg")
model.settings.rtol = 1e-9

# ẋ = A x + B w, upright and at rest
linear = model.linearize(q=[0, 0], u=[0, 0])
B = linear.B[:, [name.startswith("rail") for name in linear.inputs]]
P = solve_continuous_are(linear.A, B, numpy.diag([10.0, 10.0, 1.0, 1.0]), numpy.array([[0.1]]))
gain = (B.T @ P / 0.1)[0]
print(linear)
print("open loop:  ", numpy.sort(numpy.linalg.eigvals(linear.A).real).round(3))
print("closed loop:", numpy.sort(numpy.linalg.eigvals(linear.A - B @ gain[None]).real).round(3))


def regulator(sim: sarrus.Simulation) -> None:
    sim["push"] = -gain @ numpy.concatenate([sim.q, sim.u])


sim = model.simulation()
sim.every(0.005, regulator)
sim.advance(8)
print(f"after {sim.time:.0f} s: cart at {sim['rail.q']:.4f} m, pole at {sim['pivot.q']:.5f} rad")
assert abs(sim["pivot.q"]) < 1e-3 and abs(sim["rail.q"]) < 1e-2
