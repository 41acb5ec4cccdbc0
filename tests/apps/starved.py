#!/usr/bin/env python3
"""Commands whose n-th allocation fails, alone or with all that follow: each ends as if nothing had happened or with exit
code 6 and words, never by a signal, and leaves no file that is half written.

    starved.py PROGRAM FAILING_MALLOC EXAMPLES [--points 40] [--only NAME]
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile


def run(words, folder, environment=None):
    return subprocess.run(words, cwd=folder, capture_output=True, timeout=120, env={**os.environ, **(environment or {})})


def read(path):
    with open(path, "rb") as file:
        return file.read()


def made_of(path):
    """The bytes of a file, or their number where its format holds the time of day; nothing where there is none."""
    if not os.path.exists(path):
        return b""
    return len(read(path)) if path.endswith(".h5") else read(path)


class Trial:
    """A command, and the file that it makes."""

    def __init__(self, name, words, makes=None):
        self.name, self.words, self.makes = name, words, makes


def trials(examples):
    example = lambda name: os.path.join(examples, name, "model.toml")
    yield Trial("version", ["--version"])  # what every command begins with; the others are tried beyond it
    yield Trial("fault", ["check", "a name that is too long to lie in the string itself.toml"])
    yield Trial("check", ["check", example("slider_crank")])
    yield Trial("json", ["check", example("simple_pendulum"), "--json"])
    yield Trial("elastic", ["check", example("elastic_slider_crank")])
    yield Trial("run", ["run", example("slider_crank"), "-o", "new", "--until", "0.05", "--output-step", "0.01"])
    yield Trial("discrete", ["run", example("four_bar"), "-o", "new", "--until", "0.02", "--formulation", "discrete"])
    yield Trial("csv", ["export", "done", "--csv", "x.csv"], "x.csv")
    yield Trial("gltf", ["export", "done", "--gltf", "x.glb"], "x.glb")
    yield Trial("hdf5", ["export", "done", "--hdf5", "x.h5"], "x.h5")
    yield Trial("report", ["report", "done", "-o", "x.html"], "x.html")
    yield Trial("plot", ["plot", "done", "-o", "x.svg"], "x.svg")
    yield Trial("png", ["plot", "done", "-o", "x.png"], "x.png")
    yield Trial("reduce", ["reduce", "--mass", "M.mtx", "--stiffness", "M.mtx", "-o", "reduced"])


def leftovers(folder):
    return [os.path.join(at, f) for at, _, files in os.walk(folder) for f in files if f.endswith(".partial")]


def judge(trial, program, folder, ended, expected):
    """What is wrong with how it ended; empty where nothing is."""
    said = ended.stderr.decode(errors="replace")
    if ended.returncode < 0:
        return f"ended by signal {-ended.returncode}"
    if ended.returncode not in (expected["code"], 6):
        return f"exit {ended.returncode}"
    if ended.returncode == 6 and "error[" not in said:
        return "exit 6 without a word"
    if left := leftovers(folder):
        return f"left behind {left}"
    made = trial.makes and os.path.join(folder, trial.makes)
    if made and os.path.exists(made) and made_of(made) != expected["made"]:
        return f"{trial.makes} is not what it should be"
    if made and ended.returncode == expected["code"] == 0 and not os.path.exists(made):
        return f"exit 0, and no {trial.makes}"
    new = os.path.join(folder, "new")
    if os.path.exists(os.path.join(new, "result.sarrus")) and run([program, "export", "new", "--csv", "-"], folder).returncode != 0:
        return "the result cannot be read"
    if os.path.isdir(new) and not os.path.exists(os.path.join(new, "result.sarrus")) and os.listdir(new):
        return f"a folder without a result: {os.listdir(new)}"
    return ""


def clear(folder):
    subprocess.run("rm -rf new reduced x.* .sarrus-*.partial", shell=True, cwd=folder, check=True)


def attack(trial, program, preload, folder, points, seed, begun):
    """How many allocations it makes, or 0 where one that fails is not survived. begun: as many are tried by another trial."""
    clear(folder)
    whole = run([program, *trial.words], folder, {"LD_PRELOAD": preload, "FAIL_COUNT": "1"})
    total = int(re.search(rb"\[allocations (\d+)\]", whole.stderr).group(1))
    expected = {"code": whole.returncode, "made": made_of(os.path.join(folder, trial.makes or "nothing"))}
    generator = random.Random(seed)
    chosen = sorted(set(range(begun + 1, min(begun + points // 2, total) + 1)) | {generator.randrange(begun + 1, total + 1) for _ in range(points // 2)})
    if points >= total - begun:
        chosen = range(begun + 1, total + 1)
    codes, wrong = {}, []
    for ever in (False, True):
        for n in chosen:
            clear(folder)
            ended = run([program, *trial.words], folder, {"LD_PRELOAD": preload, "FAIL_AT": str(n), **({"FAIL_EVER": "1"} if ever else {})})
            codes[ended.returncode] = codes.get(ended.returncode, 0) + 1
            if problem := judge(trial, program, folder, ended, expected):
                wrong.append(f"  {'from' if ever else 'at'} allocation {n}: {problem}: {ended.stderr.decode(errors='replace').strip()[:200]}")
    print(f"{trial.name}: {total} allocations, exit codes {dict(sorted(codes.items()))}, {len(wrong)} wrong", flush=True)
    print("\n".join(wrong[:10]), end="\n" if wrong else "")
    return 0 if wrong else total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("preload")
    parser.add_argument("examples")
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    program, preload, examples = map(os.path.abspath, (a.program, a.preload, a.examples))
    with tempfile.TemporaryDirectory(prefix="sarrus-test-") as folder:
        run([program, "run", os.path.join(examples, "double_pendulum/model.toml"), "-o", "done", "--until", "1", "-q"], folder).check_returncode()
        with open(os.path.join(folder, "M.mtx"), "w") as file:
            file.write("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 2 3\n3 3 4\n2 1 0.5\n")
        good, begun = True, 0
        for trial in trials(examples):
            if not a.only or trial.name == a.only:
                total = attack(trial, program, preload, folder, a.points, a.seed, begun)
                good = good and total > 0
                if trial.name == "version":
                    begun = max(total - 100, 0)  # its answer, which is its own, takes fewer
    sys.exit(0 if good else 1)


main()
