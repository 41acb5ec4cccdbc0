// Sections between $Name and $EndName.
//
//   $MeshFormat      version, 0 for text, bytes of a number
//   $PhysicalNames   count; dimension, tag, "name" each
//   $Entities        4.1: which physical groups each point, curve, surface and volume belongs to
//   $Nodes           2.2: count; tag x y z            4.1: blocks of tags, then of coordinates
//   $Elements        2.2: tag type (tags: physical …) nodes      4.1: blocks of one type and entity
//
// All others are passed over.
#include "sarrus/files/mesh/read_gmsh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "sarrus/files/mesh/mesh_text.hpp"

namespace sarrus {
namespace {

struct GmshType {
  int type, dimension, nodes;
  const char* name;
};

constexpr GmshType known_types[] = {
    {15, 0, 1, "point"},
    {1, 1, 2, "line of 2 nodes"},
    {8, 1, 3, "line of 3 nodes"},
    {2, 2, 3, "triangle of 3 nodes"},
    {9, 2, 6, "triangle of 6 nodes"},
    {3, 2, 4, "quadrangle of 4 nodes"},
    {16, 2, 8, "quadrangle of 8 nodes"},
    {10, 2, 9, "quadrangle of 9 nodes"},
    {4, 3, 4, "tetrahedron of 4 nodes"},
    {11, 3, 10, "tetrahedron of 10 nodes"},
    {5, 3, 8, "brick of 8 nodes"},
    {6, 3, 6, "prism of 6 nodes"},
    {7, 3, 5, "pyramid of 5 nodes"},
    {12, 3, 27, "brick of 27 nodes"},
    {13, 3, 18, "prism of 18 nodes"},
    {14, 3, 14, "pyramid of 14 nodes"},
    {17, 3, 20, "brick of 20 nodes"},
    {18, 3, 15, "prism of 15 nodes"},
    {19, 3, 13, "pyramid of 13 nodes"},
    {29, 3, 20, "tetrahedron of 20 nodes"},
};

using Group = std::pair<int, long long>;  // dimension and tag of a physical group or an entity

class GmshReader {
 public:
  explicit GmshReader(const MeshFile& file) : file_(file), words_(file) {}

  GmshFile read() {
    for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
      if (word[0] != '$') refuse(fmt::format("'{}' is outside all sections", mesh_word(word)));
      section_ = std::string(word.substr(1));
      if (version_ == 0 && section_ != "MeshFormat" && section_ != "Comments")
        refuse("a .msh file begins with $MeshFormat");
      if (section_ == "MeshFormat") read_format();
      if (section_ == "PhysicalNames") read_names();
      if (section_ == "Entities") read_entities();
      if (section_ == "Nodes") version_ == 4 ? read_nodes_4() : read_nodes_2();
      if (section_ == "Elements") version_ == 4 ? read_elements_4() : read_elements_2();
      finish_section();
    }
    if (version_ == 0)
      file_.refuse("bad-mesh", "is not a .msh file of gmsh", "save the mesh as .msh");
    return take();
  }

 private:
  [[noreturn]] void refuse(const std::string& message) {
    file_.refuse_line(words_.line(), message);
  }

  long long integer() { return words_.integer(inside()); }
  double number() { return words_.number(inside()); }
  /// The next word, which must not be the end of the section.
  std::string_view inside() {
    const std::string_view word = words_.next();
    if (word.empty()) refuse(fmt::format("the file ends within ${}", section_));
    if (word[0] == '$') refuse(fmt::format("${} ends before all that it announces", section_));
    return word;
  }
  long long count(const char* what) {
    const long long n = integer();
    if (n < 0 || n > static_cast<long long>(file_.bytes.size()))
      refuse(fmt::format("{} {} do not fit into a file of {} bytes", n, what, file_.bytes.size()));
    return n;
  }

  void finish_section() {
    const std::string end = "$End" + section_;
    for (std::string_view word = words_.next(); word != end; word = words_.next()) {
      if (word.empty()) refuse(fmt::format("the file ends within ${}", section_));
      words_.skip_line();
    }
  }

  void read_format() {
    const double version = number();
    const bool binary = integer() != 0;
    const auto unreadable = [&](const std::string& what) {
      file_.refuse("mesh-format", fmt::format("line {}: {}", words_.line(), what),
                   "save it as .msh of version 4.1, as text (gmsh -format msh41 -bin 0)");
    };
    if (version != 4.1 && version != 2.2)
      unreadable(fmt::format("version {} is not supported, only 4.1 and 2.2 are", version));
    if (binary) unreadable("a binary .msh file");
    version_ = version > 4 ? 4 : 2;
  }

  void read_names() {
    for (long long n = count("names"); n > 0; --n) {
      const int dimension = static_cast<int>(integer());
      const long long tag = integer();
      std::string_view name = words_.rest();
      if (name.size() < 2 || name.front() != '"' || name.back() != '"')
        refuse(fmt::format("the name {} of a physical group has no quotes", mesh_word(name)));
      name = name.substr(1, name.size() - 2);
      names_[{dimension, tag}] = std::string(name);
    }
  }

  void read_entities() {
    long long counts[4];
    for (long long& n : counts) n = count("entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      for (long long i = 0; i < counts[dimension]; ++i) {
        const long long tag = integer();
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) number();  // the box around it
        for (long long n = count("groups"); n > 0; --n)
          physical_[{dimension, tag}].push_back(std::abs(integer()));
        if (dimension > 0)
          for (long long n = count("bounds"); n > 0; --n) integer();
      }
  }

  void add_node(long long tag, const Vec3& x) {
    if (!index_.emplace(tag, static_cast<int>(mesh_.nodes.size())).second)
      refuse(fmt::format("node {} is given twice", tag));
    mesh_.nodes.push_back(x);
    mesh_.tags.push_back(tag);
  }

  Vec3 position() {
    const double x = number(), y = number();
    return {x, y, number()};
  }

  void read_nodes_2() {
    for (long long n = count("nodes"); n > 0; --n) {
      const long long tag = integer();
      add_node(tag, position());
    }
  }

  void read_nodes_4() {
    long long blocks = count("blocks");
    for (int i = 0; i < 3; ++i) integer();
    for (; blocks > 0; --blocks) {
      const long long dimension = integer();
      integer();
      const bool parametric = integer() != 0;
      std::vector<long long> tags(count("nodes"));
      for (long long& tag : tags) tag = integer();
      for (const long long tag : tags) {
        add_node(tag, position());
        for (long long k = 0; parametric && k < dimension; ++k) number();
      }
    }
  }

  void read_elements_2() {
    for (long long n = count("elements"); n > 0; --n) {
      const long long tag = integer(), type = integer();
      const long long tags = count("tags");
      std::vector<long long> groups;
      for (long long k = 0; k < tags; ++k) {
        const long long group = integer();
        if (k == 0 && group != 0) groups.push_back(std::abs(group));
      }
      add_element(tag, type_of(tag, type), groups);
    }
  }

  void read_elements_4() {
    long long blocks = count("blocks");
    for (int i = 0; i < 3; ++i) integer();
    for (; blocks > 0; --blocks) {
      const int dimension = static_cast<int>(integer());
      const long long entity = integer(), type = integer();
      const std::vector<long long>& groups = physical_[{dimension, entity}];
      for (long long n = count("elements"); n > 0; --n) {
        const long long tag = integer();
        add_element(tag, type_of(tag, type), groups);
      }
    }
  }

  const GmshType& type_of(long long tag, long long type) {
    for (const GmshType& t : known_types)
      if (t.type == type) return t;
    file_.refuse("mesh-element",
                 fmt::format("line {}: element {} is of gmsh's type {}, which is not supported",
                             words_.line(), tag, type),
                 "tetrahedra of 4 or 10 nodes and bricks of 8 are supported");
  }

  void add_element(long long tag, const GmshType& type, const std::vector<long long>& groups) {
    SolidElement e;
    e.tag = tag;
    if (type.dimension == 3 && type.type != 4 && type.type != 11 && type.type != 5)
      file_.refuse(
          "mesh-element", fmt::format("line {}: element {} is a {}", words_.line(), tag, type.name),
          "tetrahedra of 4 or 10 nodes and bricks of 8 are supported; in gmsh: order 1 or 2, "
          "without transfinite prisms");
    std::array<int, 27> node{};
    for (int i = 0; i < type.nodes; ++i) {
      const long long of = integer();
      const auto found = index_.find(of);
      if (found == index_.end())
        refuse(fmt::format("element {} names node {}, which is not in the file", tag, of));
      node[i] = found->second;
    }
    for (const long long g : groups)
      for (int i = 0; i < type.nodes; ++i) members_[{type.dimension, g}].insert(node[i]);
    if (type.dimension < 3) return;
    e.type = type.type == 4    ? SolidElementType::tet4
             : type.type == 11 ? SolidElementType::tet10
                               : SolidElementType::hex8;
    std::copy_n(node.begin(), type.nodes, e.node.begin());
    mesh_.elements.push_back(e);
  }

  /// Leaves out what no element has: gmsh also writes centres of arcs and the like.
  GmshFile take() {
    GmshFile out;
    std::vector<int> kept(mesh_.nodes.size(), -1);
    for (const SolidElement& e : mesh_.elements)
      for (int i = 0; i < node_count(e.type); ++i) kept[e.node[i]] = 0;
    for (size_t i = 0; i < kept.size(); ++i) {
      if (kept[i] < 0) {
        out.loose.push_back(mesh_.tags[i]);
        continue;
      }
      kept[i] = static_cast<int>(out.mesh.nodes.size());
      out.mesh.nodes.push_back(mesh_.nodes[i]);
      out.mesh.tags.push_back(mesh_.tags[i]);
    }
    for (SolidElement& e : mesh_.elements)
      for (int i = 0; i < node_count(e.type); ++i) {
        int& node = e.node[i];
        node = kept[node];
      }
    out.mesh.elements = std::move(mesh_.elements);
    std::map<std::string, std::set<int>> groups;
    for (const auto& [group, name] : names_) groups[name];
    for (const auto& [group, nodes] : members_) {
      const auto name = names_.find(group);
      std::set<int>& to =
          groups[name == names_.end() ? std::to_string(group.second) : name->second];
      for (const int i : nodes)
        if (kept[i] >= 0) to.insert(kept[i]);
    }
    for (const auto& [name, nodes] : groups)
      out.mesh.groups.push_back({name, {nodes.begin(), nodes.end()}});
    out.mesh.file = file_.path;
    return out;
  }

  const MeshFile& file_;
  Words words_;
  std::string section_;
  int version_ = 0;
  SolidMesh mesh_;
  std::unordered_map<long long, int> index_;
  std::map<Group, std::string> names_;
  std::map<Group, std::vector<long long>> physical_;  // of entities
  std::map<Group, std::set<int>> members_;            // nodes of physical groups
};

}  // namespace

GmshFile read_gmsh(const std::string& path, const Place& asked_at) {
  MeshFile file{path, asked_at, {}};
  if (!path.ends_with(".msh"))
    file.refuse("mesh-format", "is not a .msh file",
                "save the mesh with gmsh, as .msh of version 4.1");
  load_mesh_file(file, "name a .msh file");
  return GmshReader(file).read();
}

}  // namespace sarrus
