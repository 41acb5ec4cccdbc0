#!/usr/bin/env python3
"""Every header of a module compiles alone: whoever includes it needs to include nothing before it.

    headers.py SOURCE_FOLDER BUILD_FOLDER COMPILER MODULE

A header that some .cpp file includes before anything else is shown to do so by the build, and one that
another header includes before anything else by that header. The others are compiled here. Those that
include the same headers go together, once in each order: one that leans on a neighbour then comes
before it in one of the two. What has passed is remembered in the build folder by its content and that
of all it includes, so that only the first run takes time.
"""
import hashlib
import pathlib
import re
import subprocess
import sys

root, build, compiler, module = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
passed_file = build / "headers_that_compile_alone" / f"{module}.txt"
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-maybe-uninitialized",
         f"-I{root}", f"-I{build / 'generated'}", "-isystem", "/usr/include/eigen3"]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+[<"]([^>"]+)[>"]', re.M)


def includes(path):
    return INCLUDE.findall(path.read_text())


def fingerprint(path, seen=None):
    """Of the header and of everything of ours that it includes."""
    seen = set() if seen is None else seen
    digest = hashlib.sha256(path.read_bytes())
    for name in includes(path):
        further = root / name
        if name.startswith("sarrus/") and further.exists() and name not in seen:
            seen.add(name)
            digest.update(fingerprint(further, seen).encode())
    return digest.hexdigest()


def compiles(names):
    """What the compiler says of these headers, one after the other; empty where they pass."""
    text = "".join(f'#include "{name}"\n' for name in names)
    run = subprocess.run([compiler, *FLAGS, "-x", "c++", "-"], input=text, text=True, capture_output=True)
    return run.stderr if run.returncode else ""


def check(group):
    """The headers of the group that do not compile alone, with the compiler's words."""
    if len(group) > 2 and not compiles(group) and not compiles(group[::-1]):
        return {}
    return {name: words for name in group if (words := compiles([name]))}


headers = sorted(p.relative_to(root).as_posix() for p in (root / "sarrus" / module).rglob("*.hpp"))
files = [path for folder in ("sarrus", "tests") for path in (root / folder).rglob("*.[ch]pp")]
shown = {first[0] for first in map(includes, files) if first}
marks = {name: f"{fingerprint(root / name)} {name}" for name in headers if name not in shown}
passed = set(passed_file.read_text().splitlines()) if passed_file.exists() else set()
todo = [name for name, mark in marks.items() if mark not in passed]

groups = {}
for name in todo:
    groups.setdefault(frozenset(includes(root / name)), []).append(name)
faults = {}
for group in groups.values():
    faults |= check(group)
for name, words in faults.items():
    print(f"{name} does not compile alone:\n{words}")

passed |= {marks[name] for name in todo if name not in faults}
passed_file.parent.mkdir(exist_ok=True)
passed_file.write_text("\n".join(sorted(passed & set(marks.values()))) + "\n")
print(f"{len(headers)} headers: {len(headers) - len(marks)} shown by others, {len(todo)} compiled now, "
      f"{len(faults)} faults")
sys.exit(bool(faults) or not headers)
