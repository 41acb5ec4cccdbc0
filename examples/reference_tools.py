"""What the scripts `reference.py` of the examples share.

They compute the numbers of expected.json independently of Sarrus: from closed forms, or with SciPy from
equations that are written down for that one mechanism. Without an argument a script compares its numbers with
expected.json, with `--write` it writes that file.
"""
import json
import pathlib
import sys

import numpy as np
from scipy.integrate import solve_ivp


def integrate(rate, y0, times, rtol=1e-13, atol=1e-14, **options):
    """The solution of ẏ = rate(t, y) at the given times, one row each."""
    found = solve_ivp(rate, (times[0], times[-1]), y0, "DOP853", times, rtol=rtol, atol=atol, **options)
    assert found.success, found.message
    return found.y.T


def step(t, t0, y0, t1, y1):
    """The smooth step of Sarrus' formulas with its first and second derivative."""
    s, d = np.clip((t - t0) / (t1 - t0), 0, 1), y1 - y0
    return (y0 + d * s**3 * (10 - 15 * s + 6 * s**2),
            d * 30 * s**2 * (1 - s) ** 2 / (t1 - t0),
            d * 60 * s * (1 - s) * (1 - 2 * s) / (t1 - t0) ** 2)


def turn(axis, angle):
    """Rotation matrix of a turn about a unit axis (Rodrigues)."""
    a = np.asarray(axis, float)
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def cross(a, b):
    """As numpy.cross for two vectors, without its overhead."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


class Chain:
    """Bodies one after the other on hinges, by Kane's equations with the Jacobians of all centres in world axes:

        M = Σ m Jvᵀ Jv + Jwᵀ I Jw        M u̇ = τ + Σ Jvᵀ m (g − a₀) − Jwᵀ (I α₀ + ω × I ω)

    a₀, α₀: the accelerations that remain for u̇ = 0. Each body's frame is that of its hinge.
    """

    def __init__(self, gravity=(0, 0, -9.81)):
        self.gravity, self.links = np.array(gravity, float), []

    def add(self, at, axis, mass=0.0, com=(0, 0, 0), inertia=(0, 0, 0), turned=np.eye(3)):
        """A hinge at a point of the body before, turned against it, and the body on it."""
        inertia = np.array(inertia, float)
        self.links.append((np.array(at, float), np.array(axis, float), mass, np.array(com, float),
                           np.diag(inertia) if inertia.ndim == 1 else inertia, np.array(turned, float)))

    def frames(self, q):
        """Of every body: rotation, position of its hinge."""
        R, p, found = np.eye(3), np.zeros(3), []
        for (at, axis, *_, turned), angle in zip(self.links, q):
            p = p + R @ at
            R = R @ turned @ turn(axis, angle)
            found.append((R, p))
        return found

    def accelerations(self, q, u, tau, armature=0.0):
        return np.linalg.solve(*self.equations(q, u, tau, armature))

    def equations(self, q, u, tau, armature=0.0):
        """M and the right-hand side."""
        n = len(self.links)
        M, rhs = np.diag(np.broadcast_to(armature, n).astype(float)), np.array(tau, float)
        frames = self.frames(q)
        axes = [R @ link[1] for (R, _), link in zip(frames, self.links)]
        w, alpha, a, before = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
        for i, (_, _, m, com, I, _) in enumerate(self.links):
            R, p = frames[i]
            a = a + cross(alpha, p - before) + cross(w, cross(w, p - before))
            alpha = alpha + cross(w, axes[i] * u[i])
            w, before = w + axes[i] * u[i], p
            if m == 0:
                continue
            c = R @ com
            a0 = a + cross(alpha, c) + cross(w, cross(w, c))
            Jw = np.array([axes[k] if k <= i else np.zeros(3) for k in range(n)]).T
            Jv = np.array([cross(Jw[:, k], p + c - frames[k][1]) for k in range(n)]).T
            IW = R @ I @ R.T
            M += m * Jv.T @ Jv + Jw.T @ IW @ Jw
            rhs += Jv.T @ (m * (self.gravity - a0)) - Jw.T @ (IW @ alpha + cross(w, IW @ w))
        return M, rhs


def run_text(run):
    """A run of the program and the checks of its files, one check on a line."""
    checks = ",\n".join("      " + json.dumps(c, ensure_ascii=False) for c in run["checks"])
    return (f'    {{"command": {json.dumps(run["command"], ensure_ascii=False)},\n     "folder": "{run["folder"]}",\n'
            f'     "checks": [\n{checks}\n     ]}}')


def compare_runs(stored, expected):
    """How many checks agree, in a tenth of their tolerances."""
    assert [r["command"] for r in stored] == [r["command"] for r in expected], "expected.json has other commands"
    count = 0
    for old, new in zip(stored, expected):
        assert len(old["checks"]) == len(new["checks"]), "expected.json has other checks"
        for a, b in zip(old["checks"], new["checks"]):
            assert abs(a["value"] - b["value"]) <= 0.1 * b["tolerance"] + 1e-15, f"{a} is now {b}"
            count += 1
    return count


def text(expected):
    """JSON with one row of a table, and one check, on a line."""
    parts = []
    for key, value in expected.items():
        if key == "runs":
            parts.append('  "runs": [\n' + ",\n".join(map(run_text, value)) + "\n  ]")
        elif key in ("rows", "checks"):
            lines = ",\n".join("    " + json.dumps(x, ensure_ascii=False) for x in value)
            parts.append(f'  "{key}": [\n{lines}\n  ]')
        else:
            parts.append(f'  "{key}": ' + json.dumps(value, ensure_ascii=False))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def difference(a, b):
    """The largest difference of two lists of numbers."""
    assert np.shape(a) == np.shape(b), "expected.json has other rows or checks"
    return float(np.max(np.abs(np.subtract(a, b)), initial=0))


class PlaneBeam:
    """An Euler–Bernoulli beam that bends in the plane, displacements to second order, by n polynomials s²·Tₖ (Chebyshev): the space of all
    polynomials of degree n + 1 with f(0) = f′(0) = 0.

    parts(q): places of mass points along it, and the rotary inertia of its sections as vectors that turn, in its own axes.
    """

    def __init__(self, length, EI, rho_A, rho_I, n):
        from numpy.polynomial import Chebyshev, Polynomial
        s, w = np.polynomial.legendre.leggauss(n + 6)
        self.x, self.w, self.n, self.length = length * (s + 1) / 2, length * w / 2, n, length
        basis = [Chebyshev.basis(k, domain=[0, length]).convert(kind=Polynomial) * Polynomial([0, 0, 1 / length**2]) for k in range(n)]
        self.phi, self.slope = (np.array([b.deriv(d)(self.x) if d else b(self.x) for b in basis]).T for d in (0, 1))
        bent = np.array([b.deriv(2)(self.x) for b in basis])
        self.K = EI * (bent * self.w) @ bent.T
        self.tip_phi, self.tip_slope = np.array([b(length) for b in basis]), np.array([b.deriv()(length) for b in basis])
        self.G = np.array([self.shortening(basis, x) for x in self.x])
        self.tip_G = self.shortening(basis, length)
        self.masses = np.concatenate([rho_A * self.w, rho_I * self.w])

    def shortening(self, basis, x):
        s, w = np.polynomial.legendre.leggauss(self.n + 4)
        slope = np.array([b.deriv()(x * (s + 1) / 2) for b in basis])
        return (slope * w * x / 2) @ slope.T

    def parts(self, q, origin, c, s):
        """In the plane: frame at `origin`, its x axis along (c, s)."""
        x, y = self.x - 0.5 * (self.G @ q) @ q, self.phi @ q
        a, b = -self.slope @ q, np.ones_like(x)
        return np.array([np.concatenate([origin[0] + c * x - s * y, c * a - s * b]), np.concatenate([origin[1] + s * x + c * y, s * a + c * b])])

    def tip(self, q, origin, c, s):
        x, y = self.length - 0.5 * q @ self.tip_G @ q, self.tip_phi @ q
        return np.array([origin[0] + c * x - s * y, origin[1] + s * x + c * y])


def complex_jacobian(f, z):
    """∂f/∂z by complex steps; the last axis counts z."""
    columns = []
    for k in range(len(z)):
        moved = z.astype(complex)
        moved[k] += 1e-30j
        columns.append(f(moved).imag / 1e-30)
    return np.stack(columns, axis=-1)


def point_masses(places, masses, forces, closed=None):
    """ẏ of y = (z, ż) for mass points at places(t, z) (2 × points): M z̈ = forces(t, z, ż) − Σ m Jᵀ (what z̈ does not give), with the rows closed(t, z) = 0 kept by multipliers.
    Time enters as one more coordinate with rate 1."""
    def rate(t, y):
        n = len(y) // 2
        z, dz = y[:n], y[n:]
        def jacobian(f, at):
            return complex_jacobian(lambda v: f(v[0], v[1:]), at)
        def bias(f):  # d²f/dt² without z̈: the second derivative along the motion, differences of fourth order
            at, h = [f(t + k * 3e-4, z + k * 3e-4 * dz) for k in (-2, -1, 0, 1, 2)], 3e-4
            return (-at[0] + 16 * at[1] - 30 * at[2] + 16 * at[3] - at[4]) / (12 * h * h)
        J = jacobian(places, np.append(t, z))[..., 1:]
        M = np.einsum("p,apk,apl->kl", masses, J, J)
        f = forces(t, z, dz) - np.einsum("p,apk,ap->k", masses, J, bias(places))
        if closed is None:
            return np.append(dz, np.linalg.solve(M, f))
        C = jacobian(closed, np.append(t, z))[..., 1:]
        m = len(C)
        whole = np.block([[M, C.T], [C, np.zeros((m, m))]])
        return np.append(dz, np.linalg.solve(whole, np.append(f, -bias(closed)))[:n])
    return rate


def finish(script, expected):
    """Writes expected.json beside the script, or compares with it: a tenth of each tolerance is allowed."""
    path = pathlib.Path(script).with_name("expected.json")
    expected["rows"] = [[float(x) for x in row] for row in expected["rows"]]
    if sys.argv[1:] == ["--write"]:
        path.write_text(text(expected), encoding="utf-8")
        return
    stored = json.loads(path.read_text(encoding="utf-8"))
    worst = difference(stored["rows"], expected["rows"])
    assert worst <= 0.1 * expected["tolerance"], f"rows differ by {worst}"
    old_checks, new_checks = stored.get("checks", []), expected.get("checks", [])
    assert len(old_checks) == len(new_checks), "expected.json has other checks"
    for old, new in zip(old_checks, new_checks):
        values = [[c.get(key, 0) for key in ("time", "value", "always", "max_abs")] for c in (old, new)]
        assert difference(*values) <= 0.1 * new.get("tolerance", 0), f"{old} is now {new}"
    compare_runs(stored.get("runs", []), expected.get("runs", []))
    print(f"{path.parent.name}: {len(stored['rows'])} rows agree to {worst:.1e}, {len(old_checks)} checks agree")


def finish_runs(path, expected):
    """The same for examples without a model: runs of the program, each with checks of the files it writes."""
    if sys.argv[1:] == ["--write"]:
        path.write_text(text(expected), encoding="utf-8")
        return
    count = compare_runs(json.loads(path.read_text(encoding="utf-8"))["runs"], expected["runs"])
    print(f"{path.parent.name}: {count} checks agree")
