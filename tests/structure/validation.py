#!/usr/bin/env python3
"""A model is validated once on its way to a result.

    validation.py SOURCE_FOLDER

validate() is asked by ValidModel alone. The program reads a ValidModel and compiles that: `compile(*model)` would take
the plain Model inside, and validate it again.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
ASKS = re.compile(r"(?<![\w:])validate\(")
DECLARED = re.compile(r"\bvoid validate\(")
AGAIN = re.compile(r"(?<![\w.])compile\((?:\*|[\w.>-]*\.model\(\))|\bcompile\(sarrus::read_model")

faults = []
for folder in ("sarrus", "apps"):
    for path in sorted((root / folder).rglob("*.[hc]pp")):
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if ASKS.search(code) and not DECLARED.search(code) and name != "sarrus/model/valid_model.hpp":
                faults.append(f"{name}:{number}: validates by itself; make a ValidModel")
            if folder == "apps" and AGAIN.search(code):
                faults.append(f"{name}:{number}: compiles the plain Model, which is validated again; compile the ValidModel")
if not (root / "sarrus/model/valid_model.hpp").read_text().count("validate(") >= 1:
    faults.append("sarrus/model/valid_model.hpp: does not validate")
print("\n".join(faults) or "one place validates")
sys.exit(bool(faults))
