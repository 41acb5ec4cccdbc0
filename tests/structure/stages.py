#!/usr/bin/env python3
"""Nothing has to be called in an unwritten order, and facts do not travel as text.

    stages.py SOURCE_FOLDER

Stages are values (docs/decisions/0013): what needs another result takes it as an argument. So no comment asks for calls
in an order, no `const_cast` or `dynamic_cast` gets at what a type does not offer, and no name of an element is taken
apart to find out what it is: labels, kinds and indices say that (docs/decisions/0024).
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
RULES = (
    (re.compile(r"//.*(\b(after|before|once) \w+\(\)|needed again|to be called|must be called)", re.I),
     "a comment asks for calls in an order; let one return what the other takes"),
    (re.compile(r"\b(const|dynamic)_cast\s*<"), "a cast gets at what the type does not offer"),
    (re.compile(r"\b(starts|ends)_with\(\"(joint|body|sensor|spring|bushing|torsion|force|constraint|elastic|the |\.current)"),
     "a name is taken apart; ask for its kind"),
)

faults, lines = [], 0
for folder in ("sarrus", "apps", "python"):
    for path in sorted(p for p in (root / folder).rglob("*") if p.suffix in (".hpp", ".cpp", ".inl")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            lines += 1
            faults += [f"{path.relative_to(root)}:{number}: {what}: {line.strip()}" for rule, what in RULES if rule.search(line)]

print("\n".join(faults) or f"{lines} lines, none of them asks for an order")
sys.exit(bool(faults) or lines == 0)
