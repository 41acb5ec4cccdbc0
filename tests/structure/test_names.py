#!/usr/bin/env python3
"""Names of tests reach ctest whole: a ';' would split one into two that run nothing, and pass.

    test_names.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
names = []
for path in sorted((root / "tests").rglob("*.cpp")):
    text = path.read_text()
    for found in re.finditer(r'TEST_CASE(?:_TEMPLATE)?\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', text):
        names.append((path, text.count("\n", 0, found.start()) + 1, found.group(1)))
for path in sorted((root / "tests").rglob("CMakeLists.txt")):
    for found in re.finditer(r'(?:_check|_test)\(\s*"([^"]*)"', path.read_text()):
        names.append((path, 0, found.group(1)))
wrong = [f"{path.relative_to(root)}:{line}: {name.strip()}" for path, line, name in names if ";" in name]
print("\n".join(wrong) or f"{len(names)} names")
sys.exit(bool(wrong) or len(names) < 700)
