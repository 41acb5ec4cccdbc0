// The mechanism in motion as binary glTF 2.0 (.glb), for other programs: one node for each body,
// its shapes below it, and one animation that moves them.
//
// glTF has y up; a node above all others turns the world so that what is up here is up there.
#pragma once

#include <string>

#include "sarrus/results/export_selection.hpp"
#include "sarrus/show/scene.hpp"

namespace sarrus {

/// The bytes of the file. Throws Error(Fault::io) where the result has no model to draw.
std::string gltf_bytes(const Scene& scene);

/// Exports a result to a file that appears complete or not at all. `every` thins the rows.
ExportReport export_gltf(const std::string& result, const std::string& path, std::int64_t every = 1,
                         bool replace = false);

}  // namespace sarrus
