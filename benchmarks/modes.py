#!/usr/bin/env python3
"""Lowest 20 modes of a large structure under redundant constraints: Sarrus beside SciPy.

    benchmarks/modes.py [--sarrus PROGRAM] [--coordinates 100000] [--keep FOLDER]

A clamped bar of 8-node bricks is cut into eleven pieces along its length. Sarrus gets the pieces, the
constraints that tie them together again, those of the clamp, and a tenth of further rows that say nothing
new. SciPy (ARPACK, shift-invert by SuperLU) gets the bar assembled and clamped by hand. One core each,
processor time and peak memory; the frequencies must agree.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np
import scipy
import scipy.io
import scipy.sparse as sp
import scipy.sparse.linalg as sla

PIECES, SIDE = 11, 16  # along the bar; elements across


def brick(hx, hy, hz, young=2.1e11, nu=0.3, rho=7850.0):
    """Stiffness and consistent mass of one brick, 24 × 24, by 2 × 2 × 2 points."""
    c = young / ((1 + nu) * (1 - 2 * nu))
    E = np.zeros((6, 6))
    E[:3, :3] = c * (nu + (1 - 2 * nu) * np.eye(3))
    E[3:, 3:] = c * (1 - 2 * nu) / 2 * np.eye(3)
    corner = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    K, M = np.zeros((24, 24)), np.zeros((24, 24))
    for point in corner / np.sqrt(3):
        f = 1 + corner * point
        N = f.prod(axis=1) / 8
        dN = np.array([corner[:, k] * np.delete(f, k, 1).prod(axis=1) / 8 * 2 / h for k, h in enumerate((hx, hy, hz))])
        B = np.zeros((6, 24))
        for a in range(8):
            x, y, z = dN[:, a]
            B[:, 3 * a:3 * a + 3] = [[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]]
        w = hx * hy * hz / 8
        K += w * B.T @ E @ B
        M += w * rho * np.kron(np.outer(N, N), np.eye(3))
    return K, M


def assemble(layers_of_elements, nodes, length):
    """K and M over the given numbering: nodes[e] are the 8 nodes of element e."""
    h = 0.1 / SIDE
    K, M = brick(length, h, h)
    dof = (3 * nodes[:, :, None] + np.arange(3)).reshape(len(nodes), 24)
    rows, cols = np.repeat(dof, 24, axis=1).ravel(), np.tile(dof, 24).ravel()
    n = dof.max() + 1
    return [sp.csc_matrix((np.tile(A.ravel(), len(nodes)), (rows, cols)), shape=(n, n)) for A in (K, M)]


def problem(coordinates):
    layer = (SIDE + 1) ** 2
    slices = max(PIECES, round(coordinates / (3 * layer)) - PIECES)
    first = np.sort(np.resize(np.arange(PIECES), slices))  # piece of every slice of elements
    across = [(y * (SIDE + 1) + z) for y in range(SIDE) for z in range(SIDE)]
    corner = np.array([0, 1, SIDE + 1, SIDE + 2])

    def elements(base):  # base(slice, end) is the first node of that layer
        near = np.array([[base(i, 0) + a + corner for a in across] for i in range(slices)])
        far = np.array([[base(i, 1) + a + corner for a in across] for i in range(slices)])
        return np.concatenate([near, far], axis=2).reshape(-1, 8)

    length = 1.0 / slices
    whole = assemble(slices, elements(lambda i, end: (i + end) * layer), length)
    cut = assemble(slices, elements(lambda i, end: (i + end + first[i]) * layer), length)
    P = cut[0].shape[0]
    rows = []
    for i in range(1, slices):
        if first[i] != first[i - 1]:
            a, b = (i + first[i - 1]) * layer, (i + first[i]) * layer
            rows += [((3 * (a + k) + c, 1.0), (3 * (b + k) + c, -1.0)) for k in range(layer) for c in range(3)]
    rows += [((j, 1.0),) for j in range(3 * layer)]  # the clamp
    independent = len(rows)
    rng = np.random.default_rng(1969)
    for _ in range(independent // 9):  # a tenth of all rows: sums of two others
        a, b = rng.integers(independent, size=2)
        terms = {}
        for row, factor in ((rows[a], 1.0), (rows[b], 2.0)):
            for j, x in row:
                terms[j] = terms.get(j, 0) + factor * x
        rows.append(tuple((j, x) for j, x in terms.items() if x))
    order = rng.permutation(len(rows))
    data = [(i, j, x) for i, k in enumerate(order) for j, x in rows[k]]
    i, j, x = zip(*data)
    C = sp.coo_matrix((x, (i, j)), shape=(len(rows), P))
    clamped = [A[3 * layer:, 3 * layer:] for A in whole]
    return cut, C, independent, clamped


def scipy_modes(K, M):
    start = time.process_time()
    lu = sla.splu(K.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=dict(SymmetricMode=True))
    inverse = sla.LinearOperator(K.shape, matvec=lu.solve, dtype=float)
    w = sla.eigsh(K, k=20, M=M, sigma=0.0, OPinv=inverse, which="LM", return_eigenvectors=True, tol=1e-10)[0]
    return np.sqrt(np.sort(w)), time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sarrus", default="build/release/apps/sarrus/sarrus")
    parser.add_argument("--coordinates", type=int, default=100_000)
    parser.add_argument("--keep", help="folder for the matrices and results")
    parser.add_argument("--no-scipy", action="store_true")
    a = parser.parse_args()
    (K, M), C, independent, (K0, M0) = problem(a.coordinates)
    print(f"{K.shape[0]} coordinates, {C.shape[0]} constraints of rank {independent}, {K.nnz} entries in K")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(a.keep or temporary)
        folder.mkdir(exist_ok=True, parents=True)
        for name, A in (("K", K), ("M", M)):
            scipy.io.mmwrite(folder / f"{name}.mtx", sp.tril(A).tocoo(), symmetry="symmetric", precision=17)
        scipy.io.mmwrite(folder / "C.mtx", C, precision=17)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([a.sarrus, "reduce", "--mass", folder / "M.mtx", "--stiffness", folder / "K.mtx", "--constraints",
                               folder / "C.mtx", "--modes", "20", "--json", "--replace", "-o", folder / "out"],
                              capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        said = json.loads(done.stdout)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert said["rank"]["rank"] == independent, said["rank"]
    ours = np.array([m["omega"] for m in said["modes"]])
    print(f"sarrus reduce      {seconds:7.2f} s, {after.ru_maxrss / 1e6:.2f} GB, files read and written included")
    print(f"  {said['lanczos']['ordering']}, {said['lanczos']['factor_entries'] / 1e6:.1f} million entries in L, "
          f"{said['lanczos']['factor_operations'] / 1e9:.1f} Gflop, {said['lanczos']['solves']} solves")
    if a.no_scipy:
        return
    theirs, scipy_seconds = scipy_modes(K0, M0)
    print(f"SciPy {scipy.__version__} ARPACK {scipy_seconds:6.2f} s, matrices in memory, constraints eliminated by hand")
    print(f"largest relative difference of the 20 frequencies {np.abs(ours / theirs - 1).max():.1e}")
    assert np.abs(ours / theirs - 1).max() < 1e-7


if __name__ == "__main__":
    main()
