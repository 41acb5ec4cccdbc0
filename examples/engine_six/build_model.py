"""Writes model.toml: six cylinders, one like the other."""
import math
import pathlib

r, l, spacing = 0.04, 0.14, 0.1
theta, rate = 0.3, 60.0
phases = [0, 120, 240, 240, 120, 0]
lines = ["""# An engine with six cylinders in line: crankshaft, flywheel, and six rods, pistons and pins. Each cylinder
# closes a loop. A starter turns the crankshaft against a viscous drag. Written by build_model.py.
sarrus = 1
name = "engine with six cylinders"
gravity = [0, 0, -9.81]

[[body]]
name = "crankshaft"
mass = 12.0
com = [0.25, 0, 0]
inertia = [0.03, 0.4, 0.4]
[[body]]
name = "flywheel"
mass = 8.0
inertia = [0.12, 0.07, 0.07]
shape = { type = "cylinder", radius = 0.16, length = 0.04, rotation = { axis = "y", angle = "90 deg" } }
"""]
for i in range(1, 7):
    lines.append(f"""[[body]]
name = "rod{i}"
mass = 0.6
com = [0, 0, 0.05]
inertia = [1.5e-3, 1.5e-3, 3e-4]
[[body]]
name = "piston{i}"
mass = 0.4
inertia = [4e-4, 4e-4, 5e-4]
shape = {{ type = "cylinder", radius = 0.045, length = 0.06 }}
[[body]]
name = "pin{i}"
mass = 0.1
inertia = [2e-5, 4e-5, 4e-5]""")
lines.append(f"""
[[joint]]
name = "bearing"
type = "revolute"
child = "crankshaft"
axis = "x"
q = {theta:g}
u = {rate:g}
force = "25"                     # the starter
damper = 0.2
[[joint]]
name = "flange"
type = "fixed"
parent = "crankshaft"
child = "flywheel"
on_parent = {{ at = [-0.08, 0, 0] }}""")
for i, phase in enumerate(phases):
    phi = math.radians(phase)
    alpha = theta + phi
    beta = math.asin(-r / l * math.sin(alpha))
    beta_rate = -r / l * math.cos(alpha) / math.cos(beta) * rate
    lines.append(f"""[[joint]]
name = "big_end{i + 1}"
type = "revolute"
parent = "crankshaft"
child = "rod{i + 1}"
axis = "x"
on_parent = {{ at = [{spacing * i:g}, {-r * math.sin(phi):.17g}, {r * math.cos(phi):.17g}] }}
q = {beta - theta:.17g}
u = {beta_rate - rate:.17g}
[[joint]]
name = "small_end{i + 1}"
type = "revolute"
parent = "rod{i + 1}"
child = "piston{i + 1}"
axis = "x"
on_parent = {{ at = [0, 0, {l:g}] }}
q = {-beta:.17g}
u = {-beta_rate:.17g}
[[joint]]
name = "seat{i + 1}"
type = "fixed"
parent = "piston{i + 1}"
child = "pin{i + 1}\"""")
for i in range(6):
    lines.append(f"""[[joint]]
name = "cylinder{i + 1}"
type = "prismatic"
child = "piston{i + 1}"
axis = "z"
on_parent = {{ at = [{spacing * i:g}, 0, 0] }}""")
lines.append("""
[[sensor]]
name = "first"
body = "piston1"
[[sensor]]
name = "third"
body = "piston3"

[simulate]
formulation = "discrete"
until = 0.2
output_step = 0.01
step = 1e-5
""")
pathlib.Path(__file__).with_name("model.toml").write_text("\n".join(lines))
