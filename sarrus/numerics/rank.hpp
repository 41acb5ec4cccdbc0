// How many of a set of numbers count as different from zero, and how sure that is.
//
//   x_i = σ_i/σ_1                       descending, as far as there are rows and columns
//   τ_num  = max(m, P) ε                what rounding alone leaves of a zero
//            √(max(m, P) ε)             where σ² came from the eigenvalues of CᵀC
//   τ_data                              how exactly the coefficients are known
//   ratio(R) = x_R / max(x_{R+1}, τ_num/100)
//
// Values between rounding and data make a decision marginal; values that fall gradually make it
// ill. [Golub, Van Loan 2013, 5.4], docs/theory/linear.md
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sarrus {

enum class RankStatus {
  clear,     // a gap of at least `gap` where the line is drawn
  weak,      // clear, but the smallest value kept is below `warn`
  marginal,  // values below the data tolerance were taken for zero
  ill        // no gap: the values fall gradually
};
const char* to_text(RankStatus status);

struct RankOptions {
  double data_tolerance = 1e-9;
  double gap = 1e4;
  double warn = 1e-6;
  bool keep_marginal = false;  // values between rounding and data count
  bool squared = false;        // the values are roots of eigenvalues of CᵀC
  double epsilon = 2.220446049250313e-16;
};

struct RankDecision {
  int rank = 0;
  RankStatus status = RankStatus::clear;
  std::vector<double> sigma;     // descending
  double rounding = 0;           // τ_num
  double tolerance = 0;          // relative to the largest: what lies above it counts
  double kept = 0, dropped = 0;  // x_R, x_{R+1}; 0 where there is none
  double gap_decades = 0;        // log₁₀ ratio(R)
  double condition = 1;          // σ_1/σ_R
};

/// Where to draw the line between values that count and values that are zero. `sigma` descends.
RankDecision decide_rank(std::span<const double> sigma, int rows, int cols,
                         const RankOptions& options = {});

/// Why the decision is not clear, in words; empty where it is.
std::string doubt(const RankDecision& decision);

}  // namespace sarrus
