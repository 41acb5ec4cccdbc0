"""Verification in pytest: a model of yours is checked like code. Run by hand: pytest test_pendulum.py"""
import math
from pathlib import Path

import sarrus

MODEL = Path(__file__).parent.parent / "simple_pendulum" / "model.toml"


def test_formulations_agree() -> None:
    found = sarrus.load(MODEL).verify(until=2, digits=7, budget=5, discrete=False)
    assert found, found  # what fails is printed in words


def test_energy_stays() -> None:
    result = sarrus.load(MODEL).simulate()
    assert result.energy_gap < 1e-7 * abs(result.summary["energy"]["exchanged"])


def test_it_swings_about_the_bottom() -> None:
    model = sarrus.load(MODEL)
    found = model.equilibrium()
    assert found.is_stable and math.isfinite(found.modes.frequencies[0])


if __name__ == "__main__":
    test_formulations_agree()
    test_energy_stays()
    test_it_swings_about_the_bottom()
    print("verified")
