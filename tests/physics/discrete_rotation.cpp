// How the discrete formulation turns a free body, beside the theory's table.
#include <doctest/doctest.h>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A free top with I = (1, 2, 3) and ω = (0.3, 1.5, 0.2), without gravity.
Model top() {
  Model model;
  model.name = "top";
  model.gravity = {0, 0, 0};
  BodySpec b = ball("top", 1, 1);
  b.inertia = Mat3{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  model.bodies = {b};
  JointSpec j = joint("free", JointType::free, "world", "top");
  j.u = {0.3, 1.5, 0.2, 0, 0, 0};
  model.joints = {j};
  model.sensors = {point_sensor("s", "top", {})};
  model.simulate.formulation = "discrete";
  return model;
}

Run turned(const std::string& rotation, double until, double h, double output) {
  Model model = top();
  if (rotation == "paper")
    model.simulate.scheme = rotation;  // which has this rotation, and starts without half a kick
  else
    model.simulate.rotation = rotation;
  model.simulate.until = until;
  model.simulate.output_step = output;
  model.simulate.step = h;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.status == RunStatus::done);
  return r;
}

Mat3 orientation(const Run& r) {
  return rotation(Quat{last(r, "s.qw"), last(r, "s.qx"), last(r, "s.qy"), last(r, "s.qz")});
}

/// The largest difference of two entries.
double largest_difference(const Mat3& A, const Mat3& B) {
  double most = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) most = std::max(most, std::fabs(A(i, j) - B(i, j)));
  return most;
}

double energy_change(const Run& r, int row) {
  return r.trajectory.at(row, "energy.kinetic") / r.trajectory.at(0, "energy.kinetic") - 1;
}
double largest_energy_change(const Run& r) {
  double most = 0;
  for (int i = 0; i < r.trajectory.rows(); ++i)
    most = std::max(most, std::fabs(energy_change(r, i)));
  return most;
}

}  // namespace

TEST_CASE("a free top turns as the theory's table says, by every rotation") {
  Model model = top();
  model.simulate.formulation = "recursive";
  model.simulate.until = model.simulate.output_step.emplace(5);
  model.simulate.rtol = 1e-13;
  const Mat3 exact = orientation(simulate(compile(model), model.simulate));
  // Π = Rᵀ L after 5 s
  const Vec3 Pi = transposed_times(exact, Vec3{0.3, 3, 0.6});
  CHECK(norm(Pi - Vec3{-1.3763723923, 1.3350641001, 2.4027490270}) <
        2e-10);  // ten decimals, by an integration to 1e-10

  const struct {
    const char* name;
    double error, energy;
    int order;
  } table[] = {{"paper", 7.0e-3, 5.1e-3, 1},
               {"exp", 4.4e-2, 4.8e-3, 1},
               {"lie2", 1.25e-4, 7.5e-6, 2},
               {"dlm", 3.5e-5, 1.0e-6, 2}};
  for (const auto& row : table) {
    CAPTURE(row.name);
    const Run r = turned(row.name, 5, 0.01, 0.01);
    // two digits are given, three of some
    CHECK(near(largest_difference(orientation(r), exact), row.error, 0.02));
    CHECK(near(largest_energy_change(r), row.energy, 0.05));
    const double half = largest_difference(orientation(turned(row.name, 5, 0.005, 5)), exact),
                 quarter = largest_difference(orientation(turned(row.name, 5, 0.0025, 5)), exact);
    CHECK(near(std::log2(half / quarter), row.order, 0.02));  // next term: h² beside 1
  }
}

TEST_CASE("the source's rotation gains energy for ever, the splitting none") {
  const Run paper = turned("paper", 2000, 1e-3, 200);
  // two digits are given
  CHECK(near(energy_change(paper, 1), 0.046, 0.02));
  CHECK(near(energy_change(paper, 10), 0.64, 0.02));
  CHECK(near(energy_change(turned("exp", 2000, 1e-3, 2000), 1), 0.94, 0.02));
  CHECK(std::fabs(energy_change(turned("lie2", 2000, 1e-3, 2000), 1)) <
        2e-7);  // 9e-8 in the theory's table
  CHECK(largest_energy_change(turned("dlm", 2000, 1e-3, 2)) <
        2e-8);  // 1e-6 (0.001/0.01)², no trend
}
