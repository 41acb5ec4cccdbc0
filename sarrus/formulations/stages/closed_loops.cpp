// Closed loops on top of the open tree, for accelerations and for momenta (loop_factors.hpp).
#include <cmath>

#include "sarrus/formulations/stages/rooms.hpp"
#include "sarrus/formulations/tree/tree_response.hpp"

namespace sarrus {
namespace {

template <class T>
void clear(std::vector<Wrench<T>>& list) {
  std::fill(list.begin(), list.end(), Wrench<T>{zero3<T>(), zero3<T>()});
}

template <class T>
void place(Rooms<T>& r) {
  r.loops->rows.place(r.k.body.data(), r.k.q.data(), r.k.u.data());
}

}  // namespace

/// From the accelerations of the open tree to λ, and with its wrenches once more through the tree.
/// The forces of elements stay as they are beside them: momenta are driven by those alone.
template <class T>
bool close_accelerations(Rooms<T>& r) {
  LoopRoom<T>& l = *r.loops;
  place(r);
  l.factors.factor(r.view(), l.rows, false);
  bool finite = true;
  for (int i = 0; i < l.rows.size(); ++i) {
    r.a.multiplier[i] = -l.rows.acceleration(i, r.a.A.data(), r.a.udot.data());
    finite = finite && std::isfinite(value(r.a.multiplier[i]));
  }
  l.factors.solve(r.a.multiplier);

  std::copy(r.f.wrench.begin(), r.f.wrench.end(), l.wrench.begin());
  std::fill(r.a.coupling.begin(), r.a.coupling.end(), T(0.0));
  l.rows.add(r.a.multiplier, T(1.0), l.wrench.data(), r.a.coupling.data());
  for (size_t j = 0; j < l.open.size(); ++j) l.open[j] = r.f.tau[j] + r.a.coupling[j];
  TreeView<T> loaded = r.view();
  loaded.wrench = l.wrench.data();
  loaded.tau = l.open.data();
  run_forward(r, loaded);
  r.a.loops = l.view();
  return finite;
}

/// From the velocities of the open tree to p = M u + Gᵀ σ, where G u = 0 fixes the impulses σ.
template <class T>
void close_velocities(Rooms<T>& r, const T* p) {
  LoopRoom<T>& l = *r.loops;
  std::vector<T>& sigma = r.momenta.impulse;
  place(r);
  l.factors.factor(r.view(), l.rows, false);
  for (int i = 0; i < l.rows.size(); ++i) sigma[i] = l.rows[i].rate;
  l.factors.solve(sigma);

  // Gᵀ σ, gathered inward
  std::copy_n(p, r.m.nu, l.open.begin());
  clear(l.wrench);
  l.rows.add(sigma, T(-1.0), l.wrench.data(), l.open.data());
  for (int i = r.m.nb - 1; i > 0; --i) {
    r.k.each_column(i, [&](int j, const Twist<T>& S) { l.open[j] += dot(S, l.wrench[i]); });
    l.wrench[r.m.parent[i]] += shifted_in(l.wrench[i], r.k.arm[i].r);
  }
  r.kernels.velocities(r.scratch_view(), l.open.data(), r.k.u.data(), r.momenta.dT.data());
  place(r);
  r.momenta.loops = l.view();
}

/// What the impulses add to ṗ: they are momenta h* = Σ F σ of the bodies, so that
///   ṗ += (Ṡ + V × S)ᵀ h* + Sᵀ Σ Ḟ σ
template <class T>
void add_impulse_rates(Rooms<T>& r, T* pdot) {
  LoopRoom<T>& l = *r.loops;
  std::vector<Wrench<T>>&h = l.wrench, &f = l.rate;
  clear(h), clear(f);
  std::fill(l.open.begin(), l.open.end(), T(0.0));  // constant couplings have no rate
  l.rows.add(r.momenta.impulse, T(1.0), h.data(), l.open.data());
  l.rows.add_rates(r.momenta.impulse, f.data());
  for (int i = r.m.nb - 1; i > 0; --i) {
    const int parent = r.m.parent[i];
    if (r.m.kind[i] == JointKind::seat) {
      r.kernels.seat_rates(r.view(), i, h[i], pdot);
      r.k.each_column(i, [&](int u, const Twist<T>& S) { pdot[u] += dot(S, f[i]); });
    }
    with_joint(r.m.kind[i], [&](auto joint) {
      using J = decltype(joint);
      const int u0 = r.m.u0[i];
      for (int k = 0; k < J::nu; ++k) {
        const Twist<T>& S = r.k.S[u0 + k];
        pdot[u0 + k] += dot(cross_motion(r.k.body[i].V, S), h[i]) + dot(S, f[i]);
      }
      if constexpr (BiasedJoint<J>) {
        Twist<T> rates[J::nu];
        J::column_rates(r.numbers.body[i].joint, r.k.body[parent].R * r.numbers.body[i].X_PF.R,
                        r.k.body[i].R, r.k.u.data() + u0, rates);
        for (int k = 0; k < J::nu; ++k) pdot[u0 + k] += dot(rates[k], h[i]);
      }
    });
    h[parent] += shifted_in(h[i], r.k.arm[i].r);
    f[parent] += shifted_in(f[i], r.k.arm[i].r);
  }
}

template <class T>
const LoopRows<T>& place_loops(Workspace<T>& w, const Places<T>& k) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k && r.loops), (void)k;
  place(r);
  return r.loops->rows;
}

template <class T>
ClosedLoops<T> factor_loops(Workspace<T>& w, const Kinematics<T>& k, bool choose) {
  Rooms<T>& r = rooms_of(w);
  factor(w, k);
  place(r);
  r.loops->factors.factor(r.view(), r.loops->rows, choose);
  return r.loops->view();
}

template <class T>
void loop_response(Workspace<T>& w, const ClosedLoops<T>& loops, const std::vector<T>& y, T* x) {
  Rooms<T>& r = rooms_of(w);
  LoopRoom<T>& l = *r.loops;
  assert(loops.factors == &l.factors), (void)loops;
  const TreeView<T> v = r.scratch_view();
  std::vector<Wrench<T>>& p = l.wrench;
  clear(p);
  std::fill(l.open.begin(), l.open.end(), T(0.0));
  l.rows.add(y, T(-1.0), p.data(), l.open.data());
  for (T& b : l.open) b = -b;
  std::fill(r.scratch.w.begin(), r.scratch.w.end(), T(0.0));
  for (int i = r.m.nb - 1; i > 0; --i)
    p[r.m.parent[i]] += absorbed(v, i, p[i], l.open.data(), r.scratch.w.data());
  r.scratch.A[0] = {zero3<T>(), zero3<T>()};
  for (int i = 1; i < r.m.nb; ++i)
    r.scratch.A[i] = answered(v, i, r.scratch.A[r.m.parent[i]], r.scratch.w.data(), x);
}

template <class T>
void loop_jacobian(const Places<T>& k, const LoopRows<T>& rows, T* G) {
  const Mechanism& m = *k.mechanism;
  std::fill_n(G, static_cast<size_t>(rows.size()) * m.nu, T(0.0));
  for (const Closure& c : m.closures)
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      T* row = G + static_cast<size_t>(r) * m.nu;
      for (const CoupledCoordinate& q : c.of) row[q.u] = T(q.coefficient);
      if (!c.of.empty()) continue;
      const auto inward = [&](int body, Wrench<T> F) {
        for (int i = body; i > 0; i = m.parent[i]) {
          k.each_column(i, [&](int j, const Twist<T>& S) { row[j] += dot(S, F); });
          F = shifted_in(F, k.arm[i].r);
        }
      };
      inward(c.a, rows[r].on_a);
      inward(c.b, rows[r].on_b);
    }
}

#define SARRUS_LOOPS(T)                                                                         \
  template bool close_accelerations(Rooms<T>&);                                                 \
  template void close_velocities(Rooms<T>&, const T*);                                          \
  template void add_impulse_rates(Rooms<T>&, T*);                                               \
  template const LoopRows<T>& place_loops(Workspace<T>&, const Places<T>&);                     \
  template ClosedLoops<T> factor_loops(Workspace<T>&, const Kinematics<T>&, bool);              \
  template void loop_response(Workspace<T>&, const ClosedLoops<T>&, const std::vector<T>&, T*); \
  template void loop_jacobian(const Places<T>&, const LoopRows<T>&, T*);
SARRUS_EACH_LOOP_SCALAR(SARRUS_LOOPS)

}  // namespace sarrus
