#include "sarrus/files/text/locate.hpp"

#include <charconv>

namespace sarrus {
namespace {

/// The first piece of a path, which loses it. Names hold no /.
std::string_view next_piece(std::string_view& path) {
  const size_t slash = path.find('/');
  const std::string_view piece = path.substr(0, slash);
  path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  return piece;
}

/// "shape[2]" as "shape" and 2; 0 where there is no number.
int split_number(std::string_view& piece) {
  const size_t open = piece.find('[');
  if (open == std::string_view::npos) return 0;
  int number = 0;
  std::from_chars(piece.data() + open + 1, piece.data() + piece.size(), number);
  piece = piece.substr(0, open);
  return number;
}

/// The element of a list in one file whose name, with the prefix, is the wanted one.
const Node* named(const Node& list, const std::string& prefix, std::string_view wanted) {
  if (!wanted.starts_with(prefix)) return nullptr;
  wanted.remove_prefix(prefix.size());
  for (const Node& element : list.children)
    if (const Node* name = element.child("name"); name && name->text == wanted) return &element;
  return nullptr;
}

/// Follows the remaining keys as far as they are written.
const Node* deepest(const Node* node, std::string_view path) {
  while (!path.empty()) {
    std::string_view key = next_piece(path);
    const int number = split_number(key);
    const Node* child = node->child(key);
    // validate() counts shapes; the file says `shape` for one and `shapes` for several
    if (!child && key == "shape") child = node->child("shapes");
    if (!child) return node;
    node = child;
    if (child->kind == NodeKind::list && number > 0 &&
        number <= static_cast<int>(child->children.size()))
      node = &child->children[number - 1];
  }
  return node;
}

}  // namespace

std::string element_head(std::string_view path) {
  const size_t first = path.find('/');
  if (first == std::string_view::npos) return std::string(path);
  return std::string(path.substr(0, path.find('/', first + 1)));
}

Place locate(const std::vector<ModelPart>& parts, std::string_view path) {
  std::string_view rest = path;
  const std::string_view kind = next_piece(rest);
  if (kind.empty()) return {};
  for (const ModelPart& part : parts) {
    const Node* list = part.document->root.child(kind);
    if (!list) continue;
    if (list->kind != NodeKind::list || kind == "gravity")
      return part.document->place(*deepest(list, rest));
    std::string_view remaining = rest;
    if (const Node* element = named(*list, part.prefix, next_piece(remaining)))
      return part.document->place(*deepest(element, remaining));
  }
  return {};
}

}  // namespace sarrus
