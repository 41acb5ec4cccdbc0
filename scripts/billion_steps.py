#!/usr/bin/env python3
"""A billion steps of the discrete formulation: memory stays flat, time exact, and the pace the same.

    python3 scripts/billion_steps.py build/release/apps/sarrus/sarrus [--steps 1000000000]

Runs a rod on a hinge in steps of a microsecond and looks at the process every few seconds: resident memory,
processor time, rows written. Fails where memory grows after the first tenth, where the last row is not at the
last step, or where the last third takes a tenth longer per row than the first.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MODEL = """
sarrus = 1
name = "rod"
[[body]]
name = "rod"
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.0833, 0.0833]
[[joint]]
name = "hinge"
type = "revolute"
child = "rod"
axis = "y"
q = 0.5
[simulate]
formulation = "discrete"
step = 1e-6
"""


def looks(process):
    """Resident memory [kB] and processor time [s] of a process."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    resident = int(status.split("VmRSS:")[1].split()[0])
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return resident, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sarrus")
    parser.add_argument("--steps", type=int, default=1_000_000_000)
    a = parser.parse_args()
    until = a.steps * 1e-6
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "rod.toml"
        model.write_text(MODEL + f"until = {until!r}\noutput_step = {until / 100!r}\n")
        result = pathlib.Path(folder) / "run" / "result.sarrus"
        run = subprocess.Popen([a.sarrus, "run", str(model), "-o", str(result.parent), "--quiet"])
        seen = []  # memory, processor time, bytes written
        while run.poll() is None:
            time.sleep(0.5)
            try:
                seen.append((*looks(run.pid), result.stat().st_size))
            except (OSError, IndexError):
                pass  # not begun yet, or ended just now
        if run.returncode:
            sys.exit(f"the run ended with {run.returncode}")
        table = pathlib.Path(folder) / "rod.csv"
        subprocess.run([a.sarrus, "export", str(result.parent), "--csv", str(table), "--quiet"], check=True)
        with table.open() as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
    last = float(rows[-1][0])
    memory = [m for m, _, _ in seen[len(seen) // 10:]]
    print(f"{a.steps} steps in {seen[-1][1]:.0f} s of processor time, {a.steps / seen[-1][1]:.3g} steps/s")
    print(f"memory {min(memory)} to {max(memory)} kB, last row at {last!r} s of {until!r}")
    third = len(seen) // 3
    pace = [(b[1] - a[1]) / max(1, b[2] - a[2]) for a, b in ((seen[third // 3], seen[third]), (seen[-third], seen[-1]))]
    print(f"processor time per row: {pace[1] / pace[0]:.2f} of that at the beginning")
    if max(memory) > 1.02 * min(memory) or last != until or pace[1] > 1.1 * pace[0]:
        sys.exit("memory, time or pace is not what it should be")


if __name__ == "__main__":
    main()
