// Says when the step of an explicit method is dictated by the fastest vibration of an elastic body.
//
// An explicit method stays stable up to a product h ω_max of its own. Where the mean step comes
// near it, the method could take longer steps for the same accuracy, but for that vibration.
#pragma once

#include <string_view>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/elastic/elastic_modes.hpp"
#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

struct FastestMode {
  const ElasticInfo* body = nullptr;  // nullptr: nothing is elastic
  ElasticMode mode;
};
/// Of all elastic bodies, each with its frame held.
FastestMode fastest_mode(const Mechanism& mechanism);

/// A note with the body, its vibration and what to choose instead; nothing where the step is free.
void tell_fastest_mode(const Mechanism& mechanism, std::string_view integrator, double mean_step,
                       std::vector<Diagnostic>& notes);

}  // namespace sarrus
