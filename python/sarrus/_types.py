"""Types of values in a model, for annotations."""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Sequence, Union

try:
    from typing import Protocol
except ImportError:  # Python 3.7
    Protocol = object  # type: ignore[assignment]


class Quantity(Protocol):
    """A number with a unit, as pint and others have it."""

    def to_base_units(self) -> Any: ...


Number = Union[float, str, Quantity]
"""A number in SI (or the model's own units), "30 deg", an expression of parameters, or a quantity."""
Numbers = Any
"""A list, tuple or array of numbers."""
Rows = Any
"""Rows of numbers."""
Axis = Any
""""x", "y", "z", "-x", … or three numbers."""
Table = Mapping[str, Any]
Path = Union[str, "os.PathLike[str]"]

__all__ = ["Any", "Axis", "Callable", "Mapping", "Number", "Numbers", "Path", "Quantity", "Rows",
           "Sequence", "Table", "Union"]
