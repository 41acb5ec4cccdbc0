"""A drum and a flywheel on one axis, and a torsion spring with a damper between them.

    θ = θ₂ − θ₁:  I θ̈ + c θ̇ + k θ = 0,  1/I = 1/I₁ + 1/I₂        a damped oscillator, wound by θ₀ at the start
    I₁ θ₁ + I₂ θ₂ = I₂ θ₀                                          no torque from outside
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

I1, I2, k, c, wound = 0.02, 0.005, 0.4, 0.008, np.radians(150)
I = I1 * I2 / (I1 + I2)
decay = c / (2 * I)
w = np.sqrt(k / I - decay**2)


def row(t):
    fade = np.exp(-decay * t)
    angle = wound * fade * (np.cos(w * t) + decay / w * np.sin(w * t))
    rate = -wound * fade * (k / I) / w * np.sin(w * t)
    share = I2 / (I1 + I2)
    drum, drum_rate = share * (wound - angle), -share * rate
    return [t, drum, drum_rate, drum + angle, drum_rate + rate, angle, -k * angle - c * rate]


finish(__file__, {
    "problem": "A wound torsion spring between a drum and a flywheel",
    "source": "closed form of the damped oscillator and the angular momentum (reference.py)",
    "columns": ["time", "drum_bearing.q", "drum_bearing.u", "wheel_bearing.q", "wheel_bearing.u",
                "mainspring.angle", "mainspring.torque"],
    "tolerance": 1e-8,
    "why": "rtol is 1e-10, over five periods",
    "rows": [row(float(t)) for t in (0, 0.1, 0.3, 0.7, 1.5, 3)],
    "checks": [
        {"column": "energy.ledger", "max_abs": 1e-8, "why": "what the spring stored is moving or dissipated"},
    ],
})
