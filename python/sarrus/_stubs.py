"""Writes the types of the methods that Model has from the grammar: python -m sarrus._stubs FILE"""
from __future__ import annotations

import sys

from ._grammar import LISTS, TABLES, TOP, annotation, describe, leading_key, python_name

HEAD = '''# Made from the grammar of model files by sarrus/_stubs.py.
from typing import Any, Literal, Optional, Sequence, Union

from ._tree import Element
from ._types import Axis, Number, Numbers, Path, Rows, Table

class Builders:
'''


def method(name: str, table: str) -> str:
    first, lines, is_named = leading_key(table), [], False
    for key_name, key in TABLES[table]["keys"].items():
        own = python_name(key_name)
        if key_name == first:
            lines.append(f"        {own}: {annotation(key)},")
            continue
        if not is_named:
            lines.append("        *,")
            is_named = True
        lines.append(f"        {own}: Optional[{annotation(key)}] = ...,")
    return f"    def {python_name(name)}(\n        self,\n" + "\n".join(lines) + "\n    ) -> Element:\n" + doc(table)


def doc(table: str) -> str:
    lines = [TABLES[table]["help"].replace("`", "")]
    lines += [f"        {python_name(name)}: {describe(key)}" for name, key in TABLES[table]["keys"].items()]
    return '        """' + "\n".join(lines).replace("\\", "\\\\") + '\n        """\n        ...\n'


def stubs(own: "frozenset[str]") -> str:
    """For all keys at the top but those that Model defines itself."""
    text = HEAD
    for name, key in TOP.items():
        if name in own:
            continue
        text += method(name, LISTS[name]) if name in LISTS else f"    {python_name(name)}: Any\n"
    return text


if __name__ == "__main__":
    from .model import Model

    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(stubs(Model._own_keys))
