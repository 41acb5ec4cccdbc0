"""Two beams one after the other in the plane x, z, as mass points (reference_tools.PlaneBeam): z = (angle of the shoulder, coordinates of the upper arm,
angle of the elbow against the section at the upper arm's end, coordinates of the forearm). Motor, payload and the inertias of the rotors are mass points too."""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import PlaneBeam, complex_jacobian, finish, integrate, point_masses, step

n, g, E, rho = 2, 9.81, 70e9, 2700
links = [PlaneBeam(length, E * b * h**3 / 12, rho * b * h, rho * b * h**3 / 12, n) for length, b, h in ((0.8, 0.06, 0.01), (0.6, 0.04, 0.006))]
armature, kp, kd, goals = np.array([0.4, 0.1]), np.array([6000, 1500]), np.array([250, 50]), [0.9, -1.4]  # from x to z: against Sarrus' axis y
angles = [0, n + 1]


def chain(z):
    """Of both links: origin, cosine and sine of their axis; the place of the payload."""
    found, origin, angle = [], np.zeros(2), 0
    for link, at in zip(links, angles):
        angle, q = angle + z[at], z[at + 1:at + 1 + n]
        found.append((link, q, origin, np.cos(angle), np.sin(angle)))
        origin = link.tip(q, origin, np.cos(angle), np.sin(angle))
        angle = angle + link.tip_slope @ q
    return found, origin


def places(t, z):
    beams, payload = chain(z)
    rotors = np.array([z[angles], 0 * z[angles]])
    return np.concatenate([link.parts(*rest) for link, *rest in beams] + [beams[1][2][:, None], payload[:, None], rotors], axis=1)


along = [np.concatenate([np.ones(link.x.size), np.zeros(link.x.size)]) for link in links]  # rotary parts have no weight
masses = np.concatenate([link.masses for link in links] + [[1.2, 0.5], armature])
weights = g * masses * np.concatenate(along + [[1, 1, 0, 0]])


def servo(t, z, dz):
    wish = np.array([step(t, 0, 0, 0.6, goal)[:2] for goal in goals])
    return kp * (wish[:, 0] - z[angles]) + kd * (wish[:, 1] - dz[angles])


def forces(t, z, dz):
    f = -weights @ complex_jacobian(lambda v: places(t, v), z)[1]
    f[angles] += servo(t, z, dz)
    for link, at in zip(links, angles):
        f[at + 1:at + 1 + n] -= link.K @ z[at + 1:at + 1 + n]
    return f


times = np.arange(0, 0.301, 0.05)
y = integrate(point_masses(places, masses, forces), np.zeros(4 * n + 4), times, rtol=1e-8, atol=1e-10)
rows = []
for t, s in zip(times, y):
    z, dz = np.split(s, 2)
    rows.append([t, *-z[angles], *chain(z)[1], *-servo(t, z, dz)])
finish(__file__, {
    "problem": "Two elastic links under servos that follow smooth steps",
    "source": "Lagrange's equations of mass points along the links, displacements to second order, integrated with SciPy (reference.py)",
    "columns": ["time", "shoulder.q", "elbow.q", "grip.x", "grip.z", "shoulder.drive", "elbow.drive"],
    "tolerance": 1e-5,
    "why": "torques are angles times up to 6000",
    "rows": rows,
    "checks": [{"column": "energy.ledger", "max_abs": 1e-6, "why": "the work of the servos is accounted for"}],
})
