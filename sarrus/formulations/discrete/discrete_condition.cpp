// Conditions that are no joint, in the discrete formulation: rods of fixed length, points on lines
// and planes, gears and couplings, edges and wheels that do not slip.
//
// A condition φ = 0 with φ̇ = w · V, w its wrenches on the bodies it moves, is a block of one row:
//
//   μ = −(k φ + c φ̇) on w,   λ = wᵀ M⁻¹ w,   k = β²/(n h² λ),   c = δ/(n h λ)               (1)
//
// with φ̇ of half a step ago, so that the theorem of the gains covers it. λ is that of the present
// places: levers change.
//
// Where a condition holds velocities only, φ is the way that it has slipped,
//
//   φ_k = φ_k−1 + h (w_k + w_k−1)/2 · V_k−½                                                 (2)
//
// which keeps the second order. docs/theory/discrete.md
#include "sarrus/formulations/discrete/discrete.hpp"
#include "sarrus/formulations/loops/closure_rows.hpp"

namespace sarrus {
namespace {

/// A force f and a couple n at p, about the centre of mass P.
WrenchRecord about(const Vec3& P, const Vec3& p, const Vec3& n, const Vec3& f) {
  return {f, n + cross(p - P, f)};
}

void add(WrenchRecord& to, const WrenchRecord& w, double size) {
  to.f += w.f * size;
  to.n += w.n * size;
}

}  // namespace

/// w · V of one body, with the orientation R and the momenta of half a step ago.
double Discrete::power(int slot, const WrenchRecord& w, const Mat3& R) const {
  if (slot == 0) return 0;
  const Vec3 turning = angular_velocity(slot, R, lane(pack(slot).L, slot));
  return dot(w.f, lane(pack(slot).V, slot)) + dot(w.n, turning);
}

/// wᵀ M⁻¹ w of one body.
double Discrete::mobility(int slot, const WrenchRecord& w) const {
  const GraphBody& b = g_.bodies[slot];
  const Vec3 n = transposed_times(motion_[slot].R, w.n);
  return b.inverse_mass * dot(w.f, w.f) + b.inverse_I.x * n.x * n.x + b.inverse_I.y * n.y * n.y +
         b.inverse_I.z * n.z * n.z;
}

Discrete::PlacedCondition Discrete::placed_condition(const GraphCondition& c) const {
  const MotionRecord &A = motion_[c.a], &B = motion_[c.b];
  const BodyMotion<double> a{A.R, A.P, {A.w, A.V}}, b{B.R, B.P, {B.w, B.V}};
  const ClosureFrames<double> frames = closure_frames(c.closure, a, b);
  const RowForce<double> r = row_force(c.row, c.closure, frames);
  PlacedCondition placed;
  placed.residual = r.residual;
  placed.on_b = about(B.P, r.p, r.n, r.f);
  placed.on_a = about(A.P, r.p, r.n * -1.0, r.f * -1.0);
  placed.at_frame = {r.n + cross(r.p - frames.p_B, r.f), r.f};
  return placed;
}

/// (2)
double Discrete::slipped(const GraphCondition& c, const PlacedCondition& now, Slip& slip) const {
  const Mat3 &R_a = motion_[c.a].R, &R_b = motion_[c.b].R;
  if (slip.seen >= 0 && slip.seen != count_)
    slip.way += h_ / 2 *
                (power(c.a, now.on_a, R_a) + power(c.b, now.on_b, R_b) +
                 power(c.a, slip.on_a, slip.R_a) + power(c.b, slip.on_b, slip.R_b));
  slip.seen = count_;
  slip.on_a = now.on_a, slip.on_b = now.on_b, slip.R_a = R_a, slip.R_b = R_b;
  return slip.way;
}

void Discrete::apply_conditions() {
  const size_t first = 2 * g_.joints.size();
  for (size_t i = 0; i < g_.conditions.size(); ++i) {
    mu_[i] = 0;
    const GraphCondition& c = g_.conditions[i];
    if (!c.closure.of.empty()) {
      apply_coupling(static_cast<int>(i));
      continue;
    }
    const PlacedCondition now = placed_condition(c);
    const double lambda = mobility(c.a, now.on_a) + mobility(c.b, now.on_b);
    if (!(lambda > 0)) continue;
    const double way = is_holonomic(c.row.kind) ? now.residual : slipped(c, now, slips_[i]);
    const double rate = power(c.a, now.on_a, motion_[c.a].R) + power(c.b, now.on_b, motion_[c.b].R);
    const DiscreteGains::Unit gain = gains_.condition(static_cast<int>(i));
    const double mu = -(gain.k * way + gain.c * rate) / lambda;  // (1)
    mu_[i] = mu;
    add(wrench_[first + c.a], now.on_a, mu);
    add(wrench_[first + c.b], now.on_b, mu);
    if (c.joint >= 0) extra_[c.joint] += now.at_frame * mu;
  }
  if (!g_.conditions.empty() && norm(g_.normal) > 0) keep_in_plane();
}

/// Σ c q = offset: a force on every coordinate, by its joint's bodies.
void Discrete::apply_coupling(int index) {
  const GraphCondition& c = g_.conditions[index];
  for (const int s : c.slots) unit_[s] = {};
  unit_[0] = {};
  double way = -c.row.offset;
  for (const CoupledCoordinate& k : c.closure.of) {
    const OwnedFreedom owner = owner_of_velocity(*m_, g_, k.u);
    const GraphJoint& j = g_.joints[owner.joint];
    const auto a = static_cast<size_t>(j.a), b = static_cast<size_t>(j.b);
    const JointPose pose = joint_pose(j, motion_[a], motion_[b]);
    double tau[6] = {};
    tau[owner.freedom] = k.coefficient;
    const Wrench<double> on_b = joint_force(j, pose, q_.data() + m_->q0[j.body], tau);
    add(unit_[b], about(motion_[b].P, pose.o_M, on_b.n, on_b.f), 1);
    add(unit_[a], about(motion_[a].P, pose.o_M, on_b.n, on_b.f), -1);
    way += k.coefficient * q_[k.q];
  }
  double lambda = 0, rate = 0;
  for (const int s : c.slots) {
    const auto slot = static_cast<size_t>(s);
    lambda += mobility(s, unit_[slot]);
    rate += power(s, unit_[slot], motion_[slot].R);
  }
  if (!(lambda > 0)) return;
  const DiscreteGains::Unit gain = gains_.condition(index);
  const double mu = -(gain.k * way + gain.c * rate) / lambda;  // (1)
  mu_[index] = mu;
  for (const int s : c.slots)
    add(wrench_[2 * g_.joints.size() + static_cast<size_t>(s)], unit_[s], mu);
}

}  // namespace sarrus
