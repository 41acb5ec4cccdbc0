#include "sarrus/formulations/discrete/discrete_records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sarrus/formulations/assembly/measured_joint.hpp"

namespace sarrus {
namespace {

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

DiscreteRecords::DiscreteRecords(const Mechanism& m, const DiscreteGraph& graph, double h,
                                 int rotors)
    : m_(&m),
      g_(&graph),
      h_(h),
      motion_(graph.bodies.size()),
      pace_(graph.bodies.size()),
      placed_(m.nb),
      normal_(m.nb),
      A_(m) {
  placed_[0].R = Mat3::identity();
  size_t n = per_body * (graph.bodies.size() - 1);
  const auto part = [&](size_t count) {
    const size_t at = n;
    n += count;
    return at;
  };
  at_.wrenches = part(6 * graph.joints.size());
  at_.conditions = part(graph.conditions.size());
  at_.rotors = part(2 * static_cast<size_t>(rotors));
  at_.q = part(m.start.q.size());
  at_.u = part(m.start.u.size());
  at_.state = part(m.start_state.size());
  at_.ledger = part(Ledger::size);
  size_ = static_cast<int>(n);
}

std::string DiscreteRecords::entry(int index) const {
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
                       g_->bodies[1 + i / per_body].name);
  }
  if (i < at_.conditions)
    return fmt::format("force in joint '{}'", g_->joints[(i - at_.wrenches) / 6].name);
  if (i < at_.rotors)
    return fmt::format("force of '{}'", g_->conditions[i - at_.conditions].closure.name);
  if (i >= at_.u && i < at_.state) return m_->velocity_name(static_cast<int>(i - at_.u));
  if (i >= at_.q && i < at_.u) return m_->coordinate_name(static_cast<int>(i - at_.q));
  return i < at_.ledger ? "state of an element" : "energy ledger";
}

// ── writing ─────────────────────────────────────────────────────────────────────────────────────

void DiscreteRecords::write(const DiscreteBodies& bodies, const DiscreteConditions& conditions,
                            const DiscreteRows& rows, const DiscreteElements& elements,
                            DiscreteCoordinates& coordinates, const Ledger& ledger,
                            std::span<double> y) {
  double* out = y.data();
  const auto all = [&](const std::vector<double>& v) { out = std::copy(v.begin(), v.end(), out); };
  write_bodies(bodies, out);
  write_joints(bodies, out);
  all(conditions.forces());
  for (int i = 0; i < rows.rotors(); ++i) *out++ = rows.place(i), *out++ = rows.velocity(i, h_);
  u_kept_ = coordinates.u;  // the readings of the steps are those of other velocities
  coordinates.read_all(motion_);
  all(coordinates.q), all(coordinates.u);
  coordinates.u = u_kept_;
  all(elements.state());
  *out++ = ledger.dissipated, *out++ = ledger.drive, *out++ = ledger.external;
}

void DiscreteRecords::write_bodies(const DiscreteBodies& bodies, double*& out) {
  for (int s = 1; s < bodies.slots(); ++s) {
    const DiscreteBodies::Present now = bodies.present(s);
    const Quat q = bodies.orientation(s);
    put(out, now.motion.P);
    for (const double x : {q.w, q.x, q.y, q.z}) *out++ = x;
    put(out, now.motion.V), put(out, now.L), put(out, now.a), put(out, now.alpha);
    motion_[s] = now.motion;
    pace_[s] = {now.alpha, now.a};
  }
}

/// What acts on B at o_M, blocks and elements together.
void DiscreteRecords::write_joints(const DiscreteBodies& bodies, double*& out) const {
  for (size_t i = 0; i < g_->joints.size(); ++i) {
    const GraphJoint& j = g_->joints[i];
    const int joint = static_cast<int>(i);
    const WrenchRecord& w = bodies.on_b(joint);
    const Wrench<double>&carried = bodies.carried(joint),
          own = needed_by_given(j, bodies.gravity());
    const Vec3 lever = motion_[j.b].R * j.X_b.p;
    put(out, w.n - cross(lever, w.f) + carried.n - own.n);
    put(out, w.f + carried.f - own.f);
  }
}

/// The wrench at o_M that the inertia moved from a to b requires: the joint carries it here, and
/// would not in the model as given.
///   f = m (a − g) + ω̇ × mc + ω × (ω × mc),   n = I ω̇ + ω × I ω + mc × (a − g)
Wrench<double> DiscreteRecords::needed_by_given(const GraphJoint& j, const Vec3& gravity) const {
  const BodyInertia<double>& E = j.given;
  const auto b = static_cast<size_t>(j.b);
  const MotionRecord& B = motion_[b];
  const Mat3 R = B.R * j.X_b.R;
  const Vec3 lever = B.R * j.X_b.p, mc = R * E.mc, &alpha = pace_[b].w;
  const Vec3 a = pace_[b].v + cross(alpha, lever) + cross(B.w, cross(B.w, lever)) - gravity;
  const auto I = [&](const Vec3& x) { return R * (E.I * transposed_times(R, x)); };
  return {I(alpha) + cross(B.w, I(B.w)) + cross(mc, a),
          a * E.m + cross(alpha, mc) + cross(B.w, cross(B.w, mc))};
}

void DiscreteRecords::take_forces(std::span<const double> from, std::span<double> to) const {
  constexpr size_t first = 13;  // of a body: acceleration and angular acceleration
  for (size_t at = 0; at < at_.wrenches; at += per_body)
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(at + first), per_body - first,
                to.begin() + static_cast<std::ptrdiff_t>(at + first));
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(at_.wrenches),
            from.begin() + static_cast<std::ptrdiff_t>(at_.rotors),
            to.begin() + static_cast<std::ptrdiff_t>(at_.wrenches));
}

// ── between two of them ─────────────────────────────────────────────────────────────────────────

/// Cubic in the positions, so that velocities fit at both ends; the rest is straight.
void DiscreteRecords::between(const DiscreteBodies& bodies, std::span<const double> y0,
                              std::span<const double> y1, double theta, std::span<double> y) const {
  const double s = theta, r = 1 - theta;
  for (size_t i = 0; i < y.size(); ++i) y[i] = r * y0[i] + s * y1[i];
  const double a0 = (1 + 2 * s) * r * r, a1 = s * s * (3 - 2 * s), b0 = s * r * r, b1 = -s * s * r;
  const double d = 6 * s * r, c0 = r * (1 - 3 * s), c1 = s * (3 * s - 2);
  for (size_t k = 1; k < g_->bodies.size(); ++k) {
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
      return transposed_times(
          R, bodies.angular_velocity(static_cast<int>(k), R,
                                     Vec3{from[at + 10], from[at + 11], from[at + 12]}));
    };
    const Vec3 end = rotation_log(conjugate(p) * q), w0 = turning(y0, p),
               w1 = rotation_vector_rate(end, turning(y1, q));
    const Vec3 xi = end * a1 + (w0 * b0 + w1 * b1) * h_;
    const Quat now = normalized(p * quaternion_exp(xi));
    y[at + 3] = now.w, y[at + 4] = now.x, y[at + 5] = now.y, y[at + 6] = now.z;
  }
}

// ── reading ─────────────────────────────────────────────────────────────────────────────────────

void DiscreteRecords::observe(Workspace<double>& w, const DiscreteBodies& bodies, double t,
                              std::span<const double> y, Snapshot& out) {
  const double* in = y.data();
  read_bodies(bodies, in, out);
  read_joints(in, out);
  const Places<double>& k =
      take_places(w, t, y.data() + at_.q, y.data() + at_.u, y.data() + at_.state, placed_.data());
  const Forces<double>& f = load(w, k, normal_.data());
  take(out, k, f);
  take_energies(out, w, k, f);
  out.is_measured = true;
  read_accelerations(out);
  sense_accelerations(w, k, f, out);
  for (const PrescribedMotion& motion : m_->motions) {
    out.udot[motion.u] = k.given[motion.u];
    out.drive[motion.u] = dot(k.S[motion.u], out.reaction[motion.body]) +
                          m_->numbers.armature[motion.u] * k.given[motion.u] - f.tau[motion.u];
  }
  if (m_->has_loops()) {
    const LoopRows<double>& rows = place_loops(w, k);
    observe_conditions(y.data() + at_.conditions, rows, out);
    out.residual = rows.largest_residual() * rows.length();
    out.residual_rate = rows.largest_rate() * rows.length();
  }
  out.ledger = {y[at_.ledger], y[at_.ledger + 1], y[at_.ledger + 2]};
}

void DiscreteRecords::read_bodies(const DiscreteBodies& bodies, const double*& in, Snapshot& out) {
  for (int s = 1; s < bodies.slots(); ++s) {
    const GraphBody& body = g_->bodies[s];
    MotionRecord now;
    now.P = take_vector(in);
    now.R = sarrus::rotation(Quat{in[0], in[1], in[2], in[3]});
    in += 4;
    now.V = take_vector(in);
    now.w = bodies.angular_velocity(s, now.R, take_vector(in));
    const Vec3 a = take_vector(in), alpha = take_vector(in);
    motion_[s] = now;
    // the spatial acceleration at B's origin, from the classical one of the centre of mass
    const Vec3 lever = now.R * transposed_times(body.X_BC.R, body.X_BC.p) * -1.0;
    const Vec3 v = now.V + cross(now.w, lever);
    out.acceleration[body.inside] = {
        alpha, a + cross(alpha, lever) + cross(now.w, cross(now.w, lever)) - cross(now.w, v)};
  }
  place_bodies(*g_, motion_, placed_);
}

void DiscreteRecords::read_joints(const double*& in, Snapshot& out) {
  for (const GraphJoint& j : g_->joints) {
    const Vec3 n = take_vector(in), f = take_vector(in);
    if (j.closure >= 0) out.closing[j.closure] = {n, f};
    if (j.body <= 0) continue;
    out.reaction[j.body] = {n, f};  // o_M is the origin of B
    const Vec3 axis = motion_[j.a].R * j.X_a.R.z;
    normal_[j.body] = norm(f - axis * dot(axis, f));
  }
}

/// What constraints exert.
void DiscreteRecords::observe_conditions(const double* mu, const LoopRows<double>& rows,
                                         Snapshot& out) const {
  for (size_t i = 0; i < g_->conditions.size(); ++i)
    if (const int r = g_->conditions[i].of_row; r >= 0) out.multiplier[r] = mu[i];
  for (size_t i = 0; i < m_->closures.size(); ++i)
    if (m_->closures[i].is_written())
      out.closing[i] = closing_wrench(out, rows, static_cast<int>(i));
}

/// Signals that need accelerations, with those that the bodies have.
void DiscreteRecords::sense_accelerations(Workspace<double>& w, const Places<double>& k,
                                          const Forces<double>& f, Snapshot& out) {
  for (int i = 0; i < m_->nb; ++i)
    A_.A[i] = {out.acceleration[i].w, out.acceleration[i].v - m_->numbers.gravity};
  A_.udot = out.udot;
  out.slots = sense(w, k, f, A_).slots;
}

}  // namespace sarrus
