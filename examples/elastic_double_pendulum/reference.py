"""A beam on a hinge with a point mass that swings on its end, in the plane x, z: mass points along the beam
(reference_tools.PlaneBeam) and one more, z = (angle of the beam, elastic coordinates, angle of the swing in space).
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import PlaneBeam, complex_jacobian, finish, integrate, point_masses

n, m, arm = 2, 0.1, 0.3
beam = PlaneBeam(1.0, 1.25e10 * 4e-10, 2700 * 1e-4, 2700 * 4e-10, n)
masses = np.append(beam.masses, m)
heavy = np.concatenate([np.ones(beam.x.size), np.zeros(beam.x.size), [1]])  # rotary parts have no weight


def end(z):
    return beam.tip(z[1:1 + n], (0, 0), np.cos(z[0]), np.sin(z[0]))


def bob(z):
    return np.array([end(z)[0] + arm * np.cos(z[-1]), end(z)[1] + arm * np.sin(z[-1])])


def places(t, z):
    return np.concatenate([beam.parts(z[1:1 + n], (0, 0), np.cos(z[0]), np.sin(z[0])), bob(z)[:, None]], axis=1)


def forces(t, z, dz):
    J = complex_jacobian(lambda v: places(t, v), z)
    return -9.81 * np.einsum("p,pk->k", masses * heavy, J[1]) - np.concatenate([[0], beam.K @ z[1:1 + n], [0]])


times = np.arange(0, 0.501, 0.1)
start = np.zeros(2 * (n + 2))
start[n + 1] = -np.pi / 2
y = integrate(point_masses(places, masses, forces), start, times, rtol=1e-9, atol=1e-11)
finish(__file__, {
    "problem": "A point mass swings on the end of a soft beam on a hinge, released level",
    "source": "Lagrange's equations of mass points, displacements to second order, integrated with SciPy (reference.py)",
    "columns": ["time", "hinge.q", "tip.x", "tip.z", "bob.x", "bob.z"],
    "tolerance": 1e-6,
    "rows": [[t, -s[0], *end(s), *bob(s[:n + 2])] for t, s in zip(times, y)],  # Sarrus' hinge turns about +y, from z to x
    "checks": [{"column": "energy.total", "time": 0.5, "value": -m * 9.81 * arm, "tolerance": 1e-8, "why": "that of the start"}],
})
