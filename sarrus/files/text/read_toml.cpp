// TOML through toml++, the only file that includes it. It is compiled with NDEBUG in every build:
// an assertion of the library's debug build fires on some malformed texts that its release build
// refuses.
#undef TOML_SHARED_LIB
#undef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "sarrus/files/text/document.hpp"
#include "sarrus/files/text/toml_lines.hpp"

namespace sarrus {
namespace {

/// Builds nodes from toml++'s tree; the texts of numbers come from the file itself.
class Builder {
 public:
  explicit Builder(std::string_view text) : lines_(text) {}

  Node node(const toml::node& from) {
    Node to;
    to.line = static_cast<int>(from.source().begin.line);
    to.column = static_cast<int>(from.source().begin.column);
    if (const toml::table* table = from.as_table()) {
      to.kind = NodeKind::table;
      fill(to, *table);
    } else if (const toml::array* list = from.as_array()) {
      to.kind = NodeKind::list;
      to.children.reserve(list->size());
      for (const toml::node& entry : *list) to.children.push_back(node(entry));
    } else if (const auto* text = from.as_string()) {
      to.kind = NodeKind::text;
      to.text = text->get();
    } else {
      to.kind = from.is_number()    ? NodeKind::number
                : from.is_boolean() ? NodeKind::boolean
                                    : NodeKind::other;
      to.text = lines_.token(to.line, to.column);
    }
    return to;
  }

 private:
  void fill(Node& to, const toml::table& table) {
    to.children.reserve(table.size());
    for (const auto& [key, value] : table) {
      Node child = node(value);
      child.key = std::string(key.str());
      child.key_line = static_cast<int>(key.source().begin.line);
      child.key_column = static_cast<int>(key.source().begin.column);
      to.children.push_back(std::move(child));
    }
    // toml++ sorts by name; people read by line
    std::sort(to.children.begin(), to.children.end(), [](const Node& a, const Node& b) {
      return std::pair(a.key_line, a.key_column) < std::pair(b.key_line, b.key_column);
    });
  }

  TomlLines lines_;
};

/// What the parser says, with the text that was found, and for a doubled key the place of the
/// first.
[[noreturn]] void refuse(std::string_view text, const std::string& file,
                         const toml::parse_error& e) {
  const int line = static_cast<int>(e.source().begin.line);
  const int column = static_cast<int>(e.source().begin.column);
  const Place where{file, line, column};
  std::string said(e.description());
  if (said.starts_with("Error while parsing ")) said = "cannot read " + said.substr(20);
  TomlLines lines(text);

  if (said.find("redefine") != std::string::npos) {
    const TomlLines::Doubled doubled = lines.first_of_doubled(line);
    throw Error(Fault::model,
                {.code = "doubled-key",
                 .where = where,
                 .element = doubled.key,
                 .message = fmt::format("'{}' is given on line {} and again on line {}",
                                        shown(doubled.key), doubled.first_line, line),
                 .hint = "keep one of them"});
  }
  const std::string found = lines.value_text(line);
  throw Error(Fault::model,
              {.code = "syntax",
               .where = where,
               .message = fmt::format("{}; found: {}", shown(said, 200), shown(found)),
               .hint = value_hint(found),
               .value = found});
}

}  // namespace

Document read_toml(std::string_view text, const std::string& file) {
  const toml::parse_result result = toml::parse(text);
  if (!result) refuse(text, file, result.error());
  return {file, Builder(text).node(result.table())};
}

}  // namespace sarrus
