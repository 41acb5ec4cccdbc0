"""The chain of five unit masses and four unit springs, without cutting it: M = I, K tridiagonal.

    ω² = 2 − 2 cos(kπ/5)         shapes cos(kπ(i − ½)/5)
    x(t) = V (V' x₀ cos ωt + …)  for the given start and constant forces, mode by mode
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish_runs

n, r = 5, np.sqrt(0.5)
K = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
K[0, 0] = K[-1, -1] = 1
omega2 = 2 - 2 * np.cos(np.arange(n) * np.pi / n)
V = np.array([[np.cos(k * np.pi * (i + 0.5) / n) for k in range(n)] for i in range(n)])
V /= np.linalg.norm(V, axis=0)
assert np.abs(K @ V - V * omega2).max() < 1e-14


def motion(t):
    """Displacements of the five masses under forces 1, 0.5, −0.25 on the first three."""
    x0, v0, F = np.array([0.3, -0.1, 0.2, 0, -0.4]), np.array([0, 0.5, 0, -0.2, 0.1]), np.array([1, 0.5, -0.25, 0, 0])
    y0, w0, p = V.T @ x0, V.T @ v0, V.T @ F
    w = np.sqrt(omega2[1:])
    y = np.empty(n)
    y[0] = y0[0] + w0[0] * t + p[0] * t**2 / 2
    y[1:] = (y0[1:] - p[1:] / w**2) * np.cos(w * t) + w0[1:] / w * np.sin(w * t) + p[1:] / w**2
    return V @ y


def response(omega, at):
    F = np.zeros(n)
    F[at] = 1
    return np.linalg.solve(K - omega**2 * np.eye(n), F)


def entries(file, rows, tolerance):
    return [{"file": file, "row": i + 1, "col": j + 1, "value": float(x), "tolerance": tolerance}
            for i, row in enumerate(rows) for j, x in enumerate(row)]


mass_of = [0, 1, 1, 2, 2, 3, 3, 4]  # y1 … y8 belong to these masses
frequencies = [{"file": "frequencies.csv", "row": i + 1, "column": "omega_squared[rad2/s2]",
                "value": float(x), "tolerance": 1e-14} for i, x in enumerate(omega2)]
T = [[1, 0, 0, 0, 0], [0, r, 0, 0, 0], [0, r, 0, 0, 0], [0, 0, r, 0, 0], [0, 0, r, 0, 0], [0, 0, 0, r, 0],
     [0, 0, 0, r, 0], [0, 0, 0, 0, 1]]
reduced_K = [[1, -r, 0, 0, 0], [-r, 1, -0.5, 0, 0], [0, -0.5, 1, -0.5, 0], [0, 0, -0.5, 1, -r], [0, 0, 0, -r, 1]]
E = np.zeros((8, 8))
for i in (1, 3, 5):
    E[i:i + 2, i:i + 2] = [[1, -1], [-1, 1]]
system = ["--mass", "M.mtx", "--stiffness", "K.mtx", "--constraints", "C.mtx", "--coordinate-names", "coordinates.txt",
          "--constraint-names", "cuts.txt"]
Q = [1, r * 0.5, r * -0.25, 0, 0]
source = {
    "command": ["reduce", *system, "--route", "jacobi", "--force", "Z.csv", "--initial", "initial.csv", "--until", "8",
                "--step", "0.5", "--frequencies", "0.5:2.5:5", "-o", "source"],
    "folder": "source",
    "checks": [
        *entries("T.mtx", T, 1e-14), *entries("E.mtx", E, 1e-14), *entries("K.mtx", reduced_K, 1e-14),
        *entries("M.mtx", np.diag([1, 0.5, 0.5, 0.5, 1]), 1e-14), *frequencies,
        *[{"file": "spectrum.csv", "row": i + 1, "column": "sigma_squared", "value": 2.0, "tolerance": 1e-14} for i in range(3)],
        {"file": "summary.json", "pointer": "/freedoms", "value": 5, "tolerance": 0},
        {"file": "summary.json", "pointer": "/rank/rank", "value": 3, "tolerance": 0},
        *[{"file": "Q.csv", "row": 1, "column": f"q{i + 1}", "value": float(x), "tolerance": 1e-14} for i, x in enumerate(Q)],
        *[{"file": "time_history.csv", "row": 1 + 2 * t, "column": f"y{i + 1}", "value": float(motion(t)[m]), "tolerance": 1e-12}
          for t in (0, 1, 4, 8) for i, m in enumerate(mass_of)],
        *[{"file": "frequency_response_y3.csv", "row": k + 1, "column": f"y{i + 1}.re",
           "value": float(response(0.5 + 0.5 * k, 1)[m]), "tolerance": 1e-11} for k in range(5) for i, m in enumerate(mass_of)],
    ],
}
chosen = {
    "command": ["reduce", *system, "--route", "jacobi", "--transform", "H.mtx", "-o", "masses"],
    "folder": "masses",
    "checks": [*entries("K.mtx", K, 1e-14), *entries("M.mtx", np.eye(n), 1e-14), *frequencies],
}
kept = {
    "command": ["reduce", *system, "--keep", "y1,y3,y5,y7,y8", "-o", "kept"],
    "folder": "kept",
    "checks": [*entries("K.mtx", K, 1e-14), *entries("M.mtx", np.eye(n), 1e-14), *frequencies],
}
equal = {  # another Z that does the same work, (42)
    "command": ["reduce", *system, "--route", "sparse", "--until", "8", "--step", "0.5", "--initial", "initial.csv", "--load", "y1=1",
                "--load", "y2=0.25", "--load", "y3=0.25", "--load", "y4=-0.25/3", "--load", "y5=-0.5/3", "-o", "equal"],
    "folder": "equal",
    "checks": [{"file": "time_history.csv", "row": 17, "column": f"y{i + 1}", "value": float(motion(8)[m]), "tolerance": 1e-12}
               for i, m in enumerate(mass_of)],
}
expected = {
    "problem": "Five masses in a row, cut in four at the inner masses and put together by constraints",
    "source": "closed forms of the uncut chain; T, M, K, Q as in Walton and Steeves, (43)–(50), with (50) restored",
    "runs": [source, chosen, kept, equal],
}
finish_runs(pathlib.Path(__file__).with_name("expected.json"), expected)
