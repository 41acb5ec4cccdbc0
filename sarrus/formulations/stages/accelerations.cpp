// From Kinematics and Forces to Accelerations, and what else is solved with the mass matrix.
#include <cmath>

#include "sarrus/formulations/stages/rooms.hpp"
#include "sarrus/formulations/tree/tree_response.hpp"

namespace sarrus {
namespace {

constexpr int friction_repetitions = 100;
constexpr double lost_pivot = 1e-14;          // relative: rounding alone
constexpr double friction_tolerance = 1e-13;  // relative change of the reaction

template <class T>
Wrench<T> reaction_on(const Rooms<T>& r, int body) {
  return r.d.IA[body] * r.a.A[body] + r.a.p[body];
}

template <class T>
T drive_of(const Rooms<T>& r, int body, int u) {
  return dot(r.k.S[u], reaction_on(r, body)) + r.numbers.armature[u] * r.a.udot[u] - r.f.tau[u] -
         r.a.coupling[u];
}

/// One look at the fixed point between the reactions that friction rubs on and the motion that
/// friction allows. A lane that has settled is held, so that it does not depend on its neighbours.
template <class T>
bool reactions_settled(Rooms<T>& r) {
  bool all = true;
  for (const auto& friction : r.numbers.forces.frictions) {
    T& normal = r.f.normal[friction.body];
    // what presses: the reaction force across the axis
    const Twist<T>& S = r.k.S[friction.u];
    const Vector3<T> axis = (S.w + S.v) * (T(1.0) / sqrt(dot(S.w, S.w) + dot(S.v, S.v)));
    const Vector3<T> force = reaction_on(r, friction.body).f,
                     across = force - axis * dot(axis, force);
    const T size = sqrt(dot(across, across) + T(1e-300));
    const auto settled = less(step_abs(size - normal), T(friction_tolerance) * (size + T(1e-12)));
    normal = select(settled, normal, size);

    const T flag = select(settled, T(1.0), T(0.0));
    if constexpr (requires { T::lanes; }) {
      for (int lane = 0; lane < T::lanes; ++lane) all = all && flag[lane] > 0;
    } else {
      all = all && value(flag) > 0;
    }
  }
  return all;
}

}  // namespace

/// The first elimination of an instant finds the bodies weighed on the way out; every other one
/// weighs them anew.
template <class T>
void run_forward(Rooms<T>& r, const TreeView<T>& v) {
  if (!r.is_weighed || v.p != r.a.p.data()) r.kernels.weigh(v);
  r.is_weighed = false;
  r.kernels.forward_dynamics(v);
}

template <class T>
bool move_tree(Rooms<T>& r) {
  run_forward(r, r.view());
  if constexpr (closes_loops<T>)
    if (r.loops) return close_accelerations(r);
  return true;
}

template <class T>
const Accelerations<T>& accelerate(Workspace<T>& w, const Kinematics<T>& k, const Forces<T>& f) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k && &f == &r.f), (void)k;
  bool closed = move_tree(r), agreed = !r.rubs;
  for (int repeated = 0; repeated < friction_repetitions && !agreed; ++repeated) {
    agreed = reactions_settled(r);
    if (agreed) break;
    apply_forces(r);
    closed = move_tree(r);
  }
  r.a.exist = agreed && closed;
  // what prescribed motions put in
  r.a.flow = f.flow;
  for (const PrescribedMotion& motion : r.m.motions)
    r.a.flow.drive += drive_of(r, motion.body, motion.u) * r.k.u[motion.u];
  return r.a;
}

template <class T>
Twist<T> acceleration(const Workspace<T>& w, const BodyAccelerations<T>& a, int body) {
  return {a.A[body].w, a.A[body].v + w.numbers().gravity};
}

template <class T>
Wrench<T> reaction(Workspace<T>& w, const Accelerations<T>& a, int body) {
  assert(&a == &rooms_of(w).a), (void)a;
  return reaction_on(rooms_of(w), body);
}

template <class T>
T drive_force(Workspace<T>& w, const Accelerations<T>& a, int body, int u) {
  assert(&a == &rooms_of(w).a), (void)a;
  return drive_of(rooms_of(w), body, u);
}

// ── factors ─────────────────────────────────────────────────────────────────────────────────────

template <class T>
const Factors<T>& factor(Workspace<T>& w, const Kinematics<T>& k) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k), (void)k;
  TreeView<T> v = r.scratch_view();
  v.tau = r.scratch.none.data(), v.wrench = nullptr;
  run_forward(r, v);
  return r.d;
}

template <class T>
void solve(Workspace<T>& w, const Factors<T>& d, const T* b, T* x) {
  Rooms<T>& r = rooms_of(w);
  assert(&d == &r.d), (void)d;
  r.kernels.solve(r.scratch_view(), b, x);
}

template <class T>
void operational_inertia(Workspace<T>& w, const Factors<T>& d, int i, int j, T* V) {
  Rooms<T>& r = rooms_of(w);
  assert(&d == &r.d), (void)d;
  const TreeView<T> v = r.scratch_view();
  std::vector<int> way;  // from i to the world
  for (int b = i; b > 0; b = r.m.parent[b]) way.push_back(b);
  for (int column = 0; column < 6; ++column) {
    // a unit wrench on j, in along its way to the world; it enters like a bias, with a minus sign
    std::fill(r.scratch.w.begin(), r.scratch.w.end(), T(0.0));
    Wrench<T> p{zero3<T>(), zero3<T>()};
    (column < 3 ? p.n : p.f)[column % 3] = T(-1.0);
    for (int b = j; b > 0; b = r.m.parent[b])
      p = absorbed(v, b, p, r.scratch.none.data(), r.scratch.w.data());
    // and out along the way to i
    Twist<T> a{zero3<T>(), zero3<T>()};
    for (auto b = way.rbegin(); b != way.rend(); ++b)
      a = answered(v, *b, a, r.scratch.w.data(), r.scratch.x.data());
    for (int row = 0; row < 3; ++row) {
      V[column * 6 + row] = a.w[row];
      V[column * 6 + 3 + row] = a.v[row];
    }
  }
}

template <class T>
SmallestPivot smallest_pivot(const Kinematics<T>& k, const Factors<T>& d) {
  const Mechanism& m = *k.mechanism;
  SmallestPivot smallest;
  // from the leaves inward: beyond a pivot that is lost, those of its ancestors mean nothing
  for (int i = m.nb - 1; i > 0 && smallest.relative > lost_pivot; --i) {
    if (m.prescribed[i]) continue;
    for (int u = m.u0[i]; u < m.u0[i + 1]; ++u) {
      const Twist<T>& S = k.S[u];
      const ArticulatedInertia<T>& A = d.IA[i];
      const double pivot = 1 / value(d.pivot[u].inverse);
      // what D could be for this column if nothing cancelled
      const double scale =
          value(dot(S.w, S.w)) *
              (std::fabs(value(A.I.xx)) + std::fabs(value(A.I.yy)) + std::fabs(value(A.I.zz))) +
          value(dot(S.v, S.v)) *
              (std::fabs(value(A.M.xx)) + std::fabs(value(A.M.yy)) + std::fabs(value(A.M.zz)));
      const double relative = scale > 0 && std::isfinite(pivot)
                                  ? pivot / scale
                                  : (pivot > 0 && std::isfinite(pivot) ? 1 : 0);
      if (relative < smallest.relative) smallest = {relative, u};
    }
  }
  return smallest;
}

// ── mass matrix, inverse dynamics ───────────────────────────────────────────────────────────────

namespace {

/// For the mass matrix by composite bodies, which are kept in the place of factors.
template <class T>
TreeView<T> composite_view(Rooms<T>& r) {
  TreeView<T> v = r.scratch_view();
  v.IA = r.scratch.factors.IA.data(), v.pivot = r.scratch.factors.pivot.data();
  v.lower = r.scratch.factors.lower.data(), v.D = r.scratch.factors.D.data();
  return v;
}

}  // namespace

template <class T>
void mass_matrix(Workspace<T>& w, const Places<T>& k, T* M) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k), (void)k;
  r.kernels.mass_matrix(composite_view(r), M);
}

template <class T>
void mass_matrix_at(Workspace<T>& w, const T* q, T* M) {
  Rooms<T>& r = rooms_of(w);
  std::copy_n(q, r.m.nq, r.k.q.begin());
  r.kernels.mass_matrix_at(composite_view(r), M);
}

template <class T>
const BodyAccelerations<T>& inverse_dynamics(Workspace<T>& w, const Kinematics<T>& k,
                                             const Forces<T>& f, const T* udot, T* tau) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k && &f == &r.f), (void)k;
  std::copy_n(udot, r.m.nu, r.asked.udot.begin());
  TreeView<T> v = r.scratch_view();
  v.udot_given = r.asked.udot.data(), v.A = r.asked.A.data();
  r.kernels.inverse_dynamics(v, tau);
  for (int j = 0; j < r.m.nu; ++j) tau[j] -= f.tau[j];
  return r.asked;
}

template <class T>
void inverse_dynamics_at(Workspace<T>& w, const T* q, const T* u, const T* udot, T* tau) {
  Rooms<T>& r = rooms_of(w);
  std::copy_n(q, r.m.nq, r.k.q.begin());
  std::copy_n(u, r.m.nu, r.k.u.begin());
  TreeView<T> v = r.scratch_view();
  v.udot_given = udot, v.wrench = nullptr;
  r.kernels.inverse_dynamics_at(v, tau);
}

#define SARRUS_ACCELERATIONS(T)                                                              \
  template void run_forward(Rooms<T>&, const TreeView<T>&);                                  \
  template bool move_tree(Rooms<T>&);                                                        \
  template const Accelerations<T>& accelerate(Workspace<T>&, const Kinematics<T>&,           \
                                              const Forces<T>&);                             \
  template Twist<T> acceleration(const Workspace<T>&, const BodyAccelerations<T>&, int);     \
  template Wrench<T> reaction(Workspace<T>&, const Accelerations<T>&, int);                  \
  template T drive_force(Workspace<T>&, const Accelerations<T>&, int, int);                  \
  template const Factors<T>& factor(Workspace<T>&, const Kinematics<T>&);                    \
  template void solve(Workspace<T>&, const Factors<T>&, const T*, T*);                       \
  template void operational_inertia(Workspace<T>&, const Factors<T>&, int, int, T*);         \
  template SmallestPivot smallest_pivot(const Kinematics<T>&, const Factors<T>&);            \
  template void mass_matrix(Workspace<T>&, const Places<T>&, T*);                            \
  template void mass_matrix_at(Workspace<T>&, const T*, T*);                                 \
  template const BodyAccelerations<T>& inverse_dynamics(Workspace<T>&, const Kinematics<T>&, \
                                                        const Forces<T>&, const T*, T*);     \
  template void inverse_dynamics_at(Workspace<T>&, const T*, const T*, const T*, T*);
SARRUS_EACH_SCALAR(SARRUS_ACCELERATIONS)

}  // namespace sarrus
