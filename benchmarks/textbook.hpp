// The recursions as textbooks print them, with dense 6 × 6 matrices: a neutral yardstick of speed,
// and the answer that every contestant is checked against. Written to be read; g++ or clang at −O3
// makes what it can of it.
//
// Spatial vectors are [angular; linear] at a link's origin, in its axes. X = (R, p) takes
// coordinates of the link to those of its parent.
//
//   outward   v = X⁻¹ v_P + s u,          c = v × s u                               (1)
//             IA = I,                     pA = v ×* I v                             (2)
//   inward    U = IA s,  d = s·U,         w = τ − s·pA                              (3)
//             Ia = IA − U Uᵀ/d,           pa = pA + Ia c + U w/d                    (4)
//             IA_P += X* Ia X⁻¹,          pA_P += X* pa                             (5)
//   outward   a' = X⁻¹ a_P + c,           u̇ = (w − U·a')/d,   a = a' + s u̇          (6)
//
// [Featherstone 2008, tables 5.1 and 7.1]
#pragma once

#include <algorithm>
#include <utility>

#include "benchmarks/models.hpp"

namespace bench {

using Matrix33 = std::array<Triple, 3>;  // rows
using Vector6 = std::array<double, 6>;
using Matrix66 = std::array<Vector6, 6>;  // rows

inline Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Triple sum(const Triple& a, const Triple& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector6 sum(const Vector6& a, const Vector6& b) {
  Vector6 c;
  for (int i = 0; i < 6; ++i) c[i] = a[i] + b[i];
  return c;
}
inline double dot(const Vector6& a, const Vector6& b) {
  double s = 0;
  for (int i = 0; i < 6; ++i) s += a[i] * b[i];
  return s;
}
inline Vector6 times(const Matrix66& A, const Vector6& x) {
  Vector6 y;
  for (int i = 0; i < 6; ++i) y[i] = dot(A[i], x);
  return y;
}
inline Triple angular(const Vector6& x) { return {x[0], x[1], x[2]}; }
inline Triple linear(const Vector6& x) { return {x[3], x[4], x[5]}; }
inline Vector6 stack(const Triple& a, const Triple& b) {
  return {a[0], a[1], a[2], b[0], b[1], b[2]};
}

/// v × m: how a motion m carried along with v changes.
inline Vector6 cross_motion(const Vector6& v, const Vector6& m) {
  return stack(cross(angular(v), angular(m)),
               sum(cross(angular(v), linear(m)), cross(linear(v), angular(m))));
}
/// v ×* f: how a force f carried along with v changes.
inline Vector6 cross_force(const Vector6& v, const Vector6& f) {
  return stack(sum(cross(angular(v), angular(f)), cross(linear(v), linear(f))),
               cross(angular(v), linear(f)));
}

struct Transform {
  Matrix33 R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Triple p{};

  Triple turn(const Triple& x) const {
    Triple y;
    for (int i = 0; i < 3; ++i) y[i] = R[i][0] * x[0] + R[i][1] * x[1] + R[i][2] * x[2];
    return y;
  }
  Triple turn_back(const Triple& x) const {
    Triple y;
    for (int i = 0; i < 3; ++i) y[i] = R[0][i] * x[0] + R[1][i] * x[1] + R[2][i] * x[2];
    return y;
  }
  /// X⁻¹ v: a motion of the parent as the link sees it.
  Vector6 motion_to_link(const Vector6& v) const {
    return stack(turn_back(angular(v)), turn_back(sum(linear(v), cross(angular(v), p))));
  }
  /// X* f: a force on the link as the parent sees it.
  Vector6 force_to_parent(const Vector6& f) const {
    const Triple force = turn(linear(f));
    return stack(sum(turn(angular(f)), cross(p, force)), force);
  }
};

inline Matrix33 rotation(int axis, double q) {
  const double c = std::cos(q), s = std::sin(q);
  if (axis == 0) return {{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
  if (axis == 1) return {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
  return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

/// About the link's origin: [Ic + m [c]×[c]×ᵀ, m [c]×; m [c]×ᵀ, m 1].
inline Matrix66 spatial_inertia(const Link& link) {
  const Triple& c = link.com;
  const Matrix33 C = {{{0, -c[2], c[1]}, {c[2], 0, -c[0]}, {-c[1], c[0], 0}}};
  Matrix66 I{};
  for (int i = 0; i < 3; ++i) {
    I[i][i] = link.inertia[i];
    I[i + 3][i + 3] = link.mass;
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) I[i][j] += link.mass * C[i][k] * C[j][k];
      I[i][j + 3] = link.mass * C[i][j];
      I[i + 3][j] = -link.mass * C[i][j];
    }
  }
  return I;
}

/// Gauss elimination with pivoting: x of A x = b.
inline Vector6 solve6(Matrix66 A, Vector6 b) {
  for (int k = 0; k < 6; ++k) {
    int pivot = k;
    for (int i = k + 1; i < 6; ++i)
      if (std::fabs(A[i][k]) > std::fabs(A[pivot][k])) pivot = i;
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < 6; ++i) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < 6; ++j) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = 5; k >= 0; --k) {
    for (int j = k + 1; j < 6; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}

class Textbook {
 public:
  explicit Textbook(const Tree& tree)
      : tree_(tree),
        first_(tree.floats() ? 1 : 0),
        inertia_(tree.links.size()),
        IA_(tree.links.size()),
        X_(tree.links.size()),
        v_(tree.links.size()),
        c_(v_),
        p_(v_),
        U_(v_),
        a_(v_),
        d_(tree.links.size()),
        w_(d_) {
    for (int i = 0; i < tree.size(); ++i) inertia_[i] = spatial_inertia(tree.links[i]);
  }

  /// u̇ of the hinges under τ and gravity.
  void forward_dynamics(const double* q, const double* u, const double* tau, double* udot) {
    move(q, u);
    for (int i = 0; i < tree_.size(); ++i) {
      IA_[i] = inertia_[i];
      p_[i] = cross_force(v_[i], times(IA_[i], v_[i]));  // (2)
    }
    for (int i = tree_.size() - 1; i >= first_; --i) eliminate(i, tau[i - first_]);
    // a floating trunk falls: relative to gravity it accelerates by its bias alone
    if (first_ == 1) {
      Vector6 load;
      for (int i = 0; i < 6; ++i) load[i] = -p_[0][i];
      a_[0] = solve6(IA_[0], load);
    }
    for (int i = first_; i < tree_.size(); ++i) {
      const Link& link = tree_.links[i];
      a_[i] = sum(X_[i].motion_to_link(parent_acceleration(i)), c_[i]);
      const double x = (w_[i] - dot(U_[i], a_[i])) / d_[i];
      a_[i][link.axis] += x;  // (6)
      udot[i - first_] = x;
    }
  }

  /// τ of the hinges that gives u̇; a floating trunk is held.
  void inverse_dynamics(const double* q, const double* u, const double* udot, double* tau,
                        double g = gravity) {
    move(q, u);
    for (int i = 0; i < tree_.size(); ++i) {
      const Link& link = tree_.links[i];
      const Vector6 aP = link.parent < 0 ? Vector6{0, 0, 0, 0, 0, g} : a_[link.parent];
      a_[i] = sum(X_[i].motion_to_link(aP), c_[i]);
      if (i >= first_) a_[i][link.axis] += udot[i - first_];
      p_[i] = sum(times(inertia_[i], a_[i]), cross_force(v_[i], times(inertia_[i], v_[i])));
    }
    for (int i = tree_.size() - 1; i >= first_; --i) {
      const Link& link = tree_.links[i];
      tau[i - first_] = p_[i][link.axis];
      if (link.parent >= 0) p_[link.parent] = sum(p_[link.parent], X_[i].force_to_parent(p_[i]));
    }
  }

 private:
  void move(const double* q, const double* u) {
    for (int i = first_; i < tree_.size(); ++i) {
      const Link& link = tree_.links[i];
      X_[i] = {rotation(link.axis, q[i - first_]), link.at};
      Vector6 joint{};
      joint[link.axis] = u[i - first_];
      const Vector6 vP = link.parent < 0 ? Vector6{} : v_[link.parent];
      v_[i] = sum(X_[i].motion_to_link(vP), joint);  // (1)
      c_[i] = cross_motion(v_[i], joint);
    }
  }

  void eliminate(int i, double tau) {
    const Link& link = tree_.links[i];
    for (int k = 0; k < 6; ++k) U_[i][k] = IA_[i][k][link.axis];  // (3)
    d_[i] = U_[i][link.axis];
    w_[i] = tau - p_[i][link.axis];
    if (link.parent < 0) return;

    Matrix66 Ia;
    for (int r = 0; r < 6; ++r)
      for (int s = 0; s < 6; ++s) Ia[r][s] = IA_[i][r][s] - U_[i][r] * U_[i][s] / d_[i];  // (4)
    Vector6 pa = sum(p_[i], times(Ia, c_[i]));
    for (int k = 0; k < 6; ++k) pa[k] += U_[i][k] * w_[i] / d_[i];

    p_[link.parent] = sum(p_[link.parent], X_[i].force_to_parent(pa));  // (5)
    Matrix66& parent = IA_[link.parent];
    for (int s = 0; s < 6; ++s) {
      Vector6 unit{};
      unit[s] = 1;
      const Vector6 column = X_[i].force_to_parent(times(Ia, X_[i].motion_to_link(unit)));
      for (int r = 0; r < 6; ++r) parent[r][s] += column[r];
    }
  }

  Vector6 parent_acceleration(int i) const {
    const int P = tree_.links[i].parent;
    return P < 0 ? Vector6{0, 0, 0, 0, 0, gravity} : a_[P];
  }

  Tree tree_;
  int first_;  // the first link on a hinge
  std::vector<Matrix66> inertia_, IA_;
  std::vector<Transform> X_;
  std::vector<Vector6> v_, c_, p_, U_, a_;
  std::vector<double> d_, w_;
};

/// Angles of the chain after `until` seconds of fall from swing_start(), by RK4 with step h.
inline std::vector<double> textbook_swing(int n, double until, double h) {
  Textbook book(chain(n));
  std::vector<double> q = swing_start(n), u(q.size()), none(q.size()), x(q), v(q), a(q), dq(q),
                      du(q);
  const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, reach[4] = {0, 0.5, 0.5, 1};
  for (long k = std::lround(until / h); k > 0; --k) {
    std::fill(dq.begin(), dq.end(), 0.0), std::fill(du.begin(), du.end(), 0.0);
    for (int stage = 0; stage < 4; ++stage) {
      for (size_t i = 0; i < q.size(); ++i) {
        const double last_v = v[i], step = h * reach[stage];
        x[i] = q[i] + (stage == 0 ? 0 : step * last_v);
        v[i] = u[i] + (stage == 0 ? 0 : step * a[i]);
      }
      book.forward_dynamics(x.data(), v.data(), none.data(), a.data());
      for (size_t i = 0; i < q.size(); ++i)
        dq[i] += weight[stage] * v[i], du[i] += weight[stage] * a[i];
    }
    for (size_t i = 0; i < q.size(); ++i) q[i] += h * dq[i], u[i] += h * du[i];
  }
  return q;
}

}  // namespace bench
