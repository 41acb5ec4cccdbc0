#include "sarrus/files/mesh/mesh_text.hpp"

#include <filesystem>
#include <fstream>

#include "sarrus/files/mesh/read_mesh.hpp"

namespace sarrus {

std::string mesh_word(std::string_view token) {
  std::string out;
  for (const char c : token.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
  return token.size() > 40 ? out + "…" : out;
}

void load_mesh_file(MeshFile& file, const std::string& kinds) {
  std::error_code fault;
  const auto status = std::filesystem::status(file.path, fault);
  if (!std::filesystem::exists(status))
    file.refuse("missing-mesh",
                fault && fault != std::errc::no_such_file_or_directory ? fault.message()
                                                                       : "there is no such file",
                "check the path; it is relative to the model's folder");
  if (!std::filesystem::is_regular_file(status))
    file.refuse("missing-mesh", "is not a file", kinds);
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

}  // namespace sarrus
