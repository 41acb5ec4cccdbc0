#!/usr/bin/env python3
"""Every promise of docs/reference/promises.md names tests that exist.

    promises.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs/reference/promises.md").read_text()
sources = "\n".join(path.read_text() for pattern in ("tests/**/*.cpp", "tests/**/CMakeLists.txt", "viewer/test/*.mjs")
                    for path in sorted(root.glob(pattern)))
faults, named = [], 0
for promise, tests in re.findall(r"^\| (.*[.!]) \| (.*) \|$", page, re.M):
    names = re.findall(r"`([^`]+)`", tests)
    named += len(names)
    faults += [f"no test for: {promise}"] if not names else []
    faults += [f"no test is called '{name}…', which is to hold: {promise}" for name in names if f'"{name}' not in sources]
print("\n".join(faults) or f"{named} tests hold the promises")
sys.exit(bool(faults) or named < 10)
