// Three grammars, one Mesh.
//
//   STL, binary   80 bytes of anything, uint32 n, then n × (normal, 3 vertices: 12 float32; uint16)
//   STL, ASCII    solid NAME { facet normal i j k outer loop { vertex x y z }×3 endloop endfacet }
//                 endsolid NAME
//   OBJ           v x y z […]; f a b c […] with a = v, v/vt, v//vn or v/vt/vn, counted from 1, or
//                 from −1 backwards; a polygon becomes a fan about its first corner
//
// All little endian. Normals are not used: the order of the corners says which side is outside.
// Numbers go through from_chars, so that no locale changes them.
#include "sarrus/files/mesh/read_mesh.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sarrus/core/ascii.hpp"
#include "sarrus/files/mesh/mesh_text.hpp"

namespace sarrus {
namespace {

/// Collects triangles; equal coordinates become one vertex.
class MeshBuilder {
 public:
  explicit MeshBuilder(const MeshFile& file) : file_(file) {}

  int vertex(const Vec3& v) {
    const Vec3 x{v.x + 0.0, v.y + 0.0, v.z + 0.0};  // −0 becomes 0
    const auto [found, is_new] =
        index_.try_emplace(Key{x}, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(x);
    return found->second;
  }

  void triangle(int a, int b, int c) {
    if (static_cast<long long>(mesh_.triangles.size()) >= mesh_triangles_limit)
      file_.refuse("mesh-too-large", fmt::format("more than {} triangles", mesh_triangles_limit),
                   "use a coarser mesh");
    mesh_.triangles.push_back({a, b, c});
  }

  Mesh take() {
    if (mesh_.triangles.empty())
      file_.refuse("empty-mesh", "holds no triangles", "export the surface as triangles");
    return std::move(mesh_);
  }

 private:
  struct Key {
    Vec3 v;
    bool operator==(const Key& o) const { return v.x == o.v.x && v.y == o.v.y && v.z == o.v.z; }
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::uint64_t h = 0;
      for (const double d : {k.v.x, k.v.y, k.v.z}) {
        h = (h ^ std::bit_cast<std::uint64_t>(d)) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
      }
      return h;
    }
  };

  const MeshFile& file_;
  Mesh mesh_;
  std::unordered_map<Key, int, Hash> index_;
};

// ---- STL
// ------------------------------------------------------------------------------------------

constexpr std::size_t header_bytes = 84, facet_bytes = 50;

std::uint32_t read_u32(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

Mesh read_stl_binary(const MeshFile& file) {
  const std::size_t size = file.bytes.size();
  if (size < header_bytes)
    file.refuse("bad-mesh",
                fmt::format("byte {}: ends within the {} bytes that open a binary STL, and is no "
                            "ASCII STL, which begins with 'solid'",
                            size, header_bytes),
                "export the mesh again");
  const std::uint32_t n = read_u32(file.bytes, header_bytes - 4);
  if (header_bytes + n * facet_bytes != size)
    file.refuse("bad-mesh",
                fmt::format("byte {}: the header promises {} triangles, {} bytes in all, but the "
                            "file has {}",
                            header_bytes - 4, n, header_bytes + n * facet_bytes, size),
                "the file is cut or is not an STL; export the mesh again");

  MeshBuilder build(file);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::size_t corners = header_bytes + i * facet_bytes + 12;  // behind the normal
    int corner[3];
    for (int k = 0; k < 3; ++k) {
      double x[3];
      for (int axis = 0; axis < 3; ++axis) {
        const std::size_t at = corners + 12 * k + 4 * axis;
        x[axis] = std::bit_cast<float>(read_u32(file.bytes, at));
        if (!std::isfinite(x[axis]))
          file.refuse("bad-mesh",
                      fmt::format("byte {}: a coordinate of triangle {} is not finite", at, i + 1),
                      "export the mesh again");
      }
      corner[k] = build.vertex({x[0], x[1], x[2]});
    }
    build.triangle(corner[0], corner[1], corner[2]);
  }
  return build.take();
}

Mesh read_stl_ascii(const MeshFile& file) {
  MeshBuilder build(file);
  Words words(file);
  const auto expect = [&](std::string_view due) {
    const std::string_view word = words.next();
    if (lower(word) != due)
      file.refuse_line(words.line(),
                       word.empty()
                           ? fmt::format("the file ends where '{}' is expected", due)
                           : fmt::format("'{}' where '{}' is expected", mesh_word(word), due));
  };
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (lower(word) != "solid")
      file.refuse_line(words.line(),
                       fmt::format("'{}' where 'solid' is expected", mesh_word(word)));
    words.skip_line();  // the rest is its name
    for (word = words.next(); lower(word) == "facet"; word = words.next()) {
      expect("normal");
      for (int i = 0; i < 3; ++i) words.next();
      expect("outer");
      expect("loop");
      int corner[3];
      for (int& c : corner) {
        expect("vertex");
        const double x = words.number(words.in_line()), y = words.number(words.in_line());
        c = build.vertex({x, y, words.number(words.in_line())});
      }
      expect("endloop");
      expect("endfacet");
      build.triangle(corner[0], corner[1], corner[2]);
    }
    if (lower(word) != "endsolid")
      file.refuse_line(words.line(),
                       word.empty() ? "the file ends where 'endsolid' is expected"
                                    : fmt::format("'{}' where 'facet' or 'endsolid' is expected",
                                                  mesh_word(word)));
    words.skip_line();
  }
  return build.take();
}

/// A binary file may begin with "solid" too: its length then fits its count, or it holds NULs.
Mesh read_stl(const MeshFile& file) {
  const std::string& b = file.bytes;
  const std::size_t first = b.find_first_not_of(" \t\r\n");
  const bool says_solid = first != std::string::npos && lower(b.substr(first, 5)) == "solid";
  const bool length_fits = b.size() >= header_bytes &&
                           header_bytes + read_u32(b, header_bytes - 4) * facet_bytes == b.size();
  const bool has_nul = b.find('\0') != std::string::npos;
  return says_solid && !length_fits && !has_nul ? read_stl_ascii(file) : read_stl_binary(file);
}

// ---- OBJ
// ------------------------------------------------------------------------------------------

/// Lines that say nothing about the surface's shape.
bool is_decoration(std::string_view word) {
  for (const std::string_view known :
       {"vt", "vn", "vp", "g", "o", "s", "mg", "l", "p", "usemtl", "mtllib", "usemap", "maplib",
        "bevel", "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj"})
    if (word == known) return true;
  return false;
}

/// The vertex that a corner such as 7, 7/1, 7//3, 7/1/3 or -1 names, counted from 0.
int corner_vertex(const MeshFile& file, const Words& words, std::string_view corner, int count) {
  int index[3] = {0, 0, 0};
  const char* at = corner.data();
  const char* const end = at + corner.size();
  for (int part = 0; part < 3; ++part) {
    const auto [stop, fault] = std::from_chars(at, end, index[part]);
    // only the texture between two slashes may be left out
    if (fault != std::errc{} && !(part == 1 && at < end && *at == '/'))
      file.refuse_line(words.line(),
                       fmt::format("'{}' is not a corner of a face", mesh_word(corner)));
    at = stop;
    if (at == end) break;
    if (*at != '/' || part == 2)
      file.refuse_line(words.line(),
                       fmt::format("'{}' is not a corner of a face", mesh_word(corner)));
    ++at;
  }
  const int v = index[0];
  if (v == 0) file.refuse_line(words.line(), "a face names vertex 0, but vertices count from 1");
  if (v > count || v < -count)
    file.refuse_line(words.line(),
                     fmt::format("a face names vertex {}, but {} stand before it", v, count));
  return v > 0 ? v - 1 : count + v;
}

Mesh read_obj(const MeshFile& file) {
  MeshBuilder build(file);
  Words words(file);
  std::vector<int> vertex;  // of the file's numbering, in the mesh
  std::vector<int> face;
  for (; !words.at_end(); words.skip_line()) {
    const std::string_view word = words.in_line();
    if (word == "v") {
      const double x = words.number(words.in_line()), y = words.number(words.in_line());
      vertex.push_back(build.vertex({x, y, words.number(words.in_line())}));
    } else if (word == "f") {
      face.clear();
      for (auto c = words.in_line(); !c.empty() && c[0] != '#'; c = words.in_line())
        face.push_back(vertex[corner_vertex(file, words, c, static_cast<int>(vertex.size()))]);
      if (face.size() < 3)
        file.refuse_line(words.line(), fmt::format("a face with {} corners", face.size()));
      for (std::size_t i = 2; i < face.size(); ++i) build.triangle(face[0], face[i - 1], face[i]);
    } else if (!word.empty() && word[0] != '#' && !is_decoration(word)) {
      file.refuse_line(words.line(),
                       fmt::format("'{}' begins no line of a polygon mesh", mesh_word(word)));
    }
  }
  return build.take();
}

// ---- any
// ------------------------------------------------------------------------------------------

}  // namespace

Mesh read_mesh(const std::string& path, const Place& asked_at) {
  MeshFile file{path, asked_at, {}};
  const std::string extension = lower(std::filesystem::path(path).extension().string());
  if (extension != ".stl" && extension != ".obj")
    file.refuse("mesh-format", fmt::format("'{}' is not a supported mesh format", extension),
                ".stl and .obj are read");
  load_mesh_file(file, "name an .stl or .obj file");
  return extension == ".stl" ? read_stl(file) : read_obj(file);
}

}  // namespace sarrus
