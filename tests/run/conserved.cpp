// Momenta that symmetry conserves: found where it is there, and never claimed where something
// breaks it.
#include <doctest/doctest.h>

#include <algorithm>

#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

std::vector<std::string> names(const Model& model) {
  std::vector<std::string> list;
  for (const ConservedMomentum& c : find_conserved(compile(model))) list.push_back(c.name);
  return list;
}
using Names = std::vector<std::string>;

const Names all_six = {"angular momentum about x", "angular momentum about y",
                       "angular momentum about z", "linear momentum along x",
                       "linear momentum along y",  "linear momentum along z"};

/// A body with three different moments, its centre off its origin.
BodySpec lump(const std::string& name) {
  BodySpec b = reference_body(3);
  b.name = name;
  return b;
}

Model free_body() {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {lump("a")};
  model.joints = {joint("flight", JointType::free, "world", "a")};
  return model;
}

/// Two free bodies and a spring with damping between them.
Model tethered() {
  Model model = free_body();
  model.bodies.push_back(lump("b"));
  model.joints.push_back(joint("other", JointType::free, "world", "b"));
  SpringSpec s;
  s.name = "tether";
  s.from.body = "a", s.from.at = {0.1, 0.2, 0.3};
  s.to.body = "b", s.to.at = {-0.2, 0, 0.1};
  s.k = 5, s.length = 1, s.damping = 0.4;
  model.springs = {s};
  return model;
}

/// A body on a ball joint away from the origin.
Model hung(const Vec3& at) {
  Model model;
  model.bodies = {lump("a")};
  model.joints = {joint("ball", JointType::spherical, "world", "a")};
  model.joints[0].on_parent.at = at;
  return model;
}

/// An upright shaft that carries an arm on a level hinge.
Model governor() {
  Model model;
  model.bodies = {lump("shaft"), lump("arm")};
  model.joints = {joint("spindle", JointType::revolute, "world", "shaft"),
                  joint("elbow", JointType::revolute, "shaft", "arm", {0, 1, 0})};
  model.joints[1].on_parent.at = {0.3, 0, 0};
  return model;
}

}  // namespace

TEST_CASE(
    "conserved: a free body keeps linear and angular momentum, gravity leaves those about it") {
  Model model = free_body();
  CHECK(names(model) == all_six);
  model.gravity = {0, 0, -9.81};
  CHECK(names(model) ==
        Names{"angular momentum about z", "linear momentum along x", "linear momentum along y"});
  model.gravity = {1, 0, 1};
  CHECK(names(model).size() == 3);
}

TEST_CASE("conserved: a damped tether between two bodies is inside, one to the ground is not") {
  Model model = tethered();
  CHECK(names(model) == all_six);
  SpringSpec& s = model.springs[0];
  s.from.body = "world";
  s.from.at = {0, 0, 0};
  // body a is alone now and keeps all; b turns about the point that holds it
  const Names found = names(model);
  CHECK(std::count(found.begin(), found.end(), "angular momentum about z of 'b'") == 1);
  CHECK(std::count(found.begin(), found.end(), "linear momentum along x of 'a'") == 1);
  CHECK(found.size() == 9);
  s.from.at = {0.5, 0, 2};
  const Names moved = names(model);
  CHECK(std::count(moved.begin(), moved.end(),
                   "angular momentum about z through (0.5, 0, 0) of 'b'") == 1);
}

TEST_CASE("conserved: a ball joint in the ground leaves the axis of gravity through it") {
  CHECK(names(hung({0, 0, 1})) == Names{"angular momentum about z"});
  CHECK(names(hung({0.25, -0.5, 1})) == Names{"angular momentum about z through (0.25, -0.5, 0)"});
  Model still = hung({0, 0, 0});
  still.gravity = {0, 0, 0};
  CHECK(names(still).size() == 3);
  still.joints[0].spring = JointSpringSpec{{1e-9}, {}, {}};  // however weak
  CHECK(names(still).empty());
}

TEST_CASE("conserved: an upright shaft keeps its momentum until something holds it") {
  CHECK(names(governor()) == Names{"angular momentum about z"});
  Model model = governor();
  model.joints[1].spring = JointSpringSpec{{1e9}, {}, {}};  // inside
  model.joints[1].damper = {3};
  model.joints[1].force = {formula("sin(t)")};
  CHECK(names(model) == Names{"angular momentum about z"});

  Model geared = governor();  // a rotor in the drive turns with it
  geared.joints[0].armature = 0.3;
  CHECK(names(geared) == Names{"momentum spindle.p"});

  const auto broken = [](auto&& how) {
    Model held = governor();
    how(held);
    return names(held).empty();
  };
  CHECK(broken([](Model& m) { m.joints[0].damper = {1e-6}; }));
  CHECK(broken([](Model& m) { m.joints[0].spring = JointSpringSpec{{1e-6}, {}, {}}; }));
  CHECK(broken([](Model& m) { m.joints[0].force = {formula("step(t, 100, 0, 101, 1)")}; }));
  CHECK(broken([](Model& m) { m.joints[0].limits = JointLimitSpec{-9, 9, 1e5, 0}; }));
  CHECK(broken([](Model& m) { m.joints[0].motion = {formula("3*t")}; }));
  CHECK(broken([](Model& m) { m.gravity = {0, 1e-3, -9.81}; }));
  CHECK(broken([](Model& m) { m.joints[0].friction = JointFrictionSpec{.force = 0.1}; }));
  CHECK(broken([](Model& m) {
    ForceSpec f;
    f.name = "push";
    f.at.body = "arm";
    f.force = {formula("0"), formula("0*t"), formula("1")};
    m.forces = {f};
  }));
}

TEST_CASE("conserved: what the joints keep at zero is not told, a cart's momentum is") {
  CHECK(names(pendulum(0.3)).empty());
  CHECK(names(slider(2, 0, 1)) == Names{"linear momentum along x"});
  CHECK(names(flywheel(2, 1)) == Names{"angular momentum about z"});
}

TEST_CASE(
    "conserved: a round wheel on a moving body keeps its own momentum, an eccentric one not") {
  Model model = tethered();
  model.bodies.push_back(ball("wheel", 2, 0.3));
  model.joints.push_back(joint("axle", JointType::revolute, "a", "wheel", {1, 2, 3}));
  model.joints.back().axis = model.joints.back().axis * (1 / std::sqrt(14.0));
  Names found = names(model);
  CHECK(std::count(found.begin(), found.end(), "momentum axle.p") == 1);
  CHECK(found.size() == 7);
  model.bodies.back().com = Vec3{0.1, 0, 0};
  found = names(model);
  CHECK(found == all_six);
}

TEST_CASE("conserved: what is claimed stays, in runs of random trees") {
  int claimed = 0;
  for (int seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    Model model = random_tree(r, 1 + seed % 5);
    if (seed % 2 == 0) model.gravity = {0, 0, 0};
    for (JointSpec& j : model.joints)
      if (j.type == JointType::knife_edge || j.type == JointType::rolling_disk)
        j.type = JointType::revolute;
    model.simulate.until = 0.3;
    model.simulate.rtol = 1e-12;
    const Mechanism m = compile(model);
    if (m.nu == 0) continue;
    Mechanism moving = m;
    moving.start = random_state(r, m);
    const Run run = simulate(moving, model.simulate);
    for (const Drift& d : run.summary.conserved) {
      CAPTURE(d.name);
      ++claimed;
      // rtol 1e-12 over some thirty steps, of angular velocities up to ten; sizes below 1e-3 are
      // none
      CHECK(d.largest < 1e-9 * std::max(d.size, 1e-3));
    }
  }
  CHECK(claimed > 60);
}

TEST_CASE("rows: momenta and H are recorded where asked for, and with hamiltonian") {
  Model model = governor();
  model.joints[0].u = {2};
  model.joints[1].q = {0.4};
  model.simulate.until = 0.5;
  model.simulate.rtol = 1e-12;
  CHECK(simulate(compile(model), model.simulate).trajectory.column("spindle.p") < 0);
  model.simulate.momenta = true;
  const Run asked = simulate(compile(model), model.simulate);
  model.simulate.momenta = false;
  model.simulate.formulation = "hamiltonian";
  const Run state = simulate(compile(model), model.simulate);
  for (const Run* run : {&asked, &state}) {
    const Trajectory& t = run->trajectory;
    const double p0 = t.at(0, "spindle.p");
    CHECK(p0 > 0.1);
    for (int i = 0; i < t.rows(); ++i) {
      CHECK(std::fabs(t.at(i, "spindle.p") - p0) < 1e-10);  // rtol 1e-12 over some ten steps
      CHECK(std::fabs(t.at(i, "energy.H") - t.at(i, "energy.total")) <
            1e-12);  // two sums of the same energies of some joules
    }
  }
  CHECK(state.trajectory.columns[state.trajectory.column("spindle.p")].unit == "kg.m2/s");
}

TEST_CASE("rows: with a prescribed joint H is no longer the energy, but what the equations keep") {
  // a bead on a hoop that is turned steadily: H = T − ½ ω² r² sin² … is constant, T + V is not
  Model model = governor();
  model.joints[0].motion = {formula("3*t")};
  model.joints[1].q = {0.4};
  model.simulate.until = 1;
  model.simulate.rtol = 1e-11;
  model.simulate.momenta = true;
  const Trajectory t = simulate(compile(model), model.simulate).trajectory;
  double changed = 0;
  for (int i = 0; i < t.rows(); ++i) {
    CHECK(std::fabs(t.at(i, "energy.H") - t.at(0, "energy.H")) <
          1e-9);  // rtol 1e-11 over some ten steps
    changed = std::max(changed, std::fabs(t.at(i, "energy.total") - t.at(0, "energy.total")));
  }
  CHECK(changed > 0.1);
}

TEST_CASE("a run tells what its integrator keeps on the model, and refuses one that does not fit") {
  Model model = pendulum(0.5);
  model.simulate.until = 0.1;
  model.simulate.step = 1e-2;
  const auto told = [&](const std::string& formulation, const std::string& integrator) {
    model.simulate.formulation = formulation;
    model.simulate.integrator = integrator;
    return to_text(simulate(compile(model), model.simulate).summary.notes);
  };
  CHECK(told("recursive", "gauss4").find("without momenta gauss4 is not symplectic") !=
        std::string::npos);
  CHECK(told("hamiltonian", "gauss4").find("symplectic") == std::string::npos);
  CHECK(told("hamiltonian", "tao").find("two copies") != std::string::npos);
  CHECK_THROWS_AS(told("recursive", "lie_midpoint"), Error);
}
