"""Modal analysis of an elastic bracket from a mesh, with and without the weight on it."""
from pathlib import Path

import sarrus

model = sarrus.load(Path(__file__).parent.parent / "elastic_bracket" / "model.toml")
loaded = model.modes(about="equilibrium")
print(loaded)

del model["bolts"], model["weight"], model["seat"]
bare = model.modes(about="equilibrium")
print("without the weight [Hz]:", bare.frequencies[:3].round(1), "with it:", loaded.frequencies[:3].round(1))

# every node of the mesh, computed apart from Sarrus (examples/elastic_bracket/README.md)
for found, expected in zip(bare.frequencies, (101.7, 204.4, 340.9)):
    assert abs(found - expected) < 2e-2 * expected
for found, expected in zip(loaded.frequencies, (35.3, 52.1, 110.7)):
    assert abs(found - expected) < 2e-2 * expected
