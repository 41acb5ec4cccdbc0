// Shapes as triangles with normals, for programs that draw.
#pragma once

#include <cstdint>
#include <vector>

#include "sarrus/model/shape.hpp"

namespace sarrus {

struct Surface {
  std::vector<Vec3> points, normals;   // one normal for each point
  std::vector<std::uint32_t> corners;  // three for each triangle, counter-clockwise from outside
};

/// In the shape's own frame. Round shapes get `around` faces about their axis; sharp edges have
/// points of their own for each side.
Surface tessellate(const Shape& shape, int around = 32);

}  // namespace sarrus
