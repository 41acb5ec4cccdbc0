// The two joints inside an elastic body. Its coordinates are a chain of joints that move nothing by
// themselves, one per coordinate; a seat is a place on the body, moved by all of them. How the
// coordinates move the seats is known to the tree (tree_view.hpp), not here.
#pragma once

#include "sarrus/joints/joint_numbers.hpp"

namespace sarrus {

struct ElasticCoordinate {
  static constexpr JointKind kind = JointKind::elastic;
  static constexpr int nq = 1, nu = 1, nx = 1;
  static constexpr JointFacts facts{.name = "elastic"};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T*, const Angles<T>&,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = R_F;
    d = zero3<T>();
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>&, Twist<T>* S) {
    S[0] = {zero3<T>(), zero3<T>()};
  }
};

struct ElasticSeat {
  static constexpr JointKind kind = JointKind::seat;
  static constexpr int nq = 0, nu = 0, nx = 0;
  static constexpr JointFacts facts{.name = "seat"};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T*, const Angles<T>&,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = R_F;
    d = zero3<T>();
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>&, Twist<T>*) {}
};

}  // namespace sarrus
