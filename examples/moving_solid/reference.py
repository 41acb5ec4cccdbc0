"""The block with all its nodes in a frame that moves as prescribed, in NumPy: linear tetrahedra, for which all inertia terms are one
operator on the nodes,

    (m_s ⊗ 1) [d̈ + 2 ω̃ ḋ + (ε̃ + ω̃ ω̃)(X + d)] + s ⊗ a_O + (k + k_g) d = 0

k_g is that of the stresses σ which the inertia of the block at rest in the frame causes: (∫ ∇hᵢ · σ · ∇hⱼ dV) 1.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate, turn

E, nu, rho = 2e6, 0.4, 1100.0
speed, swing, beat = 8.0, 0.4, 25.0


def read():
    lines = pathlib.Path(__file__).with_name("block.msh").read_text().split("\n")
    at = lines.index("$Nodes")
    x = np.array([line.split()[1:] for line in lines[at + 2:at + 2 + int(lines[at + 1])]], float)
    at = lines.index("$Elements")
    elements = [list(map(int, line.split())) for line in lines[at + 2:at + 2 + int(lines[at + 1])]]
    return x, np.array([e[5:] for e in elements if e[1] == 4]) - 1


x, tetrahedra = read()
lame, G = E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))
count = len(x)
k, m_s = np.zeros((3 * count, 3 * count)), np.zeros((count, count))
parts = []  # of each element: nodes, volume, slopes of its functions
for tet in tetrahedra:
    J = (x[tet[1:]] - x[tet[0]]).T
    volume, slope = np.linalg.det(J) / 6, np.vstack([-np.ones(3), np.eye(3)]) @ np.linalg.inv(J)
    parts.append((tet, volume, slope))
    m_s[np.ix_(tet, tet)] += rho * volume / 20 * (1 + np.eye(4))
    for i, a in enumerate(tet):
        for j, b in enumerate(tet):
            # ∫ λ ∇hᵢ ∇hⱼᵀ + G (∇hⱼ ∇hᵢᵀ + ∇hᵢ·∇hⱼ 1) dV
            k[3 * a:3 * a + 3, 3 * b:3 * b + 3] += volume * (lame * np.outer(slope[i], slope[j]) + G * np.outer(slope[j], slope[i])
                                                           + G * slope[i] @ slope[j] * np.eye(3))
free = np.flatnonzero(x[:, 0] > 1e-9)
dof = (3 * free[:, None] + np.arange(3)).ravel()
stiff = np.linalg.inv(k[np.ix_(dof, dof)])
inertia = np.linalg.inv(m_s[np.ix_(free, free)])
share = m_s.sum(axis=1)


def stress(u, slope):
    H = u.T @ slope
    strain = (H + H.T) / 2
    return lame * np.trace(strain) * np.eye(3) + 2 * G * strain


def geometric(load):
    """k_g of the stresses under forces on the nodes (count × 3), for one direction."""
    u = np.zeros((count, 3))
    u[free] = (stiff @ load[free].ravel()).reshape(-1, 3)
    out = np.zeros((count, count))
    for tet, volume, slope in parts:
        out[np.ix_(tet, tet)] += volume * slope @ stress(u[tet], slope) @ slope.T
    return out[np.ix_(free, free)]


# the load is linear in a_O and in S = ε̃ + ω̃ ω̃
by_a = [geometric(-np.outer(share, np.eye(3)[b])) for b in range(3)]
by_S = [[geometric(-np.outer(m_s @ x[:, b], np.eye(3)[c])) for b in range(3)] for c in range(3)]


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def motion(t):
    """Angular velocity and acceleration of the frame and acceleration of its origin, in its own axes."""
    q, dq, ddq = swing * np.sin(beat * t), swing * beat * np.cos(beat * t), -swing * beat**2 * np.sin(beat * t)
    up = turn([0, 1, 0], q).T @ [0, 0, speed]
    return (up + [0, dq, 0], np.array([0, ddq, 0]) + np.cross(up, [0, dq, 0]), turn([0, 1, 0], q).T @ [-(speed**2) * 0.05, 0, 0])


def rate(t, y):
    d, v = y.reshape(2, -1, 3)
    omega, epsilon, a_O = motion(t)
    S = skew(epsilon) + skew(omega) @ skew(omega)
    k_g = sum(a * g for a, g in zip(a_O, by_a)) + sum(S[c, b] * by_S[c][b] for b in range(3) for c in range(3))
    whole = x.copy()
    whole[free] += d
    f = -(m_s @ whole @ S.T)[free] - np.outer(share, a_O)[free] - 2 * m_s[np.ix_(free, free)] @ v @ skew(omega).T
    f -= (k[np.ix_(dof, dof)] @ d.ravel()).reshape(-1, 3) + k_g @ d
    return np.concatenate([v.ravel(), (inertia @ f).ravel()])


times = np.linspace(0, 0.05, 11)
y = integrate(rate, np.zeros(6 * len(free)), times, rtol=1e-11, atol=1e-16)
corner = int(np.argmax(x @ [1, 1, 1]))
at = 3 * int(np.flatnonzero(free == corner)[0])
finish(__file__, {
    "problem": "A solid of linear tetrahedra with all its nodes in a moving frame",
    "source": "finite elements in a moving frame in NumPy, integrated by SciPy (reference.py)",
    "verify": {"until": 0.015, "reason": "36 coordinates, and every contender runs several times"},
    "columns": ["time"] + [f"block.e{at + i + 1}" for i in range(3)],
    "tolerance": 2e-11,
    "why": "displacements of the corner reach 1.3e-3 m",
    "rows": [[t, *row[at:at + 3]] for t, row in zip(times, y)],
    "checks": [{"column": "energy.ledger", "max_abs": 1e-8, "why": "1e-8 of the energy exchanged"}],
})
