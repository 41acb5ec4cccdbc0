"""A point mass on a rod that is hinged to a vertical shaft.

    turning at Ω, in balance:  hanging, or cos θ = g/(l Ω²) where Ω² > g/l
    small vibrations           ω² = g/l − Ω² hanging,  Ω² sin² θ standing out
    at rest, released          ½ l θ̇² = g (cos θ − cos θ₀): integrated with SciPy
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish, integrate

g, l = 9.81, 0.5
times = np.arange(0, 2.01, 0.5)
y = integrate(lambda t, y: [y[1], -g / l * np.sin(y[0])], [np.radians(5), 0], times)


def modes(speed, hanging):
    angle = 0 if hanging else np.arccos(g / (l * speed**2))
    square = g / l - speed**2 if hanging else (speed * np.sin(angle))**2
    column, value = ("imaginary[rad/s]", np.sqrt(square)) if square > 0 else ("real[1/s]", np.sqrt(-square))
    tilt = "0 deg" if hanging else "40 deg"
    folder = f"at_{speed}{'_hanging' if hanging else ''}"
    return {"command": ["modes", "model.toml", "--set", f"tilt={tilt}", "--rotate", f"spin={speed}", "-o", folder], "folder": folder,
            "checks": [{"file": "modes.csv", "row": 1, "column": column, "value": float(value), "tolerance": 1e-11 * value},
                       {"file": "summary.json", "pointer": "/point/q/hinge.q", "value": float(angle), "tolerance": 1e-11}]}


finish(__file__, {
    "problem": "A pendulum hinged to a vertical shaft: swinging at rest, and small vibrations where the shaft turns",
    "source": "the equation of the plane pendulum, integrated with SciPy's DOP853; closed forms of the modes (reference.py)",
    "columns": ["time", "hinge.q", "hinge.u"],
    "tolerance": 1e-9,
    "rows": [[t, *s] for t, s in zip(times, y)],
    "checks": [{"column": "spin.q", "max_abs": 1e-12, "why": "nothing turns the shaft"}],
    "runs": [modes(3, True), modes(6, False), modes(6, True), modes(20, False)],
})
