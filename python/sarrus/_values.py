"""Values of a model: what Python gives, as what a model file would hold."""
from __future__ import annotations

import math
import os
import re
from typing import Any, Callable, Dict, Mapping, Tuple

UNITS = {"meter": "m", "metre": "m", "kilogram": "kg", "second": "s", "radian": "rad",
         "ampere": "A", "kelvin": "K"}


class Refused(Exception):
    """What is wrong with a value, in words."""


def unit_word(units: str) -> str:
    """"kilogram * meter / second ** 2" as "kg.m/s^2"."""
    if units in ("", "dimensionless"):
        return ""
    word = ""
    for sign, name, power in re.findall(r"([*/]?)\s*([A-Za-z_]+|1)(?:\s*\*\*\s*(-?\d+))?", units):
        if name == "1":
            word = "1"
            continue
        if name not in UNITS:
            raise Refused(f"the unit '{name}' is none of the base units of SI")
        joint = "" if not word else "/" if sign == "/" else "."
        word += joint + UNITS[name] + (f"^{power}" if power else "")
    return word


def number(value: Any) -> Any:
    """A finite number of Python's own."""
    if isinstance(value, (bool, int)):
        return value
    value = float(value)
    if not math.isfinite(value):
        raise Refused(f"{value} is not a finite number")
    return value


def plain(value: Any) -> Any:
    """Numbers, texts, truth values, and tuples of them."""
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return number(value)
    if hasattr(value, "to_base_units"):
        return quantity(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # numpy, with its numbers
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if hasattr(value, "__iter__"):
        return tuple(plain(one) for one in value)
    if hasattr(value, "__index__"):
        return value.__index__()
    if hasattr(value, "__float__"):
        return number(value)
    raise Refused(f"{value!r} is neither a number, a text, a list nor a table")


def quantity(value: Any) -> Any:
    """A quantity with a unit as "2.5 kg.m/s^2", one for each number in it."""
    base = value.to_base_units()
    word = unit_word(str(base.units))
    magnitude = base.magnitude
    if hasattr(magnitude, "tolist"):
        magnitude = magnitude.tolist()

    def each(one: Any) -> Any:
        if isinstance(one, (list, tuple)):
            return tuple(each(part) for part in one)
        return f"{number(one)!r} {word}" if word else number(one)

    return each(magnitude)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)


def is_list(value: Any, length: Tuple[int, ...] = ()) -> bool:
    return isinstance(value, tuple) and (not length or len(value) in length)


CHECKS: Dict[str, Callable[[Any], bool]] = {
    "integer": lambda v: isinstance(v, (int, str)) and not isinstance(v, bool),
    "number": is_number,
    "formula": is_number,
    "boolean": lambda v: isinstance(v, bool),
    "text": lambda v: isinstance(v, str),
    "name": lambda v: isinstance(v, str),
    "reference": lambda v: isinstance(v, str),
    "choice": lambda v: isinstance(v, str),
    "file": lambda v: isinstance(v, str),
    "axis": lambda v: isinstance(v, str) or is_list(v, (3,)),
    "vector": lambda v: is_list(v, (3,)),
    "vector_formula": lambda v: is_list(v, (3,)),
    "pair": lambda v: is_list(v, (2,)),
    "quaternion": lambda v: is_list(v, (4,)),
    "matrix": lambda v: is_list(v, (3,)),
    "transform": lambda v: is_list(v, (4,)),
    "inertia": lambda v: is_list(v, (3, 6)),
    "points": lambda v: is_list(v),
    "words": lambda v: is_list(v),
    "numbers": lambda v: is_number(v) or is_list(v),
    "formulas": lambda v: is_number(v) or is_list(v),
}
"""Whether a value has the shape of its kind; what is in it the reader judges."""


def toml(value: Any) -> str:
    """A value as TOML, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(key)} = {toml(one)}" for key, one in value.items())
        return "{ " + inside + " }" if inside else "{}"
    return "[" + ", ".join(toml(one) for one in value) + "]"


def toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_text(key)


def toml_text(text: str) -> str:
    import json

    # JSON escapes the same characters, but for the one that TOML forbids and JSON allows
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
