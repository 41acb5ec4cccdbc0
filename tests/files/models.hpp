// Model texts that several tests share.
#pragma once

#include <string_view>

inline constexpr std::string_view double_pendulum =
    R"toml(sarrus = 1                       # version of the format
name = "double pendulum"
gravity = [0, 0, -9.81]          # m/s², the default

[[body]]
name = "upper"
shape = { type = "box", size = [1.0, 0.05, 0.05], density = 2700 }   # gives mass, centre, inertia
[[body]]
name = "lower"
mass = 1.2                       # or say them yourself
com = [0.5, 0, 0]
inertia = [1e-3, 0.1, 0.1]       # about the centre of mass: 3 principal, 6 unique, or 3 × 3


[[joint]]
name = "shoulder"
type = "revolute"
parent = "world"
child = "upper"
axis = "y"
on_parent = { at = [0, 0, 2] }
on_child = { at = [-0.5, 0, 0] }
q = "30 deg"                     # start; numbers are SI, a string may carry a unit
u = 0                            # start speed
spring = { k = 12, rest = "0 deg" }
damper = 0.02

[[joint]]
name = "elbow"
type = "revolute"
child = "lower"
parent = "upper"
axis = "y"
on_parent = { at = [0.5, 0, 0] }
# motion = "0.1 + 0.5*sin(3*t)"  would prescribe it

[[spring]]                       # between two points
name = "return"
from = { body = "lower", at = [1, 0, 0] }
to = { body = "world", at = [0, 0, 1] }
k = 40
length = 0.8
damping = 0.5

[[sensor]]
name = "tip"
body = "lower"
at = [1, 0, 0]                   # position, velocity, acceleration, orientation of this point

[simulate]                       # every key also a flag of `sarrus run`, which wins
until = 10
output_step = 0.01               # spacing of the rows; the solver takes its own steps
formulation = "recursive"
integrator = "dop853"            # with rtol, atol; or a fixed-step method with step
rtol = 1e-9
)toml";
