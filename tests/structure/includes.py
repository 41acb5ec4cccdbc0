#!/usr/bin/env python3
"""A module includes only itself and the modules before it in cmake/SarrusModules.cmake.

    includes.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
listed = re.search(r"set\(SARRUS_MODULES([^)]*)\)", (root / "cmake/SarrusModules.cmake").read_text())
order = listed.group(1).split()
folders = sorted(p.name for p in (root / "sarrus").iterdir() if p.is_dir())
faults = [f"sarrus/{f}: a folder that the list of modules does not name" for f in folders if f not in order]
checked = 0
for path in sorted((root / "sarrus").rglob("*.[chi]pp")) + sorted((root / "sarrus").rglob("*.inl")):
    module = path.relative_to(root / "sarrus").parts[0]
    if module not in order:
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#include\s+[<"]sarrus/(\w+)/', line)
        if not found:
            continue
        checked += 1
        used = found.group(1)
        if used not in order or order.index(used) > order.index(module):
            faults.append(f"{path.relative_to(root)}:{number}: {module} may not include {used}, which stands after it")
print("\n".join(faults) or f"{checked} includes keep the order {' '.join(order)}")
sys.exit(bool(faults) or checked == 0)
