#!/usr/bin/env python3
"""The page of faults and the tests know each other.

    faults.py SOURCE_FOLDER

A code in the name of a test (M06, R08) is a row of docs/reference/faults.md, every row of that page is tried by a
test that has its code in its name, and the words that the page gives for machines (`unknown-key`) are words of the
sources.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
CODE = r"[A-Z]\d\d"
# where tests have their names: doctest, the viewer's steps, CMake, the first line of what a test of Python says of itself
NAMES = {"tests/**/*.cpp": r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', "viewer/test/*.mjs": r'step\("((?:[^"\\]|\\.)*)"',
         "tests/**/CMakeLists.txt": r'_(?:check|test)\([^"]*"([^"]*)"',
         "tests/python/test_*.py": r'def test_\w+\([^)]*\):\n    """([^"]*)"""'}

page = (root / "docs/reference/faults.md").read_text()
rows = {}
for code, given, answer in re.findall(rf"^\| ({CODE}) \| (.*) \| (.*) \|$", page, re.M):
    rows.setdefault(code, []).append(answer)

faults, tried = [], {}
for files, pattern in NAMES.items():
    for path in sorted(root.glob(files)):
        text = path.read_text()
        for found in re.finditer(pattern, text):
            place = f"{path.relative_to(root)}:{text.count(chr(10), 0, found.start()) + 1}"
            head = re.match(rf"((?:{CODE}, )*{CODE}): ", found.group(1))
            for code in head.group(1).split(", ") if head else []:
                tried.setdefault(code, []).append(place)
                if code not in rows:
                    faults.append(f"{place}: {code} is no row of docs/reference/faults.md")
faults += [f"docs/reference/faults.md: no test has {code} in its name" for code in rows if code not in tried]

sources = "\n".join(p.read_text() for top in ("sarrus", "apps") for p in sorted((root / top).rglob("*.[ch]pp")))
for code, answers in rows.items():
    for word in re.findall(r"`([a-z]+(?:-[a-z0-9]+)*)`", " ".join(answers)):
        if f'"{word}"' not in sources:
            faults.append(f"docs/reference/faults.md: {code}: '{word}' is no word of the sources")

print("\n".join(faults) or f"{len(rows)} rows, tried by {sum(map(len, tried.values()))} tests")
sys.exit(bool(faults) or not rows)
