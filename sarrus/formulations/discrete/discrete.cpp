// What is settled before the first step: gains, step, packs, places.
#include "sarrus/formulations/discrete/discrete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr double turn_limit = 0.3;   // [rad] beyond which the splitting means nothing
constexpr double open_joint = 1e-6;  // [m] at the start, beyond which the user is told

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

Rotation rotation_named(const std::string& name) {
  if (name == "lie2") return Rotation::lie2;
  if (name == "exp") return Rotation::exp;
  if (name == "paper") return Rotation::paper;
  return Rotation::dlm;
}

void set3(Vector3<Lane>& v, int i, const Vec3& x) {
  v.x.set(i, x.x), v.y.set(i, x.y), v.z.set(i, x.z);
}

}  // namespace

Discrete::Discrete(const Mechanism& mechanism, const SimulateSpec& settings)
    : m_(&mechanism),
      g_(discrete_graph(mechanism, settings.plane)),
      gains_(mechanism, g_, {settings.joint_stiffness, settings.joint_damping}),
      w_(mechanism),
      kernels_(&discrete_kernels()),
      leapfrog_(settings.scheme != "paper"),
      A_(mechanism) {
  rotation_ = leapfrog_ ? rotation_named(settings.rotation) : Rotation::paper;
  const auto nb = static_cast<size_t>(m_->nb);
  q_ = m_->start.q, u_ = m_->start.u, state_ = m_->start_state;
  rate_.assign(state_.size(), 0.0);
  rate_before_ = rate_;
  tau_.assign(u_.size(), 0.0), pull_.resize(nb);
  normal_.assign(nb, 0.0);
  normal_seen_ = normal_;
  placed_.resize(nb);
  placed_[0].R = Mat3::identity();
  extra_.resize(g_.joints.size());
  rotors_.resize(gains_.rotors.size());
  slips_.resize(g_.conditions.size()), mu_.resize(g_.conditions.size());
  unit_.resize(g_.bodies.size());
  pace_.resize(g_.bodies.size());
  turning_.resize(g_.bodies.size()), V_before_.resize(g_.bodies.size());
  L_before_.resize(g_.bodies.size());
  lay_out();
  list_loans();
  list_measured();
  choose_step(settings);
  pack_bodies();
  pack_joints();
  list_wrenches();
}

void Discrete::lay_out() {
  size_t n = 19 * (g_.bodies.size() - 1);
  const auto part = [&](size_t count) {
    const size_t at = n;
    n += count;
    return at;
  };
  at_.wrenches = part(6 * g_.joints.size());
  at_.conditions = part(mu_.size());
  at_.rotors = part(2 * rotors_.size());
  at_.q = part(q_.size());
  at_.u = part(u_.size());
  at_.state = part(state_.size());
  at_.ledger = part(Ledger::size);
  size_ = static_cast<int>(n);
}

/// Which joints are read in every step, and which carry forces of elements.
void Discrete::list_measured() {
  std::vector<char> read(g_.joints.size(), 0), driven = read;
  const auto own = [&](int u) { return owner_of_velocity(*m_, g_, u).joint; };
  ForceSet<double>::each(m_->numbers.forces, [&](const auto& list) {
    for (const auto& element : list) {
      has_elements_ = true;
      if constexpr (requires { element.u; }) {
        const auto j = static_cast<size_t>(own(element.u));
        read[j] = driven[j] = 1;
      }
    }
  });
  for (const JointFriction<double>& f : m_->numbers.forces.frictions)
    if (f.coefficient > 0) rubbing_.push_back({own(f.u), f.body});
  for (const RowBlock& r : gains_.rows()) read[r.joint] = 1;
  for (const GraphCondition& c : g_.conditions) {
    if (c.joint >= 0) read[c.joint] = 1;
    for (const CoupledCoordinate& k : c.closure.of) read[own(k.u)] = 1;
  }
  if (!m_->force_formulas.empty())
    for (int i = 0; i < m_->early_signals; ++i) {
      const Signal& s = m_->signals[i];
      const bool q = s.kind == Signal::Kind::coordinate, u = s.kind == Signal::Kind::velocity;
      if (!q && !u) continue;
      const int body = q ? m_->body_of_coordinate(s.index) : m_->body_of_velocity(s.index);
      for (size_t j = 0; j < g_.joints.size(); ++j)
        if (g_.joints[j].body == body) read[j] = 1;
    }
  for (size_t j = 0; j < g_.joints.size(); ++j) {
    if (g_.joints[j].body > 0) all_joints_.push_back(static_cast<int>(j));
    if (read[j]) measured_.push_back(static_cast<int>(j));
    if (driven[j]) driven_.push_back(static_cast<int>(j));
  }
  for (size_t j = 0; j < g_.joints.size(); ++j)
    if (const int joint = g_.joints[j].joint; joint >= 0 && m_->joints[joint].active >= 0)
      switches_.push_back({static_cast<int>(j), true, g_.joints[j].X_a});
  grips_.resize(switches_.size());
  size_t sticks = 0;
  for (const ContactPair& pair : m_->contact_pairs) {
    first_stick_.push_back(sticks);
    sticks += static_cast<size_t>(pair.points);
  }
  sticks_.resize(sticks);
  has_elements_ = has_elements_ || !switches_.empty() || !m_->contact_pairs.empty();
  is_busy_ = has_elements_ || !gains_.rows().empty() || !g_.conditions.empty() || !loans_.empty();
}

// ── packs ───────────────────────────────────────────────────────────────────────────────────────

void Discrete::pack_bodies() {
  const size_t n = g_.bodies.size() - 1, packs = (n + 3) / 4;
  bodies_.assign(packs, BodyPack{});
  motion_.assign(1 + 4 * packs, MotionRecord{});
  trial_ = motion_;
  const Vector3<Lane> zero{Lane(0.0), Lane(0.0), Lane(0.0)};
  for (BodyPack& b : bodies_) {
    b.q = {Lane(1.0), Lane(0.0), Lane(0.0), Lane(0.0)};
    b.R = Matrix3<Lane>::identity();
    b.P = b.V = b.L = b.inverse_I = zero;
    b.inverse_mass = Lane(0.0);
  }
  for (int s = 1; s <= static_cast<int>(n); ++s) {
    pack(s).inverse_mass.set((s - 1) % 4, g_.bodies[s].inverse_mass);
    set3(pack(s).inverse_I, (s - 1) % 4, g_.bodies[s].inverse_I);
  }
}

/// The numbers of one joint in its lane; a joint that does not hold has no gains.
void Discrete::fill_lane(int index, bool holds) {
  const auto i = static_cast<size_t>(index);
  const GraphJoint& j = g_.joints[i];
  if (place_[i].pack < 0) return;
  JointPack& p = joints_[place_[i].pack];
  const int lane = place_[i].lane;
  const JointGains k = holds ? gains_.joint(index) : JointGains{};
  const bool universal = facts_of(j.kind).axes == JointAxes::cross;
  p.a[lane] = j.a, p.b[lane] = j.b;
  p.out[lane] = static_cast<std::int32_t>(2 * i);
  set3(p.r_a, lane, j.X_a.p), set3(p.r_b, lane, j.X_b.p);
  set3(p.z_a, lane, universal ? j.X_a.R * j.numbers.axis : j.X_a.R.z);
  set3(p.z_b, lane, universal ? j.X_b.R.y : j.X_b.R.z);
  const Mat3 C = j.X_a.R * transpose(j.X_b.R);
  set3(p.C.x, lane, C.x), set3(p.C.y, lane, C.y), set3(p.C.z, lane, C.z);
  p.kt.set(lane, k.kt), p.ct.set(lane, k.ct), p.kr.set(lane, k.kr), p.cr.set(lane, k.cr);
  if (holds && j.slides()) p.lambda.set(lane, k.lambda), p.inverse_I.set(lane, k.inverse_I);
}

void Discrete::pack_joints() {
  place_.assign(g_.joints.size(), {});
  const auto unused = static_cast<std::int32_t>(2 * g_.joints.size() + g_.bodies.size());
  const Vector3<Lane> zero{Lane(0.0), Lane(0.0), Lane(0.0)};
  JointPack empty;
  for (int i = 0; i < 4; ++i) empty.out[i] = unused;
  empty.r_a = empty.r_b = empty.z_a = empty.z_b = zero;
  empty.C = Matrix3<Lane>::identity();
  empty.kt = empty.ct = empty.kr = empty.cr = empty.inverse_I = Lane(0.0);
  empty.lambda = Lane(1.0);
  for (int kind = 0; kind < block_kinds; ++kind) {
    view_.first[kind] = static_cast<std::int32_t>(joints_.size());
    int lane = 4;
    for (size_t i = 0; i < g_.joints.size(); ++i) {
      const GraphJoint& j = g_.joints[i];
      if (!j.holds() || static_cast<int>(block_of(j)) != kind) continue;
      if (lane == 4) joints_.push_back(empty), lane = 0;
      place_[i] = {static_cast<int>(joints_.size()) - 1, lane};
      fill_lane(static_cast<int>(i), true);
      ++lane;
    }
  }
  view_.first[block_kinds] = static_cast<std::int32_t>(joints_.size());
}

/// The wrenches of every body: those of its joints in the order of the graph, then that of the
/// elements.
void Discrete::list_wrenches() {
  const size_t joints = g_.joints.size();
  wrench_.assign(2 * joints + g_.bodies.size() + 2, WrenchRecord{});
  std::vector<std::vector<std::int32_t>> of(g_.bodies.size());
  for (size_t i = 0; i < joints; ++i) {
    if (!g_.joints[i].holds()) continue;
    of[g_.joints[i].a].push_back(static_cast<std::int32_t>(2 * i));
    of[g_.joints[i].b].push_back(static_cast<std::int32_t>(2 * i + 1));
  }
  for (size_t s = 1; s < g_.bodies.size(); ++s) {
    if (is_busy_) of[s].push_back(static_cast<std::int32_t>(2 * joints + s));
    BodyPack& b = pack(static_cast<int>(s));
    b.first[(s - 1) % 4] = static_cast<std::int32_t>(list_.size());
    list_.insert(list_.end(), of[s].begin(), of[s].end());
    b.last[(s - 1) % 4] = static_cast<std::int32_t>(list_.size());
  }
  view_.body_packs = static_cast<int>(bodies_.size());
  view_.bodies = bodies_.data();
  view_.motion = motion_.data();
  view_.wrench = wrench_.data();
  view_.list = list_.data();
  view_.joints = joints_.data();
  view_.gravity = m_->numbers.gravity - g_.normal * dot(g_.normal, m_->numbers.gravity);
  view_.h = h_;
}

// ── the start ───────────────────────────────────────────────────────────────────────────────────

void Discrete::begin(const StartState& start) {
  start_ = start.t;
  count_ = 0;
  q_ = start.q, u_ = start.u, state_ = start.state;
  ledger_ = {};
  failure_.clear();
  unled_ = 0;
  std::fill(sticks_.begin(), sticks_.end(), Vec3{});
  std::fill(slips_.begin(), slips_.end(), Slip{});
  place_bodies(start);
  for (size_t s = 1; s < g_.bodies.size(); ++s) {
    V_before_[s] = motion_[s].V;
    L_before_[s] = lane(pack(static_cast<int>(s)).L, static_cast<int>(s));
  }
  set_switches();
  open_loans(start);
  evaluate();
  if (!loans_.empty()) {
    pace_loans();
    evaluate();
  }
  power_before_ = power_;
  rate_before_ = rate_;
  turn_back_half_a_kick();
  begin_loans();
  warn_of_gaps();
}

/// Places and motions of the bodies from q and u: the only use of the tree, once.
void Discrete::place_bodies(const StartState& start) {
  Workspace<double> tree(*m_);
  const Kinematics<double>& k =
      move(tree, start.t, start.q.data(), start.u.data(), start.state.data());
  std::copy_n(k.q.begin(), m_->nq, q_.begin());  // prescribed ones are in place now
  std::copy_n(k.u.begin(), m_->nu, u_.begin());
  for (int s = 1; s < static_cast<int>(g_.bodies.size()); ++s) {
    const GraphBody& body = g_.bodies[s];
    const BodyMotion<double>& B = k.body[body.inside];
    const Mat3 R = B.R * body.X_BC.R;
    const Vec3 c = B.R * body.X_BC.p, wb = transposed_times(R, B.V.w);
    const Vec3 L = R * Vec3{wb.x * body.I.x, wb.y * body.I.y, wb.z * body.I.z};
    const Quat q = quaternion(R);
    BodyPack& p = pack(s);
    const int i = (s - 1) % 4;
    p.q.w.set(i, q.w), p.q.x.set(i, q.x), p.q.y.set(i, q.y), p.q.z.set(i, q.z);
    const Mat3 R_q = sarrus::rotation(q);
    set3(p.R.x, i, R_q.x), set3(p.R.y, i, R_q.y), set3(p.R.z, i, R_q.z);
    set3(p.P, i, B.o + c), set3(p.V, i, B.V.v + cross(B.V.w, c)), set3(p.L, i, L);
    turning_[s] = B.V.w;
    motion_[s] = {R_q, B.o + c, B.V.v + cross(B.V.w, c), B.V.w};
  }
  for (const RowBlock& r : gains_.rows())
    if (r.kind == RowBlock::Kind::rotor) {
      const auto b = static_cast<size_t>(g_.joints[r.joint].body);
      rotors_[r.source] = {q_[m_->q0[b] + r.freedom], u_[m_->u0[b] + r.freedom], 0};
    }
}

/// The states of a leapfrog are those of half a step before.
void Discrete::turn_back_half_a_kick() {
  if (!leapfrog_) return;
  for (int s = 1; s < static_cast<int>(g_.bodies.size()); ++s) {
    const Wrench<double> F = pulled(s);
    Vec3 L, a, alpha;
    centred(s, F, L, a, alpha);
    BodyPack& p = pack(s);
    set_lane(p.V, s, lane(p.V, s) - a * (h_ / 2));
    set_lane(p.L, s, lane(p.L, s) - F.n * (h_ / 2));
    turning_[s] = turning_[s] - alpha * (h_ / 2);
  }
  for (size_t i = 0; i < rotors_.size(); ++i)
    rotors_[i].v += rotors_[i].force / gains_.rotors[i] * (h_ / 2);
}

void Discrete::warn_of_gaps() {
  notes_.clear();
  warn_of_overlaps();
  const Gap gap = largest_gap();
  if (gap.joint >= 0 && gap.size > open_joint) {
    const GraphJoint& j = g_.joints[gap.joint];
    notes_.push_back(
        {.severity = Severity::warning,
         .code = "open-joint",
         .where = j.where,
         .element = "joint/" + j.name,
         .message = fmt::format(
             "it is open by {:.3g} m at the start: it will close at once, with an impact",
             gap.size),
         .hint = "give start positions q with which the loop closes",
         .value = fmt::format("{:.3g}", gap.size),
         .limit = fmt::format("{:.0e}", open_joint)});
  }
  const double turn = fastest_turn() * h_;
  if (turn > turn_limit)
    notes_.push_back({.severity = Severity::warning,
                      .code = "fast-turn",
                      .element = "simulate/step",
                      .message = fmt::format(
                          "a body turns by {:.2g} rad in one step: beyond {} rad the rotation "
                          "has no accuracy",
                          turn, turn_limit),
                      .hint = "shorten the step",
                      .value = fmt::format("{:.3g}", turn),
                      .limit = fmt::format("{}", turn_limit)});
}

}  // namespace sarrus
