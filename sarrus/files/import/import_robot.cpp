#include "sarrus/files/import/import_robot.hpp"

#include <fmt/format.h>

#include "sarrus/files/import/mjcf.hpp"
#include "sarrus/files/import/sdf.hpp"
#include "sarrus/files/import/urdf.hpp"
#include "sarrus/files/import/xml.hpp"

namespace sarrus {

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

Imported import_robot(std::string_view text, const std::string& file,
                      const ImportOptions& options) {
  XmlElement root = read_xml(text, file);
  if (root.name == "robot") return import_urdf(root, file, options);
  if (root.name == "sdf") return import_sdf(root, file, options);
  if (root.name == "mujoco") return import_mjcf(std::move(root), file, options);
  throw Error(Fault::model, {.code = "not-a-model",
                             .where = root.place(),
                             .message = fmt::format(
                                 "the first element is <{}>, none of <robot>, <mujoco> and <sdf>",
                                 shown(root.name)),
                             .hint = "robots are read from URDF, MJCF and SDF"});
}

}  // namespace sarrus
