#include "sarrus/model/body_mass.hpp"

namespace sarrus {
namespace {

/// The shapes as one solid; `density` < 0: each has its own.
MassProperties from_shapes(const BodySpec& body, double density) {
  std::vector<MassProperties> parts;
  for (const Shape& shape : body.shapes) {
    const double own = density < 0 ? shape.density : density;
    if (own > 0) parts.push_back(transformed(shape.X_BS, mass_properties(shape, own)));
  }
  return combined(parts);
}

}  // namespace

MassProperties body_mass_properties(const BodySpec& body) {
  MassProperties p;
  if (!body.mass) {
    p = from_shapes(body, -1);
  } else {
    p.mass = *body.mass;
    if (!body.inertia && !body.shapes.empty()) {
      // inertia scales with the mass: unit density first
      const MassProperties unit = from_shapes(body, 1);
      if (unit.mass > 0) {
        p.com = unit.com;
        p.inertia = unit.inertia * (p.mass / unit.mass);
      }
    }
  }
  if (body.com) p.com = *body.com;
  if (body.inertia) p.inertia = *body.inertia;
  return p;
}

}  // namespace sarrus
