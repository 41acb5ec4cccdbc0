#include "sarrus/files/copy_scope.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

constexpr double largest_whole = 1e15;  // beyond, a double does not tell neighbours apart

}  // namespace

std::string in_text(const IndexValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  const double x = std::get<double>(value);
  return x == std::floor(x) && std::fabs(x) < largest_whole ? fmt::format("{:.0f}", x)
                                                            : fmt::format("{}", x);
}

CopyScope::CopyScope(Scope& outer, std::string path)
    : outer_(outer), scope_(outer), path_(std::move(path)) {
  scope_.faults = &faults_;
  scope_.mentioned = &mentioned_;
}

void CopyScope::set_index(const std::string& name, const IndexValue& value) {
  at_[name] = value;
  if (const double* x = std::get_if<double>(&value)) scope_.parameters[name] = *x;
}

void CopyScope::forget_index(const std::string& name) {
  at_.erase(name);
  scope_.parameters.erase(name);
}

const std::string* CopyScope::word(const std::string& name) const {
  const auto found = at_.find(name);
  return found == at_.end() ? nullptr : std::get_if<std::string>(&found->second);
}

void CopyScope::hand_over(const Node* indices) {
  for (MentionedName& m : mentioned_)
    if (m.name.size() >= scope_.prefix.size() &&
        !(indices && indices->child(m.name.substr(scope_.prefix.size()))))
      outer_.mentioned->push_back(std::move(m));
  for (const Diagnostic& d : faults_.all()) outer_.faults->add(d);
}

void CopyScope::fault(std::string code, const Node& at, const char* key, std::string message,
                      std::string hint) {
  faults_.error(std::move(code), scope_.document->place(at), path_ + "/" + key, message + indices(),
                std::move(hint));
}

/// ", at i = 2, side = left"
std::string CopyScope::indices() const {
  std::string text;
  for (const auto& [name, value] : at_)
    text += fmt::format("{} {} = {}", text.empty() ? ", at" : ",", name, in_text(value));
  return text;
}

std::optional<double> CopyScope::number(const Node& node, const char* key) {
  return read_number(scope_, node, dimensions::none, path_ + "/" + key);
}

std::optional<double> CopyScope::value(const Node& at, const std::string& text, const char* key) {
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
  return number(node, key);
}

std::optional<CopyScope::Entry> CopyScope::first_entry(const std::string& text) const {
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

const Node* CopyScope::look_up(const Node& at, const Entry& entry, const char* key) {
  outer_.mentioned->push_back({.name = scope_.prefix + entry.list,
                               .where = scope_.document->place(at),
                               .element = path_,
                               .is_list = true});
  const Node* found = scope_.lists.at(entry.list);
  for (const std::string& index : entry.indices) {
    const std::optional<double> x = value(at, index, key);
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

std::optional<double> CopyScope::entry_value(const Node& entry, const char* key) {
  if (entry.kind == NodeKind::list) {
    fault("wrong-shape", entry, key, "expected one entry of the list, found " + describe(entry),
          "say which one: {lengths[0]}");
    return std::nullopt;
  }
  return read_parameter(scope_, entry, path_ + "/" + key);
}

bool CopyScope::take_entry(Node& node) {
  if (!node.text.starts_with('{') || !node.text.ends_with('}')) return false;
  const std::string inside = node.text.substr(1, node.text.size() - 2);
  const std::optional<Entry> entry = first_entry(inside);
  if (!entry || entry->begin != 0 || entry->end != inside.size()) return false;
  if (const Node* found = look_up(node, *entry, node.key.c_str())) {
    node.kind = found->kind, node.text = found->text, node.children = found->children;
  }
  return true;
}

}  // namespace sarrus
