// States of controllers join equilibria and linear models.
#include <doctest/doctest.h>

#include "near.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/linear/equilibrium.hpp"
#include "sarrus/linear/linearize.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// m z̈ = −m g + s − 6 ż − 11 z,  ṡ = 6 (target − z): poles −1, −2, −3 for m = 1
Mechanism lifted() {
  return compile(parse_model(R"toml(
sarrus = 1
gravity = [0, 0, -10]
[[body]]
name = "block"
mass = 1
[[joint]]
name = "lift"
type = "prismatic"
axis = "z"
child = "block"
force = "s - 6*lift.u - 11*lift.q"
[[input]]
name = "target"
value = 2
[[state]]
name = "s"
rate = "6*(target - lift.q)"
[[output]]
name = "error"
value = "target - lift.q"
)toml",
                             "lift.toml"));
}

}  // namespace

TEST_CASE("control: at equilibrium every rate is 0, and the integral carries the load") {
  const Mechanism m = lifted();
  const Equilibrium found = find_equilibrium(m, start_point(m));
  CHECK(near(found.point.q[0], 2, 1e-12));  // rounding of a linear problem
  CHECK(near(found.point.state[0], 10 + 22, 1e-12));
}

TEST_CASE("control: the linear model has the poles of the closed loop, its inputs and outputs") {
  const Mechanism m = lifted();
  const StateSpace s = state_space(linearize(m, find_equilibrium(m, start_point(m)).point));
  REQUIRE(s.A.rows == 3);
  CHECK(s.states == std::vector<std::string>{"lift.q", "lift.u", "s"});
  // det(λ − A) = λ³ + 6 λ² + 11 λ + 6: trace, sum of the principal minors, determinant
  const auto minor = [&](int i, int j) { return s.A(i, i) * s.A(j, j) - s.A(i, j) * s.A(j, i); };
  CHECK(near(s.A(0, 0) + s.A(1, 1) + s.A(2, 2), -6, 1e-12));  // rounding
  CHECK(near(minor(0, 1) + minor(0, 2) + minor(1, 2), 11, 1e-12));
  const double det = s.A(0, 0) * minor(1, 2) -
                     s.A(0, 1) * (s.A(1, 0) * s.A(2, 2) - s.A(1, 2) * s.A(2, 0)) +
                     s.A(0, 2) * (s.A(1, 0) * s.A(2, 1) - s.A(1, 1) * s.A(2, 0));
  CHECK(near(det, -6, 1e-12));
  REQUIRE(s.inputs.size() == 2);
  CHECK(s.inputs[1] == "target");
  CHECK(s.B(2, 1) == 6);
  CHECK(s.B(1, 1) == 0);
  REQUIRE(s.outputs == std::vector<std::string>{"error"});
  CHECK(s.C(0, 0) == -1);
  CHECK(s.D(0, 1) == 1);
}
