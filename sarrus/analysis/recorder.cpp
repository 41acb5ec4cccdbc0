#include "sarrus/analysis/recorder.hpp"

#include <fmt/format.h>

namespace sarrus {
namespace {

struct Units {
  const char *q, *u, *tau;
};
constexpr Units turning{"rad", "rad/s", "N.m"}, sliding{"m", "m/s", "N"}, plain{"1", "rad/s", "N.m"};

/// Units of a joint's velocity k, and of its coordinate where q̇ = u.
Units units_of(JointKind kind, int k) {
  switch (kind) {
    case JointKind::prismatic: return sliding;
    case JointKind::cylindrical: return k == 0 ? turning : sliding;
    case JointKind::planar:
    case JointKind::knife_edge: return k == 0 ? turning : sliding;
    case JointKind::free: return k < 3 ? turning : sliding;
    default: return turning;
  }
}
const char* coordinate_unit(JointKind kind, int k) {
  switch (kind) {
    case JointKind::spherical: return plain.q;
    case JointKind::free:
    case JointKind::rolling_disk: return k < 4 ? plain.q : sliding.q;
    default: return units_of(kind, k).q;
  }
}

int body_of(const std::vector<int>& start, int index) {
  int b = 1;
  while (start[static_cast<size_t>(b) + 1] <= index) ++b;
  return b;
}

bool is_driven(const Mechanism& m, const JointInfo& j) {
  const auto own = [&](const auto& list) {
    for (const auto& element : list)
      if (element.u >= j.u0 && element.u < j.u0 + j.nu) return true;
    return false;
  };
  const ForceSet<double>& f = m.numbers.forces;
  return j.prescribed || own(f.sources) || own(f.servos) || own(f.motors);
}

/// Drive force on velocity u: what actuators give, or what the prescribed motion needs.
double drive_on(Dynamics<double>& d, const JointInfo& j, int u) {
  const Mechanism& m = d.mechanism();
  const ForceContext<double> c = d.force_context();
  const ForceSet<double>& f = d.numbers().forces;
  double sum = 0;
  for (const auto& s : f.sources)
    if (s.u == u) sum += c.formula[s.formula];
  for (const auto& s : f.servos)
    if (s.u == u) sum += s.force(c);
  for (const auto& s : f.motors)
    if (s.u == u) sum += s.force(c);
  if (j.prescribed) sum += d.drive_force(body_of(m.u0, u), u);
  return sum;
}

/// The wrench of the user's parent on the user's child, in the joint's frame.
Wrench<double> joint_reaction(const Dynamics<double>& d, const JointInfo& j) {
  const Wrench<double> world = d.reaction(j.body);
  const Mat3 R_WM = d.motion(j.body).R * j.R_BM;
  const double sign = j.reversed ? -1 : 1;
  return {transposed_times(R_WM, world.n) * sign, transposed_times(R_WM, world.f) * sign};
}

}  // namespace

double ledger_closure(double energy, double energy_at_start, std::span<const double> ledger) {
  return energy - energy_at_start + ledger[0] - ledger[1] - ledger[2];
}

Recorder::Recorder(const Mechanism& mechanism, RecorderOptions options)
    : m_(&mechanism), options_(options) {
  const Mechanism& m = mechanism;
  const auto add = [&](std::string name, const char* unit) { columns_.push_back({std::move(name), unit}); };
  add("time", "s");
  for (const JointInfo& j : m.joints) {
    if (j.cut) continue;
    for (int i = 0; i < j.nq; ++i) {
      const auto b = static_cast<size_t>(body_of(m.q0, j.q0 + i));
      add(m.coordinate_name(j.q0 + i), coordinate_unit(m.kind[b], j.q0 + i - m.q0[b]));
    }
    for (int i = 0; i < j.nu; ++i) {
      const auto b = static_cast<size_t>(body_of(m.u0, j.u0 + i));
      add(m.velocity_name(j.u0 + i), units_of(m.kind[b], j.u0 + i - m.u0[b]).u);
    }
    if (is_driven(m, j))
      for (int i = 0; i < j.nu; ++i) {
        const auto b = static_cast<size_t>(body_of(m.u0, j.u0 + i));
        add(j.nu == 1 ? j.name + ".drive" : fmt::format("{}.drive{}", j.name, i + 1),
            units_of(m.kind[b], j.u0 + i - m.u0[b]).tau);
      }
    for (const auto& motor : m.numbers.forces.motors)
      if (motor.u == j.u0 && j.nu > 0) add(j.name + ".current", "A");
    if (options_.reactions) {
      for (const char axis : {'x', 'y', 'z'}) add(fmt::format("{}.f{}", j.name, axis), "N");
      for (const char axis : {'x', 'y', 'z'}) add(fmt::format("{}.n{}", j.name, axis), "N.m");
    }
  }
  for (const PointSensor& s : m.point_sensors) {
    const auto three = [&](const char* prefix, const char* unit) {
      for (const char axis : {'x', 'y', 'z'}) add(fmt::format("{}.{}{}", s.name, prefix, axis), unit);
    };
    three("", "m"), three("v", "m/s"), three("a", "m/s2");
    for (const char* part : {"qw", "qx", "qy", "qz"}) add(s.name + "." + part, "1");
    three("w", "rad/s"), three("imu_", "m/s2");
  }
  for (const FormulaSensor& s : m.formula_sensors) columns_.push_back({s.name, s.unit});
  for (const char* part : {"kinetic", "potential", "total", "dissipated", "drive", "external", "ledger"})
    add(std::string("energy.") + part, "J");
}

void Recorder::row(Dynamics<double>& d, std::span<const double> ledger, double energy_at_start,
                   std::span<double> out) const {
  const Mechanism& m = *m_;
  size_t at = 0;
  const auto put = [&](double x) { out[at++] = x; };
  const auto put3 = [&](const Vec3& v) { put(v.x), put(v.y), put(v.z); };
  put(d.time());
  for (const JointInfo& j : m.joints) {
    if (j.cut) continue;
    for (int i = 0; i < j.nq; ++i) put(d.q()[static_cast<size_t>(j.q0 + i)]);
    for (int i = 0; i < j.nu; ++i) put(d.u()[static_cast<size_t>(j.u0 + i)]);
    if (is_driven(m, j))
      for (int i = 0; i < j.nu; ++i) put(drive_on(d, j, j.u0 + i));
    for (const auto& motor : d.numbers().forces.motors)
      if (motor.u == j.u0 && j.nu > 0) put(motor.current(d.force_context()));
    if (options_.reactions) {
      const Wrench<double> r = joint_reaction(d, j);
      put3(r.f), put3(r.n);
    }
  }
  for (size_t i = 0; i < m.point_sensors.size(); ++i) {
    const int s = static_cast<int>(i);
    const PointMotion<double> p = d.sensor_motion(s);
    const BodyMotion<double>& b = d.motion(m.point_sensors[i].body);
    put3(p.position), put3(p.velocity), put3(d.sensor_acceleration(s));
    const Quat q = quaternion(b.R * m.point_sensors[i].R_BS);
    put(q.w), put(q.x), put(q.y), put(q.z);
    put3(b.V.w), put3(d.sensor_accelerometer(s));
  }
  if (!m.formula_sensors.empty()) d.set_late_signals();
  for (const FormulaSensor& s : m.formula_sensors) put(d.formula_value(s.formula));
  const double kinetic = d.kinetic_energy(), potential = d.potential_energy();
  put(kinetic), put(potential), put(kinetic + potential);
  for (int i = 0; i < Ledger::size; ++i) put(ledger[static_cast<size_t>(i)]);
  put(ledger_closure(kinetic + potential, energy_at_start, ledger));
}

}  // namespace sarrus
