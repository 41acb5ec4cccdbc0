// The mobility of a mechanism as JSON, for `sarrus check --json` and for the page of a result.
#pragma once

#include <string>

#include "sarrus/mobility/mobility.hpp"

namespace sarrus {

/// "·", "unique" or "shared".
const char* to_text(Reaction r);

std::string to_json(const Mobility& m);

}  // namespace sarrus
