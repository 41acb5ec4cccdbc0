// Vibrations of an elastic body with its frame held.
#pragma once

#include "sarrus/elastic/elastic_body.hpp"

namespace sarrus {

struct ElasticMode {
  double frequency = 0;  // [rad/s]
  int coordinate = 0;    // that has most of its energy
};

/// All of them, the slowest first.
std::vector<ElasticMode> elastic_modes(const ElasticBody& body);

}  // namespace sarrus
