#include "sarrus/files/text/document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sarrus/files/text/check_text.hpp"
#include "sarrus/files/text/utf8.hpp"

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
  const std::string out = visible_line(text.substr(0, end));
  return end < text.size() ? out + "…" : out;
}

namespace {

/// Escapes such as \u202e put characters into texts that check_text() does not let through as such.
void check_escapes(const Document& document, const Node& node) {
  const auto check = [&](const std::string& text, const Place& where) {
    if (const char32_t c = first_unsafe(text); c != 0)
      throw Error(Fault::model,
                  {.code = is_deceptive(c) ? "deceptive-character" : "control-character",
                   .where = where,
                   .message = fmt::format("character U+{:04X}, written as an escape in \"{}\", {}",
                                          static_cast<unsigned>(c), shown(text),
                                          is_deceptive(c) ? "hides or reorders text"
                                                          : "is a command to a terminal, not text"),
                   .hint = "remove it",
                   .value = fmt::format("U+{:04X}", static_cast<unsigned>(c))});
  };
  check(node.key, document.key_place(node));
  if (node.kind == NodeKind::text) check(node.text, document.place(node));
  for (const Node& child : node.children) check_escapes(document, child);
}

}  // namespace

Document read_document(std::string_view text, const std::string& file, Format format) {
  text = check_text(text, file, format);
  Document document = format == Format::json ? read_json(text, file) : read_toml(text, file);
  check_escapes(document, document.root);
  return document;
}

}  // namespace sarrus
