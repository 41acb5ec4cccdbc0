#include "sarrus/run/recorder.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sarrus/formulations/assembly/measured_joint.hpp"
#include "sarrus/run/conserved.hpp"

namespace sarrus {
namespace {

/// The wrench of the user's parent on the user's child, in the joint's frame on the child.
Wrench<double> joint_reaction(const Snapshot& now, const JointInfo& j,
                              const Wrench<double>& share) {
  const BodyMotion<double>&moved = now.body[j.body], &child = now.body[j.child];
  const Mat3 R_WM = child.R * j.X_child.R;
  const Vec3 origin = child.o + child.R * j.X_child.p;
  const Wrench<double> world = shifted_in(now.reaction[j.body] + share, moved.o - origin);
  const double sign = j.reversed ? -1 : 1;
  return {transposed_times(R_WM, world.n) * sign, transposed_times(R_WM, world.f) * sign};
}

/// The same for a joint that closes a loop.
Wrench<double> closing_reaction(const Snapshot& now, size_t closure, const JointInfo& j,
                                const Wrench<double>& share) {
  const Mat3 R_WM = now.body[now.mechanism->closures[closure].b].R * j.X_child.R;
  const Wrench<double> world = now.closing[closure] + share;
  return {transposed_times(R_WM, world.n), transposed_times(R_WM, world.f)};
}

/// From stresses xx, yy, zz, xy, yz, xz.
double von_mises(const std::array<double, 6>& s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

std::string numbered(const std::string& joint, const char* letter, size_t index, size_t count) {
  return count == 1 ? fmt::format("{}.{}", joint, letter)
                    : fmt::format("{}.{}{}", joint, letter, index + 1);
}

}  // namespace

double ledger_closure(const Snapshot& now, double energy_at_start) {
  return now.energy() - energy_at_start + now.ledger.dissipated - now.ledger.drive -
         now.ledger.external;
}

void Recorder::list_drives() {
  drives_.resize(m_->nu);
  const auto list = [&](const auto& elements, std::vector<int> Drives::*of) {
    for (size_t i = 0; i < elements.size(); ++i)
      (drives_[elements[i].u].*of).push_back(static_cast<int>(i));
  };
  const ForceSet<double>& f = m_->numbers.forces;
  list(f.sources, &Drives::sources), list(f.servos, &Drives::servos),
      list(f.motors, &Drives::motors);
}

bool Recorder::is_driven(const JointInfo& j) const {
  for (int i = 0; i < j.nu; ++i)
    if (drives_[j.u0 + i].any()) return true;
  return j.prescribed;
}

/// Drive force on velocity u: what actuators give, or what the prescribed motion needs.
double Recorder::drive_on(const Snapshot& now, int u) const {
  const ForceContext<double> c = now.force_context();
  const ForceSet<double>& f = m_->numbers.forces;
  const Drives& own = drives_[u];
  double sum = 0;
  for (const int i : own.sources) sum += c.formula[f.sources[i].formula];
  for (const int i : own.servos) sum += f.servos[i].force(c);
  for (const int i : own.motors) sum += f.motors[i].force(c);
  if (m_->prescribed[m_->body_of_velocity(u)]) sum += now.drive[u];
  return sum;
}

/// H = Σ p u − T + V over the velocities that are free; T + V where none is prescribed.
double Recorder::hamiltonian(const Snapshot& now) const {
  double H = now.potential - now.kinetic;
  for (int u = 0; u < m_->nu; ++u)
    if (!m_->prescribed[m_->body_of_velocity(u)]) H += now.momentum[u] * now.u[u];
  return H;
}

Recorder::Recorder(const Mechanism& mechanism, RecorderOptions options)
    : m_(&mechanism), options_(options), share_(mechanism) {
  const Mechanism& m = mechanism;
  list_drives();
  const auto from = [&](std::string element, Place where = {}) {
    sources_.push_back({std::move(element), std::move(where)});
  };
  const auto add = [&](std::string name, const std::string& unit) {
    columns_.push_back({std::move(name), unit});
    source_of_.push_back(sources_.size() - 1);
  };
  const auto add_reaction = [&](const std::string& joint) {
    for (const char axis : {'x', 'y', 'z'}) add(fmt::format("{}.f{}", joint, axis), "N");
    for (const char axis : {'x', 'y', 'z'}) add(fmt::format("{}.n{}", joint, axis), "N.m");
  };
  from("the time"), add("time", "s");
  for (const JointInfo& j : m.joints) {
    if (j.cut) continue;
    from("joint/" + j.name, j.where);
    for (int i = 0; i < j.nq; ++i) {
      const auto b = static_cast<size_t>(m.body_of_coordinate(j.q0 + i));
      add(m.coordinate_name(j.q0 + i), coordinate_unit(m.kind[b], j.q0 + i - m.q0[b]));
    }
    for (int i = 0; i < j.nu; ++i) add(m.velocity_name(j.u0 + i), units_of(m.freedom(j.u0 + i)).u);
    if (is_driven(j))
      for (int i = 0; i < j.nu; ++i)
        add(j.nu == 1 ? j.name + ".drive" : fmt::format("{}.drive{}", j.name, i + 1),
            units_of(m.freedom(j.u0 + i)).force);
    if (j.nu == 1)
      for (size_t k = 0; k < drives_[j.u0].motors.size(); ++k) add(j.name + ".current", "A");
    if (options_.reactions) add_reaction(j.name);
  }
  for (const Closure& c : m.closures) {
    if (c.joint < 0) continue;
    const JointInfo& j = m.joints[c.joint];
    from("joint/" + j.name, j.where);
    const int nq = joint_nq(j.kind), nu = joint_nu(j.kind);
    for (int i = 0; i < nq; ++i) add(numbered(j.name, "q", i, nq), coordinate_unit(j.kind, i));
    for (int i = 0; i < nu; ++i)
      add(numbered(j.name, "u", i, nu), units_of(facts_of(j.kind).freedoms[i]).u);
    if (options_.reactions) add_reaction(j.name);
  }
  for (const ElasticInfo& e : m.elastic) {
    from("body/" + e.name);
    const std::vector<std::string>& says = e.numbers->says;
    const auto turns = [&](int k) {
      return says[k].starts_with("torsion") || says[k].starts_with("slope");
    };
    for (int k = 0; k < e.n; ++k) add(m.coordinate_name(e.q0 + k), turns(k) ? "rad" : "m");
    for (int k = 0; k < e.n; ++k) add(m.velocity_name(e.u0 + k), turns(k) ? "rad/s" : "m/s");
  }
  for (const DeformationSensor& s : m.deformation_sensors) {
    from("sensor/" + s.name);
    if (s.stress)
      for (const char* part : {"xx", "yy", "zz", "xy", "yz", "xz", "mises"})
        add(s.name + "." + part, "Pa");
    else
      for (const char* part : {"N", "Qy", "Qz", "Mx", "My", "Mz"})
        add(s.name + "." + part, part[0] == 'M' ? "N.m" : "N");
  }
  for (const PointSensor& s : m.point_sensors) {
    from("sensor/" + s.name);
    const auto three = [&](const char* prefix, const char* unit) {
      for (const char axis : {'x', 'y', 'z'})
        add(fmt::format("{}.{}{}", s.name, prefix, axis), unit);
    };
    three("", "m"), three("v", "m/s"), three("a", "m/s2");
    for (const char* part : {"qw", "qx", "qy", "qz"}) add(s.name + "." + part, "1");
    three("w", "rad/s"), three("imu_", "m/s2");
  }
  for (const FormulaSensor& s : m.formula_sensors)
    from("sensor/" + s.name, m.formula_sources[s.formula].where), add(s.name, s.unit);
  for (const ShownElement& e : m.shown) {
    from("the force element " + e.name);
    for (const ElementQuantity& quantity : e.quantities)
      add(e.name + "." + quantity.name, quantity.unit);
  }
  if (options_.momenta) {
    from("the momenta");
    for (int u = 0; u < m.nu; ++u) add(momentum_name(m, u), units_of(m.freedom(u)).momentum);
    add("energy.H", "J");
  }
  from("the account of energy");
  for (const char* part :
       {"kinetic", "potential", "total", "dissipated", "drive", "external", "ledger"})
    add(std::string("energy.") + part, "J");
  if (m.has_loops())
    from("the residuals of loops"), add("constraint.position", "m"),
        add("constraint.velocity", "m/s");
  refuse_doubled_columns();
}

void Recorder::refuse_doubled_columns() const {
  std::unordered_map<std::string_view, size_t> seen;
  Diagnostics found;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const auto [first, is_new] = seen.emplace(columns_[i].name, i);
    if (is_new) continue;
    // what the user can rename comes first; the program's own columns have no place
    const ColumnSource *named = &source(first->second), *other = &source(i);
    if (named->element.starts_with("the ")) std::swap(named, other);
    found.add(
        {.severity = Severity::error,
         .code = "doubled-column",
         .where = named->where,
         .element = named->element,
         .message = fmt::format("the results would have two columns called '{}': {} gives one "
                                "too",
                                columns_[i].name, other->element),
         .hint = "give it, or the prefix of its part, another name",
         .value = columns_[i].name});
  }
  found.throw_if_errors(Fault::model);
}

void Recorder::row(const Snapshot& now, double energy_at_start, std::span<double> out) {
  const Mechanism& m = *m_;
  size_t at = 0;
  const auto put = [&](double x) { out[at++] = x; };
  const auto put3 = [&](const Vec3& v) { put(v.x), put(v.y), put(v.z); };
  static const std::map<int, Wrench<double>> unique;
  // bodies moved one by one have no shares: their joints carry what they carry
  const auto& shares =
      options_.reactions && m.has_loops() && !now.is_measured ? share_.corrections(now) : unique;
  const auto share_of = [&](const JointInfo& j) {
    const auto found = shares.find(static_cast<int>(&j - m.joints.data()));
    return found == shares.end() ? Wrench<double>{} : found->second;
  };
  put(now.t);
  for (const JointInfo& j : m.joints) {
    if (j.cut) continue;
    for (int i = 0; i < j.nq; ++i) put(now.q[j.q0 + i]);
    for (int i = 0; i < j.nu; ++i) put(now.u[j.u0 + i]);
    if (is_driven(j))
      for (int i = 0; i < j.nu; ++i) put(drive_on(now, j.u0 + i));
    if (j.nu == 1)
      for (const int k : drives_[j.u0].motors)
        put(m.numbers.forces.motors[k].current(now.force_context()));
    if (options_.reactions) {
      const Wrench<double> r = joint_reaction(now, j, share_of(j));
      put3(r.f), put3(r.n);
    }
  }
  for (size_t i = 0; i < m.closures.size(); ++i) {
    const Closure& c = m.closures[i];
    if (c.joint < 0) continue;
    const JointInfo& j = m.joints[c.joint];
    const MeasuredJoint measured = measure(now.body, j);
    for (const double q : measured.q) put(q);
    for (const double u : measured.u) put(u);
    if (options_.reactions) {
      const Wrench<double> r = closing_reaction(now, i, j, share_of(j));
      put3(r.f), put3(r.n);
    }
  }
  for (const ElasticInfo& e : m.elastic) {
    for (int k = 0; k < e.n; ++k) put(now.q[e.q0 + k]);
    for (int k = 0; k < e.n; ++k) put(now.u[e.u0 + k]);
  }
  for (const DeformationSensor& s : m.deformation_sensors) {
    const double* q = now.q.data() + m.elastic[s.elastic].q0;
    std::array<double, 6> sum{};
    for (size_t k = 0; k < s.rows.size(); ++k)
      for (size_t part = 0; part < 6; ++part) sum[part] += s.rows[k][part] * q[k];
    for (const double x : sum) put(x);
    if (s.stress) put(von_mises(sum));
  }
  for (int s = 0; s < static_cast<int>(m.point_sensors.size()); ++s) {
    const PointMotion<double> p = now.sensor_motion(s);
    const BodyMotion<double>& b = now.body[m.point_sensors[s].body];
    put3(p.position), put3(p.velocity), put3(now.sensor_acceleration(s));
    const Quat q = quaternion(b.R * m.point_sensors[s].R_BS);
    put(q.w), put(q.x), put(q.y), put(q.z);
    put3(b.V.w), put3(now.sensor_accelerometer(s));
  }
  for (const FormulaSensor& s : m.formula_sensors) put(now.formula_value(s.formula));
  for (size_t i = 0; i < m.shown.size(); ++i)
    for (size_t k = 0; k < m.shown[i].quantities.size(); ++k)
      put(m.numbers.forces.read(now.force_context(), static_cast<int>(i), static_cast<int>(k)));
  if (options_.momenta) {
    for (const double x : now.momentum) put(x);
    put(hamiltonian(now));
  }
  put(now.kinetic), put(now.potential), put(now.energy());
  put(now.ledger.dissipated), put(now.ledger.drive), put(now.ledger.external);
  put(ledger_closure(now, energy_at_start));
  if (m.has_loops()) put(now.residual), put(now.residual_rate);
}

}  // namespace sarrus
