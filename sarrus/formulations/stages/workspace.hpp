// An instant of a mechanism, stage by stage, over any scalar.
//
//   Kinematics     places and twists of bodies               of t, q, u, states of elements
//   Forces         signals, formulas, wrenches, energy flow  of Kinematics
//   Factors        the mass matrix, eliminated over the tree of Kinematics
//   Accelerations  u̇, accelerations of bodies, multipliers   of Forces, Factors
//
// Each is returned by a function of the ones before it, so that nothing can be asked for too early.
// A workspace has room for one instant and is sized once: nothing is allocated in an evaluation,
// and the results of one instant are overwritten by the next. Numbers (masses,
// stiffnesses, …) may be changed between two instants; the tree may not.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sarrus/formulations/stages/accelerations.hpp"

namespace sarrus {

template <class T>
struct Rooms;

template <class T>
class Workspace {
 public:
  /// Keeps a reference to the mechanism.
  explicit Workspace(const Mechanism& mechanism);
  Workspace(const Mechanism& mechanism, Numbers<T> numbers);
  Workspace(Workspace&&) noexcept;
  ~Workspace();

  const Mechanism& mechanism() const;
  Numbers<T>& numbers();
  const Numbers<T>& numbers() const;
  /// A joint that is held stands still in accelerations, corrections and responses, like one whose
  /// motion is prescribed.
  void hold(int body, bool held);

  /// Which rows of loops are kept where none are chosen anew; of trees, none.
  const RowChoice& rows() const;
  void keep_rows(const RowChoice& rows);

 private:
  template <class U>
  friend Rooms<U>& rooms_of(Workspace<U>& workspace);
  std::unique_ptr<Rooms<T>> rooms_;
};

// ── kinematics ──

/// Prescribed motions replace their entries of q and u. Pointers may be null for empty arrays.
template <class T>
const Kinematics<T>& move(Workspace<T>& w, const T& t, const T* q, const T* u, const T* state);

/// For bodies that were moved one by one: as they are, with q and u measured between them. They
/// have no equations of motion to continue with.
template <class T>
const Bodies<T>& take_bodies(Workspace<T>& w, const T& t, const T* q, const T* u, const T* state,
                             const BodyMotion<T>* bodies);
template <class T>
const Places<T>& take_places(Workspace<T>& w, const T& t, const T* q, const T* u, const T* state,
                             const BodyMotion<T>* bodies);

/// Position, speed and acceleration that a motion prescribes at t; the position is 0 where it
/// prescribes the speed alone.
template <class T>
Jet<T> motion_at(Workspace<T>& w, const PrescribedMotion& motion, const T& t);

// ── forces ──

template <class T>
const Forces<T>& load(Workspace<T>& w, const Bodies<T>& k);
/// The same, with the reactions that friction rubs on, per body.
template <class T>
const Forces<T>& load(Workspace<T>& w, const Bodies<T>& k, const T* normal);

/// Forces of single elements: element.apply(context), servo.force(context). The elements add to
/// what `out` points at.
template <class T>
struct ForceOutput {
  T* tau = nullptr;
  Wrench<T>* wrench = nullptr;
  T* state_rate = nullptr;
  EnergyFlow<T>* flow = nullptr;
};
template <class T>
ForceContext<T> force_context(const Bodies<T>& k, const Forces<T>& f, const ForceOutput<T>& out);

// ── accelerations ──

/// With friction on reactions, f becomes the forces that agree with the accelerations.
template <class T>
const Accelerations<T>& accelerate(Workspace<T>& w, const Kinematics<T>& k, const Forces<T>& f);

/// Spatial acceleration of a body in world axes at its origin, gravity taken out.
template <class T>
Twist<T> acceleration(const Workspace<T>& w, const BodyAccelerations<T>& a, int body);
/// Wrench of the parent on the body through its joint, in world axes at the body's origin.
template <class T>
Wrench<T> reaction(Workspace<T>& w, const Accelerations<T>& a, int body);
/// Force that the drive of a prescribed velocity must supply, beside the forces on that joint.
template <class T>
T drive_force(Workspace<T>& w, const Accelerations<T>& a, int body, int u);

// ── factors ──

template <class T>
const Factors<T>& factor(Workspace<T>& w, const Kinematics<T>& k);
/// x = M⁻¹ b.
template <class T>
void solve(Workspace<T>& w, const Factors<T>& d, const T* b, T* x);
/// V_ij = J_i M⁻¹ J_jᵀ, 6 × 6 by columns, in world axes at the bodies' origins: how body i
/// accelerates under a wrench on body j.
template <class T>
void operational_inertia(Workspace<T>& w, const Factors<T>& d, int i, int j, T* V);
/// Smallest pivot of D relative to its body's inertia, and the velocity it belongs to.
struct SmallestPivot {
  double relative = 1;
  int u = -1;
};
template <class T>
SmallestPivot smallest_pivot(const Kinematics<T>& k, const Factors<T>& d);

/// M by columns (nu × nu).
template <class T>
void mass_matrix(Workspace<T>& w, const Places<T>& k, T* M);
/// τ that gives `udot`, beyond the forces that act anyway: M udot + c − forces.
template <class T>
const BodyAccelerations<T>& inverse_dynamics(Workspace<T>& w, const Kinematics<T>& k,
                                             const Forces<T>& f, const T* udot, T* tau);

/// τ = M(q) udot + c(q, u) under gravity and no other force; prescribed joints move as given here.
template <class T>
void inverse_dynamics_at(Workspace<T>& w, const T* q, const T* u, const T* udot, T* tau);
/// M(q) by columns (nu × nu).
template <class T>
void mass_matrix_at(Workspace<T>& w, const T* q, T* M);

// ── momenta: Hamilton's side ──

/// The motion that belongs to quasi-momenta p = M u, or with loops p = M u + Gᵀ σ, where G u = 0
/// fixes the impulses σ.
template <class T>
struct MomentumMotion {
  const Places<T>* places = nullptr;
  std::vector<T> dT;       // what the kinetic energy gives to ṗ
  std::vector<T> impulse;  // σ
  ClosedLoops<T> loops;
};
template <class T>
const MomentumMotion<T>& move_by_momenta(Workspace<T>& w, const T& t, const T* q, const T* p,
                                         const T* state);
/// ṗ.
template <class T>
void momentum_rates(Workspace<T>& w, const MomentumMotion<T>& m, const Forces<T>& f, T* pdot);

// ── closed loops ──

template <class T>
const LoopRows<T>& place_loops(Workspace<T>& w, const Places<T>& k);
/// G by rows (rows × nu).
template <class T>
void loop_jacobian(const Places<T>& k, const LoopRows<T>& rows, T* G);

/// Rows in place and G M⁻¹ Gᵀ factored. `choose`: decides anew which rows are kept.
template <class T>
ClosedLoops<T> factor_loops(Workspace<T>& w, const Kinematics<T>& k, bool choose);
/// x = M⁻¹ Gᵀ y, how the tree moves under multipliers y.
template <class T>
void loop_response(Workspace<T>& w, const ClosedLoops<T>& loops, const std::vector<T>& y, T* x);

// ── energies and momenta ──

template <class T>
T kinetic_energy(const Workspace<T>& w, const Places<T>& k);
/// Of one elastic body alone (entry of Mechanism::elastic).
template <class T>
T elastic_kinetic_energy(const Places<T>& k, int elastic);
template <class T>
T gravity_energy(const Workspace<T>& w, const Places<T>& k);
/// Of gravity and springs.
template <class T>
T potential_energy(const Workspace<T>& w, const Places<T>& k, const Forces<T>& f);
/// Sᵀ f + τ: the forces on every velocity, of gravity too where asked for.
template <class T>
void joint_forces(Workspace<T>& w, const Places<T>& k, const Forces<T>& f, T* Q, bool with_gravity);
/// Momentum of all bodies: linear, and angular about the world's origin.
template <class T>
Wrench<T> momentum(const Workspace<T>& w, const Places<T>& k);
/// p = M u, quasi-momenta conjugate to u.
template <class T>
void joint_momenta(Workspace<T>& w, const Places<T>& k, T* p);

// ── sensors ──

template <class T>
PointMotion<T> sensor_motion(const Bodies<T>& k, int sensor);
template <class T>
Vector3<T> sensor_acceleration(Workspace<T>& w, const Places<T>& k, const BodyAccelerations<T>& a,
                               int sensor);
/// What an accelerometer reads, in sensor axes.
template <class T>
Vector3<T> sensor_accelerometer(Workspace<T>& w, const Places<T>& k, const BodyAccelerations<T>& a,
                                int sensor);
template <class T>
const Signals<T>& sense(Workspace<T>& w, const Places<T>& k, const Forces<T>& f,
                        const BodyAccelerations<T>& a);
template <class T>
T formula_value(const Mechanism& m, const Signals<T>& s, int formula);

}  // namespace sarrus
