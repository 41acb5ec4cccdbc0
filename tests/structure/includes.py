#!/usr/bin/env python3
"""What the sources include.

    includes.py SOURCE_FOLDER

A module includes only itself and the modules before it in cmake/SarrusModules.cmake, and so do the
parts of a module that are listed there. A header is included once however often it is named, and needs
no headers of other libraries, because it is installed; the few that do serve .cpp files only, are not
installed, and no other header uses them. A folder holds at most 30 files.
"""
import pathlib
import re
import sys

INTERNAL = {"sarrus/core/json.hpp", "sarrus/core/json_fwd.hpp", "sarrus/results/result_json.hpp", "sarrus/results/run_json.hpp",
            "sarrus/numerics/eigen_maps.hpp", "sarrus/numerics/dense/svd.hpp", "sarrus/numerics/dense/qr.hpp",
            "sarrus/numerics/dense/eigenvalues.hpp", "sarrus/numerics/dense/triangular.hpp",
            "sarrus/integrators/implicit_step.hpp", "sarrus/integrators/radau.hpp",
            "sarrus/integrators/difference_jacobian.hpp", "sarrus/elastic/gram.hpp",
            "sarrus/elastic/solid_element.hpp", "sarrus/elastic/solid_field.hpp", "sarrus/elastic/solid_matrices.hpp",
            "sarrus/elastic/solid_reduction.hpp", "sarrus/files/mesh/mesh_text.hpp"}  # left out of the installation by cmake/SarrusInstall.cmake
OTHERS = {"Eigen", "fmt", "nlohmann", "toml++", "CLI", "cvode", "sundials", "nvector", "sunmatrix"}
OTHERS_FILES = {"hdf5.h"}

root = pathlib.Path(sys.argv[1])
listed = (root / "cmake/SarrusModules.cmake").read_text()
modules = re.search(r"set\(SARRUS_MODULES([^)]*)\)", listed).group(1).split()
parts = {m: p.split() for m, p in re.findall(r"set\(SARRUS_PARTS_(\w+)([^)]*)\)", listed)}
# every place in which files may stand, in order: "files/text", "files/mesh", "files/."
order = []
for module in modules:
    own = parts.get(module, [])
    order += [f"{module}/{part}" for part in ([] if "." in own else ["."]) + own]


def place_of(name):
    """Where a file stands in the order: "sarrus/files/text/file.hpp" → "files/text"."""
    module, *inside = name.split("/")[1:-1]
    return f"{module}/{inside[0] if inside else '.'}"


folders = sorted({p.parent.relative_to(root) for p in (root / "sarrus").rglob("*.*") if p.parent.parent != root})
faults = [f"{f}: a folder that cmake/SarrusModules.cmake does not name" for f in folders
          if place_of(f"{f.as_posix()}/file") not in order]
most = 30
for folder in {p.parent for top in ("sarrus", "apps", "tests", "benchmarks", "viewer/src") for p in (root / top).rglob("*.*")}:
    count = sum(p.is_file() for p in folder.iterdir())
    if count > most:
        faults.append(f"{folder.relative_to(root)}: {count} files; over {most} of them are several rooms in one")
checked = 0

for path in sorted((root / "sarrus").rglob("*.[chi]pp")) + sorted((root / "sarrus").rglob("*.inl")):
    name = path.relative_to(root).as_posix()
    here = place_of(name)
    if here not in order:
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
            used = place_of(included)
            if used not in order or order.index(used) > order.index(here):
                faults.append(f"{place}: {here} may not include {used}, which stands after it")
            if is_public_header and (included in INTERNAL or included.endswith(".inl")):
                faults.append(f"{place}: {included} is not installed; only .cpp files may include it")
        elif is_public_header and (first in OTHERS or included in OTHERS_FILES):
            faults.append(f"{place}: a header that is installed may not include <{included}>")

print("\n".join(faults) or f"{checked} includes keep the order {' '.join(order)}")
sys.exit(bool(faults) or checked == 0)
