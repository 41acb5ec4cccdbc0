"""A small environment for reinforcement learning: reset() and step(action) as its libraries have them."""
from typing import Any, Callable, Dict, Optional, Tuple

import numpy
from numpy.typing import NDArray

import sarrus


Array = NDArray[numpy.float64]


class CartPole:
    """Keep the pole up. Observation: place, angle and their rates; action: a force on the cart [N]."""

    dt, limit = 0.02, 10.0

    def __init__(self) -> None:
        model = sarrus.Model(name="cart and pole", parameters={"push": 0, "start": 0})
        model.body("cart", mass=1)
        model.body("pole", mass=0.1, com=(0, 0, 0.5), inertia=(0.008, 0.008, 1e-4))
        model.joint("rail", type="prismatic", child="cart", axis="x", force="push")
        model.joint("pivot", type="revolute", parent="cart", child="pole", axis="y", q=0.05)
        self.sim = model.simulation(integrator="rk4", step=self.dt / 4)
        self.origin = self.sim.save()

    def reset(self, seed: Optional[int] = None) -> Tuple[Array, Dict[str, Any]]:
        self.sim.restore(self.origin)
        rng = numpy.random.default_rng(seed)
        self.sim["push"] = rng.uniform(-5, 5)  # a kick, so that no two episodes are the same
        self.sim.step(0.05)
        self.steps = 0
        return self.observation(), {}

    def step(self, action: float) -> Tuple[Array, float, bool, bool, Dict[str, Any]]:
        self.sim["push"] = float(numpy.clip(action, -self.limit, self.limit))
        self.sim.step(self.dt)
        self.steps += 1
        seen = self.observation()
        fallen = bool(abs(seen[1]) > 0.5 or abs(seen[0]) > 2.4)
        return seen, 1.0, fallen, self.steps >= 200, {}

    def observation(self) -> Array:
        return numpy.concatenate([self.sim.q, self.sim.u])


def episode(environment: CartPole, policy: Callable[[Array], float], seed: int) -> float:
    seen, _ = environment.reset(seed)
    total, over = 0.0, False
    while not over:
        seen, reward, fallen, late, _ = environment.step(policy(seen))
        total, over = total + reward, fallen or late
    return total


environment = CartPole()
rng = numpy.random.default_rng(0)
# random search: the policy of the best of 60 random gains
best, gains = -1.0, numpy.zeros(4)
for trial in range(60):
    guess = rng.normal(0, 1, 4) * (3, 40, 5, 10)
    score = sum(episode(environment, lambda seen: float(guess @ seen), seed) for seed in range(3)) / 3
    if score > best:
        best, gains = score, guess
random = sum(episode(environment, lambda seen: rng.uniform(-10, 10), seed) for seed in range(5)) / 5
print(f"steps survived: at random {random:.0f}, with the best of 60 policies {best:.0f} of 200")
assert best > 1.5 * random
# one seed is one episode, to the bit
ends = []
for _ in range(2):
    episode(environment, lambda seen: float(gains @ seen), seed=7)
    ends.append(environment.observation())
assert (ends[0] == ends[1]).all()
