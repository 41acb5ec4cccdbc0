// STL, as text and binary, and OBJ: the first byte chooses.
#include "fuzz/target.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  if (bytes.empty()) return;
  const char* name = bytes.front() == 'o' ? "a.obj" : "a.stl";
  may_refuse([&] {
    const Mesh mesh = read_mesh(as_file(bytes.substr(1), name), {});
    const int count = static_cast<int>(mesh.vertices.size());
    for (const Triangle& t : mesh.triangles)
      for (const int v : {t.a, t.b, t.c})
        require(v >= 0 && v < count, "a vertex that is not there");
    is_closed(mesh);
  });
}
