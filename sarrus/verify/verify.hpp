// verify: one model in every formulation that can run it, and how far they agree.
//
//   contenders ──refine──▶ runs whose own errors are known ──compare──▶ digits per quantity
//                                                             │
//                  growth of a perturbation, audits, the first element that departs ──▶ verdict
//
// Two runs A and B agree in a quantity where, at every row,
//
//   |A − B| ≤ 10 (e_A + e_B) + ε γ(t)                                                    (1)
//
// with their own errors of integration e (contender.hpp) and rounding ε times the growth γ of a
// small change of the start (growth.hpp). Each run is refined until its own error is ten times
// below the difference that it judges, or a hundred times below the digits that are asked for. A
// difference beyond (1) is a disagreement where it stays when the coarser run is refined; where time
// is up before that, nothing is decided.
//
// Digits are those that two runs vouch for which share neither equations nor integrator,
//
//   max(|A − B|, min(e_A, e_B))                                                          (2)
//
// the best such pair counts. A contender that differs in the first digit is never ignored, however
// well the others agree: it may have seen what they have stepped over.
// docs/trust.md
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sarrus/verify/audit.hpp"
#include "sarrus/verify/contender.hpp"
#include "sarrus/verify/discretisation.hpp"

namespace sarrus {

struct VerifyOptions {
  double digits = 8;     // asked for
  int rows = 200;        // at which runs are compared
  double budget = 30;    // [s] of processor time for each contender; the discrete one gets half
  bool discrete = true;  // take the discrete formulation too, the slowest
  /// Rows of a run, evenly spaced, that are judged as they are: formulations are compared at their
  /// times. They need `rows_digits`.
  const Trajectory* run = nullptr;
  /// What the mechanism was compiled from. Where it is given and has elastic bodies, they are
  /// resolved twice as finely too.
  const ValidModel* model = nullptr;
  double rows_digits = 0;
  /// Called now and then: who runs, "hamiltonian, dopri5", and how much processor time is left at
  /// most [s].
  std::function<void(const std::string& who, double left)> working = {};
};

/// How far the runs agree in one quantity.
struct Agreement {
  std::string name, unit;
  double size = 0;           // [unit] what digits refer to
  double digits = 0;         // by (2), of the two that vouch for most
  std::string confirmed_by;  // "recursive, hamiltonian"
  double largest = 0;        // [unit] difference of any two contenders
  std::string between;       // which two
  /// [s] from when on (1) does not hold for those two; NaN where it always does.
  double from = std::numeric_limits<double>::quiet_NaN();
  /// Of the rows that are judged; NaN where there are none, or they do not show this quantity.
  double rows_digits = std::numeric_limits<double>::quiet_NaN();
  /// Of the discretisation of elastic bodies; NaN where it is not known.
  double resolved_digits = std::numeric_limits<double>::quiet_NaN();
};

/// How many digits the rows of a run have, beside the most accurate contender.
struct JudgedRows {
  double digits = 0;  // of the worst quantity, and no more than are confirmed
  std::string worst;  // that quantity
  int rows = 0;
};

/// What became of one contender.
struct ContenderReport {
  std::string name, family, method, setting;
  std::string lacks;    // why there is no run; empty where there is
  bool failed = false;  // it took the model, and its run broke off
  int runs = 0;
  double seconds = 0;     // [s]
  double digits = 0;      // in which it agrees with the nearest of those that vouch for it; the
                          // discrete formulation in positions and energies
  std::string with;       // that one
  double error = 0;       // its own, the largest of all quantities, relative
  std::string worst;      // the quantity that has it
  double order = 0;       // observed; NaN where differences are rounding, or steps adaptive
  int nominal_order = 0;  // of its method
  std::string limit;      // why it could not be refined further; empty where it was not asked to
  RunSummary summary;
};

/// Where one formulation leaves the others.
struct Departure {
  std::string formulation;  // empty where it cannot be told which of two
  std::string others;
  std::string quantity;  // the first that departs
  double t = 0;          // [s]
  std::string element;   // "joint/elbow"; empty where the instant shows nothing
  std::string what;      // "accelerations differ by 3 % already at …, through gravity"
};

enum class Verdict { agrees, disagrees, undecided };

struct Verification {
  Verdict verdict = Verdict::undecided;
  std::string sentence;
  double digits = 0;  // confirmed in every quantity
  double asked = 0;
  double start = 0, until = 0;  // [s] an event may have stopped the runs before the end
  double growth = 1;            // of a perturbation over the whole run
  double horizon = 0;           // [s] up to which the digits asked for are there
  std::vector<Agreement> quantities;
  std::vector<ContenderReport> contenders;
  std::vector<Audit> audits;
  std::optional<Departure> departure;
  std::optional<JudgedRows> rows;
  std::optional<Discretisation> discretisation;  // where a body is elastic and the model is known
};

/// Throws Error only for what every run would be refused for.
Verification verify(const Mechanism& mechanism, const SimulateSpec& settings,
                    const VerifyOptions& options);

/// The same with contenders of the caller's choice.
Verification verify(const Mechanism& mechanism, const SimulateSpec& settings,
                    const VerifyOptions& options, std::vector<Contender> contenders);

const char* to_text(Verdict verdict);

}  // namespace sarrus
