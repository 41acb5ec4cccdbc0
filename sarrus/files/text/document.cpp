#include "sarrus/files/text/document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sarrus/files/text/check_text.hpp"

namespace sarrus {

const Node* Node::child(std::string_view name) const {
  for (const Node& c : children)
    if (c.key == name) return &c;
  return nullptr;
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case NodeKind::table: return "a table";
    case NodeKind::list: return fmt::format("a list of {}", node.children.size());
    case NodeKind::text: return fmt::format("the text \"{}\"", shown(node.text));
    case NodeKind::number: return fmt::format("the number {}", shown(node.text));
    case NodeKind::boolean: return node.text;
    case NodeKind::other: return shown(node.text);
  }
  return "nothing";
}

std::string shown(std::string_view text, size_t longest) {
  // a cut never splits a character of several bytes
  size_t end = std::min(text.size(), longest);
  if (end < text.size())
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  std::string out;
  for (const char c : text.substr(0, end)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return end < text.size() ? out + "…" : out;
}

Document read_document(std::string_view text, const std::string& file, Format format) {
  text = check_text(text, file, format);
  return format == Format::json ? read_json(text, file) : read_toml(text, file);
}

}  // namespace sarrus
