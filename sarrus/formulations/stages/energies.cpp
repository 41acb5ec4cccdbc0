// Energies and momenta of an instant.
#include "sarrus/formulations/stages/rooms.hpp"

namespace sarrus {
namespace {

/// The twist of an elastic body's frame, in world axes.
template <class T>
const Twist<T>& own_twist(const Places<T>& k, const Flex<T>& flex) {
  return k.body[flex.body].V;
}

/// The momentum of an elastic body alone, in world axes.
template <class T>
Wrench<T> own_momentum(const Places<T>& k, const Flex<T>& flex) {
  Wrench<T> h = flex.own * own_twist(k, flex);
  for (int i = 0; i < flex.n; ++i) h += flex.coupling[i] * k.u[flex.u0 + i];
  return h;
}

/// The twist of a body in its own axes.
template <class T>
Twist<T> in_body_axes(const BodyMotion<T>& B) {
  return {transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
}

}  // namespace

template <class T>
T kinetic_energy(const Workspace<T>& w, const Places<T>& k) {
  T sum(0.0);
  for (size_t i = 1; i < k.body.size(); ++i) {
    const Twist<T> V = in_body_axes(k.body[i]);
    sum += dot(V, w.numbers().body[i].inertia * V);
  }
  for (size_t j = 0; j < k.u.size(); ++j) sum += w.numbers().armature[j] * k.u[j] * k.u[j];
  for (size_t e = 0; e < k.elastic.flex().size(); ++e)
    sum += T(2.0) * elastic_kinetic_energy(k, static_cast<int>(e));
  return T(0.5) * sum;
}

template <class T>
T elastic_kinetic_energy(const Places<T>& k, int elastic) {
  const Flex<T>& flex = k.elastic.flex()[elastic];
  const T* u = k.u.data() + flex.u0;
  T sum = dot(own_twist(k, flex), own_momentum(k, flex));
  for (int i = 0; i < flex.n; ++i) {
    T p = dot(own_twist(k, flex), flex.coupling[i]);
    for (int l = 0; l < flex.n; ++l) p += flex.elastic[i * flex.n + l] * u[l];
    sum += p * u[i];
  }
  return T(0.5) * sum;
}

/// Added to `sum`, body by body.
template <class T>
T with_gravity(const Workspace<T>& w, const Places<T>& k, T sum) {
  const Vector3<T>& g = w.numbers().gravity;
  for (size_t i = 1; i < k.body.size(); ++i) {
    const BodyInertia<T>& I = w.numbers().body[i].inertia;
    sum -= dot(g, k.body[i].o * I.m + k.body[i].R * I.mc);
  }
  for (const Flex<T>& flex : k.elastic.flex())
    sum -= dot(g, k.body[flex.body].o * flex.own.m + flex.own.mc);
  return sum;
}

template <class T>
T gravity_energy(const Workspace<T>& w, const Places<T>& k) {
  return with_gravity(w, k, T(0.0));
}

template <class T>
T potential_energy(const Workspace<T>& w, const Places<T>& k, const Forces<T>& f) {
  return with_gravity(w, k, f.flow.potential);
}

template <class T>
void joint_forces(Workspace<T>& w, const Places<T>& k, const Forces<T>& f, T* Q, bool gravity) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k && &f == &r.f), (void)k, (void)f;
  TreeView<T> v = r.scratch_view();
  if (!gravity) v.gravity = zero3<T>();
  std::fill(Q, Q + r.m.nu, T(0.0));
  r.kernels.momentum_rates(v, Q, Q);
}

template <class T>
Wrench<T> momentum(const Workspace<T>& w, const Places<T>& k) {
  Wrench<T> sum{zero3<T>(), zero3<T>()};
  for (size_t i = 1; i < k.body.size(); ++i) {
    const BodyMotion<T>& B = k.body[i];
    sum += shifted_in(rotated(B.R, w.numbers().body[i].inertia * in_body_axes(B)), B.o);
  }
  for (const Flex<T>& flex : k.elastic.flex())
    sum += shifted_in(own_momentum(k, flex), k.body[flex.body].o);
  return sum;
}

template <class T>
void joint_momenta(Workspace<T>& w, const Places<T>& k, T* p) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k);
  // h of each subtree, gathered inward
  std::vector<Wrench<T>>& h = r.scratch.p;
  for (size_t i = 1; i < k.body.size(); ++i)
    h[i] = rotated(k.body[i].R, r.numbers.body[i].inertia * in_body_axes(k.body[i]));
  for (size_t j = 0; j < k.u.size(); ++j) p[j] = r.numbers.armature[j] * k.u[j];
  for (const Flex<T>& flex : k.elastic.flex()) {
    h[flex.body] = own_momentum(k, flex);
    const T* u = k.u.data() + flex.u0;
    for (int i = 0; i < flex.n; ++i) {
      p[flex.u0 + i] += dot(own_twist(k, flex), flex.coupling[i]);
      for (int l = 0; l < flex.n; ++l) p[flex.u0 + i] += flex.elastic[i * flex.n + l] * u[l];
    }
  }
  for (int i = r.m.nb - 1; i > 0; --i) {
    k.each_column(i, [&](int j, const Twist<T>& S) { p[j] += dot(S, h[i]); });
    h[r.m.parent[i]] += shifted_in(h[i], k.arm[i].r);
  }
}

#define SARRUS_ENERGIES(T)                                                                 \
  template T kinetic_energy(const Workspace<T>&, const Places<T>&);                        \
  template T elastic_kinetic_energy(const Places<T>&, int);                                \
  template T gravity_energy(const Workspace<T>&, const Places<T>&);                        \
  template T potential_energy(const Workspace<T>&, const Places<T>&, const Forces<T>&);    \
  template void joint_forces(Workspace<T>&, const Places<T>&, const Forces<T>&, T*, bool); \
  template Wrench<T> momentum(const Workspace<T>&, const Places<T>&);                      \
  template void joint_momenta(Workspace<T>&, const Places<T>&, T*);
SARRUS_EACH_SCALAR(SARRUS_ENERGIES)

}  // namespace sarrus
