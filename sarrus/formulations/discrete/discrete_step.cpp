// Steps of the discrete formulation: bodies, joints, and what the user put between them.
#include <algorithm>
#include <cmath>

#include "sarrus/formulations/discrete/discrete.hpp"

namespace sarrus {

Vec3 Discrete::lane(const Vector3<Lane>& v, int slot) const {
  const int i = (slot - 1) % 4;
  return {v.x[i], v.y[i], v.z[i]};
}

void Discrete::set_lane(Vector3<Lane>& v, int slot, const Vec3& x) {
  const int i = (slot - 1) % 4;
  v.x.set(i, x.x), v.y.set(i, x.y), v.z.set(i, x.z);
}

Vec3 Discrete::angular_velocity(int slot, const Mat3& R, const Vec3& L) const {
  const Vec3& w = g_.bodies[slot].inverse_I;
  const Vec3 Pi = transposed_times(R, L);
  return R * Vec3{Pi.x * w.x, Pi.y * w.y, Pi.z * w.z};
}

void Discrete::advance(std::int64_t steps) {
  const bool plain = !is_busy_ && leapfrog_ && rotation_ == Rotation::dlm;
  if (plain) {
    kernels_->advance(view_, steps);
    count_ += steps;
  } else {
    for (std::int64_t i = 0; i < steps; ++i) step_once();
  }
  // angles that nobody else reads are followed here, before they can turn by half a turn
  read_joints(motion_, all_joints_);
}

void Discrete::step_once() {
  if (has_elements_ && second_order_damping_)
    for (int s = 1; s < static_cast<int>(g_.bodies.size()); ++s) {
      V_before_[s] = lane(pack(s).V, s);
      L_before_[s] = lane(pack(s).L, s);
    }
  keep_grips();
  if (rotation_ == Rotation::dlm)
    kernels_->bodies(view_);
  else
    move_bodies_one_by_one();
  book_grips();
  for (size_t i = 0; i < rotors_.size(); ++i) {
    rotors_[i].v -= h_ * rotors_[i].force / gains_.rotors[i];
    rotors_[i].x += h_ * rotors_[i].v;
  }
  // states of elements: two-step Adams–Bashforth, of second order
  for (size_t i = 0; i < state_.size(); ++i)
    state_[i] += h_ * (1.5 * rate_[i] - 0.5 * rate_before_[i]);
  rate_before_ = rate_;
  ++count_;
  power_before_ = power_;
  follow_loans();
  evaluate();
  keep_ledger();
}

/// Forces at the present places.
void Discrete::evaluate() {
  kernels_->joints(view_);
  if (is_busy_) apply_elements(time());
}

// ── elements ────────────────────────────────────────────────────────────────────────────────────

void Discrete::apply_elements(double t) {
  const auto first = wrench_.begin() + static_cast<std::ptrdiff_t>(2 * g_.joints.size());
  std::fill(first, first + static_cast<std::ptrdiff_t>(g_.bodies.size()), WrenchRecord{});
  for (const int j : measured_) extra_[j] = {};
  power_ = {};
  if (has_elements_) {
    extrapolate(trial_);
    read_joints(trial_, measured_);
    put_bodies(trial_);
    read_reactions();
  }
  const Forces<double>& forces = load_over_kick(t);
  if (has_elements_) {
    push_joint_forces(tau_);
    push_wrenches(pull_);
    apply_contacts();
    work_switches(forces.formula);
    keep_in_plane();
  }
  apply_rows();
  apply_conditions();
  give_back_loans();
}

// A kick by F_k stands for the time from t_k − h/2 to t_k + h/2; the first one, half of which is
// turned back, for that from the start on. Where inputs break in it, at b₁, b₂ … in units of h,
//
//   F_k = Σ_i (b_i+1 − b_i) F(middle of b_i and b_i+1) / Σ_i (b_i+1 − b_i)                 (12)
//
// so that no impulse is lost, however short it is, and the second order stays where forces jump.

void Discrete::expect_breaks(std::span<const double> times) {
  constexpr double parts = 0x1p24;  // of a step: the last bits of a time depend on its search
  breaks_.clear();
  for (const double t : times) breaks_.push_back(std::round((t - start_) / h_ * parts) / parts);
}

/// In steps since the start.
bool Discrete::breaks_within(double from, double to) const {
  const auto first = std::upper_bound(breaks_.begin(), breaks_.end(), from);
  return first != breaks_.end() && *first < to;
}

const Forces<double>& Discrete::load_at(double t) {
  return load(w_, take_bodies(w_, t, q_.data(), u_.data(), state_.data(), placed_.data()),
              normal_.data());
}

/// Leaves tau_, pull_, rate_ and power_ over the kick; formulas are those at its middle.
const Forces<double>& Discrete::load_over_kick(double t) {
  const auto k = static_cast<double>(count_);
  const double from = count_ == 0 ? k : k - 0.5, to = k + 0.5;
  const auto keep = [&](const Forces<double>& f) {
    power_ = f.flow;
    std::copy(f.tau.begin(), f.tau.end(), tau_.begin());
    std::copy(f.wrench.begin(), f.wrench.end(), pull_.begin());
    std::copy_n(f.state_rate.begin(), state_.size(), rate_.begin());
  };
  if (!breaks_within(from, to)) {
    const Forces<double>& forces = load_at(t);
    if (has_elements_) keep(forces);
    return forces;
  }
  if (has_elements_) {
    std::fill(tau_.begin(), tau_.end(), 0.0);
    std::fill(pull_.begin(), pull_.end(), Wrench<double>{});
    std::fill(rate_.begin(), rate_.end(), 0.0);
    double begin = from;
    const auto add = [&](double end) {
      const double share = (end - begin) / (to - from);
      const Forces<double>& f = load_at(start_ + (begin + end) / 2 * h_);
      for (size_t i = 0; i < tau_.size(); ++i) tau_[i] += share * f.tau[i];
      for (size_t i = 0; i < pull_.size(); ++i) pull_[i] += f.wrench[i] * share;
      for (size_t i = 0; i < rate_.size(); ++i) rate_[i] += share * f.state_rate[i];
      power_.dissipated += share * f.flow.dissipated;
      power_.drive += share * f.flow.drive;
      power_.external += share * f.flow.external;
      begin = end;
    };
    for (const double b : breaks_)
      if (b > begin && b < to) add(b);
    add(to);  // (12)
  }
  return load_at(t);
}

/// What friction rubs on: the force in the joint's block, across its axis.
void Discrete::read_reactions() {
  for (const Rubbing& r : rubbing_) {
    const GraphJoint& j = g_.joints[r.joint];
    const Vec3 force = wrench_[2 * static_cast<size_t>(r.joint)].f;
    const Vec3 axis = motion_[j.a].R * j.X_a.R.z;
    normal_[r.body] = norm(force - axis * dot(axis, force));
  }
}

/// Forces of elements on joints.
void Discrete::push_joint_forces(const std::vector<double>& tau) {
  for (const int index : driven_) {
    const GraphJoint& j = g_.joints[index];
    const auto b = static_cast<size_t>(j.body);
    const JointPose pose = joint_pose(j, motion_[j.a], motion_[j.b]);
    const Wrench<double> on_b = joint_force(j, pose, q_.data() + m_->q0[b], tau.data() + m_->u0[b]);
    extra_[index] += on_b;
    push_pair(j, pose, on_b);
  }
}

/// Forces of elements on bodies, from their origins to their centres of mass.
void Discrete::push_wrenches(const std::vector<Wrench<double>>& wrench) {
  if (!m_->numbers.forces.has_spatial()) return;
  for (size_t s = 1; s < g_.bodies.size(); ++s) {
    const auto b = static_cast<size_t>(g_.bodies[s].inside);
    WrenchRecord& w = wrench_[2 * g_.joints.size() + s];
    w.f += wrench[b].f;
    w.n += wrench[b].n + cross(placed_[b].o - motion_[s].P, wrench[b].f);
  }
}

/// Velocities at this instant from those of half a step and one and a half steps ago: dampers stay
/// of second order. Where they are strong the half-step velocities serve, which are stable longer.
void Discrete::extrapolate(std::vector<MotionRecord>& motion) const {
  std::copy(motion_.begin(), motion_.end(), motion.begin());
  if (!second_order_damping_ || !leapfrog_) return;
  for (int s = 1; s < static_cast<int>(g_.bodies.size()); ++s) {
    const auto i = static_cast<size_t>(s);
    const Vec3 V = lane(pack(s).V, s), L = lane(pack(s).L, s);
    motion[i].V = V + (V - V_before_[i]) * 0.5;
    motion[i].w = angular_velocity(s, motion[i].R, L + (L - L_before_[i]) * 0.5);
  }
}

void Discrete::read_joints(const std::vector<MotionRecord>& motion,
                           const std::vector<int>& joints) {
  for (const int index : joints) {
    const GraphJoint& j = g_.joints[index];
    if (j.body < 0) continue;
    const auto b = static_cast<size_t>(j.body);
    const JointPose pose = joint_pose(j, motion[j.a], motion[j.b]);
    read_coordinates(j.kind, j.numbers, pose, q_.data() + m_->q0[b]);
    read_velocities(j.kind, j.numbers, pose, q_.data() + m_->q0[b], u_.data() + m_->u0[b]);
  }
}

/// Places and motions in the frames of the mechanism.
void Discrete::put_bodies(const std::vector<MotionRecord>& motion) {
  for (size_t s = 1; s < g_.bodies.size(); ++s) {
    const GraphBody& body = g_.bodies[s];
    const MotionRecord& C = motion[s];
    const Mat3 R = C.R * transpose(body.X_BC.R);
    const Vec3 lever = R * body.X_BC.p;
    placed_[body.inside] = {R, C.P - lever, {C.w, C.V - cross(C.w, lever)}};
  }
}

/// A wrench on B at o_M and its opposite on A at the same point.
void Discrete::push_pair(const GraphJoint& j, const JointPose& pose, const Wrench<double>& on_b) {
  const size_t first = 2 * g_.joints.size();
  const auto a = static_cast<size_t>(j.a), b = static_cast<size_t>(j.b);
  WrenchRecord &A = wrench_[first + a], &B = wrench_[first + b];
  B.f += on_b.f;
  B.n += on_b.n + cross(pose.o_M - motion_[b].P, on_b.f);
  A.f -= on_b.f;
  A.n -= on_b.n + cross(pose.o_M - motion_[a].P, on_b.f);
}

// ── rows: prescribed motions, screws, rotors ────────────────────────────────────────────────────

void Discrete::apply_rows() {
  if (!has_elements_) read_joints(motion_, measured_);
  for (const RowBlock& row : gains_.rows()) apply_row(row);
}

/// φ and its rate at the half step before, as the theorem of the gains wants it:
///   motion   φ = q − f(t)        τ = −k φ − c φ̇
///   rotor    φ = q − x           the same, and its opposite on the rotor
///   screw    φ = z·d − p q       force −μ z at o_M, torque p μ z on B;  μ = k φ + c φ̇
void Discrete::apply_row(const RowBlock& row) {
  const GraphJoint& j = g_.joints[row.joint];
  const JointPose pose = joint_pose(j, motion_[j.a], motion_[j.b]);
  double q_last[7] = {}, u_lag[6] = {}, tau[6] = {};
  const double* q = q_last;
  if (j.body > 0) {
    q = q_.data() + m_->q0[j.body];
  } else {
    read_coordinates(j.kind, j.numbers, pose, q_last);
  }
  read_velocities(j.kind, j.numbers, pose, q, u_lag);
  if (row.kind == RowBlock::Kind::screw) {
    const Vec3 z = pose.R_F.z;
    const double p = j.numbers.size;
    const double phi = dot(z, pose.o_M - pose.o_F) - p * q[0];
    const double mu = row.k * phi + row.c * (dot(z, pose.v) - p * dot(z, pose.w));
    const Wrench<double> on_b{z * (p * mu), z * -mu};
    extra_[row.joint] += on_b;
    push_pair(j, pose, on_b);
    return;
  }
  double target = 0, speed = 0, power_speed = 0;
  if (row.kind == RowBlock::Kind::motion) {
    const Jet<double> f = motion_at(w_, m_->motions[row.source], time());
    target = f.v, power_speed = f.d;
    speed = leapfrog_ ? f.d - f.dd * (h_ / 2) : f.d;
    if (const auto k = static_cast<double>(count_); breaks_within(k - 1, k + 0x1p-24))
      speed = (f.v - motion_at(w_, m_->motions[row.source], time() - h_).v) / h_;
  } else {
    const Rotor& r = rotors_[row.source];
    target = r.x, speed = r.v;
  }
  const int k = row.freedom;
  const double force = -row.k * (q[k] - target) - row.c * (u_lag[k] - speed);
  tau[k] = force;
  const Wrench<double> on_b = joint_force(j, pose, q, tau);
  extra_[row.joint] += on_b;
  push_pair(j, pose, on_b);
  if (row.kind == RowBlock::Kind::rotor)
    rotors_[row.source].force = force;
  else
    power_.drive += force * power_speed;
}

/// Powers by the trapezoidal rule.
void Discrete::keep_ledger() {
  if (!is_busy_) return;
  ledger_.dissipated += h_ / 2 * (power_before_.dissipated + power_.dissipated);
  ledger_.drive += h_ / 2 * (power_before_.drive + power_.drive);
  ledger_.external += h_ / 2 * (power_before_.external + power_.external);
}

// ── bodies by other rotations than the splitting, and the source's own scheme ───────────────────

/// With w = R I⁻¹ Rᵀ L:
///   exp    R ← exp(h w) R
///   lie2   R_m = exp(h/2 w) R,  w_m = R_m I⁻¹ R_mᵀ L,  R ← exp(h w_m) R
///   paper  A_r = R (I⁻¹ (Rᵀ M − (Rᵀ V_r) × I (Rᵀ V_r)))                                 (7)
///          V_r += h A_r                                                                 (8)
///          e = V_r/|V_r|, θ = |V_r| h, R ← C(e, θ) R                                    (9)–(11)
/// where |V_r| = 0 the turn is none; translation as everywhere, (4)–(6).
void Discrete::move_bodies_one_by_one() {
  for (int s = 1; s < static_cast<int>(g_.bodies.size()); ++s) {
    const auto slot = static_cast<size_t>(s);
    const GraphBody& body = g_.bodies[slot];
    BodyPack& p = pack(s);
    const int i = (s - 1) % 4;
    const Wrench<double> F = pulled(s);                        // (2), (3)
    const Vec3 A_t = F.f * body.inverse_mass + view_.gravity;  // (4)
    const Vec3 V = lane(p.V, s) + A_t * h_;                    // (5)
    const Vec3 P = lane(p.P, s) + V * h_;                      // (6)
    Vec3 L = lane(p.L, s) + F.n * h_;
    const Mat3 R = motion_[slot].R;
    const Quat q{p.q.w[i], p.q.x[i], p.q.y[i], p.q.z[i]};
    Vec3 turn = angular_velocity(s, R, L);
    if (rotation_ == Rotation::lie2) {
      const Mat3 R_m = sarrus::rotation(quaternion_exp(turn * (h_ / 2)) * q);
      turn = angular_velocity(s, R_m, L);
    }
    if (rotation_ == Rotation::paper) {
      const Vec3 w = transposed_times(R, turning_[slot]), M = transposed_times(R, F.n);
      const Vec3 Iw{w.x * body.I.x, w.y * body.I.y, w.z * body.I.z};
      const Vec3 net = M - cross(w, Iw);
      const Vec3 A_r = R * Vec3{net.x * body.inverse_I.x, net.y * body.inverse_I.y,
                                net.z * body.inverse_I.z};  // (7)
      turning_[slot] += A_r * h_;                           // (8)
      turn = turning_[slot];
    }
    const Quat next = normalized(quaternion_exp(turn * h_) * q);  // (9)–(11)
    const Mat3 R_next = sarrus::rotation(next);
    Vec3 w = angular_velocity(s, R_next, L);
    if (rotation_ == Rotation::paper) {
      w = turning_[slot];
      const Vec3 wb = transposed_times(R_next, w);
      L = R_next * Vec3{wb.x * body.I.x, wb.y * body.I.y, wb.z * body.I.z};
    }
    p.q.w.set(i, next.w), p.q.x.set(i, next.x), p.q.y.set(i, next.y), p.q.z.set(i, next.z);
    set_lane(p.R.x, s, R_next.x), set_lane(p.R.y, s, R_next.y), set_lane(p.R.z, s, R_next.z);
    set_lane(p.P, s, P), set_lane(p.V, s, V), set_lane(p.L, s, L);
    motion_[slot] = {R_next, P, V, w};
  }
}

Wrench<double> Discrete::pulled(int slot) const {
  const BodyPack& b = pack(slot);
  const int i = (slot - 1) % 4;
  Wrench<double> sum{};
  for (std::int32_t k = b.first[i]; k < b.last[i]; ++k) {
    const WrenchRecord& w = wrench_[list_[k]];
    sum.f += w.f;
    sum.n += w.n;
  }
  return sum;
}

}  // namespace sarrus
