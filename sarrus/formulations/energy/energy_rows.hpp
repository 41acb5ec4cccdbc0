// The energy matrix by van Holten's recurrences: T = ½ (u)[A]{u}, {p} = [A]{u}.
//
// The letters and numbers are those of the source. A segment k stands on its parent P, which in the
// source's chain is k − 1; rows ( ) multiply matrices [ ] from the left.
//
//   [a_k]   parent's axes → axes of k, a function of the joint's coordinates         (10)
//   (e_k)   hinge of k in the axes of P           (x_k)  centre of gravity in the axes of k
//   [J_k] = ∫ {x}(x) dm about the centre of gravity, not the inertia tensor          (24)
//
//   [H_k] = [a_k][H_P],   [H_0] = [1]                                                (25) (26)
//   [H_k,i] = [a_k][H_P,i]                            i moves P                      (27)
//           = [a_k,i][H_P]                            i is a freedom of joint k      (28)
//   (R_k,i) = (R_P,i) + (x_k)[H_k,i] + ((e_k) − (x_P))[H_P,i]                        (32)
//           = (x_k)[H_k,i] + (e_k,i)[H_P]                                            (33)
//   a_ij += M_k (R_k,i){R_k,j} + Tr{[H_k,i]ᵀ [J_k] [H_k,j]}                          (18) (23)
//
// ,i is the derivative along freedom i; all others vanish (29) (34) and are not stored. What goes
// beyond the source: P instead of k − 1 lets the chain branch; (e_k,i) in (33) lets joints slide;
// several freedoms of one joint share a segment, where the source needs dummies (they work as
// well). For joints with u ≠ q̇ the derivatives are along quasi-coordinates, q ⊕ ε e_i.
//
// The same rows with the velocities summed at once give T in O(segments):
//
//   [Ḣ_k] = [a_k][Ḣ_P] + Σ u_i [a_k,i][H_P]                                          (22)
//   (Ṙ_k) = (Ṙ_P) + (x_k)[Ḣ_k] + ((e_k) − (x_P))[Ḣ_P] + Σ u_i (e_k,i)[H_P]           (17)
//
// [van Holten; docs/theory/hamiltonian.md]
#pragma once

#include <vector>

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// Over double, std::complex<double>, and Series of both. Sized once; evaluating allocates nothing.
template <class T>
class EnergyRows {
 public:
  explicit EnergyRows(const Mechanism& mechanism);

  /// [A] by columns, nu × nu. Cost: O(K³) for a chain of K.
  void matrix(const T* q, T* A);
  /// T(q, u) in O(K).
  T kinetic_energy(const T* q, const T* u);
  /// −Σ M_k g · R_k in O(K).
  T gravity_energy(const T* q);

 private:
  struct Segment {
    Matrix3<T> R_PF;  // hinge frame on the parent, at rest
    Vector3<T> p_PF, x;
    Matrix3<T> J;
    T M;
    JointNumbers<T> joint;
    JointKind kind = JointKind::fixed;
    int P = 0, q0 = 0, u0 = 0, nu = 0;
    int first = 0, count = 0;  // its rows, one for every freedom between it and the world
    bool dummy = false;        // no mass and no inertia
  };
  struct Hinge {
    Matrix3<T> a, da[6];  // [a_k], [a_k,i]
    Vector3<T> e, de[6];  // (e_k), (e_k,i)
  };
  struct Rows {
    Matrix3<T> dH;  // [H_k,i]
    Vector3<T> dR;  // (R_k,i)
    int i = 0;      // which freedom
  };

  void turn(const Segment& k, const T* q);  // fills hinge_
  void extend(size_t k, const T* q);
  void add(const Segment& k, T* A) const;

  std::vector<Segment> segment_;  // entry 0 is the world
  std::vector<Rows> rows_;
  std::vector<Matrix3<T>> H_, Hdot_;
  std::vector<Vector3<T>> R_;  // position or velocity of the centres of gravity
  std::vector<T> armature_;
  Vector3<T> gravity_;
  Hinge hinge_;
};

}  // namespace sarrus
