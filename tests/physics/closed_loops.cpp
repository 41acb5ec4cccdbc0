// Mechanisms with closed loops run in both formulations, against closed forms and published motion.
#include <doctest/doctest.h>

#include "loop_models.hpp"
#include "places.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/run/simulate.hpp"
#include "tolerances.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

struct Ending {
  std::map<std::string, double> at_end;
  RunSummary summary;
  double operator[](const std::string& name) const { return at_end.at(name); }
};

Ending run_loop(Model model, const std::string& formulation, double until, double rtol = 1e-12) {
  model.simulate.formulation = formulation;
  model.simulate.until = until;
  model.simulate.rtol = rtol;
  const Run done = simulate(compile(model), model.simulate);
  REQUIRE_MESSAGE(done.summary.status == RunStatus::done,
                  (done.summary.failure ? done.summary.failure->message : ""));
  Ending ending;
  const size_t columns = done.trajectory.columns.size();
  for (size_t i = 0; i < columns; ++i)
    ending.at_end[done.trajectory.columns[i].name] =
        done.trajectory.values[done.trajectory.values.size() - columns + i];
  ending.summary = done.summary;
  return ending;
}

const std::vector<std::string> both{"recursive", "hamiltonian"};

}  // namespace

TEST_CASE("P09: two seconds of a four-bar, with redundant hinges") {
  for (const std::string& formulation : both) {
    CAPTURE(formulation);
    const Ending end = run_loop(four_bar(), formulation, 2);
    CHECK(std::fabs(end["a.q"] - 7.599795459) < 2e-9);  // given with 9 decimals
    CHECK(std::fabs(end["a.u"] - 1.322605187) < decimals(9));
    CHECK(end.summary.constraint < closed);
    CHECK(end.summary.constraint_rate < closed_rate);
    CHECK(end.summary.closure < account * end.summary.energy_scale);
  }
}

TEST_CASE("four-bar: a ball joint in the place of the closing hinge changes nothing") {
  for (const std::string& formulation : both) {
    const Ending hinges = run_loop(four_bar(), formulation, 2);
    const Ending ball = run_loop(four_bar(JointType::spherical), formulation, 2);
    for (const char* name : {"a.q", "b.q", "c.q", "a.u", "b.u", "c.u"})
      CHECK(std::fabs(hinges[name] - ball[name]) < 1e-10);  // rtol 1e-12 over some hundred steps
  }
}

TEST_CASE("Sarrus linkage: the platform falls as the closed form says") {
  for (const std::string& formulation : both) {
    const Ending end = run_loop(sarrus_linkage(), formulation, 0.3);
    CHECK(std::fabs(end["a1.q"] - 0.185599152148) <
          1e-11);  // 12 decimals are given; rtol 1e-12 over some ten steps
    CHECK(std::fabs(end["a1.u"] + 3.036205130270) < 1e-11);
  }
}

TEST_CASE("Bricard: the hinges alternate and keep the closure formula") {
  for (const std::string& formulation : both) {
    const Ending end = run_loop(bricard(), formulation, 0.5);
    // 12 decimals are given; rtol 1e-12 over some ten steps
    CHECK(std::fabs(end["j1.q"] - 1.792577118744) < 1e-11);
    CHECK(std::fabs(end["j2.q"] - 1.284921079858) < 1e-11);
    // rows are closed to rounding
    CHECK(std::fabs(end["j1.q"] - end["j3.q"]) < 1e-12);
    const double c = std::cos(end["j1.q"]), d = std::cos(end["j2.q"]);
    CHECK(std::fabs(c + d + c * d) < 1e-12);
  }
}

TEST_CASE("a ball joint may be written from either side: the loop is cut where that is needed") {
  const std::string file =
      std::string(sarrus::testing::source_folder) + "/examples/double_wishbone/model.toml";
  const Model model = read_model(file);
  Model turned = model;
  for (JointSpec& j : turned.joints)
    if (j.name == "lower_ball" || j.name == "upper_ball")
      std::swap(j.parent, j.child), std::swap(j.on_parent, j.on_child);
  // either of them may be the one that closes the loop, but both cannot be turned round
  CHECK_THROWS_AS(compile(turned), Error);
  for (const size_t which : {2u, 3u}) {
    Model one = model;
    JointSpec& j = one.joints[which];
    std::swap(j.parent, j.child), std::swap(j.on_parent, j.on_child);
    const Ending as_written = run_loop(model, "recursive", 0.5),
                 other = run_loop(one, "recursive", 0.5);
    // rtol 1e-12 over some ten steps
    CHECK(std::fabs(as_written["lower.q"] - other["lower.q"]) < 1e-10);
    CHECK(std::fabs(as_written["upper.u"] - other["upper.u"]) < 1e-10);
  }
}
