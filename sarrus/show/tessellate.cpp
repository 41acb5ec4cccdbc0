#include "sarrus/show/tessellate.hpp"

#include <cmath>
#include <numbers>

namespace sarrus {
namespace {

constexpr double pi = std::numbers::pi;

std::uint32_t add(Surface& s, const Vec3& point, const Vec3& normal) {
  s.points.push_back(point);
  s.normals.push_back(normal);
  return static_cast<std::uint32_t>(s.points.size() - 1);
}

void triangle(Surface& s, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  s.corners.insert(s.corners.end(), {a, b, c});
}

/// A flat face with corners in order, seen from outside.
void face(Surface& s, const std::vector<Vec3>& corners, const Vec3& normal) {
  const auto first = static_cast<std::uint32_t>(s.points.size());
  for (const Vec3& p : corners) add(s, p, normal);
  for (std::uint32_t i = 1; i + 1 < corners.size(); ++i)
    triangle(s, first, first + i, first + i + 1);
}

void box(Surface& s, const Vec3& size) {
  const Vec3 h = size * 0.5;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      // n, a, b right-handed, so that a, b go around n against the clock
      const auto turned = [&](double n, double a, double b) {
        return axis == 0 ? Vec3{n, a, b} : axis == 1 ? Vec3{b, n, a} : Vec3{a, b, n};
      };
      const double hn = axis == 0 ? h.x : axis == 1 ? h.y : h.z;
      const double ha = axis == 0 ? h.y : axis == 1 ? h.z : h.x;
      const double hb = axis == 0 ? h.z : axis == 1 ? h.x : h.y;
      const double k = side;
      face(s,
           {turned(side * hn, -k * ha, -hb), turned(side * hn, k * ha, -hb),
            turned(side * hn, k * ha, hb), turned(side * hn, -k * ha, hb)},
           turned(side, 0, 0));
    }
}

/// A profile (r, z) from below to above, with its outward normals, turned about z.
struct ProfilePoint {
  double r, z, normal_r, normal_z;
};
void turned(Surface& s, const std::vector<ProfilePoint>& profile, int around) {
  std::vector<std::uint32_t> before;
  for (const ProfilePoint& p : profile) {
    std::vector<std::uint32_t> ring;
    for (int k = 0; k <= around; ++k) {
      const double angle = 2 * pi * k / around, c = std::cos(angle), si = std::sin(angle);
      ring.push_back(
          add(s, {p.r * c, p.r * si, p.z}, {p.normal_r * c, p.normal_r * si, p.normal_z}));
    }
    for (size_t k = 0; !before.empty() && k + 1 < ring.size(); ++k) {
      if (s.points[before[k]].x != s.points[before[k + 1]].x ||
          s.points[before[k]].y != s.points[before[k + 1]].y)
        triangle(s, before[k], before[k + 1], ring[k + 1]);
      if (p.r > 0) triangle(s, before[k], ring[k + 1], ring[k]);
    }
    before = ring;
  }
}

void disk(Surface& s, double radius, double z, bool up, int around) {
  std::vector<Vec3> corners;
  for (int k = 0; k < around; ++k) {
    const double angle = 2 * pi * k / around * (up ? 1 : -1);
    corners.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
  }
  face(s, corners, {0, 0, up ? 1.0 : -1.0});
}

/// A quarter of a circle around height z, from the pole below or to the pole above.
void quarter(std::vector<ProfilePoint>& profile, double radius, double z, bool above, int around) {
  const int steps = std::max(4, around / 4);
  for (int k = 0; k <= steps; ++k) {
    const double angle = pi / 2 * k / steps - (above ? 0 : pi / 2);
    const bool pole = above ? k == steps : k == 0;
    const double c = pole ? 0 : std::cos(angle);
    profile.push_back({radius * c, z + radius * std::sin(angle), c, std::sin(angle)});
  }
}

void mesh(Surface& s, const Mesh& m) {
  for (const Triangle& t : m.triangles) {
    const Vec3 &a = m.vertices[t.a], &b = m.vertices[t.b], &c = m.vertices[t.c];
    const Vec3 n = cross(b - a, c - a);
    const double length = std::sqrt(dot(n, n));
    if (length > 0) face(s, {a, b, c}, n * (1 / length));
  }
}

}  // namespace

Surface tessellate(const Shape& shape, int around) {
  Surface s;
  const double r = shape.radius, l = shape.length;
  std::vector<ProfilePoint> profile;
  switch (shape.kind) {
    case ShapeKind::box: box(s, shape.size); break;
    case ShapeKind::cylinder:
      turned(s, {{r, -l / 2, 1, 0}, {r, l / 2, 1, 0}}, around);
      disk(s, r, -l / 2, false, around);
      disk(s, r, l / 2, true, around);
      break;
    case ShapeKind::cone: {
      const double slant = std::hypot(r, l);
      turned(s, {{r, 0, l / slant, r / slant}, {0, l, l / slant, r / slant}}, around);
      disk(s, r, 0, false, around);
      break;
    }
    case ShapeKind::sphere:
    case ShapeKind::capsule:
      quarter(profile, r, shape.kind == ShapeKind::sphere ? 0 : -l / 2, false, around);
      quarter(profile, r, shape.kind == ShapeKind::sphere ? 0 : l / 2, true, around);
      turned(s, profile, around);
      break;
    case ShapeKind::mesh: mesh(s, shape.mesh); break;
  }
  return s;
}

}  // namespace sarrus
