// One mechanism at one instant: everything that can be asked of (t, q, u, states), over any scalar.
//
//   prescribed motions → kinematics → signals → formulas → forces → accelerations → energies
//
// The workspace is sized once; an evaluation allocates nothing. Numbers (masses, stiffnesses, …)
// may be changed between evaluations; the tree may not.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sarrus/formulations/loops/loops.hpp"
#include "sarrus/formulations/tree/elastic_workspace.hpp"
#include "sarrus/formulations/tree/tree_view.hpp"
#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// Packs run trees only: their lanes could keep different rows of a loop.
template <class T>
inline constexpr bool closes_loops = !requires {
  T::lanes;
};

template <class T>
class Dynamics {
 public:
  /// Keeps a reference to the mechanism.
  explicit Dynamics(const Mechanism& mechanism);
  Dynamics(const Mechanism& mechanism, Numbers<T> numbers);

  const Mechanism& mechanism() const { return *m_; }
  Numbers<T>& numbers() { return numbers_; }

  // ── setting the instant ──

  /// Takes q, u (and the states of force elements), puts prescribed motions in place of theirs, and
  /// computes positions, velocities, signals and forces. Pointers may be null for empty arrays.
  void set(const T& t, const T* q, const T* u, const T* state);
  /// The same from the quasi-momenta p = M u: finds the velocities first. Instead of accelerate(),
  /// momentum_rates() follows.
  void set_momenta(const T& t, const T* q, const T* p, const T* state);
  /// The same for bodies that were moved one by one: takes their places and motions as they are,
  /// with q and u measured between them, and the reactions that friction rubs on. Instead of
  /// accelerate(), set_measured_accelerations() follows; what asks for the factors of a mass matrix
  /// has no answer.
  void set_measured(const T& t, const T* q, const T* u, const T* state, const BodyMotion<T>* bodies,
                    const T* normal);
  /// Accelerations of all bodies (spatial, in world axes at their origins), the wrenches of their
  /// inboard joints, those of closures on their second body at the origin of its frame, and u̇ of
  /// prescribed joints as their motions say.
  void set_measured_accelerations(const Twist<T>* A, const Wrench<T>* reactions,
                                  const Wrench<T>* closings);
  Wrench<T> measured_closing(const Closure& closure) const {
    return closings_[static_cast<size_t>(&closure - m_->closures.data())];
  }
  bool is_measured() const { return measured_; }
  /// Position, speed and acceleration that a motion prescribes at this instant.
  Jet<T> motion_at(const Motion& motion) const;
  /// After set_momenta(), or after set() and accelerate() at the velocities that it found: ṗ.
  void momentum_rates(T* pdot);
  /// After set(): accelerations, and with friction on reactions the forces that agree with them.
  /// Returns false where friction and accelerations do not agree after many repetitions.
  bool accelerate();

  // ── after set() ──

  const T& time() const { return t_; }
  const std::vector<T>& q() const { return q_; }  // padded; the first nq entries
  const std::vector<T>& u() const { return u_; }
  /// The twist of a body, and of all it carries, per unit of velocity u.
  const Twist<T>& column(int u) const { return freedom_[static_cast<size_t>(u)].S; }
  /// Calls f(u, S) for every velocity that moves a body against its parent in the tree.
  template <class F>
  void each_column(int body, F&& f) const {
    sarrus::each_column(view(), body, f);
  }
  const BodyMotion<T>& motion(int body) const { return motion_[static_cast<size_t>(body)]; }
  const std::vector<T>& tau() const { return tau_; }
  const std::vector<T>& state_rate() const { return state_rate_; }
  const EnergyFlow<T>& flow() const { return flow_; }  // drive power complete after accelerate()
  const std::vector<T>& slots() const { return slots_; }
  ForceContext<T> force_context();  // for reading single elements: servo.force(context)

  T kinetic_energy() const;
  /// Of one elastic body alone (entry of Mechanism::elastic).
  T elastic_kinetic_energy(int elastic) const;
  T potential_energy() const;  // gravity and springs
  /// Until the next set(): the energies of equations that are not these, but were made from them.
  void state_energies(const T& kinetic, const T& gravity);
  /// Sᵀ f + τ: the forces on every velocity, of gravity too where asked for.
  void joint_forces(T* Q, bool with_gravity);
  /// Momentum of all bodies: linear, and angular about the world's origin.
  Wrench<T> momentum() const;
  /// p = M u, quasi-momenta conjugate to u.
  void joint_momenta(T* p);
  /// M by columns (nu × nu). Leaves accelerations to be computed anew.
  void mass_matrix(T* M);
  /// τ that gives `udot`, beyond the forces that act anyhow: M udot + c − forces.
  void inverse_dynamics(const T* udot, T* tau);

  // ── without set(), which is needed again afterwards ──

  /// τ = M(q) udot + c(q, u) under gravity and no other force; prescribed joints move as given
  /// here.
  void inverse_dynamics_at(const T* q, const T* u, const T* udot, T* tau);
  /// M(q) by columns (nu × nu).
  void mass_matrix_at(const T* q, T* M);

  // ── after accelerate() ──

  const std::vector<T>& udot() const { return udot_; }
  /// Spatial acceleration of a body in world axes at its origin, gravity taken out.
  Twist<T> acceleration(int body) const;
  /// Wrench of the parent on the body through its joint, in world axes at the body's origin.
  Wrench<T> reaction(int body) const;
  /// Force that the drive of a prescribed velocity must supply, beside the forces on that joint.
  T drive_force(int body, int u) const;
  /// Smallest pivot of D relative to its body's inertia, and the velocity it belongs to.
  struct Pivot {
    double relative = 1;
    int u = -1;
  };
  Pivot smallest_pivot() const;
  /// x = M⁻¹ b; destroys accelerations and reactions.
  void solve(const T* b, T* x);
  /// V_ij = J_i M⁻¹ J_jᵀ, 6 × 6 by columns, in world axes at the bodies' origins: how body i
  /// accelerates under a wrench on body j. Needs the factors of accelerate().
  void operational_inertia(int i, int j, T* V) const;

  // ── closed loops ──

  bool has_loops() const { return loops_.has_value(); }
  Loops<T>& loops() { return *loops_; }
  const Loops<T>& loops() const { return *loops_; }
  /// After set(): rows in place and factored, for the corrections of positions and velocities.
  void factor_loops();
  /// After factor_loops(): x = M⁻¹ Gᵀ y, how the tree moves under multipliers y.
  void loop_response(const std::vector<T>& y, T* x);
  /// After set() or inverse_dynamics(): the rows where the bodies are.
  void place_loops();
  /// After place_loops(): G by rows (rows × nu).
  void loop_jacobian(T* G) const;
  /// φ̈ of a row at the accelerations of the last inverse_dynamics() with these udot.
  T loop_acceleration(int row, const T* udot) const;
  /// u̇ that a prescribed motion gives.
  const T& given_acceleration(int u) const { return udot_given_[static_cast<size_t>(u)]; }
  /// A joint that is held stands still in accelerations, corrections and responses.
  void hold(int body, bool held) { held_[static_cast<size_t>(body)] = held; }

  // ── signals that need accelerations, after accelerate() ──

  void set_late_signals();
  T formula_value(int formula) const;

  /// Position, velocity, acceleration of a point sensor; accelerometer reading in sensor axes.
  PointMotion<T> sensor_motion(int sensor) const;
  Vector3<T> sensor_acceleration(int sensor) const;
  Vector3<T> sensor_accelerometer(int sensor) const;

 private:
  void take(const T& t, const T* q, const T* state);
  void prescribe();
  void set_time_jets();
  void set_signals(int from, int to);
  void apply_forces();
  bool reactions_settled();
  bool move_tree();
  bool close_accelerations();
  void close_velocities(const T* p);
  void add_impulse_rates(T* pdot);
  TreeView<T> view() const;
  Twist<T> own_twist(const Flex<T>& flex) const;
  Wrench<T> own_momentum(const Flex<T>& flex) const;

  const Mechanism* m_;
  Numbers<T> numbers_;
  const TreeKernels<T>* kernels_;
  std::vector<int> l0_;
  bool spatial_ = false, rubs_ = false, measured_ = false;

  ElasticWorkspace<T> elastic_;
  std::vector<char> held_;           // per body: prescribed, or held for a while
  std::vector<Wrench<T>> closings_;  // measured
  std::optional<Loops<T>> loops_;
  std::vector<T> open_;      // momenta without the impulses of loops, or forces with those of loops
  std::vector<T> coupling_;  // forces of couplings on coordinates
  std::vector<Wrench<T>> impulse_, impulse_rate_;

  T t_{};
  std::vector<T> q_, u_, state_, sin_, cos_;
  std::vector<T> tau_, udot_, udot_given_, state_rate_, normal_;
  std::vector<T> slots_, formula_, formula_rate_, lower_, kinetic_rate_;
  std::vector<Jet<T>> jets_;
  std::vector<BodyMotion<T>> motion_;
  std::vector<Link<T>> link_;
  std::vector<Freedom<T>> freedom_;
  std::vector<Wrench<T>> wrench_;
  std::vector<Twist<T>> A_;
  EnergyFlow<T> flow_;
  std::optional<std::array<T, 2>> stated_;  // kinetic, of gravity
};

}  // namespace sarrus
