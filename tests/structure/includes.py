#!/usr/bin/env python3
"""What the sources include.

    includes.py SOURCE_FOLDER

A module includes only itself and the modules before it in cmake/SarrusModules.cmake. A header is
included once however often it is named, and needs no headers of other libraries, because it is
installed; the few that do serve .cpp files only, are not installed, and no other header uses them.
"""
import pathlib
import re
import sys

INTERNAL = {"sarrus/io/result_json.hpp", "sarrus/numerics/eigen_maps.hpp",
            "sarrus/integrators/implicit_step.hpp", "sarrus/elastic/gram.hpp",
            "sarrus/elastic/solid_element.hpp", "sarrus/elastic/solid_field.hpp", "sarrus/elastic/solid_matrices.hpp",
            "sarrus/elastic/solid_reduction.hpp", "sarrus/io/mesh_text.hpp"}  # left out of the installation by cmake/SarrusInstall.cmake
OTHERS = {"Eigen", "fmt", "nlohmann", "toml++", "CLI", "cvode", "sundials", "nvector", "sunmatrix"}
OTHERS_FILES = {"hdf5.h"}

root = pathlib.Path(sys.argv[1])
listed = re.search(r"set\(SARRUS_MODULES([^)]*)\)", (root / "cmake/SarrusModules.cmake").read_text())
order = listed.group(1).split()
folders = sorted(p.name for p in (root / "sarrus").iterdir() if p.is_dir())
faults = [f"sarrus/{f}: a folder that the list of modules does not name" for f in folders if f not in order]
checked = 0

for path in sorted((root / "sarrus").rglob("*.[chi]pp")) + sorted((root / "sarrus").rglob("*.inl")):
    name = path.relative_to(root).as_posix()
    module = name.split("/")[1]
    if module not in order:
        continue
    text = path.read_text()
    is_public_header = path.suffix == ".hpp" and name not in INTERNAL
    if path.suffix == ".hpp" and not re.search(r"^#pragma once$", text, re.M):
        faults.append(f"{name}:1: a header without #pragma once")
    for found in re.finditer(r'^[ \t]*#[ \t]*include[ \t]+[<"]([^>"]+)[>"]', text, re.M):
        checked += 1
        place = f"{name}:{text.count(chr(10), 0, found.start()) + 1}"
        included = found.group(1)
        first, _, rest = included.partition("/")
        if first == "sarrus":
            used = rest.split("/")[0]
            if used not in order or order.index(used) > order.index(module):
                faults.append(f"{place}: {module} may not include {used}, which stands after it")
            if is_public_header and (included in INTERNAL or included.endswith(".inl")):
                faults.append(f"{place}: {included} is not installed; only .cpp files may include it")
        elif is_public_header and (first in OTHERS or included in OTHERS_FILES):
            faults.append(f"{place}: a header that is installed may not include <{included}>")

print("\n".join(faults) or f"{checked} includes keep the order {' '.join(order)}")
sys.exit(bool(faults) or checked == 0)
