// What formulations on the tree share: the layout of y, the chart, and the account of energy.
#pragma once

#include "sarrus/formulations/formulation.hpp"

namespace sarrus {

class TreeFormulation : public Formulation {
 public:
  explicit TreeFormulation(const Mechanism& mechanism);

  const Mechanism& mechanism() const override { return m_; }
  int size() const override { return m_.nx + m_.nu + m_.ns + Ledger::size; }
  int split() const override { return m_.nx; }
  /// If every motion is prescribed, the ledger is all there is to integrate and to control.
  int quadratures() const override { return all_prescribed_ ? 0 : Ledger::size; }

  void begin(const StartState& start, std::span<double> y) override;
  bool derivative(double t, std::span<const double> y, std::span<double> ydot) override;
  void rebase(double t, std::span<double> y, std::span<double> ydot) override;
  bool is_constrained() const override { return m_.has_loops(); }
  bool project(double t, std::span<double> y) override;
  double independence() const override { return independence_; }
  void observe(double t, std::span<const double> y, Snapshot& out) override;
  bool jump(double before, double after, std::span<double> y) override;
  void set_parameter(int parameter, double value) override {
    w_.numbers().parameters[parameter] = value;
  }
  const std::vector<double>& parameters() const override { return w_.numbers().parameters; }
  std::vector<double> configuration(double t, std::span<const double> y) override;
  std::vector<double> base() const override { return base_; }
  void set_configuration(std::span<const double> q) override;
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> memory) override;
  OdeStructure structure() const override;
  double energy_account(double t, std::span<const double> y) override;
  std::string failure() const override { return failure_; }
  std::string entry(int i) const override;

 protected:
  /// What a rate of y was made of.
  struct Evaluation {
    const Places<double>* places = nullptr;
    const Forces<double>* forces = nullptr;
    EnergyFlow<double> flow{};  // what the ledger gains per time
    ClosedLoops<double> loops;
  };

  /// Whether the second part of y are momenta.
  virtual bool has_momenta() const = 0;
  /// u from the second part of y at the configuration q_; not finite where there is none.
  virtual void velocities(double t, std::span<const double> w, const double* state,
                          std::span<double> u) = 0;
  /// The second part of y that belongs to a motion.
  virtual void start_velocities(const Kinematics<double>& k, std::span<double> w) = 0;
  /// The rate of the second part of y at the configuration q_; false where it does not exist.
  virtual bool evaluate(double t, std::span<const double> w, const double* state,
                        std::span<double> wdot, Evaluation& out) = 0;
  /// Kinetic and potential energy at the configuration q_.
  virtual double energy(double t, std::span<const double> w, const double* state) = 0;

  /// Stores the reason; always false.
  bool refuse(std::string why);
  /// Whether every formula gives a number, and the accelerations exist.
  bool check_formulas(const Places<double>& k, const Forces<double>& f);
  bool check_accelerations(const Places<double>& k, const Accelerations<double>& a);

  /// Set where the second part of y holds the impulses of loops as well: rebase() drops them.
  bool impulses_ = false;
  /// Whether the loops are so near to a singular position that stages are brought back in this
  /// step, and momenta hold no impulses.
  bool near_singular_ = false;

  const Mechanism& m_;
  Workspace<double> w_;
  std::vector<double> q_, u_;

 private:
  bool rates(double t, std::span<const double> y, std::span<double> ydot);
  bool bring_back(double t, std::span<double> y);
  void place(std::span<const double> y);
  void keep_rows();
  void shift(std::span<double> y, const Places<double>& k, const double* dx);
  ClosedLoops<double> close_positions(double t, std::span<double> y);
  void close_velocities(double t, std::span<double> y, const ClosedLoops<double>& loops);
  void drop_impulses(double t, std::span<double> y, std::span<double> ydot);
  static double lost(double a, double b);
  std::string rubbing_joints() const;
  bool refuse_formula(int formula, const char* what, double value, double t);
  bool check_jump(const PrescribedMotion& motion, double before, double after);

  bool additive_ = true;  // every joint has q̇ = u
  bool all_prescribed_ = false;
  double independence_ = 1;       // the least since rebase()
  double independence_here_ = 1;  // where positions were brought back last
  RowChoice rows_;                // of loops, that count from one project() to the next
  std::vector<double> base_, v_, dx_, multiplier_, projected_, stage_;
  std::string failure_;
};

}  // namespace sarrus
