"""A beam on a hinge under gravity, in the plane x, z: mass points along it (reference_tools.PlaneBeam), z = (angle, elastic coordinates).

The polynomials span the same space as those of Sarrus, so that the motions agree to rounding and tolerance.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import PlaneBeam, complex_jacobian, finish, integrate, point_masses

beam = PlaneBeam(1.0, 1.25e10 * 4e-10, 2700 * 1e-4, 2700 * 4e-10, 4)
heavy = np.concatenate([np.ones(beam.x.size), np.zeros(beam.x.size)])  # rotary parts have no weight


def places(t, z):
    return beam.parts(z[1:], (0, 0), np.cos(z[0]), np.sin(z[0]))


def forces(t, z, dz):
    J = complex_jacobian(lambda v: places(t, v), z)
    return -9.81 * np.einsum("p,pk->k", beam.masses * heavy, J[1]) - np.append(0, beam.K @ z[1:])


times = np.arange(0, 0.501, 0.125)
y = integrate(point_masses(places, beam.masses, forces), np.zeros(10), times, rtol=1e-8, atol=1e-10)
rows = []
for t, s in zip(times, y):
    tip = beam.tip(s[1:5], (0, 0), np.cos(s[0]), np.sin(s[0]))
    rows.append([t, -s[0], tip[0], tip[1]])  # Sarrus' hinge turns about +y, from z to x
finish(__file__, {
    "problem": "A soft beam on a hinge, released level",
    "source": "Lagrange's equations of mass points along the beam, displacements to second order, integrated with SciPy (reference.py)",
    "columns": ["time", "hinge.q", "tip.x", "tip.z"],
    "tolerance": 1e-6,
    "rows": rows,
})
