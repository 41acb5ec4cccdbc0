"""Space beam of three elements in a frame that moves as prescribed, in NumPy: the equations of finite elements in moving frames,

    m d̈ + 2 G(ω) ḋ + (k + k_ε + k_ω + k_g) d = q − q_ε − q_ω − m_O a_O

with 𝒩 of a point (x, y, z) of the section, u − y v′ − z w′, v − z ϑ, w + y ϑ, integrated over the volume. k_g is that of the tension N(x) which
the frame's motion and the force cause at zero deflection, and of the inertia forces that act along the second order of a section's rotation
θ = (ϑ, −w′, v′): a point e of it moves by θ × e + ½ θ × (θ × e).
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate, turn

L, b, h, E, nu, rho, elements = 0.5, 0.012, 0.006, 7e10, 0.33, 2700.0, 3
G, A, Iy, Iz = E / (2 * (1 + nu)), b * h, b * h**3 / 12, h * b**3 / 12
speed, swing, beat = 20.0, 0.5, 30.0
odd = np.arange(1, 40, 2)  # Saint-Venant's torsion of a rectangle
J = b * h**3 / 3 * (1 - 192 * h / (np.pi**5 * b) * np.sum(np.tanh(odd * np.pi * b / (2 * h)) / odd**5))
l, n = L / elements, 6 * elements  # per node: v, v′, w, w′, ϑ, u


def hermite(s):
    """Values of v(x) by v₁, v₁′, v₂, v₂′, with two derivatives by x."""
    return (np.array([1 - 3 * s**2 + 2 * s**3, l * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, l * (s**3 - s**2)]),
            np.array([6 * s * (s - 1), l * (1 - 4 * s + 3 * s**2), 6 * s * (1 - s), l * (3 * s**2 - 2 * s)]) / l,
            np.array([12 * s - 6, l * (6 * s - 4), 6 - 12 * s, l * (6 * s - 2)]) / l**2)


def rows(x):
    """v, v′, v″, w, w′, w″, ϑ, ϑ′, u, u′ at x, each a row over all coordinates."""
    e = min(int(x / l), elements - 1)
    s = x / l - e
    out = np.zeros((10, n + 6))
    for first, at in ((0, 0), (3, 2)):
        for d, f in enumerate(hermite(s)):
            out[first + d, [6 * e + at, 6 * e + at + 1, 6 * e + 6 + at, 6 * e + 7 + at]] = f
    for first, at in ((6, 4), (8, 5)):
        out[first, [6 * e + at, 6 * e + 6 + at]] = 1 - s, s
        out[first + 1, [6 * e + at, 6 * e + 6 + at]] = -1 / l, 1 / l
    return out[:, 6:]


p, w = np.polynomial.legendre.leggauss(6)
stations = [((e + (s + 1) / 2) * l, ws * l / 2) for e in range(elements) for s, ws in zip(p, w)]
m_ab, m_O, X, k = np.zeros((3, 3, n, n)), np.zeros((n, 3)), np.zeros((3, 3, n)), np.zeros((n, n))
for x, weight in stations:
    v, v1, v2, w0, w1, w2, t, t1, u, u1 = rows(x)
    N0, Ny, Nz = np.array([u, v, w0]), np.array([-v1, 0 * v, t]), np.array([-w1, -t, 0 * v])
    for N, area in ((N0, A), (Ny, Iz), (Nz, Iy)):
        m_ab += rho * weight * area * np.einsum("ak,bl->abkl", N, N)
    m_O += rho * weight * A * N0.T
    for N, (axis, factor) in zip((N0, Ny, Nz), ((0, A * x), (1, Iz), (2, Iy))):
        X[:, axis] += rho * weight * factor * N
    k += weight * (E * A * np.outer(u1, u1) + G * J * np.outer(t1, t1) + E * Iz * np.outer(v2, v2) + E * Iy * np.outer(w2, w2))
m = np.einsum("aakl->kl", m_ab)
m_inv = np.linalg.inv(m)


def second_order(x_end):
    """g of the axis at x, the shortening along it: ½ dᵀ g d is the displacement."""
    g = np.zeros((n, n))
    for e in range(elements):
        a, c = e * l, min((e + 1) * l, x_end)
        if c <= a:
            break
        for s, ws in zip(p, w):
            x, weight = a + (c - a) * (s + 1) / 2, ws * (c - a) / 2
            _, v1, _, _, w1, *_ = rows(x)
            g -= weight * (np.outer(v1, v1) + np.outer(w1, w1))
    return g


along = [second_order(x) for x, _ in stations]
K_e = sum(rho * A * weight * g for (_, weight), g in zip(stations, along))  # ∫ g dm
K_x = sum(rho * A * weight * x * g for (x, weight), g in zip(stations, along))      # ∫ x g dm
K_s = np.zeros((3, 3, n, n))  # [a, c]: ∫ c² g dm of a section's points along e_c, in direction a
for x, weight in stations:
    _, v1, _, _, w1, _, t, *_ = rows(x)
    theta = np.array([t, -w1, v1])
    for c, moment in ((1, Iz), (2, Iy)):
        for a in range(3):  # θ × (θ × e_c) = θ θ_c − e_c θ²
            g = (np.outer(theta[a], theta[c]) + np.outer(theta[c], theta[a])) / 2 - (a == c) * theta.T @ theta
            K_s[a, c] += rho * weight * moment * g
tip, tip_second = rows(L), second_order(L)
phi = tip[[8, 0, 3]]  # displacement of the tip


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def motion(t):
    """Angular velocity and acceleration of the frame and acceleration of its origin, in its own axes."""
    q, dq, ddq = swing * np.sin(beat * t), swing * beat * np.cos(beat * t), -swing * beat**2 * np.sin(beat * t)
    c, s = np.cos(q), np.sin(q)
    R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])  # frame in the column's axes
    omega = R.T @ [0, 0, speed] + [0, dq, 0]
    epsilon = np.array([0, ddq, 0]) + np.cross(R.T @ [0, 0, speed], [0, dq, 0])
    return omega, epsilon, R.T @ [-(speed**2) * 0.05, 0, 0]


def force(t):
    """At the tip: constant direction in the world, seen in the frame."""
    q, a = swing * np.sin(beat * t), speed * t
    return turn([0, 1, 0], q).T @ turn([0, 0, 1], a).T @ [0, 1.5 * np.sin(70 * t), 0]


def rate(t, y):
    d, v = y[:n], y[n:]
    omega, epsilon, a_O = motion(t)
    W, S = skew(omega), skew(epsilon) + skew(omega) @ skew(omega)
    gyro, spin = np.einsum("ab,abkl->kl", W, m_ab), np.einsum("ab,abkl->kl", S, m_ab)
    F = force(t)
    # inertia forces −(a_O + S x) dm and the tip's force do work along ½ dᵀ g d
    k_g = a_O[0] * K_e + S[0, 0] * K_x + np.einsum("ac,ackl->kl", S, K_s) - F[0] * tip_second
    f = phi.T @ F - np.einsum("ab,abk->k", S, X) - m_O @ a_O
    return np.concatenate([v, m_inv @ (f - 2 * gyro @ v - (k + spin + k_g) @ d)])


times = np.linspace(0, 0.03, 7)
y = integrate(rate, np.zeros(2 * n), times, rtol=1e-11, atol=1e-16)
columns = ["time", "beam.e13", "beam.e15", "beam.e17", "beam.e18"]
finish(__file__, {
    "problem": "A space beam of three finite elements in a moving frame",
    "source": "finite elements in a moving frame in NumPy, integrated by SciPy (reference.py)",
    "verify": {"until": 0.006, "reason": "its stretching vibrates at 14 kHz, and every contender follows it"},
    "columns": columns,
    "tolerance": 2e-11,
    "why": "deflections of the tip reach 7e-3 m; columns: its y, z, twist and stretch",
    "rows": [[t, *(row[[12, 14, 16, 17]])] for t, row in zip(times, y)],
    "checks": [{"column": "energy.ledger", "max_abs": 1e-7, "why": "1e-8 of the energy exchanged"}],
})
