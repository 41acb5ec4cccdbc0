#include "sarrus/elastic/elastic_range.hpp"

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr double unit = 1e-9;  // how exactly the axes of a section are unit vectors

Vec3 displacement(const MassSample& s, const double* q) {
  Vec3 moved{};
  for (int k = s.begin; k < s.end; ++k) moved += s.phi[k - s.begin] * q[k];
  return moved;
}

/// Two samples that stand for the axes y and z of one section.
bool are_axes(const MassSample& y, const MassSample& z) {
  return y.c == 0 && z.c == 0 && std::fabs(norm(y.x) - 1) < unit &&
         std::fabs(norm(z.x) - 1) < unit && std::fabs(dot(y.x, z.x)) < unit;
}

}  // namespace

Deformation deformation_of(const ElasticBody& body, const double* q) {
  Deformation found;
  found.deflection = largest_deflection(body, q) / body.span;
  for (size_t i = 0; i + 1 < body.samples.size(); ++i) {
    const MassSample &y = body.samples[i], &z = body.samples[i + 1];
    if (are_axes(y, z))
      found.twist = std::max(found.twist, std::fabs(dot(displacement(y, q), z.x)));  // (1)
  }
  return found;
}

Deformation accurate_within(const ElasticBody& body) {
  return {body.form == ElasticForm::samples ? 0.15 : 0.05, 0.1};
}

Deformation valid_within(const ElasticBody& body) {
  return {body.form == ElasticForm::samples ? 0.3 : 0.1, 0.3};
}

}  // namespace sarrus
