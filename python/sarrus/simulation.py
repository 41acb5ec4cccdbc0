"""A model that is advanced step by step, from Python."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from . import _sarrus

if TYPE_CHECKING:
    from .model import Model


FOREVER = float("inf")


class Sampled:
    """A function that is called at even times, counted from when it was given."""

    def __init__(self, start: float, period: float, call: Callable[["Simulation"], Any]) -> None:
        self.start, self.period, self.call, self.count = start, period, call, 0

    @property
    def due(self) -> float:
        return self.start + self.count * self.period


class SimulationState:
    """Everything that the rest of a simulation depends on, bit for bit. It can be pickled."""

    def __init__(self, state: "_sarrus.SimulationState", counts: Tuple[int, ...]) -> None:
        self._state, self._counts = state, counts

    @property
    def time(self) -> float:
        return self._state.time

    def __repr__(self) -> str:
        return f"<sarrus.SimulationState at {self.time:g} s>"


class Simulation(_sarrus.Stepped):
    """A model that is advanced from outside:

        sim = model.simulation()
        sim["push"] = 3.0               # an input: a parameter that formulas read
        sim.advance(0.5)                # to exactly 0.5 s
        sim.step(1e-3)                  # on by 1 ms
        sim["hinge.q"], sim.q, sim.u    # any column of a result, by name

    A simulation belongs to one thread at a time; several can be advanced in several threads at once.
    """

    def __init__(self, model: "Model", **settings: Any) -> None:
        super().__init__(model.compiled, **settings)
        self._sampled: List[Sampled] = []

    def advance(self, t: float) -> None:
        """Goes on to exactly t. Where that fails, the simulation stands at its last good step."""
        if not self._sampled:
            self._advance(t)
            return
        if not t >= self.time:
            self._advance(t)  # says what is wrong with it
        while True:
            due = min(one.due for one in self._sampled)
            if due > t:
                break
            if due > self.time:
                self._advance(due)
            self._call_due()
        self._advance(t)

    def step(self, dt: Optional[float] = None) -> float:
        """On by dt, or by one step of the method, as long as it chooses; the new time."""
        if dt is not None:
            self.advance(self.time + dt)
            return self.time
        if not self._sampled:
            return self._step(FOREVER)
        self._call_due()
        return self._step(min(one.due for one in self._sampled))

    def every(self, period: float, controller: Callable[["Simulation"], Any]) -> None:
        """Calls controller(sim) now and every `period` seconds: sampled control. What it raises arrives
        where the simulation was advanced; the simulation then stands at that sample, and calls the
        controller again when it goes on."""
        if not period > 0:
            raise ValueError(f"every({period}): not a time above 0")
        if not callable(controller):
            raise TypeError(f"every takes a function of the simulation, not {controller!r}")
        self._sampled.append(Sampled(self.time, float(period), controller))

    def _call_due(self) -> None:
        for one in self._sampled:
            if one.due <= self.time:
                one.call(self)
                one.count += 1

    def save(self) -> SimulationState:  # type: ignore[override]
        """The state now, for restore()."""
        return SimulationState(super().save(), tuple(one.count for one in self._sampled))

    def restore(self, state: SimulationState) -> None:  # type: ignore[override]
        """Back to a state, and on from there with the same bits."""
        if not isinstance(state, SimulationState):
            raise TypeError(f"restore takes what save() gave, not {state!r}")
        super().restore(state._state)
        for one, count in zip(self._sampled, state._counts):
            one.count = count

    def reset(self) -> None:
        """Back to the start, with the inputs of the model."""
        super().reset()
        for one in self._sampled:
            one.count = 0

    def copy(self) -> "Simulation":
        """A simulation of its own at the same state, with the same controllers."""
        made = Simulation.__new__(Simulation)
        _sarrus.Stepped.__init__(made, self)
        made._take_sampled(self._sampled_state())
        return made

    def _sampled_state(self) -> List[Tuple[float, float, Any, int]]:
        return [(one.start, one.period, one.call, one.count) for one in self._sampled]

    def _take_sampled(self, given: List[Tuple[float, float, Any, int]]) -> None:
        self._sampled = []
        for start, period, call, count in given:
            self._sampled.append(Sampled(start, period, call))
            self._sampled[-1].count = count

    def __copy__(self) -> "Simulation":
        return self.copy()

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Simulation":
        return self.copy()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _made_again, (self.model.source(), self._settings, _sarrus.Stepped.save(self),
                             self._sampled_state())

    def __repr__(self) -> str:
        return f"<sarrus.Simulation '{self.model.name}' at {self.time:g} s>"


def _made_again(source: Any, settings: Dict[str, Any], state: "_sarrus.SimulationState",
                sampled: List[Any]) -> Simulation:
    made = Simulation.__new__(Simulation)
    _sarrus.Stepped.__init__(made, _sarrus.compiled(*source), **settings)
    _sarrus.Stepped.restore(made, state)
    made._take_sampled(sampled)
    return made
