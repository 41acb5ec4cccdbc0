#include "sarrus/files/repeat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <variant>

#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

constexpr size_t most_turns = 500'000;  // of the loops of one element, more than a model has bodies
constexpr double largest_whole = 1e15;  // beyond, a double does not tell neighbours apart

/// One value of an index: a number, or a word.
using IndexValue = std::variant<double, std::string>;

std::string in_text(const IndexValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  const double x = std::get<double>(value);
  return x == std::floor(x) && std::fabs(x) < largest_whole ? fmt::format("{:.0f}", x)
                                                            : fmt::format("{}", x);
}

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
      : outer_(scope), scope_(scope), path_(std::move(path)), room_(room), element_(element) {
    scope_.faults = &faults_;
    scope_.mentioned = &mentioned_;
    std::erase_if(element_.children,
                  [](const Node& child) { return child.key == "for" || child.key == "if"; });
    size_ = size_of(element_);
    for_ = element.child("for"), if_ = element.child("if");
  }

  std::vector<Node> make() {
    if (for_ && for_->kind != NodeKind::table)
      fault("wrong-shape", *for_, "for", "expected a table { i = … }, found " + describe(*for_),
            "write for = { i = 3 }");
    else
      loop(0);
    // what was read here counts as read, but for the indices themselves
    for (MentionedName& m : mentioned_)
      if (m.name.size() >= scope_.prefix.size() && !is_index(m.name.substr(scope_.prefix.size())))
        outer_.mentioned->push_back(std::move(m));
    for (const Diagnostic& d : faults_.all()) outer_.faults->add(d);
    if (faults_.has_errors()) copies_.clear();
    return std::move(copies_);
  }

 private:
  bool is_index(const std::string& name) const { return for_ && for_->child(name); }

  void fault(std::string code, const Node& at, const char* key, std::string message,
             std::string hint = "") {
    faults_.error(std::move(code), scope_.document->place(at), path_ + "/" + key,
                  message + indices(), std::move(hint));
  }

  /// ", at i = 2, side = left"
  std::string indices() const {
    std::string text;
    for (const auto& [name, value] : at_)
      text += fmt::format("{} {} = {}", text.empty() ? ", at" : ",", name, in_text(value));
    return text;
  }

  /// The indices from the k-th on, each within those before it.
  void loop(size_t k) {
    if (faults_.has_errors()) return;
    if (!for_ || k == for_->children.size()) return copy();
    const Node& index = for_->children[k];
    if (!is_name(index)) return;
    for (IndexValue& value : values_of(index)) {
      if (++turns_ > most_turns) return too_many(index);
      at_[index.key] = value;
      if (const double* x = std::get_if<double>(&value)) scope_.parameters[index.key] = *x;
      loop(k + 1);
      if (faults_.has_errors()) return;
    }
    at_.erase(index.key);
    scope_.parameters.erase(index.key);
  }

  bool is_name(const Node& index) {
    const Expression::Parsed p = Expression::parse(index.key);
    if (!p.problem.empty() || p.expression.names() != std::vector<std::string>{index.key} ||
        index.key.find('.') != std::string::npos || index.key == "t")
      return fault("bad-name", index, "for",
                   fmt::format("'{}' cannot name an index", shown(index.key)),
                   "take letters that are no function or constant, as i"),
             false;
    if (outer_.parameters.count(index.key))
      return fault("doubled-name", index, "for",
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
        else if (const auto x = read_number(scope_, one, dimensions::none, path_ + "/for"))
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
    const auto n = index.kind == NodeKind::text
                       ? whole(index, index.text)
                       : read_number(scope_, index, dimensions::none, path_ + "/for");
    if (!n) return std::nullopt;
    if (*n < 0 || *n != std::floor(*n)) {
      fault("bad-number", index, "for",
            fmt::format("{} = {} is no number of copies", index.key, *n),
            "a whole number from 0 on, \"1..n\", or a list of values");
      return std::nullopt;
    }
    return *n - 1;
  }

  std::optional<double> whole(const Node& index, const std::string& text) {
    const std::optional<double> x = value_of(index, text, "for");
    if (x && *x != std::floor(*x)) {
      fault("bad-number", index, "for", fmt::format("\"{}\" is {}, not a whole number", text, *x));
      return std::nullopt;
    }
    return x;
  }

  /// An expression of parameters, entries of lists and indices.
  std::optional<double> value_of(const Node& at, const std::string& text, const char* key) {
    Node node = at;
    node.kind = NodeKind::text, node.text = text, node.children.clear();
    for (;;) {
      const std::optional<Entry> entry = first_entry(node.text);
      if (!entry) break;
      const Node* found = look_up(at, *entry, key);
      const auto x = found ? entry_value(*found, key) : std::nullopt;
      if (!x) return std::nullopt;
      node.text.replace(entry->begin, entry->end - entry->begin, fmt::format("({})", *x));
    }
    return read_number(scope_, node, dimensions::none, path_ + "/" + key);
  }

  /// "lengths[i + 1]" in a text: the list, and the expressions in its brackets.
  struct Entry {
    size_t begin = 0, end = 0;
    std::string list;
    std::vector<std::string> indices;
  };

  std::optional<Entry> first_entry(const std::string& text) const {
    const auto in_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    for (size_t i = 0; i < text.size(); ++i) {
      if (!in_name(text[i])) continue;
      Entry e;
      e.begin = i;
      while (i < text.size() && (in_name(text[i]) || text[i] == '.')) ++i;
      e.list = text.substr(e.begin, i - e.begin);
      if (!scope_.lists.count(e.list)) continue;
      while (i < text.size() && text[i] == '[') {
        int depth = 1;
        const size_t first = ++i;
        for (; i < text.size(); ++i) {
          depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
          if (depth == 0) break;
        }
        e.indices.push_back(text.substr(first, i - first));
        i = std::min(i + 1, text.size());
      }
      e.end = i;
      return e;
    }
    return std::nullopt;
  }

  const Node* look_up(const Node& at, const Entry& entry, const char* key) {
    outer_.mentioned->push_back({.name = scope_.prefix + entry.list,
                                 .where = scope_.document->place(at),
                                 .element = path_,
                                 .is_list = true});
    const Node* found = scope_.lists.at(entry.list);
    for (const std::string& index : entry.indices) {
      const std::optional<double> x = value_of(at, index, key);
      if (!x) return nullptr;
      const size_t size = found->kind == NodeKind::list ? found->children.size() : 0;
      if (*x != std::floor(*x) || *x < 0 || *x >= static_cast<double>(size)) {
        fault("bad-index", at, key,
              fmt::format("'{}' has no entry {}: it has {}, and the first is 0", shown(entry.list),
                          in_text(*x), size));
        return nullptr;
      }
      found = &found->children[static_cast<size_t>(*x)];
    }
    return found;
  }

  std::optional<double> entry_value(const Node& entry, const char* key) {
    if (entry.kind == NodeKind::list) {
      fault("wrong-shape", entry, key, "expected one entry of the list, found " + describe(entry),
            "say which one: {lengths[0]}");
      return std::nullopt;
    }
    return read_parameter(scope_, entry, path_ + "/" + key);
  }

  void too_many(const Node& at) {
    fault("too-large", at, "for",
          fmt::format("more than {} copies, or a model of more than {} values", most_turns,
                      TextLimits::values));
  }

  void copy() {
    if (if_) {
      const auto holds = if_->kind == NodeKind::boolean
                             ? std::optional<double>(if_->text == "true" ? 1.0 : 0.0)
                         : if_->kind == NodeKind::text
                             ? value_of(*if_, if_->text, "if")
                             : read_number(scope_, *if_, dimensions::none, path_ + "/if");
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
    if (take_entry(node)) return;
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
        return fault("bad-expression", node, node.key.c_str(),
                     fmt::format("'{{' without '}}' in \"{}\"", shown(written)),
                     "write {{ for a brace");
      const std::string inside = written.substr(i + 1, end - i - 1);
      const auto word = at_.find(inside);
      if (word != at_.end() && std::holds_alternative<std::string>(word->second)) {
        text += std::get<std::string>(word->second);
      } else if (const auto x = value_of(node, inside, node.key.c_str())) {
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

  /// A text that is nothing but an entry of a list, or a whole list: what stands there.
  bool take_entry(Node& node) {
    if (!node.text.starts_with('{') || !node.text.ends_with('}')) return false;
    const std::string inside = node.text.substr(1, node.text.size() - 2);
    const std::optional<Entry> entry = first_entry(inside);
    if (!entry || entry->begin != 0 || entry->end != inside.size()) return false;
    if (const Node* found = look_up(node, *entry, node.key.c_str())) {
      node.kind = found->kind, node.text = found->text, node.children = found->children;
    }
    return true;
  }

  Scope& outer_;
  Scope scope_;  // with the indices among the parameters
  std::string path_;
  size_t& room_;      // values that the model may still have
  size_t turns_ = 0;  // of all loops together, those that copy nothing too
  Node element_;      // without for and if
  size_t size_ = 0;
  const Node *for_ = nullptr, *if_ = nullptr;
  std::map<std::string, IndexValue> at_;
  Diagnostics faults_;
  std::vector<MentionedName> mentioned_;
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
