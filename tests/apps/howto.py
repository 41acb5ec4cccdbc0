#!/usr/bin/env python3
"""Every model of the how-to pages runs, and ends where its page says.

    howto.py PROGRAM SOURCE_FOLDER

A page says "`crank.u` ends at 6.283185307179586", a number from a closed form; what is computed agrees within 1e-6 of it, which
is a thousand times the tolerance of a run.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
faults, models, numbers = [], 0, 0


def run(folder, text):
    """The last row of a model, by the names of columns without units."""
    (folder / "model.toml").write_text(text)
    ran = subprocess.run([program, "run", "model.toml", "-o", "out", "--quiet", "--no-estimate", "--csv", "rows.csv"],
                         cwd=folder, capture_output=True, text=True)
    if ran.returncode != 0:
        return ran.stderr
    rows = list(csv.reader((folder / "rows.csv").open()))
    return dict(zip((name.partition("[")[0] for name in rows[0]), map(float, rows[-1])))


def faults_of_schema(text):
    """What an editor would mark, with the schema that a `#:schema` line names as the program prints it."""
    if not text.startswith("#:schema ./sarrus.schema.json\n"):
        return ["the line #:schema is not the first, or names another file"] if "#:schema" in text else []
    try:
        import jsonschema
        import tomllib
    except ImportError:
        return []  # Debian has it in python3-jsonschema
    schema = json.loads(subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout)
    validator = jsonschema.Draft202012Validator(schema)
    spoilt = tomllib.loads(text) | {"no_such_key": 1}
    return [error.message for error in validator.iter_errors(tomllib.loads(text))] + (
        ["the schema lets an unknown key pass"] if validator.is_valid(spoilt) else [])


for page in sorted((source / "docs/howto").glob("*.md")):
    sections = re.split(r"^## (.+)\n", page.read_text(), flags=re.M)
    for title, text in zip(sections[1::2], sections[2::2]):
        claims = re.findall(r"`([\w.]+)`(?:\s+ends)?\s+at\s+(-?\d[\d.e-]*\d|-?\d)", text)
        for block in re.findall(r"^```toml\n(.*?)^```", text, re.S | re.M):
            models += 1
            faults += [f"{page.name}, {title}: {fault}" for fault in faults_of_schema(block)]
            with tempfile.TemporaryDirectory() as folder:
                last = run(pathlib.Path(folder), block)
            if isinstance(last, str):
                faults.append(f"{page.name}, {title}: does not run\n{last}")
                continue
            for name, number in claims:
                numbers += 1
                if name not in last:
                    faults.append(f"{page.name}, {title}: no column {name}; there are {', '.join(last)}")
                elif abs(last[name] - float(number)) > 1e-6 * abs(float(number)):
                    faults.append(f"{page.name}, {title}: {name} ends at {last[name]!r}, the page says {number}")

print("\n".join(faults) or f"{models} models run, {numbers} numbers hold")
sys.exit(bool(faults) or numbers < 8)
