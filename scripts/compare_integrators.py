#!/usr/bin/env python3
"""Sets `auto` against every adaptive integrator chosen by hand, at the same error, over the examples.

  python3 scripts/compare_integrators.py SARRUS [--markdown FILE] [--only NAME …] [--limit SECONDS]

Every example is run with each method at tolerances from 1e-5 to 1e-11, and with `auto` at 1e-6 and
1e-9. The error of a run is the largest difference of any column but energies from a run of dop853 at
1e-13, over all rows, in units of the largest value of columns of that unit. For each run of `auto` the
cost of a method at the same error follows by interpolation between its tolerances, both logarithmic.
Costs are evaluations of the equations of motion, and processor time of the whole command, start and
rows included: what a user waits for.
"""
import argparse
import csv
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHODS = ["dop853", "dopri5", "sdirk4", "radau", "cvode"]
TOLERANCES = [1e-5, 1e-7, 1e-9, 1e-11]
AUTO = [1e-6, 1e-9]


def run(program, model, method, rtol, folder, limit):
    """Evaluations, processor time and rows of one run; None where it failed or took too long."""
    command = [program, "run", str(model), "--integrator", method, "--rtol", str(rtol), "--json",
               "--no-estimate", "-o", str(folder / "out"), "--replace", "--csv",
               str(folder / "rows.csv"), "--max-wall", str(limit)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None
    summary = json.loads(done.stdout)
    with open(folder / "rows.csv", encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names, rows = rows[0], [[float(x) for x in row] for row in rows[1:] if row]
    keep = [i for i, name in enumerate(names) if i > 0 and not name.startswith("energy.")]
    units = [names[i].partition("[")[2] or names[i].rsplit(".", 1)[-1][:1] for i in keep]
    return {"evaluations": summary["evaluations"], "cpu": max(1e-3, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime),
            "steps": summary["steps"], "notes": summary["diagnostics"],
            "units": units, "rows": [[row[i] for i in keep] for row in rows]}


def error(run_, exact):
    """Largest difference of any column, of the largest value in columns of that unit."""
    rows, right, units = run_["rows"], exact["rows"], exact["units"]
    if len(rows) != len(right) or not units:
        return math.inf
    size = {}
    for row in right:
        for unit, x in zip(units, row):
            size[unit] = max(size.get(unit, 1e-9), abs(x))
    return max(abs(a - b) / size[u] for row, other in zip(rows, right) for a, b, u in zip(row, other, units))


def cost_at(points, wanted):
    """Cost at an error, from [(error, cost)]: interpolated, or of the cheapest run that is better."""
    points = sorted((p for p in points if math.isfinite(p[0])), key=lambda p: p[0])
    better = [cost for e, cost in points if e <= wanted]
    if not better:
        return math.inf
    found = min(better)
    for (e0, c0), (e1, c1) in zip(points, points[1:]):
        if e0 <= wanted <= e1 and e0 > 0 and e1 > e0:
            share = (math.log(wanted) - math.log(e0)) / (math.log(e1) - math.log(e0))
            found = min(found, math.exp(math.log(c0) + share * (math.log(c1) - math.log(c0))))
    return found


def compare(program, model, limit):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        exact = run(program, model, "dop853", 1e-13, folder, limit) or \
            run(program, model, "radau", 1e-12, folder, limit)
        if not exact:
            return None
        tried = {m: [] for m in METHODS}
        for method in METHODS:
            for rtol in TOLERANCES:
                done = run(program, model, method, rtol, folder, limit)
                if not done:
                    break  # a tighter one takes longer
                tried[method].append((error(done, exact), done["evaluations"], done["cpu"]))
        found = []
        for rtol in AUTO:
            done = run(program, model, "auto", rtol, folder, limit)
            if not done:
                found.append({"rtol": rtol, "best": ""})
                continue
            e = max(error(done, exact), 1e-12)
            by_time = {m: cost_at([(x[0], x[2]) for x in points], e) for m, points in tried.items()}
            by_count = {m: cost_at([(x[0], x[1]) for x in points], e) for m, points in tried.items()}
            best, fewest = min(by_time, key=by_time.get), min(by_count, key=by_count.get)
            words = [n["message"] for n in done["notes"] if n.get("code") == "integrator-chosen"]
            found.append({"rtol": rtol, "error": e, "evaluations": done["evaluations"], "cpu": done["cpu"],
                          "best": best, "ratio": done["cpu"] / by_time[best], "fewest": fewest,
                          "count_ratio": done["evaluations"] / by_count[fewest],
                          "chosen": words[0].split(":")[0] if words else ""})
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--limit", type=float, default=20, help="[s] of one run")
    args = parser.parse_args()
    models = sorted(p for p in ROOT.glob("examples/*/model.toml") if not args.only or p.parent.name in args.only)
    lines, ratios = [], []
    for model in models:
        if "formulation = \"discrete\"" in model.read_text(encoding="utf-8"):
            continue
        found = compare(args.program, model, args.limit)
        if not found:
            print(f"{model.parent.name}: no reference", flush=True)
            continue
        for f in found:
            if f["best"] == "":
                print(f"{model.parent.name}: auto at {f['rtol']:g} failed", flush=True)
                continue
            ratios.append(f["ratio"])
            lines.append(f"| {model.parent.name} | {f['rtol']:g} | {f['error']:.1e} | {f['chosen']} | "
                         f"{f['evaluations']:,} | {f['fewest']} | {f['count_ratio']:.2f} | "
                         f"{1e3 * f['cpu']:.0f} | {f['best']} | {f['ratio']:.2f} |")
            print(lines[-1], flush=True)
    within = sum(r <= 1.5 for r in ratios)
    end = f"{within} of {len(ratios)} within 1.5 times the best, {sum(r > 5 for r in ratios)} over 5 times"
    print(end)
    if args.markdown:
        head = ["| example | rtol | error | chosen | evaluations | fewest by hand | ratio | time [ms] | "
                "fastest by hand | ratio |", "| --- " * 10 + "|"]
        args.markdown.write_text("\n".join(head + lines + ["", end, ""]), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
