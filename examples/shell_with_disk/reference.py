"""A cylindrical shell with a rigid disk on four pins: the coordinates eliminated by hand.

    pins 1 and 3, 2 and 4 apart:   R α_ξ = R α_η = 0,   δ_c = δ₁₀ + δ₁₄
    M = [m + m₁₀, m; m, m + m₁₄],  K = diag(k₁₀, k₁₄)  in δ₁₀, δ₁₄
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish_runs

l, R, h, rho, young, nu, m = 1, 0.3, 2e-3, 7800, 2.1e11, 0.3, 50
membrane, shear = young / (1 - nu**2), young / (2 * (1 + nu))
m10, m14 = rho * h * R * np.pi * l, rho * h * R * np.pi * l / 2
k10 = membrane * h * R * np.pi * (np.pi / (2 * l))**2 * l
k14 = k10 / 2 + shear * h * R * np.pi * 16 / R**2 * l / 2
# λ of 2 × 2, from its characteristic equation
a, c = (m + m10) * (m + m14) - m**2, k10 * k14
b = k10 * (m + m14) + k14 * (m + m10)
root = np.sqrt(b**2 - 4 * a * c)
low, high = 2 * c / (b + root), (b + root) / (2 * a)

system = ["--mass", "M.mtx", "--stiffness", "K.mtx", "--constraints", "C.mtx", "--coordinate-names", "coordinates.txt",
          "--constraint-names", "pins.txt"]
E = [[4, 0, 0, -4, -4], [0, 2, 0, 0, 0], [0, 0, 2, 0, 0], [-4, 0, 0, 4, 4], [-4, 0, 0, 4, 4]]


def run(route):
    checks = [
        {"file": "summary.json", "pointer": "/rank/rank", "value": 3, "tolerance": 0},
        {"file": "summary.json", "pointer": "/freedoms", "value": 2, "tolerance": 0},
        {"file": "summary.json", "pointer": "/redundant/0/of/pin 1", "value": 1, "tolerance": 1e-14},
        {"file": "summary.json", "pointer": "/redundant/0/of/pin 2", "value": -1, "tolerance": 1e-14},
        {"file": "summary.json", "pointer": "/redundant/0/of/pin 3", "value": 1, "tolerance": 1e-14},
        {"file": "constraints.csv", "row": "pin 4", "column": "kept", "value": 0, "tolerance": 0},
        *[{"file": "frequencies.csv", "row": i + 1, "column": "omega[rad/s]", "value": float(np.sqrt(x)),
           "tolerance": float(1e-12 * np.sqrt(x))} for i, x in enumerate((low, high))],
        *[{"file": "modes.csv", "row": name, "column": f"mode{i + 1}", "value": 0, "tolerance": 1e-15}
          for name in ("R_alpha_eta", "R_alpha_xi") for i in range(2)],
    ]
    if route == "jacobi":
        checks += [{"file": "E.mtx", "row": i + 1, "col": j + 1, "value": x, "tolerance": 1e-14}
                   for i, row in enumerate(E) for j, x in enumerate(row)]
        checks += [{"file": "spectrum.csv", "row": i + 1, "column": "sigma_squared", "value": x, "tolerance": 2e-14}
                   for i, x in enumerate((12, 2, 2, 0))]
    return {"command": ["reduce", *system, "--route", route, "-o", route], "folder": route, "checks": checks}


by_hand = {
    "command": ["reduce", *system, "--keep", "delta_10,delta_14", "-o", "chosen"],
    "folder": "chosen",
    "checks": [{"file": file, "row": i + 1, "col": j + 1, "value": float(x), "tolerance": float(1e-14 * abs(rows).max())}
               for file, rows in (("M.mtx", np.array([[m + m10, m], [m, m + m14]])), ("K.mtx", np.diag([k10, k14])))
               for i, row in enumerate(rows) for j, x in enumerate(row)],
}
finish_runs(pathlib.Path(__file__).with_name("expected.json"), {
    "problem": "Cylindrical shell, fixed at one end, with a rigid disk on four pins: one constraint too many",
    "source": "C, E and its eigenvalues from Walton and Steeves, (60)–(63); frequencies from the elimination by hand in reference.py",
    "runs": [*(run(route) for route in ("jacobi", "svd", "qr", "sparse")), by_hand],
})
