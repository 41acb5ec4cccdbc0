// Mass, centre and inertia of a body as its description means them.
#pragma once

#include "sarrus/model/model.hpp"

namespace sarrus {

/// What was said directly wins. With a mass and shapes but no inertia, the shapes (all of one
/// density, chosen to give that mass) say centre and inertia; with a mass and nothing else the body is
/// a point. Without a mass the shapes that have a density count.
MassProperties body_mass_properties(const BodySpec& body);

}  // namespace sarrus
