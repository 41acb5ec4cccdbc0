// What is seen of the bodies: records, snapshots, soundness, memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/assembly/measured_joint.hpp"
#include "sarrus/formulations/discrete/discrete.hpp"

namespace sarrus {
namespace {

constexpr double far_away = 1e12;  // [m], [m/s]: no mechanism is there
constexpr size_t per_body = 19;

void put(double*& y, const Vec3& v) {
  y[0] = v.x, y[1] = v.y, y[2] = v.z;
  y += 3;
}
Vec3 take_vector(const double*& y) {
  const Vec3 v{y[0], y[1], y[2]};
  y += 3;
  return v;
}

}  // namespace

/// The body at the present instant: velocities carried on by half a kick, and accelerations.
///   a = F/m + g,   α = R I⁻¹ (Rᵀ M − ω × I ω)  with ω in body axes
MotionRecord Discrete::centred(int s, const Wrench<double>& F, Vec3& L, Vec3& a,
                               Vec3& alpha) const {
  const auto slot = static_cast<size_t>(s);
  const GraphBody& body = g_.bodies[slot];
  const BodyPack& p = pack(s);
  const int i = (s - 1) % 4;
  const double half = leapfrog_ ? h_ / 2 : 0;
  MotionRecord now;
  now.R = {lane(p.R.x, s), lane(p.R.y, s), lane(p.R.z, s)};
  now.P = lane(p.P, s);
  a = F.f * p.inverse_mass[i] + view_.gravity;
  now.V = lane(p.V, s) + a * half;
  L = lane(p.L, s) + F.n * half;
  now.w = angular_velocity(s, now.R, L);
  const Vec3 wb = transposed_times(now.R, now.w);
  const Vec3 Iw{wb.x * body.I.x, wb.y * body.I.y, wb.z * body.I.z};
  const Vec3 net = transposed_times(now.R, F.n) - cross(wb, Iw);
  alpha =
      now.R * Vec3{net.x * body.inverse_I.x, net.y * body.inverse_I.y, net.z * body.inverse_I.z};
  return now;
}

/// What the inertia that b has from a needs for its motion, at o_M: the joint carries it, and would
/// not in the model as it was given.
///   f = m (a − g) + ω̇ × mc + ω × (ω × mc),   n = I ω̇ + ω × I ω + mc × (a − g)
Wrench<double> Discrete::needed_by_given(const GraphJoint& j) const {
  const BodyInertia<double>& E = j.given;
  const auto b = static_cast<size_t>(j.b);
  const MotionRecord& B = trial_[b];
  const Mat3 R = B.R * j.X_b.R;
  const Vec3 lever = B.R * j.X_b.p, mc = R * E.mc, &alpha = pace_[b].w;
  const Vec3 a = pace_[b].v + cross(alpha, lever) + cross(B.w, cross(B.w, lever)) - view_.gravity;
  const auto I = [&](const Vec3& x) { return R * (E.I * transposed_times(R, x)); };
  return {I(alpha) + cross(B.w, I(B.w)) + cross(mc, a),
          a * E.m + cross(alpha, mc) + cross(B.w, cross(B.w, mc))};
}

void Discrete::record(std::span<double> y) {
  double* out = y.data();
  for (int s = 1; s < static_cast<int>(g_.bodies.size()); ++s) {
    Vec3 L, a, alpha;
    const MotionRecord now = centred(s, pulled(s), L, a, alpha);
    const BodyPack& p = pack(s);
    const int i = (s - 1) % 4;
    put(out, now.P);
    for (const Lane* x : {&p.q.w, &p.q.x, &p.q.y, &p.q.z}) *out++ = (*x)[i];
    put(out, now.V), put(out, L), put(out, a), put(out, alpha);
    trial_[s] = now;
    pace_[s] = {alpha, a};
  }
  // joints: what acts on B at o_M, blocks and elements together
  for (size_t i = 0; i < g_.joints.size(); ++i) {
    const GraphJoint& j = g_.joints[i];
    const WrenchRecord& w = wrench_[2 * i + 1];
    const MotionRecord& B = trial_[j.b];
    const Vec3 lever = B.R * j.X_b.p;
    const Wrench<double> own = needed_by_given(j);
    put(out, w.n - cross(lever, w.f) + extra_[i].n - own.n), put(out, w.f + extra_[i].f - own.f);
  }
  out = std::copy(mu_.begin(), mu_.end(), out);
  for (size_t i = 0; i < rotors_.size(); ++i) {
    *out++ = rotors_[i].x;
    *out++ = rotors_[i].v - h_ / 2 * rotors_[i].force / gains_.rotors[i];
  }
  u_kept_ = u_;  // the readings of the steps are those of other velocities
  read_joints(trial_, all_joints_);
  out = std::copy(q_.begin(), q_.end(), out);
  out = std::copy(u_.begin(), u_.end(), out);
  u_ = u_kept_;
  out = std::copy(state_.begin(), state_.end(), out);
  *out++ = ledger_.dissipated, *out++ = ledger_.drive, *out++ = ledger_.external;
}

void Discrete::observe(double t, std::span<const double> y, Snapshot& out) {
  const double* in = y.data();
  std::vector<double>& normal = normal_seen_;
  for (size_t s = 1; s < g_.bodies.size(); ++s) {
    MotionRecord now;
    now.P = take_vector(in);
    now.R = sarrus::rotation(Quat{in[0], in[1], in[2], in[3]});
    in += 4;
    now.V = take_vector(in);
    now.w = angular_velocity(static_cast<int>(s), now.R, take_vector(in));
    const Vec3 a = take_vector(in), alpha = take_vector(in);
    trial_[s] = now;
    // the spatial acceleration at B's origin, from the classical one of the centre of mass
    const Vec3 lever = now.R * transposed_times(g_.bodies[s].X_BC.R, g_.bodies[s].X_BC.p) * -1.0;
    const Vec3 v = now.V + cross(now.w, lever);
    out.acceleration[g_.bodies[s].inside] = {
        alpha, a + cross(alpha, lever) + cross(now.w, cross(now.w, lever)) - cross(now.w, v)};
  }
  put_bodies(trial_);
  for (const GraphJoint& j : g_.joints) {
    const Vec3 n = take_vector(in), f = take_vector(in);
    if (j.closure >= 0) out.closing[j.closure] = {n, f};
    if (j.body <= 0) continue;
    out.reaction[j.body] = {n, f};  // o_M is the origin of B
    const Vec3 axis = trial_[j.a].R * j.X_a.R.z;
    normal[j.body] = norm(f - axis * dot(axis, f));
  }
  const Places<double>& k =
      take_places(w_, t, y.data() + at_.q, y.data() + at_.u, y.data() + at_.state, placed_.data());
  const Forces<double>& f = load(w_, k, normal.data());
  take(out, k, f);
  take_energies(out, w_, k, f);
  out.is_measured = true;
  read_accelerations(out);
  sense_accelerations(k, f, out);
  for (const PrescribedMotion& motion : m_->motions) {
    out.udot[motion.u] = k.given[motion.u];
    out.drive[motion.u] = dot(k.S[motion.u], out.reaction[motion.body]) +
                          m_->numbers.armature[motion.u] * k.given[motion.u] - f.tau[motion.u];
  }
  if (m_->has_loops()) {
    const LoopRows<double>& rows = place_loops(w_, k);
    observe_conditions(y.data() + at_.conditions, rows, out);
    out.residual = rows.largest_residual() * rows.length();
    out.residual_rate = rows.largest_rate() * rows.length();
  }
  out.ledger = {y[at_.ledger], y[at_.ledger + 1], y[at_.ledger + 2]};
}

/// What constraints exert.
void Discrete::observe_conditions(const double* mu, const LoopRows<double>& rows,
                                  Snapshot& out) const {
  for (size_t i = 0; i < g_.conditions.size(); ++i)
    if (const int r = g_.conditions[i].of_row; r >= 0) out.multiplier[r] = mu[i];
  for (size_t i = 0; i < m_->closures.size(); ++i)
    if (m_->closures[i].is_written())
      out.closing[i] = closing_wrench(out, rows, static_cast<int>(i));
}

/// Signals that need accelerations, with those that the bodies have.
void Discrete::sense_accelerations(const Places<double>& k, const Forces<double>& f,
                                   Snapshot& out) {
  for (int i = 0; i < m_->nb; ++i)
    A_.A[i] = {out.acceleration[i].w, out.acceleration[i].v - m_->numbers.gravity};
  A_.udot = out.udot;
  out.slots = sense(w_, k, f, A_).slots;
}

/// Cubic in the positions, so that velocities fit at both ends; the rest is straight.
void Discrete::between(std::span<const double> y0, std::span<const double> y1, double theta,
                       std::span<double> y) const {
  const double s = theta, r = 1 - theta;
  for (size_t i = 0; i < y.size(); ++i) y[i] = r * y0[i] + s * y1[i];
  const double a0 = (1 + 2 * s) * r * r, a1 = s * s * (3 - 2 * s), b0 = s * r * r, b1 = -s * s * r;
  const double d = 6 * s * r, c0 = r * (1 - 3 * s), c1 = s * (3 * s - 2);
  for (size_t k = 1; k < g_.bodies.size(); ++k) {
    const size_t at = per_body * (k - 1);
    for (size_t i = at; i < at + 3; ++i) {
      y[i] = a0 * y0[i] + a1 * y1[i] + h_ * (b0 * y0[i + 7] + b1 * y1[i + 7]);
      y[i + 7] = d * (y1[i] - y0[i]) / h_ + c0 * y0[i + 7] + c1 * y1[i + 7];
    }
    // rotation: the same cubic for the vector of the turn from the first orientation
    const Quat p{y0[at + 3], y0[at + 4], y0[at + 5], y0[at + 6]},
        q{y1[at + 3], y1[at + 4], y1[at + 5], y1[at + 6]};
    const auto turning = [&](std::span<const double> from, const Quat& o) {
      const Mat3 R = sarrus::rotation(o);
      return transposed_times(R,
                              angular_velocity(static_cast<int>(k), R,
                                               Vec3{from[at + 10], from[at + 11], from[at + 12]}));
    };
    const Vec3 end = rotation_log(conjugate(p) * q), w0 = turning(y0, p),
               w1 = rotation_vector_rate(end, turning(y1, q));
    const Vec3 xi = end * a1 + (w0 * b0 + w1 * b1) * h_;
    const Quat now = normalized(p * quaternion_exp(xi));
    y[at + 3] = now.w, y[at + 4] = now.x, y[at + 5] = now.y, y[at + 6] = now.z;
  }
}

// ── soundness ───────────────────────────────────────────────────────────────────────────────────

double Discrete::fastest_turn() const {
  double most = 0;
  for (size_t s = 1; s < g_.bodies.size(); ++s) most = std::max(most, norm(motion_[s].w));
  return most;
}

Discrete::Gap Discrete::largest_gap() const {
  Gap worst;
  for (size_t i = 0; i < g_.joints.size(); ++i) {
    const GraphJoint& j = g_.joints[i];
    if (std::any_of(switches_.begin(), switches_.end(),
                    [&](const Switch& s) { return s.joint == static_cast<int>(i) && !s.holds; }))
      continue;
    const double size = joint_gap(j, joint_pose(j, motion_[j.a], motion_[j.b]));
    if (!(size <= worst.size)) worst = {size, static_cast<int>(i)};
  }
  return worst;
}

bool Discrete::is_sound() {
  if (unled_ > 0) {
    failure_ = fmt::format(
        "'{}', which has no inertia of its own, is hardly guided by its joints any more (gimbal "
        "lock: three axes lie nearly in one plane); a spherical joint can pass this position, and "
        "so can the formulations recursive and hamiltonian",
        g_.bodies[unled_].name);
    return false;
  }
  for (size_t s = 1; s < g_.bodies.size(); ++s) {
    const MotionRecord& m = motion_[s];
    const double most = std::max(
        {std::fabs(m.P.x), std::fabs(m.P.y), std::fabs(m.P.z), std::fabs(m.V.x), std::fabs(m.V.y),
         std::fabs(m.V.z), std::fabs(m.w.x) * h_, std::fabs(m.w.y) * h_, std::fabs(m.w.z) * h_});
    const double sum = m.P.x + m.P.y + m.P.z + m.V.x + m.V.y + m.V.z + m.w.x + m.w.y + m.w.z;
    const bool turns = norm(m.w) * h_ > 1;
    if (std::isfinite(sum) && most < far_away && !turns) continue;
    const Gap gap = largest_gap();
    failure_ = fmt::format("body '{}' {}", g_.bodies[s].name,
                           !std::isfinite(sum) ? "has no finite state"
                           : turns ? fmt::format("turns by {:.2g} rad in one step", norm(m.w) * h_)
                                   : fmt::format("reached {:.1e} m or m/s", most));
    if (gap.joint >= 0 && gap.size > 1e-3)
      failure_ +=
          fmt::format("; joint '{}' is open by {:.2g} m", g_.joints[gap.joint].name, gap.size);
    const DiscreteGains::Limit limit = gains_.limit(gains_.room(), 4);
    if (limit.h > 0)
      failure_ +=
          fmt::format("; the stiffest element is the {}, stable up to {:.2g} s at body '{}'",
                      limit.element, limit.h, g_.bodies[limit.body].name);
    return false;
  }
  return true;
}

std::string Discrete::entry(int index) const {
  const auto i = static_cast<size_t>(index);
  if (i < at_.wrenches) {
    const char* what[] = {"position", "orientation", "velocity", "angular momentum",
                          "acceleration"};
    const size_t k = i % per_body;
    return fmt::format("{} of body '{}'",
                       what[k < 3    ? 0
                            : k < 7  ? 1
                            : k < 10 ? 2
                            : k < 13 ? 3
                                     : 4],
                       g_.bodies[1 + i / per_body].name);
  }
  if (i < at_.conditions)
    return fmt::format("force in joint '{}'", g_.joints[(i - at_.wrenches) / 6].name);
  if (i < at_.rotors)
    return fmt::format("force of '{}'", g_.conditions[i - at_.conditions].closure.name);
  if (i >= at_.u && i < at_.state) return m_->velocity_name(static_cast<int>(i - at_.u));
  if (i >= at_.q && i < at_.u) return m_->coordinate_name(static_cast<int>(i - at_.q));
  return i < at_.ledger ? "state of an element" : "energy ledger";
}

// ── memory ──────────────────────────────────────────────────────────────────────────────────────

namespace {

/// Calls f with every number that a step reads, in a fixed order.
template <class Bodies, class Motion, class Wrenches, class F>
void each_kept(Bodies& bodies, Motion& motion, Wrenches& wrench, F&& f) {
  for (auto& b : bodies)
    for (int i = 0; i < 4; ++i) {
      for (auto* x : {&b.q.w, &b.q.x, &b.q.y, &b.q.z}) f(*x, i);
      for (auto* v : {&b.R.x, &b.R.y, &b.R.z, &b.P, &b.V, &b.L}) f(v->x, i), f(v->y, i), f(v->z, i);
    }
  for (auto& m : motion)
    for (auto* v : {&m.R.x, &m.R.y, &m.R.z, &m.P, &m.V, &m.w}) f(v->x), f(v->y), f(v->z);
  for (auto& w : wrench)
    for (auto* v : {&w.f, &w.n}) f(v->x), f(v->y), f(v->z);
}

}  // namespace

std::vector<double> Discrete::memory() const {
  std::vector<double> out;
  save(out);
  return out;
}

void Discrete::save(std::vector<double>& out) const {
  out.clear();
  out.insert(out.end(), {static_cast<double>(count_), start_, h_});
  struct Writer {
    std::vector<double>& out;
    void operator()(const Lane& x, int i) { out.push_back(x[i]); }
    void operator()(const double& x) { out.push_back(x); }
  };
  each_kept(bodies_, motion_, wrench_, Writer{out});
  const auto all = [&](const std::vector<double>& v) { out.insert(out.end(), v.begin(), v.end()); };
  all(q_), all(u_), all(state_), all(rate_), all(rate_before_), all(normal_);
  for (const auto* list : {&turning_, &V_before_, &L_before_})
    for (const Vec3& v : *list) out.insert(out.end(), {v.x, v.y, v.z});
  for (const Rotor& r : rotors_) out.insert(out.end(), {r.x, r.v, r.force});
  for (const Wrench<double>& w : extra_)
    out.insert(out.end(), {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z});
  for (const Vec3& v : sticks_) out.insert(out.end(), {v.x, v.y, v.z});
  for (const Slip& s : slips_) {
    out.insert(out.end(), {s.way, static_cast<double>(s.seen)});
    for (const Vec3* v : {&s.on_a.f, &s.on_a.n, &s.on_b.f, &s.on_b.n, &s.R_a.x, &s.R_a.y, &s.R_a.z,
                          &s.R_b.x, &s.R_b.y, &s.R_b.z})
      out.insert(out.end(), {v->x, v->y, v->z});
  }
  for (const Loan& l : loans_) {
    out.insert(out.end(), {l.alpha, l.kappa});
    for (const Vec3* v : {&l.R.x, &l.R.y, &l.R.z, &l.momentum.n, &l.momentum.f, &l.once.n,
                          &l.once.f, &l.twice.n, &l.twice.f})
      out.insert(out.end(), {v->x, v->y, v->z});
  }
  for (const Switch& s : switches_) {
    const Pose<double>& X = g_.joints[s.joint].X_a;
    out.push_back(s.holds ? 1 : 0);
    for (const Vec3* v : {&X.R.x, &X.R.y, &X.R.z, &X.p}) out.insert(out.end(), {v->x, v->y, v->z});
  }
  all(mu_);
  out.insert(out.end(), {power_.dissipated, power_.drive, power_.external, ledger_.dissipated,
                         ledger_.drive, ledger_.external});
}

void Discrete::set_memory(std::span<const double> memory) {
  if (memory.size() != this->memory().size())
    throw std::invalid_argument(fmt::format(
        "discrete: a memory of {} numbers is expected, {} are given; it belongs to another model",
        this->memory().size(), memory.size()));
  const double* in = memory.data();
  count_ = static_cast<std::int64_t>(*in++);
  start_ = *in++;
  ++in;  // the step follows from the settings, which are the same
  struct Reader {
    const double*& in;
    void operator()(Lane& x, int i) { x.set(i, *in++); }
    void operator()(double& x) { x = *in++; }
  };
  each_kept(bodies_, motion_, wrench_, Reader{in});
  for (auto* v : {&q_, &u_, &state_, &rate_, &rate_before_, &normal_})
    for (double& x : *v) x = *in++;
  for (auto* list : {&turning_, &V_before_, &L_before_})
    for (Vec3& v : *list) v = take_vector(in);
  for (Rotor& r : rotors_) r.x = in[0], r.v = in[1], r.force = in[2], in += 3;
  for (Wrench<double>& w : extra_) {
    w.n = take_vector(in);
    w.f = take_vector(in);
  }
  for (Vec3& v : sticks_) v = take_vector(in);
  for (Slip& s : slips_) {
    s.way = *in++, s.seen = static_cast<std::int64_t>(*in++);
    for (Vec3* v : {&s.on_a.f, &s.on_a.n, &s.on_b.f, &s.on_b.n, &s.R_a.x, &s.R_a.y, &s.R_a.z,
                    &s.R_b.x, &s.R_b.y, &s.R_b.z})
      *v = take_vector(in);
  }
  for (Loan& l : loans_) {
    l.alpha = in[0], l.kappa = in[1], in += 2;
    for (Vec3* v : {&l.R.x, &l.R.y, &l.R.z, &l.momentum.n, &l.momentum.f, &l.once.n, &l.once.f,
                    &l.twice.n, &l.twice.f})
      *v = take_vector(in);
  }
  for (Switch& s : switches_) {
    Pose<double>& X = g_.joints[s.joint].X_a;
    s.holds = *in++ != 0;
    for (Vec3* v : {&X.R.x, &X.R.y, &X.R.z, &X.p}) *v = take_vector(in);
    fill_lane(s.joint, s.holds);
  }
  for (double& x : mu_) x = *in++;
  for (double* x : {&power_.dissipated, &power_.drive, &power_.external, &ledger_.dissipated,
                    &ledger_.drive, &ledger_.external})
    *x = *in++;
}

}  // namespace sarrus
