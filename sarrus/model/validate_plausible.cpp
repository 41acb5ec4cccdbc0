// Numbers that are possible but look like a mistake: in units, in a power of ten, in the point that
// an inertia is about.
//
// With R the distance from the centre of mass to the farthest point of what is drawn of a body,
//
//   I₃ ≤ m R²                                   (1)
//
// holds for its largest principal inertia, since no mass is farther than R from any axis through the
// centre. Where nothing is drawn, R is the farthest point at which something is attached, and only
// much more than (1) is told.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "sarrus/model/validate_parts.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {
namespace {

constexpr double far_inertia = 100;           // times m R²: ten times the size
constexpr double weak_inertia = 1e-6;         // times m R²: a thousandth of the size
constexpr double far_away = 100;              // sizes of what is drawn
constexpr double dense = 2.3e5, thin = 1e-2;  // [kg/m³] ten times osmium, a tenth of helium

/// The distance from p, in the frame of the shape, to the shape's farthest point.
double farthest(const Shape& s, const Vec3& p) {
  const double across = std::hypot(p.x, p.y) + s.radius;
  switch (s.kind) {
    case ShapeKind::box:
      return norm(Vec3{std::fabs(p.x) + s.size.x / 2, std::fabs(p.y) + s.size.y / 2,
                       std::fabs(p.z) + s.size.z / 2});
    case ShapeKind::sphere: return norm(p) + s.radius;
    case ShapeKind::cylinder: return std::hypot(across, std::fabs(p.z) + s.length / 2);
    case ShapeKind::capsule: return std::hypot(p.x, p.y, std::fabs(p.z) + s.length / 2) + s.radius;
    case ShapeKind::cone:
      return std::max(std::hypot(across, p.z), std::hypot(p.x, p.y, p.z - s.length));
    case ShapeKind::mesh: break;
  }
  double largest = 0;
  for (const Vec3& vertex : s.mesh.vertices) largest = std::max(largest, norm(vertex - p));
  return largest;
}

double volume_of(const Shape& s) {
  const double circle = std::numbers::pi * s.radius * s.radius;
  switch (s.kind) {
    case ShapeKind::box: return s.size.x * s.size.y * s.size.z;
    case ShapeKind::sphere: return circle * s.radius * 4 / 3;
    case ShapeKind::cylinder: return circle * s.length;
    case ShapeKind::capsule: return circle * (s.length + s.radius * 4 / 3);
    case ShapeKind::cone: return circle * s.length / 3;
    case ShapeKind::mesh: return is_closed(s.mesh) ? volume(s.mesh) : 0;
  }
  return 0;
}

/// From a point of the body to the farthest point of all that is drawn of it; 0 where nothing is.
double farthest_drawn(const BodySpec& body, const Vec3& from) {
  double largest = 0;
  for (const Shape& s : body.shapes)
    largest = std::max(largest, farthest(s, transposed_times(s.X_BS.R, from - s.X_BS.p)));
  return largest;
}

/// A point of a body at which something is attached.
struct Attached {
  Vec3 at;
  Place where;
  std::string path;
};

class Plausibility {
 public:
  explicit Plausibility(Validation& v) : v_(v), attached_(v.model.bodies.size()) {
    const Model& m = v.model;
    for (size_t i = 0; i < m.joints.size(); ++i) {
      const JointSpec& j = m.joints[i];
      const std::string path = path_of("joint", j.name, i);
      add(j.parent, j.on_parent.at, j.where, path + "/on_parent/at");
      add(j.child, j.on_child.at, j.where, path + "/on_child/at");
    }
    for (size_t i = 0; i < m.springs.size(); ++i) {
      const SpringSpec& s = m.springs[i];
      const std::string path = path_of("spring", s.name, i);
      add(s.from.body, s.from.at, s.where, path + "/from/at");
      add(s.to.body, s.to.at, s.where, path + "/to/at");
    }
  }

  void check() {
    for (size_t i = 0; i < v_.model.bodies.size(); ++i) {
      const BodySpec& body = v_.model.bodies[i];
      bool spread = body.elastic.has_value();  // its own numbers follow from its shape
      for (const Shape& s : body.shapes) spread |= s.density > 0;
      if (spread || !body.mass || !(*body.mass > 0)) continue;
      const std::string path = path_of("body", body.name, i);
      check_places(body, attached_[i], path);
      check_density(body, path);
      check_inertia(body, attached_[i], path);
    }
  }

 private:
  void add(const std::string& body, const Vec3& at, const Place& where, std::string path) {
    const auto found = v_.body.find(body);
    if (found != v_.body.end() && is_finite(at))
      attached_[found->second].push_back({at, where, std::move(path)});
  }

  /// Places far outside of what is drawn of the body.
  void check_places(const BodySpec& body, const std::vector<Attached>& attached,
                    const std::string& path) {
    if (body.shapes.empty()) return;
    const Vec3 centre = body.shapes.front().X_BS.p;
    const double size = farthest_drawn(body, centre);
    const auto look = [&](const Vec3& at, const Place& where, const std::string& element) {
      const double distance = norm(at - centre);
      if (!(distance > far_away * size) || !(size > 0)) return;
      v_.physics.warning(
          "suspicious-length", where, element,
          fmt::format("{:.6g} m from '{}', which is drawn with a size of {:.3g} m", distance,
                      body.name, size),
          "if millimetres are meant, write \"… mm\", or say [units] length = \"mm\"");
    };
    if (body.com && is_finite(*body.com)) look(*body.com, body.where, path + "/com");
    for (const Attached& a : attached) look(a.at, a.where, a.path);
  }

  void check_density(const BodySpec& body, const std::string& path) {
    double filled = 0;
    for (const Shape& s : body.shapes) filled += volume_of(s);
    if (!(filled > 0) || !std::isfinite(filled)) return;
    const double density = *body.mass / filled;
    if (density >= thin && density <= dense) return;
    v_.physics.note(
        "suspicious-density", body.where, path + "/mass",
        fmt::format(
            "{:.6g} kg in the {:.3g} m³ that are drawn: {:.3g} kg/m³, {}", *body.mass, filled,
            density,
            density > dense ? "more than ten times any metal" : "a tenth of the lightest gas"),
        "check the units of mass and sizes; if the shape only marks the body, ignore this");
  }

  void check_inertia(const BodySpec& body, const std::vector<Attached>& attached,
                     const std::string& path) {
    if (!body.inertia) return;
    Eigen::Matrix3d I;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) I(i, j) = (*body.inertia)(i, j);
    if (!I.allFinite()) return;
    const double largest = symmetric_eigenvalues(I)[2];
    const Vec3 com = body.com.value_or(Vec3{});
    double reach = farthest_drawn(body, com);
    const bool is_drawn = reach > 0;
    if (!is_drawn)
      for (const Attached& a : attached) reach = std::max(reach, norm(a.at - com));
    const double most = *body.mass * reach * reach;  // (1)
    if (!(most > 0) || !(largest > 0)) return;
    const double share = largest / most;
    const bool is_far = share > far_inertia;
    if (!is_far && !(is_drawn && share > 1) && !(share < weak_inertia)) return;
    v_.physics.add(
        {.severity = is_far ? Severity::warning : Severity::note,
         .code = "suspicious-inertia",
         .where = body.where,
         .element = path + "/inertia",
         .message = fmt::format(
             "{:.4g} kg.m² with {:.4g} kg is a radius of gyration of {:.3g} m, and what is {} the "
             "body lies within {:.3g} m of its centre of mass",
             largest, *body.mass, std::sqrt(largest / *body.mass),
             is_drawn ? "drawn of" : "attached to", reach),
         .hint = share < weak_inertia || is_far
                     ? "check the units of mass, inertia and lengths"
                     : "the inertia is about the centre of mass, not about the joint: subtract "
                       "mass × distance²",
         .value = fmt::format("{:.6g}", largest),
         .limit = fmt::format("{:.6g}", most)});
  }

  Validation& v_;
  std::vector<std::vector<Attached>> attached_;  // per body
};

}  // namespace

void validate_plausibility(Validation& v) { Plausibility(v).check(); }

}  // namespace sarrus
