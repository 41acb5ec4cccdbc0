// What errors are compared with: sizes of velocities, motion of positions.
#include <doctest/doctest.h>

#include "integrators/odes.hpp"
#include "near.hpp"
#include "sarrus/integrators/error_scale.hpp"

using namespace sarrus;
using namespace sarrus::test;
using sarrus::testing::near;

TEST_CASE("error scale: positions are judged by their motion, velocities by their size") {
  const Plain ode(3, 1, {}, 1);  // one position, one velocity, one quadrature
  const double rtol = 1e-3, atol = 1e-6;
  ErrorScale scale;
  scale.start(ode, rtol, atol);
  CHECK(scale.controlled() == 2);

  // at the start nothing has moved: only atol, wherever the position is
  CHECK(scale(0, 7, 7) == atol);
  CHECK(near(scale(1, -3, 2), atol + rtol * 3, 1e-14));
  // the increment of the step counts
  CHECK(near(scale(0, 7, 7.2), atol + rtol * 0.2, 1e-14));

  // the largest excursion is remembered, also on the way back and after the chart has moved
  scale.accept(State{7, 0, 0}, State{7.25, 0, 0});
  scale.accept(State{0, 0, 0}, State{0.25, 0, 0});
  scale.accept(State{0, 0, 0}, State{-0.5, 0, 0});
  CHECK(near(scale(0, 0, 0), atol + rtol * 0.5, 1e-14));

  // beyond one radian or metre it stops to count, but a long way in one step is judged by its
  // length
  scale.accept(State{0, 0, 0}, State{100, 0, 0});
  CHECK(near(scale(0, 0, 0), atol + rtol, 1e-14));
  CHECK(near(scale(0, 0, -20), atol + 20 * rtol, 1e-14));
}

TEST_CASE("error scale: an entry with a unit of its own is judged in it") {
  const Plain ode(3, 1, {}, 1);
  const double rtol = 1e-3, atol = 1e-6, length = 1e-4;
  ErrorScale scale;
  scale.start(ode, rtol, atol, State{length});
  CHECK(near(scale(0, 7, 7), atol * length, 1e-14));  // two products, rounded
  CHECK(near(scale(1, -3, 2), atol + rtol * 3, 1e-14));
  scale.accept(State{0, 0, 0}, State{0.25, 0, 0});  // beyond one unit it stops to count
  CHECK(near(scale(0, 0, 0), (atol + rtol) * length, 1e-14));
}
