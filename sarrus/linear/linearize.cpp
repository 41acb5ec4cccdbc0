#include "sarrus/linear/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/linear/neighbourhood.hpp"

namespace sarrus {
namespace {

constexpr double in_balance = 1e-9;  // of the largest force
constexpr double flat = 1e-12;       // sin² between a disk and its plane

/// Free entries of the chart and of u: neither prescribed nor held.
void list_free(const Mechanism& m, const OperatingPoint& p, LinearModel& model) {
  const auto is_held = [&](int b) {
    for (const int u : p.held)
      if (m.body_of_velocity(u) == b) return true;
    return false;
  };
  for (int b = 1; b < m.nb; ++b) {
    const auto s = static_cast<size_t>(b);
    if (m.prescribed[s] || is_held(b)) continue;
    for (int i = m.x0[s]; i < m.x0[s + 1]; ++i) {
      model.x.push_back(i);
      const int k = i - m.x0[s];
      model.position_names.push_back(is_additive(m.kind[s])
                                         ? m.coordinate_name(m.q0[s] + k)
                                         : fmt::format("{}.xi{}", m.joint_of_body(b)->name, k + 1));
    }
    for (int i = m.u0[s]; i < m.u0[s + 1]; ++i) {
      model.u.push_back(i);
      model.velocity_names.push_back(m.velocity_name(i));
    }
  }
  for (const StateInfo& s : m.states) model.state_names.push_back(s.name);
}

/// Where each list of rows and columns stands.
struct Columns {
  Matrix r, s, y;  // by rows of velocities, states, outputs
};

Columns columns(int nu, int ns, int ny, int n) {
  return {Matrix(nu, n), Matrix(ns, n), Matrix(ny, n)};
}

void put(const Derivative& d, const std::vector<int>& free, int column, Columns& to) {
  for (size_t i = 0; i < free.size(); ++i) to.r(static_cast<int>(i), column) = d.r[free[i]];
  for (size_t i = 0; i < d.state_rate.size(); ++i)
    to.s(static_cast<int>(i), column) = d.state_rate[i];
  for (size_t i = 0; i < d.outputs.size(); ++i) to.y(static_cast<int>(i), column) = d.outputs[i];
}

/// What has no derivative: bodies that touch or not, joints that are there or not.
void refuse_switches(const Mechanism& m) {
  Diagnostics faults;
  const char* hint = "take them out of the model, or look at a run with formulation = \"discrete\"";
  for (const JointInfo& j : m.joints)
    if (j.active >= 0)
      faults.error("switched-joint", j.where, "joint/" + j.name + "/active",
                   "equilibria and linear models do not support joints with `active`", hint);
  for (const ContactLaw& c : m.contact_laws)
    faults.error("contact", c.where, "contact/" + c.name,
                 "equilibria and linear models do not support contact", hint);
  faults.throw_if_errors(Fault::physics);
}

/// u̇ of what is free, from the forces.
std::vector<double> accelerations(const Mechanism& m, const OperatingPoint& p) {
  Workspace<double> w(m);
  for (const int u : p.held) w.hold(m.body_of_velocity(u), true);
  const Kinematics<double>& k = move(w, p.t, p.q.data(), p.u.data(), p.state.data());
  std::vector<double> udot = accelerate(w, k, load(w, k)).udot;
  // a joint that moves no mass is refused later, by name
  if (!std::all_of(udot.begin(), udot.end(), [](double x) { return std::isfinite(x); }))
    udot.clear();
  return udot;
}

}  // namespace

bool LinearModel::second_order() const {
  if (N.rows != N.cols || !state_names.empty()) return false;
  for (int i = 0; i < N.rows; ++i)
    for (int j = 0; j < N.cols; ++j)
      if (N(i, j) != (i == j ? 1 : 0) || E(i, j) != 0) return false;
  return true;
}

LinearModel open_model(const Mechanism& m, const OperatingPoint& p) {
  LinearModel model;
  list_free(m, p, model);
  Neighbourhood near(m, p);
  model.output_names = near.output_names();
  model.notes = near.notes();
  const int nx = static_cast<int>(model.x.size()), nu = static_cast<int>(model.u.size()), ns = m.ns,
            ny = static_cast<int>(model.output_names.size());

  Columns by_x = columns(nu, ns, ny, nx), by_u = columns(nu, ns, ny, nu), by_a = by_u,
          by_s = columns(nu, ns, ny, ns);
  const int rows = static_cast<int>(m.closure_rows.size());
  model.F = Matrix(rows, nx), model.H = model.F;
  for (int j = 0; j < nx; ++j) {
    const Derivative along = near.along_position(model.x[j]);
    put(along, model.u, j, by_x);
    std::copy(along.closure.begin(), along.closure.end(), model.F.column(j).begin());
    std::copy(along.closing_speed.begin(), along.closing_speed.end(), model.H.column(j).begin());
  }
  for (int j = 0; j < nu; ++j) {
    put(near.along_velocity(model.u[j]), model.u, j, by_u);
    put(near.along_acceleration(model.u[j]), model.u, j, by_a);
  }
  for (int j = 0; j < ns; ++j) put(near.along_state(j), model.u, j, by_s);
  model.K = by_x.r, model.D = by_u.r, model.M = by_a.r, model.S = by_s.r;
  model.s_x = by_x.s, model.s_u = by_u.s, model.s_s = by_s.s;
  model.y_x = by_x.y, model.y_u = by_u.y, model.y_a = by_a.y, model.y_s = by_s.y;

  const std::vector<Input> inputs = near.inputs();
  Columns by_w = columns(nu, ns, ny, static_cast<int>(inputs.size()));
  for (size_t j = 0; j < inputs.size(); ++j) {
    model.input_names.push_back(inputs[j].name);
    put(inputs[j].derivative, model.u, static_cast<int>(j), by_w);
  }
  model.R = by_w.r, model.s_w = by_w.s, model.y_w = by_w.y;

  const ChartRates kinematics = near.chart_rates();
  model.N = Matrix(nx, nu), model.E = Matrix(nx, nx);
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < nu; ++j) model.N(i, j) = kinematics.N(model.x[i], model.u[j]);
    for (int j = 0; j < nx; ++j) model.E(i, j) = kinematics.E(model.x[i], model.x[j]);
  }
  const Matrix G = near.loop_rows();
  model.G = Matrix(G.rows, nu);
  for (int i = 0; i < G.rows; ++i)
    for (int j = 0; j < nu; ++j) model.G(i, j) = G(i, model.u[j]);
  const Balance b = balance(m, p);
  model.closure = b.closure, model.closing_speed = b.closing_speed;
  model.out_of_balance = b.r;
  model.tree_position_names = model.position_names;
  model.force_scale = b.force_scale;
  return model;
}

LinearModel tree_model(const Mechanism& m, const OperatingPoint& point) {
  OperatingPoint p = point;
  keep_steady(m, p);
  const Balance as_given = balance(m, p);
  if (max_abs(as_given.r) > in_balance * as_given.force_scale) p.udot = accelerations(m, p);
  LinearModel model = open_model(m, p);
  model.out_of_balance = as_given.r, model.force_scale = as_given.force_scale;
  for (const RollingAxes& axes : rolling_axes(m, p)) stop_axes(m, axes, model);
  return model;
}

std::vector<RollingAxes> rolling_axes(const Mechanism& m, const OperatingPoint& p) {
  std::vector<RollingAxes> found;
  Workspace<double> w(m);
  const Kinematics<double>& k = move(w, p.t, p.q.data(), p.u.data(), p.state.data());
  // axis and normal in world axes, R those of u
  const auto add = [&](int body, const Vec3& axis, const Vec3& normal, const Mat3& R) {
    const double* u = p.u.data() + m.u0[body];
    const Vec3 turn = R * Vec3{u[0], u[1], u[2]}, upward = normal - axis * dot(normal, axis);
    const double size = dot(upward, upward);
    const double about_normal = size > flat ? dot(turn, upward) / size : 0;
    const double spin = dot(turn, axis) - about_normal * dot(normal, axis);  // (3)
    found.push_back({body, transposed_times(R, axis) * spin});
  };
  for (int b = 1; b < m.nb; ++b)
    if (const JointInfo* joint = m.joint_of_body(b); m.kind[b] == JointKind::rolling_disk) {
      const Mat3 R = k.body[b].R * joint->R_BM;
      add(b, R * m.numbers.body[b].joint.axis, k.body[m.parent[b]].R * joint->X_parent.R.z, R);
    }
  // a free body on which a disk rolls
  for (const Closure& c : m.closures) {
    const JointInfo* joint = c.b > 0 ? m.joint_of_body(c.b) : nullptr;
    if (c.rows == 0 || m.closure_rows[c.row0].kind != RowKind::disk || !joint ||
        m.kind[c.b] != JointKind::free)
      continue;
    add(c.b, k.body[c.b].R * c.X_B.R.z, k.body[c.a].R * c.X_A.R.z, k.body[c.b].R * joint->R_BM);
  }
  return found;
}

void keep_steady(const Mechanism& m, OperatingPoint& p) {
  p.udot.assign(m.nu, 0.0);
  for (const RollingAxes& axes : rolling_axes(m, p))
    for (int u = m.u0[axes.body]; u < m.u0[axes.body + 1]; u += 3) {
      const Vec3 rate = cross(Vec3{p.u[u], p.u[u + 1], p.u[u + 2]}, axes.spin);
      for (int k = 0; k < 3; ++k) p.udot[u + k] = rate[k];
    }
}

void stop_axes(const Mechanism& m, const RollingAxes& axes, LinearModel& model) {
  const auto at = [](const std::vector<int>& list, int first) {
    const auto found = std::find(list.begin(), list.end(), first);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  };
  const int x0 = at(model.x, m.x0[axes.body]), u0 = at(model.u, m.u0[axes.body]);
  if (x0 < 0 || u0 < 0) return;
  const int nu = m.u0[axes.body + 1] - m.u0[axes.body];
  const Mat3 turn = skew(axes.spin);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      for (int part = 0; part < 6; part += 3) model.E(x0 + part + i, x0 + part + j) += turn(i, j);
      // M (u̇' − σ × δu) stands for M δu̇
      for (int part = 0; part < nu; part += 3) {
        const int from = u0 + part + i, to = u0 + part + j;
        for (int row = 0; row < model.M.rows; ++row)
          model.D(row, to) -= model.M(row, from) * turn(i, j);
        for (int row = 0; row < model.y_a.rows; ++row)
          model.y_u(row, to) -= model.y_a(row, from) * turn(i, j);
      }
    }
}

OperatingPoint start_point(const Mechanism& m, double t) {
  refuse_switches(m);
  OperatingPoint p{t, m.start.q, m.start.u, m.start_state, {}, {}, {}};
  Workspace<double> w(m);
  const Kinematics<double>& k = move(w, t, p.q.data(), p.u.data(), p.state.data());
  std::copy_n(k.q.begin(), m.nq, p.q.begin());
  std::copy_n(k.u.begin(), m.nu, p.u.begin());
  return p;
}

Balance balance(const Mechanism& m, const OperatingPoint& p) {
  LinearModel lists;
  list_free(m, p, lists);
  Neighbourhood near(m, p);
  const Derivative value = near.value();
  Balance b;
  for (const int u : lists.u) b.r.push_back(value.r[u]);
  b.state_rate = value.state_rate;
  b.closure = value.closure, b.closing_speed = value.closing_speed;
  b.force_scale = near.force_scale();
  return b;
}

std::vector<double> moved(const Mechanism& m, const std::vector<double>& q,
                          const std::vector<double>& delta) {
  std::vector<double> to = q;
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b)
    if (m.x0[b + 1] > m.x0[b])
      retract(m.kind[b], q.data() + m.q0[b], delta.data() + m.x0[b], to.data() + m.q0[b]);
  return to;
}

}  // namespace sarrus
