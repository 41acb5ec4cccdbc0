"""Control in space: the hand of an arm with three joints follows a circle, as light as the controller says.

    τ = Jᵀ Λ (ẍ_d + k_d (ẋ_d − ẋ) + k_p (x_d − x) − J̇ u) + c
"""
from typing import List

import numpy

import sarrus

model = sarrus.Model(name="arm")
parent, LENGTH = "world", 0.5
for i, axis in enumerate(("z", "y", "y"), start=1):
    model.parameters[f"tau{i}"] = 0
    model.body(f"link{i}", mass=2, com=(0.25, 0, 0), inertia=(0.005, 0.05, 0.05))
    model.joint(f"joint{i}", type="revolute", parent=parent, child=f"link{i}", axis=axis, force=f"tau{i}",
                q=(0.0, -0.6, 1.2)[i - 1], on_parent={"at": (LENGTH if i > 1 else 0, 0, 0)})
    parent = f"link{i}"
model.sensor("hand", body="link3", at=(LENGTH, 0, 0))
HAND = ("link3", (LENGTH, 0, 0))
centre, radius, rate = numpy.array([1.0, 0, 0.1]), 0.15, 2.0
errors: List[float] = []


def controller(sim: sarrus.Simulation) -> None:
    q, u, phase = sim.q, sim.u, rate * sim.time
    J, Jdot = model.jacobian(*HAND, q)[:3], model.jacobian_rate(*HAND, q, u)[:3]
    inertia = model.operational_inertia(*HAND, q, rows=slice(0, 3))
    turn = numpy.array([0, numpy.cos(phase), numpy.sin(phase)])
    ahead = numpy.array([0, -numpy.sin(phase), numpy.cos(phase)])
    x = numpy.array([sim["hand.x"], sim["hand.y"], sim["hand.z"]])
    error = centre + radius * turn - x
    errors.append(float(numpy.linalg.norm(error)))
    wanted = -radius * rate**2 * turn + 40 * (radius * rate * ahead - J @ u) + 400 * error
    sim.inputs = J.T @ inertia @ (wanted - Jdot @ u) + model.bias(q, u)


sim = model.simulation(rtol=1e-8)
sim.every(0.002, controller)
sim.advance(3)
print(f"the hand is {1e3 * errors[0]:.0f} mm off at the start and {1e3 * max(errors[750:]):.2f} mm at most after 1.5 s")
assert max(errors[750:]) < 2e-3
