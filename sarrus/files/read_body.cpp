// Bodies, their shapes, frames and rotations.
#include <fmt/format.h>

#include <cmath>

#include "sarrus/files/mesh/read_mesh.hpp"
#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

constexpr double norm_tolerance = 1e-6;  // of a quaternion or rotation matrix; below it is rounding

double norm(const Quat& q) { return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

Quat about(const Vec3& axis, double angle) { return quaternion_exp(axis * angle); }

Quat from_matrix(Reading& r, Fields& f, std::string_view key, const Mat3& R) {
  // R Rᵀ = 1 and det R = 1
  const Mat3 E = R * transpose(R) - Mat3::identity();
  double worst = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) worst = std::max(worst, std::fabs(E(i, j)));
  const double det = determinant(R);
  if (worst > norm_tolerance || det < 0) {
    r.physics->error(
        "bad-rotation", f.place(key), f.path(key),
        fmt::format(
            "not a rotation: det = {:.6g}, R Rᵀ differs from 1 by {:.3g}; the limit is {:.0e}", det,
            worst, norm_tolerance),
        det < 0 ? "a mirror image is not a rotation" : "");
    return {};
  }
  return quaternion(R);
}

Shape read_shape(Reading& r, const Node& node, const std::string& element);

void read_mesh_file(Reading& r, Fields& f, Shape& shape) {
  shape.file = f.text("file").value_or("");
  shape.scale = f.number("scale", 1);
  if (!f.has("file")) return;
  const ResolvedPath found = resolve_path(shape.file, r.folder, r.roots);
  if (!found.problem.empty()) return f.error("file", "bad-path", found.problem, found.hint);
  r.files->push_back(found.path);
  try {
    shape.mesh = read_mesh(found.path, f.place("file"));
  } catch (const Error& e) {
    for (Diagnostic d : e.diagnostics()) {
      if (d.element.empty()) d.element = f.path("file");
      r.scope.faults->add(std::move(d));
    }
  }
  for (Vec3& v : shape.mesh.vertices) v = v * shape.scale;
}

/// Which keys a kind of shape needs; a key of another kind is a misunderstanding and refused.
void check_shape_keys(Fields& f, std::string_view type,
                      std::initializer_list<std::string_view> needed,
                      std::initializer_list<std::string_view> possible = {}) {
  const auto listed = [](auto list, std::string_view key) {
    for (const std::string_view k : list)
      if (k == key) return true;
    return false;
  };
  for (const std::string_view key : {"size", "radius", "length", "file", "scale"}) {
    if (listed(needed, key) && !f.has(key))
      f.error(key, "missing-key", fmt::format("a {} needs '{}'", type, key));
    if (!listed(needed, key) && !listed(possible, key) && f.has(key))
      f.error(key, "unused-key", fmt::format("a {} has no '{}'", type, key));
  }
}

Shape read_shape(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "shape", element);
  Shape shape;
  shape.where = f.place();
  const std::optional<int> type = f.choice("type");
  if (!type) return shape;
  shape.kind = static_cast<ShapeKind>(*type);
  switch (shape.kind) {
    case ShapeKind::box: check_shape_keys(f, "box", {"size"}); break;
    case ShapeKind::cylinder: check_shape_keys(f, "cylinder", {"radius", "length"}); break;
    case ShapeKind::capsule: check_shape_keys(f, "capsule", {"radius", "length"}); break;
    case ShapeKind::sphere: check_shape_keys(f, "sphere", {"radius"}); break;
    case ShapeKind::cone: check_shape_keys(f, "cone", {"radius", "length"}); break;
    case ShapeKind::mesh: check_shape_keys(f, "mesh", {"file"}, {"scale"}); break;
  }
  shape.size = f.vector("size").value_or(Vec3{});
  shape.radius = f.number("radius", 0);
  shape.length = f.number("length", 0);
  if (const auto density = f.number("density")) {
    shape.density = *density;
    if (!(*density > 0))
      f.error("density", "bad-size",
              fmt::format("{} kg/m³ is not a density; it must be above 0", *density),
              "leave it out for a shape that is only drawn");
  }
  if (shape.kind == ShapeKind::mesh) read_mesh_file(r, f, shape);
  const Quat rotation = read_rotation(r, f.node("rotation"), f.path("rotation"));
  shape.X_BS = {sarrus::rotation(rotation), f.vector("at").value_or(Vec3{})};
  shape.color = f.text("color").value_or("");
  const bool hex = shape.color.size() == 7 && shape.color[0] == '#' &&
                   shape.color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (f.has("color") && !hex && !shape.color.empty())
    f.error("color", "bad-color",
            fmt::format("'{}' is not a color of the form #rrggbb", shown(shape.color)));
  return shape;
}

void read_inertia(Fields& f, BodySpec& body) {
  body.inertia = f.inertia("inertia");
  const std::optional<Mat3> J = f.matrix("second_moment");
  if (!J) return;
  if (body.inertia)
    return f.error("second_moment", "doubled-key", "both inertia and second_moment are given",
                   "keep one of them");
  // Ic = tr(J) 1 − J
  const double t = trace(*J);
  body.inertia = Mat3{{t, 0, 0}, {0, t, 0}, {0, 0, t}} - *J;
  body.second_moment = true;
  f.note("second_moment", "second-moment",
         "the second-moment matrix ∫ x xᵀ dm was given; the inertia is tr(J) 1 − J");
}

/// axes = "zxz", angles = [a, b, c]: R = Rz(a) Rx(b) Rz(c).
Quat read_turns(Fields& f) {
  constexpr size_t most = 9;
  const std::string axes = f.text("axes").value_or("");
  const std::vector<double> angles =
      f.numbers_of("angles", dimensions::angle).value_or(std::vector<double>{});
  if (f.has("axes") != f.has("angles")) {
    f.scope().faults->error("missing-key", f.place(), f.element(),
                            "'axes' and 'angles' belong together");
    return {};
  }
  if (axes.empty() || axes.size() > most || axes.find_first_not_of("xyz") != std::string::npos) {
    f.error("axes", "bad-axes",
            fmt::format("'{}' is not a list of one to {} axes x, y, z", shown(axes), most),
            "for example \"zxz\"");
    return {};
  }
  if (angles.size() != axes.size()) {
    f.error("angles", "wrong-length",
            fmt::format("{} angles for {} axes '{}'", angles.size(), axes.size(), axes),
            "one angle for each axis");
    return {};
  }
  Quat all{1, 0, 0, 0};
  for (size_t i = 0; i < axes.size(); ++i) {
    Vec3 axis{};
    axis[axes[i] - 'x'] = 1;
    all = all * about(axis, angles[i]);
  }
  return all;
}

}  // namespace

Quat read_rotation(Reading& r, Fields& f) {
  const int ways =
      f.has("axis") + f.has("quaternion") + f.has("rpy") + f.has("axes") + f.has("matrix");
  if (ways > 1)
    f.scope().faults->error("doubled-key", f.place(), f.element(),
                            "a rotation is given in one way: axis and angle, quaternion, rpy, axes "
                            "and angles, or matrix");
  if (f.has("axis") != f.has("angle"))
    f.scope().faults->error("missing-key", f.place(), f.element(),
                            "'axis' and 'angle' belong together");
  if (f.has("axes") || f.has("angles")) return read_turns(f);
  if (const auto q = f.quaternion("quaternion")) {
    if (std::fabs(norm(*q) - 1) <= norm_tolerance) return normalized(*q);
    r.physics->error("bad-quaternion", f.place("quaternion"), f.path("quaternion"),
                     fmt::format("norm {:.6g} is not 1 (limit {:.0e})", norm(*q), norm_tolerance),
                     "w, x, y, z of a unit quaternion");
    return {};
  }
  if (const auto rpy = f.vector("rpy"))
    return about({0, 0, 1}, rpy->z) * about({0, 1, 0}, rpy->y) * about({1, 0, 0}, rpy->x);
  if (const auto R = f.matrix("matrix")) return from_matrix(r, f, "matrix", *R);
  const auto axis = f.axis("axis");
  const auto angle = f.number("angle");
  if (!axis || !angle) return {};
  const Vec3 a = unit_axis(f, "axis", *axis);
  if (sarrus::norm(a) == 0)
    r.physics->error("bad-axis", f.place("axis"), f.path("axis"),
                     "an axis of length zero has no direction");
  return about(a, *angle);
}

Quat read_rotation(Reading& r, const Node* node, const std::string& element) {
  if (!node) return {};
  Fields f(r.scope, *node, "rotation", element);
  if (f.is_table() && node->children.empty())
    r.scope.faults->error("missing-key", f.place(), element, "an empty rotation",
                          "for example { axis = \"z\", angle = \"90 deg\" }");
  return read_rotation(r, f);
}

FrameSpec read_frame(Reading& r, const Node* node, const std::string& element) {
  if (!node) return {};
  Fields f(r.scope, *node, "frame", element);
  if (const auto X = f.transform("transform")) {
    for (const std::string_view key : {"at", "rotation"})
      if (f.has(key))
        f.error(key, "doubled-key", fmt::format("both transform and {} are given", key),
                "keep one of them");
    return {X->p, from_matrix(r, f, "transform", X->R)};
  }
  return {f.vector("at").value_or(Vec3{}),
          read_rotation(r, f.node("rotation"), element + "/rotation")};
}

Vec3 unit_axis(Fields& f, std::string_view key, const Vec3& axis) {
  // scaled first, so that tiny and huge vectors keep their direction
  const double largest = std::max({std::fabs(axis.x), std::fabs(axis.y), std::fabs(axis.z)});
  if (largest == 0) return axis;
  const Vec3 scaled = axis * (1 / largest);
  const double length = norm(scaled) * largest;
  if (std::fabs(length - 1) < 1e-12) return axis;
  f.note(key, "axis-normalised",
         fmt::format("the axis of length {:.6g} was made a unit vector", length));
  return scaled * (1 / norm(scaled));
}

BodySpec read_body(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "body", element);
  BodySpec body;
  body.where = f.place();
  body.name = f.name().value_or("");
  body.mass = f.number("mass");
  body.com = f.vector("com");
  read_inertia(f, body);
  body.unphysical = f.boolean("unphysical").value_or(false);
  if (const Node* elastic = f.node("elastic")) {
    int segments = 1;
    body.elastic = read_elastic(r, *elastic, element + "/elastic", segments);
    if (segments > 1) (*r.segments)[body.name] = segments;
  }
  if (const Node* shape = f.node("shape"))
    body.shapes.push_back(read_shape(r, *shape, element + "/shape"));
  if (f.has("shape") && f.has("shapes"))
    f.error("shapes", "doubled-key", "both shape and shapes are given",
            "put all of them into shapes");
  else
    for (const Node* shape : f.tables("shapes"))
      body.shapes.push_back(
          read_shape(r, *shape, fmt::format("{}/shapes[{}]", element, body.shapes.size() + 1)));
  return body;
}

}  // namespace sarrus
