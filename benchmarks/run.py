#!/usr/bin/env python3
"""Sets Sarrus against the other engines and prints a table with the goals beside it.

    run.py --bin FOLDER [--rounds N] [--budget SECONDS] [--quick] [--out FOLDER] [--seed N]

FOLDER holds the programs bench_*. In every round each case runs once, in a new random order, so that
what else the machine does hits all contestants alike; of all batches of all rounds the fastest counts.
Times are CPU times of one thread. With --out, speed.csv and speed.txt are written to that folder, under
the name of the machine. The exit code is 1 where a program failed or answers disagree, 0 otherwise:
a missed goal is said, but on a busy machine it may be noise.
"""

import argparse
import csv
import datetime
import os
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ["sarrus", "textbook", "bullet", "ode", "mujoco", "simbody", "kdl"]
CHAINS = [7, 30, 100, 300, 1000, 10000]
FLAT = [10, 30, 100, 300, 1000, 3000, 10000]  # lengths over which the cost per body is compared
LONGEST = {"mujoco": 1000, "kdl": 100}  # beyond, the cost grows with the square or cube of the length
QUICK_LONGEST = {"mujoco": 300, "kdl": 100, "simbody": 1000, "bullet": 1000}
FIELDS = ["contestant", "task", "model", "freedoms", "setting", "min_us", "median_us", "difference",
          "allocations"]
# largest relative difference of answers per freedom: the longer a chain, the worse the condition of its
# mass matrix, which MuJoCo and KDL factorise; a wrong model is off in the first digits
AGREEMENT = 1e-9
SWING_TARGET = 3.5e-5  # [rad]
STEPS = 32  # hinged bodies that are stepped in maximal coordinates
ENERGY = 1e-3  # largest relative error of energy after 0.05 s of such steps


# ---- measuring ---------------------------------------------------------------------------------------

def cases(programs, quick):
    """(program, arguments) of every single measurement."""
    longest = QUICK_LONGEST if quick else LONGEST
    for program in programs:
        if program in ("sarrus", "bullet", "ode"):
            yield program, ["steps", "--n", str(STEPS)]
        if program == "ode":
            continue
        lengths = sorted(set(CHAINS) | set(FLAT)) if program == "sarrus" else CHAINS
        for n in lengths:
            if n <= longest.get(program, n):
                yield program, ["fd", "--n", str(n)]
        if program != "kdl":
            yield program, ["fd", "--model", "humanoid"]
        if program != "bullet":
            yield program, ["id", "--n", "30"]
        if program not in ("bullet", "textbook"):
            yield program, ["mass", "--n", "30"]
        if program in ("sarrus", "mujoco", "simbody"):
            yield program, ["swing", "--n", "30"]
        if program == "sarrus":
            yield program, ["batch", "--n", "30"]
            for n in FLAT:
                yield program, ["rhs", "--n", str(n)]


def run_case(folder, program, arguments, budget):
    """Rows printed by one run of one program."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    command = [str(folder / f"bench_{program}"), *arguments, "--budget", str(budget)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    rows = [dict(zip(FIELDS, line)) for line in csv.reader(done.stdout.splitlines())]
    for row in rows:
        row["program"] = program
        row["freedoms"] = int(row["freedoms"])
        for field in ("min_us", "median_us", "difference"):
            row[field] = float(row[field])
    return rows


def keep_fastest(best, row):
    # a swing may settle on another setting where two are close: the contestant's method is its first word
    setting = row["setting"].split()[0] if row["task"] == "swing" else row["setting"]
    key = (row["program"], row["task"], row["model"], row["freedoms"], setting)
    kept = best.setdefault(key, row)
    if row["min_us"] < kept["min_us"]:
        best[key] = row


def measure(folder, programs, rounds, budget, quick, seed):
    best, failures = {}, []
    order = list(cases(programs, quick))
    shuffle = random.Random(seed).shuffle
    for k in range(rounds):
        shuffle(order)
        for program, arguments in order:
            try:
                for row in run_case(folder, program, arguments, budget):
                    keep_fastest(best, row)
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                if str(problem) not in failures:
                    failures.append(str(problem))
        print(f"round {k + 1} of {rounds}", file=sys.stderr, flush=True)
    return list(best.values()), failures


# ---- reading the results -----------------------------------------------------------------------------

class Results:
    def __init__(self, rows):
        self.rows = rows

    def find(self, program, task, model="chain", freedoms=30, setting=""):
        """The fastest matching row, or None."""
        found = [r for r in self.rows
                 if (r["program"], r["task"], r["model"], r["freedoms"]) ==
                 (program, task, model, freedoms) and r["setting"].startswith(setting)]
        return min(found, key=lambda r: r["min_us"], default=None)

    def time(self, *what, **more):
        row = self.find(*what, **more)
        return row["min_us"] if row else None

    def contestant(self, program):
        return next(r["contestant"] for r in self.rows if r["program"] == program)


def ratio(a, b):
    return a / b if a is not None and b is not None else None


def goals(results):
    """(what, value, goal) in the order they are printed; value None: not measured."""
    time = results.time
    for model, n in [("chain", 7), ("chain", 30), ("chain", 100), ("humanoid", 30)]:
        name = f"chain {n}" if model == "chain" else "humanoid"
        own = time("sarrus", "fd", model, n)
        yield f"forward dynamics, {name} / Bullet", ratio(own, time("bullet", "fd", model, n)), 0.32
        yield f"forward dynamics, {name} / textbook", ratio(own, time("textbook", "fd", model, n)), 0.57
    per_body = [time("sarrus", "fd", "chain", n) / n for n in FLAT if time("sarrus", "fd", "chain", n)]
    spread = max(per_body) / min(per_body) if per_body else None
    yield "cost per body, N = 10 to 10000: largest / smallest", spread, 1.25
    own = time("sarrus", "fd")
    yield "batch of 4096, per instance / one", ratio(time("sarrus", "batch", setting="4096 in packs"), own), 0.30
    yield "inverse dynamics / forward dynamics, chain 30", ratio(time("sarrus", "id"), own), 0.40
    yield "mass matrix / forward dynamics, chain 30", ratio(time("sarrus", "mass"), own), 0.55
    for n in (30, 1000):
        yield (f"right-hand side, hamiltonian / recursive, chain {n}",
               ratio(time("sarrus", "rhs", "chain", n, "hamiltonian"),
                     time("sarrus", "rhs", "chain", n, "recursive")), 1.25)
    per_body = [time("sarrus", "rhs", "chain", n, "hamiltonian") / n for n in FLAT[1:]
                if time("sarrus", "rhs", "chain", n, "hamiltonian")]
    yield ("hamiltonian, cost per body, N = 30 to 10000: largest / smallest",
           max(per_body) / min(per_body) if per_body else None, 1.25)
    discrete = time("sarrus", "steps", freedoms=STEPS)
    if discrete is not None:
        yield "steps of 32 hinged bodies: 50 x own time / Bullet's", ratio(
            50 * discrete, time("bullet", "steps", freedoms=STEPS)), 1.0
        yield "steps of 32 hinged bodies, chain [µs]", discrete, 1 / 1.2
        yield "steps of 32 hinged bodies, random graph [µs]", time(
            "sarrus", "steps", freedoms=STEPS, setting="discrete on a random graph"), 1.0
    for method in ("rk4", "dop853"):
        yield (f"swinging chain, {method} / MuJoCo RK4",
               ratio(time("sarrus", "swing", setting=method), time("mujoco", "swing")), 1.0)
    counted = [int(r["allocations"]) for r in results.rows if r["allocations"] != ""]
    yield "allocations while the clock runs", sum(counted), 0


def disagreements(rows):
    for row in rows:
        allowed = {"swing": SWING_TARGET, "steps": ENERGY}.get(row["task"], AGREEMENT * row["freedoms"])
        if not row["difference"] <= allowed:
            yield (f"{row['contestant']}, {row['task']}, {row['model']} of {row['freedoms']}: differs by "
                   f"{row['difference']:.2g}")


# ---- printing ----------------------------------------------------------------------------------------

def grid(header, lines):
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
    for line in [header, *lines]:
        yield "  ".join([line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])])


def table(results, programs):
    def cell(value, form="{:.3g}"):
        return "–" if value is None else form.format(value)

    yield "Forward dynamics, µs per call"
    header = ["", *(f"chain {n}" for n in CHAINS), "humanoid"]
    lines = []
    for program in programs:
        times = [results.time(program, "fd", "chain", n) for n in CHAINS]
        times.append(results.time(program, "fd", "humanoid", 30))
        lines.append([results.contestant(program), *(cell(t, "{:.4g}") for t in times)])
    yield from grid(header, lines)
    yield ""

    yield "Chain of 30, µs per call"
    lines = [[results.contestant(p), cell(results.time(p, "id")), cell(results.time(p, "mass"))]
             for p in programs]
    yield from grid(["", "inverse dynamics", "mass matrix"], lines)
    yield ""

    yield "Right-hand side of Sarrus' formulations on a chain, µs per call"
    settings = ["recursive", "hamiltonian", "complex steps", "literal"]
    yield from grid(["", *(f"chain {n}" for n in FLAT)],
                    [[s, *(cell(results.time("sarrus", "rhs", "chain", n, s), "{:.4g}") for n in FLAT)]
                     for s in settings])
    yield ""

    yield f"Swinging chain of 30, 1 s simulated, worst angle within {SWING_TARGET:.1e} rad"
    swings = sorted((r for r in results.rows if r["task"] == "swing"), key=lambda r: r["min_us"])
    yield from grid(["", "setting", "ms", "error [rad]"],
                    [[r["contestant"], r["setting"], f"{r['min_us'] / 1e3:.3g}", f"{r['difference']:.1e}"]
                     for r in swings])
    yield ""

    yield f"{STEPS} hinged bodies moved one by one, steps of 10 µs"
    steps = sorted((r for r in results.rows if r["task"] == "steps"), key=lambda r: r["min_us"])
    yield from grid(["", "setting", "µs per step", "body-steps/s", "energy error"],
                    [[r["contestant"], r["setting"], f"{r['min_us']:.4g}",
                      f"{STEPS / r['min_us'] * 1e6:.2e}", f"{r['difference']:.1e}"] for r in steps])
    yield ""

    yield "Ratios and goals"
    lines = [[what, cell(value), f"≤ {goal:g}", "" if value is None else
              "reached" if value <= goal else "missed"] for what, value, goal in goals(results)]
    yield from grid(["", "measured", "goal", ""], lines)


# ---- where and with what -----------------------------------------------------------------------------

def output_of(*command):
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return "unknown processor"
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found.group(1).strip() if found else "unknown processor"


def compiler(folder):
    for place in (folder, *folder.parents):
        cache = place / "CMakeCache.txt"
        if cache.exists():
            found = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", cache.read_text(), re.MULTILINE)
            return output_of(found.group(1), "--version").splitlines()[0] if found else "unknown"
    return "unknown"


def commit():
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no", "sarrus", "benchmarks")
    return output_of("git", "rev-parse", "--short", "HEAD") + (" with changes" if changed else "")


def heading(folder, rounds):
    return [f"machine   {processor()}", f"compiler  {compiler(folder)}", f"commit    {commit()}",
            f"date      {datetime.date.today()}",
            f"command   ./dev bench, {rounds} rounds, load at the end {os.getloadavg()[0]:.1f}"]


def write(folder, rows, text):
    name = re.sub(r"[^a-z0-9]+", "-", processor().lower()).strip("-")
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "speed.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda r: (r["task"], r["model"], r["freedoms"], r["min_us"])))
    (folder / "speed.txt").write_text(text + "\n")
    print(f"written to {os.path.relpath(folder)}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder of the programs bench_*")
    parser.add_argument("--rounds", type=int, help="default 8, quick 2")
    parser.add_argument("--budget", type=float, help="[s] per case and round; default 0.08, quick 0.03")
    parser.add_argument("--quick", action="store_true", help="less of everything: a first look")
    parser.add_argument("--out", type=pathlib.Path, help="folder of results")
    parser.add_argument("--seed", type=int, default=1, help="of the order of runs")
    given = parser.parse_args()
    rounds = given.rounds or (2 if given.quick else 8)
    budget = given.budget or (0.03 if given.quick else 0.08)
    folder = given.bin.resolve()

    programs = [p for p in PROGRAMS if (folder / f"bench_{p}").exists()]
    if "sarrus" not in programs:
        sys.exit(f"run.py: no bench_sarrus in {given.bin}; build with -DSARRUS_BENCHMARKS=ON")
    for missing in sorted(set(PROGRAMS) - set(programs)):
        print(f"without {missing}: it was not built", file=sys.stderr)

    rows, failures = measure(folder, programs, rounds, budget, given.quick, given.seed)
    programs = [p for p in programs if any(r["program"] == p for r in rows)]
    text = "\n".join([*heading(folder, rounds), "", *table(Results(rows), programs)])
    print(text)
    failures += disagreements(rows)
    for failure in failures:
        print(f"run.py: {failure}", file=sys.stderr)
    if given.out:
        write(given.out, rows, text)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
