"""The slider-crank at constant crank speed ω, from closed forms.

    rod angle φ: sin φ = −(r/l) sin θ, cos φ > 0        slider x = r cos θ + l cos φ,   θ = ω t

Accelerations of the three centres follow by differentiating twice. Newton's equations of the slider and the rod give the forces
at the pins from the outside in, those of the crank the torque. Forces of a joint are of the parent on the child, in the child's
axes where the results say so.
"""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import finish

r, l, mc, mr, ms, g, w = 0.15, 0.4, 0.6, 1.0, 0.8, 9.81, 10.0

rows = []
for t in np.linspace(0, 0.62, 32):
    th = w * t
    s, c = np.sin(th), np.cos(th)
    phi = -np.arcsin(r / l * s)
    p1 = -r / l * c / np.cos(phi) * w                                    # φ̇
    p2 = (r / l * s * w * w + np.sin(phi) * p1**2) / np.cos(phi)         # φ̈
    along, across = np.array([np.cos(phi), np.sin(phi)]), np.array([-np.sin(phi), np.cos(phi)])
    a_pin = -r * w * w * np.array([c, s])
    a_rod = a_pin + l / 2 * (p2 * across - p1**2 * along)
    a_slider = (a_pin + l * (p2 * across - p1**2 * along))[0]
    # rod and slider: forces P of the crank on the rod, Q of the rod on the slider, N of the guide on the slider
    #   ms a = Qx,  N + Qy = ms g,  P − Q = mr (a_rod + g y),  moments about the rod's centre
    Qx = ms * a_slider
    lever = l / 2 * along

    def unbalanced(Qy):
        Q = np.array([Qx, Qy])
        P = mr * (a_rod + [0, g]) + Q
        moment = -(lever[0] * P[1] - lever[1] * P[0]) - (lever[0] * Q[1] - lever[1] * Q[0])
        return moment - mr * l * l / 12 * p2, P

    zero, one = unbalanced(0.0)[0], unbalanced(1.0)[0]
    Qy = -zero / (one - zero)                                            # linear in Qy
    P = unbalanced(Qy)[1]
    N = ms * g - Qy
    # crank: torque about its bearing, and the bearing's force in world axes
    torque = mc * g * r / 2 * c + r * (c * P[1] - s * P[0])
    a_crank = a_pin / 2
    F = mc * (a_crank + [0, g]) + P
    rows.append([t, torque, r * c + l * np.cos(phi), F[0] * c + F[1] * s, -F[0] * s + F[1] * c, N])

finish(__file__, {
    "problem": "Torque and bearing forces of a slider-crank at constant speed",
    "source": "closed-form kinematics and Newton's equations (reference.py)",
    "columns": ["time", "crankshaft.drive", "guide.q", "crankshaft.fx", "crankshaft.fy", "guide.fy"],
    "tolerance": 1e-9,
    "why": "no integration: the crank is prescribed and the rest is closed by projection",
    "rows": rows,
    "checks": [{"column": "constraint.position", "max_abs": 1e-12, "why": "every row is projected"}],
})
