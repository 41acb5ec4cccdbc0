#include "sarrus/formulations/snapshot.hpp"

#include <algorithm>

#include "sarrus/formulations/loops/closure_rows.hpp"

namespace sarrus {

Snapshot::Snapshot(const Mechanism& m)
    : mechanism(&m),
      q(m.nq),
      u(m.nu),
      state(m.ns),
      body(m.nb),
      column(m.nu),
      slots(m.slots()),
      formula(m.formulas.size()),
      formula_rate(m.formulas.size()),
      normal(m.nb),
      tau(m.nu),
      udot(m.nu),
      acceleration(m.nb),
      reaction(m.nb),
      closing(m.closures.size()),
      drive(m.nu),
      multiplier(m.closure_rows.size()),
      kept(m.closure_rows.size(), 1),
      momentum(m.nu) {}

int Snapshot::rank() const { return static_cast<int>(std::count(kept.begin(), kept.end(), 1)); }

double Snapshot::formula_value(int i) const {
  return mechanism->formulas[i].evaluate<double>({slots.data(), slots.size()});
}

PointMotion<double> Snapshot::sensor_motion(int sensor) const {
  const PointSensor& s = mechanism->point_sensors[sensor];
  return point_motion(body[s.body], s.at);
}

/// a + ω × v_o + α × x + ω × (ω × x)
Vec3 Snapshot::sensor_acceleration(int sensor) const {
  const PointSensor& s = mechanism->point_sensors[sensor];
  const BodyMotion<double>& B = body[s.body];
  const Twist<double>& a = acceleration[s.body];
  const Vec3 x = B.R * s.at;
  return a.v + cross(B.V.w, B.V.v) + cross(a.w, x) + cross(B.V.w, cross(B.V.w, x));
}

Vec3 Snapshot::sensor_accelerometer(int sensor) const {
  const PointSensor& s = mechanism->point_sensors[sensor];
  return transposed_times(body[s.body].R * s.R_BS,
                          sensor_acceleration(sensor) - mechanism->numbers.gravity);
}

ForceContext<double> Snapshot::force_context() const {
  ForceContext<double> c;
  c.body = body.data(), c.q = q.data(), c.u = u.data(), c.state = state.data();
  c.formula = formula.data(), c.formula_rate = formula_rate.data(), c.normal = normal.data();
  return c;
}

Snapshot snapshot_at(const Mechanism& mechanism, const StartState& at) {
  Snapshot out(mechanism);
  Workspace<double> w(mechanism);
  const Kinematics<double>& k = move(w, at.t, at.q.data(), at.u.data(), at.state.data());
  const Forces<double>& f = load(w, k);
  take(out, w, k, f, accelerate(w, k, f));
  return out;
}

// ── from stages ─────────────────────────────────────────────────────────────────────────────────

void take(Snapshot& out, const Places<double>& k) {
  const Mechanism& m = *k.mechanism;
  out.t = k.t;
  std::copy_n(k.q.begin(), m.nq, out.q.begin());
  out.u = k.u, out.state = k.state, out.body = k.body, out.column = k.S;
}

void take(Snapshot& out, const Places<double>& k, const Forces<double>& f) {
  take(out, k);
  out.slots = f.slots;
  out.formula = f.formula, out.formula_rate = f.formula_rate, out.normal = f.normal;
  out.tau = f.tau;
}

void take_energies(Snapshot& out, Workspace<double>& w, const Places<double>& k,
                   const Forces<double>& f) {
  joint_momenta(w, k, out.momentum.data());
  out.kinetic = kinetic_energy(w, k);
  out.potential = potential_energy(w, k, f);
  out.element_energy = f.flow.potential;
}

Wrench<double> closing_wrench(const Snapshot& now, const LoopRows<double>& rows, int closure) {
  const Closure& c = now.mechanism->closures[closure];
  Wrench<double> sum{};
  for (int r = c.row0; r < c.row0 + c.rows; ++r) sum += rows[r].on_b * now.multiplier[r];
  return shifted_in(sum, -(now.body[c.b].R * c.X_B.p));
}

void take(Snapshot& out, Workspace<double>& w, const Kinematics<double>& k, const Forces<double>& f,
          const Accelerations<double>& a) {
  const Mechanism& m = *k.mechanism;
  take(out, k, f);
  take_energies(out, w, k, f);
  out.is_complete = a.exist;
  out.slots = sense(w, k, f, a).slots;
  out.udot = a.udot;
  for (int i = 0; i < m.nb; ++i) {
    out.acceleration[i] = acceleration(w, a, i);
    out.reaction[i] = reaction(w, a, i);
  }
  for (const PrescribedMotion& motion : m.motions)
    out.drive[motion.u] = drive_force(w, a, motion.body, motion.u);
  if (!a.loops.rows) return;
  out.multiplier = a.multiplier;
  for (size_t i = 0; i < m.closures.size(); ++i)
    out.closing[i] = closing_wrench(out, *a.loops.rows, static_cast<int>(i));
  out.kept = a.loops.factors->kept();
  out.residual = a.loops.rows->largest_residual() * a.loops.rows->length();
  out.residual_rate = a.loops.rows->largest_rate() * a.loops.rows->length();
}

}  // namespace sarrus
