"""What a model may hold, from the grammar that the reader of model files uses."""
from __future__ import annotations

from keyword import iskeyword
from typing import Any, Dict

from . import _sarrus

TABLES: Dict[str, Dict[str, Any]] = _sarrus.grammar()
TOP: Dict[str, Dict[str, Any]] = TABLES["model"]["keys"]
LISTS: Dict[str, str] = {name: key["table"] for name, key in TOP.items() if key["kind"] == "tables"}

# what Python takes for each kind of value; the names are those of sarrus._types
ANNOTATIONS = {
    "integer": "int",
    "number": "Number",
    "boolean": "bool",
    "text": "str",
    "name": "str",
    "reference": "str",
    "choice": "str",
    "file": "Path",
    "column": "Union[str, int]",
    "axis": "Axis",
    "vector": "Numbers",
    "numbers": "Union[Number, Numbers]",
    "pair": "Numbers",
    "quaternion": "Numbers",
    "matrix": "Rows",
    "transform": "Rows",
    "inertia": "Union[Numbers, Rows]",
    "points": "Rows",
    "rows": "Rows",
    "words": "Sequence[str]",
    "formula": "Number",
    "formulas": "Union[Number, Numbers]",
    "vector_formula": "Numbers",
    "start": "Union[Number, Numbers, Table]",
    "table": "Table",
    "tables": "Sequence[Table]",
    "numbers_by_name": "Table",
    "formulas_by_name": "Table",
    "indices": "Table",
}


def python_name(key: str) -> str:
    """`from` is a word of Python's own: there it is from_."""
    return key + "_" if iskeyword(key) else key


def key_name(name: str, table: str) -> str:
    """The key that a Python name means."""
    keys = TABLES[table]["keys"]
    return name[:-1] if name not in keys and name.endswith("_") and name[:-1] in keys else name


def annotation(key: Dict[str, Any]) -> str:
    if key["kind"] == "choice":
        return "Literal[" + ", ".join(repr(word) for word in key["words"]) + "]"
    return ANNOTATIONS[key["kind"]]


def describe(key: Dict[str, Any]) -> str:
    """Help, unit and default of a key, in one line."""
    text = str(key["help"])
    if key["kind"] == "choice":
        text += " One of " + ", ".join(repr(word) for word in key["words"]) + "."
    elif key["table"]:
        text += f" A table of kind {key['table']}: " + ", ".join(TABLES[key["table"]]["keys"]) + "."
    if key["unit"]:
        text += f" Unit: {key['unit']}."
    if key["fallback"]:
        text += f" Default: {key['fallback']}."
    return text.replace("`", "")


def documentation(table: str, first: str = "") -> str:
    """The text of help() for what makes an element of this table."""
    lines = [first or TABLES[table]["help"].replace("`", ""), ""]
    for name, key in TABLES[table]["keys"].items():
        lines.append(f"{python_name(name)}: {describe(key)}")
    return "\n".join(lines)


def leading_key(table: str) -> str:
    """The key that may be given without its name: body("arm", …), include("leg.toml", …)."""
    name, key = next(iter(TABLES[table]["keys"].items()))
    return str(name) if key["required"] else ""
