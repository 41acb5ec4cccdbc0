// Shapes: what a body looks like, and its mass, centre and inertia from a density.
#pragma once

#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

enum class ShapeKind { box, cylinder, capsule, sphere, cone, mesh };

struct Triangle {
  int a, b, c;
};

/// Triangles with outward normals (counter-clockwise seen from outside) where the surface is
/// closed.
struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
};

/// One shape on a body. Cylinder, capsule and cone stand along their z axis, centred at their
/// frame's origin (cone: base at z = 0, tip at z = length).
struct Shape {
  Place where;
  ShapeKind kind = ShapeKind::box;
  Vec3 size{};          // [m] box: side lengths
  double radius = 0;    // [m] cylinder, capsule, sphere, cone (at the base)
  double length = 0;    // [m] cylinder, cone; capsule: between the centres of its caps
  std::string file;     // mesh: as written in the model
  double scale = 1;     // mesh: applied to its coordinates
  Mesh mesh;            // mesh: its triangles, scaled
  double density = -1;  // [kg/m³]; negative: the shape is only drawn
  Pose<double> X_BS;    // place of the shape on its body
  std::string color;    // "#rrggbb" or ""
};

/// Mass, centre and inertia about that centre.
struct MassProperties {
  double mass = 0;  // [kg]
  Vec3 com{};       // [m]
  Mat3 inertia{};   // [kg m²] about com
};

/// Of one shape with the given density, in the shape's own frame S. Exact for a closed mesh; of an
/// open one (is_closed says) the numbers mean little. Throws Error(Fault::physics) where a mesh
/// encloses no positive volume.
MassProperties mass_properties(const Shape& shape, double density);

/// Several parts, each already in the common frame, as one body.
MassProperties combined(const std::vector<MassProperties>& parts);

/// The same properties seen from the frame A in which their frame is X_AB.
MassProperties transformed(const Pose<double>& X_AB, const MassProperties& p);

/// Volume enclosed by a mesh, negative for a surface turned inside out [m³].
double volume(const Mesh& mesh);
/// Whether each edge is shared by exactly two triangles, in opposite directions.
bool is_closed(const Mesh& mesh);

}  // namespace sarrus
