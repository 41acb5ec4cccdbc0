// Contact of solids: where points of one lie inside another, and what pushes them apart.
//
// A solid is a plane, a sphere, a capsule or a box. Points of one, each with a radius (the centre
// of a sphere, the ends of a capsule, the corners of a box), are held against the distance from the
// other; of two boxes, the face of one is cut to the outline of a face of the other. With depth δ,
// its rate δ̇, normal n and sliding velocity v_t:
//
//   F = k δ (1 + a δ̇), never pulling                      Hunt and Crossley, with a straight spring
//   T = −k_t s − a F v_t,  |T| ≤ μ F,  ṡ = v_t             s: deflection of the stick, which is
//                                                          shortened where T reaches its limit
//
// docs/theory/contact.md
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

enum class SolidKind { plane, sphere, capsule, box };

/// A solid on a body, in its own frame: the plane z = 0 with the solid below it; the capsule along
/// z, the box along its axes.
struct Solid {
  int body = 0;  // inside
  SolidKind kind = SolidKind::sphere;
  Pose<double> X_BS;
  double radius = 0;  // [m] sphere, capsule
  double half = 0;    // [m] capsule: from its middle to the centre of a cap
  Vec3 halves{};      // [m] box
  /// Radius of the ball around its frame that holds it; infinite for a plane.
  double extent() const;
};

struct ContactLaw {
  std::string name;
  Place where;
  double k = 0;                         // [N/m]
  double a = 0;                         // [s/m]
  double friction = 0;                  // μ
  static constexpr double stick = 0.8;  // k_t/k
};

/// Two solids that may touch.
struct ContactPair {
  int first = 0, second = 0, law = 0;  // entries of the mechanism's lists
  int points = 0;                      // that can touch: as many sticks are stored
};

/// A place where two solids overlap: position in world axes, normal from the second to the first.
struct Touch {
  int point = 0;  // which of the pair's
  Vec3 at{}, normal{};
  double depth = 0;
};

constexpr int most_points = 16;

/// How many points of a pair can touch.
int contact_points(const Solid& first, const Solid& second);
/// Fills `out` with the overlaps of two solids at the given poses; returns how many. If only one
/// of them is a sphere, it must be the first.
int find_touches(const Solid& first, const Pose<double>& X1, const Solid& second,
                 const Pose<double>& X2, std::array<Touch, most_points>& out);

/// The force on the first solid at a touch, for the velocity v of the first relative to the second;
/// advances the stick by h.
struct ContactForce {
  Vec3 force{};
  double absorbed = 0;  // [W] taken from the motion
};
ContactForce contact_force(const ContactLaw& law, const Touch& touch, const Vec3& v, double h,
                           Vec3& stick);

}  // namespace sarrus
