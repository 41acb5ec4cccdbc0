// The runs of all contenders, refined until their own errors do not matter, and what lies between
// them. What verify judges (verify.hpp).
#pragma once

#include <string>
#include <vector>

#include "sarrus/verify/contender.hpp"

namespace sarrus {

class Comparison {
 public:
  /// `digits`: how many are asked for. Contenders that lack nothing are run. Keeps a reference to
  /// the mechanism.
  Comparison(const Mechanism& mechanism, const RunPlan& plan, double digits,
             std::vector<Contender> all);
  /// Everything below is known afterwards.
  void run();

  const Mechanism& mechanism() const { return m_; }
  const RunPlan& plan() const { return plan_; }
  double tolerance() const { return tolerance_; }  // relative, of the digits asked for
  /// All contenders, those that broke off with the reason; those that have runs.
  const std::vector<Contender>& contenders() const { return all_; }
  const std::vector<Attempt>& attempts() const { return attempts_; }
  const std::vector<std::string>& failed() const { return failed_; }
  /// How many kinds of equations have runs.
  int families() const;
  const std::vector<ComparedQuantity>& quantities() const { return quantities_; }
  /// Of a change of the start over the whole run, in positions and velocities; at least 1.
  double growth() const;
  /// [s] up to which every contender has rows: an event may stop a run.
  double reached() const;

  static bool is_discrete(const Attempt& a) { return a.contender().family == "discrete"; }
  /// Relative error below which a run is fine enough.
  double target(const Attempt& a) const;
  Differences apart(const Attempt& a, const Attempt& b) const;
  /// The first row at which (1) of verify.hpp does not hold, −1 where it always does.
  int first_unexplained(const Attempt& a, const Attempt& b, const Differences& d, size_t q) const;
  /// Whether two agree by more than what they share: neither equations nor integrator are the same.
  static bool vouch(const Attempt& a, const Attempt& b) {
    return a.contender().family != b.contender().family && a.method() != b.method();
  }
  /// The most accurate of those that vouch for it; null where nobody does.
  const Attempt* best_witness(const Attempt& a) const;
  /// What two of them leave open in a quantity: how far they are apart, and not less than the error
  /// that the better one has by itself.
  double left_open(const Attempt& a, const Attempt& b, const Differences& d, size_t q) const;
  /// Whether some difference stayed when the coarser of two runs was refined.
  bool has_lasting_difference() const;
  /// Whether time ran out before that could be decided for these two.
  bool is_unsettled(const Attempt& a, const Attempt& b) const;
  /// Zero in every run: not worth a line.
  bool is_zero(const ComparedQuantity& q) const;
  /// Whether two need not have the same of it: the discrete formulation is another kind of model there.
  bool is_excused(const Attempt& a, const Attempt& b, size_t q) const;
  /// The largest difference of positions and energies, relative; without what is tiny or excused.
  double positions_apart(const Attempt& a, const Attempt& b) const;

 private:
  /// Two contenders that part in a quantity.
  struct Parting {
    size_t first = 0, second = 0, quantity = 0;
    double size = 0;     // relative; 0: nobody parts
    bool stays = false;  // when the coarser one is refined
  };
  bool is_followed(size_t i, size_t j) const;
  void follow(const Parting& p);
  void prepare();
  bool make_ready(Attempt& a);
  void list_quantities(const Attempt& a);
  void refuse(const std::string& name, const std::string& why);
  void refine();
  bool refine_one(Attempt& a);
  bool change(Attempt& a);
  bool needs_refinement(const Attempt& a) const;
  void measure_growth();
  void confirm();
  double grown(int row, size_t q) const;
  Parting worst_parting() const;

  const Mechanism& m_;
  RunPlan plan_;
  double tolerance_;
  std::vector<Contender> all_;
  std::vector<Attempt> attempts_;
  std::vector<ComparedQuantity> quantities_;
  Differences growth_;
  std::vector<std::string> failed_;  // took the model, and broke off
  std::vector<Parting> followed_;    // as far as runs can be refined
};

}  // namespace sarrus
