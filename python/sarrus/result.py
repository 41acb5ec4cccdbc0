"""Rows of runs, computed here or read from a folder."""
from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Union

from . import _sarrus

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[numpy.float64]


class Result:
    """Rows of a run under named columns: result["tip.x"] and result.time are views of them, which
    nobody copied and nobody can change."""

    def __init__(self, rows: "_sarrus.Rows") -> None:
        self._rows = rows

    def __getitem__(self, column: str) -> "Array":
        return self._rows[column]

    def __contains__(self, column: str) -> bool:
        return column in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def time(self) -> "Array":
        """[s]"""
        return self._rows["time"]

    @property
    def values(self) -> "Array":
        """All rows, as one view."""
        return self._rows.values

    @property
    def columns(self) -> List[str]:
        """Their names."""
        return self._rows.columns

    @property
    def units(self) -> Dict[str, str]:
        """The unit of each column; "1" for a plain number."""
        return self._rows.units

    @property
    def name(self) -> str:
        """Of the model."""
        return self._rows.name

    @property
    def status(self) -> str:
        """"done", "stopped by an event", "interrupted", …; "unfinished" while a run goes on."""
        return self._rows.status

    @property
    def summary(self) -> Dict[str, Any]:
        """What `sarrus run` says at the end: steps, energies, events, what was conserved. Empty while
        the run goes on."""
        import json

        found: Dict[str, Any] = json.loads(self._rows.summary)
        return found

    @property
    def steps(self) -> int:
        """Steps that were taken."""
        return int(self.summary.get("steps", 0))

    @property
    def energy_gap(self) -> float:
        """How far the account of energy is from closing, at most [J]."""
        return float(self.summary.get("energy", {}).get("closure", float("nan")))

    @property
    def events(self) -> Dict[str, List[float]]:
        """When the events of the model took place [s]."""
        found: Dict[str, List[float]] = {}
        for event in self.summary.get("events", []):
            found.setdefault(event["name"], []).append(event["t"])
        return found

    @property
    def notes(self) -> "List[_sarrus.Diagnostic]":
        """Warnings and notes of the run."""
        return self._rows.notes

    def table(self) -> Any:
        """The rows as a pandas frame, indexed by time."""
        import pandas

        return pandas.DataFrame(self.values, columns=self.columns).set_index("time")

    def plot(self, *columns: str, axes: Any = None) -> Any:
        """Draws columns over time with matplotlib; returns the axes."""
        from matplotlib import pyplot

        if not columns:
            raise ValueError(f"plot takes names of columns: {', '.join(self.columns[1:9])}, …")
        drawn = [(name, self[name]) for name in columns]  # a name with a typo draws nothing
        axes = axes if axes is not None else pyplot.gca()
        units = self.units
        for name, values in drawn:
            axes.plot(self.time, values, label=name if units[name] == "1" else f"{name} [{units[name]}]")
        axes.set_xlabel("time [s]")
        axes.legend()
        return axes

    def save(self, folder: "Union[str, os.PathLike[str]]", replace: bool = False) -> None:
        """Writes the folder that `sarrus run` would have left, for `sarrus report`, `export`, `view`."""
        self._rows.save(os.fspath(folder), replace)

    def report(self, path: "Union[str, os.PathLike[str]]", replace: bool = False) -> None:
        """Writes the interactive page, one file that any browser shows."""
        self._rows.report(os.fspath(path), replace)

    def __repr__(self) -> str:
        end = f"{self.time[-1]:g}" if len(self) else "0"
        state = "" if self.status.startswith(("done", "stopped")) else f", {self.status}"
        return f"<sarrus.Result: {len(self)} rows to {end} s, {len(self.columns)} columns{state}>"

    def _repr_html_(self) -> str:
        from ._html import result_html

        return result_html(self)


def read(path: "Union[str, os.PathLike[str]]") -> Result:
    """Rows of a run of the command line, by its folder or result file. While the run goes on: those
    that it has written so far; read again for more."""
    return Result(_sarrus.read(os.fspath(path)))


class Progress:
    """A bar in a terminal or a notebook, for runs that take longer than a second."""

    @staticmethod
    def chosen(wish: Union[bool, Callable[[float], None], None], model: Any,
               settings: Mapping[str, Any]) -> Optional[Callable[[float], None]]:
        if callable(wish):
            return wish
        in_notebook = "ipykernel" in sys.modules
        if wish is None:
            wish = in_notebook or (sys.stderr is not None and sys.stderr.isatty())
        if not wish:
            return None
        ends = [settings.get("start"), settings.get("until")]
        return Progress(ends, in_notebook)

    def __init__(self, ends: List[Any], in_notebook: bool) -> None:
        start = ends[0] if isinstance(ends[0], (int, float)) else 0.0
        self._start, self._until = start, ends[1] if isinstance(ends[1], (int, float)) else None
        self._began = time.monotonic()
        self._in_notebook, self._shown = in_notebook, False
        self._display: Any = None

    def __call__(self, t: float) -> None:
        if time.monotonic() - self._began < 1:
            return
        text = f"{t:10.4g} s"
        if self._until is not None and self._until > self._start:
            share = min(1.0, (t - self._start) / (self._until - self._start))
            text = f"{'█' * int(30 * share):░<30} {100 * share:3.0f} % {text}"
        if self._in_notebook:
            from IPython.display import HTML, display

            if self._display is None:
                self._display = display(HTML(""), display_id=True)
            self._display.update(HTML(f"<pre>{text}</pre>"))
        else:
            sys.stderr.write("\r" + text)
            sys.stderr.flush()
        self._shown = True

    def finish(self) -> None:
        if self._shown and self._in_notebook:
            from IPython.display import HTML

            self._display.update(HTML(""))
        elif self._shown:
            sys.stderr.write("\r" + " " * 60 + "\r")
            sys.stderr.flush()
