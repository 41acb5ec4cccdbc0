// The verdict of verify: what agrees, what departs and through what, what nobody can know.
#include "sarrus/verify/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "elastic_models.hpp"
#include "loop_models.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

const VerifyOptions no_discrete{8, 40, 10, false};  // without the discrete formulation

Model ending(Model model, double until) {
  model.simulate.until = until;
  return model;
}

/// The verdict where the contender of that name runs a mechanism that was changed.
template <class Change>
Verification with_fault(const Model& model, const std::string& name, Change change) {
  const Mechanism m = compile(model);
  std::vector<Contender> all = contenders(m, model.simulate);
  for (Contender& c : all)
    if (c.name == name) {
      Mechanism wrong = m;
      change(wrong);
      c.own = std::make_shared<const Mechanism>(std::move(wrong));
    }
  return verify(m, model.simulate, no_discrete, std::move(all));
}

const ContenderReport& report(const Verification& v, const std::string& name) {
  return *std::find_if(v.contenders.begin(), v.contenders.end(),
                       [&](const ContenderReport& c) { return c.name == name; });
}

const Audit* audit(const Verification& v, const std::string& name) {
  const auto found = std::find_if(v.audits.begin(), v.audits.end(),
                                  [&](const Audit& a) { return a.name == name; });
  return found == v.audits.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("verify: three ways to one chain agree in ten digits and pass every audit") {
  const Model model = ending(chain_b1(), 1);
  const Verification v = verify(compile(model), model.simulate, no_discrete);
  CHECK(v.verdict == Verdict::agrees);
  CHECK(v.digits >= 10);  // dop853, gauss6 and dopri5 leave errors near 1e-11
  for (const char* name : {"recursive", "hamiltonian", "literal"})
    CHECK(report(v, name).lacks.empty());
  for (const Audit& a : v.audits) {
    CAPTURE(a.name);
    CHECK(a.passed);
  }
  CHECK(v.audits.size() >= 8);
  CHECK(v.quantities.size() >= 20);  // q, u, force and moment of five hinges, and energies
}

TEST_CASE("verify: the discrete formulation confirms half of the digits of a loop") {
  const Model model = ending(four_bar(), 0.2);
  const Verification v = verify(compile(model), model.simulate, {8, 20, 4, true});
  CHECK(v.verdict == Verdict::agrees);
  CHECK(report(v, "null space").lacks.empty());
  CHECK(report(v, "discrete").digits >= 5);
  CHECK(report(v, "literal").lacks.find("closed loops") != std::string::npos);
}

TEST_CASE("verify: gravity that differs by ten parts in a million is found, and who has it") {
  const Verification v = with_fault(ending(chain_b1(), 1), "hamiltonian",
                                    [](Mechanism& m) { m.numbers.gravity.z *= 1 + 1e-5; });
  CHECK(v.verdict == Verdict::disagrees);
  REQUIRE(v.departure);
  CHECK(v.departure->formulation == "hamiltonian");
  CHECK(v.departure->what.find("gravity") != std::string::npos);
  CHECK(v.departure->t <= 0.1);
}

TEST_CASE("verify: the part of the equations that departs is told apart") {
  const auto what = [](const std::string& name, auto change) {
    const Verification v = with_fault(ending(chain_b1(), 0.5), name, change);
    CHECK(v.verdict == Verdict::disagrees);
    REQUIRE(v.departure);
    CHECK(v.departure->formulation == name);
    return *v.departure;
  };
  const Departure spring =
      what("recursive", [](Mechanism& m) { m.numbers.forces.joint_springs[3].k *= 1.001; });
  CHECK(spring.what.find("force elements") != std::string::npos);
  CHECK(spring.element == "joint/j4");
  const Departure inertia =
      what("literal", [](Mechanism& m) { m.numbers.body[5].inertia.m *= 1.001; });
  CHECK(inertia.what.find("inertia") != std::string::npos);
  const Departure damper = what("hamiltonian", [](Mechanism& m) {
    JointDamper<double> d;
    d.u = 1, d.d = 1e-3;
    m.numbers.forces.dampers.push_back(d);
  });
  CHECK(damper.what.find("velocities") != std::string::npos);
  CHECK(damper.element == "joint/j2");
}

TEST_CASE("verify: finite elements whose inner nodes carry nothing pass every audit") {
  BeamSpec b;
  b.length = 1;
  b.section = {2e-4, 2e-9, 7e-9, 5e-9, 0, 0};
  b.material = {1e8, 4e7, 1200};
  b.deforms = {Deflection::y, Deflection::z};
  b.basis = BeamBasis::fe;
  b.modes = 0, b.elements = 3;
  Model model = elastic_pendulum(b);
  model.simulate.until = 0.02;
  const Verification v = verify(compile(model), model.simulate, no_discrete);
  CAPTURE(v.sentence);
  CHECK(v.verdict == Verdict::agrees);
  for (const Audit& a : v.audits) {
    CAPTURE(a.name);
    CHECK((a.passed || a.informs));
  }
}

TEST_CASE("verify: a formulation alone is no opinion") {
  const Model model = ending(chain_b1(), 0.5);
  const Mechanism m = compile(model);
  std::vector<Contender> all = contenders(m, model.simulate);
  all.erase(all.begin() + 1, all.end());
  const Verification v = verify(m, model.simulate, no_discrete, std::move(all));
  CHECK(v.verdict == Verdict::undecided);
  CHECK(v.digits == 0);
  CHECK(v.sentence.find("recursive alone") != std::string::npos);
}

TEST_CASE("verify: a chaotic motion is known up to a horizon, and nothing is claimed beyond it") {
  Model model = ending(rods(2, 1, 1), 30);
  model.joints[0].q = {2.0};
  const Verification v = verify(compile(model), model.simulate, no_discrete);
  CHECK(v.verdict == Verdict::undecided);
  CHECK(v.growth > 1e8);
  CHECK(v.horizon > 2);
  CHECK(v.horizon < 25);
  CHECK(v.sentence.find("grows") != std::string::npos);
}

TEST_CASE("verify: external forces that turn with no potential are pointed out") {
  const auto in_a_field = [](const char* fx, const char* fy) {
    Model model = ending(slider(1, 0.3, 0), 1);
    model.bodies.insert(model.bodies.begin(), ball("carriage", 1, 1));
    model.joints[0].parent = "carriage";
    model.joints.insert(model.joints.begin(),
                        joint("lift", JointType::prismatic, "world", "carriage", {0, 1, 0}));
    model.joints[0].force = {formula(fy)};
    model.joints[1].force = {formula(fx)};
    return verify(compile(model), model.simulate, no_discrete);
  };
  // −k x is the slope of k x²/2; a cross term needs its partner
  const Verification good = in_a_field("-3*rail.q - lift.q", "-2*lift.q - rail.q"),
                     bad = in_a_field("-3*rail.q - lift.q", "-2*lift.q + rail.q");
  CHECK(good.verdict == Verdict::agrees);
  CHECK(bad.verdict == Verdict::agrees);  // all formulations integrate the wrong law alike
  REQUIRE(audit(good, "external forces without a potential"));
  CHECK(audit(good, "external forces without a potential")->passed);
  CHECK(!audit(bad, "external forces without a potential")->passed);
}

TEST_CASE("contender: what it takes for its own error is not less than the true one") {
  Model model = ending(slider(2, 0.4, 0), 3);
  model.joints[0].spring = JointSpringSpec{{18.0}, {0.0}, {}};  // ω = 3 1/s
  const Mechanism m = compile(model);
  RunPlan plan;
  plan.until = 3, plan.rows = 30;
  for (const Contender& c : contenders(m, model.simulate)) {
    CAPTURE(c.name);
    REQUIRE(c.lacks.empty());
    Attempt a(m, c, plan);
    REQUIRE(a.refine({}));
    const std::vector<ComparedQuantity> quantities = quantities_of(a.rows(), scales_of(m, 3));
    for (int level = 0; level < 4; ++level) {
      if (a.is_ready()) {
        double wrong = 0;
        for (int r = 0; r < a.rows().rows(); ++r)
          wrong = std::max(
              wrong, std::fabs(a.rows().at(r, "rail.q") - 0.4 * std::cos(3 * a.rows().row(r)[0])));
        CHECK(wrong / 0.4 <= 3 * a.worst_error() + 1e-13);  // a third of the margin of a verdict
      }
      if (!a.refine(quantities)) break;
    }
  }
}
