#!/usr/bin/env python3
"""A diagnostic is written with the names of its fields, so that no text is taken for another and none is empty.

    diagnostics.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

POSITIONAL = re.compile(
    r"(?<!-> )\bDiagnostic(?:\s+\w+)?\s*(?:=\s*)?\{\s*(?![\s.}])"         # Diagnostic{x, …}, Diagnostic d = {x, …}
    r"|\{\s*(?:[^{};=\"]*\?\s*)?(?:Severity::\w+|severity)\s*[,:]")  # {Severity::note, …}, {a ? Severity::note : …
RETURNS = re.compile(r"^Diagnostic (?:\w+::)*\w+\([^;{]*\{\n(.*?)^\}", re.M | re.S)
EMPTY = re.compile(r'\.(?:element|message|hint|value|limit) = ""|\.where = \{\}')


def without_comments(text):
    """The text with comments blanked out, line by line."""
    return re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*', lambda m: m.group(1) or "", text)


root = pathlib.Path(sys.argv[1])
faults, checked = [], 0
for folder in ("sarrus", "apps", "tests", "benchmarks"):
    for path in sorted(p for p in (root / folder).rglob("*") if p.suffix in (".cpp", ".hpp", ".inl")):
        text = without_comments(path.read_text())
        places = [m.start() for m in POSITIONAL.finditer(text) if not re.search(r"(?:struct|class)\s+$", text[:m.start()])]
        for body in RETURNS.finditer(text):
            places += [body.start(1) + m.start() for m in re.finditer(r"return \{\s*(?![\s.}])", body.group(1))]
        checked += text.count(".code =")
        name = path.relative_to(root).as_posix()
        faults += [f"{name}:{text.count(chr(10), 0, at) + 1}: name the fields: {{.code = …, .message = …}}" for at in sorted(set(places))]
        faults += [f"{name}:{text.count(chr(10), 0, m.start()) + 1}: leave out what is empty: {m.group()}"
                   for m in EMPTY.finditer(text)
                   if not re.search(r"\w$", text[:m.start()])]

print("\n".join(faults) or f"{checked} diagnostics with named fields")
sys.exit(bool(faults) or checked == 0)
