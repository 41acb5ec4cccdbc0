#include "sarrus/formulations/stages/workspace.hpp"

#include "sarrus/formulations/stages/rooms.hpp"

namespace sarrus {

template <class T>
Bodies<T>::Bodies(const Mechanism& m)
    : mechanism(&m),
      q((m.nq + 3) / 4 * 4, T(0.0)),  // kernels read q four at a time
      u(m.nu, T(0.0)),
      state(m.ns, T(0.0)),
      body(m.nb) {}

template <class T>
Places<T>::Places(const Mechanism& m)
    : Bodies<T>(m), given(m.nu, T(0.0)), S(m.nu), arm(m.nb), elastic(m) {}

template <class T>
Forces<T>::Forces(const Mechanism& m)
    : slots(m.slots(), T(0.0)),
      formula(m.formulas.size(), T(0.0)),
      formula_rate(formula),
      tau(m.nu, T(0.0)),
      wrench(m.nb),
      state_rate(m.ns, T(0.0)),
      normal(m.nb, T(0.0)) {}

namespace {

/// Velocities that are eliminated together at body i.
int eliminated(const Mechanism& m, int i) {
  if (m.kind[i] != JointKind::elastic) return joint_nu(m.kind[i]);
  return m.part[i] >= 0 ? m.elastic[m.part[i]].n : 1;
}

int size_of_lower(const Mechanism& m) {
  int size = 1;
  for (int i = 0; i < m.nb; ++i) size += eliminated(m, i) * (eliminated(m, i) - 1) / 2;
  return size;
}

}  // namespace

template <class T>
Factors<T>::Factors(const Mechanism& m) : IA(m.nb), pivot(m.nu), lower(size_of_lower(m), T(0.0)) {
  size_t square = 0;
  for (const ElasticInfo& e : m.elastic) square += e.n * e.n;
  D.resize(square);
}

template <class T>
Accelerations<T>::Accelerations(const Mechanism& m)
    : BodyAccelerations<T>(m),
      p(m.nb),
      w(m.nu, T(0.0)),
      h(w),
      multiplier(m.closure_rows.size(), T(0.0)),
      coupling(w) {}

template <class T>
Rooms<T>::Rooms(const Mechanism& mechanism, Numbers<T> given)
    : m(mechanism),
      numbers(std::move(given)),
      kernels(tree_kernels<T>()),
      held(m.prescribed),
      sin((m.nq + 3) / 4 * 4, T(0.0)),
      cos(sin),
      jets(m.slots()),
      k(m),
      f(m),
      d(m),
      a(m),
      asked(m),
      udot_asked(m.nu, T(0.0)),
      scratch(m) {
  for (int i = 0, lower = 0; i < m.nb; ++i) {
    l0.push_back(lower);
    lower += eliminated(m, i) * (eliminated(m, i) - 1) / 2;
  }
  int square = 0;
  for (const ElasticInfo& e : m.elastic) d0.push_back(square), square += e.n * e.n;
  spatial = numbers.forces.has_spatial() || !m.closures.empty();
  for (const auto& friction : numbers.forces.frictions)
    rubs = rubs || value(friction.coefficient) > 0;
  momenta.places = &k;
  momenta.dT.assign(m.nu, T(0.0));
  momenta.impulse.assign(m.closure_rows.size(), T(0.0));
  signals.slots = f.slots;
  if constexpr (closes_loops<T>)
    if (!m.closures.empty()) loops = std::make_unique<LoopRoom<T>>(m);
}

template <class T>
TreeView<T> Rooms<T>::view() {
  return {.nb = m.nb,
          .nq = m.nq,
          .nu = m.nu,
          .flexes = static_cast<int>(m.elastic.size()),
          .parent = m.parent.data(),
          .q0 = m.q0.data(),
          .u0 = m.u0.data(),
          .l0 = l0.data(),
          .d0 = d0.data(),
          .kind = m.kind.data(),
          .part = m.part.data(),
          .prescribed = held.data(),
          .number = numbers.body.data(),
          .armature = numbers.armature.data(),
          .gravity = numbers.gravity,
          .q = k.q.data(),
          .u = k.u.data(),
          .sin = sin.data(),
          .cos = cos.data(),
          .motion = k.body.data(),
          .arm = k.arm.data(),
          .S = k.S.data(),
          .flex = k.elastic.flex().data(),
          .seat = k.elastic.seat().data(),
          .tau = f.tau.data(),
          .wrench = spatial ? f.wrench.data() : nullptr,
          .udot_given = k.given.data(),
          .IA = d.IA.data(),
          .pivot = d.pivot.data(),
          .lower = d.lower.data(),
          .D = d.D.data(),
          .p = a.p.data(),
          .w = a.w.data(),
          .h = a.h.data(),
          .A = a.A.data(),
          .udot = a.udot.data()};
}

template <class T>
TreeView<T> Rooms<T>::scratch_view() {
  TreeView<T> v = view();
  v.p = scratch.p.data(), v.w = scratch.w.data(), v.h = scratch.h.data();
  v.A = scratch.A.data(), v.udot = scratch.x.data();
  return v;
}

template <class T>
Workspace<T>::Workspace(const Mechanism& mechanism)
    : Workspace(mechanism, mechanism.numbers.template as<T>()) {}
template <class T>
Workspace<T>::Workspace(const Mechanism& mechanism, Numbers<T> numbers)
    : rooms_(std::make_unique<Rooms<T>>(mechanism, std::move(numbers))) {}
template <class T>
Workspace<T>::Workspace(Workspace&&) noexcept = default;
template <class T>
Workspace<T>::~Workspace() = default;

template <class T>
const Mechanism& Workspace<T>::mechanism() const {
  return rooms_->m;
}
template <class T>
Numbers<T>& Workspace<T>::numbers() {
  return rooms_->numbers;
}
template <class T>
const Numbers<T>& Workspace<T>::numbers() const {
  return rooms_->numbers;
}
template <class T>
void Workspace<T>::hold(int body, bool held) {
  rooms_->held[body] = held;
}

template <class T>
const RowChoice& Workspace<T>::rows() const {
  static const RowChoice none;
  if constexpr (closes_loops<T>)
    if (rooms_->loops) return rooms_->loops->factors.choice();
  return none;
}
template <class T>
void Workspace<T>::keep_rows(const RowChoice& rows) {
  if constexpr (closes_loops<T>)
    if (rooms_->loops) rooms_->loops->factors.keep(rows);
}

#define SARRUS_WORKSPACE(T)         \
  template struct Bodies<T>;        \
  template struct Places<T>;        \
  template struct Forces<T>;        \
  template struct Factors<T>;       \
  template struct Accelerations<T>; \
  template struct Rooms<T>;         \
  template class Workspace<T>;
SARRUS_EACH_SCALAR(SARRUS_WORKSPACE)

}  // namespace sarrus
