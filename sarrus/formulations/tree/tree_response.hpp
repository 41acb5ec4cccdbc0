// Response of the tree to a wrench on one body, body by body inward and outward, with the factors
// of an elimination over the whole tree (tree_kernels.inl, equations 3, 4, 6).
#pragma once

#include "sarrus/formulations/tree/tree_view.hpp"

namespace sarrus {

/// The velocities that are eliminated together at body i: those of its joint, or at the last
/// coordinate of an elastic body all of them.
struct Eliminated {
  int u0 = 0, n = 0;
};

template <class T>
Eliminated eliminated_at(const TreeView<T>& v, int i) {
  if (v.kind[i] != JointKind::elastic) return {v.u0[i], v.u0[i + 1] - v.u0[i]};
  if (v.part[i] < 0) return {};
  const Flex<T>& flex = v.flex[v.part[i]];
  return {flex.u0, flex.n};
}

/// What body i passes on to its parent when the bias p acts on it and the force b[u] on its joint;
/// w, zero before along the whole path, is kept for the way outward.
template <class T>
Wrench<T> absorbed(const TreeView<T>& v, int i, const Wrench<T>& p, const T* b, T* w) {
  if (v.kind[i] == JointKind::seat) {
    each_column(v, i, [&](int u, const Twist<T>& S) { w[u] -= dot(S, p); });
    return shifted_in(p, v.arm[i].r);
  }
  const auto [u0, count] = eliminated_at(v, i);
  const int n = v.prescribed[i] ? 0 : count;
  const T* L = v.lower + v.l0[i];
  Wrench<T> pa = p;
  for (int k = 0; k < n; ++k) {
    const Pivot<T>& f = v.pivot[u0 + k];
    w[u0 + k] += b[u0 + k] - dot(v.S[u0 + k], p);
    for (int c = 0; c < k; ++c) w[u0 + k] -= L[k * (k - 1) / 2 + c] * w[u0 + c];
    pa += f.U * (w[u0 + k] * f.inverse);
  }
  return shifted_in(pa, v.arm[i].r);
}

/// How body i accelerates when its parent does so by `parent`, with the w of absorbed(); x gets the
/// accelerations of its joint.
template <class T>
Twist<T> answered(const TreeView<T>& v, int i, const Twist<T>& parent, const T* w, T* x) {
  Twist<T> a = shifted_out(parent, v.arm[i].r);
  if (v.kind[i] == JointKind::seat) {
    each_column(v, i, [&](int u, const Twist<T>& S) { a += S * x[u]; });
    return a;
  }
  const auto [u0, n] = eliminated_at(v, i);
  const T* L = v.lower + v.l0[i];
  if (v.prescribed[i]) {
    for (int k = 0; k < n; ++k) x[u0 + k] = T(0.0);
    return a;
  }
  for (int k = 0; k < n; ++k)
    x[u0 + k] = v.pivot[u0 + k].inverse * (w[u0 + k] - dot(a, v.pivot[u0 + k].U));
  for (int c = n - 2; c >= 0; --c)
    for (int k = c + 1; k < n; ++k) x[u0 + c] -= L[k * (k - 1) / 2 + c] * x[u0 + k];
  for (int k = 0; k < n; ++k) a += v.S[u0 + k] * x[u0 + k];
  return a;
}

}  // namespace sarrus
