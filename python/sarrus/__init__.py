"""Multibody dynamics: models in, motions out.

    import sarrus

    model = sarrus.Model(name="pendulum")
    model.body("bob", mass=0.2, com=(0, 0, -0.8))
    model.joint("hinge", type="revolute", child="bob", axis="y", q="40 deg")

    result = model.simulate(until=10)
    result.time, result["hinge.q"]          # numpy arrays, not copied

    sim = model.simulation()                # step by step
    sim.advance(0.01)
    sim["hinge.q"]

`sarrus.load` reads a model file, `sarrus.read` the results of the command line.
"""
from . import _sarrus
from ._builders import add_builders
from ._sarrus import Diagnostic, Error, ModelError, NumericsError, UsageError
from ._tree import Element
from .analyses import markers, reduce
from .model import Model, load, parse
from .result import Result, read
from .simulation import Simulation, SimulationState

add_builders(Model)

__version__: str = _sarrus.version
__all__ = [
    "Diagnostic", "Element", "Error", "Model", "ModelError", "NumericsError", "Result", "Simulation",
    "SimulationState", "UsageError", "load", "markers", "parse", "read", "reduce",
]
