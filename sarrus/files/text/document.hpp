// A model file as a tree of nodes, each with its place and, for scalars, the text as written.
//
// TOML and JSON fill the same tree, so that all that follows (names, numbers, limits, messages) is
// written once. Numbers stay text here: what counts as a number is decided by the model reader, not
// by a parser library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus {

enum class Format { toml, json };

/// Limits on what is read, so that a hostile file is refused before it costs time or memory.
struct TextLimits {
  static constexpr size_t file_bytes = 64u << 20;
  static constexpr size_t line_bytes = 4u << 20;
  static constexpr int nesting = 32;           // of brackets
  static constexpr int dots = 16;              // in one dotted key
  static constexpr size_t values = 2'000'000;  // some hundred thousand bodies
};

enum class NodeKind { table, list, text, number, boolean, other };

struct Node {
  NodeKind kind = NodeKind::other;
  int line = 0, column = 0;          // of the value; columns count characters from 1
  int key_line = 0, key_column = 0;  // of its key, in a table
  int file = 0;                      // 0: the document's own, n: the n-th of `more_files`
  std::string key;                   // in a table
  std::string text;                  // text: decoded; other scalars: as written
  std::vector<Node> children;        // of tables and lists, in the order of the file

  const Node* child(std::string_view name) const;
};

struct Document {
  std::string file;
  Node root;                                 // a table
  std::vector<std::string> more_files = {};  // of an imported model that includes others
  std::vector<Place> origins = {};           // of a text that a program made: of each of its lines

  const std::string& file_of(const Node& node) const {
    return node.file == 0 ? file : more_files[static_cast<size_t>(node.file) - 1];
  }
  Place place(const Node& node) const { return place(node, node.line, node.column); }
  Place key_place(const Node& node) const { return place(node, node.key_line, node.key_column); }

 private:
  Place place(const Node& node, int line, int column) const {
    const bool is_made = line > 0 && static_cast<size_t>(line) <= origins.size();
    return is_made ? origins[static_cast<size_t>(line) - 1] : Place{file_of(node), line, column};
  }
};

/// What a person would call the node: "the number 1.5", "a list of 3", "a table".
std::string describe(const Node& node);

/// Foreign text made safe for a message: one line, shortened to `longest` bytes, without characters
/// that hide text or control a terminal (visible_line).
std::string shown(std::string_view text, size_t longest = 60);

/// Reads TOML or JSON. Throws Error(Fault::model) with the place of the first fault.
Document read_document(std::string_view text, const std::string& file, Format format);

/// The parsers behind read_document; the text has passed check_text.
Document read_toml(std::string_view text, const std::string& file);
Document read_json(std::string_view text, const std::string& file);

}  // namespace sarrus
