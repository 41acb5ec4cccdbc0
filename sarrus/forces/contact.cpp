#include "sarrus/forces/contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sarrus {
namespace {

constexpr double tiny = 1e-12;  // [m] below which a direction is not defined

struct Ball {
  Vec3 centre;
  double radius;
};

/// Points of a solid in its own frame.
int features(const Solid& s, std::array<Ball, 8>& out) {
  switch (s.kind) {
    case SolidKind::plane: return 0;
    case SolidKind::sphere: out[0] = {{}, s.radius}; return 1;
    case SolidKind::capsule:
      out[0] = {{0, 0, -s.half}, s.radius};
      out[1] = {{0, 0, s.half}, s.radius};
      return 2;
    case SolidKind::box:
      for (int i = 0; i < 8; ++i)
        out[i] = {{(i & 1 ? 1 : -1) * s.halves.x, (i & 2 ? 1 : -1) * s.halves.y,
                   (i & 4 ? 1 : -1) * s.halves.z},
                  0};
      return 8;
  }
  return 0;
}

struct Distance {
  double value;
  Vec3 normal;  // outward
};

Distance from_ball(const Vec3& d, double radius) {
  const double n = norm(d);
  return {n - radius, n > tiny ? d * (1 / n) : Vec3{0, 0, 1}};
}

/// From a solid to a point, both in the solid's frame; negative inside.
Distance distance(const Solid& s, const Vec3& p) {
  switch (s.kind) {
    case SolidKind::plane: return {p.z, {0, 0, 1}};
    case SolidKind::sphere: return from_ball(p, s.radius);
    case SolidKind::capsule:
      return from_ball(p - Vec3{0, 0, std::clamp(p.z, -s.half, s.half)}, s.radius);
    case SolidKind::box: break;
  }
  const Vec3 q{std::fabs(p.x) - s.halves.x, std::fabs(p.y) - s.halves.y,
               std::fabs(p.z) - s.halves.z};
  const Vec3 sign{p.x < 0 ? -1.0 : 1.0, p.y < 0 ? -1.0 : 1.0, p.z < 0 ? -1.0 : 1.0};
  if (q.x <= 0 && q.y <= 0 && q.z <= 0) {  // inside: out through the nearest face
    if (q.x >= q.y && q.x >= q.z) return {q.x, {sign.x, 0, 0}};
    return q.y >= q.z ? Distance{q.y, {0, sign.y, 0}} : Distance{q.z, {0, 0, sign.z}};
  }
  const Vec3 out{std::max(q.x, 0.0) * sign.x, std::max(q.y, 0.0) * sign.y,
                 std::max(q.z, 0.0) * sign.z};
  const double n = norm(out);
  return {n, out * (1 / n)};
}

/// Balls of `ball_owner` against the solid; `sign` turns the normal to point to the first solid.
int balls_on_solid(const Solid& ball_owner, const Pose<double>& X_ball, const Solid& solid,
                   const Pose<double>& X_solid, double sign, int offset,
                   std::array<Touch, most_points>& out, int found) {
  std::array<Ball, 8> balls;
  const int n = features(ball_owner, balls);
  for (int i = 0; i < n; ++i) {
    const Ball& b = balls[i];
    const Vec3 world = X_ball * b.centre;
    const Distance d = distance(solid, inverse(X_solid) * world);
    const double depth = b.radius - d.value;
    if (!(depth > 0)) continue;
    const Vec3 normal = X_solid.R * d.normal;
    out[found++] = {offset + i, world - normal * b.radius, normal * sign, depth};
  }
  return found;
}

/// Where two capsules cross between their ends.
bool crossing(const Solid& a, const Pose<double>& Xa, const Solid& b, const Pose<double>& Xb,
              Touch& out) {
  const Vec3 u = Xa.R.z, v = Xb.R.z, w = Xa.p - Xb.p;
  const double uv = dot(u, v), det = 1 - uv * uv;
  if (det < 1e-6) return false;  // parallel: the ends serve
  const double s = (uv * dot(v, w) - dot(u, w)) / det, t = (dot(v, w) - uv * dot(u, w)) / det;
  if (std::fabs(s) >= a.half || std::fabs(t) >= b.half) return false;
  const Vec3 pa = Xa.p + u * s, pb = Xb.p + v * t;
  const Distance d = from_ball(pa - pb, a.radius + b.radius);
  if (!(d.value < 0)) return false;
  out = {4, pa - d.normal * a.radius, d.normal, -d.value};
  return true;
}

// ── two boxes ───────────────────────────────────────────────────────────────────────────────────
//
// The face across which they overlap least is the reference; the face of the other box that points
// towards it is clipped to its outline, and its corners below the reference are the points.

struct BoxPair {
  const Vec3 *h1, *h2;
  Mat3 R;  // second in first
  Vec3 t;  // its centre in the first's frame
};

/// How far the boxes are apart along a direction in the first's frame; negative: overlap.
double apart_along(const BoxPair& b, const Vec3& axis) {
  double reach = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 column = i == 0 ? b.R.x : i == 1 ? b.R.y : b.R.z;
    reach += (*b.h1)[i] * std::fabs(axis[i]) + (*b.h2)[i] * std::fabs(dot(axis, column));
  }
  return std::fabs(dot(axis, b.t)) - reach;
}

Vec3 unit_vector(int i) { return {double(i == 0), double(i == 1), double(i == 2)}; }
Vec3 column(const Mat3& R, int i) { return i == 0 ? R.x : i == 1 ? R.y : R.z; }

/// Index of the face axis with the least overlap: 0–2 of the first, 3–5 of the second; −1 where
/// some direction, of faces or of two edges, separates the boxes.
int least_overlap(const BoxPair& b) {
  int best = -1;
  double most = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 6; ++i) {
    const double apart = apart_along(b, i < 3 ? unit_vector(i) : column(b.R, i - 3));
    if (apart > 0) return -1;
    if (apart > most + 1e-9) most = apart, best = i;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3 axis = cross(unit_vector(i), column(b.R, j));
      const double n = norm(axis);
      if (n > 1e-6 && apart_along(b, axis * (1 / n)) > 0) return -1;
    }
  return best;
}

using Polygon = std::array<Vec3, 8>;

/// What of a polygon lies at sign · p[axis] ≤ limit.
int cut(Polygon& p, int n, int axis, double sign, double limit) {
  Polygon out;
  int m = 0;
  for (int i = 0; i < n; ++i) {
    const Vec3 &a = p[i], &b = p[static_cast<size_t>((i + 1) % n)];
    const double da = sign * a[axis] - limit, db = sign * b[axis] - limit;
    if (da <= 0 && m < 8) out[m++] = a;
    if ((da < 0) != (db < 0) && da != db && m < 8) out[m++] = a + (b - a) * (da / (da - db));
  }
  p = out;
  return m;
}

/// The face of the incident box (in the reference's frame) that faces against n.
int facing(const Vec3& halves, const Mat3& R, const Vec3& t, const Vec3& n, Polygon& out) {
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(dot(column(R, i), n)) > std::fabs(dot(column(R, k), n))) k = i;
  const double side = dot(column(R, k), n) > 0 ? -1 : 1;
  const int u = (k + 1) % 3, v = (k + 2) % 3;
  const Vec3 middle = t + column(R, k) * (side * halves[k]);
  const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (size_t i = 0; i < 4; ++i)
    out[i] = middle + column(R, u) * (signs[i][0] * halves[u]) +
             column(R, v) * (signs[i][1] * halves[v]);
  return 4;
}

int boxes_touch(const Solid& first, const Pose<double>& X1, const Solid& second,
                const Pose<double>& X2, std::array<Touch, most_points>& out) {
  const Pose<double> X12 = inverse(X1) * X2;
  const int axis = least_overlap({&first.halves, &second.halves, X12.R, X12.p});
  if (axis < 0) return 0;
  // from here on in the frame of the box whose face is the reference
  const bool own = axis < 3;
  const Solid &reference = own ? first : second, &other = own ? second : first;
  const Pose<double>& X_reference = own ? X1 : X2;
  const Pose<double> X = own ? X12 : inverse(X12);
  const int k = axis % 3;
  const double side = X.p[k] < 0 ? -1 : 1;
  const Vec3 n = unit_vector(k) * side;
  Polygon p;
  int count = facing(other.halves, X.R, X.p, n, p);
  for (const int i : {(k + 1) % 3, (k + 2) % 3})
    for (const double sign : {1.0, -1.0}) count = cut(p, count, i, sign, reference.halves[i]);
  const Vec3 normal = X_reference.R * n * (own ? -1.0 : 1.0);
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const Vec3& q = p[i];
    const double depth = reference.halves[k] - side * q[k];
    if (depth > 0) out[found++] = {i, X_reference * q, normal, depth};
  }
  return found;
}

}  // namespace

double Solid::extent() const {
  switch (kind) {
    case SolidKind::plane: return std::numeric_limits<double>::infinity();
    case SolidKind::sphere: return radius;
    case SolidKind::capsule: return half + radius;
    case SolidKind::box: return norm(halves);
  }
  return 0;
}

int contact_points(const Solid& first, const Solid& second) {
  const auto count = [](const Solid& s) {
    return s.kind == SolidKind::sphere    ? 1
           : s.kind == SolidKind::capsule ? 2
           : s.kind == SolidKind::box     ? 8
                                          : 0;
  };
  if (first.kind == SolidKind::capsule && second.kind == SolidKind::capsule) return 5;
  if (first.kind == SolidKind::box && second.kind == SolidKind::box) return 8;
  return count(first) + count(second);
}

int find_touches(const Solid& first, const Pose<double>& X1, const Solid& second,
                 const Pose<double>& X2, std::array<Touch, most_points>& out) {
  // far apart: nothing to look at
  if (norm(X1.p - X2.p) > first.extent() + second.extent()) return 0;
  if (first.kind == SolidKind::capsule && second.kind == SolidKind::capsule)
    if (Touch touch; crossing(first, X1, second, X2, touch)) {
      out[0] = touch;
      return 1;
    }
  if (first.kind == SolidKind::box && second.kind == SolidKind::box)
    return boxes_touch(first, X1, second, X2, out);
  int found = balls_on_solid(first, X1, second, X2, 1, 0, out, 0);
  // a sphere, always the first, has one point; a plane has none
  const bool once = first.kind == SolidKind::sphere || second.kind == SolidKind::plane;
  std::array<Ball, 8> unused;
  if (!once) found = balls_on_solid(second, X2, first, X1, -1, features(first, unused), out, found);
  return found;
}

ContactForce contact_force(const ContactLaw& law, const Touch& touch, const Vec3& v, double h,
                           Vec3& stick) {
  const double rate = -dot(v, touch.normal);  // of the depth
  const double push = std::max(0.0, law.k * touch.depth * (1 + law.a * rate));
  ContactForce result;
  result.force = touch.normal * push;
  const double stick_k = ContactLaw::stick * law.k;
  const Vec3 slide = v + touch.normal * rate;
  // the stick turns with the surface and follows the sliding
  stick = stick - touch.normal * dot(stick, touch.normal) + slide * h;
  const Vec3 lag = slide * (law.a * push);
  Vec3 drag = stick * -stick_k - lag;
  const double size = norm(drag), most = law.friction * push;
  if (size > most) {
    drag = size > 0 ? drag * (most / size) : Vec3{};
    stick = (drag + lag) * (-1 / stick_k);
  }
  result.force += drag;
  result.absorbed = -dot(result.force, v);
  return result;
}

}  // namespace sarrus
