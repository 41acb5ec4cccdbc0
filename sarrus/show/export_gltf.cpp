#include "sarrus/show/export_gltf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "sarrus/results/result_json.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/show/tessellate.hpp"

namespace sarrus {
namespace {

// numbers of the format [glTF 2.0, 3.6.2, 3.6.1]
constexpr int type_float = 5126, type_index = 5125, target_points = 34962, target_corners = 34963;
constexpr const char* palette[] = {"#4c78a8", "#f2a541", "#59a14f", "#b07aa1",
                                   "#e15759", "#76b7b2", "#9c755f", "#8f9bb3"};

/// One channel of sRGB as the linear light that glTF expects.
double linear(int byte) {
  const double x = byte / 255.0;
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

/// Of a place on an elastic body: along a beam, anywhere in a solid.
std::string place_name(const BodySpec& body, const Vec3& at) {
  if (!body.elastic->solid) return fmt::format("{} at {:.6g} m", body.name, at.x);
  return fmt::format("{} at ({:.6g}, {:.6g}, {:.6g}) m", body.name, at.x, at.y, at.z);
}

class GltfWriter {
 public:
  explicit GltfWriter(const Scene& scene) : scene_(scene), model_(*scene.model()) {
    json_ = {{"asset", {{"version", "2.0"}, {"generator", "Sarrus " SARRUS_VERSION}}},
             {"scene", 0},
             {"scenes", {{{"nodes", {0}}, {"name", scene.header().model_name}}}},
             {"nodes", Json::array()}};
  }

  std::string bytes() {
    add_world();
    for (size_t i = 0; i < scene_.frames().size(); ++i) add_frame(i);
    if (scene_.rows() > 1) add_motion();
    finish_buffers();
    return packed();
  }

 private:
  /// Turns the world so that what is against gravity becomes y.
  void add_world() {
    const Vec3& g = model_.gravity;
    const double s = std::sqrt(0.5);
    Json turn = {-s, 0.0, 0.0, s};  // z up
    if (std::fabs(g.y) > std::max(std::fabs(g.x), std::fabs(g.z)))
      turn = g.y < 0 ? Json{0.0, 0.0, 0.0, 1.0} : Json{1.0, 0.0, 0.0, 0.0};
    else if (std::fabs(g.x) > std::fabs(g.z))
      turn = g.x < 0 ? Json{0.0, 0.0, s, s} : Json{0.0, 0.0, -s, s};
    else if (g.z > 0)
      turn = {s, 0.0, 0.0, s};
    Json children = Json::array();
    for (size_t i = 0; i < scene_.frames().size(); ++i) children.push_back(i + 1);
    Json world = {{"name", "world"}, {"rotation", turn}};
    if (!children.empty()) world["children"] = children;
    json_["nodes"].push_back(world);
    for (size_t i = 0; i < scene_.frames().size(); ++i) json_["nodes"].push_back(nullptr);
  }

  /// A body is a node of its name; so are the places and segments of an elastic one, with their x.
  void add_frame(size_t i) {
    const SceneFrame& frame = scene_.frames()[i];
    const BodySpec& body = model_.bodies[frame.body];
    const std::string name = i < scene_.frames().bodies() ? body.name : place_name(body, frame.at);
    const auto pose = scene_.poses(0).subspan(7 * i, 7);
    Json node = {{"name", name},
                 {"translation", {pose[0], pose[1], pose[2]}},
                 {"rotation", {pose[4], pose[5], pose[6], pose[3]}}};
    Json children = Json::array();
    for (const Shape& shape : frame.shapes) {
      const int mesh = add_mesh(shape, palette[frame.body % std::size(palette)], body.name);
      if (mesh < 0) continue;
      const Quat q = quaternion(shape.X_BS.R);
      const Vec3& p = shape.X_BS.p;
      children.push_back(json_["nodes"].size());
      json_["nodes"].push_back(
          {{"mesh", mesh}, {"translation", {p.x, p.y, p.z}}, {"rotation", {q.x, q.y, q.z, q.w}}});
    }
    for (const SceneSolid& solid : scene_.frames().solids())
      if (solid.body == i) children.push_back(add_skin(solid));
    if (!children.empty()) node["children"] = children;
    json_["nodes"][i + 1] = std::move(node);
  }

  /// The skin of an elastic solid: its coordinates are the weights of morph targets. Returns its
  /// node. Without normals a viewer shows its triangles flat [glTF 2.0, 3.7.2.1].
  size_t add_skin(const SceneSolid& solid) {
    const SolidSurface& s = solid.surface;
    const BodySpec& body = model_.bodies[solid.body];
    const auto add_points = [&](std::span<const Vec3> list) {
      std::vector<float> numbers;
      for (const Vec3& p : list)
        for (const double x : {p.x, p.y, p.z}) numbers.push_back(static_cast<float>(x));
      return add_floats(numbers, 3, "VEC3", target_points, true);
    };
    std::vector<std::uint32_t> corners;
    for (const auto& t : s.triangles)
      for (const int k : t) corners.push_back(static_cast<std::uint32_t>(k));
    const int at = add_points(s.points), indices = add_corners(corners);
    Json targets = Json::array();
    for (size_t k = 0; k < static_cast<size_t>(s.n); ++k)
      targets.push_back({{"POSITION", add_points(std::span(s.phi).subspan(k * s.points.size(),
                                                                          s.points.size()))}});
    const char* color = palette[solid.body % std::size(palette)];
    json_["meshes"].push_back(
        {{"name", body.name},
         {"weights", weights(solid, 0)},
         {"primitives",
          {{{"attributes", {{"POSITION", at}}},
            {"indices", indices},
            {"targets", targets},
            {"material", material(solid.color.empty() ? color : solid.color)}}}}});
    skins_.emplace_back(&solid, json_["nodes"].size());
    json_["nodes"].push_back({{"name", body.name + " skin"}, {"mesh", json_["meshes"].size() - 1}});
    return json_["nodes"].size() - 1;
  }

  /// The coordinates of a solid at a row; 0 where they were not recorded.
  std::vector<float> weights(const SceneSolid& solid, std::int64_t row) const {
    const Mechanism& m = *scene_.mechanism();
    const std::vector<Column>& columns = scene_.header().columns;
    std::vector<float> q;
    for (int k = 0; k < solid.surface.n; ++k) {
      const std::string name = m.coordinate_name(m.elastic[solid.elastic].q0 + k);
      const auto found = std::find_if(columns.begin(), columns.end(),
                                      [&](const Column& c) { return c.name == name; });
      q.push_back(found == columns.end()
                      ? 0
                      : static_cast<float>(scene_.row(row)[found - columns.begin()]));
    }
    return q;
  }

  int add_mesh(const Shape& shape, const char* color, const std::string& name) {
    const Surface s = tessellate(shape);
    if (s.corners.empty()) return -1;
    std::vector<float> points, normals;
    for (const Vec3& p : s.points)
      for (const double x : {p.x, p.y, p.z}) points.push_back(static_cast<float>(x));
    for (const Vec3& n : s.normals)
      for (const double x : {n.x, n.y, n.z}) normals.push_back(static_cast<float>(x));
    const int at = add_floats(points, 3, "VEC3", target_points, true);
    const int normal = add_floats(normals, 3, "VEC3", target_points, false);
    const int indices = add_corners(s.corners);
    json_["meshes"].push_back(
        {{"name", name},
         {"primitives",
          {{{"attributes", {{"POSITION", at}, {"NORMAL", normal}}},
            {"indices", indices},
            {"material", material(shape.color.empty() ? color : shape.color)}}}}});
    return static_cast<int>(json_["meshes"].size()) - 1;
  }

  int material(const std::string& color) {
    const auto found = std::find(colors_.begin(), colors_.end(), color);
    if (found != colors_.end()) return static_cast<int>(found - colors_.begin());
    colors_.push_back(color);
    const auto rgb = static_cast<int>(std::strtol(color.c_str() + 1, nullptr, 16));
    json_["materials"].push_back(
        {{"name", color},
         {"pbrMetallicRoughness",
          {{"baseColorFactor",
            {linear(rgb >> 16 & 255), linear(rgb >> 8 & 255), linear(rgb & 255), 1.0}},
           {"metallicFactor", 0.1},
           {"roughnessFactor", 0.6}}}});
    return static_cast<int>(colors_.size()) - 1;
  }

  /// Rows with times that grow, as the format asks for; an event may have given two with one time.
  std::vector<std::int64_t> moments() const {
    std::vector<std::int64_t> rows;
    float last = -std::numeric_limits<float>::infinity();
    for (std::int64_t i = 0; i < scene_.rows(); ++i) {
      const auto t = static_cast<float>(scene_.time(i) - scene_.time(0));
      if (t > last) rows.push_back(i), last = t;
    }
    return rows;
  }

  void add_motion() {
    const std::vector<std::int64_t> rows = moments();
    std::vector<float> times;
    for (const std::int64_t i : rows)
      times.push_back(static_cast<float>(scene_.time(i) - scene_.time(0)));
    const int input = add_floats(times, 1, "SCALAR", 0, true);
    Json channels = Json::array(), samplers = Json::array();
    const auto add = [&](size_t node, const char* path, const std::vector<float>& values,
                         int width) {
      const char* type = width == 1 ? "SCALAR" : width == 3 ? "VEC3" : "VEC4";
      const int output = add_floats(values, width, type, 0, false);
      samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
      channels.push_back(
          {{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    };
    for (size_t b = 0; b < scene_.frames().size(); ++b) {
      std::vector<float> translations, rotations;
      for (const std::int64_t i : rows) {
        const auto p = scene_.poses(i).subspan(7 * b, 7);
        translations.insert(translations.end(), {p[0], p[1], p[2]});
        rotations.insert(rotations.end(), {p[4], p[5], p[6], p[3]});
      }
      keep_signs(rotations);
      add(b + 1, "translation", translations, 3);
      add(b + 1, "rotation", rotations, 4);
    }
    for (const auto& [solid, node] : skins_) {
      std::vector<float> all;
      for (const std::int64_t i : rows) {
        const std::vector<float> q = weights(*solid, i);
        all.insert(all.end(), q.begin(), q.end());
      }
      add(node, "weights", all, 1);
    }
    if (!channels.empty())
      json_["animations"] = {{{"name", "motion"}, {"channels", channels}, {"samplers", samplers}}};
  }

  /// q and −q are one rotation: each takes the sign that is nearer to the one before.
  static void keep_signs(std::vector<float>& q) {
    for (size_t i = 4; i < q.size(); i += 4) {
      float along = 0;
      for (size_t k = 0; k < 4; ++k) along += q[i + k] * q[i - 4 + k];
      if (along < 0)
        for (size_t k = 0; k < 4; ++k) q[i + k] = -q[i + k];
    }
  }

  int add_corners(const std::vector<std::uint32_t>& corners) {
    const int view = add_view(corners.data(), 4 * corners.size(), target_corners);
    json_["accessors"].push_back({{"bufferView", view},
                                  {"componentType", type_index},
                                  {"count", corners.size()},
                                  {"type", "SCALAR"}});
    return static_cast<int>(json_["accessors"].size()) - 1;
  }

  int add_view(const void* data, size_t bytes, int target) {
    while (buffer_.size() % 4 != 0) buffer_ += '\0';
    Json view = {{"buffer", 0}, {"byteOffset", buffer_.size()}, {"byteLength", bytes}};
    if (target != 0) view["target"] = target;
    json_["bufferViews"].push_back(view);
    buffer_.append(static_cast<const char*>(data), bytes);
    return static_cast<int>(json_["bufferViews"].size()) - 1;
  }

  int add_floats(const std::vector<float>& values, int width, const char* type, int target,
                 bool bounds) {
    const int view = add_view(values.data(), 4 * values.size(), target);
    Json accessor = {{"bufferView", view},
                     {"componentType", type_float},
                     {"count", values.size() / static_cast<size_t>(width)},
                     {"type", type}};
    for (int k = 0; bounds && k < width; ++k) {
      float low = std::numeric_limits<float>::infinity(), high = -low;
      for (size_t i = static_cast<size_t>(k); i < values.size(); i += static_cast<size_t>(width))
        low = std::min(low, values[i]), high = std::max(high, values[i]);
      accessor["min"].push_back(low), accessor["max"].push_back(high);
    }
    json_["accessors"].push_back(accessor);
    return static_cast<int>(json_["accessors"].size()) - 1;
  }

  void finish_buffers() {
    while (buffer_.size() % 4 != 0) buffer_ += '\0';
    if (!buffer_.empty()) json_["buffers"] = {{{"byteLength", buffer_.size()}}};
  }

  /// Header, the JSON, the numbers [glTF 2.0, 4.4].
  std::string packed() const {
    std::string text = dump(json_);
    while (text.size() % 4 != 0) text += ' ';
    std::string out;
    const auto put = [&](std::uint32_t x) { out.append(reinterpret_cast<const char*>(&x), 4); };
    const size_t chunk = buffer_.empty() ? 0 : 8 + buffer_.size();
    out += "glTF";
    put(2), put(static_cast<std::uint32_t>(12 + 8 + text.size() + chunk));
    put(static_cast<std::uint32_t>(text.size()));
    out += "JSON" + text;
    if (chunk > 0) {
      put(static_cast<std::uint32_t>(buffer_.size()));
      out += std::string("BIN\0", 4) + buffer_;
    }
    return out;
  }

  const Scene& scene_;
  const Model& model_;
  Json json_;
  std::string buffer_;
  std::vector<std::string> colors_;
  std::vector<std::pair<const SceneSolid*, size_t>> skins_;  // and their nodes
};

}  // namespace

std::string gltf_bytes(const Scene& scene) {
  if (!scene.can_draw()) throw io_error("", "not-drawn", scene.problem());
  return GltfWriter(scene).bytes();
}

ExportReport export_gltf(const std::string& result, const std::string& path, std::int64_t every,
                         bool replace) {
  const std::vector<std::string> sources = files_of_run(result);
  is_stream_target(path, replace, sources);  // refuses before the work
  SceneOptions options;
  options.every = every;
  const Scene scene = read_scene(result, options);
  if (!scene.can_draw()) throw io_error(result, "not-drawn", scene.problem());
  if (scene.rows() == 0)
    throw io_error(result, "no-rows", "the run ended before its first row: there is no motion",
                   "run it again, or continue it with sarrus run --resume");
  write_export(path, gltf_bytes(scene), replace, sources);
  return {scene.rows(), {}};
}

}  // namespace sarrus
