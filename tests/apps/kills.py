#!/usr/bin/env python3
"""Runs that are killed (SIGKILL) at random moments, again and again until they end: no wrong row is ever read, and the run
that was continued has the bytes of one that nobody disturbed.

    kills.py PROGRAM EXAMPLES [--kills 1000] [--only NAME]

Ten models: trees, loops, an event, a table, contact, joints that engage, elastic bodies, three formulations. The test of
every build kills 20 times, the promise was held for the number that docs/reference/promises.md gives.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

MODELS = {  # example: flags
    "double_pendulum": [], "slider_crank": [], "four_bar": ["--formulation", "hamiltonian"],
    "elastic_slider_crank": ["--until", "0.1"], "heavy_top": ["--formulation", "hamiltonian"], "chain_on_floor": [],
    "clutch": [], "friction_block": [], "motor_with_gear": [], "rolling_disk": [],
}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("examples")
parser.add_argument("--kills", type=int, default=1000)
parser.add_argument("--only", default="")
parser.add_argument("--seed", type=int, default=1)
a = parser.parse_args()


def sarrus(folder, *words):
    return subprocess.run([a.program, *words], cwd=folder, capture_output=True, timeout=3600)


def rows(folder, name):
    ended = sarrus(folder, "export", name, "--csv", "-")
    return ended.stdout if ended.returncode == 0 else None


def attack(model, flags, kills, generator):
    """The number of kills that fell into the run, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["run", model, *flags, "--checkpoint-every", "1e-6"]
        began = time.monotonic()
        if (ended := sarrus(folder, *command, "-o", "whole")).returncode != 0:
            return 0, f"undisturbed it ends with {ended.returncode}: {ended.stderr.decode()[:200]}"
        takes = time.monotonic() - began
        whole, done = rows(folder, "whole"), 0
        while done < kills:
            going = ["--resume"] if os.path.exists(os.path.join(folder, "m/result.sarrus")) else ["--force"]
            run = subprocess.Popen([a.program, *command, "-o", "m", *going], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                _, said = run.communicate(timeout=generator.uniform(0, takes))
                if run.returncode != 0:
                    return done, f"continued, it ends with {run.returncode}: {said.decode()[:200]}"
                if rows(folder, "m") != whole:
                    return done, "continued, it has other rows"
                subprocess.run(["rm", "-rf", "m"], cwd=folder, check=True)
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
                done += 1
            if os.path.exists(os.path.join(folder, "m/result.sarrus")):
                kept = rows(folder, "m")
                if kept is None or not whole.startswith(kept):
                    return done, "after a kill it has rows that were never computed"
        last = sarrus(folder, *command, "-o", "m", "--resume" if os.path.exists(os.path.join(folder, "m/result.sarrus")) else "--force")
        return done, "" if last.returncode == 0 and rows(folder, "m") == whole else f"in the end: exit {last.returncode}, or other rows"


chosen = {name: flags for name, flags in MODELS.items() if a.only in name and os.path.exists(os.path.join(a.examples, name, "model.toml"))}
generator, wrong, total = random.Random(a.seed), 0, 0
for i, (name, flags) in enumerate(chosen.items()):
    share = a.kills * (i + 1) // len(chosen) - a.kills * i // len(chosen)
    done, problem = attack(os.path.join(a.examples, name, "model.toml"), flags, share, generator)
    print(f"{name}: {done} kills{': ' + problem if problem else ', every row and the last bit as undisturbed'}", flush=True)
    wrong, total = wrong + bool(problem), total + done
print(f"{total} kills over {len(chosen)} models")
sys.exit(bool(wrong) or not total)
