// How the tree answers a wrench on one body, body by body along the ways in and out, with the
// factors that an elimination over the whole tree has left (tree_kernels.inl, equations 3, 4, 6).
#pragma once

#include "sarrus/formulations/tree_view.hpp"

namespace sarrus {

/// What body i hands on to its parent when the bias p acts on it and the force b[u] on its joint;
/// w is kept for the way back.
template <class T>
Wrench<T> absorbed(const TreeView<T>& v, int i, const Wrench<T>& p, const T* b, T* w) {
  const int u0 = v.u0[i], n = v.prescribed[i] ? 0 : v.u0[i + 1] - u0;
  const T* L = v.lower + v.l0[i];
  Wrench<T> pa = p;
  for (int k = 0; k < n; ++k) {
    const Freedom<T>& f = v.freedom[u0 + k];
    w[u0 + k] = b[u0 + k] - dot(f.S, p);
    for (int c = 0; c < k; ++c) w[u0 + k] -= L[k * (k - 1) / 2 + c] * w[u0 + c];
    pa += f.U * (w[u0 + k] * f.inverse);
  }
  return shifted_in(pa, v.link[i].r);
}

/// How body i accelerates when its parent does so by `parent`, with the w of absorbed(); x gets the
/// accelerations of its joint.
template <class T>
Twist<T> answered(const TreeView<T>& v, int i, const Twist<T>& parent, const T* w, T* x) {
  const int u0 = v.u0[i], n = v.u0[i + 1] - u0;
  const T* L = v.lower + v.l0[i];
  Twist<T> a = shifted_out(parent, v.link[i].r);
  if (v.prescribed[i]) {
    for (int k = 0; k < n; ++k) x[u0 + k] = T(0.0);
    return a;
  }
  for (int k = 0; k < n; ++k)
    x[u0 + k] = v.freedom[u0 + k].inverse * (w[u0 + k] - dot(a, v.freedom[u0 + k].U));
  for (int c = n - 2; c >= 0; --c)
    for (int k = c + 1; k < n; ++k) x[u0 + c] -= L[k * (k - 1) / 2 + c] * x[u0 + k];
  for (int k = 0; k < n; ++k) a += v.freedom[u0 + k].S * x[u0 + k];
  return a;
}

}  // namespace sarrus
