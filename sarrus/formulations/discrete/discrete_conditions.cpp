#include "sarrus/formulations/discrete/discrete_conditions.hpp"

#include <algorithm>

#include "sarrus/formulations/loops/closure_rows.hpp"

namespace sarrus {
namespace {

/// A force f and a couple n at p, about the centre of mass P.
WrenchRecord about(const Vec3& P, const Vec3& p, const Vec3& n, const Vec3& f) {
  return {f, n + cross(p - P, f)};
}

/// w · V of one body, with the orientation R and the momenta of half a step ago.
double power(int slot, const WrenchRecord& w, const Mat3& R, const DiscreteBodies& bodies) {
  if (slot == 0) return 0;
  return dot(w.f, bodies.V(slot)) + dot(w.n, bodies.angular_velocity(slot, R, bodies.L(slot)));
}

}  // namespace

DiscreteConditions::DiscreteConditions(const Mechanism& m, const DiscreteGraph& graph,
                                       const DiscreteGains& gains)
    : m_(&m),
      g_(&graph),
      gains_(&gains),
      slips_(graph.conditions.size()),
      mu_(graph.conditions.size()),
      unit_(graph.bodies.size()) {}

void DiscreteConditions::begin() { std::fill(slips_.begin(), slips_.end(), Slip{}); }

/// wᵀ M⁻¹ w of one body.
double DiscreteConditions::mobility(int slot, const WrenchRecord& w,
                                    const DiscreteBodies& bodies) const {
  const GraphBody& b = g_->bodies[slot];
  const Vec3 n = transposed_times(bodies[slot].R, w.n);
  return b.inverse_mass * dot(w.f, w.f) + b.inverse_I.x * n.x * n.x + b.inverse_I.y * n.y * n.y +
         b.inverse_I.z * n.z * n.z;
}

DiscreteConditions::Placed DiscreteConditions::placed(const GraphCondition& c,
                                                      const DiscreteBodies& bodies) const {
  const MotionRecord &A = bodies[c.a], &B = bodies[c.b];
  const BodyMotion<double> a{A.R, A.P, {A.w, A.V}}, b{B.R, B.P, {B.w, B.V}};
  const ClosureFrames<double> frames = closure_frames(c.closure, a, b);
  const RowForce<double> r = row_force(c.row, c.closure, frames);
  Placed placed;
  placed.residual = r.residual;
  placed.on_b = about(B.P, r.p, r.n, r.f);
  placed.on_a = about(A.P, r.p, r.n * -1.0, r.f * -1.0);
  placed.at_frame = {r.n + cross(r.p - frames.p_B, r.f), r.f};
  return placed;
}

/// (2)
double DiscreteConditions::slipped(const GraphCondition& c, const Placed& now,
                                   const DiscreteClock& clock, const DiscreteBodies& bodies,
                                   Slip& slip) const {
  const Mat3 &R_a = bodies[c.a].R, &R_b = bodies[c.b].R;
  if (slip.seen >= 0 && slip.seen != clock.count)
    slip.way += clock.h / 2 *
                (power(c.a, now.on_a, R_a, bodies) + power(c.b, now.on_b, R_b, bodies) +
                 power(c.a, slip.on_a, slip.R_a, bodies) + power(c.b, slip.on_b, slip.R_b, bodies));
  slip = {slip.way, clock.count, now.on_a, now.on_b, R_a, R_b};
  return slip.way;
}

void DiscreteConditions::apply(const DiscreteClock& clock, const DiscreteCoordinates& at,
                               DiscreteBodies& bodies) {
  for (size_t i = 0; i < g_->conditions.size(); ++i) {
    mu_[i] = 0;
    const GraphCondition& c = g_->conditions[i];
    if (!c.closure.of.empty()) {
      apply_coupling(static_cast<int>(i), at, bodies);
      continue;
    }
    const Placed now = placed(c, bodies);
    const double lambda = mobility(c.a, now.on_a, bodies) + mobility(c.b, now.on_b, bodies);
    if (!(lambda > 0)) continue;
    const double way =
        is_holonomic(c.row.kind) ? now.residual : slipped(c, now, clock, bodies, slips_[i]);
    const double rate =
        power(c.a, now.on_a, bodies[c.a].R, bodies) + power(c.b, now.on_b, bodies[c.b].R, bodies);
    const DiscreteGains::Unit gain = gains_->condition(static_cast<int>(i));
    const double mu = -(gain.k * way + gain.c * rate) / lambda;  // (1)
    mu_[i] = mu;
    bodies.push(c.a, now.on_a.f * mu, now.on_a.n * mu);
    bodies.push(c.b, now.on_b.f * mu, now.on_b.n * mu);
    if (c.joint >= 0) bodies.carried(c.joint) += now.at_frame * mu;
  }
  if (!g_->conditions.empty()) bodies.keep_in_plane();
}

/// Σ c q = offset: a force on every coordinate, by its joint's bodies.
void DiscreteConditions::apply_coupling(int index, const DiscreteCoordinates& at,
                                        DiscreteBodies& bodies) {
  const GraphCondition& c = g_->conditions[index];
  for (const int s : c.slots) unit_[s] = {};
  unit_[0] = {};
  double way = -c.row.offset;
  for (const CoupledCoordinate& k : c.closure.of) {
    const OwnedFreedom owner = owner_of_velocity(*m_, *g_, k.u);
    const GraphJoint& j = g_->joints[owner.joint];
    const JointPose pose = joint_pose(j, bodies[j.a], bodies[j.b]);
    double tau[6] = {};
    tau[owner.freedom] = k.coefficient;
    const Wrench<double> on_b = joint_force(j, pose, at.q_of(j), tau);
    const WrenchRecord a = about(bodies[j.a].P, pose.o_M, on_b.n, on_b.f),
                       b = about(bodies[j.b].P, pose.o_M, on_b.n, on_b.f);
    unit_[j.b].f += b.f, unit_[j.b].n += b.n;
    unit_[j.a].f -= a.f, unit_[j.a].n -= a.n;
    way += k.coefficient * at.q[k.q];
  }
  double lambda = 0, rate = 0;
  for (const int s : c.slots) {
    lambda += mobility(s, unit_[s], bodies);
    rate += power(s, unit_[s], bodies[s].R, bodies);
  }
  if (!(lambda > 0)) return;
  const DiscreteGains::Unit gain = gains_->condition(index);
  const double mu = -(gain.k * way + gain.c * rate) / lambda;  // (1)
  mu_[index] = mu;
  for (const int s : c.slots) bodies.push(s, unit_[s].f * mu, unit_[s].n * mu);
}

}  // namespace sarrus
