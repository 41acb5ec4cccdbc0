// A method that does not fit says so: what it still keeps, or why it refuses.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "integrators/odes.hpp"
#include "near.hpp"
#include "sarrus/formulations/formulation.hpp"

using namespace sarrus;
using sarrus::testing::near;
using namespace sarrus::test;
using sarrus::testing::chain_b1;

namespace {

/// All that a method says about a model, errors included.
std::string said(const std::string& method, const Model& model,
                 const std::string& formulation = "hamiltonian") {
  const Mechanism m = compile(model);
  const auto f = make_formulation(formulation, m);
  return to_text(make_integrator(method, {.step = 1e-3})->suits(*f));
}

/// The words of the refusal; empty where the method starts.
std::string refused(const std::string& method, const Model& model,
                    const std::string& formulation = "hamiltonian") {
  const Mechanism m = compile(model);
  const auto f = make_formulation(formulation, m);
  State y(static_cast<size_t>(f->size()));
  f->begin({0, m.start.q, m.start.u, m.start_state}, y);
  try {
    make_integrator(method, {.step = 1e-3})->start(*f, 0, y);
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::usage);
    return to_text(e.diagnostics());
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Model damped() {
  Model model = chain_b1();
  model.joints[2].damper = {0.1};
  return model;
}
Model driven() {
  Model model = chain_b1();
  model.joints[1].force = {sarrus::testing::formula("sin(3*t)")};
  return model;
}
/// A force from a formula that reads a velocity: a damper in disguise.
Model feedback() {
  Model model = chain_b1();
  model.joints[1].force = {sarrus::testing::formula("-0.1*j1.u")};
  return model;
}
Model on_ball() {
  Model model = chain_b1();
  model.joints[4].type = JointType::spherical;
  model.joints[4].spring.reset();
  model.joints[4].q.reset(), model.joints[4].u.reset();
  return model;
}
Model on_knife() {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {sarrus::testing::reference_body(1)};
  JointSpec j;
  j.name = "blade", j.type = JointType::knife_edge, j.child = "b1";
  j.axis2 = {1, 0, 0};
  model.joints = {j};
  return model;
}

const std::string symplectic[] = {"midpoint", "gauss4", "gauss6", "stormer_verlet"};

}  // namespace

TEST_CASE("suits: on springs and hinges with momenta no method has anything to say") {
  for (const std::string& method : integrator_names())
    if (method != "cvode") CHECK(said(method, chain_b1()) == "");
}

TEST_CASE("suits: damping takes symplecticity, and the damper is named with what remains") {
  for (const std::string& method : symplectic) {
    CAPTURE(method);
    CHECK(mentions(said(method, damped()), "the damper of joint 'j3' changes the energy"));
    CHECK(mentions(said(method, damped()), "account of the energy remain"));
    CHECK(mentions(said(method, driven()), "the force of joint 'j2' changes the energy"));
    CHECK(mentions(said(method, chain_b1(), "recursive"), "without momenta"));
    CHECK(mentions(said(method, on_ball()), "not on joint 'j5'"));
    CHECK(refused(method, damped()) == "");
  }
  CHECK(mentions(said("lie_midpoint", damped()), "momenta that symmetry keeps"));
  CHECK(mentions(said("discrete_gradient", damped()), "energy = start + work done"));
  CHECK(said("lie_midpoint", on_ball()) == "");
  CHECK(said("discrete_gradient", on_ball()) == "");
}

TEST_CASE("suits: methods refuse what they would compute wrongly") {
  for (const std::string method : {"lie_midpoint", "discrete_gradient"}) {
    CAPTURE(method);
    CHECK(mentions(refused(method, chain_b1(), "recursive"), "formulation = \"hamiltonian\""));
    CHECK(mentions(refused(method, on_knife()), "needs positions with their momenta"));
  }
  CHECK(mentions(refused("tao", damped()), "the damper of joint 'j3' depends on velocities"));
  CHECK(mentions(refused("tao", feedback()), "\"-0.1*j1.u\" depends on velocities"));
  CHECK(mentions(refused("tao", on_ball()), "joint 'j5'"));
  CHECK(mentions(refused("tao", on_knife()), "3 positions and 2 others"));
  CHECK(refused("tao", driven()) == "");
  CHECK(refused("tao", chain_b1(), "recursive") == "");
}

TEST_CASE("tao: without velocities in the forces it also runs on velocities, at its order") {
  const Mechanism m = compile(chain_b1());
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const auto f = make_formulation("recursive", m);
    State y(static_cast<size_t>(f->size()));
    f->begin({0, m.start.q, m.start.u, {}}, y);
    const auto integrator = make_integrator("tao", {.step = 1 / (800. * (1 << k))});
    integrator->start(*f, 0, y);
    REQUIRE(run(*f, *integrator, 0, 0.5, y).status == StepStatus::accepted);
    const auto exact = make_formulation("recursive", m);
    State z(y.size());
    exact->begin({0, m.start.q, m.start.u, {}}, z);
    const auto gauss = make_integrator("gauss6", {.step = 1 / 200.});
    gauss->start(*exact, 0, z);
    REQUIRE(run(*exact, *gauss, 0, 0.5, z).status == StepStatus::accepted);
    error[k] = distance(f->configuration(0.5, y), exact->configuration(0.5, z));
  }
  CHECK(near(std::log2(error[0] / error[1]), 2, 0.01));  // next term: (10/800)²
}

TEST_CASE("tao: copies that part end the run at the last good step, and the notes tell the gap") {
  const Mechanism m = compile(chain_b1());
  const auto f = make_formulation("hamiltonian", m);
  State y(static_cast<size_t>(f->size()));
  f->begin({0, m.start.q, m.start.u, {}}, y);
  const auto integrator = make_integrator("tao", {.step = 1 / 400., .binding = 20});
  integrator->start(*f, 0, y);
  CHECK(integrator->remarks(*f).empty());
  REQUIRE(run(*f, *integrator, 0, 1, y).status == StepStatus::accepted);
  const std::vector<Diagnostic> told = integrator->remarks(*f);
  REQUIRE(told.size() == 1);
  // published for this chain: 5.7e-4
  CHECK(near(std::stod(told[0].value), 5.7e-4, 0.05));

  const auto loose = make_integrator("tao", {.step = 0.05, .binding = 1e-3});
  f->begin({0, m.start.q, m.start.u, {}}, y);
  loose->start(*f, 0, y);
  State before = y;
  const Run r = run(*f, *loose, 0, 100, y, [&](double, double) { before = y; });
  CHECK(r.status != StepStatus::accepted);
  CHECK(std::all_of(y.begin(), y.end(), [](double x) { return std::isfinite(x); }));
}

TEST_CASE("on velocities the implicit methods have their order too") {
  const Mechanism m = compile(chain_b1());
  const auto end = [&](const std::string& method, double steps) {
    const auto f = make_formulation("recursive", m);
    State y(static_cast<size_t>(f->size()));
    f->begin({0, m.start.q, m.start.u, {}}, y);
    const auto integrator = make_integrator(method, {.step = 1 / steps});
    integrator->start(*f, 0, y);
    REQUIRE(run(*f, *integrator, 0, 0.5, y).status == StepStatus::accepted);
    return f->configuration(0.5, y);
  };
  const State exact = end("gauss6", 1000);
  for (const auto& [method, steps] : {std::pair<std::string, double>{"midpoint", 200},
                                      {"stormer_verlet", 400},
                                      {"gauss4", 100},
                                      {"gauss6", 40}}) {
    CAPTURE(method);
    const int order = make_integrator(method, {.step = 1})->order();
    const double found =
        std::log2(distance(end(method, steps), exact) / distance(end(method, 2 * steps), exact));
    CHECK(near(found, order, 0.05));  // next term: (10/40)² of gauss6, less of the others
  }
}
