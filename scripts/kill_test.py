#!/usr/bin/env python3
"""Kills runs at random moments and looks whether their results can be read and continued (fault R03).

    scripts/kill_test.py PROGRAM [--count 1000] [--seed 1] [--longest 0.3]

Each round starts a run, kills it (SIGKILL) after a random time, exports what it left, checks that the rows are those
of a run that was never killed, and continues it for some steps. Prints a line per hundred rounds; exit 1 on the first
fault, whose folder is kept.
"""
import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODEL = """sarrus = 1
[[body]]
name = "upper"
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1]
[[body]]
name = "lower"
mass = 1.2
com = [0.4, 0, 0.05]
inertia = [0.02, 0.1, 0.1]
[[joint]]
name = "ball"
type = "spherical"
child = "upper"
u = [0.3, 0.1, 2]
[[joint]]
name = "elbow"
type = "revolute"
parent = "upper"
child = "lower"
axis = "y"
on_parent = { at = [1, 0, 0] }
damper = 0.05
[simulate]
until = UNTIL
output_step = 0.01
integrator = "rk4"
step = 1e-3
"""


def csv_lines(program, folder):
    done = subprocess.run([program, "export", folder, "--csv", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"export ended with {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


def one_round(program, place, truth, wait):
    """Returns the number of rows that survived, or None where the run was killed before it began."""
    out = place / "out"
    words = [program, "run", str(place / "m.toml"), "-o", str(out), "--checkpoint-every", "0.02"]
    run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(wait)
    run.kill()
    run.wait()
    if not (out / "result.sarrus").exists():
        return None
    rows = csv_lines(program, out)
    if rows != truth[:len(rows)]:
        raise AssertionError("a row differs from the run that was never killed")
    resumed = subprocess.run(words + ["--resume", "--max-steps", "200"], capture_output=True, text=True)
    if resumed.returncode not in (0, 7):
        raise AssertionError(f"resume ended with {resumed.returncode}: {resumed.stderr}")
    again = csv_lines(program, out)
    if again != truth[:len(again)]:
        raise AssertionError("a row of the continued run differs")
    return len(rows) - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=0.3, help="longest life of a run [s]")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    chance = random.Random(options.seed)
    place = Path(tempfile.mkdtemp(prefix="sarrus-kill-"))

    # the truth: as far as no killed run will come, measured generously
    (place / "m.toml").write_text(MODEL.replace("UNTIL", "2000"))
    subprocess.run([program, "run", str(place / "m.toml"), "-o", str(place / "truth"), "--quiet"], check=True)
    truth = csv_lines(program, place / "truth")

    survived = early = 0
    for i in range(1, options.count + 1):
        wait = chance.uniform(0, options.longest)
        try:
            rows = one_round(program, place, truth, wait)
        except AssertionError as fault:
            print(f"round {i}, killed after {wait:.4f} s: {fault}; see {place}")
            return 1
        early += rows is None
        survived += rows or 0
        shutil.rmtree(place / "out", ignore_errors=True)
        if i % 100 == 0:
            print(f"{i} kills, {survived} rows survived, {early} before the run had begun", flush=True)
    shutil.rmtree(place)
    return 0


if __name__ == "__main__":
    sys.exit(main())
