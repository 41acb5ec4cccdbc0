// One model, two independent formulations, one motion.
#include <doctest/doctest.h>

#include <filesystem>

#include "builders.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/run/simulate.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// Largest difference between the two runs in any coordinate or velocity, relative to its size.
double difference(const Mechanism& m, SimulateSpec settings) {
  settings.formulation = "recursive";
  const Run a = simulate(m, settings);
  settings.formulation = "hamiltonian";
  const Run b = simulate(m, settings);
  REQUIRE(a.summary.status == b.summary.status);
  REQUIRE(a.trajectory.rows() == b.trajectory.rows());
  double worst = 0;
  for (size_t c = 1; c < a.trajectory.columns.size(); ++c) {
    const std::string& name = a.trajectory.columns[c].name;
    if (name.find(".q") == std::string::npos && name.find(".u") == std::string::npos) continue;
    double size = 1, apart = 0;
    for (int r = 0; r < a.trajectory.rows(); ++r) {
      size = std::max(size, std::fabs(a.trajectory.row(r)[c]));
      apart = std::max(apart, std::fabs(a.trajectory.row(r)[c] - b.trajectory.row(r)[c]));
    }
    worst = std::max(worst, apart / size);
  }
  return worst;
}

}  // namespace

TEST_CASE("B1 and B2 move alike from forces and from momenta") {
  Model b1 = chain_b1();
  b1.simulate.until = 1;
  CHECK(difference(compile(b1), b1.simulate) < 1e-10);  // table: 1e-10 at 1 s with rtol 1e-12
  Model b2 = tree_b2();
  b2.simulate.until = 0.5;
  CHECK(difference(compile(b2), b2.simulate) < 1e-11);
}

TEST_CASE("every example moves alike from forces and from momenta") {
  int compared = 0;
  for (const auto& folder : std::filesystem::directory_iterator(SARRUS_SOURCE_DIR "/examples")) {
    const auto file = folder.path() / "model.toml";
    if (!std::filesystem::exists(file)) continue;
    CAPTURE(folder.path().filename().string());
    Model model = read_model(file.string());
    for (JointSpec& j : model.joints) j.small = false;       // which one of the two alone honours
    if (model.simulate.formulation == "discrete") continue;  // loops, contact, switches
    SimulateSpec settings = model.simulate;
    settings.energy_matrix = settings.energy_gradient = "";
    settings.until = std::min(settings.until, 1.0);  // short: chaotic ones part later
    settings.output_step = settings.until / 50;
    settings.integrator = "dop853";
    settings.step.reset();
    settings.rtol = 1e-12;
    settings.atol = 1e-12;
    // integration errors grow along the motion; they fall with rtol, a difference of the equations
    // would not (the gyroscope: 2e-7, 3e-8, 5e-10 at rtol 1e-11, 1e-12, 1e-13)
    CHECK(difference(compile(model), settings) < 1e-7);
    ++compared;
  }
  CHECK(compared >= 10);
}
