// What the tree kernels read and write: plain pointers into a Workspace, so that kernels compiled
// for different instruction sets share nothing but data.
#pragma once

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// Per body, in world axes at the body's origin.
template <class T>
struct Arm {
  Vector3<T> r;  // from the parent's origin to this one
  Twist<T> c;    // acceleration bias: Ṡ u + V × S u
};

/// Per velocity coordinate, in world axes at the origin of its body. With D = Sᵀ IA S = L d Lᵀ:
template <class T>
struct Pivot {
  Wrench<T> U;  // column of IA S L⁻ᵀ
  T inverse;    // 1/d
};

/// An elastic body at one instant, by itself, in world axes at the origin of its frame.
template <class T>
struct Flex {
  const ElasticBody* numbers;
  int body, q0, u0, n;  // the last of its coordinates, and where they are
  BodyInertia<T> own;   // M_rr
  Wrench<T>* coupling;  // M_re
  T* elastic;           // M_ee, n × n
  Vector3<T>* scratch;
};

/// A place on an elastic body, with the twist per unit of each elastic velocity.
template <class T>
struct Seat {
  const ElasticPlace* place;
  int flex;
  Twist<T>*columns, *rates;
};

template <class T>
struct TreeView {
  // the tree
  int nb, nq, nu, flexes;
  const int *parent, *q0, *u0;
  const int *l0, *d0;  // where a body's L starts in `lower`, an elastic body's D in `D`
  const JointKind* kind;
  const int* part;  // entry of flex or seat
  const char* prescribed;
  const BodyNumbers<T>* number;
  const T* armature;
  Vector3<T> gravity;

  // Kinematics
  const T *q, *u;
  T *sin, *cos;  // of every entry of q
  BodyMotion<T>* motion;
  Arm<T>* arm;
  Twist<T>* S;  // per velocity, in world axes at the origin of its body
  Flex<T>* flex;
  const Seat<T>* seat;

  // Forces
  const T* tau;             // joint forces
  const Wrench<T>* wrench;  // external forces per body, or nullptr
  const T* udot_given;      // accelerations of prescribed joints, entries of others unused

  // Factors
  ArticulatedInertia<T>* IA;  // of the body and all it carries
  Pivot<T>* pivot;
  T* lower;  // strict lower triangles of the factors L
  T* D;      // of elastic bodies

  // what a solution with these factors finds
  Wrench<T>* p;  // per body: bias wrench of the body and all it carries
  T *w, *h;      // per velocity: entry of L⁻¹ (τ − Sᵀ p); bias of an elastic coordinate
  Twist<T>* A;   // spatial accelerations, with −gravity at the world
  T* udot;
};

/// Calls f(u, S) for every velocity that moves body i against its parent.
template <class T, class F>
SARRUS_INLINE void each_column(const TreeView<T>& v, int i, F&& f) {
  if (v.kind[i] == JointKind::seat) {
    const Seat<T>& seat = v.seat[v.part[i]];
    const Flex<T>& flex = v.flex[seat.flex];
    for (int k = 0; k < flex.n; ++k) f(flex.u0 + k, seat.columns[k]);
    return;
  }
  for (int u = v.u0[i]; u < v.u0[i + 1]; ++u) f(u, v.S[u]);
}

/// The algorithms of a tree, each with the parts of the view that it reads → writes.
template <class T>
struct TreeKernels {
  /// q, u → Kinematics; and what weigh() gives.
  void (*kinematics)(const TreeView<T>&);
  /// Kinematics → IA, p, h, U and D of the bodies by themselves.
  void (*weigh)(const TreeView<T>&);
  /// Kinematics, Forces, what weigh() gives → Factors, and p, w, h, A, udot: elimination inward,
  /// accelerations outward.
  void (*forward_dynamics)(const TreeView<T>&);
  /// Kinematics, Factors → x = M⁻¹ b, with prescribed joints held; p, w, h, A are scratch.
  void (*solve)(const TreeView<T>&, const T* b, T* x);
  /// Kinematics, wrench, udot_given → joint forces that give these accelerations; p, h, A.
  void (*inverse_dynamics)(const TreeView<T>&, T* tau_out);
  /// q, u, udot_given, wrench → the same, and Kinematics.
  void (*inverse_dynamics_at)(const TreeView<T>&, T* tau_out);
  /// Kinematics → M by columns, nu × nu, symmetric; IA, U, D, h are scratch.
  void (*mass_matrix)(const TreeView<T>&, T* M);
  /// q → the same, and the places of Kinematics.
  void (*mass_matrix_at)(const TreeView<T>&, T* M);
  /// q and the quasi-momenta p = Sᵀ h → velocities u_out, Kinematics without c, Factors, and the
  /// part dT of ṗ that comes from the kinetic energy. Prescribed joints take their velocities from
  /// u. p, w, h are scratch.
  void (*velocities)(const TreeView<T>&, const T* p, T* u_out, T* dT);
  /// Kinematics, Forces, dT → ṗ = dT + Sᵀ f + τ, f the forces on all that is carried; p, h are
  /// scratch.
  void (*momentum_rates)(const TreeView<T>&, const T* dT, T* pdot);
  /// Kinematics → adds what a momentum at a seat gives to the rates of elastic momenta.
  void (*seat_rates)(const TreeView<T>&, int seat, const Wrench<T>& momentum, T* pdot);
};

/// The kernels for this machine. Implemented for double, Pack<4>, Dual<double>,
/// std::complex<double>.
template <class T>
const TreeKernels<T>& tree_kernels();

}  // namespace sarrus
