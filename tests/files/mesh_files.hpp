// Writes meshes as files, in each grammar that read_mesh knows, into a folder that goes away.
#pragma once

#include <fmt/format.h>
#include <stdlib.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "sarrus/model/shape.hpp"

namespace sarrus {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sarrus-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;

  /// The path of a new file with this content.
  std::string file(const std::string& name, const std::string& content) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline void append_u32(std::string& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> 8 * i);
}

/// float32, so that coordinates lose digits unless they are short binary fractions.
inline std::string stl_binary(const Mesh& m, std::string header = "a mesh") {
  header.resize(80, ' ');
  append_u32(header, static_cast<std::uint32_t>(m.triangles.size()));
  for (const Triangle& t : m.triangles) {
    header.append(12, '\0');  // a normal nobody computed
    for (const int i : {t.a, t.b, t.c})
      for (int k = 0; k < 3; ++k)
        append_u32(header, std::bit_cast<std::uint32_t>(static_cast<float>(m.vertices[i][k])));
    header.append(2, '\0');
  }
  return header;
}

inline std::string stl_ascii(const Mesh& m) {
  std::string out = "solid part of a test\n";
  for (const Triangle& t : m.triangles) {
    out += "  facet normal 0 0 0\n    outer loop\n";
    for (const int i : {t.a, t.b, t.c}) {
      const Vec3& v = m.vertices[i];
      out += fmt::format("      vertex {} {} {:e}\n", v.x, v.y, v.z);
    }
    out += "    endloop\n  endfacet\n";
  }
  return out + "endsolid part of a test\n";
}

inline std::string obj(const Mesh& m) {
  std::string out = "# a mesh\no part\n";
  for (const Vec3& v : m.vertices) out += fmt::format("v {} {} {}\n", v.x, v.y, v.z);
  out += "vn 0 0 1\ns off\n";
  for (const Triangle& t : m.triangles)
    out += fmt::format("f {}//1 {}//1 {}//1\n", t.a + 1, t.b + 1, t.c + 1);
  return out;
}

}  // namespace sarrus
