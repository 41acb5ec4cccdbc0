"""Steady precession of the heavy symmetric top: I1 cos θ p² − I3 ω p + m g l = 0, the lean stays and φ = p t."""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[2]))
from reference_tools import finish

I1, I3, m, l, g, w, theta = 0.012, 0.004, 1.2, 0.08, 9.81, 120.0, np.pi / 6
slow = min(np.roots([I1 * np.cos(theta), -I3 * w, m * g * l]).real)
times = np.arange(0, 1.01, 0.1)
finish(__file__, {
    "problem": "A heavy symmetric top in steady precession",
    "source": "closed form (reference.py); slow rate 2.0532780074996615 rad/s",
    "columns": ["time", "phi"],
    "tolerance": 1e-9,
    "why": "rtol is 1e-12, and the top turns twenty times",
    "rows": [[t, slow * t] for t in times],
    "checks": [{"column": "theta", "always": theta, "tolerance": 1e-10, "why": "no nutation"},
               {"column": "tip.u3", "always": w, "tolerance": 1e-9, "why": "no moment about the axis"}],
})
