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
#include "sarrus/io/read_mesh.hpp"

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

namespace sarrus {
namespace {

struct MeshFile {
  std::string path;
  Place asked_at;
  std::string bytes;

  [[noreturn]] void refuse(std::string code, const std::string& message, std::string hint) const {
    throw Error(Fault::model,
                {Severity::error, std::move(code), asked_at, "",
                 fmt::format("mesh file '{}': {}", path, message), std::move(hint), "", ""});
  }
  [[noreturn]] void refuse_line(int line, const std::string& message) const {
    refuse("bad-mesh", fmt::format("line {}: {}", line, message), "export the mesh again");
  }
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// What stands in a message for a token of a file that may be anything: short, printable.
std::string shown(std::string_view token) {
  std::string out;
  for (const char c : token.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
  return token.size() > 40 ? out + "…" : out;
}

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

/// Words of a text file, with the line they stand on.
class Words {
 public:
  explicit Words(const MeshFile& file) : file_(file), text_(file.bytes) {}

  int line() const { return line_; }
  bool at_end() const { return at_ >= text_.size(); }

  /// The next word of this line; empty at its end. A backslash before the end joins two lines.
  std::string_view in_line() {
    for (; !at_end(); ++at_) {
      if (text_[at_] == '\\' && continues()) continue;
      if (text_[at_] != ' ' && text_[at_] != '\t' && text_[at_] != '\r') break;
    }
    const std::size_t start = at_;
    while (!at_end() && !is_blank(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  /// Goes to the start of the next line.
  void skip_line() {
    while (!at_end() && text_[at_] != '\n') ++at_;
    if (!at_end()) ++at_, ++line_;
  }

  /// The next word on this line or a later one; empty at the end of the file.
  std::string_view next() {
    for (std::string_view word = in_line();; word = in_line()) {
      if (!word.empty() || at_end()) return word;
      skip_line();
    }
  }

  double number(std::string_view word) const {
    if (word.empty()) file_.refuse_line(line_, "a number is missing");
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    double value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault == std::errc::invalid_argument || end != digits.data() + digits.size())
      file_.refuse_line(line_, fmt::format("'{}' is not a number", shown(word)));
    if (fault != std::errc{} || !std::isfinite(value))
      file_.refuse_line(line_, fmt::format("the coordinate '{}' is not finite", shown(word)));
    return value;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  /// At a backslash: steps onto the end of the line if only that follows.
  bool continues() {
    std::size_t end = at_ + 1;
    if (end < text_.size() && text_[end] == '\r') ++end;
    if (end >= text_.size() || text_[end] != '\n') return false;
    at_ = end, ++line_;
    return true;
  }

  const MeshFile& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
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
      file.refuse_line(words.line(), word.empty()
                                         ? fmt::format("the file ends where '{}' is due", due)
                                         : fmt::format("'{}' where '{}' is due", shown(word), due));
  };
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (lower(word) != "solid")
      file.refuse_line(words.line(), fmt::format("'{}' where 'solid' is due", shown(word)));
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
      file.refuse_line(words.line(), word.empty() ? "the file ends where 'endsolid' is due"
                                                  : fmt::format("'{}' where 'facet' or 'endsolid' "
                                                                "is due",
                                                                shown(word)));
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
      file.refuse_line(words.line(), fmt::format("'{}' is not a corner of a face", shown(corner)));
    at = stop;
    if (at == end) break;
    if (*at != '/' || part == 2)
      file.refuse_line(words.line(), fmt::format("'{}' is not a corner of a face", shown(corner)));
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
                       fmt::format("'{}' begins no line of a polygon mesh", shown(word)));
    }
  }
  return build.take();
}

// ---- any
// ------------------------------------------------------------------------------------------

/// The whole file, where it is one and not too large.
void load(MeshFile& file) {
  std::error_code fault;
  const auto status = std::filesystem::status(file.path, fault);
  if (!std::filesystem::exists(status))
    file.refuse("missing-mesh",
                fault && fault != std::errc::no_such_file_or_directory ? fault.message()
                                                                       : "there is no such file",
                "check the path; it counts from the model's folder");
  if (!std::filesystem::is_regular_file(status))
    file.refuse("missing-mesh", "is not a file", "name an .stl or .obj file");
  const auto size = std::filesystem::file_size(file.path, fault);
  if (!fault && size > static_cast<std::uintmax_t>(mesh_bytes_limit))
    file.refuse("mesh-too-large", fmt::format("{} bytes, the limit is {}", size, mesh_bytes_limit),
                "use a coarser mesh");
  std::ifstream in(file.path, std::ios::binary);
  if (!fault && in) {
    file.bytes.resize(size);
    in.read(file.bytes.data(), static_cast<std::streamsize>(size));
  }
  if (fault || !in || in.gcount() != static_cast<std::streamsize>(size))
    file.refuse("missing-mesh", "cannot be read", "check its permissions");
  if (size == 0) file.refuse("empty-mesh", "is empty (byte 0)", "export the mesh again");
}

}  // namespace

Mesh read_mesh(const std::string& path, const Place& asked_at) {
  MeshFile file{path, asked_at, {}};
  const std::string extension = lower(std::filesystem::path(path).extension().string());
  if (extension != ".stl" && extension != ".obj")
    file.refuse("mesh-format", fmt::format("'{}' is not a mesh format known here", extension),
                ".stl and .obj are read");
  load(file);
  return extension == ".stl" ? read_stl(file) : read_obj(file);
}

}  // namespace sarrus
