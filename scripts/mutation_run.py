"""Plants one fault at a time in the equations and asks `sarrus verify --suite` to find it.

    scripts/mutation_run.py [--work FOLDER] [--jobs N] [--only WORD] [--csv FILE]
    scripts/mutation_run.py --check      builds nothing, only asks whether every line is still there

A fault is one line of a kernel changed: a sign, an order, a term left out. All of them are planted into a copy of
the sources in the work folder, each behind a switch, so that the program is built once; SARRUS_FAULT=k in the
environment turns on the k-th. For each one the short suite runs until its first problem: over the examples that are
likely to show it, then over all, then the whole suite. A fault is caught where a suite ends with an exit code other
than 0. The script ends with 1 where a fault is not caught, or where a line that it changes is not found any more.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = "sarrus/formulations/tree/tree_kernels.inl"
MOMENTA = "sarrus/formulations/tree/momentum_kernels.inl"
ROWS = "sarrus/formulations/energy/energy_rows.cpp"
NULL = "sarrus/formulations/ode/nullspace.cpp"
LOOPS = "sarrus/formulations/stages/closed_loops.cpp"
BODIES = "sarrus/formulations/graph/discrete_kernels.inl"
UNDECIDED = 10  # exit code
FOLDER = "build/faults"  # of the build, in the copy

ENERGIES = "sarrus/formulations/stages/energies.cpp"
ELASTIC = "sarrus/formulations/tree/elastic_kernels.inl"
SWITCH = NULL  # the file in which the switch is defined


class Fault:
    """What is written in a file and what stands there with the fault: a statement, or an expression of a type."""

    def __init__(self, formulation, file, old, new, words, which=None, kind="", near="double_pendulum"):
        self.formulation, self.file, self.old, self.new, self.words = formulation, file, old, new, words
        self.which = which  # of several places; None: there must be one
        self.kind = kind  # the type that both expressions become
        self.near = near.split()  # examples that are looked at first

    def planted(self, k):
        if self.old.endswith(";"):
            return f"{{ if (sarrus_fault == {k}) {{ {self.new} }} else {{ {self.old} }} }}"
        return f"(sarrus_fault == {k} ? {self.kind}({self.new}) : {self.kind}({self.old}))"


FAULTS = [
    Fault("recursive", TREE, "v.p[i] = cross_force(B.V, I * B.V);", "v.p[i] = cross_force(B.V, I * B.V) * T(-1.0);",
          "sign of the gyroscopic force", near="heavy_top torque_free_body"),
    Fault("recursive", TREE, "pa += Ia * given_bias<J>(v, i);", "pa += v.IA[i] * given_bias<J>(v, i);", "bias with the wrong inertia"),
    Fault("recursive", TREE, "for (int k = 0; k < J::nu; ++k) pa += f[k].U * (w[k] * f[k].inverse);",
          "for (int k = 0; k < J::nu; ++k) pa -= f[k].U * (w[k] * f[k].inverse);", "sign of what a joint passes on"),
    Fault("recursive", TREE, "shifted_out(v.A[v.parent[i]], v.arm[i].r) + given_bias<J>(v, i)",
          "shifted_out(v.A[v.parent[i]], v.arm[i].r)",
          "bias of accelerations left out"),
    Fault("recursive", TREE, "arm.c = {cross(B.V.w, spin), cross(B.V.v, spin)};",
          "arm.c = {cross(B.V.w, spin), cross(spin, B.V.v)};", "sign in the bias of a hinge"),
    Fault("recursive", TREE, "arm.c = {zero3<T>(), cross(B.V.w, slip)};", "arm.c = {zero3<T>(), cross(slip, B.V.w)};",
          "sign in the bias of a slide", near="crane stewart"),
    Fault("recursive", TREE, "arm.c = cross_motion(B.V, own);", "arm.c = cross_motion(own, B.V);",
          "order of a product in the bias of other joints", near="heavy_top spherical_chain"),
    Fault("recursive", TREE, "for (int k = 0; k < J::nu; ++k) arm.c += rates[k] * u[k];",
          "for (int k = 0; k < J::nu; ++k) arm.c += rates[k] * -u[k];", "sign of the rates of columns", near="crane rolling_coin"),
    Fault("recursive", TREE, "if (v.wrench) v.p[i] -= v.wrench[i];", "if (v.wrench) v.p[i] += v.wrench[i];",
          "sign of forces on bodies", near="tethered_pair five_mass", which=0),
    Fault("recursive", TREE, "v.p[P] += shifted_in(pa, v.arm[i].r);", "v.p[P] += pa;", "lever of a force left out"),
    Fault("recursive", TREE, "v.A[0] = {zero3<T>(), -v.gravity};", "v.A[0] = {zero3<T>(), v.gravity};", "sign of gravity", which=0),
    Fault("recursive", TREE, "for (int k = 0; k < J::nu; ++k) c += v.S[v.u0[i] + k] * v.udot_given[v.u0[i] + k];",
          "for (int k = 0; k < J::nu; ++k) c += v.S[v.u0[i] + k] * -v.udot_given[v.u0[i] + k];", "sign of a prescribed acceleration", near="spin_up crane"),
    Fault("hamiltonian", MOMENTA, "for (int k = 0; k < J::nu; ++k) eta += f[k].U * (w[k] * f[k].inverse);",
          "for (int k = 0; k < J::nu; ++k) eta -= f[k].U * (w[k] * f[k].inverse);", "sign of what a joint passes on"),
    Fault("hamiltonian", MOMENTA, "dot(cross(B.V.w, S[k].w), h.n) + dot(cross(B.V.v, S[k].w), h.f)",
          "dot(cross(B.V.w, S[k].w), h.n) - dot(cross(B.V.v, S[k].w), h.f)", "sign in the slope of the energy, hinges"),
    Fault("hamiltonian", MOMENTA, "dT[v.u0[i] + k] = dot(cross_motion(B.V, S[k]), h);",
          "dT[v.u0[i] + k] = dot(cross_motion(S[k], B.V), h);", "order of a product in the slope of the energy", near="heavy_top spherical_chain"),
    Fault("hamiltonian", MOMENTA, "for (int k = 0; k < J::nu; ++k) dT[v.u0[i] + k] += dot(rates[k], h);",
          "for (int k = 0; k < J::nu; ++k) dT[v.u0[i] + k] -= dot(rates[k], h);", "sign of the rates of columns", near="crane rolling_coin"),
    Fault("hamiltonian", MOMENTA, "v.p[i] = {cross(v.motion[i].R * I.mc, v.gravity), v.gravity * I.m};",
          "v.p[i] = {zero3<T>(), v.gravity * I.m};", "weight without its lever"),
    Fault("hamiltonian", MOMENTA, "v.p[v.parent[i]] += shifted_in(v.p[i], v.arm[i].r);",
          "v.p[v.parent[i]] += v.p[i];", "forces carried on without a lever"),
    Fault("hamiltonian", MOMENTA, "v.IA[i] * B.V + v.p[i]", "v.IA[i] * B.V", "momentum of what is carried left out", near="bricard"),
    Fault("hamiltonian", MOMENTA, "for (int k = 0; k < J::nu; ++k) eta += (v.IA[i] * v.S[v.u0[i] + k]) * v.u[v.u0[i] + k];",
          "for (int k = 0; k < J::nu; ++k) eta -= (v.IA[i] * v.S[v.u0[i] + k]) * v.u[v.u0[i] + k];",
          "sign of the momentum of a prescribed joint", near="crane"),
    Fault("hamiltonian", MOMENTA, "pdot[u] = dT[u] + dot(v.S[u], v.p[i]) + v.tau[u];",
          "pdot[u] = dT[u] + dot(v.S[u], v.p[i]);", "joint forces left out", near="robot_arm van_holten_chain"),
    Fault("hamiltonian", LOOPS, "dot(cross_motion(r.k.body[i].V, S), h[i]) + dot(S, f[i])",
          "dot(cross_motion(r.k.body[i].V, S), h[i])", "rates of closing impulses left out", near="four_bar"),
    Fault("literal", ROWS, "0.5 * trace(I)", "trace(I)", "second moments from inertias, factor"),
    Fault("literal", ROWS, "times(from_centre, of_parent[n].dH)", "times(hinge_.e, of_parent[n].dH)", "lever from the wrong point"),
    Fault("literal", ROWS, "row.dR = times(k.x, row.dH) + times(hinge_.de[c], H_[P]);",
          "row.dR = times(k.x, row.dH) - times(hinge_.de[c], H_[P]);", "sign of a slide", near="suspension_corner"),
    Fault("literal", ROWS, "edot += hinge_.de[c] * u[k.u0 + c];", "edot -= hinge_.de[c] * u[k.u0 + c];", "sign of a sliding rate", near="crane"),
    Fault("literal", ROWS, "dot(MR, row[j].dR) + trace_product(JH, row[j].dH)", "dot(MR, row[j].dR)",
          "energy of rotation left out"),
    Fault("null space", NULL, "w.gamma[r] = -placed.acceleration(static_cast<int>(r), still.A.data(), w.given.data());",
          "w.gamma[r] = placed.acceleration(static_cast<int>(r), still.A.data(), w.given.data());", "sign of the bias of loops", near="four_bar"),
    Fault("null space", NULL, "w.force - w.M * w.particular", "w.force", "inertia of the particular solution left out", near="elastic_slider",
          kind="Eigen::VectorXd"),
    Fault("discrete", BODIES, "cross(B.w, l_b) - cross(A.w, l_a)", "cross(B.w, l_b) + cross(A.w, l_a)",
          "sign of a lever's velocity", near="andrews"),
    Fault("discrete", BODIES, "cross(l_a, f)", "cross(l_b, f)", "reaction at the wrong point", near="rolling_coin four_bar"),
    Fault("discrete", BODIES, "h * T(0.5)", "h * T(0.45)", "a turn too short", near="rolling_coin four_bar"),
    Fault("discrete", BODIES, "b.V += (F * b.inverse_mass + g) * h;", "b.V += (F * b.inverse_mass - g) * h;", "sign of gravity", near="rolling_coin"),
    Fault("discrete", BODIES, "Pi.z = Pi.z * C - Pi.y * S;", "Pi.z = Pi.z * C + Pi.y * S;", "sign in a turn of the momentum", near="heavy_top torque_free"),
    Fault("recursive", ELASTIC, "cross(P.w, slip.v) + bent.v - cross(slip.w, B.V.v)",
          "cross(P.w, slip.v) + bent.v + cross(slip.w, B.V.v)", "sign in the bias of a seat on an elastic body", near="elastic_double"),
    Fault("recursive", ELASTIC, "v.p[i] + v.IA[i] * given_seat_bias(v, i)", "v.p[i]", "bias of what an elastic body carries left out", near="elastic_double"),
    Fault("hamiltonian", ELASTIC, "cross(w, Y.v) + bent.v + cross(v.motion[i].V.v, Y.w)",
          "cross(w, Y.v) + bent.v - cross(v.motion[i].V.v, Y.w)", "sign in the rates of a seat's columns", near="elastic_double"),
    Fault("hamiltonian", ELASTIC, "pdot[u] = dT[u] + v.h[u] + dot(flex.coupling[k].f, v.gravity) + v.tau[u];",
          "pdot[u] = dT[u] + v.h[u] + v.tau[u];", "weight on elastic coordinates left out", near="elastic_double"),
    # shared by all formulations: found by audits and by the numbers of the examples
    Fault("all", ENERGIES, "k.body[i].o * I.m + k.body[i].R * I.mc", "k.body[i].o * I.m",
          "a potential whose slope is not the weight", kind="Vector3<T>"),
    Fault("all", ENERGIES, "sum += w.numbers().armature[j] * k.u[j] * k.u[j];", "sum -= w.numbers().armature[j] * k.u[j] * k.u[j];",
          "sign of an armature's energy", near="robot_arm"),
]


def copy_sources(source, planted):
    """The committed files and what was changed since, with the faults; what is as it was is not built again."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True).stdout.decode().split("\0")
    for name in filter(None, listed):
        if not (ROOT / name).is_file():
            continue
        target = source / name
        content = planted[name].encode() if name in planted else (ROOT / name).read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


def build(source, jobs):
    return subprocess.run(["cmake", "--build", source / FOLDER, "-j", str(jobs), "--target", "sarrus_program"],
                          capture_output=True, text=True)


def suite(source, fault, length=("--short",), only=()):
    """Exit code and the first line that tells of a problem."""
    done = subprocess.run([source / FOLDER / "apps/sarrus/sarrus", "verify", "--suite", source / "examples", *length,
                           "--fail-fast", *(x for word in only for x in ("--only", word))], capture_output=True, text=True, env={**os.environ, "SARRUS_FAULT": str(fault)})
    lines = done.stdout.splitlines()
    told = [f"{lines[i - 1].split()[0]}: {line.strip()}" for i, line in enumerate(lines) if line.startswith("    ")]
    return done.returncode, (told or done.stderr.splitlines() or [""])[0]


def hunt(source, k, fault):
    """From the examples that are near over the short suite to the whole one; a part of a suite that fails is enough."""
    whole = ", over the whole horizon"  # what begins late is not seen by the short one
    for length, only, words in [(["--short"], fault.near, ""), ([], fault.near, whole), (["--short"], [], ""), ([], [], whole)]:
        code, told = suite(source, k, length, only)
        model = told.split(":")[0].split("/model")[0]
        if code == UNDECIDED and suite(source, 0, length, [model])[0] != 0:
            continue  # too little time here, with the fault and without
        if code != 0:
            return f"caught, exit {code}{words}", told
    return "NOT CAUGHT", ""


def place_of(text, fault):
    """Where the fault is planted; -1 where the text is not found as often as it should be."""
    if fault.which is None and text.count(fault.old) != 1:
        return -1
    at = text.find(fault.old)
    for _ in range(fault.which or 0):
        at = text.find(fault.old, at + 1)
    return at


def plant():
    """The files with all faults behind their switches, and the faults that have no place any more."""
    lost, texts = [], {}
    for k, fault in enumerate(FAULTS, 1):
        if fault.file not in texts:
            file = ROOT / fault.file
            texts[fault.file] = file.read_text() if file.exists() else ""
        text = texts[fault.file]
        at = place_of(text, fault)
        if at < 0:
            lost.append(k)
            continue
        texts[fault.file] = text[:at] + fault.planted(k) + text[at + len(fault.old):]
    switch = 'extern "C" { extern int sarrus_fault; }\n'
    choice = ('#include <cstdlib>\nint sarrus_fault = std::getenv("SARRUS_FAULT") ? '
              'std::atoi(std::getenv("SARRUS_FAULT")) : 0;\n')
    return {file: switch + (choice if file == SWITCH else "") + text for file, text in texts.items()}, lost


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/mutation")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    a = parser.parse_args()
    source = a.work.resolve() / "source"
    planted, lost = plant()
    if a.check:
        for k in lost:
            print(f"fault {k}, {FAULTS[k - 1].words}: {FAULTS[k - 1].file} has no line '{FAULTS[k - 1].old}'")
        sys.exit(1 if lost else 0)
    copy_sources(source, planted)
    os.environ.update(CCACHE_BASEDIR=str(source), CCACHE_NOHASHDIR="1")  # a cache of objects serves the copy too
    subprocess.run(["cmake", "-S", source, "-B", source / FOLDER, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DSARRUS_TESTS=OFF"], check=True, stdout=subprocess.DEVNULL)
    if (built := build(source, a.jobs)).returncode != 0:
        sys.exit("the sources do not build:\n" + built.stdout[-2000:])
    code, told = suite(source, 0, only=sorted({word for fault in FAULTS for word in fault.near}))
    print(f"without a fault: exit {code} {told}", flush=True)
    if code != 0:
        sys.exit("the suite fails without any fault")

    rows, missed = [], 0
    for k, fault in enumerate(FAULTS, 1):
        if a.only not in f"{k} {fault.formulation} {fault.file} {fault.words}":
            continue
        begin = time.time()
        if k in lost:
            result, told = "line not found", ""
        else:
            result, told = hunt(source, k, fault)
        missed += not result.startswith("caught")
        seconds = time.time() - begin
        rows.append([k, fault.formulation, fault.file, fault.words, result, f"{seconds:.0f}", told])
        print(f"{k:2} {fault.formulation:12} {fault.words}: {result} ({seconds:.0f} s) {told[:300]}", flush=True)
    if a.csv:
        with a.csv.open("w", newline="") as out:
            csv.writer(out).writerows([["fault", "formulation", "file", "what", "result", "seconds", "told"]] + rows)
    print(f"{len(rows) - missed} of {len(rows)} faults are caught")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
