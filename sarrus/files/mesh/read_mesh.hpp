// Reads triangle meshes: STL, binary and ASCII, and Wavefront OBJ.
#pragma once

#include <string>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/model/shape.hpp"

namespace sarrus {

inline constexpr long long mesh_bytes_limit = 200'000'000;
inline constexpr long long mesh_triangles_limit = 10'000'000;

/// The triangles of an .stl or .obj file, in the file's own numbers (not scaled). Vertices with
/// equal coordinates become one, so that triangles that touch share them.
///
/// Throws Error(Fault::model), placed at `asked_at` (where the model names the file), whose message
/// says the mesh file and its line or byte. The caller decides which folders a path may reach.
Mesh read_mesh(const std::string& path, const Place& asked_at);

}  // namespace sarrus
