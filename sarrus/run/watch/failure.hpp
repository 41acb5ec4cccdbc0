// Why a run ended, in words: the degree of freedom, the stiffest element, what to do.
#pragma once

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/motion/motion.hpp"

namespace sarrus {

/// t and y are the last good state.
Diagnostic describe_failure(Motion& motion, const StepResult& step);

/// The stiffest force element at this state: the largest rate √(k/m) or d/m that it can cause
/// [1/s].
struct Stiffness {
  std::string element;
  double rate = 0;
};
Stiffness stiffest_element(const Snapshot& now);

}  // namespace sarrus
