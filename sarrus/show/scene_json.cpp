#include "sarrus/show/scene_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "sarrus/joints/joint.hpp"
#include "sarrus/model/freedoms.hpp"
#include "sarrus/results/result_json.hpp"
#include "sarrus/show/base64.hpp"

namespace sarrus {
namespace {

Json numbers(const Vec3& v) { return {v.x, v.y, v.z}; }

Json numbers(const Pose<double>& X) {
  const Quat q = quaternion(X.R);
  return {X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z};
}

bool is_zero(const Vec3& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

bool is_identity(const Pose<double>& X) {
  const Quat q = quaternion(X.R);
  return is_zero(X.p) && is_zero({q.x, q.y, q.z});
}

const char* name_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::box: return "box";
    case ShapeKind::cylinder: return "cylinder";
    case ShapeKind::capsule: return "capsule";
    case ShapeKind::sphere: return "sphere";
    case ShapeKind::cone: return "cone";
    case ShapeKind::mesh: return "mesh";
  }
  return "";
}

Json mesh_json(const Mesh& mesh) {
  std::vector<float> vertices;
  std::vector<std::uint32_t> corners;
  for (const Vec3& v : mesh.vertices)
    for (const double x : {v.x, v.y, v.z}) vertices.push_back(static_cast<float>(x));
  for (const Triangle& t : mesh.triangles)
    for (const int i : {t.a, t.b, t.c}) corners.push_back(static_cast<std::uint32_t>(i));
  return {{"vertices", base64_numbers<float>(vertices)},
          {"corners", base64_numbers<std::uint32_t>(corners)}};
}

/// The box around a mesh, for one that has too many triangles to be sent.
Json box_around(const Shape& shape) {
  Vec3 low = shape.mesh.vertices.front(), high = low;
  for (const Vec3& v : shape.mesh.vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  Pose<double> X = shape.X_BS;
  X.p = X * ((low + high) * 0.5);
  return {
      {"kind", "box"}, {"pose", numbers(X)}, {"size", numbers(high - low)}, {"simplified", true}};
}

Json shape_json(const Shape& shape, bool mesh_fits) {
  Json json = {{"kind", name_of(shape.kind)}};
  if (!is_identity(shape.X_BS)) json["pose"] = numbers(shape.X_BS);
  if (shape.kind == ShapeKind::box) json["size"] = numbers(shape.size);
  if (shape.radius > 0) json["radius"] = shape.radius;
  if (shape.length > 0) json["length"] = shape.length;
  if (shape.kind == ShapeKind::mesh)
    mesh_fits ? json["mesh"] = mesh_json(shape.mesh) : json = box_around(shape);
  if (!shape.color.empty()) json["color"] = shape.color;
  return json;
}

/// Indices by name, and the columns that belong to something.
class Names {
 public:
  explicit Names(const SceneThings& things) : frames_(things.frames) {
    for (size_t i = 0; i < things.model.bodies.size(); ++i)
      body_[things.model.bodies[i].name] = static_cast<int>(i);
    for (size_t i = 0; i < things.columns.size(); ++i) {
      const std::string& name = things.columns[i].name;
      column_[name] = static_cast<int>(i);
      const size_t dot = name.rfind('.');
      if (dot != std::string::npos) of_[name.substr(0, dot)].push_back(static_cast<int>(i));
    }
  }
  int body(const std::string& name) const { return index(body_, name); }
  int column(const std::string& name) const { return index(column_, name); }
  /// All columns "name.…".
  Json columns(const std::string& name) const {
    const auto found = of_.find(name);
    return found == of_.end() ? Json::array() : Json(found->second);
  }
  SceneFrames::Spot spot(const std::string& name, const Pose<double>& X) const {
    return frames_.spot(body(name), X);
  }
  Json point(const std::string& name, const Vec3& at) const {
    const SceneFrames::Spot s = spot(name, {Mat3::identity(), at});
    return {{"frame", s.frame}, {"at", numbers(s.X.p)}};
  }
  Json point(const PointSpec& p) const { return point(p.body, p.at); }

 private:
  using Indices = std::unordered_map<std::string, int>;
  static int index(const Indices& indices, const std::string& name) {
    const auto found = indices.find(name);
    return found == indices.end() ? -1 : found->second;
  }

  const SceneFrames& frames_;
  Indices body_, column_;
  std::unordered_map<std::string, std::vector<int>> of_;
};

/// Mass and centre; of an elastic body as it is undeformed, with what it has beside the beam.
MassProperties whole_mass(const BodySpec& body, const Mechanism& mechanism) {
  if (body.elastic)
    for (const BodyInfo& info : mechanism.bodies)
      if (info.name == body.name) return {info.mass, info.com, {}};
  return mass_properties(body);
}

Json bodies_json(const SceneThings& things, const Names& names) {
  Json list = Json::array();
  for (const BodySpec& body : things.model.bodies) {
    const MassProperties p = whole_mass(body, things.mechanism);
    Json json = {{"name", body.name}, {"line", body.where.line}, {"mass", p.mass}};
    if (!is_zero(p.com)) json["com"] = numbers(p.com);
    if (body.elastic) {
      json["elastic"] = true;
      json["com_at"] = names.point(body.name, p.com);
      json["columns"] = names.columns(body.name);
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json frames_json(const SceneFrames& frames, std::int64_t most_triangles) {
  Json list = Json::array();
  std::int64_t triangles = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    Json json = Json::object();
    for (const Shape& shape : frames[i].shapes) {
      triangles += static_cast<std::int64_t>(shape.mesh.triangles.size());
      json["shapes"].push_back(shape_json(shape, triangles <= most_triangles));
    }
    if (frames[i].body != i) json["part_of"] = frames[i].body;
    if (frames[i].segment) json["segment"] = true;
    list.push_back(std::move(json));
  }
  return list;
}

/// Skins of elastic solids: points, corners, and for each coordinate where it takes each point.
/// `columns` hold the coordinates.
Json solids_json(const SceneThings& things, const Names& names) {
  Json list = Json::array();
  for (const SceneSolid& solid : things.frames.solids()) {
    const SolidSurface& s = solid.surface;
    std::vector<float> points, moves;
    std::vector<std::uint32_t> corners;
    const auto put = [](std::vector<float>& out, const Vec3& v) {
      for (const double x : {v.x, v.y, v.z}) out.push_back(static_cast<float>(x));
    };
    for (const Vec3& p : s.points) put(points, p);
    for (const Vec3& v : s.phi) put(moves, v);
    for (const auto& t : s.triangles)
      for (const int i : t) corners.push_back(static_cast<std::uint32_t>(i));
    const int first = things.mechanism.elastic[solid.elastic].q0;
    Json columns = Json::array();
    for (int k = 0; k < s.n; ++k)
      columns.push_back(names.column(things.mechanism.coordinate_name(first + k)));
    Json json = {{"body", solid.body},
                 {"points", base64_numbers<float>(points)},
                 {"corners", base64_numbers<std::uint32_t>(corners)},
                 {"moves", base64_numbers<float>(moves)},
                 {"columns", columns}};
    if (!solid.color.empty()) json["color"] = solid.color;
    list.push_back(std::move(json));
  }
  return list;
}

/// How the joint is drawn: a sequence as the ball joint that it mostly stands for.
const char* mark_of(JointType type) {
  return type == JointType::sequence ? "ball" : facts_of(kind_of(type)).mark;
}

/// Whether a line shows the way from one frame to the other.
bool slides_along_axis(JointType type) {
  if (type == JointType::sequence) return false;
  const HeldPoint point = facts_of(kind_of(type)).point;
  return point == HeldPoint::across || point == HeldPoint::thread;
}

Json joints_json(const Model& model, const Mechanism& mechanism, const Names& names) {
  std::unordered_map<std::string, bool> cut;
  for (const JointInfo& j : mechanism.joints) cut[j.name] = j.cut;
  Json list = Json::array();
  for (const JointSpec& j : model.joints) {
    const SceneFrames::Spot parent = names.spot(j.parent, j.on_parent.pose());
    const SceneFrames::Spot child = names.spot(j.child, j.on_child.pose());
    const int parent_body = names.body(j.parent), child_body = names.body(j.child);
    Json json = {{"name", j.name},          {"line", j.where.line},
                 {"type", to_text(j.type)}, {"mark", mark_of(j.type)},
                 {"parent", parent_body},   {"child", child_body},
                 {"axis", numbers(j.axis)}, {"columns", names.columns(j.name)}};
    if (parent.frame != parent_body) json["parent_frame"] = parent.frame;
    if (child.frame != child_body) json["child_frame"] = child.frame;
    if (!is_identity(parent.X)) json["on_parent"] = numbers(parent.X);
    if (!is_identity(child.X)) json["on_child"] = numbers(child.X);
    if (axes_of(j.type) == JointAxes::cross) json["axis2"] = numbers(j.axis2);
    if (slides_along_axis(j.type)) json["slides"] = true;
    if (cut[j.name]) json["cut"] = true;
    list.push_back(std::move(json));
  }
  return list;
}

/// Force elements by their marks: coils, lines, arrows.
std::array<Json, 3> force_elements_json(const Model& model, const Names& names) {
  std::array<Json, 3> by_mark = {Json::array(), Json::array(), Json::array()};
  Model::each_force_list(model, [&]<class Spec>(const std::vector<Spec>& list) {
    for (const Spec& s : list) {
      Json json = {{"name", s.name}, {"line", s.where.line}};
      s.ends([&](const char* end, const std::string& body, const Vec3& at) {
        json[end] = names.point(body, at);
      });
      if constexpr (requires { s.length; }) json["length"] = s.length;
      by_mark[static_cast<size_t>(Spec::table.mark)].push_back(std::move(json));
    }
  });
  return by_mark;
}

}  // namespace

std::string things_json(const SceneThings& things, std::int64_t most_triangles) {
  const Model& model = things.model;
  const Names names(things);
  Json sensors = Json::array(), rods = Json::array();
  const std::array<Json, 3> forces = force_elements_json(model, names);
  for (const ConstraintSpec& c : model.constraints)
    if (c.type == ConstraintType::distance)
      rods.push_back({{"name", c.name},
                      {"line", c.where.line},
                      {"from", names.point(c.from)},
                      {"to", names.point(c.to)}});
  for (const SensorSpec& s : model.sensors) {
    Json sensor = {{"name", s.name}, {"line", s.where.line}};
    if (s.point) {
      sensor["at"] = names.point(*s.point);
      sensor["columns"] = names.columns(s.name);
      sensor["trace"] = {names.column(s.name + ".x"), names.column(s.name + ".y"),
                         names.column(s.name + ".z")};
    } else {
      sensor["columns"] = {names.column(s.name)};
    }
    sensors.push_back(std::move(sensor));
  }
  return dump({{"gravity", numbers(model.gravity)},
               {"bodies", bodies_json(things, names)},
               {"frames", frames_json(things.frames, most_triangles)},
               {"solids", solids_json(things, names)},
               {"stiff_solids", things.frames.has_stiff_solids()},
               {"joints", joints_json(model, things.mechanism, names)},
               {"springs", forces[static_cast<size_t>(ElementMark::coil)]},
               {"bushings", forces[static_cast<size_t>(ElementMark::line)]},
               {"rods", rods},
               {"forces", forces[static_cast<size_t>(ElementMark::arrow)]},
               {"sensors", sensors},
               {"parameters", Json(model.parameters)}});
}

std::string columns_json(const std::vector<Column>& columns, const std::vector<double>& values) {
  const size_t width = columns.size(), rows = width == 0 ? 0 : values.size() / width;
  Json list = Json::array();
  std::vector<float> differences(rows);
  for (size_t c = 0; c < width; ++c) {
    double low = INFINITY, high = -INFINITY;
    bool same = true;
    for (size_t i = 0; i < rows; ++i) {
      const double x = values[i * width + c];
      if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
      same = same && x == values[c];
    }
    const double offset = !(low <= high) ? 0 : same ? low : low / 2 + high / 2;
    Json json = {{"name", columns[c].name}, {"unit", columns[c].unit}, {"offset", offset}};
    if (!same) {
      for (size_t i = 0; i < rows; ++i)
        differences[i] = static_cast<float>(values[i * width + c] - offset);
      json["data"] = base64_numbers<float>(differences);
    }
    list.push_back(std::move(json));
  }
  return dump(list);
}

}  // namespace sarrus
