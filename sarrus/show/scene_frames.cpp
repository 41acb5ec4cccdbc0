#include "sarrus/show/scene_frames.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sarrus/show/tessellate.hpp"

namespace sarrus {
namespace {

constexpr int segments_of_beam = 16;

/// The box around a shape, in its body's frame.
struct Bounds {
  Vec3 low, high;
};
Bounds bounds(const Shape& shape) {
  Bounds b{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (const Vec3& point : tessellate(shape).points) {
    const Vec3 p = shape.X_BS * point;
    b.low = {std::min(b.low.x, p.x), std::min(b.low.y, p.y), std::min(b.low.z, p.z)};
    b.high = {std::max(b.high.x, p.x), std::max(b.high.y, p.y), std::max(b.high.z, p.z)};
  }
  return b;
}

/// A piece of a beam, in its section's frame: as thick as `b` says.
Shape piece(const Bounds& b, double length, bool round, const std::string& color) {
  Shape s;
  s.color = color;
  s.X_BS.p = {0, (b.low.y + b.high.y) / 2, (b.low.z + b.high.z) / 2};
  const double y = b.high.y - b.low.y, z = b.high.z - b.low.z;
  if (round) {
    const double half = std::sqrt(0.5);
    s.kind = ShapeKind::cylinder;
    s.radius = std::max(y, z) / 2, s.length = length;
    s.X_BS.R = rotation(Quat{half, 0, half, 0});  // z becomes x
  } else {
    s.size = {length, y, z};
  }
  return s;
}

}  // namespace

SceneFrames::SceneFrames(const Model& model, const Mechanism& mechanism, size_t most_triangles)
    : m_(&mechanism) {
  std::unordered_map<std::string, size_t> entries, elastic;
  for (size_t i = 0; i < mechanism.bodies.size(); ++i) entries[mechanism.bodies[i].name] = i;
  for (size_t i = 0; i < mechanism.elastic.size(); ++i) elastic[mechanism.elastic[i].name] = i;
  for (size_t k = 0; k < model.bodies.size(); ++k) {
    entry_.push_back(entries.at(model.bodies[k].name));
    frames_.push_back({k, {}, false, {}});
  }
  clamps_.resize(frames_.size());
  is_beam_.resize(frames_.size());
  size_t triangles = 0;
  for (size_t k = 0; k < model.bodies.size(); ++k) {
    const BodySpec& body = model.bodies[k];
    const auto e = elastic.find(body.name);
    const bool is_solid = body.elastic && body.elastic->solid;
    if (is_solid) triangles += surface_triangles(*body.elastic->solid->mesh);
    if (e == elastic.end())
      frames_[k].shapes = body.shapes;
    else if (!is_solid)
      add_beam(model, mechanism, e->second, k);
    else if (triangles <= most_triangles)
      add_solid(body, e->second, k);
    else
      frames_[k].shapes = body.shapes, stiff_solids_ = true;
  }
}

/// Frames where something sits on an elastic body.
void SceneFrames::add_seats(const Mechanism& mechanism, size_t elastic, size_t index) {
  const Pose<double> X_CB = inverse(mechanism.bodies[entry_[index]].X_BC);
  for (const SeatInfo& seat : mechanism.seats) {
    if (static_cast<size_t>(seat.elastic) != elastic) continue;
    const Vec3 at = X_CB * seat.place.x;
    frames_.push_back({index, is_beam_[index] ? Vec3{at.x, 0, 0} : at, false, {}});
    on_elastic_.push_back({elastic, seat.place, {}});
  }
}

/// Frames at the seats of a beam, and in the middle of each of its segments.
void SceneFrames::add_beam(const Model& model, const Mechanism& mechanism, size_t elastic,
                           size_t index) {
  const BodySpec& body = model.bodies[index];
  const BeamSpec& spec = body.elastic->beam;
  const Pose<double>& X_BC = mechanism.bodies[entry_[index]].X_BC;
  // B sits on the inboard joint, where the beam is clamped
  const double clamp = std::clamp(inverse(X_BC).p.x, 0.0, spec.length);
  clamps_[index] = {clamp, 0, 0};
  is_beam_[index] = true;
  add_seats(mechanism, elastic, index);
  const Beam beam(spec, clamp);
  const Pose<double> X_clamped = X_BC * Pose<double>{Mat3::identity(), clamps_[index]};
  const BeamSection& s = spec.section;
  const size_t first = frames_.size();
  for (int i = 0; i < segments_of_beam; ++i) {
    const double x = (i + 0.5) * spec.length / segments_of_beam;
    frames_.push_back({index, {x, 0, 0}, true, {}});
    OnElastic at{elastic, seen_from(beam.place(x), X_clamped), {}};
    for (const auto& F : beam.section_forces(x))
      at.stress.push_back({s.area > 0 ? F[0] / s.area : 0, s.Iy > 0 ? F[4] * s.z / s.Iy : 0,
                           s.Iz > 0 ? F[5] * s.y / s.Iz : 0});
    on_elastic_.push_back(std::move(at));
    ++segments_;
  }
  share_shapes(body, first, index);
}

/// Frames at the seats of a solid, and its skin. A shape that is drawn only and half as large as
/// the solid stands for it: the skin takes its place and its colour. A smaller one goes with the
/// place it is at, one with mass with the body's frame.
void SceneFrames::add_solid(const BodySpec& body, size_t elastic, size_t index) {
  const SolidSpec& spec = *body.elastic->solid;
  clamps_[index] = inverse(m_->bodies[entry_[index]].X_BC).p;
  add_seats(*m_, elastic, index);
  SceneSolid solid{index, elastic, solid_surface(spec, clamps_[index]), ""};
  for (const Shape& shape : body.shapes) {
    if (shape.density >= 0) {
      frames_[index].shapes.push_back(shape);
      continue;
    }
    const Bounds b = bounds(shape);
    const Vec3 size = b.high - b.low;
    if (std::max({size.x, size.y, size.z}) < 0.5 * extent(*spec.mesh))
      give_to_place(shape, (b.low + b.high) * 0.5, index);
    else if (solid.color.empty())
      solid.color = shape.color;
  }
  solids_.push_back(std::move(solid));
}

/// A shape of an elastic body, in the frame of the nearest place.
void SceneFrames::give_to_place(const Shape& shape, const Vec3& middle, size_t index) {
  const Spot at = spot(static_cast<int>(index), {Mat3::identity(), middle});
  Shape moved = shape;
  moved.X_BS.p = shape.X_BS.p - middle + at.X.p;
  frames_[at.frame].shapes.push_back(std::move(moved));
}

/// A shape that is drawn only and reaches along the beam is the beam: it is cut into segments. A
/// smaller one goes with the place it is at. What has mass is rigid and stays with the body's
/// frame.
void SceneFrames::share_shapes(const BodySpec& body, size_t first_segment, size_t index) {
  const BeamSpec& spec = body.elastic->beam;
  const auto cut = [&](const Bounds& b, bool round, const std::string& color) {
    for (size_t i = first_segment; i < frames_.size(); ++i)
      frames_[i].shapes.push_back(piece(b, spec.length / segments_of_beam, round, color));
  };
  bool is_drawn = false;
  for (const Shape& shape : body.shapes) {
    if (shape.density >= 0) {
      frames_[index].shapes.push_back(shape);
      continue;
    }
    const Bounds b = bounds(shape);
    if (b.high.x - b.low.x >= 0.5 * spec.length) {
      cut(b, shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::capsule, shape.color);
      is_drawn = true;
      continue;
    }
    give_to_place(shape, (b.low + b.high) * 0.5, index);
  }
  const BeamSection& s = spec.section;
  const bool round = s.area < 3.5 * s.y * s.z;  // π y z or less; a rectangle has 4 y z
  if (!is_drawn) cut({{0, -s.y, -s.z}, {0, s.y, s.z}}, round, "");
}

SceneFrames::Spot SceneFrames::spot(int body, const Pose<double>& X) const {
  if (body < 0) return {-1, X};
  const auto index = static_cast<size_t>(body);
  const auto distance = [&](const Vec3& at) {
    return is_beam_[index] ? std::fabs(X.p.x - at.x) : norm(X.p - at);
  };
  double nearest = distance(clamps_[index]);
  Spot found{body, X};
  for (size_t i = bodies(); i < frames_.size(); ++i) {
    if (frames_[i].body != index || !(distance(frames_[i].at) < nearest)) continue;
    nearest = distance(frames_[i].at);
    found = {static_cast<int>(i), {X.R, X.p - frames_[i].at}};
  }
  return found;
}

Pose<double> SceneFrames::pose(size_t frame, Replay& replay) const {
  const size_t body = entry_[frames_[frame].body];
  if (frame < bodies()) return replay.body_pose(body);
  const OnElastic& at = on_elastic_[frame - bodies()];
  const ElasticInfo& info = m_->elastic[at.elastic];
  const BodyMotion<double>& b = replay.now().body[info.frame];
  std::vector<Twist<double>> columns(info.n);
  Pose<double> X_BK;
  place_elastic(at.place, info.n, replay.now().q.data() + info.q0, X_BK.p, X_BK.R, columns.data());
  return Pose<double>{b.R, b.o} * X_BK * Pose<double>{m_->bodies[body].X_BC.R, {}};
}

double SceneFrames::stress(size_t frame, Replay& replay) const {
  const OnElastic& at = on_elastic_[frame - bodies()];
  const double* q = replay.now().q.data() + m_->elastic[at.elastic].q0;
  double parts[3] = {};
  for (size_t k = 0; k < at.stress.size(); ++k)
    for (size_t i = 0; i < 3; ++i) parts[i] += at.stress[k][i] * q[k];
  return std::fabs(parts[0]) + std::fabs(parts[1]) + std::fabs(parts[2]);
}

}  // namespace sarrus
