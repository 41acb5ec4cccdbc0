"""Two flywheels that are coupled keep their angular momentum: ω = I₁ ω₁/(I₁ + I₂), and lose the rest of the energy."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

I1, I2, w, t0 = 0.05, 0.08, 20.0, 0.5
common = I1 * w / (I1 + I2)
rows = [[t, w if t <= t0 else common, 0.0 if t <= t0 else common] for t in (0.25, 0.5, 0.75, 1.0)]
finish(__file__, {
    "problem": "Two flywheels coupled in mid-run",
    "source": "conservation of angular momentum (reference.py)",
    "columns": ["time", "motor_axle.u", "load_axle.u"],
    "tolerance": 1e-4,
    "why": "the joint engages within a step or two of 10 µs, and opens by its load only",
    "rows": rows,
    "checks": [
        {"column": "motor_axle.q", "time": 1, "value": w * t0 + common * (1 - t0), "tolerance": 1e-3,
         "why": "the blow takes some steps of 10 µs, in which the first wheel still turns by 2e-4 rad each"},
        {"column": "energy.kinetic", "time": 1, "value": common**2 * (I1 + I2) / 2, "tolerance": 1e-3,
         "why": "what a rigid coupling leaves"},
        {"column": "energy.kinetic", "time": 0.25, "value": w**2 * I1 / 2, "tolerance": 1e-6, "why": "before it"},
    ],
})
