#include "sarrus/formulations/stages/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/tree/tree_response.hpp"

namespace sarrus {
namespace {

constexpr int friction_repetitions = 100;
constexpr double lost_pivot = 1e-14;          // relative: rounding alone
constexpr double friction_tolerance = 1e-13;  // relative change of the reaction

template <class T>
T zero() {
  return T(0.0);
}

}  // namespace

template <class T>
Dynamics<T>::Dynamics(const Mechanism& mechanism)
    : Dynamics(mechanism, mechanism.numbers.template as<T>()) {}

template <class T>
Dynamics<T>::Dynamics(const Mechanism& mechanism, Numbers<T> numbers)
    : m_(&mechanism),
      numbers_(std::move(numbers)),
      kernels_(&tree_kernels<T>()),
      elastic_(mechanism) {
  const Mechanism& m = mechanism;
  const auto nb = static_cast<size_t>(m.nb), nu = static_cast<size_t>(m.nu);
  const size_t padded = (static_cast<size_t>(m.nq) + 3) / 4 * 4;  // kernels read q four at a time
  q_.assign(padded, zero<T>()), sin_ = q_, cos_ = q_;
  u_.assign(nu, zero<T>()), tau_ = u_, udot_ = u_, udot_given_ = u_, kinetic_rate_ = u_;
  state_.assign(static_cast<size_t>(m.ns), zero<T>()), state_rate_ = state_;
  normal_.assign(nb, zero<T>());
  slots_.assign(static_cast<size_t>(m.slots()), zero<T>());
  jets_.resize(slots_.size());
  formula_.assign(m.formulas.size(), zero<T>()), formula_rate_ = formula_;
  motion_.resize(nb), link_.resize(nb), wrench_.resize(nb), A_.resize(nb);
  freedom_.resize(nu);
  int lower = 0;
  for (int i = 0; i < m.nb; ++i) {
    const int part = m.part[static_cast<size_t>(i)];
    const bool last = m.kind[static_cast<size_t>(i)] == JointKind::elastic && part >= 0;
    const int n =
        last ? m.elastic[static_cast<size_t>(part)].n : joint_nu(m.kind[static_cast<size_t>(i)]);
    l0_.push_back(lower);
    lower += n * (n - 1) / 2;
  }
  lower_.assign(static_cast<size_t>(lower) + 1, zero<T>());
  held_ = m.prescribed;
  spatial_ = numbers_.forces.has_spatial() || !m.closures.empty();
  coupling_ = u_;
  if constexpr (closes_loops<T>)
    if (!m.closures.empty()) {
      loops_.emplace(m);
      open_ = u_;
      impulse_.resize(nb), impulse_rate_.resize(nb);
    }
  for (const auto& f : numbers_.forces.frictions) rubs_ = rubs_ || value(f.coefficient) > 0;
}

template <class T>
TreeView<T> Dynamics<T>::view() const {
  const Mechanism& m = *m_;
  auto& own = const_cast<Dynamics&>(*this);  // kernels write into the workspace
  return {m.nb,
          m.nq,
          m.nu,
          static_cast<int>(elastic_.flex().size()),
          m.parent.data(),
          m.q0.data(),
          m.u0.data(),
          l0_.data(),
          m.kind.data(),
          m.part.data(),
          own.elastic_.flex().data(),
          elastic_.seat().data(),
          held_.data(),
          numbers_.body.data(),
          numbers_.armature.data(),
          numbers_.gravity,
          q_.data(),
          u_.data(),
          tau_.data(),
          spatial_ ? wrench_.data() : nullptr,
          udot_given_.data(),
          own.sin_.data(),
          own.cos_.data(),
          own.motion_.data(),
          own.link_.data(),
          own.freedom_.data(),
          own.lower_.data(),
          own.A_.data(),
          own.udot_.data()};
}

template <class T>
ForceContext<T> Dynamics<T>::force_context() {
  return {motion_.data(),     q_.data(),       u_.data(),
          state_.data(),      formula_.data(), formula_rate_.data(),
          normal_.data(),     tau_.data(),     wrench_.data(),
          state_rate_.data(), &flow_};
}

// ── setting the instant ─────────────────────────────────────────────────────────────────────────

template <class T>
void Dynamics<T>::take(const T& t, const T* q, const T* state) {
  t_ = t;
  stated_.reset();
  std::copy_n(q, m_->nq, q_.begin());
  std::copy_n(state, m_->ns, state_.begin());
  // the search for reactions starts anew, so that a result does not depend on the call before
  std::fill(normal_.begin(), normal_.end(), zero<T>());
  slots_[0] = t;
  std::copy(numbers_.parameters.begin(), numbers_.parameters.end(), slots_.begin() + 1);
}

template <class T>
void Dynamics<T>::set(const T& t, const T* q, const T* u, const T* state) {
  take(t, q, state);
  std::copy_n(u, m_->nu, u_.begin());
  prescribe();
  kernels_->kinematics_and_inertia(view());
  set_signals(0, m_->early_signals);
  apply_forces();
}

template <class T>
void Dynamics<T>::set_momenta(const T& t, const T* q, const T* p, const T* state) {
  take(t, q, state);
  prescribe();
  kernels_->velocities(view(), p, u_.data(), kinetic_rate_.data());
  if constexpr (closes_loops<T>)
    if (loops_) close_velocities(p);
  set_signals(0, m_->early_signals);
  apply_forces();
}

template <class T>
void Dynamics<T>::set_measured(const T& t, const T* q, const T* u, const T* state,
                               const BodyMotion<T>* bodies, const T* normal) {
  measured_ = true;
  take(t, q, state);
  set_time_jets();
  std::copy_n(u, m_->nu, u_.begin());
  std::copy_n(bodies, m_->nb, motion_.begin());
  std::copy_n(normal, m_->nb, normal_.begin());
  set_signals(0, m_->early_signals);
  apply_forces();
}

template <class T>
void Dynamics<T>::set_measured_accelerations(const Twist<T>* A, const Wrench<T>* reactions,
                                             const Wrench<T>* closings) {
  const Vector3<T> z = zero3<T>();
  const Symmetric3<T> none{zero<T>(), zero<T>(), zero<T>(), zero<T>(), zero<T>(), zero<T>()};
  closings_.assign(closings, closings + m_->closures.size());
  if constexpr (closes_loops<T>)
    if (loops_) loops_->place(motion_.data(), q_.data(), u_.data());
  for (size_t i = 0; i < motion_.size(); ++i) {
    A_[i] = {A[i].w, A[i].v - numbers_.gravity};
    link_[i].IA = {none, {z, z, z}, none};  // a reaction is its bias alone
    link_[i].p = reactions[i];
    if (i == 0) continue;
    const BodyMotion<T>& parent = motion_[static_cast<size_t>(m_->parent[i])];
    const BodyNumbers<T>& B = numbers_.body[i];
    link_[i].r = motion_[i].o - parent.o;
    Twist<T> S[6];
    with_joint(m_->kind[i], [&](auto joint) {
      if constexpr (joint.nu > 0)
        joint.columns(B.joint, q_.data() + m_->q0[i], parent.R * B.X_PF.R, motion_[i].R, S);
    });
    for (int u = m_->u0[i]; u < m_->u0[i + 1]; ++u)
      freedom_[static_cast<size_t>(u)].S = S[u - m_->u0[i]];
  }
  for (const Motion& motion : m_->motions)
    udot_[static_cast<size_t>(motion.u)] = motion_at(motion).dd;
}

template <class T>
void Dynamics<T>::momentum_rates(T* pdot) {
  kernels_->momentum_rates(view(), kinetic_rate_.data(), pdot);
  if constexpr (closes_loops<T>)
    if (loops_) add_impulse_rates(pdot);
}

/// Time runs, parameters rest: what motions and the rates of references depend on.
template <class T>
void Dynamics<T>::set_time_jets() {
  const size_t known = 1 + numbers_.parameters.size();
  jets_[0] = {t_, T(1.0), zero<T>()};
  for (size_t i = 1; i < known; ++i) jets_[i] = {slots_[i], zero<T>(), zero<T>()};
}

template <class T>
Jet<T> Dynamics<T>::motion_at(const Motion& motion) const {
  return m_->formulas[static_cast<size_t>(motion.formula)].template evaluate<Jet<T>>(
      {jets_.data(), jets_.size()});
}

template <class T>
void Dynamics<T>::prescribe() {
  if (m_->motions.empty() && m_->reference_formulas.empty()) return;
  set_time_jets();
  for (const Motion& motion : m_->motions) {
    const Jet<T> f = motion_at(motion);
    q_[static_cast<size_t>(motion.q)] = f.v;
    u_[static_cast<size_t>(motion.u)] = f.d;
    udot_given_[static_cast<size_t>(motion.u)] = f.dd;
  }
}

template <class T>
void Dynamics<T>::set_signals(int from, int to) {
  using Kind = Signal::Kind;
  for (int i = from; i < to; ++i) {
    const Signal& s = m_->signals[static_cast<size_t>(i)];
    T& slot = slots_[static_cast<size_t>(m_->slot_of_signal(i))];
    switch (s.kind) {
      case Kind::coordinate: slot = q_[static_cast<size_t>(s.index)]; break;
      case Kind::velocity: slot = u_[static_cast<size_t>(s.index)]; break;
      case Kind::position: slot = sensor_motion(s.index).position[s.axis]; break;
      case Kind::point_velocity: slot = sensor_motion(s.index).velocity[s.axis]; break;
      case Kind::angular_velocity: {
        const int body = m_->point_sensors[static_cast<size_t>(s.index)].body;
        slot = motion(body).V.w[s.axis];
        break;
      }
      case Kind::point_acceleration: slot = sensor_acceleration(s.index)[s.axis]; break;
      case Kind::accelerometer: slot = sensor_accelerometer(s.index)[s.axis]; break;
      case Kind::formula: slot = formula_value(s.index); break;
    }
  }
}

template <class T>
void Dynamics<T>::apply_forces() {
  for (const int f : m_->force_formulas) formula_[static_cast<size_t>(f)] = formula_value(f);
  if (!m_->reference_formulas.empty()) {
    // rates of servo references: exact in t, signals are taken as they stand
    for (size_t i = 1; i < slots_.size(); ++i) jets_[i] = {slots_[i], zero<T>(), zero<T>()};
    for (const int f : m_->reference_formulas)
      formula_rate_[static_cast<size_t>(f)] =
          m_->formulas[static_cast<size_t>(f)]
              .template evaluate<Jet<T>>({jets_.data(), jets_.size()})
              .d;
  }
  std::fill(tau_.begin(), tau_.end(), zero<T>());
  if (spatial_) std::fill(wrench_.begin(), wrench_.end(), Wrench<T>{zero3<T>(), zero3<T>()});
  flow_ = {zero<T>(), zero<T>(), zero<T>(), zero<T>()};
  ForceContext<T> context = force_context();
  numbers_.forces.apply(context);
}

template <class T>
bool Dynamics<T>::accelerate() {
  bool closed = move_tree(), agreed = !rubs_;
  for (int k = 0; k < friction_repetitions && !agreed; ++k) {
    agreed = reactions_settled();
    if (agreed) break;
    kernels_->kinematics_and_inertia(view());
    apply_forces();
    closed = move_tree();
  }
  // what prescribed motions put in
  for (const Motion& motion : m_->motions)
    flow_.drive += drive_force(motion.body, motion.u) * u_[static_cast<size_t>(motion.u)];
  return agreed && closed;
}

template <class T>
bool Dynamics<T>::move_tree() {
  kernels_->forward_dynamics(view());
  if constexpr (closes_loops<T>)
    if (loops_) return close_accelerations();
  return true;
}

/// One look at the fixed point between the reactions that friction rubs on and the motion that
/// friction allows. A lane that has settled is held, so that it does not depend on its neighbours.
template <class T>
bool Dynamics<T>::reactions_settled() {
  bool all = true;
  for (const auto& f : numbers_.forces.frictions) {
    T& normal = normal_[static_cast<size_t>(f.body)];
    // what presses: the reaction force across the axis
    const Twist<T>& S = freedom_[static_cast<size_t>(f.u)].S;
    const Vector3<T> axis = (S.w + S.v) * (T(1.0) / sqrt(dot(S.w, S.w) + dot(S.v, S.v)));
    const Vector3<T> force = reaction(f.body).f, across = force - axis * dot(axis, force);
    const T size = sqrt(dot(across, across) + T(1e-300));
    const auto settled = less(step_abs(size - normal), T(friction_tolerance) * (size + T(1e-12)));
    normal = select(settled, normal, size);

    const T flag = select(settled, T(1.0), zero<T>());
    if constexpr (requires { T::lanes; }) {
      for (int lane = 0; lane < T::lanes; ++lane) all = all && flag[lane] > 0;
    } else {
      all = all && value(flag) > 0;
    }
  }
  return all;
}

/// The twist of an elastic body's frame, and the momentum of that body alone, in world axes.
template <class T>
Twist<T> Dynamics<T>::own_twist(const Flex<T>& flex) const {
  return motion_[static_cast<size_t>(flex.body)].V;
}

template <class T>
Wrench<T> Dynamics<T>::own_momentum(const Flex<T>& flex) const {
  Wrench<T> h = flex.own * own_twist(flex);
  for (int k = 0; k < flex.n; ++k) h += flex.own_coupling[k] * u_[static_cast<size_t>(flex.u0 + k)];
  return h;
}

// ── energies and momenta ────────────────────────────────────────────────────────────────────────

template <class T>
T Dynamics<T>::kinetic_energy() const {
  if (stated_) return (*stated_)[0];
  T sum = zero<T>();
  for (size_t i = 1; i < motion_.size(); ++i) {
    const BodyInertia<T>& I = numbers_.body[i].inertia;
    const Twist<T> V{transposed_times(motion_[i].R, motion_[i].V.w),
                     transposed_times(motion_[i].R, motion_[i].V.v)};
    sum += dot(V, I * V);
  }
  for (size_t j = 0; j < u_.size(); ++j) sum += numbers_.armature[j] * u_[j] * u_[j];
  for (size_t e = 0; e < elastic_.flex().size(); ++e)
    sum += T(2.0) * elastic_kinetic_energy(static_cast<int>(e));
  return T(0.5) * sum;
}

template <class T>
T Dynamics<T>::elastic_kinetic_energy(int elastic) const {
  const Flex<T>& flex = elastic_.flex()[static_cast<size_t>(elastic)];
  const T* u = u_.data() + flex.u0;
  T sum = dot(own_twist(flex), own_momentum(flex));
  for (int k = 0; k < flex.n; ++k) {
    T p = dot(own_twist(flex), flex.own_coupling[k]);
    for (int l = 0; l < flex.n; ++l) p += flex.own_elastic[k * flex.n + l] * u[l];
    sum += p * u[k];
  }
  return T(0.5) * sum;
}

template <class T>
T Dynamics<T>::potential_energy() const {
  if (stated_) return flow_.potential + (*stated_)[1];
  T sum = flow_.potential;
  for (size_t i = 1; i < motion_.size(); ++i) {
    const BodyInertia<T>& I = numbers_.body[i].inertia;
    sum -= dot(numbers_.gravity, motion_[i].o * I.m + motion_[i].R * I.mc);
  }
  for (const Flex<T>& flex : elastic_.flex())
    sum -=
        dot(numbers_.gravity, motion_[static_cast<size_t>(flex.body)].o * flex.own.m + flex.own.mc);
  return sum;
}

template <class T>
void Dynamics<T>::state_energies(const T& kinetic, const T& gravity) {
  stated_ = {kinetic, gravity};
}

template <class T>
void Dynamics<T>::joint_forces(T* Q, bool with_gravity) {
  TreeView<T> v = view();
  if (!with_gravity) v.gravity = zero3<T>();
  std::fill(Q, Q + m_->nu, zero<T>());
  kernels_->momentum_rates(v, Q, Q);
}

template <class T>
Wrench<T> Dynamics<T>::momentum() const {
  Wrench<T> sum{zero3<T>(), zero3<T>()};
  for (size_t i = 1; i < motion_.size(); ++i) {
    const BodyMotion<T>& B = motion_[i];
    const Twist<T> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
    sum += shifted_in(rotated(B.R, numbers_.body[i].inertia * V), B.o);
  }
  for (const Flex<T>& flex : elastic_.flex())
    sum += shifted_in(own_momentum(flex), motion_[static_cast<size_t>(flex.body)].o);
  return sum;
}

template <class T>
void Dynamics<T>::joint_momenta(T* p) {
  // h of each subtree, gathered inward in the place of the bias wrenches
  for (size_t i = 1; i < motion_.size(); ++i) {
    const BodyMotion<T>& B = motion_[i];
    const Twist<T> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
    link_[i].p = rotated(B.R, numbers_.body[i].inertia * V);
  }
  for (size_t j = 0; j < u_.size(); ++j) p[j] = numbers_.armature[j] * u_[j];
  for (const Flex<T>& flex : elastic_.flex()) {
    link_[static_cast<size_t>(flex.body)].p = own_momentum(flex);
    const T* u = u_.data() + flex.u0;
    for (int k = 0; k < flex.n; ++k) {
      p[flex.u0 + k] += dot(own_twist(flex), flex.own_coupling[k]);
      for (int l = 0; l < flex.n; ++l) p[flex.u0 + k] += flex.own_elastic[k * flex.n + l] * u[l];
    }
  }
  for (size_t i = motion_.size() - 1; i > 0; --i) {
    each_column(static_cast<int>(i), [&](int j, const Twist<T>& S) { p[j] += dot(S, link_[i].p); });
    link_[static_cast<size_t>(m_->parent[i])].p += shifted_in(link_[i].p, link_[i].r);
  }
}

template <class T>
void Dynamics<T>::mass_matrix(T* M) {
  kernels_->mass_matrix(view(), M);
}

template <class T>
void Dynamics<T>::inverse_dynamics(const T* udot, T* tau) {
  std::copy_n(udot, m_->nu, udot_given_.begin());
  kernels_->inverse_dynamics(view(), tau);
  for (int j = 0; j < m_->nu; ++j) tau[j] -= tau_[static_cast<size_t>(j)];
}

template <class T>
void Dynamics<T>::inverse_dynamics_at(const T* q, const T* u, const T* udot, T* tau) {
  std::copy_n(q, m_->nq, q_.begin());
  std::copy_n(u, m_->nu, u_.begin());
  std::copy_n(udot, m_->nu, udot_given_.begin());
  TreeView<T> v = view();
  v.wrench = nullptr;
  kernels_->inverse_dynamics(v, tau);
}

template <class T>
void Dynamics<T>::mass_matrix_at(const T* q, T* M) {
  std::copy_n(q, m_->nq, q_.begin());
  kernels_->mass_matrix(view(), M);
}

// ── accelerations and reactions ─────────────────────────────────────────────────────────────────

template <class T>
Twist<T> Dynamics<T>::acceleration(int body) const {
  const Twist<T>& a = A_[static_cast<size_t>(body)];
  return {a.w, a.v + numbers_.gravity};
}

template <class T>
Wrench<T> Dynamics<T>::reaction(int body) const {
  const Link<T>& link = link_[static_cast<size_t>(body)];
  return link.IA * A_[static_cast<size_t>(body)] + link.p;
}

template <class T>
T Dynamics<T>::drive_force(int body, int u) const {
  const auto j = static_cast<size_t>(u);
  return dot(freedom_[j].S, reaction(body)) + numbers_.armature[j] * udot_[j] - tau_[j] -
         coupling_[j];
}

template <class T>
typename Dynamics<T>::Pivot Dynamics<T>::smallest_pivot() const {
  Pivot smallest;
  // from the leaves inward: beyond a pivot that is lost, those of its ancestors mean nothing
  for (int i = m_->nb - 1; i > 0 && smallest.relative > lost_pivot; --i) {
    const auto b = static_cast<size_t>(i);
    if (m_->prescribed[b]) continue;
    for (int j = m_->u0[b]; j < m_->u0[b + 1]; ++j) {
      const Freedom<T>& f = freedom_[static_cast<size_t>(j)];
      const ArticulatedInertia<T>& A = link_[b].IA;
      const double d = 1 / value(f.inverse);
      // what D could be for this column if nothing cancelled
      const double scale =
          value(dot(f.S.w, f.S.w)) *
              (std::fabs(value(A.I.xx)) + std::fabs(value(A.I.yy)) + std::fabs(value(A.I.zz))) +
          value(dot(f.S.v, f.S.v)) *
              (std::fabs(value(A.M.xx)) + std::fabs(value(A.M.yy)) + std::fabs(value(A.M.zz)));
      const double relative =
          scale > 0 && std::isfinite(d) ? d / scale : (d > 0 && std::isfinite(d) ? 1 : 0);
      if (relative < smallest.relative) smallest = {relative, j};
    }
  }
  return smallest;
}

template <class T>
void Dynamics<T>::solve(const T* b, T* x) {
  kernels_->solve(view(), b, x);
}

template <class T>
void Dynamics<T>::operational_inertia(int i, int j, T* V) const {
  const TreeView<T> v = view();
  const std::vector<T> none(freedom_.size(), zero<T>());
  std::vector<T> w = none, x = none;
  std::vector<int> way;  // from i to the world
  for (int b = i; b > 0; b = m_->parent[static_cast<size_t>(b)]) way.push_back(b);
  for (int column = 0; column < 6; ++column) {
    // a unit wrench on j, in along its way to the world; it enters like a bias, with a minus sign
    std::fill(w.begin(), w.end(), zero<T>());
    Wrench<T> p{zero3<T>(), zero3<T>()};
    (column < 3 ? p.n : p.f)[column % 3] = T(-1.0);
    for (int b = j; b > 0; b = m_->parent[static_cast<size_t>(b)])
      p = absorbed(v, b, p, none.data(), w.data());
    // and out along the way to i
    Twist<T> a{zero3<T>(), zero3<T>()};
    for (auto b = way.rbegin(); b != way.rend(); ++b) a = answered(v, *b, a, w.data(), x.data());
    for (int r = 0; r < 3; ++r) {
      V[column * 6 + r] = a.w[r];
      V[column * 6 + 3 + r] = a.v[r];
    }
  }
}

// ── sensors ─────────────────────────────────────────────────────────────────────────────────────

template <class T>
void Dynamics<T>::set_late_signals() {
  set_signals(m_->early_signals, static_cast<int>(m_->signals.size()));
}

template <class T>
T Dynamics<T>::formula_value(int formula) const {
  return m_->formulas[static_cast<size_t>(formula)].template evaluate<T>(
      {slots_.data(), slots_.size()});
}

template <class T>
PointMotion<T> Dynamics<T>::sensor_motion(int sensor) const {
  const PointSensor& s = m_->point_sensors[static_cast<size_t>(sensor)];
  return point_motion(motion(s.body), cast<T>(s.at));
}

template <class T>
Vector3<T> Dynamics<T>::sensor_acceleration(int sensor) const {
  // classical: a_lin + ω × v_o + α × x + ω × (ω × x)
  const PointSensor& s = m_->point_sensors[static_cast<size_t>(sensor)];
  const BodyMotion<T>& B = motion(s.body);
  const Twist<T> a = acceleration(s.body);
  const Vector3<T> x = B.R * cast<T>(s.at);
  return a.v + cross(B.V.w, B.V.v) + cross(a.w, x) + cross(B.V.w, cross(B.V.w, x));
}

template <class T>
Vector3<T> Dynamics<T>::sensor_accelerometer(int sensor) const {
  const PointSensor& s = m_->point_sensors[static_cast<size_t>(sensor)];
  const Matrix3<T> R_WS = motion(s.body).R * cast<T>(s.R_BS);
  return transposed_times(R_WS, sensor_acceleration(sensor) - numbers_.gravity);
}

template class Dynamics<double>;
template class Dynamics<Pack<4>>;
template class Dynamics<Dual<double>>;
template class Dynamics<std::complex<double>>;

}  // namespace sarrus
