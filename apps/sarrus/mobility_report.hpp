// The mobility of a mechanism in words and as JSON, for `sarrus check`.
#pragma once

#include "output.hpp"
#include "sarrus/analysis/mobility.hpp"

namespace sarrus::app {

Json mobility_json(const Mobility& m);
void print_mobility(const Mobility& m, const Mechanism& mechanism, Output& out);

}  // namespace sarrus::app
