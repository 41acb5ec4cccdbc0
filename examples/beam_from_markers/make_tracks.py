"""Makes tracks.csv and markers.csv: three markers on the coupler of a slider-crank (crank 0.08 m at 9 rad/s, rod 0.35 m), seen 200 times per
second with a noise of 0.05 mm. The same seed gives the same files."""
import pathlib

import numpy as np

r, l, w, rate, sigma = 0.08, 0.35, 9.0, 200, 5e-5
here = pathlib.Path(__file__).parent
on_body = np.array([[0.02, 0.01], [0.18, -0.02], [0.33, 0.015]])
t = np.arange(0, 1.5, 1 / rate)
random = np.random.default_rng(1)
angle = -np.arcsin(r / l * np.sin(w * t))
pin = np.array([r * np.cos(w * t), r * np.sin(w * t)]).T
columns = [t]
for b in on_body:
    x = pin[:, 0] + np.cos(angle) * b[0] - np.sin(angle) * b[1]
    y = pin[:, 1] + np.sin(angle) * b[0] + np.cos(angle) * b[1]
    columns += [x + sigma * random.standard_normal(t.size), y + sigma * random.standard_normal(t.size)]
np.savetxt(here / "tracks.csv", np.array(columns).T, fmt="%.7g", delimiter=",", header="time,m1.x,m1.y,m2.x,m2.y,m3.x,m3.y", comments="")
np.savetxt(here / "markers.csv", on_body, fmt="%.6g", delimiter=",", header="x,y", comments="")
