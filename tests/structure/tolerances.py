#!/usr/bin/env python3
"""How close the tests ask numbers to be.

    tolerances.py SOURCE_FOLDER

doctest's Approx takes any two numbers far below 1 for equal; tests say `near` or `within` instead
(tests/near.hpp).
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
faults, checked = [], 0
for path in sorted((root / "tests").rglob("*.[ch]pp")):
    name = path.relative_to(root).as_posix()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code, _, _ = line.partition("//")
        checked += len(re.findall(r"\b(?:near|within)\(", code))
        if re.search(r"\bApprox\b", code):
            faults.append(f"{name}:{number}: Approx takes small numbers for equal; near or within of tests/near.hpp do not")

print("\n".join(faults) or f"{checked} comparisons of near and within")
sys.exit(bool(faults) or checked == 0)
