#!/usr/bin/env python3
"""Random models whose inputs start late, are short, have kinks or repeat: is any of it missed?

Each model is a mass on a rail, a pendulum, two of them, or a pendulum under a cart, with a force or a
prescribed motion from a list of such inputs, and some with stops, friction, events and forces that switch
with the state. It is run as a user would, and once more with another formulation, another integrator, a tighter
tolerance and steps bounded by hand to a fraction of its shortest input. Both must end at the same place, with
as many events, and with an energy account that closes; where they do not, a tighter tolerance tells an error of the
method from an input that was stepped over.

    scripts/random_inputs.py build/release/apps/sarrus/sarrus --count 400
"""
import argparse
import concurrent.futures
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

RTOL = 1e-9        # of the run that is judged
AGREEMENT = 1e-5   # of the size of a quantity: a switch or a stop passes on an error of 1e-9 multiplied
ACCOUNT = 1e-7     # of the energy that was exchanged


def timed_input(rng):
    """A force of time: its text, its tables, and its shortest part."""
    a, w = rng.uniform(0.5, 4), 10 ** rng.uniform(-2.7, -0.3)
    F = rng.uniform(0.2, 1.5) / w
    b = a + w
    kind = rng.randrange(8)
    if kind == 0:
        return f"{F}*pulse(t, {a}, {b})", "", w
    if kind == 1:
        return f"{F}*(ramp(t, {a}, 0, {b}, 1) - pulse(t, {b}, 1e9))", "", w
    if kind == 2:
        return f"{F}*max(0, 1 - abs(t - {a + w / 2})/{w / 2})", "", w
    if kind == 3:
        return f"if(t < {a}, 0, if(t < {b}, {F}, 0))", "", w
    if kind == 4:
        return f"{F}*abs(sin(pi*(t - {a})/{w / 2}))*pulse(t, {a}, {b})", "", w / 2
    if kind == 5:
        return f"{F}*mod(t - {a}, {w / 3})/{w / 3}*pulse(t, {a}, {b})", "", w / 3
    if kind == 6:
        return f"{F}*(step(t, {a}, 0, {a + w / 2}, 1) - step(t, {a + w / 2}, 0, {b}, 1))", "", w / 2
    style = rng.choice(["linear", "cubic"])
    table = (f'[[table]]\nname = "bump"\ninterpolation = "{style}"\n'
             f"points = [[0, 0], [{a}, 0], [{a + w / 2}, {F}], [{b}, 0], [10, 0]]\n")
    return "bump(t)", table, w / 2


def timed_motion(rng):
    """A prescribed motion with corners."""
    a, w = rng.uniform(0.5, 3), 10 ** rng.uniform(-1.5, 0)
    way = rng.uniform(0.02, 0.2)
    return rng.choice([f"ramp(t, {a}, 0, {a + w}, {way})", f"{way}*max(0, 1 - abs(t - {a + w})/{w})",
                       f"step(t, {a}, 0, {a + w}, {way})", f"{way}*abs(sin({rng.uniform(1, 4)}*t))"]), w


def body(name, mass, com=None):
    inertia = f"[{0.02 * mass}, {0.02 * mass}, {0.02 * mass}]"
    at = f"com = [0, 0, {-com}]\n" if com else ""
    return f'[[body]]\nname = "{name}"\nmass = {mass}\n{at}inertia = {inertia}\n'


def switching(rng, joint):
    """A force that switches with the state, and gives nothing back that would hold it at the switch."""
    k, at = rng.uniform(1, 20), rng.uniform(-0.1, 0.2)
    return rng.choice(["", "", f" - {k}*max({joint}.q - {at}, 0)", f" - 0.3*{joint}.u*abs({joint}.u)",
                       f" - clamp({k}*{joint}.q, -1, 1)", f" - if({joint}.q > {at}, {k / 10}, 0)"])


def model(seed):
    rng = random.Random(seed)
    force, tables, shortest = timed_input(rng)
    kind = rng.choice(["rail", "pendulum", "double", "cart"])
    extra = ""
    if rng.random() < 0.4:
        extra += f"friction = {{ force = {rng.uniform(0.02, 0.3)}, speed = 0.05 }}\n"
    if kind in ("rail", "pendulum") and rng.random() < 0.4:
        extra += (f"limits = [{-rng.uniform(0.2, 0.5)}, {rng.uniform(0.3, 0.6)}]\nlimit_stiffness = 1e3\n"
                  f"limit_damping = {rng.choice([0, 1, 5])}\n")
    text = "sarrus = 1\n" + tables
    if kind == "rail":
        spring = f" - {rng.uniform(1, 30)}*rail.q" if rng.random() < 0.7 else ""
        text += body("block", rng.uniform(0.5, 3))
        text += ('[[joint]]\nname = "rail"\ntype = "prismatic"\naxis = "x"\nchild = "block"\n'
                 f'force = "{force}{spring}{switching(rng, "rail")}"\n{extra}')
        watched = "rail"
    elif kind == "cart":
        motion, short = timed_motion(rng)
        shortest, text = short, "sarrus = 1\n"
        text += body("cart", 1) + body("bob", 1, 0.7)
        text += (f'[[joint]]\nname = "rail"\ntype = "prismatic"\naxis = "x"\nchild = "cart"\nmotion = "{motion}"\n'
                 f'[[joint]]\nname = "hinge"\ntype = "revolute"\naxis = "y"\nparent = "cart"\nchild = "bob"\n'
                 f"damper = 0.1\n{extra}")
        watched = "hinge"
    else:
        text += body("upper", 1, 0.6)
        text += ('[[joint]]\nname = "hinge"\ntype = "revolute"\naxis = "y"\nchild = "upper"\n'
                 f'force = "{force}{switching(rng, "hinge")}"\ndamper = 0.1\n{extra}')
        watched = "hinge"
        if kind == "double":
            text += body("lower", 0.4, 0.3)
            text += ('[[joint]]\nname = "knee"\ntype = "revolute"\naxis = "y"\nparent = "upper"\nchild = "lower"\n'
                     "on_parent = { at = [0, 0, -0.8] }\ndamper = 0.05\n")
    text += f'[[event]]\nname = "passes"\nwhen = "{watched}.q - 0.0123"\n'
    text += "[simulate]\nuntil = 6\noutput_step = 0.5\n"
    return text, shortest, watched


def run(sarrus, folder, name, file, *flags):
    out = os.path.join(folder, name)
    done = subprocess.run([sarrus, "run", file, "-o", out, "--json", "--no-estimate", *flags],
                          capture_output=True, text=True)
    if not done.stdout.strip().startswith("{"):
        raise RuntimeError(done.stderr)
    summary = json.loads(done.stdout)
    if summary["status"] != "done":
        raise RuntimeError("; ".join(d["message"] for d in summary["diagnostics"] if d["severity"] == "error"))
    text = subprocess.run([sarrus, "export", out, "--csv", "-"], capture_output=True, text=True).stdout
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    return summary, [{k.split()[0].split("[")[0]: float(v) for k, v in row.items()} for row in rows]


def difference(judged, bounded, watched):
    """What parts a run from the one with bounded steps, or ""."""
    (summary, rows), (by_hand, exact) = judged, bounded
    for column in (f"{watched}.q", f"{watched}.u"):
        size = max(max(abs(row[column]) for row in exact), 1e-3)
        worst = max(abs(a[column] - b[column]) for a, b in zip(rows, exact))
        if not worst <= AGREEMENT * size:
            return f"{column} is off by {worst:.1e} of {size:.1e}"
    if len(summary["events"]) != len(by_hand["events"]):
        return f"{len(summary['events'])} events, {len(by_hand['events'])} with bounded steps"
    energy = summary["energy"]
    scale = max(abs(energy[k]) for k in ("kinetic", "potential", "dissipated", "drive", "external", "exchanged"))
    if not abs(energy["closure"]) <= ACCOUNT * max(scale, 1e-6):
        return f"the account is open by {energy['closure']:.1e} J of {scale:.1e} J"
    return ""


def judge(sarrus, seed):
    """What is wrong with this model's run, or "", and whether a tighter tolerance mends it: an error of
    the method falls with it, an input that was stepped over stays away."""
    text, shortest, watched = model(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "model.toml")
        with open(file, "w") as f:
            f.write(text)
        try:
            bounded = run(sarrus, folder, "by_hand", file, "--formulation", "hamiltonian", "--integrator",
                          "dopri5", "--rtol", "1e-11", "--max-step", str(shortest / 10))
            found = difference(run(sarrus, folder, "judged", file, "--rtol", str(RTOL)), bounded, watched)
            if not found:
                return "", False
            again = difference(run(sarrus, folder, "tighter", file, "--rtol", str(RTOL / 100)), bounded, watched)
        except RuntimeError as problem:
            return f"seed {seed}: {problem}", False
    return f"seed {seed}: {found}", not again


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("sarrus")
    arguments.add_argument("--count", type=int, default=400)
    arguments.add_argument("--first", type=int, default=1, help="first seed")
    arguments.add_argument("--show", type=int, help="print the model of this seed and end")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    if options.show is not None:
        print(model(options.show)[0])
        return 0
    seeds = range(options.first, options.first + options.count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = [f for f in pool.map(lambda s: judge(options.sarrus, s), seeds) if f[0]]
    faults = [text for text, mended in found if not mended]
    mended = [f"{text}; not so at rtol {RTOL / 100:g}" for text, mended in found if mended]
    print("\n".join(faults + mended + [f"{len(seeds) - len(found)} of {len(seeds)} models agree, {len(mended)} more "
                                       "with a tighter tolerance"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
