"""The chain as nine hinges z, y, x, z, … by Kane's equations (class Chain); the two light bodies of each place have no mass."""
import pathlib
import sys

import numpy as np
from scipy.spatial.transform import Rotation

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import Chain, finish, integrate

chain = Chain()
for k in range(3):
    chain.add([0.1, 0.05, 0.6] if k else [0, 0, 0], [0, 0, 1])
    chain.add([0, 0, 0], [0, 1, 0])
    chain.add([0, 0, 0], [1, 0, 0], 1 + 0.3 * k, [0.03, 0.01, 0.3], [0.03, 0.05, 0.04 + 0.01 * k])
q0 = [0.3, 0.4, 0.5, -0.2, 0.3, 0.6, 0.1, -0.5, 0.2]
u0 = [1, -0.5, 0.4, 0.3, 0.8, -0.6, -0.7, 0.2, 0.9]
rate = lambda t, y: np.concatenate([y[9:], chain.accelerations(y[:9], y[9:], np.zeros(9))])
times = np.arange(0, 0.51, 0.1)
y = integrate(rate, q0 + u0, times)
rows = []
for t, s in zip(times, y):
    frames = chain.frames(s[:9])
    R, p = frames[8]
    w = sum(frames[i][0] @ chain.links[i][1] * s[9 + i] for i in range(9))
    rows.append([t, *(p + R @ [0.1, 0.05, 0.6]), *w])
x, yy, z, w = Rotation.from_matrix(frames[5][0].T @ frames[8][0]).as_quat()
checks = [{"column": "energy.ledger", "max_abs": 1e-11, "why": "nothing rubs"}]
for i, value in enumerate([w, x, yy, z]):
    checks.append({"model": "model.toml", "column": f"ball_3.q{i + 1}", "time": 0.5, "value": value,
                   "tolerance": 1e-9, "why": "quaternion of the third link against the second"})
finish(__file__, {
    "problem": "Three links on ball joints, or on three hinges each",
    "source": "Kane's equations for nine hinges, integrated with SciPy's DOP853 (reference.py)",
    "models": ["model.toml", "sequence.toml"],
    "columns": ["time", "end.x", "end.y", "end.z", "end.wx", "end.wy", "end.wz"],
    "tolerance": 1e-9,
    "why": "rtol is 1e-12; both models meet the same numbers, so they agree with each other",
    "rows": rows,
    "checks": checks,
})
