// The frames that move in a scene: one for each body of the model, in its order, and behind them
// those of elastic bodies: places that carry something, and the segments as which a beam is drawn.
#pragma once

#include <vector>

#include "sarrus/analysis/replay.hpp"

namespace sarrus {

struct SceneFrame {
  size_t body = 0;            // of the model
  double x = 0;               // [m] of a place on a beam, along it; its frame has the beam's axes
  bool segment = false;       // it is drawn, and has a stress
  std::vector<Shape> shapes;  // in this frame
};

class SceneFrames {
 public:
  SceneFrames() = default;
  SceneFrames(const Model& model, const Mechanism& mechanism);

  size_t size() const { return frames_.size(); }
  const SceneFrame& operator[](size_t i) const { return frames_[i]; }
  size_t bodies() const { return entry_.size(); }
  size_t segments() const { return segments_; }

  /// A frame on a body of the model (−1: the world) as seen from the frame that carries it. Exact
  /// where the mechanism has a seat; elsewhere on a beam the nearest place stands for it.
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
  struct OnBeam {  // of frame bodies() + i
    size_t elastic = 0;
    ElasticPlace place;
    std::vector<std::array<double, 3>> stress;  // of N, My, Mz per coordinate, of a segment
  };
  void add_beam(const Model& model, const Mechanism& mechanism, size_t elastic, size_t body);
  void share_shapes(const BodySpec& body, size_t first_segment, size_t index);

  const Mechanism* m_ = nullptr;
  std::vector<SceneFrame> frames_;
  std::vector<size_t> entry_;   // of Mechanism::bodies, for each body
  std::vector<double> clamps_;  // [m] along its beam, for each body
  std::vector<OnBeam> on_beam_;
  size_t segments_ = 0;
};

}  // namespace sarrus
