#!/usr/bin/env python3
"""Mechanisms with closed loops: time for the same error, Sarrus beside the other engines.

    loops.py --bin FOLDER [--rounds N] [--out FOLDER]

FOLDER holds the programs bench_loops_*. Each round runs every case once in a new random order; the fastest
counts. For many four-bars in a row Sarrus runs alone up to 1000, to show how the time grows.
"""
import argparse
import csv
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from run import heading, processor  # noqa: E402

PROBLEMS = ["pendulum", "governor", "four_bars_2", "four_bars_40", "squeezer", "bricard"]
LONGEST = 60  # [s] of processor time for the search of a setting
MISSED = set()  # lines about those that found none
FIELDS = ["contestant", "problem", "bodies", "setting", "ms", "error", "met"]


def run_within(command, seconds):
    """The finished process, or None where it took more processor time. A limit set for the process would not do:
    under one, the kernel gives it a clock that only counts ticks."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while True:
        try:
            out, error = process.communicate(timeout=0.5)
            return subprocess.CompletedProcess(command, process.returncode, out, error)
        except subprocess.TimeoutExpired:
            fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[11]) + int(fields[12]) > seconds * os.sysconf("SC_CLK_TCK"):
                process.kill()
                process.communicate()
                return None


def measure(folder, program, problem, budget):
    command = [str(folder / f"bench_loops_{program}"), problem, "--budget", str(budget)]
    done = run_within(command, LONGEST)
    if done is None:
        MISSED.add(f"{problem:<14} {program} found no setting within {LONGEST} s of processor time")
        return []
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    # MuJoCo warns on standard output
    return [dict(zip(FIELDS, line)) for line in csv.reader(done.stdout.splitlines()) if len(line) == len(FIELDS)]


def keep_fastest(best, row):
    key = (row["problem"], row["contestant"], row["setting"].split()[0])
    if key not in best or float(row["ms"]) < float(best[key]["ms"]):
        best[key] = row


def table(best):
    lines = [f"{'problem':<14} {'contestant':<20} {'setting':<26} {'ms':>10} {'error [J]':>10}"]
    for (problem, contestant, _), row in sorted(best.items(), key=lambda kv: (kv[0][0], float(kv[1]["ms"]))):
        note = " m" if problem == "governor" else ""
        note += "" if row["met"] == "yes" else "   target not met"
        lines.append(f"{problem:<14} {contestant:<20} {row['setting']:<26} {float(row['ms']):>10.3g} "
                     f"{float(row['error']):>10.2g}{note}")
    return lines


def growth(best):
    rows = sorted((int(r["bodies"]), float(r["ms"])) for (problem, who, _), r in best.items()
                  if problem.startswith("grow") and who == "Sarrus recursive")
    return [f"{(n - 1) // 2:>6} four-bars {ms:>10.4g} ms, {1e3 * ms / n:>8.4g} us per body" for n, ms in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    programs = [p for p in ("sarrus", "simbody", "mujoco") if (options.bin / f"bench_loops_{p}").exists()]
    best = {}
    for _ in range(options.rounds):
        cases = [(p, problem) for p in programs for problem in PROBLEMS]
        random.shuffle(cases)
        for program, problem in cases:
            for row in measure(options.bin, program, problem, 0.5):
                keep_fastest(best, row)
        if "sarrus" in programs:
            for N in (10, 30, 100, 300, 1000):
                for row in measure(options.bin, "sarrus", f"grow_{N}", 0.5):
                    keep_fastest(best, row)
    shown = {key: row for key, row in best.items() if not key[0].startswith("grow")}
    text = heading(options.bin, options.rounds)[:-1] + [f"command   benchmarks/loops.py, {options.rounds} rounds, load at the end {os.getloadavg()[0]:.1f}", ""] + table(shown) + sorted(MISSED) + ["", "Sarrus, N four-bars for 0.5 s with steps of 5 ms:"] + growth(best)
    print("\n".join(text))
    if options.out:
        folder = options.out / re.sub(r"[^a-z0-9]+", "-", processor().lower()).strip("-")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "loops.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
        with open(folder / "loops.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(best[key] for key in sorted(best))


if __name__ == "__main__":
    main()
