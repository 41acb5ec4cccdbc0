// What a Workspace holds; seen by the stage functions only.
#pragma once

#include <algorithm>
#include <cassert>

#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

/// Packs run trees only: their lanes could keep different rows of a loop.
template <class T>
inline constexpr bool closes_loops = !requires {
  T::lanes;
};

template <class T>
struct LoopRoom {
  explicit LoopRoom(const Mechanism& m)
      : rows(m), factors(m), open(m.nu, T(0.0)), wrench(m.nb), rate(m.nb) {}
  ClosedLoops<T> view() const { return {&rows, &factors}; }

  LoopRows<T> rows;
  LoopFactors<T> factors;
  std::vector<T> open;                  // forces or momenta on the open tree
  std::vector<Wrench<T>> wrench, rate;  // of the rows, by body
};

/// Room for one more solution with the factors of an instant.
template <class T>
struct Scratch {
  explicit Scratch(const Mechanism& m)
      : p(m.nb), A(m.nb), w(m.nu, T(0.0)), h(w), none(w), x(w), factors(m) {}
  std::vector<Wrench<T>> p;
  std::vector<Twist<T>> A;
  std::vector<T> w, h, none, x;
  Factors<T> factors;  // of the mass matrix by columns
};

template <class T>
struct Rooms {
  Rooms(const Mechanism& mechanism, Numbers<T> given);

  /// All of the present instant.
  TreeView<T> view();
  /// The same, for a solution beside it.
  TreeView<T> scratch_view();

  const Mechanism& m;
  Numbers<T> numbers;
  const TreeKernels<T>& kernels;
  std::vector<int> l0, d0;
  std::vector<char> held;  // per body: prescribed, or held for a while
  bool spatial = false;    // wrenches act on bodies
  bool rubs = false;       // friction depends on reactions

  std::vector<T> sin, cos;
  std::vector<Jet<T>> jets;
  Kinematics<T> k;
  Forces<T> f;
  std::vector<T> applied;  // per velocity: joint forces from outside; empty where there are none
  Factors<T> d;
  Accelerations<T> a;
  bool is_weighed = false;  // d and a hold the bodies by themselves, ready for an elimination
  MomentumMotion<T> momenta;
  BodyAccelerations<T> asked;  // of inverse dynamics
  std::vector<T> udot_asked;
  Signals<T> signals;
  Scratch<T> scratch;
  std::unique_ptr<LoopRoom<T>> loops;  // null for trees
};

template <class T>
Rooms<T>& rooms_of(Workspace<T>& workspace) {
  return *workspace.rooms_;
}

// Stages that share a step.

/// Eliminates and accelerates in v, which is of these rooms.
template <class T>
void run_forward(Rooms<T>& r, const TreeView<T>& v);

/// Values of all that forces read, then the forces themselves.
template <class T>
void apply_forces(Rooms<T>& r);
/// Signals [from, to) of the mechanism, at the accelerations a where they need them.
template <class T>
void set_signals(Rooms<T>& r, const BodyAccelerations<T>* a, int from, int to,
                 std::vector<T>& slots);
/// u̇ of the loaded tree into a; false where loops find none.
template <class T>
bool move_tree(Rooms<T>& r);
/// The multipliers of loops, and the tree moved once more with them.
template <class T>
bool close_accelerations(Rooms<T>& r);
template <class T>
void close_velocities(Rooms<T>& r, const T* p);
template <class T>
void add_impulse_rates(Rooms<T>& r, T* pdot);

#define SARRUS_EACH_SCALAR(X) X(double) X(Pack<4>) X(Dual<double>) X(std::complex<double>)
#define SARRUS_EACH_LOOP_SCALAR(X) X(double) X(Dual<double>) X(std::complex<double>)

}  // namespace sarrus
