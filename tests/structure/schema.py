#!/usr/bin/env python3
"""The schema agrees with the reader: what the pages show passes it, what has an unknown key does not.

    schema.py SOURCE_FOLDER        exits with 77 where jsonschema or tomllib is missing
"""
import copy
import json
import pathlib
import re
import sys

try:
    import jsonschema
    import tomllib
except ImportError as missing:
    print(f"skipped: {missing}; Debian has it in python3-jsonschema")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
schema = json.loads((root / "docs/reference/model.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

texts = {str(p): p.read_text() for p in sorted(root.glob("examples/**/*.toml"))}
for page in sorted((root / "docs/reference").glob("*.md")):
    text = page.read_text()
    base = re.search(r"<!-- base\n(.*?)-->", text, re.S)
    for number, block in enumerate(re.findall(r"```toml\n(.*?)```", text, re.S), 1):
        if not re.search(r"^\[", block, re.M) and not block.startswith("sarrus"):
            continue  # keys alone
        whole = block.startswith("sarrus") or base is None
        texts[f"{page} example {number}"] = block if whole else base.group(1) + block


def tables(value, path=()):
    """The paths of all tables, but for those whose keys the user chooses."""
    if isinstance(value, dict):
        yield path
        for key, inner in value.items():
            if key not in ("parameters", "for", "set"):
                yield from tables(inner, path + (key,))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from tables(inner, path + (i,))


faults = []
broken = 0
for name, text in texts.items():
    model = tomllib.loads(text)
    if "sarrus" not in model:
        continue  # keys alone, or another kind of file
    faults += [f"{name}: {e.json_path}: {e.message}" for e in validator.iter_errors(model)]
    for path in tables(model):
        spoilt = copy.deepcopy(model)
        table = spoilt
        for step in path:
            table = table[step]
        table["no_such_key"] = 1
        broken += 1
        if validator.is_valid(spoilt):
            faults.append(f"{name}: an unknown key passes at {path}")
print("\n".join(faults) or f"{len(texts)} models pass, {broken} spoilt ones do not")
sys.exit(bool(faults) or broken == 0)
