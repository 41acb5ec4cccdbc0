// Every kind of row between two bodies that move freely: velocities against differences of
// residuals, accelerations against differences of velocities.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "instant.hpp"
#include "near.hpp"
#include "sarrus/joints/chart.hpp"
#include "sarrus/mechanism/closures.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// Two free bodies, and between them the rows that are given.
Mechanism between(const std::vector<ClosureRow>& rows, Closure closure) {
  Model model;
  for (const int k : {1, 2}) {
    model.bodies.push_back(reference_body(k));
    JointSpec j;
    j.name = "j" + std::to_string(k);
    j.type = JointType::free;
    j.child = model.bodies.back().name;
    model.joints.push_back(j);
  }
  Mechanism m = compile(model);
  closure.a = 1, closure.b = 2;
  closure.row0 = 0, closure.rows = static_cast<int>(rows.size());
  m.closures = {closure};
  m.closure_rows = rows;
  return m;
}

Pose<double> random_pose(Random& random) {
  const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  return {rotation(axis * (1 / norm(axis)), random.uniform(-2, 2)),
          {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}};
}

/// q moved by the velocities u for a time h.
std::vector<double> moved(const Mechanism& m, const std::vector<double>& q,
                          const std::vector<double>& u, double h) {
  std::vector<double> to = q;
  double step[6], v[6];
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
    for (int k = 0; k < 6; ++k) step[k] = h * u[m.u0[b] + k];
    chart_velocity(m.kind[b], m.numbers.body[b].joint, q.data() + m.q0[b], step, v);
    retract(m.kind[b], q.data() + m.q0[b], v, to.data() + m.q0[b]);
  }
  return to;
}

struct Placed {
  std::vector<double> residual, rate, bias;
};

/// What the rows say at (q, u), and φ̈ for u̇ = 0.
Placed placed(const Mechanism& m, const std::vector<double>& q, const std::vector<double>& u) {
  Instant<double> d(m);
  std::vector<double> still(m.nu, 0.0), tau = still;
  d.set(0, q.data(), u.data(), nullptr);
  const BodyAccelerations<double>& a =
      inverse_dynamics(d.w, d.k(), d.f(), still.data(), tau.data());
  const LoopRows<double>& rows = place_loops<double>(d.w, d.k());
  Placed p;
  for (int r = 0; r < rows.size(); ++r) {
    p.residual.push_back(rows[r].residual);
    p.rate.push_back(rows[r].rate);
    p.bias.push_back(rows.acceleration(r, a.A.data(), still.data()));
  }
  return p;
}

void check_rows(const Mechanism& m, Random& random) {
  std::vector<double> q(m.nq), u(static_cast<size_t>(m.nu));
  for (int trial = 0; trial < 5; ++trial) {
    for (size_t b = 1; b < 3; ++b) {
      const Pose<double> X = random_pose(random);
      const Quat r = quaternion(X.R);
      const double to[] = {r.w, r.x, r.y, r.z, X.p.x, X.p.y, X.p.z};
      std::copy(to, to + 7, q.begin() + m.q0[b]);
    }
    for (double& x : u) x = random.uniform(-1, 1);
    const double h = 1e-4;  // differences of fourth order: h⁴ and rounding/h are both near 1e-12
    const Placed here = placed(m, q, u), p1 = placed(m, moved(m, q, u, h), u),
                 m1 = placed(m, moved(m, q, u, -h), u), p2 = placed(m, moved(m, q, u, 2 * h), u),
                 m2 = placed(m, moved(m, q, u, -2 * h), u);
    const auto slope = [&](auto of, size_t r) {
      return (8 * (of(p1)[r] - of(m1)[r]) - (of(p2)[r] - of(m2)[r])) / (12 * h);
    };
    // G itself: row by row the rate is linear in u
    Instant<double> d(m);
    d.set(0, q.data(), u.data(), nullptr);
    std::vector<double> G(here.rate.size() * u.size());
    loop_jacobian<double>(d.k(), place_loops<double>(d.w, d.k()), G.data());
    for (size_t r = 0; r < here.rate.size(); ++r) {
      CAPTURE(r);
      double Gu = 0;
      for (size_t i = 0; i < u.size(); ++i) Gu += G[r * u.size() + i] * u[i];
      // some ten products of size 10
      CHECK(std::fabs(Gu - here.rate[r]) < 1e-13 * 10);
      // the turn of a screw is that about z only where the other rows hold: a test of its own
      const RowKind kind = m.closure_rows[r].kind;
      if (is_holonomic(kind) && kind != RowKind::screw)
        // differences of fourth order: h⁴ times fifth derivatives, and rounding over h
        CHECK(std::fabs(slope([](const Placed& p) { return p.residual; }, r) - here.rate[r]) <
              2e-10);
      // and of rates up to ten
      CHECK(std::fabs(slope([](const Placed& p) { return p.rate; }, r) - here.bias[r]) < 2e-9);
    }
  }
}

}  // namespace

TEST_CASE("rows of closing joints: φ̇ and φ̈ are the derivatives of φ and φ̇") {
  Random random(21);
  for (const JointType type : {JointType::spherical, JointType::revolute, JointType::universal,
                               JointType::cylindrical, JointType::prismatic, JointType::planar,
                               JointType::fixed, JointType::screw, JointType::translational}) {
    CAPTURE(static_cast<int>(type));
    JointSpec joint;
    joint.type = type;
    joint.axis = {1, 2, 3};
    joint.axis2 = {3, 0, -1};
    joint.pitch = 0.4;
    Closure closure;
    place_closing_joint(joint, random_pose(random), random_pose(random), closure);
    check_rows(between(rows_of(joint), closure), random);
  }
}

TEST_CASE("rows of constraints: φ̇ and φ̈ are the derivatives of φ and φ̇") {
  Random random(22);
  for (const ConstraintType type :
       {ConstraintType::distance, ConstraintType::point_on_line, ConstraintType::point_on_plane,
        ConstraintType::knife_edge, ConstraintType::rolling_sphere, ConstraintType::rolling_disk,
        ConstraintType::wheel}) {
    CAPTURE(static_cast<int>(type));
    ConstraintSpec constraint;
    constraint.type = type;
    constraint.radius = 0.3;
    Closure closure;
    closure.size = type == ConstraintType::distance ? 0.7 : 0.3;
    closure.X_A = random_pose(random), closure.X_B = random_pose(random);
    check_rows(between(rows_of(constraint), closure), random);
  }
}

TEST_CASE("rolling: the rows are the velocity of the point that touches") {
  Random random(23);
  ConstraintSpec sphere, disk;
  sphere.type = ConstraintType::rolling_sphere, disk.type = ConstraintType::wheel;
  sphere.radius = disk.radius = 0.3;
  for (const ConstraintSpec& constraint : {sphere, disk}) {
    Closure closure;
    closure.size = 0.3;
    closure.X_A = random_pose(random), closure.X_B = random_pose(random);
    const Mechanism m = between(rows_of(constraint), closure);
    std::vector<double> q = m.start.q, u(12);
    for (double& x : u) x = random.uniform(-1, 1);
    Instant<double> d(m);
    d.set(0, q.data(), u.data(), nullptr);
    const LoopRows<double>& rows = place_loops<double>(d.w, d.k());
    const BodyMotion<double>&a = d.k().body[1], &b = d.k().body[2];
    const Mat3 A = a.R * closure.X_A.R;
    const Vec3 centre = b.o + b.R * closure.X_B.p, up = A.z;
    Vec3 down = -up;  // of the sphere; of the disk in its own plane
    if (constraint.type == ConstraintType::wheel) {
      const Vec3 axis = (b.R * closure.X_B.R).z;
      down = down + axis * dot(up, axis);
      down = down * (1 / norm(down));
    }
    const Vec3 touch = centre + down * 0.3;
    const Vec3 slip = (b.V.v + cross(b.V.w, touch - b.o)) - (a.V.v + cross(a.V.w, touch - a.o));
    // some ten products
    CHECK(near(rows[0].rate, dot(A.x, slip), 1e-12));
    CHECK(near(rows[1].rate, dot(A.y, slip), 1e-12));
  }
}

TEST_CASE("screw: on its axis the row is the advance less what the turn asks for") {
  Random random(24);
  JointSpec joint;
  joint.type = JointType::screw;
  joint.axis = {0, 0, 1};
  joint.pitch = 0.4;
  Closure closure;
  place_closing_joint(joint, {}, {}, closure);
  const Mechanism m = between(rows_of(joint), closure);
  for (int trial = 0; trial < 5; ++trial) {
    const double angle = random.uniform(-3, 3), turning = random.uniform(-1, 1),
                 rising = random.uniform(-1, 1), height = 0.4 / (2 * 3.14159265358979324) * angle;
    std::vector<double> q = m.start.q, u(12, 0.0);
    const double at[] = {std::cos(angle / 2), 0, 0, std::sin(angle / 2), 0, 0, height};
    std::copy(at, at + 7, q.begin() + m.q0[2]);
    u[8] = turning, u[11] = rising;
    const Placed p = placed(m, q, u);
    // roundings of size 1
    CHECK(std::fabs(p.residual[4]) < 1e-15);
    CHECK(near(p.rate[4], rising - closure.size * turning, 1e-14));
    const double h = 1e-4;
    const Placed after = placed(m, moved(m, q, u, h), u), before = placed(m, moved(m, q, u, -h), u);
    // h² times a third derivative of size 1
    CHECK(std::fabs((after.residual[4] - before.residual[4]) / (2 * h) - p.rate[4]) < 1e-10);
  }
}
