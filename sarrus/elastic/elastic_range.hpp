// How far an elastic body is deformed, and how far its equations hold: displacements are correct to
// second order, and a body whose energy is truncated there as well (form I) fails sooner.
//
//   deflection of a point:  |Σ φₖ qₖ|, as a share of the body's length
//   twist of a section:     ϑ from the displacements of its axes, y ↦ y + ϑ z            (1)
#pragma once

#include "sarrus/elastic/elastic_body.hpp"

namespace sarrus {

struct Deformation {
  double deflection = 0;  // of the body's length
  double twist = 0;       // [rad], of beams
};

/// The largest of both, over all points and sections.
Deformation deformation_of(const ElasticBody& body, const double* q);

/// Up to here errors stay below about 1.5e-3 of the length (5e-4 for form I), against
/// geometrically exact beams; a linear twist is off by ϑ²/6.
Deformation accurate_within(const ElasticBody& body);
/// Beyond this the result is off by several percent of the length, and useless.
Deformation valid_within(const ElasticBody& body);

}  // namespace sarrus
