// One model, two independent formulations, one motion: every column of the rows.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "builders.hpp"
#include "places.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/run/simulate.hpp"
#include "sarrus/verify/quantities.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

// Relative to the size of each quantity. Errors of integration gather and grow along the motion,
// and some quantities are the small rest of large ones; all differences fall in proportion to rtol,
// which one of the equations would not.

/// At rtol 1e-13: moments of the gyroscope's axle part by 5e-8, 6e-9, 1e-9 at rtol 1e-11, 1e-12,
/// 1e-13, the angular momentum of the free body about its least axis by 5e-7, 4e-8, 3e-9.
constexpr double rigid = 1e-8;
/// Stiff modes that the start sets off ring on, which makes accelerations of displacements near
/// rounding: those of the bracket part by 3e-5, 3e-6, 4e-7.
constexpr double elastic = 1e-6;

/// Columns by themselves that verify does not compare: momenta against the largest of their unit, H
/// against the energies, residuals against what they are residuals of.
void check_others(const Mechanism& m, const Trajectory& a, const Trajectory& b, double duration,
                  const std::vector<ComparedQuantity>& compared, double limit) {
  const Scales scales = scales_of(m, duration);
  std::vector<bool> seen(a.columns.size());
  seen[0] = true;  // time
  double energy = 0;
  for (const ComparedQuantity& q : compared) {
    for (const int c : q.columns) seen[c] = true;
    if (q.unit == "J") energy = std::max(energy, q.size);
  }
  const auto largest = [&](size_t column) {
    double most = 0;
    for (int r = 0; r < a.rows(); ++r) most = std::max(most, std::fabs(a.row(r)[column]));
    return most;
  };
  const auto size = [&](const Column& column) {
    if (column.unit == "J") return energy;
    if (column.name == "constraint.position") return scales.length;
    if (column.name == "constraint.velocity") return scales.length / scales.time;
    double most = 0;
    for (size_t c = 0; c < a.columns.size(); ++c)
      if (a.columns[c].unit == column.unit) most = std::max(most, largest(c));
    return most;
  };
  for (size_t c = 0; c < seen.size(); ++c) {
    if (seen[c]) continue;
    CAPTURE(a.columns[c].name);
    double apart = 0;
    for (int r = 0; r < a.rows(); ++r)
      apart = std::max(apart, std::fabs(a.row(r)[c] - b.row(r)[c]));
    CHECK(apart <= limit * size(a.columns[c]));
  }
}

void check_alike(const Mechanism& m, SimulateSpec settings, double limit) {
  settings.reactions = settings.momenta = true;  // all columns that there are
  settings.formulation = "recursive";
  const Run a = simulate(m, settings);
  settings.formulation = "hamiltonian";
  const Run b = simulate(m, settings);
  REQUIRE(a.summary.status == b.summary.status);
  REQUIRE(a.trajectory.columns.size() == b.trajectory.columns.size());
  for (size_t c = 0; c < a.trajectory.columns.size(); ++c)
    CHECK(a.trajectory.columns[c].name == b.trajectory.columns[c].name);

  const double duration = settings.until - settings.start;
  const std::vector<ComparedQuantity> quantities =
      quantities_of(a.trajectory, scales_of(m, duration));
  const Differences d(quantities, a.trajectory, b.trajectory);
  REQUIRE(d.rows() == a.trajectory.rows());
  REQUIRE(d.rows() == b.trajectory.rows());
  for (size_t q = 0; q < quantities.size(); ++q) {
    CAPTURE(quantities[q].name);
    CHECK(d.largest(q) <= limit);
  }
  check_others(m, a.trajectory, b.trajectory, duration, quantities, limit);
}

}  // namespace

TEST_CASE("B1 and B2 move alike from forces and from momenta") {
  Model b1 = chain_b1();
  b1.simulate.until = 1;
  check_alike(compile(b1), b1.simulate, 1e-10);  // docs/theory/reference-models.md, at rtol 1e-12
  Model b2 = tree_b2();
  b2.simulate.until = 0.5;
  b2.simulate.rtol = 1e-13, b2.simulate.atol = 1e-15;  // one of its velocities is small
  check_alike(compile(b2), b2.simulate, 1e-11);        // a tenth of both
}

namespace {

/// Of the examples with elastic bodies, or of all others; how many there were.
int compare_examples(bool elastic_ones) {
  int compared = 0;
  for (const auto& folder : std::filesystem::directory_iterator(
           std::string(sarrus::testing::source_folder) + "/examples")) {
    const auto file = folder.path() / "model.toml";
    if (!std::filesystem::exists(file)) continue;
    CAPTURE(folder.path().filename().string());
    Model model = read_model(file.string());
    for (JointSpec& j : model.joints) j.small = false;       // which one of the two alone honours
    if (model.simulate.formulation == "discrete") continue;  // loops, contact, switches
    const Mechanism m = compile(model);
    const bool bends = !m.elastic.empty();
    if (bends != elastic_ones) continue;
    SimulateSpec settings = model.simulate;
    settings.energy_matrix = settings.energy_gradient = "";
    // short: chaotic ones part later, and stiff ones take many steps
    settings.until = std::min(settings.until, settings.start + (bends ? 0.2 : 1.0));
    settings.output_step = (settings.until - settings.start) / 50;
    settings.integrator = "dop853";
    settings.step.reset();
    settings.rtol = 1e-13;
    settings.atol = bends ? 1e-15 : 1e-13;  // deflections are of millimetres
    check_alike(m, settings, bends ? elastic : rigid);
    ++compared;
  }
  return compared;
}

}  // namespace

TEST_CASE("every rigid example moves alike from forces and from momenta") {
  CHECK(compare_examples(false) >= 30);
}
TEST_CASE("every elastic example moves alike from forces and from momenta") {
  CHECK(compare_examples(true) >= 8);
}
