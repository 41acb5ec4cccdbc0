// What methods for momenta keep: energy, momenta that symmetry conserves, also on rotations.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "instant.hpp"
#include "integrators/odes.hpp"
#include "near.hpp"
#include "random_tree.hpp"
#include "sarrus/formulations/formulation.hpp"

using namespace sarrus;
using namespace sarrus::test;
using sarrus::testing::near;

namespace {

/// Three bodies on ball joints, under gravity along z.
Model spherical_chain() {
  Model model;
  model.name = "spherical chain";
  const double angles[3][3] = {{0.3, 0.4, 0.5}, {-0.2, 0.3, 0.6}, {0.1, -0.5, 0.2}};
  const double rates[3][3] = {{1, -0.5, 0.4}, {0.3, 0.8, -0.6}, {-0.7, 0.2, 0.9}};
  for (int k = 0; k < 3; ++k) {
    BodySpec b;
    b.name = "b" + std::to_string(k);
    b.mass = 1 + 0.3 * k;
    b.com = Vec3{0.03, 0.01, 0.3};
    b.inertia = Mat3{{0.03, 0, 0}, {0, 0.05, 0}, {0, 0, 0.04 + 0.01 * k}};
    model.bodies.push_back(b);
    JointSpec j;
    j.name = "j" + std::to_string(k);
    j.type = JointType::spherical;
    j.parent = k == 0 ? "world" : "b" + std::to_string(k - 1);
    j.child = b.name;
    if (k > 0) j.on_parent.at = {0.1, 0.05, 0.6};
    const Mat3 Ry = rotation(Vec3{0, 1, 0}, angles[k][1]),
               Rx = rotation(Vec3{1, 0, 0}, angles[k][2]);
    const Quat q = quaternion(rotation(Vec3{0, 0, 1}, angles[k][0]) * Ry * Rx);
    const Vec3 w = Vec3{rates[k][2], 0, 0} + transposed_times(Rx, Vec3{0, rates[k][1], 0}) +
                   transposed_times(Ry * Rx, Vec3{0, 0, rates[k][0]});
    j.q = {q.w, q.x, q.y, q.z};
    j.u = {w.x, w.y, w.z};
    model.joints.push_back(j);
  }
  return model;
}

/// Two bodies, coupled by a ball joint with a spring, that fly freely; no gravity.
Model floating_pair() {
  Model model;
  model.name = "floating pair";
  model.gravity = {0, 0, 0};
  for (int k = 1; k <= 2; ++k) {
    model.bodies.push_back(sarrus::testing::reference_body(k));
    JointSpec j;
    j.name = "j" + std::to_string(k);
    j.type = k == 1 ? JointType::free : JointType::spherical;
    j.parent = k == 1 ? "world" : "b1";
    j.child = "b" + std::to_string(k);
    j.on_parent = sarrus::testing::reference_frame(k, {0.6, 0.06, -0.04});
    if (k == 1) {
      j.u = {0.5, -0.8, 1.1, 0.2, -0.1, 0.3};
    } else {
      j.u = {-0.6, 0.9, 0.4};
      j.spring = JointSpringSpec{{3.0}, {}, {}};
    }
    model.joints.push_back(j);
  }
  return model;
}

struct Flight {
  Flight(const Model& model, const std::string& method, double h)
      : mechanism(compile(model)),
        f(make_formulation("hamiltonian", mechanism)),
        integrator(make_integrator(method, {.step = h})),
        y(static_cast<size_t>(f->size())) {
    f->begin({0, mechanism.start.q, mechanism.start.u, {}}, y);
    integrator->start(*f, 0, y);
  }
  void to(double t_end, const std::function<void(double)>& look = {}) {
    const Run r = run(*f, *integrator, t, t_end, y, [&](double at, double h) {
      if (look) look(at + h);
    });
    REQUIRE(r.status == StepStatus::accepted);
    t = t_end;
  }
  Wrench<double> momentum() {
    return sarrus::testing::momentum_of(sarrus::testing::observed(*f, t, y));
  }
  double energy() { return f->energy_account(t, y); }

  Mechanism mechanism;
  std::unique_ptr<Formulation> f;
  std::unique_ptr<Integrator> integrator;
  State y;
  double t = 0;
};

/// Largest difference of position and attitude over all bodies between two motions.
double apart(Flight& a, Flight& b) {
  const Snapshot da = sarrus::testing::observed(*a.f, a.t, a.y),
                 db = sarrus::testing::observed(*b.f, b.t, b.y);
  double largest = 0;
  for (int i = 1; i < a.mechanism.nb; ++i) {
    largest = std::max(largest, norm(da.body[i].o - db.body[i].o));
    const Mat3 turn = transpose(da.body[i].R) * db.body[i].R;
    largest = std::max(largest, norm(rotation_log(quaternion(turn))));
  }
  return largest;
}

}  // namespace

TEST_CASE("lie_midpoint: order 2 on ball joints, a free base and a plane") {
  Model tree = sarrus::testing::tree_b2();
  for (const Model& model : {spherical_chain(), floating_pair(), tree}) {
    CAPTURE(model.name);
    Flight exact(model, "gauss6", 1e-3);
    exact.to(0.5);
    double error[3];
    for (int k = 0; k < 3; ++k) {
      Flight m(model, "lie_midpoint", 0.01 / (1 << k));
      m.to(0.5);
      error[k] = apart(m, exact);
    }
    CAPTURE(error[0]);
    // next term: h² beside 1, h = 0.01 and 0.005 of motions of 10 rad/s
    CHECK(near(std::log2(error[0] / error[1]), 2, 0.03));
    CHECK(near(std::log2(error[1] / error[2]), 2, 0.02));
  }
}

TEST_CASE("lie_midpoint: the spherical chain after half a second, reference attitude") {
  // quaternion of the third joint, by an integration to 1e-12
  const double reference[] = {0.99315324, 0.08103868, 0.06769364, -0.04996951};
  for (const std::string method : {"lie_midpoint", "gauss6"}) {
    Flight m(spherical_chain(), method, 1e-4);
    m.to(0.5);
    const std::vector<double> q = m.f->configuration(0.5, m.y);
    for (size_t i = 0; i < 4; ++i)
      CHECK(std::fabs(q[8 + i] - reference[i]) < (method == "gauss6" ? 1e-8 : 2e-7));
  }
}

TEST_CASE("lie_midpoint: angular momentum about the vertical is kept to rounding, energy bounded") {
  Flight m(spherical_chain(), "lie_midpoint", 5e-3);
  const double L0 = m.momentum().n.z, E0 = m.energy();
  double largest = 0, halves[2] = {0, 0};
  m.to(10, [&](double t) {
    largest = std::max(
        largest,
        std::fabs(sarrus::testing::momentum_of(sarrus::testing::observed(*m.f, t, m.y)).n.z - L0));
    double& half = halves[t > 5];
    half = std::max(half, std::fabs(m.f->energy_account(t, m.y) - E0));
  });
  CHECK(largest < 1e-11);              // 2000 steps
  CHECK(halves[0] > 1e-4);             // the energy oscillates
  CHECK(halves[1] < 1.3 * halves[0]);  // and does not grow; the motion is chaotic
}

TEST_CASE("lie_midpoint: a floating pair keeps its linear and angular momentum to rounding") {
  Flight m(floating_pair(), "lie_midpoint", 5e-3);
  const Wrench<double> start = m.momentum();
  double largest = 0;
  m.to(10, [&](double t) {
    const Wrench<double> now =
        sarrus::testing::momentum_of(sarrus::testing::observed(*m.f, t, m.y));
    largest = std::max({largest, norm(now.n - start.n), norm(now.f - start.f)});
  });
  CHECK(largest < 1e-11);  // 2000 steps, Newton's iterations to rounding in each
}

TEST_CASE("midpoint in charts is not symplectic on rotations: it loses angular momentum") {
  // the trap that lie_midpoint avoids, at the same step
  Flight m(spherical_chain(), "midpoint", 5e-3);
  const double L0 = m.momentum().n.z;
  m.to(10);
  CHECK(std::fabs(m.momentum().n.z - L0) > 1e-5);
}

TEST_CASE("discrete_gradient: the energy account of every tree closes to 1e-11, damped or not") {
  for (int seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    Model model = sarrus::testing::random_tree(r, 2 + seed % 5);
    if (seed % 2 == 0)
      for (JointSpec& j : model.joints)
        if (j.type == JointType::revolute || j.type == JointType::prismatic) j.damper = {0.3};
    const Mechanism m = compile(model);
    const auto f = make_formulation("hamiltonian", m);
    if (m.nu == 0 || !f->structure().has_momenta) continue;
    const Coordinates c = sarrus::testing::random_state(r, m);
    State y(static_cast<size_t>(f->size()));
    f->begin({0, c.q, c.u, {}}, y);
    const auto integrator = make_integrator("discrete_gradient", {.step = 2e-3});
    integrator->start(*f, 0, y);
    const double E0 = f->energy_account(0, y);
    double largest = 0;
    const Run done = run(*f, *integrator, 0, 0.5, y, [&](double t, double h) {
      largest = std::max(largest, std::fabs(f->energy_account(t + h, y) - E0));
    });
    REQUIRE(done.status == StepStatus::accepted);
    CHECK(largest <
          1e-11 * std::max(1.0, std::fabs(E0)));  // 250 steps, of each what its iterations leave
  }
}
