"""A Stewart platform, its six legs built by a loop, and the leg forces that hold it at a height."""
import math

import numpy

import sarrus

HEIGHT, BASE, TOP = 1.2, 1.0, 0.6

model = sarrus.Model(name="Stewart platform")
model.body("plate", mass=40, inertia=(2, 2, 4), shape={"type": "cylinder", "radius": TOP, "length": 0.04})
feet, balls = [], []
for leg in range(6):
    pair, side = divmod(leg, 2)
    foot, ball = (math.radians(120 * pair + angle * (1 - 2 * side)) for angle in (10, 50))
    feet.append((BASE * math.cos(foot), BASE * math.sin(foot), 0))
    balls.append((TOP * math.cos(ball), TOP * math.sin(ball), 0))
    length = math.dist(feet[leg], balls[leg][:2] + (HEIGHT,))
    model.body(f"cylinder{leg}", mass=5, com=(0, 0, 0.3), inertia=(0.2, 0.2, 0.01))
    model.body(f"piston{leg}", mass=2, com=(0, 0, -0.35), inertia=(0.1, 0.1, 0.01))
    model.joint(f"foot{leg}", type="universal", child=f"cylinder{leg}", axis="x", axis2="y",
                on_parent={"at": feet[leg]})
    model.joint(f"leg{leg}", type="prismatic", parent=f"cylinder{leg}", child=f"piston{leg}", axis="z",
                motion=length)
    model.joint(f"ball{leg}", type="spherical", parent=f"piston{leg}", child="plate", on_child={"at": balls[leg]})
model.sensor("centre", body="plate")

check = model.check()
print(check)
result = model.simulate(until=0.01, rows=1)
print("the plate is at", [round(float(result[f"centre.{axis}"][0]), 9) for axis in "xyz"])
assert abs(result["centre.z"][0] - HEIGHT) < 1e-9 and abs(result["centre.x"][0]) < 1e-9

# the legs together carry the plate: the vertical parts of what they exert on it add up to its weight, and
# more for the pistons and cylinders that lean on them
forces = numpy.array([result[f"leg{leg}.drive"][0] for leg in range(6)])
print("leg forces [N]:", forces.round(2))
assert numpy.ptp(forces) < 1e-6 * abs(forces).max()  # by symmetry
