// The mobility of a mechanism in words, for `sarrus check`.
#pragma once

#include "output.hpp"
#include "sarrus/mobility/mobility.hpp"

namespace sarrus::app {

void print_mobility(const Mobility& m, const Mechanism& mechanism, Output& out);

}  // namespace sarrus::app
