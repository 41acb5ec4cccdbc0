"""A model as a tree of tables in the shape of the grammar, each value with the line that made it."""
from __future__ import annotations

import json
import os
import sys
from typing import Any, Dict, Iterator, List, Mapping, MutableMapping, Optional, Tuple, Union

from . import _sarrus
from ._grammar import TABLES, key_name, python_name
from ._values import CHECKS, Refused, plain, toml, toml_key

Place = Tuple[str, int, int]
"""File, line, column; the last is 0 for Python."""

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def caller() -> Place:
    """The line outside this package that is being run."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno, 0)


def refuse(code: str, place: Place, element: str, message: str, hint: str = "") -> None:
    _sarrus.raise_model_error([_sarrus.Diagnostic(code, place[0], place[1], element, message, hint)])


class Version:
    """Counts changes, so that a model knows when to be read again."""

    __slots__ = ("n",)

    def __init__(self) -> None:
        self.n = 0


class Element:
    """A part of a model: `model["arm"]`, or a table inside one. Keys are attributes:

        arm = model["arm"]
        arm.mass = 2
        arm.com = (0, 0, "-L")
        del arm.inertia

    A key that was not given is None. Words that Python keeps for itself end in _: spring.from_.
    """

    __slots__ = ("_table", "_values", "_places", "_place", "_version", "_path")

    _table: Optional[str]
    _values: Dict[str, Any]
    _places: Dict[str, Place]
    _place: Place
    _version: Version
    _path: str

    def __init__(self, table: Optional[str], version: Version, place: Place, path: str) -> None:
        own = object.__setattr__  # attributes are keys
        own(self, "_table", table)
        own(self, "_values", {})
        own(self, "_places", {})
        own(self, "_place", place)
        own(self, "_version", version)
        own(self, "_path", path)

    # ── reading ──

    def _key(self, name: str) -> str:
        return name if self._table is None else key_name(name, self._table)

    def _known(self) -> List[str]:
        assert self._table is not None
        return [python_name(key) for key in TABLES[self._table]["keys"]]

    def __getattr__(self, name: str) -> Any:
        key = self._key(name)
        if key in self._values:
            return self._values[key]
        if self._table is not None and key in TABLES[self._table]["keys"]:
            return None
        known = self._known() if self._table is not None else list(self._values)
        raise AttributeError(f"{self._path} has no key '{name}'; {_sarrus.did_you_mean(name, known)}")

    def __getitem__(self, key: str) -> Any:
        try:
            return getattr(self, key)
        except AttributeError as unknown:
            raise KeyError(str(unknown)) from None

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._key(key) in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def keys(self) -> List[str]:
        """The keys that are given, as a file has them."""
        return list(self._values)

    def to_dict(self) -> Dict[str, Any]:
        """All that is given, as plain dicts and tuples."""
        return {key: _plain_copy(value) for key, value in self._values.items()}

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Element):
            return self.to_dict() == other.to_dict()
        if isinstance(other, Mapping):
            return bool(self.to_dict() == other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> List[str]:
        return self._known() if self._table is not None else list(self._values)

    def __repr__(self) -> str:
        inside = ", ".join(f"{key} = {toml(_plain_copy(value))}" for key, value in self._values.items()
                           if key != "name")
        return f"<{self._path}: {inside}>"

    # ── writing ──

    def __setattr__(self, name: str, value: Any) -> None:
        self._put(name, value, caller())

    def __setitem__(self, key: str, value: Any) -> None:
        self._put(key, value, caller())

    def __delattr__(self, name: str) -> None:
        key = self._key(name)
        if key not in self._values:
            raise AttributeError(f"{self._path}: '{name}' is not given")
        del self._values[key], self._places[key]
        self._version.n += 1

    def __delitem__(self, key: str) -> None:
        try:
            delattr(self, key)
        except AttributeError as absent:
            raise KeyError(str(absent)) from None

    def _put(self, name: str, value: Any, place: Place) -> None:
        """Nothing is changed where the value is refused."""
        key = self._key(name)
        grammar = self._grammar_of(key, name, place)
        if value is None:
            if self._values.pop(key, None) is not None:
                del self._places[key]
                self._version.n += 1
            return
        accepted = self._accepted(key, value, grammar, place)
        self._values[key] = accepted
        self._places[key] = place
        self._version.n += 1
        if key == "name" and self._table is not None and isinstance(accepted, str):
            object.__setattr__(self, "_path", f"{self._table}/{accepted}")

    def _grammar_of(self, key: str, name: str, place: Place) -> Dict[str, Any]:
        if self._table is None:
            return {"kind": "free", "holds": "a number"}
        keys = TABLES[self._table]["keys"]
        if key in keys:
            return dict(keys[key])
        for one in keys.values():
            if one["earlier"] and one["earlier"] == key:
                return dict(one)
        refuse("unknown-key", place, f"{self._path}/{name}", f"unknown key '{name}'",
               _sarrus.did_you_mean(name, self._known()))
        raise AssertionError

    def _accepted(self, key: str, value: Any, grammar: Dict[str, Any], place: Place) -> Any:
        kind, path = grammar["kind"], f"{self._path}/{key}"
        is_table = isinstance(value, (Mapping, Element))
        if kind == "table" or (kind == "start" and is_table):
            if not is_table:
                self._wrong(path, grammar, value, place)
            return element_of(value, grammar["table"], self._version, place, path)
        if kind in ("numbers_by_name", "formulas_by_name", "indices"):
            if not is_table:
                self._wrong(path, grammar, value, place)
            return element_of(value, None, self._version, place, path)
        if kind == "tables":
            if is_table or isinstance(value, str) or not hasattr(value, "__iter__"):
                self._wrong(path, grammar, value, place)
            return tuple(element_of(one, grammar["table"], self._version, place, f"{path}[{i + 1}]")
                         for i, one in enumerate(value))
        try:
            accepted = plain(value)
        except Refused as why:
            refuse("wrong-value", place, path, str(why))
        if kind in CHECKS and not CHECKS[kind](accepted):
            self._wrong(path, grammar, value, place)
        return accepted

    @staticmethod
    def _wrong(path: str, grammar: Dict[str, Any], value: Any, place: Place) -> None:
        holds = grammar["holds"].replace("`", "").replace("*", "")
        text = repr(value)
        text = text if len(text) <= 60 else text[:57] + "…"
        refuse("wrong-shape", place, path, f"expected {holds}, found {text}")


def element_of(given: Union[Mapping[str, Any], Element], table: Optional[str], version: Version,
               place: Place, path: str) -> Element:
    """A copy of what is given, checked against the grammar."""
    if not isinstance(given, (Mapping, Element)):
        refuse("wrong-shape", place, path, f"expected a table, found {given!r}")
    made = Element(table, version, place, path)
    for key in given:
        # an element that is copied keeps the lines that made it
        made._put(key, given._values[key] if isinstance(given, Element) else given[key],
                  given._places[key] if isinstance(given, Element) else place)
    return made


def element_from_file(node: Tuple[Any, int, int], table: Optional[str], version: Version, file: str,
                      path: str) -> Element:
    """The tree of a file that the reader has accepted."""
    values, line, column = node
    made = Element(table, version, (file, line, column), path)
    for key, child in values.items():
        grammar = TABLES[table]["keys"].get(key) if table is not None else None
        made._places[key] = (file, child[1], child[2])
        made._values[key] = _from_file(child, grammar, version, file, f"{path}/{key}")
    if table is not None and "name" in made._values:
        object.__setattr__(made, "_path", f"{table}/{made._values['name']}")
    return made


def _from_file(node: Tuple[Any, int, int], grammar: Optional[Dict[str, Any]], version: Version,
               file: str, path: str) -> Any:
    value = node[0]
    if isinstance(value, dict):
        inner = (grammar or {}).get("table") or None
        return element_from_file(node, inner, version, file, path)
    if isinstance(value, list):
        if grammar is not None and grammar["kind"] == "tables":
            return tuple(element_from_file(one, grammar["table"], version, file, f"{path}[{i + 1}]")
                         for i, one in enumerate(value))
        return tuple(_from_file(one, None, version, file, path) for one in value)
    return value


def _plain_copy(value: Any) -> Any:
    if isinstance(value, Element):
        return value.to_dict()
    if isinstance(value, tuple) and value and isinstance(value[0], Element):
        return tuple(one.to_dict() for one in value)
    return value


class Text:
    """JSON of a tree in which every key stands on a line of its own, and what each line comes from."""

    def __init__(self, root: Element) -> None:
        self._parts: List[str] = []
        self.origins: List[Place] = [root._place]
        self._table(root)
        self.text = "".join(self._parts)

    def _line(self, place: Place) -> None:
        self._parts.append("\n")
        self.origins.append(place)

    def _table(self, element: Element) -> None:
        self._parts.append("{")
        for i, (key, value) in enumerate(element._values.items()):
            if i:
                self._parts.append(",")
            self._line(element._places[key])
            self._parts.append(json.dumps(key) + ": ")
            self._value(value)
        self._parts.append("}")

    def _value(self, value: Any) -> None:
        if isinstance(value, Element):
            self._table(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], Element):
            self._parts.append("[")
            for i, one in enumerate(value):
                if i:
                    self._parts.append(",")
                self._line(one._place)
                self._table(one)
            self._parts.append("]")
        else:
            self._parts.append(json.dumps(value))


def toml_of(root: Element, lists: Mapping[str, str]) -> str:
    """The tree as a model file: plain keys, then [tables], then [[elements]]."""
    lines: List[str] = []
    for key, value in root._values.items():
        if not isinstance(value, Element) and key not in lists:
            lines.append(f"{toml_key(key)} = {toml(value)}")
    for key, value in root._values.items():
        if isinstance(value, Element):
            lines += ["", f"[{toml_key(key)}]"]
            lines += [f"{toml_key(k)} = {toml(_plain_copy(v))}" for k, v in value._values.items()]
    for key in lists:
        for element in root._values.get(key, ()):
            lines += ["", f"[[{toml_key(key)}]]"]
            lines += [f"{toml_key(k)} = {toml(_plain_copy(v))}" for k, v in element._values.items()]
    return "\n".join(lines) + "\n"


class Parameters(MutableMapping[str, Any]):
    """[parameters] of a model: reading gives numbers in SI, writing takes what a file takes."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def __getitem__(self, name: str) -> Any:
        tree = self._model._tree
        said = None if tree is None or tree.parameters is None else tree.parameters._values.get(name)
        if isinstance(said, (int, float)):
            return float(said)
        values = self._model.compiled.parameters
        if name in values:
            return values[name]
        raise KeyError(f"no parameter is called '{name}'; {_sarrus.did_you_mean(name, list(values))}")

    def __setitem__(self, name: str, value: Any) -> None:
        root: Element = self._model._root()
        if "parameters" not in root:
            root._put("parameters", {}, caller())
        root._values["parameters"]._put(name, value, caller())

    def __delitem__(self, name: str) -> None:
        root = self._model._root()
        if root.parameters is None or name not in root.parameters:
            raise KeyError(name)
        del root.parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.compiled.parameters)

    def __len__(self) -> int:
        return len(self._model.compiled.parameters)

    def __repr__(self) -> str:
        return repr(dict(self))
