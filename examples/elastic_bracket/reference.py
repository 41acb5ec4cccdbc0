"""The bracket with all its nodes: quadratic tetrahedra in NumPy, the weight as a rigid body on the flange.

Linear, so that the motion under the weight that is let go is a sum over all modes:

    u(t) = Σ φ (φᵀ f)/ω² (1 − cos ωt)

Sarrus keeps ten coordinates of it. The same matrices give the frequencies of the bare bracket.
"""
import pathlib
import sys

import numpy as np
from scipy.linalg import eigh

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

E, nu, rho = 2.4e9, 0.35, 1150.0
edges = ((0, 1), (1, 2), (2, 0), (3, 0), (3, 2), (3, 1))


def read():
    """Nodes in metres, tetrahedra, and the nodes of both faces, from bracket.msh."""
    lines = pathlib.Path(__file__).with_name("bracket.msh").read_text().split("\n")
    at = lines.index("$Nodes")
    n = int(lines[at + 1].split()[1])
    x = np.array([line.split() for line in lines[at + 3 + n:at + 3 + 2 * n]], float) / 1000
    at = lines.index("$Elements")
    blocks, at = [], at + 2
    while not lines[at].startswith("$"):
        count = int(lines[at].split()[3])
        blocks.append(np.array([line.split()[1:] for line in lines[at + 1:at + 1 + count]], int) - 1)
        at += 1 + count
    return x, blocks[2], np.unique(blocks[0]), np.unique(blocks[1])


def shape(L):
    """The ten functions and their slopes by the four volume coordinates."""
    h = [l * (2 * l - 1) for l in L] + [4 * L[i] * L[j] for i, j in edges]
    d = np.zeros((10, 4))
    for i in range(4):
        d[i, i] = 4 * L[i] - 1
    for k, (i, j) in enumerate(edges):
        d[4 + k, i], d[4 + k, j] = 4 * L[j], 4 * L[i]
    return np.array(h), d


def matrices(x, tetrahedra):
    """Stiffness of all displacements, mass of one direction. The edges are straight: J is constant."""
    lame, G = E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))
    D = np.diag([2 * G] * 3 + [G] * 3)
    D[:3, :3] += lame
    a, b = (5 - 5**0.5) / 20, (5 + 3 * 5**0.5) / 20
    four = [np.where(np.arange(4) == i, b, a) for i in range(4)]
    # ∫ L₀ᵃ L₁ᵇ L₂ᶜ L₃ᵈ dV = 6 V a! b! c! d!/(a + b + c + d + 3)!, by points: Gauss in each direction of a brick
    # that is pressed into a tetrahedron
    p, w = np.polynomial.legendre.leggauss(5)
    p, w = (p + 1) / 2, w / 2
    m = np.zeros((10, 10))
    for r, wr in zip(p, w):
        for s, ws in zip(p, w):
            for t, wt in zip(p, w):
                L1, L2, L3 = r, s * (1 - r), t * (1 - r) * (1 - s)
                h, _ = shape([1 - L1 - L2 - L3, L1, L2, L3])
                m += wr * ws * wt * (1 - r) ** 2 * (1 - s) * np.outer(h, h)
    K, M = np.zeros((3 * len(x), 3 * len(x))), np.zeros((len(x), len(x)))
    for tet in tetrahedra:
        J = (x[tet[1:4]] - x[tet[0]]).T
        slope = np.vstack([-np.ones(3), np.eye(3)]) @ np.linalg.inv(J)  # of the volume coordinates
        volume, k = np.linalg.det(J) / 6, np.zeros((30, 30))
        for L in four:
            g = shape(L)[1] @ slope
            B = np.zeros((6, 30))
            for i in range(3):
                B[i, i::3] = g[:, i]
            for row, (i, j) in zip((3, 4, 5), ((0, 1), (1, 2), (0, 2))):
                B[row, i::3], B[row, j::3] = g[:, j], g[:, i]
            k += volume / 4 * B.T @ D @ B
        dof = (3 * tet[:, None] + np.arange(3)).ravel()
        K[np.ix_(dof, dof)] += k
        M[np.ix_(tet, tet)] += rho * 6 * volume * m
    return K, M


def stress_rows(x, tetrahedra, point):
    """σxx at a point per displacement of every node: the mean of the elements that share it."""
    lame, G, rows = E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu)), []
    for tet in tetrahedra:
        J = (x[tet[1:4]] - x[tet[0]]).T
        L = np.linalg.solve(J, point - x[tet[0]])
        L = np.array([1 - L.sum(), *L])
        if L.min() < -1e-9:
            continue
        g = shape(L)[1] @ np.vstack([-np.ones(3), np.eye(3)]) @ np.linalg.inv(J)
        rows.append(np.zeros(3 * len(x)))
        for i in range(3):
            rows[-1][3 * tet + i] = (lame + (2 * G if i == 0 else 0)) * g[:, i]
    return np.mean(rows, axis=0)


def skew(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


x, tetrahedra, wall, flange = read()
K, scalar = matrices(x, tetrahedra)
M = np.kron(scalar, np.eye(3))
gravity = np.tile([0, 0, -9.81], len(x))

# free nodes, and the flange as one rigid patch with displacement and rotation of its centre
centre = x[flange].mean(axis=0)
free = np.setdiff1d(np.arange(len(x)), np.concatenate([wall, flange]))
T = np.zeros((3 * len(x), 3 * len(free) + 6))
for column, i in enumerate(free):
    T[3 * i:3 * i + 3, 3 * column:3 * column + 3] = np.eye(3)
for i in flange:
    T[3 * i:3 * i + 3, -6:-3] = np.eye(3)
    T[3 * i:3 * i + 3, -3:] = -skew(x[i] - centre)
Kz, Mz, f = T.T @ K @ T, T.T @ M @ T, T.T @ M @ gravity
bare = np.sqrt(eigh(Kz, Mz, eigvals_only=True)[:4]) / (2 * np.pi)

# the weight, whose frame is the patch's
mass, com, inertia = 0.15, np.array([0, 0.03, 0.02]), 4e-5
on_patch = np.hstack([np.eye(3), -skew(com)])
Mz[-6:, -6:] += mass * on_patch.T @ on_patch
Mz[-3:, -3:] += inertia * np.eye(3)
f[-6:] += mass * on_patch.T @ [0, 0, -9.81]

square, phi = eigh(Kz, Mz)
amplitude = (phi.T @ f) / square
seat = np.array([0.114, 0, 0.084]) - [0, 0, 0.006]  # seen from the wall's joint
times = np.arange(0, 0.0501, 0.005)
rows = [[t, *(seat + phi[-6:-3] @ (amplitude * (1 - np.cos(np.sqrt(square) * t))))] for t in times]
arm = stress_rows(x, tetrahedra, np.array([0.054, 0.0, 0.012])) @ T @ phi  # on top of the arm
swing = [(float(t), float(arm @ (amplitude * (1 - np.cos(np.sqrt(square) * t))))) for t in (0.01, 0.015, 0.02)]
print("bare bracket [Hz]:", np.round(bare, 3), " with the weight:", np.round(np.sqrt(square[:4]) / (2 * np.pi), 3))
print("at rest [mm]:", np.round(1e3 * phi[-6:-3] @ amplitude, 5))
finish(__file__, {
    "problem": "A weight is let go on the flange of an elastic bracket",
    "source": "linear finite elements with all nodes, by modes (reference.py)",
    "verify": {"until": 0.01, "reason": "an evaluation with all integrals of ten coordinates takes a fifth of a millisecond"},
    "columns": ["time", "seat.x", "seat.y", "seat.z"],
    "tolerance": 2e-6,
    "why": "0.15 mm of motion; ten coordinates instead of all, and rotations beyond the first order",
    "rows": rows,
    "checks": [
        {"column": "energy.ledger", "max_abs": 1e-8, "why": "1e-5 of the energy of the motion"},
        *({"column": "arm.xx", "time": t, "value": value, "tolerance": 5e3,
           "why": "2 % of the largest: the stress is read from other points of the elements, and from ten coordinates"} for t, value in swing),
    ],
})
