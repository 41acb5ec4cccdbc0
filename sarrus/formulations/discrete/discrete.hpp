// Formulation "discrete": every body is moved by itself, in steps so small that joints can be stiff
// springs. No tree, no Jacobian, no constraint solver.
//
//   forces of joints, elements and gravity at (P_k, R_k)
//   V_k+½ = V_k−½ + h (F/m + g),   L_k+½ = L_k−½ + h M                                    (kick)
//   P_k+1 = P_k + h V_k+½,         R_k+1 = R_k turned by L_k+½ over h                     (drift)
//   start: half a kick                                                       → second order
//   rows:  V_k = V_k−½ + h/2 (F_k/m + g),  L_k likewise
//
// What acts on the bodies beside the blocks of their joints are parts of their own, each with its
// own memory: elements, contacts, switches, rows, conditions, loans.
//
// [Zhanal, Portes 2018], docs/theory/discrete.md
#pragma once

#include "sarrus/formulations/discrete/discrete_conditions.hpp"
#include "sarrus/formulations/discrete/discrete_contacts.hpp"
#include "sarrus/formulations/discrete/discrete_elements.hpp"
#include "sarrus/formulations/discrete/discrete_loans.hpp"
#include "sarrus/formulations/discrete/discrete_records.hpp"
#include "sarrus/formulations/discrete/discrete_rows.hpp"
#include "sarrus/formulations/discrete/discrete_switches.hpp"

namespace sarrus {

class Discrete {
 public:
  /// Throws Error: bodies that cannot move by themselves, a step beyond what is stable.
  Discrete(const Mechanism& mechanism, const SimulateSpec& settings);
  Discrete(const Discrete&) = delete;  // its parts point to each other
  Discrete& operator=(const Discrete&) = delete;

  const Mechanism& mechanism() const { return *m_; }
  void begin(const StartState& start);
  const std::vector<Diagnostic>& notes() const { return notes_; }
  void set_parameter(int parameter, double value) { w_.numbers().parameters[parameter] = value; }
  const std::vector<double>& parameters() const { return w_.numbers().parameters; }

  void set_state(int state, double value) { elements_.set_state(state, value); }

  // ── stepping ──

  double step() const { return clock_.h; }  // [s]
  std::int64_t count() const { return clock_.count; }
  double time() const { return clock_.time(); }
  double start() const { return clock_.start; }
  void advance(std::int64_t steps);
  /// Whether the state of every body is sound; otherwise failure() says which is not.
  bool is_sound();
  const std::string& failure() const { return failure_; }
  /// All that the next step depends on: saved, and restored.
  std::vector<double> memory() const;
  void save(std::vector<double>& memory) const;  // the same, without allocating again
  void set_memory(std::span<const double> memory);
  /// Where inputs break within the next steps, and within the last one, in rising order [s]: a kick
  /// over one of them has the mean of the forces before and after it.
  void expect_breaks(std::span<const double> times) { clock_.expect_breaks(times); }
  /// Parameters have changed at the present instant: the second half of its kick has the forces that
  /// follow from them, and its record all of them, with the velocities as they are.
  void change_over(std::span<double> record);
  /// The fastest turn of a body [rad/s].
  double fastest_turn() const;

  // ── observing ──

  int size() const { return records_.size(); }  // of a record
  /// Everything at the present instant.
  void record(std::span<double> y);
  /// Between two records one step apart, 0 ≤ theta ≤ 1.
  void between(std::span<const double> y0, std::span<const double> y1, double theta,
               std::span<double> y) const {
    records_.between(bodies_, y0, y1, theta, y);
  }
  void observe(double t, std::span<const double> y, Snapshot& out) {
    records_.observe(w_, bodies_, t, y, out);
  }
  /// What entry i of a record is, in words.
  std::string entry(int i) const { return records_.entry(i); }

  /// Largest gap of a joint at the present instant [m], and which joint.
  struct Gap {
    double size = 0;
    int joint = -1;
  };
  Gap largest_gap() const;
  const DiscreteGraph& graph() const { return g_; }
  const DiscreteGains& gains() const { return gains_; }

 private:
  void place(const StartState& start);
  void step_once();
  void evaluate();
  void pace_loans();
  void keep_ledger();
  void warn();
  std::string why_unsound(int slot) const;

  /// What is kept as it is, in its order.
  template <class Self, class F>
  static auto with_memory(Self& d, F&& f) {
    return f(d.clock_, d.bodies_, d.coordinates_, d.elements_, d.contacts_, d.switches_, d.rows_,
             d.conditions_, d.loans_, d.flow_.dissipated, d.flow_.drive, d.flow_.external,
             d.ledger_.dissipated, d.ledger_.drive, d.ledger_.external);
  }

  const Mechanism* m_;
  DiscreteGraph g_;
  DiscreteGains gains_;
  DiscreteScheme scheme_;
  Workspace<double> w_;
  DiscreteClock clock_;

  DiscreteCoordinates coordinates_;
  DiscreteElements elements_;
  DiscreteContacts contacts_;
  DiscreteSwitches switches_;
  DiscreteRows rows_;
  DiscreteConditions conditions_;
  DiscreteLoans loans_;
  bool has_elements_, is_busy_;  // something acts as elements do; something acts at all
  DiscreteBodies bodies_;
  DiscreteRecords records_;

  EnergyFlow<double> flow_{}, flow_before_{};
  Ledger ledger_;
  std::vector<double> kept_;   // while loans look at the blocks
  std::vector<double> after_;  // a record with forces that have just changed
  std::string failure_;
  std::vector<Diagnostic> notes_;
};

}  // namespace sarrus
