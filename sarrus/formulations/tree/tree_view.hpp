// What the tree kernels read and write: plain pointers into a Workspace, so that kernels compiled
// for different instruction sets share nothing but data.
#pragma once

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// Per body, in world axes at the body's origin.
template <class T>
struct Link {
  Vector3<T> r;              // from the parent's origin to this one
  Twist<T> c;                // acceleration bias: Ṡ u + V × S u (+ S u̇ of a prescribed joint)
  ArticulatedInertia<T> IA;  // of the body and all it carries
  Wrench<T> p;               // bias wrench of the same
};

/// Per velocity coordinate, in world axes at the origin of its body. With D = Sᵀ IA S = L d Lᵀ:
template <class T>
struct Freedom {
  Twist<T> S;
  Wrench<T> U;  // column of IA S L⁻ᵀ
  T w;          // entry of L⁻¹ (τ − Sᵀ p)
  T inverse;    // 1/d
};

/// An elastic body at one instant, in world axes at the origin of its frame. What seats carry is
/// added to `coupling`, `elastic` and `force` on the way inward; `own_…` are of the body alone.
template <class T>
struct Flex {
  const ElasticBody* numbers;
  int body, q0, u0, n;  // the last of its coordinates, and where they are
  BodyInertia<T> own;
  Wrench<T>*coupling, *own_coupling;
  T *elastic, *own_elastic;  // n × n
  T* force;                  // bias, or what else is gathered for the coordinates
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
  int nb, nq, nu, flexes;
  const int *parent, *q0, *u0, *l0;  // l0: where a body's L starts in `lower`
  const JointKind* kind;
  const int* part;  // entry of flex or seat
  Flex<T>* flex;
  const Seat<T>* seat;
  const char* prescribed;
  const BodyNumbers<T>* number;
  const T* armature;
  Vector3<T> gravity;

  const T *q, *u;
  const T* tau;             // joint forces
  const Wrench<T>* wrench;  // outer forces per body, or nullptr
  const T* udot_given;      // accelerations of prescribed joints, entries of others unused

  T *sin, *cos;  // of every entry of q
  BodyMotion<T>* motion;
  Link<T>* link;
  Freedom<T>* freedom;
  T* lower;     // strict lower triangles of the factors L
  Twist<T>* A;  // spatial accelerations, with −gravity at the world
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
  for (int u = v.u0[i]; u < v.u0[i + 1]; ++u) f(u, v.freedom[u].S);
}

/// The algorithms of a tree. The order in which they may be called is said beside each.
template <class T>
struct TreeKernels {
  /// q, u → motion, c, S, and IA and p before elimination. First of all.
  void (*kinematics_and_inertia)(const TreeView<T>&);
  /// After kinematics_and_inertia(), with tau and wrench: elimination, then A and udot.
  void (*forward_dynamics)(const TreeView<T>&);
  /// After forward_dynamics(): x = M⁻¹ b, prescribed joints held. Overwrites w, p, A.
  void (*solve)(const TreeView<T>&, const T* b, T* x);
  /// First of all, with wrench: joint forces tau_out that give the accelerations udot_given.
  void (*inverse_dynamics)(const TreeView<T>&, T* tau_out);
  /// First of all: M(q) by columns, nu × nu, symmetric.
  void (*mass_matrix)(const TreeView<T>&, T* M);
  /// q and the quasi-momenta p = Sᵀ h → velocities u_out, motion, S, and the part dT of ṗ that
  /// comes from the kinetic energy. Prescribed joints take their velocities from u. First of all.
  void (*velocities)(const TreeView<T>&, const T* p, T* u_out, T* dT);
  /// After velocities(), with tau and wrench: ṗ = dT + Sᵀ f + τ, f the forces on all that is
  /// carried.
  void (*momentum_rates)(const TreeView<T>&, const T* dT, T* pdot);
  /// After velocities(): adds what a momentum h at a seat gives to the rates of elastic momenta.
  void (*seat_rates)(const TreeView<T>&, int seat, const Wrench<T>& h, T* pdot);
};

/// The kernels for this machine. Implemented for double, Pack<4>, Dual<double>,
/// std::complex<double>.
template <class T>
const TreeKernels<T>& tree_kernels();

}  // namespace sarrus
