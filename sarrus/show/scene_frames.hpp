// The frames that move in a scene: one for each body of the model, in its order, and behind them
// those of elastic bodies: places that carry something, and the segments as which a beam is drawn.
// An elastic solid is drawn by the skin of its mesh, which bends in its body's frame.
#pragma once

#include <vector>

#include "sarrus/elastic/solid_surface.hpp"
#include "sarrus/run/replay.hpp"

namespace sarrus {

struct SceneFrame {
  size_t body = 0;            // of the model
  Vec3 at{};                  // [m] of a place on an elastic body; its frame has the body's axes
  bool segment = false;       // it is drawn, and has a stress
  std::vector<Shape> shapes;  // in this frame
};

struct SceneSolid {
  size_t body = 0;     // of the model; the frame in which it bends
  size_t elastic = 0;  // of the mechanism
  SolidSurface surface;
  std::string color;  // "" for that of its body
};

class SceneFrames {
 public:
  SceneFrames() = default;
  /// Solids beyond so many triangles, all together, are drawn by their shapes, as if rigid.
  SceneFrames(const Model& model, const Mechanism& mechanism, size_t most_triangles);

  size_t size() const { return frames_.size(); }
  const SceneFrame& operator[](size_t i) const { return frames_[i]; }
  size_t bodies() const { return entry_.size(); }
  size_t segments() const { return segments_; }
  const std::vector<SceneSolid>& solids() const { return solids_; }
  bool has_stiff_solids() const { return stiff_solids_; }  // some had too many triangles

  /// A frame on a body of the model (−1: the world) as seen from the frame that carries it. Exact
  /// where the mechanism has a seat; elsewhere the nearest place stands for it.
  struct Spot {
    int frame = -1;
    Pose<double> X;
  };
  Spot spot(int body, const Pose<double>& X) const;

  /// Where the frame is, at the row that was set.
  Pose<double> pose(size_t frame, Replay& replay) const;
  /// Largest normal stress in the middle of a segment [Pa], from stretch and bending.
  double stress(size_t frame, Replay& replay) const;

 private:
  struct OnElastic {  // of frame bodies() + i
    size_t elastic = 0;
    ElasticPlace place;
    std::vector<std::array<double, 3>> stress;  // of N, My, Mz per coordinate, of a segment
  };
  void add_seats(const Mechanism& mechanism, size_t elastic, size_t body);
  void add_beam(const Model& model, const Mechanism& mechanism, size_t elastic, size_t body);
  void add_solid(const BodySpec& spec, size_t elastic, size_t body);
  void share_shapes(const BodySpec& body, size_t first_segment, size_t index);
  void give_to_place(const Shape& shape, const Vec3& middle, size_t index);

  const Mechanism* m_ = nullptr;
  std::vector<SceneFrame> frames_;
  std::vector<size_t> entry_;  // of Mechanism::bodies, for each body
  std::vector<Vec3> clamps_;   // [m] where it is clamped, for each body
  std::vector<bool> is_beam_;  // places are told apart by their x alone
  std::vector<OnElastic> on_elastic_;
  std::vector<SceneSolid> solids_;
  size_t segments_ = 0;
  bool stiff_solids_ = false;
};

}  // namespace sarrus
