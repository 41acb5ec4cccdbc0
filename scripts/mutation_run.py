"""Plants one fault at a time in the equations and asks `sarrus verify --suite` to find it.

    scripts/mutation_run.py [--work FOLDER] [--jobs N] [--only WORD] [--csv FILE]

A fault is one line of a kernel changed: a sign, a transposed product, a term left out. It is planted in a
copy of the sources in the work folder, the program is built there, and the short suite runs over the examples
until the first problem. A fault is caught where the suite ends with an exit code other than 0. The script ends
with 1 where a fault is not caught, or where the line that it changes is not found any more.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = "sarrus/formulations/tree_kernels.inl"
MOMENTA = "sarrus/formulations/momentum_kernels.inl"
ROWS = "sarrus/formulations/energy_rows.cpp"
NULL = "sarrus/formulations/nullspace.cpp"
LOOPS = "sarrus/formulations/dynamics_loops.cpp"
BODIES = "sarrus/formulations/discrete_kernels.inl"
FOLDER = "build/faults"  # of the build, in the copy

# formulation, file, what is written there, what is written in its place, in words
FAULTS = [
    ("recursive", TREE, "v.link[i].p = cross_force(B.V, I * B.V);", "v.link[i].p = cross_force(B.V, I * B.V) * T(-1.0);",
     "sign of the gyroscopic force"),
    ("recursive", TREE, "pa += Ia * link.c;", "pa += link.IA * link.c;", "bias with the wrong inertia"),
    ("recursive", TREE, "for (int k = 0; k < J::nu; ++k) pa += f[k].U * (f[k].w * f[k].inverse);",
     "for (int k = 0; k < J::nu; ++k) pa -= f[k].U * (f[k].w * f[k].inverse);", "sign of what a joint passes on"),
    ("recursive", TREE, "Twist<T> a = shifted_out(v.A[v.parent[i]], link.r) + link.c;\n  T* udot",
     "Twist<T> a = shifted_out(v.A[v.parent[i]], link.r);\n  T* udot", "bias of accelerations left out"),
    ("recursive", TREE, "link.c = {cross(B.V.w, spin), cross(B.V.v, spin)};",
     "link.c = {cross(B.V.w, spin), cross(spin, B.V.v)};", "sign in the bias of a hinge"),
    ("recursive", TREE, "link.c = {zero3<T>(), cross(B.V.w, slip)};", "link.c = {zero3<T>(), cross(slip, B.V.w)};",
     "sign in the bias of a slide"),
    ("recursive", TREE, "link.c = cross_motion(B.V, own);", "link.c = cross_motion(own, B.V);",
     "order of a product in the bias of other joints"),
    ("recursive", TREE, "for (int k = 0; k < J::nu; ++k) link.c += rates[k] * u[k];",
     "for (int k = 0; k < J::nu; ++k) link.c -= rates[k] * u[k];", "sign of the rates of columns"),
    ("recursive", TREE, "if (v.wrench) link.p -= v.wrench[i];\n  const bool", "if (v.wrench) link.p += v.wrench[i];\n  const bool",
     "sign of forces on bodies"),
    ("recursive", TREE, "v.link[P].p += shifted_in(pa, link.r);", "v.link[P].p += pa;", "lever of a force left out"),
    ("recursive", TREE, "v.A[0] = {zero3<T>(), -v.gravity};", "v.A[0] = {zero3<T>(), v.gravity};", "sign of gravity"),
    ("recursive", TREE, "for (int k = 0; k < J::nu; ++k) link.c += S[k] * v.udot_given[v.u0[i] + k];",
     "for (int k = 0; k < J::nu; ++k) link.c -= S[k] * v.udot_given[v.u0[i] + k];", "sign of a prescribed acceleration"),
    ("hamiltonian", MOMENTA, "for (int k = 0; k < J::nu; ++k) eta += f[k].U * (f[k].w * f[k].inverse);",
     "for (int k = 0; k < J::nu; ++k) eta -= f[k].U * (f[k].w * f[k].inverse);", "sign of what a joint passes on"),
    ("hamiltonian", MOMENTA, "dot(cross(B.V.w, f[k].S.w), h.n) + dot(cross(B.V.v, f[k].S.w), h.f);",
     "dot(cross(B.V.w, f[k].S.w), h.n) - dot(cross(B.V.v, f[k].S.w), h.f);", "sign in the slope of the energy, hinges"),
    ("hamiltonian", MOMENTA, "dT[v.u0[i] + k] = dot(cross_motion(B.V, f[k].S), h);",
     "dT[v.u0[i] + k] = dot(cross_motion(f[k].S, B.V), h);", "order of a product in the slope of the energy"),
    ("hamiltonian", MOMENTA, "dT[v.u0[i] + k] += dot(rates[k], h);", "dT[v.u0[i] + k] -= dot(rates[k], h);",
     "sign of the rates of columns"),
    ("hamiltonian", MOMENTA, "v.link[i].p = {cross(v.motion[i].R * I.mc, v.gravity), v.gravity * I.m};",
     "v.link[i].p = {zero3<T>(), v.gravity * I.m};", "weight without its lever"),
    ("hamiltonian", MOMENTA, "v.link[v.parent[i]].p += shifted_in(v.link[i].p, v.link[i].r);",
     "v.link[v.parent[i]].p += v.link[i].p;", "forces carried on without a lever"),
    ("hamiltonian", MOMENTA, "const Wrench<T> h = link.IA * B.V + link.p;", "const Wrench<T> h = link.IA * B.V;",
     "momentum of what is carried left out"),
    ("hamiltonian", MOMENTA, "eta += (link.IA * f[k].S) * v.u[v.u0[i] + k];",
     "eta -= (link.IA * f[k].S) * v.u[v.u0[i] + k];", "sign of the momentum of a prescribed joint"),
    ("hamiltonian", MOMENTA, "pdot[u] = dT[u] + dot(v.freedom[u].S, v.link[i].p) + v.tau[u];",
     "pdot[u] = dT[u] + dot(v.freedom[u].S, v.link[i].p);", "joint forces left out"),
    ("hamiltonian", LOOPS, "+= dot(cross_motion(motion_[b].V, S), h[b]) + dot(S, f[b]);",
     "+= dot(cross_motion(motion_[b].V, S), h[b]);", "rates of closing impulses left out"),
    ("literal", ROWS, "const double half = 0.5 * trace(I);", "const double half = trace(I);",
     "second moments from inertias, factor"),
    ("literal", ROWS, "times(from_centre, of_parent[n].dH);       // (32)", "times(hinge_.e, of_parent[n].dH);       // (32)",
     "lever from the wrong point"),
    ("literal", ROWS, "row.dR = times(k.x, row.dH) + times(hinge_.de[c], H_[P]);  // (33)",
     "row.dR = times(k.x, row.dH) - times(hinge_.de[c], H_[P]);  // (33)", "sign of a slide"),
    ("literal", ROWS, "edot += hinge_.de[c] * u[k.u0 + c];", "edot -= hinge_.de[c] * u[k.u0 + c];", "sign of a sliding rate"),
    ("literal", ROWS, "dot(MR, row[j].dR) + trace_product(JH, row[j].dH);  // (18) (23)", "dot(MR, row[j].dR);",
     "energy of rotation left out"),
    ("null space", NULL, "w.gamma[r] = -d.loop_acceleration(", "w.gamma[r] = d.loop_acceleration(", "sign of the bias of loops"),
    ("null space", NULL, "w.T.transpose() * (w.force - w.M * w.particular)", "w.T.transpose() * w.force",
     "inertia of the particular solution left out"),
    ("discrete", BODIES, "cross(B.w, l_b) - cross(A.w, l_a);", "cross(B.w, l_b) + cross(A.w, l_a);",
     "sign of a lever's velocity"),
    ("discrete", BODIES, "Vector3<Lane> on_a = cross(l_a, f), on_b = cross(l_b, f);",
     "Vector3<Lane> on_a = cross(l_b, f), on_b = cross(l_b, f);", "reaction at the wrong point"),
    ("discrete", BODIES, "const T quarter = h * T(0.25), half = h * T(0.5);", "const T quarter = h * T(0.25), half = h * T(0.45);",
     "a turn too short"),
    ("discrete", BODIES, "b.V += (F * b.inverse_mass + g) * h;", "b.V += (F * b.inverse_mass - g) * h;", "sign of gravity"),
    ("discrete", BODIES, "Pi.z = Pi.z * C - Pi.y * S;", "Pi.z = Pi.z * C + Pi.y * S;", "sign in a turn of the momentum"),
    # shared by all formulations: found by audits and by the numbers of the examples
    ("all", "sarrus/forces/point_spring.hpp", "c.flow->potential += T(0.5) * k * stretch * stretch",
     "c.flow->potential += k * stretch * stretch", "a potential whose slope is not the force"),
    ("all", "sarrus/forces/point_spring.hpp", "push(c.wrench[b], Q.lever, e * -tension);", "push(c.wrench[b], Q.lever, e * tension);",
     "reaction in the direction of the action"),
]


def copy_sources(work):
    """The committed files and what was changed since, so that every run plants into what is there now."""
    source = work / "source"
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True).stdout.decode().split("\0")
    for name in filter(None, listed):
        if not (ROOT / name).is_file():
            continue
        target = source / name
        content = (ROOT / name).read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    return source


def build(source, jobs):
    return subprocess.run(["cmake", "--build", source / FOLDER, "-j", str(jobs), "--target", "sarrus_program"],
                          capture_output=True, text=True)


def suite(source):
    """Exit code and the lines that tell of problems."""
    done = subprocess.run([source / FOLDER / "apps/sarrus/sarrus", "verify", "--suite", source / "examples", "--short",
                           "--fail-fast"], capture_output=True, text=True)
    told = [line.strip() for line in done.stdout.splitlines() if line.startswith("    ")]
    return done.returncode, (told or done.stderr.splitlines() or [""])[0]


def plant(source, file, old, new):
    path = source / file
    text = path.read_text()
    if text.count(old) != 1:
        return False
    path.write_text(text.replace(old, new))
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/mutation")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--csv", type=pathlib.Path)
    a = parser.parse_args()
    a.work = a.work.resolve()
    a.work.mkdir(parents=True, exist_ok=True)
    source = copy_sources(a.work)
    os.environ.update(CCACHE_BASEDIR=str(source), CCACHE_NOHASHDIR="1")  # a cache of objects serves the copy too
    subprocess.run(["cmake", "-S", source, "-B", source / FOLDER, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DSARRUS_TESTS=OFF"], check=True, stdout=subprocess.DEVNULL)
    if build(source, a.jobs).returncode != 0:
        sys.exit("the sources do not build as they are")
    code, told = suite(source)
    print(f"without a fault: exit {code} {told}", flush=True)
    if code != 0:
        sys.exit("the suite fails without any fault")

    rows, missed = [], 0
    for formulation, file, old, new, words in FAULTS:
        if a.only not in formulation + file + words:
            continue
        begin = time.time()
        original = (source / file).read_text()
        if not plant(source, file, old, new):
            result, told = "line not found", ""
        else:
            built = build(source, a.jobs)
            if built.returncode != 0:
                result, told = "does not build", built.stdout[-300:]
            else:
                code, told = suite(source)
                result = f"caught, exit {code}" if code != 0 else "NOT CAUGHT"
            (source / file).write_text(original)
        missed += not result.startswith("caught")
        rows.append([formulation, file, words, result, told])
        print(f"{formulation:12} {words}: {result} ({time.time() - begin:.0f} s) {told[:160]}", flush=True)
    if a.csv:
        with a.csv.open("w", newline="") as out:
            csv.writer(out).writerows([["formulation", "file", "fault", "result", "told"]] + rows)
    print(f"{len(rows) - missed} of {len(rows)} faults are caught")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
