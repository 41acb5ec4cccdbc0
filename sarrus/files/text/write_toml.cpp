#include "sarrus/files/text/write_toml.hpp"

#include <fmt/format.h>

namespace sarrus {
namespace {

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string toml_key(const std::string& key) {
  const bool bare =
      !key.empty() &&
      key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
          std::string::npos;
  return bare ? key : toml_text(key);
}

}  // namespace

std::string toml_value(const Node& node) {
  std::string out;
  switch (node.kind) {
    case NodeKind::table:
      for (const Node& c : node.children)
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", toml_key(c.key), toml_value(c));
      return "{ " + out + " }";
    case NodeKind::list:
      for (const Node& c : node.children) out += (out.empty() ? "" : ", ") + toml_value(c);
      return "[" + out + "]";
    case NodeKind::text: return toml_text(node.text);
    default: return node.text;
  }
}

std::string toml_line(const Node& node) {
  const bool tall = node.kind == NodeKind::list && !node.children.empty() &&
                    node.children[0].kind == NodeKind::table;
  if (!tall) return fmt::format("{} = {}\n", toml_key(node.key), toml_value(node));
  std::string out = toml_key(node.key) + " = [\n";
  for (const Node& c : node.children) out += "  " + toml_value(c) + ",\n";
  return out + "]\n";
}

}  // namespace sarrus
