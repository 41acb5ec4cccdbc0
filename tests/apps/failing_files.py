#!/usr/bin/env python3
"""Runs whose n-th write, flush, rename or close fails, alone or with all that follow: each ends with exit code 6 and words,
its rows can be read, and once the disk works again `--resume` ends with the bytes of a run that nothing happened to.

    failing_files.py PROGRAM FAILING_FILES MODEL [--points 20]

Exit 0 is right only where nothing of the result was at stake: its rows are then whole.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("preload")
parser.add_argument("model")
parser.add_argument("--points", type=int, default=20)
a = parser.parse_args()


def sarrus(folder, *words, **environment):
    return subprocess.run([a.program, *words], cwd=folder, capture_output=True, timeout=600, env={**os.environ, **environment})


def rows(folder):
    ended = sarrus(folder, "export", "m", "--csv", "-")
    return ended.stdout if ended.returncode == 0 else None


def judge(folder, ended, whole):
    """What is wrong with how a run ended, and with how it went on; empty where nothing is."""
    said = ended.stderr.decode(errors="replace")
    if ended.returncode not in (0, 6) or (ended.returncode == 6 and "error[" not in said):
        return f"exit {ended.returncode}: {said.strip()[:300]}"
    has_result = os.path.exists(os.path.join(folder, "m/result.sarrus"))
    kept = rows(folder) if has_result else b""
    if kept is None:
        return "the rows cannot be read"
    if not whole.startswith(kept):
        return "rows that were never computed"
    if ended.returncode == 0 and kept != whole:
        return "exit 0, and rows are missing"
    again = sarrus(folder, "run", "model.toml", "-o", "m", "--resume" if has_result else "--force")
    if again.returncode != 0:
        return f"it does not go on: {again.stderr.decode(errors='replace').strip()[:300]}"
    if rows(folder) != whole:
        return "continued, it has other rows"
    left = [f for f in os.listdir(os.path.join(folder, "m")) if f.endswith(".partial")]
    return f"left behind {left}" if left else ""


with tempfile.TemporaryDirectory() as folder:
    shutil.copy(a.model, os.path.join(folder, "model.toml"))
    words = ["run", "model.toml", "-o", "m", "--checkpoint-every", "1e-6"]
    clean = sarrus(folder, *words, LD_PRELOAD=a.preload, FAIL_FILE_COUNT="1")
    total = int(re.search(rb"\[file calls (\d+)\]", clean.stderr).group(1))
    whole = rows(folder)
    if clean.returncode != 0 or not whole or total < 10:
        sys.exit(f"the run without faults: exit {clean.returncode}, {total} calls")
    generator = random.Random(1)
    chosen = sorted(set(range(1, min(total, a.points // 2) + 1)) | {generator.randrange(1, total + 1) for _ in range(a.points // 2)} | {total})
    codes, wrong = {}, []
    for ever in (False, True):
        for n in chosen:
            shutil.rmtree(os.path.join(folder, "m"), ignore_errors=True)
            ended = sarrus(folder, *words, LD_PRELOAD=a.preload, FAIL_FILE_AT=str(n), **({"FAIL_FILE_EVER": "1"} if ever else {}))
            codes[ended.returncode] = codes.get(ended.returncode, 0) + 1
            if problem := judge(folder, ended, whole):
                wrong.append(f"  {'from' if ever else 'at'} call {n} of {total}: {problem}")
    print(f"{total} calls, exit codes {dict(sorted(codes.items()))}, {len(wrong)} wrong")
    print("\n".join(wrong[:10]), end="\n" if wrong else "")
    sys.exit(bool(wrong))
