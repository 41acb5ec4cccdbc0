"""Multibody dynamics: models in, motions out.

    import sarrus

    model = sarrus.load("pendulum.toml", L=0.4)
    result = model.simulate(until=10)
    result.time, result["hinge.q"]          # numpy arrays, not copied

    sim = model.simulation()                # step by step
    sim["push"] = 3.0                       # a parameter that formulas read
    sim.advance(0.01)
    sim["hinge.q"]
"""

import os

from . import _sarrus
from ._sarrus import (
    Diagnostic,
    Error,
    Model,
    ModelError,
    NumericsError,
    Result,
    Simulation,
    SimulationState,
    UsageError,
)

__version__ = _sarrus.version
__all__ = [
    "Diagnostic", "Error", "Model", "ModelError", "NumericsError", "Result", "Simulation",
    "SimulationState", "UsageError", "load", "parse",
]


def load(path, **parameters):
    """Reads a model file; keywords set its [parameters], in SI units."""
    return _sarrus.load(os.fspath(path), parameters)


def parse(text, file="model.toml", **parameters):
    """Reads a model from text; files that it names are sought beside `file`."""
    return _sarrus.parse(text, parameters, os.fspath(file))


def _table(self):
    """The rows as a pandas frame, indexed by time."""
    import pandas

    return pandas.DataFrame(self.values, columns=self.columns).set_index("time")


def _plot(self, *columns, axes=None):
    """Draws columns over time with matplotlib; returns the axes."""
    from matplotlib import pyplot

    axes = axes or pyplot.gca()
    for name in columns:
        unit = self.units[name]
        axes.plot(self.time, self[name], label=name if unit == "1" else f"{name} [{unit}]")
    axes.set_xlabel("time [s]")
    axes.legend()
    return axes


Result.table = _table
Result.plot = _plot
