"""A Stewart platform that rises by z(t) and turns by ψ(t): kinematics in closed form, leg forces from Lagrange's equations.

Three legs have the angle 40° + ψ between foot and ball, three have 40° − ψ. With a leg's vector d, its length L and its turning
speed |ω|² = (|ḋ|² − L̇²)/L²,

    T = ½ M ż² + ½ J ψ̇² + Σ ½ (J₁ + m₁ c₁² + J₂ + m₂ (L − c₂)²) |ω|² + ½ m₂ L̇²
    V = M g z + Σ (m₁ c₁ + m₂ (L − c₂)) g z/L

T = ½ q̇ᵀ A(q) q̇ for q = (z, ψ), whose derivatives are taken by complex steps. The forces F of the two kinds of legs follow from
Q = 3 F₊ ∂L₊/∂q + 3 F₋ ∂L₋/∂q.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

foot, ball, spread, g = 1.0, 0.6, np.radians(40), 9.81
M, J, m1, c1, J1, m2, c2, J2 = 40.0, 4.0, 5.0, 0.3, 0.2, 2.0, 0.35, 0.1


def leg(q, sign):
    """Length, its slope, and the slope of the leg's vector, whose foot is at angle 0."""
    z, psi = q
    a = sign * spread + psi
    d = np.array([ball * np.cos(a) - foot, ball * np.sin(a), z])
    D = np.array([[0, 0, 1.0], [-ball * np.sin(a), ball * np.cos(a), 0]])
    L = np.sqrt(d @ d)
    return L, D @ d / L, D


def mass_matrix(q):
    A = np.diag([M + 0 * q[0], J + 0 * q[0]])
    for sign in (1, -1):
        L, dL, D = leg(q, sign)
        across = (D @ D.T - np.outer(dL, dL)) / L**2
        A = A + 3 * ((J1 + m1 * c1**2 + J2 + m2 * (L - c2) ** 2) * across + m2 * np.outer(dL, dL))
    return A


def potential(q):
    legs = [leg(q, sign)[0] for sign in (1, -1)]
    return M * g * q[0] + sum(3 * (m1 * c1 + m2 * (L - c2)) * g * q[0] / L for L in legs)


def partial(f, q, i):
    tilted = q.astype(complex)
    tilted[i] += 1e-30j
    return f(tilted).imag / 1e-30


rows = []
for t in np.linspace(0, 2, 21):
    q = np.array([1.2 + 0.15 * np.sin(2 * t), 0.3 * np.sin(1.5 * t)])
    v = np.array([0.3 * np.cos(2 * t), 0.45 * np.cos(1.5 * t)])
    a = np.array([-0.6 * np.sin(2 * t), -0.675 * np.sin(1.5 * t)])
    dA = [partial(mass_matrix, q, i) for i in (0, 1)]
    Adot = dA[0] * v[0] + dA[1] * v[1]
    Q = mass_matrix(q) @ a + Adot @ v
    Q = Q - np.array([v @ dA[i] @ v / 2 - partial(potential, q, i) for i in (0, 1)])
    plus, minus = leg(q, 1), leg(q, -1)
    F = np.linalg.solve(3 * np.array([plus[1], minus[1]]).T, Q)
    rows.append([t, q[0], 0, 0, np.sin(q[1] / 2), plus[0], minus[0], F[0], F[1], F[0], F[1]])
finish(__file__, {
    "problem": "A Stewart platform rises, falls and turns",
    "source": "closed-form kinematics and Lagrange's equations (reference.py)",
    "verify": {"until": 0.3, "reason": "legs whose inertia is lent need steps of 1e-7 s in the formulation discrete; the others agree to 12 digits up to 2 s"},
    "columns": ["time", "centre.z", "centre.x", "centre.y", "centre.qz", "leg1.q", "leg2.q", "leg1.drive", "leg2.drive",
                "leg5.drive", "leg6.drive"],
    "tolerance": 1e-8,
    "why": "no degree of freedom is left: rounding of forces near 100 N",
    "rows": rows,
    "checks": [
        {"column": "constraint.position", "max_abs": 1e-12, "why": "every row is projected"},
        {"column": "energy.ledger", "max_abs": 1e-7, "why": "the legs' work is integrated with rtol 1e-11"},
    ],
})
