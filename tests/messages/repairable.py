#!/usr/bin/env python3
"""Every message of broken_models.toml leads to the repair: it names file, line, element, the value found, and a remedy.

    repairable.py PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

program = sys.argv[1]
data = tomllib.loads((pathlib.Path(__file__).parent / "broken_models.toml").read_text())
lines = data["model"].strip("\n").split("\n")

LIMITS = ("limit", "expected", "must", "not one of", "not after", "between", "not above", "not below", "at least", "made of", "needs '")


def check(folder, text):
    path = pathlib.Path(folder) / "m.toml"
    path.write_text(text + "\n")
    ended = subprocess.run([program, "check", str(path), "--json"], capture_output=True, text=True, timeout=600)
    return ended.returncode, json.loads(ended.stdout)["diagnostics"]


def faults_of(case, folder):
    """What the message lacks, and whether the repair is one."""
    at = lines.index(case["line"])
    with_line = lambda line: "\n".join(lines[:at] + [line] + lines[at + 1:])
    code, found = check(folder, with_line(case["broken"]))
    if code not in (3, 4):
        yield f"exit {code}"
        return
    first = next((d for d in found if d["severity"] == "error"), None)
    words = f"{first['message']}; {first['hint']}"
    if first["code"] != case["code"]:
        yield f"code {first['code']}"
    if not first["file"].endswith("m.toml"):
        yield "no file"
    # what is missing, or stands between two keys, has the line of its element; what is missing in the file has none
    element = max((i for i in range(at + 1) if lines[i].startswith("[")), default=-1)
    if first["line"] not in (at + 1, element + 1):
        yield f"line {first['line']}, not {at + 1}"
    if not first["element"].startswith(case["element"]):
        yield f"element '{first['element']}'"
    for word in case["says"]:
        if word not in words:
            yield f"nothing of '{word}'"
    if not first["hint"] and not any(w in words for w in LIMITS):
        yield "neither a limit nor a remedy"
    code, found = check(folder, with_line(case["repaired"]))
    if code != 0:
        yield f"repaired it is refused with {code}: {found[0]['message'] if found else ''}"


with tempfile.TemporaryDirectory() as folder:
    code, found = check(folder, "\n".join(lines))
    if code != 0:
        sys.exit(f"the good model is refused: {found}")
    wrong = 0
    for case in data["case"]:
        if lacks := list(faults_of(case, folder)):
            wrong += 1
            _, found = check(folder, "\n".join(case["broken"] if line == case["line"] else line for line in lines))
            print(f"{case['broken'] or '(without) ' + case['line']}: {'; '.join(lacks)}\n    {json.dumps(found[:1], ensure_ascii=False)}")
    print(f"{len(data['case'])} broken models, {wrong} messages that do not lead to the repair")
    sys.exit(bool(wrong) or len(data["case"]) < 60)
