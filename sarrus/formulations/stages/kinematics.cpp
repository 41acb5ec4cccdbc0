// From coordinates to Kinematics.
#include "sarrus/formulations/stages/rooms.hpp"

namespace sarrus {
namespace {

/// Time runs, parameters rest: what prescribed motions and the rates of references depend on.
template <class T>
void set_time_jets(Rooms<T>& r, const T& t) {
  r.jets[0] = {t, T(1.0), T(0.0)};
  for (size_t i = 0; i < r.numbers.parameters.size(); ++i)
    r.jets[1 + i] = {r.numbers.parameters[i], T(0.0), T(0.0)};
}

template <class T>
Jet<T> motion_now(const Rooms<T>& r, const PrescribedMotion& motion) {
  const Jet<T> f =
      r.m.formulas[motion.formula].template evaluate<Jet<T>>({r.jets.data(), r.jets.size()});
  return motion.is_speed ? Jet<T>{T(0.0), f.v, f.d} : f;
}

template <class T>
void prescribe(Rooms<T>& r) {
  if (r.m.motions.empty() && r.m.reference_formulas.empty()) return;
  set_time_jets(r, r.k.t);
  for (const PrescribedMotion& motion : r.m.motions) {
    const Jet<T> f = motion_now(r, motion);
    if (!motion.is_speed) r.k.q[motion.q] = f.v;
    r.k.u[motion.u] = f.d;
    r.k.given[motion.u] = f.dd;
  }
}

template <class T>
void take_positions(Rooms<T>& r, const T& t, const T* q, const T* state) {
  r.k.t = t;
  std::copy_n(q, r.m.nq, r.k.q.begin());
  std::copy_n(state, r.m.ns, r.k.state.begin());
}

/// Columns of the joints between bodies that are where they are.
template <class T>
void measure_columns(Rooms<T>& r) {
  for (int i = 1; i < r.m.nb; ++i) {
    const BodyMotion<T>&parent = r.k.body[r.m.parent[i]], &own = r.k.body[i];
    const BodyNumbers<T>& number = r.numbers.body[i];
    r.k.arm[i].r = own.o - parent.o;
    with_joint(r.m.kind[i], [&](auto joint) {
      if constexpr (joint.nu > 0)
        joint.columns(number.joint, r.k.q.data() + r.m.q0[i], parent.R * number.X_PF.R, own.R,
                      r.k.S.data() + r.m.u0[i]);
    });
  }
}

}  // namespace

template <class T>
const Kinematics<T>& move(Workspace<T>& w, const T& t, const T* q, const T* u, const T* state) {
  Rooms<T>& r = rooms_of(w);
  take_positions(r, t, q, state);
  std::copy_n(u, r.m.nu, r.k.u.begin());
  prescribe(r);
  r.kernels.kinematics(r.view());
  r.is_weighed = true;
  return r.k;
}

template <class T>
const Bodies<T>& take_bodies(Workspace<T>& w, const T& t, const T* q, const T* u, const T* state,
                             const BodyMotion<T>* bodies) {
  Rooms<T>& r = rooms_of(w);
  take_positions(r, t, q, state);
  std::copy_n(u, r.m.nu, r.k.u.begin());
  std::copy_n(bodies, r.m.nb, r.k.body.begin());
  return r.k;
}

template <class T>
const Places<T>& take_places(Workspace<T>& w, const T& t, const T* q, const T* u, const T* state,
                             const BodyMotion<T>* bodies) {
  take_bodies(w, t, q, u, state, bodies);
  Rooms<T>& r = rooms_of(w);
  set_time_jets(r, t);
  for (const PrescribedMotion& motion : r.m.motions) r.k.given[motion.u] = motion_now(r, motion).dd;
  measure_columns(r);
  return r.k;
}

template <class T>
Jet<T> motion_at(Workspace<T>& w, const PrescribedMotion& motion, const T& t) {
  Rooms<T>& r = rooms_of(w);
  set_time_jets(r, t);
  return motion_now(r, motion);
}

template <class T>
const MomentumMotion<T>& move_by_momenta(Workspace<T>& w, const T& t, const T* q, const T* p,
                                         const T* state) {
  Rooms<T>& r = rooms_of(w);
  take_positions(r, t, q, state);
  prescribe(r);
  r.kernels.velocities(r.scratch_view(), p, r.k.u.data(), r.momenta.dT.data());
  r.is_weighed = false;
  if constexpr (closes_loops<T>)
    if (r.loops) close_velocities(r, p);
  return r.momenta;
}

template <class T>
void momentum_rates(Workspace<T>& w, const MomentumMotion<T>& m, const Forces<T>& f, T* pdot) {
  Rooms<T>& r = rooms_of(w);
  assert(&m == &r.momenta && &f == &r.f), (void)f;
  r.kernels.momentum_rates(r.scratch_view(), m.dT.data(), pdot);
  if constexpr (closes_loops<T>)
    if (r.loops) add_impulse_rates(r, pdot);
}

#define SARRUS_KINEMATICS(T)                                                                     \
  template const Kinematics<T>& move(Workspace<T>&, const T&, const T*, const T*, const T*);     \
  template const Bodies<T>& take_bodies(Workspace<T>&, const T&, const T*, const T*, const T*,   \
                                        const BodyMotion<T>*);                                   \
  template const Places<T>& take_places(Workspace<T>&, const T&, const T*, const T*, const T*,   \
                                        const BodyMotion<T>*);                                   \
  template Jet<T> motion_at(Workspace<T>&, const PrescribedMotion&, const T&);                   \
  template const MomentumMotion<T>& move_by_momenta(Workspace<T>&, const T&, const T*, const T*, \
                                                    const T*);                                   \
  template void momentum_rates(Workspace<T>&, const MomentumMotion<T>&, const Forces<T>&, T*);
SARRUS_EACH_SCALAR(SARRUS_KINEMATICS)

}  // namespace sarrus
