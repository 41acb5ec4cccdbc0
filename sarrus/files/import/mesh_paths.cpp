#include "sarrus/files/import/mesh_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sarrus/files/import/xml.hpp"
#include "sarrus/files/text/document.hpp"

namespace sarrus {
namespace {

namespace fs = std::filesystem;

constexpr size_t package_bytes = 1u << 20;
constexpr int highest = 8;  // folders above the file in which its package is sought

/// What a package.xml calls its package; "" where it cannot be read.
std::string package_name(const fs::path& file) {
  try {
    const XmlElement root = read_xml(read_input_text(file.string(), package_bytes), file.string());
    const XmlElement* name = root.child("name");
    return name ? name->text : "";
  } catch (const Error&) {
    return "";
  }
}

bool is_plain(const std::string& name) { return !name.empty() && name != ".." && name != "."; }

}  // namespace

MeshPaths::MeshPaths(const std::string& file, AllowedRoots roots, const std::string& destination)
    : folder_(fs::path(file).parent_path().string()),
      destination_(destination),
      roots_(std::move(roots)) {
  if (file.empty()) return;
  std::error_code problem;
  fs::path above = fs::weakly_canonical(fs::absolute(folder_.empty() ? "." : folder_), problem);
  for (int i = 0; i < highest && !problem && above.has_relative_path();
       ++i, above = above.parent_path()) {
    std::error_code absent;
    if (!fs::is_regular_file(above / "package.xml", absent)) continue;
    package_folder_ = above.string();
    package_name_ = package_name(above / "package.xml");
    roots_.others.push_back(package_folder_);
    return;
  }
}

/// A mesh inside the folder of the destination stays; another becomes a copy NAME_meshes/mesh.stl.
std::string MeshPaths::at_destination(const std::string& path) {
  std::error_code problem;
  const fs::path real = fs::weakly_canonical(fs::absolute(path), problem);
  const fs::path home = fs::weakly_canonical(fs::absolute(destination_), problem).parent_path();
  const fs::path inside = real.lexically_relative(home);
  if (!inside.empty() && *inside.begin() != "..") return inside.generic_string();
  const std::string folder = fs::path(destination_).stem().string() + "_meshes";
  for (int i = 1;; ++i) {
    const std::string name =
        real.stem().string() + (i == 1 ? "" : fmt::format("_{}", i)) + real.extension().string();
    const std::string to = (fs::path(destination_).parent_path() / folder / name).string();
    const auto same =
        std::find_if(copies_.begin(), copies_.end(), [&](const auto& c) { return c.second == to; });
    if (same != copies_.end() && same->first != path) continue;
    if (same == copies_.end()) copies_.emplace_back(path, to);
    return folder + "/" + name;
  }
}

MeshPaths::Found MeshPaths::find(const std::string& written) {
  std::string ending = fs::path(written).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj")
    return {"",
            fmt::format("meshes of the kind '{}' are not read, STL and OBJ are", shown(ending))};

  std::error_code problem;
  const fs::path here =
      fs::weakly_canonical(fs::absolute(folder_.empty() ? "." : folder_), problem);
  // as written, relative to the robot's folder
  std::vector<std::string> tries;
  const auto relative = [&](const fs::path& target) {
    tries.push_back(target.lexically_normal().lexically_relative(here).generic_string());
  };
  for (const std::string scheme : {"package://", "model://"}) {
    if (!written.starts_with(scheme)) continue;
    const std::string inside = written.substr(scheme.size());
    const size_t slash = inside.find('/');
    if (slash == std::string::npos) return {"", "a path that names a package and no file in it"};
    const std::string package = inside.substr(0, slash), rest = inside.substr(slash + 1);
    if (!is_plain(package)) return {"", fmt::format("no package is called '{}'", shown(package))};
    if (!package_folder_.empty() &&
        (package == package_name_ || package == fs::path(package_folder_).filename()))
      relative(fs::path(package_folder_) / rest);
    for (const std::string& root : roots_.others) {
      const fs::path at = fs::weakly_canonical(fs::absolute(root), problem);
      relative(at / package / rest);
      if (at.filename() == package) relative(at / rest);
    }
    if (tries.empty())
      return {"", fmt::format(
                      "the package '{}' is not found; --allow FOLDER names the folder it lies in",
                      shown(package))};
  }
  if (written.starts_with("file://")) relative(fs::path(written.substr(7)));
  if (tries.empty()) tries.push_back(written);
  std::string why;
  for (const std::string& path : tries) {
    const ResolvedPath found = resolve_path(path, folder_, roots_);
    if (found.problem.empty())
      return {destination_.empty() ? path : at_destination(found.path), ""};
    if (why.empty()) why = found.problem;
  }
  return {"", why};
}

}  // namespace sarrus
