"""A chain that is let go falls freely, link by link, until its lowest end meets the floor; at the end it lies on it."""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

n, length, radius, g, tilt = 32, 0.05, 0.012, 9.81, 0.02
top = 0.02 + n * length
height = lambda i: top - (i + 0.5) * length * np.cos(tilt)
first_touch = np.sqrt(2 * (top - (n * length - radius) * np.cos(tilt) - radius) / g)
times = [t for t in (0.02, 0.04, 0.06) if t < first_touch]
finish(__file__, {
    "problem": "A chain of 32 links falls on a floor",
    "source": "free fall before the first touch, then what a floor means (reference.py)",
    "columns": ["time", "first.z", "last.z"],
    "tolerance": 1e-8,
    "why": "nothing pulls in a chain that falls freely",
    "rows": [[t, height(0) - g * t * t / 2, height(n - 1) - g * t * t / 2] for t in times],
    "checks": [
        {"column": "last.z", "time": 1.5, "value": radius, "tolerance": 2e-3, "why": "the last link lies on the floor"},
        {"column": "first.z", "time": 1.5, "value": 0.03, "tolerance": 0.03, "why": "the first too, or on others"},
        {"column": "energy.kinetic", "time": 0.06,
         "value": 0.1 * n * g * g * 0.06**2 / 2, "tolerance": 1e-6, "why": "m (g t)²/2"},
    ],
})
