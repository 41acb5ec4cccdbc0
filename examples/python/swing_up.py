"""Trajectory optimisation: a double pendulum swings up with a motor in each joint, in two seconds.

Single shooting over the torques; the gradient is exact, from the derivatives of the accelerations:

    u₊ = u + h a(q, u, τ),   q₊ = q + h u₊,   and backwards with ∂a/∂q, ∂a/∂u, ∂a/∂τ
"""
from typing import Any, Tuple

import numpy
from numpy.typing import NDArray
from scipy.optimize import minimize

import sarrus

model = sarrus.Model(name="double pendulum")
model.body("upper", mass=1, com=(0, 0, -0.5), inertia=(0.08, 0.08, 0.001))
model.body("lower", mass=1, com=(0, 0, -0.5), inertia=(0.08, 0.08, 0.001))
model.joint("shoulder", type="revolute", child="upper", axis="y")
model.joint("elbow", type="revolute", parent="upper", child="lower", axis="y", on_parent={"at": (0, 0, -1)})

STEPS, TIME, LIMIT = 80, 2.0, 30.0  # N.m
h = TIME / STEPS
goal = numpy.array([numpy.pi, 0.0])


def cost(torques: NDArray[Any]) -> Tuple[float, NDArray[Any]]:
    """Effort, and how far the end is from upright at rest; with its gradient."""
    tau = torques.reshape(STEPS, 2)
    q, u, passed = numpy.zeros(2), numpy.zeros(2), []  # at the start it hangs
    for k in range(STEPS):
        a = model.forward_dynamics(q, u, tau[k])
        passed.append(model.derivatives(q, u, a))
        u = u + h * a
        q = q + h * u
    value = float(1e-3 * h * numpy.sum(tau**2) + 10 * numpy.sum((q - goal) ** 2) + numpy.sum(u**2))
    gradient = 2e-3 * h * tau
    by_q, by_u = 20 * (q - goal), 2 * u  # of the cost, by the state at the end
    for k in reversed(range(STEPS)):
        a_q, a_u, a_tau = passed[k]
        by_u = by_u + h * by_q
        gradient[k] += h * a_tau.T @ by_u
        by_q, by_u = by_q + h * a_q.T @ by_u, by_u + h * a_u.T @ by_u
    return value, gradient.ravel()


# the gradient is that of differences
rng = numpy.random.default_rng(1)
start = rng.normal(0, 0.5, 2 * STEPS)
value, gradient = cost(start)
direction = rng.normal(0, 1, 2 * STEPS)
slope = (cost(start + 1e-5 * direction)[0] - cost(start - 1e-5 * direction)[0]) / 2e-5
print(f"slope along a random direction: {gradient @ direction:.6f}, by differences {slope:.6f}")
assert abs(gradient @ direction - slope) < 1e-5 * abs(slope)

found = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=[(-LIMIT, LIMIT)] * (2 * STEPS),
                 options={"maxiter": 150})
print(f"cost {value:.2f} → {found.fun:.4f} after {found.nit} iterations, "
      f"largest torque {abs(found.x).max():.1f} N.m")
assert found.fun < 1
