"""Parameters from a measurement: length and friction of a pendulum from a noisy record of its angle."""
from typing import Any

import numpy
from numpy.typing import NDArray
from scipy.optimize import least_squares

import sarrus

model = sarrus.Model(name="pendulum", parameters={"L": 1.0, "b": 0.0, "swing": 0.5})
model.body("bob", mass=0.5, com=(0, 0, "-L"))
model.joint("hinge", type="revolute", child="bob", axis="y", q="swing", damper="b")


def angle(length: float, friction: float, swing: float) -> NDArray[Any]:
    model.parameters["L"], model.parameters["b"], model.parameters["swing"] = length, friction, swing
    return numpy.array(model.simulate(until=10, rows=200)["hinge.q"])


TRUE = (0.731, 0.042, 1.2)
rng = numpy.random.default_rng(3)
measured = angle(*TRUE) + rng.normal(0, 0.01, 201)

found = least_squares(lambda p: angle(*p) - measured, x0=(0.8, 0.02, 1.0), x_scale=(1, 0.1, 1))
spread = numpy.sqrt(numpy.diag(numpy.linalg.inv(found.jac.T @ found.jac)) * 0.01**2)
for name, value, error, true in zip(("L [m]", "b [N.m.s/rad]", "swing [rad]"), found.x, spread, TRUE):
    print(f"{name:>14} {value:9.5f} ± {error:.5f}   true {true}")
    assert abs(value - true) < 4 * error
