#include "sarrus/formulations/discrete/discrete_bodies.hpp"

#include <algorithm>

namespace sarrus {
namespace {

BlockKind block_of(const GraphJoint& j) {
  const JointFacts& facts = facts_of(j.kind);
  const bool holds_point = facts.point == HeldPoint::all;
  switch (facts.turn) {
    case HeldTurn::nothing: return holds_point ? BlockKind::spherical : BlockKind::fixed;
    case HeldTurn::angle: return BlockKind::universal;
    case HeldTurn::all: return j.slides_along() ? BlockKind::prismatic : BlockKind::fixed;
    case HeldTurn::across: break;
  }
  if (holds_point) return j.in_plane ? BlockKind::spherical : BlockKind::revolute;
  return j.slides_along() ? BlockKind::cylindrical : BlockKind::planar;
}

void set3(Vector3<Lane>& v, int i, const Vec3& x) {
  v.x.set(i, x.x), v.y.set(i, x.y), v.z.set(i, x.z);
}
void set3(Matrix3<Lane>& m, int i, const Mat3& x) {
  set3(m.x, i, x.x), set3(m.y, i, x.y), set3(m.z, i, x.z);
}
void set4(Quaternion<Lane>& v, int i, const Quat& q) {
  v.w.set(i, q.w), v.x.set(i, q.x), v.y.set(i, q.y), v.z.set(i, q.z);
}

Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

Vector3<Lane> no_vector() { return {Lane(0.0), Lane(0.0), Lane(0.0)}; }

BodyPack empty_bodies() {
  BodyPack b;
  b.q = {Lane(1.0), Lane(0.0), Lane(0.0), Lane(0.0)};
  b.R = Matrix3<Lane>::identity();
  b.P = b.V = b.L = b.inverse_I = no_vector();
  b.inverse_mass = Lane(0.0);
  return b;
}

JointPack empty_joints(std::int32_t out) {
  JointPack p;
  for (int i = 0; i < discrete_lanes; ++i) p.out[i] = out;
  p.r_a = p.r_b = p.z_a = p.z_b = no_vector();
  p.C = Matrix3<Lane>::identity();
  p.kt = p.ct = p.kr = p.cr = p.inverse_I = Lane(0.0);
  p.lambda = Lane(1.0);
  return p;
}

}  // namespace

DiscreteBodies::DiscreteBodies(const Vec3& gravity, const DiscreteGraph& graph,
                               const DiscreteGains& gains, const DiscreteScheme& scheme,
                               bool pushed)
    : g_(&graph),
      gains_(&gains),
      kernels_(&discrete_kernels()),
      scheme_(scheme),
      carried_(graph.joints.size()),
      turning_(graph.bodies.size()) {
  view_.gravity = gravity - g_->normal * dot(g_->normal, gravity);
  view_.h = scheme_.h;
  pack_bodies();
  pack_joints();
  list_wrenches(pushed);
}

// ── packs ───────────────────────────────────────────────────────────────────────────────────────

void DiscreteBodies::pack_bodies() {
  const size_t n = g_->bodies.size() - 1, packs = (n + discrete_lanes - 1) / discrete_lanes;
  packs_.assign(packs, empty_bodies());
  motion_.assign(1 + discrete_lanes * packs, MotionRecord{});
  for (int s = 1; s < slots(); ++s) {
    pack(s).inverse_mass.set(lane_of(s), g_->bodies[s].inverse_mass);
    set3(pack(s).inverse_I, lane_of(s), g_->bodies[s].inverse_I);
  }
  view_.body_packs = static_cast<int>(packs_.size());
  view_.bodies = packs_.data();
  view_.motion = motion_.data();
}

void DiscreteBodies::pack_joints() {
  place_.assign(g_->joints.size(), {});
  const auto unused = static_cast<std::int32_t>(2 * g_->joints.size() + g_->bodies.size());
  for (int kind = 0; kind < block_kinds; ++kind) {
    view_.first[kind] = static_cast<std::int32_t>(joints_.size());
    int lane = discrete_lanes;
    for (size_t i = 0; i < g_->joints.size(); ++i) {
      const GraphJoint& j = g_->joints[i];
      if (!j.holds() || static_cast<int>(block_of(j)) != kind) continue;
      if (lane == discrete_lanes) joints_.push_back(empty_joints(unused)), lane = 0;
      place_[i] = {static_cast<int>(joints_.size()) - 1, lane};
      engage(static_cast<int>(i), true);
      ++lane;
    }
  }
  view_.first[block_kinds] = static_cast<std::int32_t>(joints_.size());
  view_.joints = joints_.data();
}

/// The numbers of one joint in its lane; a joint that does not hold has no gains.
void DiscreteBodies::engage(int joint, bool holds) {
  const GraphJoint& j = g_->joints[joint];
  if (place_[joint].pack < 0) return;
  JointPack& p = joints_[place_[joint].pack];
  const int lane = place_[joint].lane;
  const JointGains k = holds ? gains_->joint(joint) : JointGains{};
  const bool universal = facts_of(j.kind).axes == JointAxes::cross;
  p.a[lane] = j.a, p.b[lane] = j.b;
  p.out[lane] = static_cast<std::int32_t>(2 * joint);
  set3(p.r_a, lane, j.X_a.p), set3(p.r_b, lane, j.X_b.p);
  set3(p.z_a, lane, universal ? j.X_a.R * j.numbers.axis : j.X_a.R.z);
  set3(p.z_b, lane, universal ? j.X_b.R.y : j.X_b.R.z);
  set3(p.C, lane, j.X_a.R * transpose(j.X_b.R));
  p.kt.set(lane, k.kt), p.ct.set(lane, k.ct), p.kr.set(lane, k.kr), p.cr.set(lane, k.cr);
  if (holds && j.slides()) p.lambda.set(lane, k.lambda), p.inverse_I.set(lane, k.inverse_I);
}

/// The wrenches of every body: those of its joints in the order of the graph, then that of all the
/// rest.
void DiscreteBodies::list_wrenches(bool pushed) {
  const size_t joints = g_->joints.size();
  wrench_.assign(2 * joints + g_->bodies.size() + 2, WrenchRecord{});
  std::vector<std::vector<std::int32_t>> of(g_->bodies.size());
  for (size_t i = 0; i < joints; ++i) {
    if (!g_->joints[i].holds()) continue;
    of[g_->joints[i].a].push_back(static_cast<std::int32_t>(2 * i));
    of[g_->joints[i].b].push_back(static_cast<std::int32_t>(2 * i + 1));
  }
  for (int s = 1; s < slots(); ++s) {
    if (pushed) of[s].push_back(static_cast<std::int32_t>(2 * joints) + s);
    pack(s).first[lane_of(s)] = static_cast<std::int32_t>(list_.size());
    list_.insert(list_.end(), of[s].begin(), of[s].end());
    pack(s).last[lane_of(s)] = static_cast<std::int32_t>(list_.size());
  }
  view_.wrench = wrench_.data();
  view_.list = list_.data();
}

// ── motion ──────────────────────────────────────────────────────────────────────────────────────

Quat DiscreteBodies::orientation(int slot) const {
  const Quaternion<Lane>& q = pack(slot).q;
  const int i = lane_of(slot);
  return {q.w[i], q.x[i], q.y[i], q.z[i]};
}

Vec3 DiscreteBodies::angular_velocity(int slot, const Mat3& R, const Vec3& L) const {
  return R * times(transposed_times(R, L), g_->bodies[slot].inverse_I);
}

void DiscreteBodies::set_speeds(int slot, const Speeds& s) {
  motion_[slot].V = s.V_seen, motion_[slot].w = s.w_seen;
  set3(pack(slot).V, lane_of(slot), s.V), set3(pack(slot).L, lane_of(slot), s.L);
}

///   a = F/m + g,   α = R I⁻¹ (Rᵀ M − ω × I ω)  with ω in body axes
DiscreteBodies::Present DiscreteBodies::present(int s) const {
  const GraphBody& body = g_->bodies[s];
  const Wrench<double> F = pulled(s);
  const double half = scheme_.leapfrog ? scheme_.h / 2 : 0;
  Present now;
  Mat3& R = now.motion.R;
  R = {lane(pack(s).R.x, s), lane(pack(s).R.y, s), lane(pack(s).R.z, s)};
  now.motion.P = lane(pack(s).P, s);
  now.a = F.f * pack(s).inverse_mass[lane_of(s)] + view_.gravity;
  now.motion.V = V(s) + now.a * half;
  now.L = L(s) + F.n * half;
  now.motion.w = angular_velocity(s, R, now.L);
  const Vec3 w = transposed_times(R, now.motion.w);
  const Vec3 net = transposed_times(R, F.n) - cross(w, times(w, body.I));
  now.alpha = R * times(net, body.inverse_I);
  return now;
}

/// Places and motions of the bodies from those of the tree.
void DiscreteBodies::place(const Kinematics<double>& k) {
  for (int s = 1; s < slots(); ++s) {
    const GraphBody& body = g_->bodies[s];
    const BodyMotion<double>& B = k.body[body.inside];
    const Mat3 R = B.R * body.X_BC.R;
    const Vec3 c = B.R * body.X_BC.p;
    const Quat q = quaternion(R);
    const MotionRecord now{sarrus::rotation(q), B.o + c, B.V.v + cross(B.V.w, c), B.V.w};
    BodyPack& p = pack(s);
    const int i = lane_of(s);
    set4(p.q, i, q), set3(p.R, i, now.R), set3(p.P, i, now.P), set3(p.V, i, now.V);
    set3(p.L, i, R * times(transposed_times(R, B.V.w), body.I));
    turning_[s] = B.V.w;
    motion_[s] = now;
  }
}

void DiscreteBodies::turn_back_half_a_kick() {
  const double half = scheme_.h / 2;
  for (int s = 1; s < slots(); ++s) {
    const Present now = present(s);
    set3(pack(s).V, lane_of(s), V(s) - now.a * half);
    set3(pack(s).L, lane_of(s), L(s) - pulled(s).n * half);
    turning_[s] = turning_[s] - now.alpha * half;
  }
}

bool DiscreteBodies::move_alone() const {
  return scheme_.leapfrog && scheme_.rotation == Rotation::dlm;
}

void DiscreteBodies::move() {
  if (scheme_.rotation == Rotation::dlm)
    kernels_->bodies(view_);
  else
    move_one_by_one();
}

/// By other rotations than the splitting, and the source's own scheme. With w = R I⁻¹ Rᵀ L:
///   exp    R ← exp(h w) R
///   lie2   R_m = exp(h/2 w) R,  w_m = R_m I⁻¹ R_mᵀ L,  R ← exp(h w_m) R
///   paper  A_r = R (I⁻¹ (Rᵀ M − (Rᵀ V_r) × I (Rᵀ V_r)))                                 (7)
///          V_r += h A_r                                                                 (8)
///          e = V_r/|V_r|, θ = |V_r| h, R ← C(e, θ) R                                    (9)–(11)
/// where |V_r| = 0 the turn is none; translation as everywhere, (4)–(6).
void DiscreteBodies::move_one_by_one() {
  const double h = scheme_.h;
  for (int s = 1; s < slots(); ++s) {
    const GraphBody& body = g_->bodies[s];
    const Wrench<double> F = pulled(s);                        // (2), (3)
    const Vec3 A_t = F.f * body.inverse_mass + view_.gravity;  // (4)
    const Vec3 V_next = V(s) + A_t * h;                        // (5)
    const Vec3 P_next = lane(pack(s).P, s) + V_next * h;       // (6)
    Vec3 L_next = L(s) + F.n * h;
    const Mat3 R = motion_[s].R;
    const Quat q = orientation(s);
    Vec3 turn = angular_velocity(s, R, L_next);
    if (scheme_.rotation == Rotation::lie2) {
      const Mat3 R_m = sarrus::rotation(quaternion_exp(turn * (h / 2)) * q);
      turn = angular_velocity(s, R_m, L_next);
    }
    if (scheme_.rotation == Rotation::paper) {
      const Vec3 w = transposed_times(R, turning_[s]), M = transposed_times(R, F.n);
      const Vec3 A_r = R * times(M - cross(w, times(w, body.I)), body.inverse_I);  // (7)
      turning_[s] += A_r * h;                                                      // (8)
      turn = turning_[s];
    }
    const Quat q_next = normalized(quaternion_exp(turn * h) * q);  // (9)–(11)
    const Mat3 R_next = sarrus::rotation(q_next);
    Vec3 w = angular_velocity(s, R_next, L_next);
    if (scheme_.rotation == Rotation::paper) {
      w = turning_[s];
      L_next = R_next * times(transposed_times(R_next, w), body.I);
    }
    BodyPack& p = pack(s);
    const int i = lane_of(s);
    set4(p.q, i, q_next), set3(p.R, i, R_next), set3(p.P, i, P_next);
    set3(p.V, i, V_next), set3(p.L, i, L_next);
    motion_[s] = {R_next, P_next, V_next, w};
  }
}

// ── forces ──────────────────────────────────────────────────────────────────────────────────────

void DiscreteBodies::clear_pushes(const std::vector<int>& joints) {
  std::fill_n(wrench_.data() + 2 * g_->joints.size(), g_->bodies.size(), WrenchRecord{});
  for (const int j : joints) carried_[j] = {};
}

void DiscreteBodies::push_pair(int joint, const JointPose& pose, const Wrench<double>& on_b) {
  const GraphJoint& j = g_->joints[joint];
  carried_[joint] += on_b;
  push(j.b, on_b.f, on_b.n + cross(pose.o_M - motion_[j.b].P, on_b.f));
  push(j.a, -on_b.f, -(on_b.n + cross(pose.o_M - motion_[j.a].P, on_b.f)));
}

Wrench<double> DiscreteBodies::pulled(int slot) const {
  const BodyPack& b = pack(slot);
  const int i = lane_of(slot);
  Wrench<double> sum{};
  for (std::int32_t k = b.first[i]; k < b.last[i]; ++k) {
    const WrenchRecord& w = wrench_[list_[k]];
    sum.f += w.f;
    sum.n += w.n;
  }
  return sum;
}

void DiscreteBodies::keep_in_plane() {
  if (!(norm(g_->normal) > 0)) return;
  const size_t first = 2 * g_->joints.size();
  for (size_t s = 1; s < g_->bodies.size(); ++s) {
    Vec3& f = wrench_[first + s].f;
    f -= g_->normal * dot(g_->normal, f);
  }
}

}  // namespace sarrus
