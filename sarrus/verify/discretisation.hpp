// What the resolution of elastic bodies leaves open, apart from how well their equations are solved.
//
//   digits of the equations        one model in two formulations             verify.hpp
//   digits of the discretisation   two models in one formulation             here
//
// The second model has twice as many functions or elements in every elastic body. What both models show — joints, sensors, reactions, energies — differs by the
// error of the coarser one, less what the finer one still lacks:
//
//   e ≈ |x_n − x_2n|,   not below the finer run's own error of integration                    (1)
//
// Elastic coordinates are those of one model alone, and a mesh is what the user gave: neither is
// judged. docs/trust.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sarrus/model/valid_model.hpp"
#include "sarrus/verify/comparison.hpp"

namespace sarrus {

struct ResolvedQuantity {
  std::string name, unit;
  double difference = 0;  // [unit] the largest of (1)
  double digits = 0;
};

struct Discretisation {
  std::vector<std::string> changes;  // "coupler: 3 functions → 6"
  std::string lacks;                 // why there are no digits; empty where there are
  std::string formulation, method, setting;
  double digits = 0;
  std::string worst;    // the quantity that has them
  double relative = 0;  // by how much it changes, of its size
  std::vector<ResolvedQuantity> quantities;
};

/// The model with every elastic body resolved twice as finely, and what was changed; a solid has
/// more modes, not more elements, and segments of a beam stay as they are.
Model resolved_twice(const Model& model, std::vector<std::string>& changes);

/// Of the most accurate run of the comparison; nothing where no body is elastic.
std::optional<Discretisation> discretisation_of(const ValidModel& model,
                                                const Comparison& comparison);

}  // namespace sarrus
