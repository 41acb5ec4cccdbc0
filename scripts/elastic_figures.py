#!/usr/bin/env python3
"""The figures of docs/theory/elastic.md: convergence over the number of functions, frequencies of a blade over its speed, a beam spun up with and without stiffening.

    python3 scripts/elastic_figures.py build/release/apps/sarrus/sarrus [--out docs/theory/pictures]

Prints the errors that are drawn. References: flap frequencies at 10 rad/s from a Galerkin solution with 16 functions (Wright, Smith, Thresher & Wang 1982 have the same to four decimals);
a tip force bends a cantilever by F L³/3EI with the root moment F L.
"""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parent))
import line_chart

ROOT = pathlib.Path(__file__).parents[1]
FLAP_AT_10 = (11.20232776, 33.64036585, 74.64929460)
NUMBERS = {"polynomial": range(1, 11), "cantilever": range(1, 11)}
EXAMPLES = ROOT / "examples"


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, pathlib.Path(folder)

    def model(self, text):
        path = self.folder / "model.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def call(self, *words):
        return subprocess.run([self.path, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def modes(self, text, *words):
        return json.loads(self.call("modes", self.model(text), "-o", self.folder / "modes", "--replace", "--json", *words))["modes"]

    def run(self, text, columns, *words):
        """Columns of a run, the time first."""
        self.call("run", self.model(text), "-o", self.folder / "run", "--force", "-q", *words)
        rows = csv.reader(io.StringIO(self.call("export", self.folder / "run", "--csv", "-", "--columns", columns)))
        next(rows)
        return list(zip(*[[float(x) for x in row] for row in rows]))


def ritz_frequencies(program):
    """Errors of the first flap frequencies at 10 rad/s over the number of functions."""
    model = (EXAMPLES / "rotating_blade/model.toml").read_text(encoding="utf-8")
    start = model[model.index("q = ["):model.index("\n", model.index("q = ["))]
    charts = []
    for basis, numbers in NUMBERS.items():
        chart = line_chart.Chart(f"{basis}: error of flap frequencies at 10 rad/s", "functions", "relative error", log_y=True)
        errors = {k: ([], []) for k in range(len(FLAP_AT_10))}
        for n in numbers:
            found = program.modes(model.replace(start, f'deforms = ["z"]\nbasis = "{basis}"').replace("modes = 8", f"modes = {n}"), "--set", "speed=10")
            for k, exact in enumerate(FLAP_AT_10[:n]):
                errors[k][0].append(n)
                errors[k][1].append(max(abs(found[k]["omega"] / exact - 1), 1e-10))
        for k, (x, y) in errors.items():
            chart.line(f"flap {k + 1}", x, y)
            print(f"{basis:12} flap {k + 1}: " + " ".join(f"{a}:{b:.1e}" for a, b in zip(x, y)))
        charts.append(chart)
    return charts


STATIC = """sarrus = 1
gravity = [0, 0, 0]
[[body]]
name = "beam"
[body.elastic]
length = 1
section = {{ area = 1e-4, Iy = 1e-9, Iz = 1e-9 }}
material = {{ E = 1e9, density = 1000 }}
deforms = ["z"]
basis = "{basis}"
modes = {n}
[[joint]]
name = "wall"
type = "fixed"
child = "beam"
[[force]]
name = "pull"
body = "beam"
at = [1, 0, 0]
force = [0, 0, 1e-6]
[[sensor]]
name = "tip"
body = "beam"
at = [1, 0, 0]
[[sensor]]
name = "root"
body = "beam"
at = [0, 0, 0]
section = true
"""


def ritz_statics(program):
    """Errors of deflection and root moment of a cantilever under a force at its tip."""
    charts = [line_chart.Chart("Force at the tip: error of the deflection", "functions", "relative error", log_y=True),
              line_chart.Chart("Force at the tip: error of the root moment", "functions", "relative error", log_y=True)]
    for basis, numbers in NUMBERS.items():
        lines = ([], [])
        for n in numbers:
            found = json.loads(program.call("equilibrium", program.model(STATIC.format(basis=basis, n=n)), "--json"))
            values = found["equilibria"][0]["values"]
            for line, value in zip(lines, (values["tip.z"] / (1e-6 / 3), -values["root.My"] / 1e-6)):
                line.append(max(abs(value - 1), 1e-12))
        for chart, line, what in zip(charts, lines, ("deflection", "root moment")):
            chart.line(basis, list(numbers), line)
            print(f"{basis:12} {what}: " + " ".join(f"{a}:{b:.1e}" for a, b in zip(numbers, line)))
    return charts


def campbell(program):
    """Lag and flap of the blade over its speed."""
    program.modes((EXAMPLES / "rotating_blade/model.toml").read_text(encoding="utf-8"), "--campbell", "speed=0:12:25")
    rows = list(csv.DictReader(open(program.folder / "modes/campbell.csv", encoding="utf-8")))
    speed = [float(r["speed"]) for r in rows]
    chart = line_chart.Chart("Blade: frequencies over speed", "Ω [rad/s]", "ω [rad/s]; dots: table of Wright et al.")
    for k, name in enumerate(("lag 1", "flap 1", "lag 2", "flap 2"), 1):
        chart.line(name, speed, [float(r[f"mode{k}.imaginary[rad/s]"]) for r in rows])
    table = {0: (3.516015, 22.034492), 2: (4.137320, 22.614922), 4: (5.585001, 24.273349), 6: (7.360373, 26.809082), 8: (9.256838, 29.995382), 10: (11.202328, 33.640366), 12: (13.170150, 37.603112)}
    for k in (0, 1):
        chart.line("", list(table), [row[k] for row in table.values()], dots=True)
    return chart


def spin_up(program):
    """Lag of the tip with stiffening, and without until it has left the picture."""
    model = (EXAMPLES / "spin_up/model.toml").read_text(encoding="utf-8")
    chart = line_chart.Chart("Spin-up: lag of the tip", "t [s]", "lag [m]; dots: geometrically exact beam")
    chart.line("stiffening = true", *program.run(model, "lag"))
    t, lag = program.run(model.replace("stiffening = true", "stiffening = false"), "lag", "--until", "7.2")
    chart.line("stiffening = false", t, lag)
    chart.line("", [5, 7.5, 10], [-0.46849, -0.55907, -0.36294], dots=True)
    return chart


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs/theory/pictures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.program, folder)
        line_chart.write(options.out / "ritz_convergence.svg", ritz_frequencies(program) + ritz_statics(program))
        line_chart.write(options.out / "stiffening.svg", [campbell(program), spin_up(program)])


main()
