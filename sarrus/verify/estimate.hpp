// How many digits the rows of a run have, from a second run that is coarser on purpose and so costs
// less than the first.
//
//   e ≈ |x − x_c| r/(1 − r)                                                              (1)
//
//   adaptive     x_c at 100 rtol     r = 1/40: errors follow the tolerance, not quite in proportion
//   fixed step   x_c with 2 h        r = 2^−p of a method of order p; bodies one by one: p = 2
//
// Errors do not shrink again: the largest so far counts. Where x_c differs from x in the first
// digit, all that is known is that digits are few.
#pragma once

#include <string>

#include "sarrus/run/simulate.hpp"
#include "sarrus/verify/quantities.hpp"

namespace sarrus {

struct DigitsEstimate {
  double digits = 0;     // of the worst quantity
  bool at_most = false;  // there may be fewer
  std::string worst;     // that quantity
  double until = 0;      // [s] the estimate holds up to here
  std::string how;       // "by a second run at rtol 1e-07"
  std::string why_not;   // why there is none; empty where there is
  bool is_known() const { return why_not.empty(); }
};

/// `rows`: of the run with these settings, evenly spaced. `budget`: wall time for the second run [s];
/// where it does not suffice, the estimate ends earlier.
DigitsEstimate estimate_digits(const Mechanism& mechanism, const SimulateSpec& settings,
                               const Trajectory& rows, double budget);

/// The evenly spaced rows that a run begins with, thinned to about `most`.
Trajectory even_rows(const Trajectory& rows, int most);

}  // namespace sarrus
