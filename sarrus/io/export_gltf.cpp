#include "sarrus/io/export_gltf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "sarrus/io/result_json.hpp"
#include "sarrus/io/tessellate.hpp"

namespace sarrus {
namespace {

// numbers of the format [glTF 2.0, 3.6.2, 3.6.1]
constexpr int type_float = 5126, type_index = 5125, target_points = 34962, target_corners = 34963;
constexpr const char* palette[] = {"#4c78a8", "#f2a541", "#59a14f", "#b07aa1",
                                   "#e15759", "#76b7b2", "#9c755f", "#8f9bb3"};

/// One channel of sRGB as the linear light that glTF wants.
double linear(int byte) {
  const double x = byte / 255.0;
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
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
    const std::string name = i < scene_.frames().bodies()
                                 ? body.name
                                 : fmt::format("{} at {:.6g} m", body.name, frame.x);
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
    if (!children.empty()) node["children"] = children;
    json_["nodes"][i + 1] = std::move(node);
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
    const int corners = add_view(s.corners.data(), 4 * s.corners.size(), target_corners);
    json_["accessors"].push_back({{"bufferView", corners},
                                  {"componentType", type_index},
                                  {"count", s.corners.size()},
                                  {"type", "SCALAR"}});
    json_["meshes"].push_back(
        {{"name", name},
         {"primitives",
          {{{"attributes", {{"POSITION", at}, {"NORMAL", normal}}},
            {"indices", json_["accessors"].size() - 1},
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
    const auto add = [&](size_t frame, const char* path, const std::vector<float>& values,
                         int width) {
      const int output = add_floats(values, width, width == 3 ? "VEC3" : "VEC4", 0, false);
      samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
      channels.push_back(
          {{"sampler", samplers.size() - 1}, {"target", {{"node", frame + 1}, {"path", path}}}});
    };
    for (size_t b = 0; b < scene_.frames().size(); ++b) {
      std::vector<float> translations, rotations;
      for (const std::int64_t i : rows) {
        const auto p = scene_.poses(i).subspan(7 * b, 7);
        translations.insert(translations.end(), {p[0], p[1], p[2]});
        rotations.insert(rotations.end(), {p[4], p[5], p[6], p[3]});
      }
      keep_signs(rotations);
      add(b, "translation", translations, 3);
      add(b, "rotation", rotations, 4);
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
};

}  // namespace

std::string gltf_bytes(const Scene& scene) {
  if (!scene.can_draw()) throw io_error("", "not-drawn", scene.problem());
  return GltfWriter(scene).bytes();
}

ExportReport export_gltf(const std::string& result, const std::string& path, std::int64_t every,
                         bool replace) {
  is_stream_target(path, replace);  // refuses before the work
  SceneOptions options;
  options.every = every;
  const Scene scene = read_scene(result, options);
  if (!scene.can_draw()) throw io_error(result, "not-drawn", scene.problem());
  write_export(path, gltf_bytes(scene), replace);
  return {scene.rows(), {}};
}

}  // namespace sarrus
