// From Kinematics to Forces.
#include "sarrus/formulations/stages/applied.hpp"
#include "sarrus/formulations/stages/rooms.hpp"

namespace sarrus {

template <class T>
ForceContext<T> force_context(const Bodies<T>& k, const Forces<T>& f, const ForceOutput<T>& out) {
  return {k.body.data(),   k.q.data(),       k.u.data(),
          k.state.data(),  f.formula.data(), f.formula_rate.data(),
          f.normal.data(), out.tau,          out.wrench,
          out.state_rate,  out.flow};
}

template <class T>
void apply_forces(Rooms<T>& r) {
  const Mechanism& m = r.m;
  Forces<T>& f = r.f;
  const auto value_of = [&](int formula) {
    return m.formulas[formula].template evaluate<T>({f.slots.data(), f.slots.size()});
  };
  for (const int i : m.force_formulas) f.formula[i] = value_of(i);
  if (!m.reference_formulas.empty()) {
    // rates of servo references: exact in t, signals are taken as they stand
    r.jets[0] = {r.k.t, T(1.0), T(0.0)};
    for (size_t i = 1; i < f.slots.size(); ++i) r.jets[i] = {f.slots[i], T(0.0), T(0.0)};
    for (const int i : m.reference_formulas)
      f.formula_rate[i] = m.formulas[i].template evaluate<Jet<T>>({r.jets.data(), r.jets.size()}).d;
  }
  std::fill(f.tau.begin(), f.tau.end(), T(0.0));
  if (r.spatial) std::fill(f.wrench.begin(), f.wrench.end(), Wrench<T>{zero3<T>(), zero3<T>()});
  f.flow = {T(0.0), T(0.0), T(0.0), T(0.0)};
  ForceContext<T> context =
      force_context<T>(r.k, f, {f.tau.data(), f.wrench.data(), f.state_rate.data(), &f.flow});
  r.numbers.forces.apply(context);
  for (const int s : m.state_rates) f.state_rate[s] = f.formula[m.states[s].formula];
  for (size_t i = 0; i < r.applied.size(); ++i) f.tau[i] += r.applied[i];
}

template <class T>
void apply_joint_forces(Workspace<T>& w, const T* tau) {
  Rooms<T>& r = rooms_of(w);
  if (tau)
    r.applied.assign(tau, tau + r.m.nu);
  else
    r.applied.clear();
}

template <class T>
const Forces<T>& load(Workspace<T>& w, const Bodies<T>& k, const T* normal) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k), (void)k;
  // the search for reactions starts anew, so that a result does not depend on the one before
  if (normal)
    std::copy_n(normal, r.m.nb, r.f.normal.begin());
  else
    std::fill(r.f.normal.begin(), r.f.normal.end(), T(0.0));
  r.f.slots[0] = r.k.t;
  std::copy(r.numbers.parameters.begin(), r.numbers.parameters.end(), r.f.slots.begin() + 1);
  set_signals<T>(r, nullptr, 0, r.m.early_signals, r.f.slots);
  apply_forces(r);
  return r.f;
}

template <class T>
const Forces<T>& load(Workspace<T>& w, const Bodies<T>& k) {
  return load<T>(w, k, nullptr);
}

#define SARRUS_FORCES(T)                                                     \
  template ForceContext<T> force_context(const Bodies<T>&, const Forces<T>&, \
                                         const ForceOutput<T>&);             \
  template void apply_forces(Rooms<T>&);                                     \
  template void apply_joint_forces(Workspace<T>&, const T*);                 \
  template const Forces<T>& load(Workspace<T>&, const Bodies<T>&);           \
  template const Forces<T>& load(Workspace<T>&, const Bodies<T>&, const T*);
SARRUS_EACH_SCALAR(SARRUS_FORCES)

}  // namespace sarrus
