// Where a run begins.
#pragma once

#include "sarrus/run/simulate.hpp"

namespace sarrus {

/// The start with its loops closed; a little beside a singular position (assembly.hpp).
StartState run_start(const Mechanism& mechanism, double t);

}  // namespace sarrus
