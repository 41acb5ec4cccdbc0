// The parts of a scene as JSON text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sarrus/show/scene_frames.hpp"

namespace sarrus {

struct SceneThings {
  const Model& model;
  const Mechanism& mechanism;
  const SceneFrames& frames;
  const std::vector<Column>& columns;
};

/// Bodies, joints, springs, forces and sensors. Bodies are named by their index in the model's
/// list, frames by theirs in SceneFrames, the world by −1; columns by their index. What is as
/// usual is left out (viewer/src/things.ts puts it in): a page may hold 100 000 bodies.
std::string things_json(const SceneThings& things, std::int64_t most_triangles);

/// Columns of rows that lie one after the other: `offset` and, unless all values are the same, the
/// differences from it as base64 of 32-bit numbers. The error is 6e-8 of a column's own range.
std::string columns_json(const std::vector<Column>& columns, const std::vector<double>& values);

}  // namespace sarrus
