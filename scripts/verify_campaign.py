#!/usr/bin/env python3
"""Are the digits that `sarrus verify` claims there? Random models, with inputs that are late, short or kinked, and smooth ones.

Each model is verified. Where it agrees, the run of `recursive` is repeated with the settings that verify prints, and held against a
reference of another formulation, with the tightest tolerance and steps of a fraction of its shortest input; a second reference by another
integrator tells how many digits the first has. The digits that both share are the true ones, of each joint's position and speed; those that verify claims of the same quantities must not be more by over
half a digit, and should not be fewer by over three. A verdict "disagrees" is a fault of its own: the models are what they are.

    scripts/verify_campaign.py build/release/apps/sarrus/sarrus --kinked 200 --smooth 100
"""
import argparse
import concurrent.futures
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import random_inputs

TOO_MANY, TOO_FEW = 0.5, 3.0  # digits
ROUNDED = 14.0                # digits beyond which runs differ by the rounding of their steps
MARGIN = 0.5                  # digits by which two references may be nearer to each other than to the truth


def smooth_model(seed):
    """Chains and slides under gravity, springs, dampers and smooth forces."""
    rng = random.Random(1000003 * seed)
    text, parent, count = "sarrus = 1\n", "world", rng.randrange(1, 4)
    for i in range(count):
        name = f"b{i}"
        text += random_inputs.body(name, rng.uniform(0.3, 3), rng.uniform(0.1, 0.8))
        kind = rng.choice(["revolute", "revolute", "prismatic", "spherical", "universal"])
        text += f'[[joint]]\nname = "j{i}"\ntype = "{kind}"\nparent = "{parent}"\nchild = "{name}"\n'
        if kind != "spherical":
            text += f'axis = "{rng.choice("xyz")}"\n'
        if kind == "universal":
            text = text[: text.rindex("axis")] + 'axis = "x"\naxis2 = "y"\n'
        if parent != "world":
            text += f"on_parent = {{ at = [{rng.uniform(-0.2, 0.2)}, 0, {-rng.uniform(0.1, 0.9)}] }}\n"
        if kind in ("revolute", "prismatic"):
            text += f"q = {rng.uniform(-0.8, 0.8)}\nu = {rng.uniform(-2, 2)}\n"
            if kind == "prismatic" or rng.random() < 0.3:
                text += f"spring = {{ k = {rng.uniform(5, 200)} }}\n"
            if rng.random() < 0.5:
                text += f"damper = {rng.uniform(0, 0.5)}\n"
            if rng.random() < 0.4:
                text += f'force = "{rng.uniform(0.1, 3)}*sin({rng.uniform(0.5, 6)}*t)"\n'
        parent = name
    return text + f"[simulate]\nuntil = {rng.uniform(0.5, 2.5)}\n", 0.1


def kinked_model(seed):
    text, shortest, _ = random_inputs.model(seed)
    return text, shortest


def digits_of(truth, rows, column):
    size = max(abs(row[column]) for row in truth)
    if size == 0:
        return None
    wrong = max(abs(a[column] - b[column]) for a, b in zip(rows, truth)) / size
    return -math.log10(max(wrong, 1e-16))


def judge(sarrus, make, seed, budget):
    """(verdict, claimed minus true digits of the quantity that is worst off, words)"""
    text, shortest = make(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "model.toml")
        with open(file, "w") as f:
            f.write(text)
        done = subprocess.run([sarrus, "verify", file, "--json", "--budget", str(budget)], capture_output=True, text=True)
        if not done.stdout.strip().startswith("{"):
            return "refused", None, done.stderr.strip()
        v = json.loads(done.stdout)["verify"]
        if v["verdict"] != "agrees":
            return v["verdict"], None, v["sentence"]
        best = next(f for f in v["formulations"] if f["name"] == "recursive")
        rtol, longest = re.search(r"rtol (\S+),", best["setting"])[1], re.search(r"max_step (\S+) s", best["setting"])[1]
        span = v["until"] - v["start"]
        common = ["--until", str(v["until"]), "--output-step", str(span / 20)]
        try:
            _, rows = random_inputs.run(sarrus, folder, "judged", file, "--formulation", "recursive", "--integrator",
                                        best["integrator"], "--rtol", rtol, "--max-step", longest, *common)
            step = min(shortest / 20, span / 500)
            truth, second = (random_inputs.run(sarrus, folder, "truth", file, "--formulation", "hamiltonian", "--integrator", method,
                                               "--rtol", "1e-13", "--max-step", str(longest_step), *common)[1]
                             for method, longest_step in (("dop853", step), ("dopri5", step / 2)))
        except RuntimeError as problem:
            return "no reference", None, str(problem)
        worst, words = -math.inf, ""
        for q in v["quantities"]:
            name = q["quantity"]
            columns = [c for c in truth[0] if c == name or re.fullmatch(re.escape(name) + r"\d", c)]
            if not re.search(r"\.[qu]$", name) or not columns:
                continue
            true = [d for d in (digits_of(truth, rows, c) for c in columns) if d is not None]
            if not true:
                continue
            known = min(min(digits_of(truth, second, c) or 16 for c in columns) - MARGIN, ROUNDED)
            excess = min(q["digits"], known) - min(min(true), known)
            if excess > worst:
                worst, words = excess, f"{name}: {q['digits']} claimed, {min(true):.1f} true"
        return "agrees", worst, words


def campaign(sarrus, name, make, count, jobs, budget):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda s: judge(sarrus, make, s, budget), range(1, count + 1)))
    verdicts = {}
    for verdict, _, _ in found:
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
    judged = [(seed, excess, words) for seed, (verdict, excess, words) in enumerate(found, 1)
              if verdict == "agrees" and excess > -math.inf]
    over = [x for x in judged if x[1] > TOO_MANY]
    under = [x for x in judged if x[1] < -TOO_FEW]
    print(f"{name}: {verdicts}; of {len(judged)} that agree {len(over)} claim too many digits, {len(under)} far too few")
    for seed, _, words in over:
        print(f"  seed {seed} claims too many: {words}")
    for seed, (verdict, _, words) in enumerate(found, 1):
        if verdict in ("disagrees", "refused", "no reference"):
            print(f"  seed {seed}: {verdict}: {words}")
    return over or verdicts.get("disagrees", 0)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("sarrus")
    arguments.add_argument("--kinked", type=int, default=200)
    arguments.add_argument("--smooth", type=int, default=100)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--budget", type=float, default=3, help="of verify [s]")
    options = arguments.parse_args()
    faults = [campaign(options.sarrus, name, make, count, options.jobs, options.budget)
              for name, make, count in (("kinked", kinked_model, options.kinked), ("smooth", smooth_model, options.smooth)) if count]
    return 1 if any(faults) else 0


if __name__ == "__main__":
    sys.exit(main())
