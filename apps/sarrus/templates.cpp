#include "templates.hpp"

namespace sarrus::app {
namespace {

constexpr const char* pendulum =
    R"toml(# A pendulum: one bar on a hinge. Numbers are SI; a text may carry a unit: "30 deg", "80 cm".
sarrus = 1                      # version of the format
name = "{name}"
gravity = [0, 0, -9.81]         # z points up

[[body]]
name = "bar"                    # mass, centre and inertia follow from the shape
shape = { type = "box", size = [1.0, 0.05, 0.05], density = 2700 }

[[joint]]
name = "hinge"
type = "revolute"
parent = "world"
child = "bar"
axis = "y"
on_child = { at = [-0.5, 0, 0] }   # the hinge sits at the bar's left end
q = "30 deg"                    # start: 30° below the horizontal, at rest
damper = 0.05                   # friction of the hinge, N.m per rad/s

[[sensor]]                      # position, velocity and more of this point become columns
name = "tip"
body = "bar"
at = [0.5, 0, 0]

[simulate]
until = 10
output_step = 0.01
)toml";

constexpr const char* double_pendulum =
    R"toml(# A double pendulum: two rods, the second hangs on the first.
sarrus = 1                      # version of the format
name = "{name}"
gravity = [0, 0, -9.81]         # z points up

[[body]]
name = "upper"                  # mass, centre and inertia follow from the shape
shape = { type = "box", size = [1.0, 0.05, 0.05], density = 2700 }
[[body]]
name = "lower"                  # or say them yourself: about the centre of mass, SI
mass = 1.2
com = [0.5, 0, 0]
inertia = [1e-3, 0.1, 0.1]

[[joint]]
name = "shoulder"
type = "revolute"
parent = "world"
child = "upper"
axis = "y"
on_child = { at = [-0.5, 0, 0] }
q = "30 deg"                    # start; u = 0 is its speed

[[joint]]
name = "elbow"
type = "revolute"
parent = "upper"
child = "lower"
axis = "y"
on_parent = { at = [0.5, 0, 0] }

[[sensor]]                      # position, velocity and more of this point become columns
name = "tip"
body = "lower"
at = [1, 0, 0]

[simulate]
until = 10
output_step = 0.01
)toml";

constexpr const char* oscillator =
    R"toml(# A mass that slides on a rail, held by a spring and pushed by a periodic force.
sarrus = 1                      # version of the format
name = "{name}"

[parameters]                    # sarrus run … --set pace=5 tries another value
stiffness = 40
pace = 6

[[body]]
name = "block"
shape = { type = "box", size = [0.2, 0.2, 0.2], density = 500 }

[[joint]]
name = "rail"
type = "prismatic"
parent = "world"
child = "block"
axis = "x"
q = "10 cm"
spring = { k = "stiffness" }
damper = 0.8
force = "5*sin(pace*t)"         # drives the joint, N

[simulate]
until = 20
output_step = 0.02
)toml";

constexpr const char* top =
    R"toml(# A heavy top: a disk on a stick, spinning about its own axis over a fixed point.
sarrus = 1                      # version of the format
name = "{name}"

[[body]]
name = "top"
shape = { type = "cylinder", radius = 0.1, length = 0.02, density = 2700, at = [0, 0, 0.15] }

[[joint]]
name = "point"
type = "spherical"
parent = "world"
child = "top"
q = { axis = "x", angle = "20 deg" }   # it leans
u = [0, 0, "1500 rpm"]          # and spins about its own axis

[[sensor]]
name = "tip"
body = "top"
at = [0, 0, 0.15]

[simulate]
until = 5
output_step = 0.005
)toml";

}  // namespace

const std::vector<Template>& templates() {
  static const std::vector<Template> all = {
      {"pendulum", "one bar on a hinge, with friction", pendulum},
      {"double-pendulum", "two rods, one on the other", double_pendulum},
      {"oscillator", "mass, spring, damper and a driving force; parameters", oscillator},
      {"top", "a spinning top on a fixed point", top},
  };
  return all;
}

}  // namespace sarrus::app
