"""The connecting rod in the exact motion of the slider-crank, as mass points in Lagrange's equations (reference_tools.PlaneBeam).

What was measured with noise differs from it by what the noise leaves: about a percent of the bending moment.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import PlaneBeam, finish, integrate, point_masses

r, l, w, side, E, rho = 0.08, 0.35, 9.0, 0.02, 1e8, 1100.0
rod = PlaneBeam(l, E * side**4 / 12, rho * side**2, rho * side**4 / 12, 2)


def places(t, q):
    sine = -r / l * np.sin(w * t)
    return rod.parts(q, (r * np.cos(w * t), r * np.sin(w * t)), np.sqrt(1 - sine**2), sine)


times = 0.025 + np.arange(0, 1.41, 0.1)
y = integrate(point_masses(places, rod.masses, lambda t, q, dq: -rod.K @ (q + 2e-3 * dq)), np.zeros(4), times, rtol=1e-8, atol=1e-12)
rows = []
for t, s in zip(times, y):
    sine = -r / l * np.sin(w * t)
    rows.append([t, *rod.tip(s[:2], (r * np.cos(w * t), r * np.sin(w * t)), np.sqrt(1 - sine**2), sine)])
finish(__file__, {
    "problem": "A rod that bends, in a motion measured with noise",
    "source": "the exact motion of the slider-crank and Lagrange's equations of mass points, integrated with SciPy (reference.py)",
    "columns": ["time", "tip.x", "tip.y"],
    "tolerance": 2e-4,
    "rows": rows,
    "runs": [{"command": ["markers", "tracks.csv", "--body", "markers.csv", "--noise", "0.05 mm", "-o", "found"], "folder": "found",
              "checks": [{"file": "motion.csv", "row": i + 1, "column": "x", "value": float(r * np.cos(w * (0.025 + 0.001 * i))), "tolerance": 1e-4} for i in (0, 300, 900)]}],
})
