#include "fuzz/target.hpp"
#include "sarrus/files/mesh/read_gmsh.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  may_refuse([&] {
    const GmshFile file = read_gmsh(as_file(bytes, "a.msh"), {});
    for (const SolidElement& e : file.mesh.elements)
      for (int i = 0; i < node_count(e.type); ++i)
        require(e.node[i] >= 0 && e.node[i] < static_cast<int>(file.mesh.nodes.size()),
                "a node that is not there");
    mesh_problems(file.mesh);
  });
}
