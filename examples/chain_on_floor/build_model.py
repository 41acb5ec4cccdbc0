"""Writes model.toml: 32 links, one like the other."""
import pathlib

n, length, radius, gap = 32, 0.05, 0.012, 0.02
lines = ["""# A chain of 32 links hangs straight above a floor and is let go: it falls freely, and heaps up.
# Written by build_model.py.
sarrus = 1
name = "chain on a floor"
gravity = [0, 0, -9.81]
"""]
for i in range(n):
    lines.append(f"""[[body]]
name = "l{i}"
mass = 0.1
com = [0, 0, {-length / 2:g}]
inertia = [4e-5, 4e-5, 1e-5]
shape = {{ type = "capsule", radius = {radius:g}, length = {length - 2 * radius:g}, at = [0, 0, {-length / 2:g}] }}""")
top = gap + n * length
lines.append(f"""
[[joint]]
name = "top"
type = "free"
child = "l0"
q = {{ axis = "y", angle = 0.02, at = [0, 0, {top:g}] }}   # not quite upright, so that it knows where to fall""")
for i in range(1, n):
    lines.append(f"""[[joint]]
name = "j{i}"
type = "spherical"
parent = "l{i - 1}"
child = "l{i}"
on_parent = {{ at = [0, 0, {-length:g}] }}
damper = 2e-4""")
bodies = ", ".join(f'"l{i}"' for i in range(n))
lines.append(f"""
[[contact]]
name = "floor"
bodies = [{bodies}]
with = "world"
plane = {{ normal = "z" }}
stiffness = 5e3
dissipation = 2
friction = 0.4

[[sensor]]
name = "first"
body = "l0"
at = [0, 0, {-length / 2:g}]
[[sensor]]
name = "last"
body = "l{n - 1}"
at = [0, 0, {-length / 2:g}]

[simulate]
formulation = "discrete"
until = 1.5
output_step = 0.02
step = 2e-5
""")
pathlib.Path(__file__).with_name("model.toml").write_text("\n".join(lines))
