#include "sarrus/linear/neighbourhood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

using D = Dual<double>;

Mechanism without_motions(const Mechanism& m) {
  Mechanism open = m;
  open.motions.clear();
  std::fill(open.prescribed.begin(), open.prescribed.end(), char{0});
  return open;
}

/// τ = Sᵀ F: what wrenches on bodies, in world axes at their origins, do along the velocities.
template <class T>
void add_along_joints(const Places<T>& k, std::vector<Wrench<T>> wrench, std::vector<T>& tau) {
  const Mechanism& m = *k.mechanism;
  for (int i = m.nb - 1; i > 0; --i) {
    k.each_column(i, [&](int u, const Twist<T>& S) { tau[u] += dot(S, wrench[i]); });
    wrench[m.parent[i]] += shifted_in(wrench[i], k.body[i].o - k.body[m.parent[i]].o);
  }
}

/// Room for the forces of some elements, apart from those of the mechanism.
struct Apart {
  std::vector<D> tau, state_rate;
  std::vector<Wrench<D>> wrench;
  EnergyFlow<D> flow{};

  explicit Apart(const Mechanism& m)
      : tau(static_cast<size_t>(m.nu), D(0.0)),
        state_rate(static_cast<size_t>(m.ns), D(0.0)),
        wrench(static_cast<size_t>(m.nb), Wrench<D>{zero3<D>(), zero3<D>()}) {}
  ForceContext<D> context(const Bodies<D>& k, const Forces<D>& f) {
    return force_context<D>(k, f, {tau.data(), wrench.data(), state_rate.data(), &flow});
  }
  const std::vector<D>& along(const Places<D>& k) {
    add_along_joints(k, wrench, tau);
    return tau;
  }
};

/// −ad(v₀) of a joint's chart: how a point that moves along sees a fixed difference.
void subtract_ad(JointKind kind, const double* v, int at, Matrix& E) {
  const auto minus_cross = [&](const double* w, int row, int col) {  // E −= [w]×
    E(at + row + 0, at + col + 1) += w[2], E(at + row + 0, at + col + 2) -= w[1];
    E(at + row + 1, at + col + 0) -= w[2], E(at + row + 1, at + col + 2) += w[0];
    E(at + row + 2, at + col + 0) += w[1], E(at + row + 2, at + col + 1) -= w[0];
  };
  switch (facts_of(kind).chart) {
    case ChartKind::additive: return;
    case ChartKind::rotation: minus_cross(v, 0, 0); return;
    case ChartKind::pose:
      minus_cross(v, 0, 0), minus_cross(v + 3, 3, 0), minus_cross(v, 3, 3);
      return;
    case ChartKind::plane:
      // ξ̇ = δv + θ J v₀ − ω₀ J ξ,  J = [0 −1; 1 0]
      E(at + 1, at) -= v[2], E(at + 2, at) += v[1];
      E(at + 1, at + 2) += v[0], E(at + 2, at + 1) -= v[0];
      return;
  }
}

/// "spring of hip" on a joint, otherwise the name of the element or of the elastic body.
template <class E>
std::string share_name(const Mechanism& m, const E& element, size_t i) {
  const std::string owner = m.owner_of(element, i);
  if constexpr (OnVelocity<E>)
    if (!m.elastic_of_velocity(element.u)) return std::string(E::facts.word) + " of " + owner;
  return owner;
}

}  // namespace

Neighbourhood::Neighbourhood(const Mechanism& m, const OperatingPoint& p)
    : whole_(&m), open_(without_motions(m)), p_(p), w_(open_) {
  Workspace<double> w(m);
  const Kinematics<double>& k = sarrus::move(w, p.t, p.q.data(), p.u.data(), p.state.data());
  std::copy_n(k.q.begin(), m.nq, p_.q.begin());
  std::copy_n(k.u.begin(), m.nu, p_.u.begin());
  udot_ = p.udot;
  udot_.resize(m.nu, 0.0);
  for (const PrescribedMotion& motion : m.motions) udot_[motion.u] = k.given[motion.u];
  p_.lambda.resize(m.closure_rows.size(), 0.0);
  tau_.resize(m.nu);
  list_outputs();
  if (!m.sampled.empty())
    notes_.push_back(
        {.severity = Severity::note,
         .code = "samples-held",
         .where = m.sampled.front().where,
         .element = "simulate",
         .message = fmt::format("'{}' and all that is sampled keep the values that "
                                "they start with: the model is linearised without them",
                                m.sampled.front().name),
         .hint = "for the closed loop make the blocks continuous"});
  reset();
}

void Neighbourhood::list_outputs() {
  for (const PointSensor& s : open_.point_sensors)
    for (const char* part : {"x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"})
      output_names_.push_back(s.name + "." + part);
  for (const FormulaSensor& s : open_.formula_sensors) {
    if (!s.shown) continue;
    output_names_.push_back(s.name);
    formula_outputs_.push_back(s.formula);
  }
}

void Neighbourhood::reset() {
  q_.assign(p_.q.begin(), p_.q.end());
  u_.assign(p_.u.begin(), p_.u.end());
  a_.assign(udot_.begin(), udot_.end());
  s_.assign(p_.state.begin(), p_.state.end());
}

/// q = q₀ ⊕ ε δ.
void Neighbourhood::move(const std::vector<double>& delta) {
  for (size_t b = 1; b < static_cast<size_t>(open_.nb); ++b) {
    const int n = open_.x0[b + 1] - open_.x0[b];
    if (n == 0) continue;
    D xi[6], q0[7];
    for (int k = 0; k < n; ++k) xi[k] = D(0.0, delta[open_.x0[b] + k]);
    for (int k = open_.q0[b]; k < open_.q0[b + 1]; ++k) q0[k - open_.q0[b]] = D(p_.q[k]);
    retract(open_.kind[b], q0, xi, q_.data() + open_.q0[b]);
  }
}

std::vector<double> Neighbourhood::outputs(bool derivative) {
  std::vector<double> y;
  const auto take = [&](const D& x) { y.push_back(derivative ? x.d : x.v); };
  const auto take3 = [&](const Vector3<D>& v) { take(v.x), take(v.y), take(v.z); };
  for (int s = 0; s < static_cast<int>(open_.point_sensors.size()); ++s) {
    const PointMotion<D> point = sensor_motion<D>(*at_.k, s);
    take3(point.position), take3(point.velocity);
    take3(sensor_acceleration<D>(w_, *at_.k, *at_.a, s));
  }
  if (formula_outputs_.empty()) return y;
  const Signals<D>& signals = sense<D>(w_, *at_.k, *at_.f, *at_.a);
  for (const int f : formula_outputs_) take(formula_value(open_, signals, f));
  return y;
}

Derivative Neighbourhood::evaluate(bool derivative) {
  at_.k = &sarrus::move(w_, D(p_.t), q_.data(), u_.data(), s_.data());
  at_.f = &load<D>(w_, *at_.k);
  at_.a = &inverse_dynamics(w_, *at_.k, *at_.f, a_.data(), tau_.data());
  Derivative found;
  for (const D& x : tau_) found.r.push_back(derivative ? x.d : x.v);
  for (const D& x : at_.f->state_rate) found.state_rate.push_back(derivative ? x.d : x.v);
  found.outputs = outputs(derivative);
  if (open_.has_loops()) add_loops(derivative, found);
  return found;
}

/// r − Gᵀλ in place of r, φ and φ̇ = G u.
void Neighbourhood::add_loops(bool derivative, Derivative& found) {
  const size_t rows = p_.lambda.size(), nu = found.r.size();
  std::vector<D> G(rows * nu);
  const LoopRows<D>& placed = place_loops<D>(w_, *at_.k);
  loop_jacobian<D>(*at_.k, placed, G.data());
  for (size_t i = 0; i < rows; ++i) {
    const D& residual = placed[static_cast<int>(i)].residual;
    found.closure.push_back(derivative ? residual.d : residual.v);
    D speed(0.0);
    for (size_t j = 0; j < nu; ++j) {
      speed += G[i * nu + j] * u_[j];
      found.r[j] -= p_.lambda[i] * (derivative ? G[i * nu + j].d : G[i * nu + j].v);
    }
    found.closing_speed.push_back(derivative ? speed.d : speed.v);
  }
}

Matrix Neighbourhood::loop_rows() {
  reset(), evaluate(false);
  const int rows = static_cast<int>(p_.lambda.size());
  Matrix G(rows, open_.nu);
  if (rows == 0) return G;
  std::vector<D> all(static_cast<size_t>(rows) * static_cast<size_t>(open_.nu));
  loop_jacobian<D>(*at_.k, place_loops<D>(w_, *at_.k), all.data());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < open_.nu; ++j)
      G(i, j) =
          all[static_cast<size_t>(i) * static_cast<size_t>(open_.nu) + static_cast<size_t>(j)].v;
  return G;
}

double Neighbourhood::loop_length() const { return LoopRows<double>(open_).length(); }

Derivative Neighbourhood::value() { return reset(), evaluate(false); }

Derivative Neighbourhood::along_position(int x) {
  std::vector<double> delta(open_.nx, 0.0);
  delta[x] = 1;
  reset(), move(delta);
  return evaluate(true);
}
Derivative Neighbourhood::along_velocity(int u) {
  reset(), u_[u].d = 1;
  return evaluate(true);
}
Derivative Neighbourhood::along_acceleration(int u) {
  reset(), a_[u].d = 1;
  return evaluate(true);
}
Derivative Neighbourhood::along_state(int s) {
  reset(), s_[s].d = 1;
  return evaluate(true);
}

Derivative Neighbourhood::along_parameter(int parameter) {
  D& own = w_.numbers().parameters[parameter];
  reset(), own.d = 1;
  Derivative found = evaluate(true);
  own.d = 0;
  return found;
}

std::vector<double> Neighbourhood::forces_along(const std::vector<double>& delta) {
  reset(), move(delta);
  return evaluate(true).r;
}

/// The forces of all elements when one formula grows by ε.
Derivative Neighbourhood::by_formula(int formula, bool rate) {
  reset(), evaluate(false);
  Apart apart(open_);
  ForceContext<D> c = apart.context(*at_.k, *at_.f);
  const size_t n = open_.formulas.size();
  std::vector<D> values(c.formula, c.formula + n), rates(c.formula_rate, c.formula_rate + n);
  (rate ? rates : values)[formula].d = 1;
  c.formula = values.data(), c.formula_rate = rates.data();
  w_.numbers().forces.apply(c);
  Derivative found;
  for (const D& x : apart.along(*at_.k))
    found.r.push_back(-x.d);  // forces stand in r with a minus sign
  for (const D& x : apart.state_rate) found.state_rate.push_back(x.d);
  found.outputs.assign(output_names_.size(), 0.0);
  found.closure.assign(p_.lambda.size(), 0.0), found.closing_speed = found.closure;
  return found;
}

std::vector<Input> Neighbourhood::inputs() {
  std::vector<Input> found;
  const auto joint_velocity = [&](int u, const char* what) {
    const JointInfo* joint = open_.joint_of_body(open_.body_of_velocity(u));
    return joint->nu == 1 ? fmt::format("{}.{}", joint->name, what)
                          : fmt::format("{}.{}{}", joint->name, what, u - joint->u0 + 1);
  };
  ForceSet<double>::each(open_.numbers.forces, [&]<class E>(const std::vector<E>& list) {
    for (size_t i = 0; i < list.size(); ++i) {
      const auto name = [&](const char* what) {
        if constexpr (OnVelocity<E>)
          return joint_velocity(list[i].u, what);
        else
          return open_.owner_of(list[i], i) + "." + what;
      };
      list[i].inputs([&](const FormulaInput& in) {
        found.push_back({name(in.name), by_formula(in.formula, false), -1, 0});
        if (in.rate && in.rate_acts)
          found.push_back({name(in.rate), by_formula(in.formula, true), -1, 0});
      });
    }
  });
  for (const InputInfo& input : open_.inputs)
    if (input.parameter >= 0)
      found.push_back({input.name, along_parameter(input.parameter), -1, 0});
  for (const PrescribedMotion& motion : whole_->motions) {
    const auto b = static_cast<size_t>(motion.body);
    found.push_back({joint_velocity(motion.u, "motion"),
                     along_position(open_.x0[b] + motion.u - open_.u0[b]), motion.u, 0});
    found.push_back(
        {joint_velocity(motion.u, "motion_rate"), along_velocity(motion.u), motion.u, 1});
    found.push_back(
        {joint_velocity(motion.u, "motion_second"), along_acceleration(motion.u), motion.u, 2});
  }
  return found;
}

ChartRates Neighbourhood::chart_rates() const {
  ChartRates k{Matrix(open_.nx, open_.nu), Matrix(open_.nx, open_.nx)};
  for (size_t b = 1; b < static_cast<size_t>(open_.nb); ++b) {
    const JointKind kind = open_.kind[b];
    const int nx = open_.x0[b + 1] - open_.x0[b], nu = open_.u0[b + 1] - open_.u0[b];
    const JointNumbers<D>& numbers = w_.numbers().body[b].joint;
    D q0[7], q[7], u[6], xi[6], v[6];
    double v0[6] = {};
    const auto at_point = [&] {
      for (int i = 0; i < open_.q0[b + 1] - open_.q0[b]; ++i)
        q0[i] = q[i] = D(p_.q[open_.q0[b] + i]);
      for (int i = 0; i < nu; ++i) u[i] = D(p_.u[open_.u0[b] + i]);
      for (int i = 0; i < nx; ++i) xi[i] = D(0.0);
    };
    for (int j = 0; j < nu; ++j) {
      at_point(), u[j].d = 1;
      chart_velocity(kind, numbers, q, u, v);
      for (int i = 0; i < nx; ++i) k.N(open_.x0[b] + i, open_.u0[b] + j) = v[i].d, v0[i] = v[i].v;
    }
    for (int j = 0; j < nx; ++j) {
      at_point(), xi[j].d = 1;
      retract(kind, q0, xi, q);
      chart_velocity(kind, numbers, q, u, v);
      for (int i = 0; i < nx; ++i) k.E(open_.x0[b] + i, open_.x0[b] + j) = v[i].d;
    }
    subtract_ad(kind, v0, open_.x0[b], k.E);
  }
  return k;
}

double Neighbourhood::force_scale() {
  reset(), evaluate(false);
  double most = 0;
  // the forces of elements, and those of gravity and inertia, each separately
  const std::vector<D> with = tau_;
  for (size_t i = 0; i < with.size(); ++i) {
    const double own = at_.f->tau[i].v;
    most = std::max({most, std::fabs(own), std::fabs(with[i].v + own)});
  }
  const std::vector<Wrench<D>>& wrench = at_.f->wrench;
  if (w_.numbers().forces.has_spatial())
    for (int b = 1; b < open_.nb; ++b)
      for (int k = 0; k < 3; ++k) most = std::max({most, std::fabs(wrench[b].n[k].v)});
  // weights at their levers
  double weight = 0, reach = 0;
  for (int b = 1; b < open_.nb; ++b) {
    const auto s = static_cast<size_t>(b);
    weight += w_.numbers().body[s].inertia.m.v;
    const Vector3<D> o = at_.k->body[b].o - at_.k->body[open_.parent[s]].o;
    reach = std::max(reach, std::sqrt(dot(o, o).v));
  }
  const Vec3 g = open_.numbers.gravity;
  return std::max(most, weight * std::sqrt(dot(g, g)) * std::max(reach, 1e-3));
}

std::vector<std::pair<std::string, std::vector<double>>> Neighbourhood::element_forces(
    const std::vector<double>& delta) {
  reset(), move(delta), evaluate(true);
  std::vector<std::pair<std::string, std::vector<double>>> found;
  const auto force_of = [&](const auto& element) {
    Apart apart(open_);
    ForceContext<D> c = apart.context(*at_.k, *at_.f);
    element.apply(c);
    std::vector<double> force;
    for (const D& x : apart.along(*at_.k)) force.push_back(x.d);
    return force;
  };
  ForceSet<D>::each(w_.numbers().forces, [&]<class E>(const std::vector<E>& list) {
    if constexpr (E::facts.follows_positions)
      for (size_t i = 0; i < list.size(); ++i)
        found.emplace_back(share_name(open_, list[i], i), force_of(list[i]));
  });
  return found;
}

// ── shares of energy ────────────────────────────────────────────────────────────────────────────

EnergyShares energy_shares(const Mechanism& m, const OperatingPoint& p,
                           const std::vector<double>& phi) {
  EnergyShares shares;
  // kinetic, by body: twists are linear in u
  const Mechanism open = without_motions(m);
  Workspace<double> w(open);
  const Kinematics<double>& k = move(w, p.t, p.q.data(), phi.data(), p.state.data());
  const double kinetic = kinetic_energy(w, k);
  for (const BodyInfo& b : m.bodies) {
    if (b.body == 0) continue;
    const BodyMotion<double>& B = k.body[b.body];
    const Twist<double> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
    double own = 0.5 * dot(V, open.numbers.body[b.body].inertia * V);
    for (size_t e = 0; e < m.elastic.size(); ++e)
      if (m.elastic[e].frame == b.body) own += elastic_kinetic_energy(k, static_cast<int>(e));
    shares.kinetic.emplace_back(b.name, kinetic > 0 ? own / kinetic : 0);
  }
  double armatures = 0;
  for (size_t i = 0; i < phi.size(); ++i)
    armatures += 0.5 * open.numbers.armature[i] * phi[i] * phi[i];
  if (armatures > 0) shares.kinetic.emplace_back("armatures", armatures / kinetic);
  if (kinetic > 0) {
    const Vec3 P = momentum(w, k).f;
    for (int i = 0; i < 3; ++i) shares.effective_mass[i] = P[i] * P[i] / (2 * kinetic);
  }

  // potential, by element: −½ φ·δτ; δξ = φ where the chart has as many entries as u
  if (m.nx != m.nu) return shares;
  Neighbourhood near(m, p);
  const auto energy = [&](const std::vector<double>& force) {
    double sum = 0;
    for (size_t i = 0; i < phi.size(); ++i) sum += 0.5 * phi[i] * force[i];
    return sum;
  };
  const double whole = energy(near.forces_along(phi));
  double elements = 0;
  for (const auto& [name, force] : near.element_forces(phi)) {
    const double own = -energy(force);
    elements += own;
    const auto same = std::find_if(shares.potential.begin(), shares.potential.end(),
                                   [&name = name](const auto& e) { return e.first == name; });
    if (same != shares.potential.end())
      same->second += own;
    else
      shares.potential.emplace_back(name, own);
  }
  shares.potential.emplace_back("gravity and inertia", whole - elements);
  for (auto& [name, share] : shares.potential) share = whole != 0 ? share / whole : 0;
  return shares;
}

}  // namespace sarrus
