// The verdict of verify: digits of every quantity, audits, and one sentence (verify.hpp).
#pragma once

#include "sarrus/verify/comparison.hpp"
#include "sarrus/verify/verify.hpp"

namespace sarrus {

/// From runs that have been compared to a verdict.
Verification judge(const Comparison& comparison, const VerifyOptions& options);

}  // namespace sarrus
