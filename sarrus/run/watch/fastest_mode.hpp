// Tells when the fastest vibration of an elastic body dictates the step of an explicit method.
//
// An explicit method stays stable up to a certain product h ω_max. If the mean step comes near it,
// the method could take longer steps for the same accuracy if it were not for that vibration.
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
