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
