#!/usr/bin/env python3
"""Examples in other units: a mechanism of nanometres, micrograms or hours has the digits that it has in metres.

Every example whose numbers do not depend on time or motion is read once more with a table [units]: the same numbers, which
now mean other lengths, masses and times. Nothing else changes, so that its rows, divided by their units, are those of the example
itself. How many digits are the same is measured against a run of the example with a far tighter tolerance; the run in other
units must not have fewer than the example has in its own.

    tests/reference/scaled_examples.py PROGRAM EXAMPLES [WORD…]
"""
import csv
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

UNITS = [{"length": "nm"}, {"length": "km"}, {"mass": "ug"}, {"mass": "t"}, {"time": "ns"}, {"time": "h"},
         {"length": "um", "mass": "ug", "time": "us"}]
FACTOR = {"nm": 1e-9, "um": 1e-6, "km": 1e3, "ug": 1e-9, "t": 1e3, "ns": 1e-9, "us": 1e-6, "h": 3600.0}
# length, mass, time of what columns are given in
DIMENSION = {"m": (1, 0, 0), "kg": (0, 1, 0), "s": (0, 0, 1), "rad": (0, 0, 0), "N": (1, 1, -2), "J": (2, 1, -2),
             "Pa": (-1, 1, -2), "W": (2, 1, -3), "1": (0, 0, 0)}
LOST = 1.0        # digits that other steps may cost
ENOUGH = 9.0      # digits that rtol 1e-9 promises: more are luck
PLAIN = {"name", "type", "parent", "child", "body", "axis", "axis2", "from", "to", "formulation", "integrator",
         "color", "basis", "shape", "direction", "loops", "rotation", "scheme", "deforms", "title", "doc", "form"}


WORDS = {"sin": math.sin, "cos": math.cos, "tan": math.tan, "sqrt": math.sqrt, "abs": abs, "exp": math.exp,
         "atan2": math.atan2, "asin": math.asin, "acos": math.acos, "atan": math.atan, "log": math.log, "pi": math.pi}
SI = {"m": 1, "mm": 1e-3, "cm": 1e-2, "kg": 1, "g": 1e-3, "s": 1, "ms": 1e-3, "deg": math.pi / 180, "rad": 1, "N": 1,
      "rpm": math.pi / 30, "Nm": 1, "J": 1, "Hz": 1, "Pa": 1, "kN": 1e3, "MPa": 1e6, "GPa": 1e9, "V": 1}


class NotPlain(Exception):
    """A number that depends on time or on the motion, or that other elements repeat."""


def number(text, known):
    """The SI number that a text stands for: with a unit, or an expression of parameters."""
    measured = re.fullmatch(r"\s*([-+0-9.eE]+)\s+([A-Za-z./0-9]+)\s*", text)
    try:
        if measured:
            value, sign = float(measured[1]), 1
            for part in re.split(r"([./])", measured[2]):
                if part == "/":
                    sign = -1
                elif part != ".":
                    word, power = re.fullmatch(r"([A-Za-z]+)(\d?)", part).groups()
                    value *= SI[word] ** (sign * int(power or 1))
            return value
        return float(eval(text.replace("^", "**"), {"__builtins__": {}}, {**WORDS, **known}))
    except Exception as problem:
        raise NotPlain(text) from problem


def plain(node, known, key=""):
    """The same with plain SI numbers in the place of texts that stand for numbers."""
    if isinstance(node, dict):
        if "for" in node or "if" in node:
            raise NotPlain("for")
        return {k: plain(v, known, k) for k, v in node.items()}
    if isinstance(node, list):
        return [plain(v, known, key) for v in node]
    if not isinstance(node, str) or (key in PLAIN and not re.search(r"[(*/]", node)):
        return node
    return number(node, known)


def plain_model(path):
    """As plain numbers, or NotPlain."""
    model = tomllib.loads(path.read_text())
    known = {}
    for name, value in model.pop("parameters", {}).items():
        known[name] = number(value, known) if isinstance(value, str) else value
    simulate = model.get("simulate", {})
    if {"units", "include", "table", "contact", "event"} & set(model) or "atol" in simulate:
        raise NotPlain("tables")
    if "gravity" not in model:  # the usual one, of the earth
        raise NotPlain("gravity")
    if simulate.get("formulation") == "discrete" or "energy_matrix" in simulate:
        raise NotPlain("other accuracy")
    if any("value" in s for s in model.get("sensor", [])) or any("friction" in j for j in model.get("joint", [])):
        raise NotPlain("speeds")
    if any("file" in b.get("elastic", {}) or "mesh" in str(b) for b in model.get("body", [])):
        raise NotPlain("files")
    if "step" in simulate or "integrator" in simulate:
        raise NotPlain("other accuracy")
    simulate.pop("rtol", None)
    return plain(model, known)


def exponent(unit):
    """Powers of length, mass and time of a unit such as "N.s/m"."""
    total = [0, 0, 0]
    sign = 1
    for part in re.split(r"([./])", unit):
        if part in ".":
            continue
        if part == "/":
            sign = -1
            continue
        word = re.fullmatch(r"([A-Za-z]+|1)(\d?)", part)
        for i, e in enumerate(DIMENSION[word[1]]):
            total[i] += sign * e * int(word[2] or 1)
    return total


def rows(sarrus, model, folder, *flags):
    out = os.path.join(folder, "run")
    done = subprocess.run([sarrus, "run", model, "-o", out, "--replace", "--quiet", "--no-estimate", *flags],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}")
    text = subprocess.run([sarrus, "export", out, "--csv", "-"], capture_output=True, text=True).stdout
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    table = list(csv.reader(io.StringIO("\n".join(lines))))
    names = [re.fullmatch(r"([^\[]+)(?:\[(.*)\])?", head).groups() for head in table[0]]
    return [(name, unit or "1") for name, unit in names], [[float(x) for x in row] for row in table[1:]]


def digits(names, run, truth, scale):
    """Of joints' coordinates and sensors' positions: the fewest of any, against their largest value."""
    fewest, worst = 16.0, ""
    for c, (name, unit) in enumerate(names):
        if unit not in ("m", "rad"):
            continue
        one = math.prod(s**e for s, e in zip(scale, exponent(unit)))
        size = max(abs(row[c]) for row in truth)
        if size < 1e-6:  # no motion: rounding of what is large elsewhere
            continue
        wrong = max(abs(a[c] / one - b[c]) for a, b in zip(run, truth)) / size
        found = -math.log10(max(wrong, 1e-16))
        if found < fewest:
            fewest, worst = found, name
    return fewest, worst


def check(sarrus, path, numbers, folder):
    faults = []
    model = os.path.join(folder, "model.json")

    def write(units):
        with open(model, "w") as f:
            json.dump({**numbers, "units": units} if units else numbers, f)

    write({})
    names, truth = rows(sarrus, model, folder, "--rtol", "1e-12")
    usual, _ = digits(names, rows(sarrus, model, folder, "--rtol", "1e-9")[1], truth, (1, 1, 1))
    for units in UNITS:
        scale = [FACTOR.get(units.get(k, ""), 1.0) for k in ("length", "mass", "time")]
        write(units)
        try:
            _, found = rows(sarrus, model, folder, "--rtol", "1e-9")
        except RuntimeError as problem:
            faults.append(f"{path.parent.name} in {units}: {problem}")
            continue
        if len(found) != len(truth):
            faults.append(f"{path.parent.name} in {units}: {len(found)} rows instead of {len(truth)}")
            continue
        has, worst = digits(names, found, truth, scale)
        if has < min(usual, ENOUGH) - LOST:
            faults.append(f"{path.parent.name} in {units}: {has:.1f} digits in {worst}, {usual:.1f} in its own units")
    return usual, faults


def main():
    sarrus, examples, *words = sys.argv[1:]
    faults, count = [], 0
    for path in sorted(pathlib.Path(examples).rglob("model.toml")):
        if words and not any(w in str(path) for w in words):
            continue
        try:
            numbers = plain_model(path)
        except NotPlain:
            continue
        with tempfile.TemporaryDirectory() as folder:
            usual, found = check(sarrus, path, numbers, folder)
        count += 1
        print(f"{path.parent.name}: {usual:.1f} digits", *found, sep="\n  ", flush=True)
        faults += found
    print(f"{count} examples in {len(UNITS)} systems of units, {len(faults)} with fewer digits")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
