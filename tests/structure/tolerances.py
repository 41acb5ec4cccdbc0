#!/usr/bin/env python3
"""How close the tests ask numbers to be, and why.

    tolerances.py SOURCE_FOLDER

doctest's Approx takes any two numbers far below 1 for equal; tests say `near` or `within` instead
(tests/near.hpp). A limit has a name, such as those of tests/tolerances.hpp, or its reason in a comment: at the end of
the check, above it, or above the run of checks that it stands in. A limit that one test uses several times needs its
reason once.
"""
import pathlib
import re
import sys

SMALL = re.compile(r"(?<![\w.])(?:\d+\.?\d*e-\d+|0?\.\d+)(?![\w.])")
CHECK = re.compile(r"\b(?:CHECK|REQUIRE)(?:_MESSAGE)?\(")
OPENS = re.compile(r"\s*(?:\}? ?else\b|for\b|if\b|CAPTURE|CHECK|REQUIRE|SUBCASE|\}\s*$)")  # lines of a run of checks
SCOPE = re.compile(r"^(?:TEST_CASE|template|inline|void|double|[A-Z]\w+ \w+\()", re.M)


def closing(text, at):
    """Where the bracket that opens at `at` closes."""
    depth, quoted = 0, False
    while at < len(text):
        c = text[at]
        if quoted:
            at += c == "\\"
            quoted = text[at] != '"'
        elif c == '"':
            quoted = True
        elif text.startswith("//", at):
            at = text.find("\n", at)
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return len(text) - 1


def last_argument(arguments):
    depth, start = 0, 0
    for at, c in enumerate(arguments):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            start = at + 1
    return arguments[start:]


def limits(check):
    """Literal numbers that say how near is near enough."""
    found = []
    for asked in re.finditer(r"\b(?:near|within)\(", check):
        found += SMALL.findall(last_argument(check[asked.end():closing(check, asked.end() - 1)]))
    code = re.sub(r"//[^\n]*", "", check)
    below = re.search(r'<=?\s*([^<>="]*)$', code)
    if below and not re.search(r"\b(?:near|within)\(", code):
        found += [x for x in SMALL.findall(below.group(1)) if "e-" in x or float(x) < 0.1]
    return found


def has_reason(lines, first, last):
    """Whether a comment stands on lines first … last, or above the run of checks that they belong to."""
    if any("//" in line for line in lines[first:last + 1]):
        return True
    at = first - 1
    while at >= 0 and (line := lines[at].strip()):
        if line.startswith("//"):
            return True
        begin = at  # of the statement that ends in this line
        while (begin > 0 and (before := lines[begin - 1].strip()) and not before.startswith("//")
               and not re.search(r"[;{}]\s*(?://.*)?$", before) and not re.match(r"(?:for|if)\b.*\)\s*(?://.*)?$", before)):
            begin -= 1
        if not OPENS.match(lines[begin]):
            return False
        if re.match(r"\s*(?:for|if)\b.*//", lines[begin]):
            return True
        at = begin - 1
    return False


root = pathlib.Path(sys.argv[1])
faults, checked = [], 0
for path in sorted((root / "tests").rglob("*.[ch]pp")):
    name, text = path.relative_to(root).as_posix(), path.read_text()
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if re.search(r"\bApprox\b", line.partition("//")[0]):
            faults.append(f"{name}:{number}: Approx takes small numbers for equal; near or within of tests/near.hpp do not")
    scopes, uses = [m.start() for m in SCOPE.finditer(text)], {}
    for check in CHECK.finditer(text):
        end = closing(text, check.end() - 1)
        first, last = text.count("\n", 0, check.start()), text.count("\n", 0, end)
        scope = max((s for s in scopes if s <= check.start()), default=0)
        for limit in limits(text[check.end():end]):
            checked += 1
            uses.setdefault((scope, limit), []).append((first + 1, has_reason(lines, first, last)))
    for (_, limit), places in uses.items():
        if not any(reason for _, reason in places):
            faults.append(f"{name}:{places[0][0]}: why {limit}? A comment says it, or a name (tests/tolerances.hpp)")

print("\n".join(faults) or f"{checked} limits with their reasons")
sys.exit(bool(faults) or checked == 0)
