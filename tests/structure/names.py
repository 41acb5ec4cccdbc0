#!/usr/bin/env python3
"""Names in the anonymous namespaces of a module's tests differ.

    names.py SOURCE_FOLDER [MODULE…]     but for the modules whose files are compiled one by one

Test files of one module are handed to the compiler several at a time (docs/decisions/0025), where two helpers of one
name are one too many; which files are neighbours changes with every new file, so all files of a module are held
against each other, and against the headers of tests/ that any of them includes.
"""
import pathlib
import re
import sys

NAMED = re.compile(r"^(?:struct|class|enum|enum class)\s+(\w+)\b(?!\s*;)")
FUNCTION = re.compile(r"^(?![ \t#/})]|using\b|struct\b|class\b|enum\b|return\b|namespace\b|TEST_CASE|template\s*<[^>]*>\s*$)"
                      r"[\w:<>,&*\s\[\]]*?[\s&*>](\w+)\s*\(")
CONSTANT = re.compile(r"^(?:inline\s+|static\s+)*(?:constexpr|const)\s+[\w:<>]+(?:\s*[&*])?\s+(\w.*)")


def anonymous_parts(text):
    """What stands between `namespace {` and its closing line."""
    return re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", text, re.S | re.M)


def names(part):
    found = set()
    for line in re.sub(r"^template\s*<[^\n]*>\s*\n", "", part, flags=re.M).splitlines():
        if named := NAMED.match(line):
            found.add(named.group(1))
        elif (constant := CONSTANT.match(line)) and "(" not in constant.group(1).split("=")[0]:
            depth, start, pieces = 0, 0, []
            body = constant.group(1).partition("//")[0]
            for at, c in enumerate(body):
                depth += (c in "([{") - (c in ")]}")
                if c == "," and depth == 0:
                    pieces.append(body[start:at])
                    start = at + 1
            found |= {m.group() for piece in pieces + [body[start:]] if (m := re.match(r"\w+", piece.strip()))}
        elif function := FUNCTION.match(line):
            found.add(function.group(1))
    return found


def shared_names(header):
    """Names that a header of the tests gives."""
    parts = re.findall(r"^namespace sarrus::testing \{\n(.*?)^\}  // namespace sarrus::testing$", header.read_text(), re.S | re.M)
    return {name for part in parts for name in names(part)}


def included(path, seen):
    """Headers of the tests that a file includes, and those that they include."""
    for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
        for header in (path.parent / name, root / name):
            if header.is_file() and header not in seen:
                seen.add(header)
                included(header, seen)
    return seen


root = pathlib.Path(sys.argv[1]) / "tests"
apart = ["fuzz", "install", *sys.argv[2:]]
faults, read = [], 0
for folder in sorted(path for path in root.iterdir() if path.is_dir() and path.name not in apart):
    sources = sorted(folder.glob("*.cpp"))
    where = {name: header for source in sources for header in included(source, set()) for name in shared_names(header)}
    for source in sources:
        for name in {name for part in anonymous_parts(source.read_text()) for name in names(part)}:
            read += 1
            if name in where:
                faults.append(f"{source.relative_to(root)}: '{name}' is a name of {where[name].relative_to(root)} too; "
                              "call it after what it does here")
            where.setdefault(name, source)

print("\n".join(sorted(faults)) or f"{read} names, each once in its module")
sys.exit(bool(faults) or read == 0)
