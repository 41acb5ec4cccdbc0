// JSON through the SAX parser of nlohmann::json, with the same data model as TOML:
//
//   {"sarrus": 1, "body": [{"name": "a", "mass": 1}]}   is   sarrus = 1, [[body]] name = "a" …
//
// The parser reads through an iterator that shares its position; since every token starts at the
// first character after the previous one that is neither blank nor , nor :, each node gets an exact
// place and each number its text as written.
#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "sarrus/files/text/document.hpp"

namespace sarrus {
namespace {

/// An input iterator whose copies share one position.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char** at;
  reference operator*() const { return **at; }
  Cursor& operator++() { return ++*at, *this; }
  void operator++(int) { ++*at; }
  friend bool operator==(const Cursor& a, const Cursor& b) { return *a.at == *b.at; }
  friend bool operator!=(const Cursor& a, const Cursor& b) { return !(a == b); }
};

class Handler {
 public:
  using json = nlohmann::json;

  Handler(std::string_view text, const char** at, const std::string& file)
      : text_(text), at_(at), file_(file) {}

  bool null() { return scalar(NodeKind::other, 4); }
  bool boolean(bool value) { return scalar(NodeKind::boolean, value ? 4 : 5); }
  bool number_integer(json::number_integer_t) { return number(); }
  bool number_unsigned(json::number_unsigned_t) { return number(); }
  bool number_float(json::number_float_t, const std::string&) { return number(); }
  bool string(std::string& value) {
    Node& n = next(NodeKind::text);
    n.text = std::move(value);
    end_ = position();
    return true;
  }
  bool binary(json::binary_t&) { return false; }

  bool start_object(size_t) { return open(NodeKind::table); }
  bool start_array(size_t) { return open(NodeKind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    to_token();
    const Place here = place();
    const auto [first, is_new] = open_.back().keys.emplace(name, here.line);
    if (!is_new)
      throw Error(Fault::model,
                  {.code = "doubled-key",
                   .where = here,
                   .element = shown(name),
                   .message = fmt::format("'{}' is given on line {} and again on line {}",
                                          shown(name), first->second, here.line),
                   .hint = "keep one of them"});
    key_ = std::move(name), key_place_ = here;
    end_ = position();
    return true;
  }

  bool parse_error(size_t, const std::string& token, const json::exception& e) {
    const size_t at = std::min(position(), text_.size());
    move_to(at > 0 ? at - 1 : 0);
    std::string said = e.what();
    if (const size_t colon = said.find(": "); colon != std::string::npos)
      said = said.substr(colon + 2);
    const bool overflow = e.id == 406;
    throw Error(Fault::model,
                {.code = overflow ? "not-finite" : "syntax",
                 .where = place(),
                 .message = overflow ? fmt::format("{} is not a finite number", shown(token))
                                     : shown(said, 200),
                 .value = shown(token)});
  }

  Node take() { return std::move(root_); }

 private:
  struct Open {
    Node node;
    std::unordered_map<std::string, int> keys;  // line of each
  };

  size_t position() const { return static_cast<size_t>(*at_ - text_.data()); }
  Place place() const { return {file_, line_, column_}; }

  /// Moves the place forward to a byte of the text.
  void move_to(size_t byte) {
    for (; seen_ < byte; ++seen_) {
      if (text_[seen_] == '\n')
        ++line_, column_ = 1;
      else if ((static_cast<unsigned char>(text_[seen_]) & 0xC0) != 0x80)
        ++column_;
    }
  }
  /// Moves to the start of the token that the parser has just read.
  void to_token() {
    while (end_ < text_.size() &&
           std::string_view(" \t\r\n,:").find(text_[end_]) != std::string_view::npos)
      ++end_;
    move_to(end_);
  }

  /// A new node at the current token: the root, or a child of the table or list that is open.
  Node made(NodeKind kind) {
    to_token();
    Node n;
    n.kind = kind;
    n.line = line_, n.column = column_;
    if (!open_.empty() && open_.back().node.kind == NodeKind::table) {
      n.key = std::move(key_);
      n.key_line = key_place_.line, n.key_column = key_place_.column;
    }
    return n;
  }
  Node& add(Node n) {
    if (open_.empty()) return root_ = std::move(n);
    return open_.back().node.children.emplace_back(std::move(n));
  }
  Node& next(NodeKind kind) { return add(made(kind)); }

  bool scalar(NodeKind kind, size_t length) {
    Node& n = next(kind);
    n.text = std::string(text_.substr(end_, length));
    end_ += length;
    return true;
  }
  bool number() {
    Node& n = next(NodeKind::number);
    size_t to = end_;
    while (to < text_.size() &&
           std::string_view("+-.0123456789eE").find(text_[to]) != std::string_view::npos)
      ++to;
    n.text = std::string(text_.substr(end_, to - end_));
    end_ = to;
    return true;
  }
  bool open(NodeKind kind) {
    Open o{made(kind), {}};
    open_.push_back(std::move(o));
    ++end_;
    return true;
  }
  bool close() {
    to_token();
    ++end_;
    Node n = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(n));
    return true;
  }

  std::string_view text_;
  const char** at_;
  const std::string& file_;
  size_t end_ = 0;   // just after the last token
  size_t seen_ = 0;  // byte that line_ and column_ belong to
  int line_ = 1, column_ = 1;
  std::string key_;
  Place key_place_;
  std::vector<Open> open_;
  Node root_;
};

}  // namespace

Document read_json(std::string_view text, const std::string& file) {
  const char* at = text.data();
  const char* end = text.data() + text.size();
  Handler handler(text, &at, file);
  nlohmann::json::sax_parse(Cursor{&at}, Cursor{&end}, &handler);
  Document document{file, handler.take()};
  if (document.root.kind != NodeKind::table)
    throw Error(Fault::model,
                {.code = "wrong-shape",
                 .where = document.place(document.root),
                 .message = "a model is an object { … }, not " + describe(document.root)});
  return document;
}

}  // namespace sarrus
