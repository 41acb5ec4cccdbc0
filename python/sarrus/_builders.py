"""A method of Model for every list of elements in the grammar, with its keys as keywords."""
from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, List, Type

from ._grammar import LISTS, TABLES, TOP, annotation, documentation, leading_key, python_name
from ._tree import Element, caller, element_of, refuse


def signature(table: str, extra: List[inspect.Parameter]) -> inspect.Signature:
    first = leading_key(table)
    parameters = list(extra)
    for name, key in TABLES[table]["keys"].items():
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if name == first else inspect.Parameter.KEYWORD_ONLY
        default = inspect.Parameter.empty if name == first else None
        text = annotation(key)
        parameters.append(inspect.Parameter(
            python_name(name), kind, default=default,
            annotation=text if name == first else f"Optional[{text}]"))
    return inspect.Signature(parameters, return_annotation="Element")


def adder(key: str, table: str) -> Callable[..., Element]:
    """model.body("arm", mass=2)"""
    first = leading_key(table)

    def add(self: Any, *named: Any, **values: Any) -> Element:
        place = caller()
        if len(named) > (1 if first else 0):
            refuse("wrong-shape", place, table,
                   f"{key} takes {'one value' if first else 'no value'} without its key, not {len(named)}",
                   f"write {key}({first}, key=value, …)" if first else f"write {key}(key=value, …)")
        if named:
            if first in values:
                raise TypeError(f"{key}() has '{first}' twice: {named[0]!r} and {values[first]!r}")
            values = {first: named[0], **values}
        root = self._root()
        before = root._values.get(key, ())
        element = element_of({k: v for k, v in values.items() if v is not None}, table, root._version,
                             place, f"{table}[{len(before) + 1}]")
        root._values[key] = before + (element,)
        root._places.setdefault(key, place)
        root._version.n += 1
        return element

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    add.__name__ = add.__qualname__ = python_name(key)
    add.__doc__ = documentation(table)
    add.__signature__ = signature(table, [own])  # type: ignore[attr-defined]
    return add


def plain_key(name: str, key: Dict[str, Any]) -> property:
    """model.gravity, model.units"""

    def read(self: Any) -> Any:
        return self._root()._values.get(name)

    def write(self: Any, value: Any) -> None:
        self._root()._put(name, value, caller())

    return property(read, write, doc=documentation(key["table"]) if key["table"] else key["help"])


def add_builders(model: Type[Any]) -> None:
    """What the class defines itself stays: `simulate` runs the model, `settings` is its table."""
    model._own_keys = frozenset(name for name in TOP if name in vars(model))
    for name, key in TOP.items():
        if name in model._own_keys:
            continue
        made: Any = adder(name, LISTS[name]) if name in LISTS else plain_key(name, key)
        setattr(model, python_name(name), made)
