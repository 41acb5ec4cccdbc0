// How many digits the rows of a run have, compared with the most accurate contender (verify.hpp).
#pragma once

#include "sarrus/verify/comparison.hpp"
#include "sarrus/verify/verify.hpp"

namespace sarrus {

/// Adds `rows`, the digits of each quantity and a sentence to a verdict on the formulations. Rows with
/// fewer than `wanted` digits disagree. Without a contender that another confirms, nothing is added.
void judge_rows(const Comparison& comparison, const Trajectory& run, double wanted,
                Verification& verdict);

}  // namespace sarrus
