// Modes of vibration as one page: the motions that `sarrus modes --animate` wrote, to choose from.
#pragma once

#include <string>
#include <vector>

#include "sarrus/show/scene.hpp"

namespace sarrus {

/// The folders mode_1, mode_2, … of a folder of modes; none where it has a result of its own.
std::vector<std::string> mode_folders(const std::string& folder);

/// The scene of the first, with all of them as `modes` beside it. What an earlier call has left
/// there of another model, or of the same one before it was changed, is left out.
struct ModesScene {
  Scene first;
  Scene::Parts modes;      // for Scene::json
  std::int64_t rows = 0;   // of all together
  std::int64_t shown = 0;  // that were kept
};
ModesScene read_modes(const std::vector<std::string>& folders, const SceneOptions& options = {});

}  // namespace sarrus
