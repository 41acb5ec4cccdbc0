"""A double pendulum: run it, look at numbers."""
from pathlib import Path

import numpy

import sarrus

model = sarrus.load(Path(__file__).parent.parent / "double_pendulum" / "model.toml")
print(model, "with", ", ".join(model.joints))

result = model.simulate(until=5)
print(result)
for name in ("energy.kinetic", "energy.potential"):
    column = result[name]  # a numpy array, not a copy
    print(f"{name} from {column.min():.3f} to {column.max():.3f} {result.units[name]}")

total = result["energy.total"]
assert numpy.ptp(total) < 1e-6 * result["energy.kinetic"].max(), "nothing takes energy out"
print(f"the account of energy closes to {result.energy_gap:.1e} J")
