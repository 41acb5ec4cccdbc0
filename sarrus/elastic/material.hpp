// What elastic bodies are made of, and how their deformation is damped.
#pragma once

#include <vector>

#include "sarrus/elastic/elastic_body.hpp"

namespace sarrus {

struct ElasticMaterial {
  double E = 0, G = 0;  // [Pa]
  double density = 0;   // [kg/m³]
};

/// D = b K + a M (of the coordinates, relative to the frame) + modal ratios ζ.
struct ElasticDamping {
  double stiffness = 0;        // b [s]
  double mass = 0;             // a [1/s]
  std::vector<double> ratios;  // ζ per coordinate, or one for all
};

/// Fills D of a body that has its samples and K.
void add_damping(ElasticBody& body, const ElasticDamping& damping);

}  // namespace sarrus
