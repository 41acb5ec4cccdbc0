// Formulation "discrete": every body is moved by itself, in steps so small that joints can be stiff
// springs. No tree, no Jacobian, no constraint solver.
//
//   forces of joints, elements and gravity at (P_k, R_k)
//   V_k+½ = V_k−½ + h (F/m + g),   L_k+½ = L_k−½ + h M                                    (kick)
//   P_k+1 = P_k + h V_k+½,         R_k+1 = R_k turned by L_k+½ over h                     (drift)
//   start: half a kick                                                       → second order
//   rows:  V_k = V_k−½ + h/2 (F_k/m + g),  L_k likewise
//
// A record y holds everything that is observed, made of the bodies' own states, so that what lies
// between two steps can be found:
//
//   y = [P, quaternion, V, L, a, α of every body | wrench of every joint | rotors | q, u measured |
//        states of elements | ledger]
//
// [Zhanal, Portes 2018], docs/theory/discrete.md
#pragma once

#include <memory>

#include "sarrus/formulations/discrete/discrete_gains.hpp"
#include "sarrus/formulations/discrete/discrete_measure.hpp"
#include "sarrus/formulations/formulation.hpp"

namespace sarrus {

enum class Rotation { dlm, lie2, exp, paper };

class Discrete {
 public:
  /// Throws Error: bodies that cannot move by themselves, a step beyond what is stable.
  Discrete(const Mechanism& mechanism, const SimulateSpec& settings);

  const Mechanism& mechanism() const { return *m_; }
  void begin(const StartState& start);
  const std::vector<Diagnostic>& notes() const { return notes_; }
  void set_parameter(int parameter, double value) { w_.numbers().parameters[parameter] = value; }
  const std::vector<double>& parameters() const { return w_.numbers().parameters; }

  // ── stepping ──

  double step() const { return h_; }  // [s]
  std::int64_t count() const { return count_; }
  double time() const { return start_ + static_cast<double>(count_) * h_; }
  double start() const { return start_; }
  void advance(std::int64_t steps);
  /// Whether every body is where a body can be; otherwise failure() says what is not.
  bool is_sound();
  const std::string& failure() const { return failure_; }
  /// All that the next step depends on, and back.
  std::vector<double> memory() const;
  void save(std::vector<double>& memory) const;  // the same, without allocating again
  void set_memory(std::span<const double> memory);
  /// Where inputs break within the next steps, and within the last one, in rising order [s]: a kick
  /// over one of them has the mean of the forces before and after it.
  void expect_breaks(std::span<const double> times);
  /// The fastest turn of a body [rad/s].
  double fastest_turn() const;

  // ── observing ──

  int size() const { return size_; }  // of a record
  /// Everything at the present instant.
  void record(std::span<double> y);
  /// Between two records one step apart, 0 ≤ theta ≤ 1.
  void between(std::span<const double> y0, std::span<const double> y1, double theta,
               std::span<double> y) const;
  void observe(double t, std::span<const double> y, Snapshot& out);
  /// What entry i of a record is, in words.
  std::string entry(int i) const;

  /// Largest gap of a joint at the present instant [m], and which joint.
  struct Gap {
    double size = 0;
    int joint = -1;
  };
  Gap largest_gap() const;
  const DiscreteGraph& graph() const { return g_; }
  const DiscreteGains& gains() const { return gains_; }

 private:
  struct Rotor {
    double x = 0, v = 0, force = 0;
  };
  /// A joint that comes and goes: its frame on A as the model gives it.
  struct Switch {
    int joint = 0;
    bool holds = true;
    Pose<double> X_a;
  };
  /// What a joint that comes and goes exerts in one step, and how its bodies moved before it.
  struct Grip {
    WrenchRecord on_a, on_b;
    Vec3 V_a, w_a, V_b, w_b;
  };
  /// A friction on a reaction: whose joint, and the body inside that it is booked on.
  struct Rubbing {
    int joint = 0, body = 0;
  };
  /// A condition on velocities: how far it has slipped, and what it was one step ago.
  struct Slip {
    double way = 0;
    std::int64_t seen = -1;  // step
    WrenchRecord on_a, on_b;
    Mat3 R_a = Mat3::identity(), R_b = Mat3::identity();
  };
  /// A body with inertia on loan: the momentum of that at the half step before, and its rate
  /// smoothed once and twice.
  struct Loan {
    int slot = 0, group = 0;    // lent bodies that joints tie together are a group
    double alpha = 0;           // how fast the smoothing is
    double kappa = 0;           // how well its group is led at the start
    Mat3 R = Mat3::identity();  // one step ago
    Wrench<double> momentum, once, twice;
  };
  /// A condition at one instant: what its unit exerts on two bodies.
  struct PlacedCondition {
    double residual = 0;
    WrenchRecord on_a, on_b;
    Wrench<double> at_frame;  // on B at the origin of its frame
  };
  struct LanePlace {
    int pack = -1, lane = 0;
  };
  /// Where the parts of y start.
  struct Layout {
    size_t wrenches, conditions, rotors, q, u, state, ledger;
  };

  void lay_out();
  void choose_step(const SimulateSpec& settings);
  /// A step, and what asks for it in words.
  struct Wanted {
    double h = 0;
    std::string by, hint;
    void shorten(double step, const std::string& cause, const std::string& remedy);
  };
  Wanted wanted_step(const SimulateSpec& settings) const;
  void refuse_short_step(const Wanted& wanted) const;
  void refuse_step(double h, const DiscreteGains::Limit& limit) const;
  void warn_of_gaps();
  void warn_of_overlaps();
  void pack_bodies();
  void fill_lane(int joint, bool holds);
  void pack_joints();
  void list_wrenches();
  void list_measured();

  void place_bodies(const StartState& start);
  void turn_back_half_a_kick();
  void step_once();
  void move_bodies_one_by_one();
  void evaluate();
  void apply_elements(double t);
  const Forces<double>& load_over_kick(double t);
  const Forces<double>& load_at(double t);
  bool breaks_within(double from, double to) const;
  void extrapolate(std::vector<MotionRecord>& motion) const;
  void read_joints(const std::vector<MotionRecord>& motion, const std::vector<int>& joints);
  void apply_contacts();
  void work_switches(const std::vector<double>& formula);
  void keep_grips();
  void book_grips();
  void set_switches();
  void keep_in_plane();
  Pose<double> solid_pose(const Solid& solid) const;
  void read_reactions();
  void push_joint_forces(const std::vector<double>& tau);
  void push_wrenches(const std::vector<Wrench<double>>& wrench);
  void apply_rows();
  void apply_row(const RowBlock& row);
  void apply_conditions();
  void apply_coupling(int index);
  PlacedCondition placed_condition(const GraphCondition& condition) const;
  double slipped(const GraphCondition& condition, const PlacedCondition& now, Slip& slip) const;
  double power(int slot, const WrenchRecord& w, const Mat3& R) const;
  double mobility(int slot, const WrenchRecord& w) const;
  void push_pair(const GraphJoint& j, const JointPose& pose, const Wrench<double>& on_b);
  void put_bodies(const std::vector<MotionRecord>& motion);
  void keep_ledger();
  void list_loans();
  void pace_loans();
  double least_stiffness(const std::vector<int>& slots);
  Wrench<double> lent_momentum(const Loan& loan) const;
  void open_loans(const StartState& start);
  void begin_loans();
  void follow_loans();
  void give_back_loans();
  Wrench<double> needed_by_given(const GraphJoint& j) const;
  void observe_conditions(const double* mu, const LoopRows<double>& rows, Snapshot& out) const;
  void sense_accelerations(const Places<double>& k, const Forces<double>& f, Snapshot& out);

  Wrench<double> pulled(int slot) const;
  MotionRecord centred(int slot, const Wrench<double>& pull, Vec3& L, Vec3& a, Vec3& alpha) const;
  BodyPack& pack(int slot) { return bodies_[static_cast<size_t>(slot - 1) / 4]; }
  const BodyPack& pack(int slot) const { return bodies_[static_cast<size_t>(slot - 1) / 4]; }
  Vec3 angular_velocity(int slot, const Mat3& R, const Vec3& L) const;
  Vec3 lane(const Vector3<Lane>& v, int slot) const;
  void set_lane(Vector3<Lane>& v, int slot, const Vec3& x);

  const Mechanism* m_;
  DiscreteGraph g_;
  DiscreteGains gains_;
  Workspace<double> w_;
  const DiscreteKernels* kernels_;
  Rotation rotation_ = Rotation::dlm;
  bool leapfrog_ = true;  // false: the source's own order of operations
  bool has_elements_ = false, is_busy_ = false, second_order_damping_ = true;
  double h_ = 0, start_ = 0;
  std::int64_t count_ = 0;
  int size_ = 0;
  Layout at_{};

  std::vector<BodyPack> bodies_;
  std::vector<JointPack> joints_;
  std::vector<MotionRecord> motion_, trial_;
  std::vector<WrenchRecord> wrench_;  // two per joint, one per body for elements, two unused
  std::vector<std::int32_t> list_;
  DiscreteView view_{};

  std::vector<Vec3> turning_;                        // rotation "paper": the source's V_r
  std::vector<Vec3> V_before_, L_before_;            // one kick ago
  std::vector<int> measured_, all_joints_, driven_;  // joints read in every step; that carry τ
  std::vector<double> breaks_;                       // of inputs, in steps since the start
  std::vector<double> tau_;                          // of the elements, over the present kick
  std::vector<Wrench<double>> pull_;                 // likewise
  std::vector<double> q_, u_, u_kept_, state_, rate_, rate_before_, normal_, normal_seen_;
  std::vector<Rotor> rotors_;
  std::vector<Rubbing> rubbing_;
  std::vector<Switch> switches_;
  std::vector<Grip> grips_;       // one per switch
  std::vector<LanePlace> place_;  // of every joint in its pack
  std::vector<Vec3> sticks_;      // of contacts, pair after pair
  std::vector<size_t> first_stick_;
  std::vector<Slip> slips_;  // one per condition
  std::vector<double> mu_;   // per condition: the force on its unit
  std::vector<Loan> loans_;
  int unled_ = 0;  // slot with inertia on loan that its joints have left free; 0: none
  std::vector<WrenchRecord> unit_;  // of a coupling, per slot
  std::vector<BodyMotion<double>> placed_;
  std::vector<Wrench<double>> extra_;  // per joint, on B at o_M: elements and rows
  BodyAccelerations<double> A_;        // as seen
  std::vector<Twist<double>> pace_;    // per slot, accelerations of the centre of mass
  EnergyFlow<double> power_{}, power_before_{};
  Ledger ledger_;
  std::string failure_;
  std::vector<Diagnostic> notes_;
};

}  // namespace sarrus
