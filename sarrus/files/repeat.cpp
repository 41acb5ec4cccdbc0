#include "sarrus/files/repeat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/files/copy_scope.hpp"
#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

constexpr size_t most_turns = 500'000;  // of the loops of one element: more than a model has bodies

size_t size_of(const Node& node) {
  size_t n = 1;
  for (const Node& child : node.children) n += size_of(child);
  return n;
}

bool has_braces(const Node& node) {
  if (node.kind == NodeKind::text && node.text.find_first_of("{}") != std::string::npos)
    return true;
  return std::any_of(node.children.begin(), node.children.end(), has_braces);
}

/// The copies of one element.
class Copies {
 public:
  Copies(Scope& scope, const Node& element, std::string path, size_t& room)
      : scope_(scope, std::move(path)), room_(room), element_(element) {
    std::erase_if(element_.children,
                  [](const Node& child) { return child.key == "for" || child.key == "if"; });
    size_ = size_of(element_);
    for_ = element.child("for"), if_ = element.child("if");
  }

  std::vector<Node> make() {
    if (for_ && for_->kind != NodeKind::table)
      scope_.fault("wrong-shape", *for_, "for",
                   "expected a table { i = … }, found " + describe(*for_), "write for = { i = 3 }");
    else
      loop(0);
    scope_.hand_over(for_);
    if (scope_.has_errors()) copies_.clear();
    return std::move(copies_);
  }

 private:
  /// The indices from the k-th on, each within those before it.
  void loop(size_t k) {
    if (scope_.has_errors()) return;
    if (!for_ || k == for_->children.size()) return copy();
    const Node& index = for_->children[k];
    if (!is_name(index)) return;
    for (IndexValue& value : values_of(index)) {
      if (++turns_ > most_turns) return too_many(index);
      scope_.set_index(index.key, value);
      loop(k + 1);
      if (scope_.has_errors()) return;
    }
    scope_.forget_index(index.key);
  }

  bool is_name(const Node& index) {
    const Expression::Parsed p = Expression::parse(index.key);
    if (!p.problem.empty() || p.expression.names() != std::vector<std::string>{index.key} ||
        index.key.find('.') != std::string::npos || index.key == "t")
      return scope_.fault("bad-name", index, "for",
                          fmt::format("'{}' cannot name an index", shown(index.key)),
                          "take letters that are no function or constant, as i"),
             false;
    if (scope_.is_parameter_outside(index.key))
      return scope_.fault("doubled-name", index, "for",
                          fmt::format("'{}' is a parameter of this file already", shown(index.key)),
                          "give the index another name"),
             false;
    return true;
  }

  std::vector<IndexValue> values_of(const Node& index) {
    std::vector<IndexValue> values;
    if (index.kind == NodeKind::list) {
      for (const Node& one : index.children)
        if (one.kind == NodeKind::text)
          values.emplace_back(one.text);
        else if (const auto x = scope_.number(one, "for"))
          values.emplace_back(*x);
      return values;
    }
    const size_t dots = index.kind == NodeKind::text ? index.text.find("..") : std::string::npos;
    const bool is_range = dots != std::string::npos;
    const auto first = is_range ? whole(index, index.text.substr(0, dots)) : 0.0;
    const auto last = is_range ? whole(index, index.text.substr(dots + 2)) : count(index);
    if (!first || !last) return values;
    if (*last - *first >= static_cast<double>(most_turns)) {
      too_many(index);
      return values;
    }
    for (double x = *first; x <= *last; ++x) values.emplace_back(x);
    return values;
  }

  std::optional<double> count(const Node& index) {
    const auto n =
        index.kind == NodeKind::text ? whole(index, index.text) : scope_.number(index, "for");
    if (!n) return std::nullopt;
    if (*n < 0 || *n != std::floor(*n)) {
      scope_.fault("bad-number", index, "for",
                   fmt::format("{} = {} is no number of copies", index.key, *n),
                   "a whole number from 0 on, \"1..n\", or a list of values");
      return std::nullopt;
    }
    return *n - 1;
  }

  std::optional<double> whole(const Node& index, const std::string& text) {
    const std::optional<double> x = scope_.value(index, text, "for");
    if (x && *x != std::floor(*x)) {
      scope_.fault("bad-number", index, "for",
                   fmt::format("\"{}\" is {}, not a whole number", text, *x));
      return std::nullopt;
    }
    return x;
  }

  void too_many(const Node& at) {
    scope_.fault("too-large", at, "for",
                 fmt::format("more than {} copies, or a model of more than {} values", most_turns,
                             TextLimits::values));
  }

  void copy() {
    if (if_) {
      const auto holds = if_->kind == NodeKind::boolean
                             ? std::optional<double>(if_->text == "true" ? 1.0 : 0.0)
                         : if_->kind == NodeKind::text ? scope_.value(*if_, if_->text, "if")
                                                       : scope_.number(*if_, "if");
      if (!holds || *holds == 0) return;
    }
    if (room_ < size_) return too_many(for_ ? *for_ : element_);
    room_ -= size_;
    copies_.push_back(element_);
    fill(copies_.back());
  }

  /// "l{0..31}" among the entries of a list: one entry for each of these numbers.
  void spread(Node& list) {
    std::vector<Node> entries;
    for (Node& child : list.children) {
      const std::string& text = child.text;
      const size_t open = text.find('{'), dots = text.find("..", open),
                   close = text.find('}', open);
      if (child.kind != NodeKind::text || open == std::string::npos || dots > close) {
        entries.push_back(std::move(child));
        continue;
      }
      Node range = child;
      range.text = text.substr(open + 1, close - open - 1);
      for (const IndexValue& value : values_of(range)) {
        if (room_-- == 0) return too_many(child);
        entries.push_back(child);
        entries.back().text.replace(open, close - open + 1, in_text(value));
      }
    }
    list.children = std::move(entries);
  }

  void fill(Node& node) {
    if (node.kind == NodeKind::list) spread(node);
    for (Node& child : node.children) fill(child);
    if (node.kind != NodeKind::text || node.text.find_first_of("{}") == std::string::npos) return;
    const std::string written = node.text;
    if (scope_.take_entry(node)) return;
    const bool is_value = written.find('{', 1) == std::string::npos && written.starts_with('{') &&
                          written.find('}') == written.size() - 1;
    std::string text;
    bool is_number = false;
    for (size_t i = 0; i < written.size(); ++i) {
      const char c = written[i];
      if ((c == '{' || c == '}') && i + 1 < written.size() && written[i + 1] == c) {
        text += c, ++i;
        continue;
      }
      if (c != '{') {
        text += c;
        continue;
      }
      const size_t end = written.find('}', i);
      if (end == std::string::npos)
        return scope_.fault("bad-expression", node, node.key.c_str(),
                            fmt::format("'{{' without '}}' in \"{}\"", shown(written)),
                            "write {{ for a brace");
      const std::string inside = written.substr(i + 1, end - i - 1);
      if (const std::string* word = scope_.word(inside)) {
        text += *word;
      } else if (const auto x = scope_.value(node, inside, node.key.c_str())) {
        text += in_text(*x);
        is_number = true;
      } else {
        return;
      }
      i = end;
    }
    node.text = std::move(text);
    if (is_value && is_number && node.key != "name") node.kind = NodeKind::number;
  }

  CopyScope scope_;
  size_t& room_;      // values that the model may still have
  size_t turns_ = 0;  // of all loops together, those that copy nothing too
  Node element_;      // without for and if
  size_t size_ = 0;
  const Node *for_ = nullptr, *if_ = nullptr;
  std::vector<Node> copies_;
};

}  // namespace

void repeat_elements(Scope& scope, Node& root) {
  size_t room = TextLimits::values;
  for (Node& list : root.children) {
    const Key* key = grammar("model").find(list.key);
    if (!key || key->kind != Kind::tables || list.kind != NodeKind::list) continue;
    std::vector<Node> all;
    for (size_t i = 0; i < list.children.size(); ++i) {
      Node& one = list.children[i];
      if (one.kind != NodeKind::table ||
          (!one.child("for") && !one.child("if") && !has_braces(one))) {
        all.push_back(std::move(one));
        continue;
      }
      Copies copies(scope, one, element_path(list.key, one, i, scope.prefix), room);
      for (Node& copy : copies.make()) all.push_back(std::move(copy));
    }
    list.children = std::move(all);
  }
}

}  // namespace sarrus
