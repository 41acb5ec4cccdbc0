#include "sarrus/run/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sarrus/formulations/assembly/measured_joint.hpp"

namespace sarrus {
namespace {

using Kind = ColumnKind;
using Columns = std::vector<Column>;

// ── labels ──────────────────────────────────────────────────────────────────────────────────────

/// x, y, z of a vector.
Columns axes(const std::string& owner, Kind kind, const char* unit) {
  Columns three;
  for (const char* axis : {"x", "y", "z"}) three.push_back(column(owner, kind, axis, unit));
  return three;
}

Columns named(const std::string& owner, Kind kind, std::initializer_list<const char*> components,
              const char* unit) {
  Columns all;
  for (const char* component : components) all.push_back(column(owner, kind, component, unit));
  return all;
}

/// 1, 2, …; a single one has no number.
template <class Unit>
Columns numbered(const std::string& owner, Kind kind, int count, Unit&& unit_of) {
  Columns all;
  for (int i = 0; i < count; ++i)
    all.push_back(column(owner, kind, count == 1 ? "" : std::to_string(i + 1), unit_of(i)));
  return all;
}

void append(Columns& to, Columns more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

double* put(double* out, const Vec3& v) {
  out[0] = v.x, out[1] = v.y, out[2] = v.z;
  return out + 3;
}

const char* acceleration_unit(Freedom freedom) {
  return freedom == Freedom::slides ? "m/s2" : "rad/s2";
}

// ── reactions ───────────────────────────────────────────────────────────────────────────────────

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

Wrench<double> share_of(const RowSource& row, int joint) {
  const auto found = row.reshared.find(joint);
  return found == row.reshared.end() ? Wrench<double>{} : found->second;
}

// ── drives ──────────────────────────────────────────────────────────────────────────────────────

/// A force element that drives a joint, by a force of its own.
template <class E>
concept JointDrive = OnVelocity<E> && requires(const E& e, const ForceContext<double>& c) {
  e.force(c);
};

/// Entry i of the list of its kind.
struct Drive {
  ForceKind kind;
  size_t i;
};
using Drives = std::vector<Drive>;  // of one velocity

std::vector<Drives> drives_of(const Mechanism& m) {
  std::vector<Drives> all(m.nu);
  ForceSet<double>::each(m.numbers.forces, [&]<class E>(const std::vector<E>& list) {
    if constexpr (JointDrive<E>)
      for (size_t i = 0; i < list.size(); ++i) all[list[i].u].push_back({kind_of(list[i]), i});
  });
  return all;
}

/// Calls f with every drive of the list.
template <class F>
void each_drive(const Mechanism& m, const Drives& own, F&& f) {
  ForceSet<double>::each(m.numbers.forces, [&]<class E>(const std::vector<E>& list) {
    if constexpr (JointDrive<E>)
      for (const Drive& d : own)
        if (d.kind == kind_of(E())) f(list[d.i]);
  });
}

/// What the drives on a joint show beside their force: the current of a motor.
template <class F>
void each_drive_quantity(const Mechanism& m, const Drives& own, F&& f) {
  each_drive(m, own, [&]<class E>(const E& drive) {
    if constexpr (requires { E::quantities; })
      for (size_t k = 0; k < std::size(E::quantities); ++k) f(drive, static_cast<int>(k));
  });
}

/// Drive force on velocity u: what actuators give, or what the prescribed motion needs.
double drive_on(const Snapshot& now, const Drives& own, int u) {
  const Mechanism& m = *now.mechanism;
  const ForceContext<double> c = now.force_context();
  double sum = 0;
  each_drive(m, own, [&](const auto& drive) { sum += drive.force(c); });
  if (m.prescribed[m.body_of_velocity(u)]) sum += now.drive[u];
  return sum;
}

// ── single numbers ──────────────────────────────────────────────────────────────────────────────

/// From stresses xx, yy, zz, xy, yz, xz.
double von_mises(const std::array<double, 6>& s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/// H = Σ p u − T + V over the velocities that are free; T + V where none is prescribed.
double hamiltonian(const Snapshot& now) {
  const Mechanism& m = *now.mechanism;
  double H = now.potential - now.kinetic;
  for (int u = 0; u < m.nu; ++u)
    if (!m.prescribed[m.body_of_velocity(u)]) H += now.momentum[u] * now.u[u];
  return H;
}

// ── the groups of a mechanism ───────────────────────────────────────────────────────────────────

/// All groups, in the order of the columns.
class GroupList {
 public:
  GroupList(const Mechanism& m, RecorderOptions options)
      : m_(m), options_(options), drives_(drives_of(m)) {
    from_program("the time");
    add({column("time", Kind::time, "", "s")},
        [](const RowSource& row, double* out) { *out = row.now.t; });
    for (size_t i = 0; i < m.joints.size(); ++i)
      if (!m.joints[i].cut) add_joint(static_cast<int>(i));
    for (size_t i = 0; i < m.closures.size(); ++i)
      if (m.closures[i].joint >= 0) add_closing_joint(i);
    for (size_t i = 0; i < m.closures.size(); ++i)
      if (options.reactions && m.closures[i].is_written()) add_constraint(i);
    for (const ElasticInfo& e : m.elastic) add_elastic(e);
    for (const DeformationSensor& s : m.deformation_sensors) add_deformation(s);
    for (size_t i = 0; i < m.point_sensors.size(); ++i) add_point(static_cast<int>(i));
    for (const InputInfo& input : m.inputs) add_input(input);
    for (size_t i = 0; i < m.states.size(); ++i)
      if (m.states[i].shown) add_state(i);
    for (const FormulaSensor& s : m.formula_sensors)
      if (s.shown) add_formula(s);
    for (const SampledValue& s : m.sampled)
      if (s.shown) add_sampled(s);
    for (size_t i = 0; i < m.shown.size(); ++i) add_element(static_cast<int>(i));
    if (options.momenta) add_momenta();
    add_energies();
  }
  std::vector<ColumnGroup> take() { return std::move(groups_); }

 private:
  using Reader = std::function<void(const RowSource&, double*)>;
  void add(Columns columns, Reader read) {
    groups_.push_back({source_, std::move(columns), std::move(read)});
  }
  /// What gives the groups that follow.
  void from(std::string element, Place where = {}) {
    source_ = {std::move(element), std::move(where)};
  }
  void from_program(std::string what) { source_ = {std::move(what), {}, false}; }

  void add_joint(int index) {
    const JointInfo& j = m_.joints[index];
    from("joint/" + j.name, j.where);
    const auto freedom = [&](int i) { return m_.freedom(j.u0 + i); };
    Columns motion = numbered(j.name, Kind::coordinate, j.nq, [&](int i) {
      const int b = m_.body_of_coordinate(j.q0 + i);
      return coordinate_unit(m_.kind[b], j.q0 + i - m_.q0[b]);
    });
    append(motion,
           numbered(j.name, Kind::velocity, j.nu, [&](int i) { return units_of(freedom(i)).u; }));
    add(std::move(motion), [&j](const RowSource& row, double* out) {
      out = std::copy_n(row.now.q.begin() + j.q0, j.nq, out);
      std::copy_n(row.now.u.begin() + j.u0, j.nu, out);
    });
    if (options_.accelerations)
      add(numbered(j.name, Kind::acceleration, j.nu,
                   [&](int i) { return acceleration_unit(freedom(i)); }),
          [&j](const RowSource& row, double* out) {
            std::copy_n(row.now.udot.begin() + j.u0, j.nu, out);
          });
    add_drives(j);
    if (options_.reactions)
      add_wrench(j.name, [&j, index](const RowSource& row) {
        return joint_reaction(row.now, j, share_of(row, index));
      });
  }

  void add_drives(const JointInfo& j) {
    const std::vector<Drives> own(drives_.begin() + j.u0, drives_.begin() + j.u0 + j.nu);
    if (j.prescribed || std::any_of(own.begin(), own.end(), [](auto& d) { return !d.empty(); }))
      add(numbered(j.name, Kind::drive, j.nu,
                   [&](int i) { return units_of(m_.freedom(j.u0 + i)).force; }),
          [&j, own](const RowSource& row, double* out) {
            for (int i = 0; i < j.nu; ++i) out[i] = drive_on(row.now, own[i], j.u0 + i);
          });
    if (j.nu != 1) return;
    Columns shown;
    each_drive_quantity(m_, own[0], [&](const auto& drive, int k) {
      shown.push_back(
          column(j.name, Kind::current, drive.quantities[k].name, drive.quantities[k].unit));
    });
    if (shown.empty()) return;
    add(std::move(shown), [drives = own[0]](const RowSource& row, double* out) {
      const ForceContext<double> c = row.now.force_context();
      each_drive_quantity(*row.now.mechanism, drives,
                          [&](const auto& drive, int k) { *out++ = drive.read(c, k); });
    });
  }

  template <class Reaction>
  void add_wrench(const std::string& owner, Reaction&& reaction) {
    Columns six = axes(owner, Kind::force, "N");
    append(six, axes(owner, Kind::moment, "N.m"));
    add(std::move(six), [reaction](const RowSource& row, double* out) {
      const Wrench<double> w = reaction(row);
      put(put(out, w.f), w.n);
    });
  }

  void add_closing_joint(size_t closure) {
    const int index = m_.closures[closure].joint;
    const JointInfo& j = m_.joints[index];
    from("joint/" + j.name, j.where);
    const auto freedom = [&](int i) { return facts_of(j.kind).freedoms[i]; };
    const int nq = joint_nq(j.kind), nu = joint_nu(j.kind);
    Columns motion =
        numbered(j.name, Kind::coordinate, nq, [&](int i) { return coordinate_unit(j.kind, i); });
    append(motion,
           numbered(j.name, Kind::velocity, nu, [&](int i) { return units_of(freedom(i)).u; }));
    add(std::move(motion), [&j](const RowSource& row, double* out) {
      const MeasuredJoint measured = measure(row.now.body, j);
      out = std::copy(measured.q.begin(), measured.q.end(), out);
      std::copy(measured.u.begin(), measured.u.end(), out);
    });
    if (options_.accelerations)
      add(numbered(j.name, Kind::acceleration, nu,
                   [&](int i) { return acceleration_unit(freedom(i)); }),
          [&j](const RowSource& row, double* out) {
            const std::vector<double> udot = measured_acceleration(row.now, j);
            std::copy(udot.begin(), udot.end(), out);
          });
    if (options_.reactions)
      add_wrench(j.name, [&j, closure, index](const RowSource& row) {
        return closing_reaction(row.now, closure, j, share_of(row, index));
      });
  }

  /// Between bodies: what it exerts on `to`, there, in world axes. Among coordinates: on the first.
  void add_constraint(size_t closure) {
    const Closure& c = m_.closures[closure];
    from(c.element, c.where);
    if (!c.of.empty())
      return add({column(c.name, Kind::multiplier, "", units_of(m_.freedom(c.of[0].u)).force)},
                 [&c](const RowSource& row, double* out) {
                   *out = c.of[0].coefficient * row.now.multiplier[c.row0];
                 });
    if (m_.closure_rows[c.row0].kind == RowKind::distance)  // pulls: λ pushes the ends apart
      add({column(c.name, Kind::multiplier, "", "N")},
          [&c](const RowSource& row, double* out) { *out = -row.now.multiplier[c.row0]; });
    add_wrench(c.name, [closure](const RowSource& row) { return row.now.closing[closure]; });
  }

  void add_elastic(const ElasticInfo& e) {
    from("body/" + e.name);
    const auto all = [&](Kind kind, auto unit) {
      Columns columns;
      for (int k = 0; k < e.n; ++k)
        columns.push_back(column(e.name, kind, std::to_string(k + 1), unit(e.numbers->turns(k))));
      return columns;
    };
    Columns motion = all(Kind::elastic_coordinate, [](bool turns) { return turns ? "rad" : "m"; });
    append(motion, all(Kind::elastic_velocity, [](bool turns) { return turns ? "rad/s" : "m/s"; }));
    add(std::move(motion), [&e](const RowSource& row, double* out) {
      out = std::copy_n(row.now.q.begin() + e.q0, e.n, out);
      std::copy_n(row.now.u.begin() + e.u0, e.n, out);
    });
  }

  void add_deformation(const DeformationSensor& s) {
    from("sensor/" + s.name);
    Columns columns;
    if (s.stress) {
      columns = named(s.name, Kind::stress, {"xx", "yy", "zz", "xy", "yz", "xz", "mises"}, "Pa");
    } else {
      columns = {column(s.name, Kind::normal_force, "", "N")};
      append(columns, named(s.name, Kind::shear_force, {"y", "z"}, "N"));
      append(columns, axes(s.name, Kind::section_moment, "N.m"));
    }
    add(std::move(columns), [&s](const RowSource& row, double* out) {
      const double* q = row.now.q.data() + row.now.mechanism->elastic[s.elastic].q0;
      std::array<double, 6> sum{};
      for (size_t k = 0; k < s.rows.size(); ++k)
        for (size_t part = 0; part < 6; ++part) sum[part] += s.rows[k][part] * q[k];
      out = std::copy(sum.begin(), sum.end(), out);
      if (s.stress) *out = von_mises(sum);
    });
  }

  void add_point(int index) {
    const PointSensor& s = m_.point_sensors[index];
    from("sensor/" + s.name);
    Columns columns = axes(s.name, Kind::position, "m");
    append(columns, axes(s.name, Kind::point_velocity, "m/s"));
    append(columns, axes(s.name, Kind::point_acceleration, "m/s2"));
    append(columns, named(s.name, Kind::orientation, {"w", "x", "y", "z"}, "1"));
    append(columns, axes(s.name, Kind::angular_velocity, "rad/s"));
    append(columns, axes(s.name, Kind::accelerometer, "m/s2"));
    add(std::move(columns), [&s, index](const RowSource& row, double* out) {
      const PointMotion<double> p = row.now.sensor_motion(index);
      const BodyMotion<double>& b = row.now.body[s.body];
      const Quat q = quaternion(b.R * s.R_BS);
      out = put(put(out, p.position), p.velocity);
      out = put(out, row.now.sensor_acceleration(index));
      for (const double x : {q.w, q.x, q.y, q.z}) *out++ = x;
      put(put(out, b.V.w), row.now.sensor_accelerometer(index));
    });
    if (options_.accelerations)
      add(axes(s.name, Kind::angular_acceleration, "rad/s2"),
          [&s](const RowSource& row, double* out) { put(out, row.now.acceleration[s.body].w); });
  }

  void add_input(const InputInfo& input) {
    if (input.parameter < 0) return;  // a signal
    from("input/" + input.name, input.where);
    add({column(input.name, Kind::input, "", input.unit)},
        [slot = 1 + input.parameter](const RowSource& row, double* out) {
          *out = row.now.slots[slot];
        });
  }

  void add_state(size_t index) {
    const StateInfo& s = m_.states[index];
    from("state/" + s.name, s.where);
    add({column(s.name, Kind::state, "", s.unit)}, [&s, index](const RowSource& row, double* out) {
      *out = s.limits.nearest(row.now.state[index]);
    });
  }

  void add_sampled(const SampledValue& s) {
    from(s.name, s.where);
    add({column(s.name, Kind::sampled, "", s.unit)},
        [slot = 1 + s.parameter](const RowSource& row, double* out) {
          *out = row.now.slots[slot];
        });
  }

  void add_formula(const FormulaSensor& s) {
    from(std::string(s.table) + "/" + s.name, m_.formula_sources[s.formula].where);
    add({column(s.name, Kind::formula, "", s.unit)},
        [formula = s.formula](const RowSource& row, double* out) {
          *out = row.now.formula_value(formula);
        });
  }

  void add_element(int index) {
    const ShownElement& e = m_.shown[index];
    from("the force element " + e.name);
    Columns columns;
    for (const ElementQuantity& quantity : e.quantities)
      columns.push_back(column(e.name, Kind::element, quantity.name, quantity.unit));
    add(std::move(columns), [&e, index](const RowSource& row, double* out) {
      const ForceSet<double>& f = row.now.mechanism->numbers.forces;
      for (size_t k = 0; k < e.quantities.size(); ++k)
        out[k] = f.read(row.now.force_context(), index, static_cast<int>(k));
    });
  }

  /// Of all velocities, in their order.
  void add_momenta() {
    from_program("the momenta");
    Columns columns;
    for (int u = 0; u < m_.nu; ++u) {
      const ElasticInfo* e = m_.elastic_of_velocity(u);
      const JointInfo* j = e ? nullptr : m_.joint_of_body(m_.body_of_velocity(u));
      const char* unit = units_of(m_.freedom(u)).momentum;
      const auto number = [&](int first) { return std::to_string(u - first + 1); };
      columns.push_back(e ? column(e->name, Kind::elastic_momentum, number(e->u0), unit)
                          : column(j->name, Kind::momentum, j->nu == 1 ? "" : number(j->u0), unit));
    }
    columns.push_back(column("energy", Kind::hamiltonian, "H", "J"));
    add(std::move(columns), [](const RowSource& row, double* out) {
      *std::copy(row.now.momentum.begin(), row.now.momentum.end(), out) = hamiltonian(row.now);
    });
  }

  void add_energies() {
    from_program("the account of energy");
    Columns columns =
        named("energy", Kind::energy,
              {"kinetic", "potential", "total", "dissipated", "drive", "external"}, "J");
    columns.push_back(column("energy", Kind::ledger, "ledger", "J"));
    add(std::move(columns), [](const RowSource& row, double* out) {
      const Snapshot& now = row.now;
      for (const double x :
           {now.kinetic, now.potential, now.energy(), now.ledger.dissipated, now.ledger.drive,
            now.ledger.external, ledger_closure(now, row.energy_at_start)})
        *out++ = x;
    });
    if (!m_.has_loops()) return;
    from_program("the residuals of loops");
    add({column("constraint", Kind::residual, "position", "m"),
         column("constraint", Kind::residual, "velocity", "m/s")},
        [](const RowSource& row, double* out) {
          out[0] = row.now.residual, out[1] = row.now.residual_rate;
        });
  }

  const Mechanism& m_;
  RecorderOptions options_;
  std::vector<Drives> drives_;  // per velocity
  ColumnSource source_;
  std::vector<ColumnGroup> groups_;
};

}  // namespace

double ledger_closure(const Snapshot& now, double energy_at_start) {
  return now.energy() - energy_at_start + now.ledger.dissipated - now.ledger.drive -
         now.ledger.external;
}

Recorder::Recorder(const Mechanism& mechanism, RecorderOptions options)
    : m_(&mechanism),
      options_(options),
      share_(mechanism),
      groups_(GroupList(mechanism, options).take()) {
  for (size_t g = 0; g < groups_.size(); ++g) {
    columns_.insert(columns_.end(), groups_[g].columns.begin(), groups_[g].columns.end());
    group_of_.resize(columns_.size(), g);
  }
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
    if (!named->has_name) std::swap(named, other);
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
  static const std::map<int, Wrench<double>> unique;
  // bodies moved one by one have no indeterminate reactions: their joints are stiff blocks
  const auto& shares =
      options_.reactions && m_->has_loops() && !now.is_measured ? share_.corrections(now) : unique;
  const RowSource source{now, energy_at_start, shares};
  double* at = out.data();
  for (const ColumnGroup& group : groups_) {
    group.read(source, at);
    at += group.columns.size();
  }
}

}  // namespace sarrus
