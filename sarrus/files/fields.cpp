#include "sarrus/files/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/text/utf8.hpp"

namespace sarrus {
namespace {

std::vector<std::string> key_names(const TableGrammar& grammar) {
  std::vector<std::string> names;
  for (const Key& k : grammar.keys) names.emplace_back(k.name);
  return names;
}

std::string article_list(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view w : words)
    out += (out.empty() ? "\"" : ", \"") + std::string(w) + "\"";
  return out;
}

}  // namespace

std::string name_problem(std::string_view name) {
  if (name.empty()) return "a name must not be empty";
  if (name.size() > 100) return fmt::format("a name of {} bytes; the limit is 100", name.size());
  if (name == "world") return "'world' is the name of the ground";
  for (const char c : name) {
    const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
    if (!fine)
      return fmt::format("'{}' contains '{}'; a name is made of letters, digits, _ and -",
                         shown(name), shown({&c, 1}));
  }
  for (std::string_view rest = name; !rest.empty();) {
    char32_t c = 0;
    const int length = utf8_length(rest, c);
    if (length == 0) return fmt::format("'{}' is not UTF-8", shown(name));
    if (const std::string_view what = unfit_for_names(c); !what.empty())
      return fmt::format("'{}' contains U+{:04X}, {}: two names could look alike and differ",
                         shown(name), static_cast<unsigned>(c), what);
    rest.remove_prefix(static_cast<size_t>(length));
  }
  return "";
}

std::string element_path(std::string_view kind, const Node& node, size_t index,
                         const std::string& prefix) {
  const Node* name = node.child("name");
  if (name && name->kind == NodeKind::text && !name->text.empty())
    return fmt::format("{}/{}{}", kind, prefix, shown(name->text));
  return fmt::format("{}[{}]", kind, index + 1);
}

Fields::Fields(Scope& scope, const Node& node, std::string_view table, std::string element)
    : Fields(scope, node, grammar(table), std::move(element)) {}

Fields::Fields(Scope& scope, const Node& node, const TableGrammar& table, std::string element)
    : scope_(scope), node_(node), grammar_(table), element_(std::move(element)) {
  if (is_table())
    check_keys();
  else
    scope_.faults->error("wrong-shape", place(), element_,
                         "expected a table { … }, found " + describe(node_));
}

void Fields::check_keys() {
  for (const Node& child : node_.children) {
    if (grammar_.find(child.key)) continue;
    const Place where = scope_.document->key_place(child);
    const std::string path =
        element_.empty() ? shown(child.key) : element_ + "/" + shown(child.key);
    if (const Key* now = grammar_.find_earlier(child.key)) {
      if (node_.child(now->name))
        scope_.faults->error("doubled-key", where, path,
                             fmt::format("'{}' is the earlier name of '{}', which is given too",
                                         child.key, now->name),
                             "keep one of them");
      else
        scope_.faults->warning(
            "deprecated-key", where, path,
            fmt::format("'{}' is now called '{}'; the old name will be removed in release {}",
                        child.key, now->name, now->dropped_in));
      continue;
    }
    if (scope_.faults->full()) return;
    scope_.faults->error("unknown-key", where, path,
                         fmt::format("unknown key '{}'", shown(child.key)),
                         did_you_mean(child.key, key_names(grammar_)));
  }
  for (const Key& key : grammar_.keys)
    if (key.required && !has(key.name))
      scope_.faults->error("missing-key", place(), element_,
                           fmt::format("'{}' is missing", key.name),
                           fmt::format("for example {} = {}", key.name, key.example));
}

const Key& Fields::listed(std::string_view key, std::initializer_list<Kind> kinds) const {
  const Key* found = grammar_.find(key);
  if (!found || std::find(kinds.begin(), kinds.end(), found->kind) == kinds.end())
    throw std::logic_error(fmt::format("the grammar of '{}' does not list '{}' as it is asked for",
                                       grammar_.name, key));
  return *found;
}

const Node* Fields::value(std::string_view key) const {
  if (!is_table()) return nullptr;
  if (const Node* n = node_.child(key)) return n;
  const Key* k = grammar_.find(key);
  return k && !k->earlier.empty() ? node_.child(k->earlier) : nullptr;
}

bool Fields::has(std::string_view key) const {
  if (!grammar_.find(key))
    throw std::logic_error(fmt::format("the grammar of '{}' has no '{}'", grammar_.name, key));
  return value(key) != nullptr;
}

Place Fields::place(std::string_view key) const {
  const Node* n = value(key);
  return n ? scope_.document->place(*n) : place();
}

void Fields::error(std::string_view key, std::string code, std::string message, std::string hint) {
  scope_.faults->error(std::move(code), place(key), path(key), std::move(message), std::move(hint));
}

void Fields::note(std::string_view key, std::string code, std::string message, std::string hint) {
  scope_.faults->note(std::move(code), place(key), path(key), std::move(message), std::move(hint));
}

void Fields::wrong(const Node& found, std::string_view key, std::string expected,
                   std::string hint) {
  scope_.faults->error("wrong-shape", scope_.document->place(found), path(key),
                       fmt::format("expected {}, found {}", expected, describe(found)),
                       std::move(hint));
}

std::optional<double> Fields::number(std::string_view key) {
  const Key& k = listed(key, {Kind::number});
  const Node* n = value(key);
  return n ? read_number(scope_, *n, k.dimension, path(key)) : std::nullopt;
}

std::optional<double> Fields::number_as(std::string_view key, const Dimension& dimension) {
  if (listed(key, {Kind::number}).quantified == Quantified::by_key)
    throw std::logic_error(fmt::format("'{}' has its own dimension", key));
  const Node* n = value(key);
  return n ? read_number(scope_, *n, dimension, path(key)) : std::nullopt;
}

std::optional<long long> Fields::integer(std::string_view key) {
  listed(key, {Kind::integer});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  long long result = 0;
  const char* end = n->text.data() + n->text.size();
  const auto [used, problem] = std::from_chars(n->text.data(), end, result);
  if (n->kind == NodeKind::number && problem == std::errc() && used == end) return result;
  wrong(*n, key, "a whole number");
  return std::nullopt;
}

std::optional<bool> Fields::boolean(std::string_view key) {
  listed(key, {Kind::boolean});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  if (n->kind == NodeKind::boolean) return n->text == "true";
  wrong(*n, key, "true or false");
  return std::nullopt;
}

std::optional<std::string> Fields::text(std::string_view key) {
  listed(key, {Kind::text, Kind::file, Kind::column, Kind::reference, Kind::name});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  if (n->kind == NodeKind::text) return n->text;
  wrong(*n, key, "text in quotes");
  return std::nullopt;
}

std::optional<int> Fields::choice(std::string_view key) {
  const Key& k = listed(key, {Kind::choice});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  if (n->kind != NodeKind::text) {
    wrong(*n, key, "one of " + article_list(k.words));
    return std::nullopt;
  }
  for (size_t i = 0; i < k.words.size(); ++i)
    if (k.words[i] == n->text) return static_cast<int>(i);
  error(key, "unknown-word",
        fmt::format("'{}' is not one of {}", shown(n->text), article_list(k.words)),
        did_you_mean(n->text, {k.words.begin(), k.words.end()}));
  return std::nullopt;
}

std::optional<std::string> Fields::name() {
  const std::optional<std::string> found = text("name");
  if (!found) return std::nullopt;
  if (const std::string problem = name_problem(*found); !problem.empty()) {
    error("name", "bad-name", problem);
    return std::nullopt;
  }
  return scope_.prefix + *found;
}

std::optional<std::string> Fields::reference(std::string_view key) {
  listed(key, {Kind::reference});
  const std::optional<std::string> found = text(key);
  if (!found || *found == "world") return found;
  return scope_.prefix + *found;
}

std::optional<std::vector<double>> Fields::exactly(const Node& found, std::string_view key,
                                                   size_t count, const Dimension& dimension) {
  return exactly_as(found, key, std::vector<Dimension>(count, dimension));
}

std::optional<std::vector<double>> Fields::exactly_as(const Node& found, std::string_view key,
                                                      const std::vector<Dimension>& dimensions) {
  const size_t count = dimensions.size();
  if (found.kind != NodeKind::list || found.children.size() != count) {
    wrong(found, key, fmt::format("a list of {} numbers", count));
    return std::nullopt;
  }
  std::vector<double> result;
  for (size_t i = 0; i < count; ++i)
    if (const auto x = read_number(scope_, found.children[i], dimensions[i], path(key)))
      result.push_back(*x);
  if (result.size() != count) return std::nullopt;
  return result;
}

std::optional<Vec3> Fields::vector(std::string_view key) {
  const Key& k = listed(key, {Kind::vector});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  const auto v = exactly(*n, key, 3, k.dimension);
  return v ? std::optional<Vec3>({(*v)[0], (*v)[1], (*v)[2]}) : std::nullopt;
}

std::optional<Vec3> Fields::axis(std::string_view key) {
  listed(key, {Kind::axis});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  if (n->kind == NodeKind::text) {
    std::string_view word = n->text;
    const double sign = word.starts_with('-') ? -1 : 1;
    if (sign < 0) word.remove_prefix(1);
    if (word == "x") return Vec3{sign, 0, 0};
    if (word == "y") return Vec3{0, sign, 0};
    if (word == "z") return Vec3{0, 0, sign};
  }
  if (n->kind != NodeKind::list || n->children.size() != 3) {
    wrong(*n, key, "\"x\", \"y\", \"z\" or three numbers");
    return std::nullopt;
  }
  const auto v = exactly(*n, key, 3, dimensions::none);
  return v ? std::optional<Vec3>({(*v)[0], (*v)[1], (*v)[2]}) : std::nullopt;
}

std::optional<Quat> Fields::quaternion(std::string_view key) {
  listed(key, {Kind::quaternion});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  const auto v = exactly(*n, key, 4, dimensions::none);
  return v ? std::optional<Quat>({(*v)[0], (*v)[1], (*v)[2], (*v)[3]}) : std::nullopt;
}

std::optional<Mat3> Fields::matrix(std::string_view key) {
  const Key& k = listed(key, {Kind::matrix, Kind::inertia});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  if (n->kind != NodeKind::list || n->children.size() != 3) {
    wrong(*n, key, "three rows of three numbers");
    return std::nullopt;
  }
  Mat3 M{};
  for (int row = 0; row < 3; ++row) {
    const auto v = exactly(n->children[row], key, 3, k.dimension);
    if (!v) return std::nullopt;
    for (int column = 0; column < 3; ++column) M(row, column) = (*v)[column];
  }
  return M;
}

std::optional<Pose<double>> Fields::transform(std::string_view key) {
  listed(key, {Kind::transform});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  if (n->kind != NodeKind::list || n->children.size() != 4) {
    wrong(*n, key, "four rows of four numbers");
    return std::nullopt;
  }
  Pose<double> X;
  for (int row = 0; row < 4; ++row) {
    const auto v = exactly_as(n->children[row], key,
                              {dimensions::none, dimensions::none, dimensions::none,
                               row < 3 ? dimensions::length : dimensions::none});
    if (!v) return std::nullopt;
    if (row == 3 && *v != std::vector<double>{0, 0, 0, 1}) {
      error(key, "bad-transform",
            fmt::format("the last row is [{}, {}, {}, {}], not [0, 0, 0, 1]", (*v)[0], (*v)[1],
                        (*v)[2], (*v)[3]),
            "rows of the rotation, each with a component of the place behind it");
      return std::nullopt;
    }
    for (int column = 0; column < 3 && row < 3; ++column) X.R(row, column) = (*v)[column];
    if (row < 3) X.p[row] = (*v)[3];
  }
  return X;
}

std::optional<Mat3> Fields::inertia(std::string_view key) {
  const Key& k = listed(key, {Kind::inertia});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  const size_t count = n->kind == NodeKind::list ? n->children.size() : 0;
  if (count == 3 && n->children[0].kind == NodeKind::list) return matrix(key);
  if (count != 3 && count != 6) {
    wrong(*n, key, "3 principal values, 6 values (xx yy zz xy xz yz) or three rows of three");
    return std::nullopt;
  }
  auto v = exactly(*n, key, count, k.dimension);
  if (!v) return std::nullopt;
  v->resize(6);
  return Sym3{(*v)[0], (*v)[1], (*v)[2], (*v)[3], (*v)[4], (*v)[5]}.full();
}

std::optional<std::vector<double>> Fields::pair_as(std::string_view key,
                                                   const Dimension& dimension) {
  listed(key, {Kind::pair});
  const Node* n = value(key);
  return n ? exactly(*n, key, 2, dimension) : std::nullopt;
}

std::optional<std::vector<std::vector<double>>> Fields::rows(std::string_view key) {
  listed(key, {Kind::rows});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  std::vector<std::vector<double>> result;
  for (const Node& row : n->children) {
    if (n->kind != NodeKind::list || row.kind != NodeKind::list) break;
    const auto numbers = exactly(row, key, row.children.size(), dimensions::none);
    if (!numbers) return std::nullopt;
    result.push_back(*numbers);
  }
  if (!result.empty() && result.size() == n->children.size()) return result;
  wrong(*n, key, "a list of rows, each a list of numbers");
  return std::nullopt;
}

std::optional<std::vector<double>> Fields::numbers_of(std::string_view key,
                                                      const Dimension& dimension) {
  const Node* n = value(key);
  const bool list = n && n->kind == NodeKind::list;
  return numbers_as(key, std::vector<Dimension>(list ? n->children.size() : 1, dimension));
}

std::optional<std::vector<double>> Fields::numbers_as(std::string_view key,
                                                      std::span<const Dimension> each) {
  const Kind kind = listed(key, {Kind::numbers, Kind::start}).kind;
  const Node* n = value(key);
  if (!n) return std::nullopt;
  if (n->kind != NodeKind::list) {
    const bool alike =
        std::all_of(each.begin(), each.end(), [&](const Dimension& d) { return d == each[0]; });
    // a plain number has the unit of each degree of freedom; a place is not the same along all
    const bool one_for_all = alike || (n->kind == NodeKind::number && kind == Kind::numbers);
    if (each.empty() || !one_for_all || n->kind == NodeKind::table) {
      wrong(*n, key, fmt::format("a list of {} numbers", each.size()));
      return std::nullopt;
    }
    std::vector<double> result;
    for (const Dimension& d : alike ? each.first(1) : each)
      if (const auto x = read_number(scope_, *n, d, path(key))) result.push_back(*x);
    return result.empty() ? std::nullopt : std::optional(std::move(result));
  }
  if (n->children.size() != each.size()) {
    wrong(*n, key,
          each.size() == 1 ? "one number" : fmt::format("a list of {} numbers", each.size()));
    return std::nullopt;
  }
  std::vector<double> result;
  for (size_t i = 0; i < each.size(); ++i)
    if (const auto x = read_number(scope_, n->children[i], each[i], path(key)))
      result.push_back(*x);
  if (result.size() != each.size()) return std::nullopt;
  return result;
}

std::optional<Formula> Fields::formula(std::string_view key) {
  const Key& k = listed(key, {Kind::formula});
  const Node* n = value(key);
  return n ? read_formula(scope_, *n, k.dimension, path(key)) : std::nullopt;
}

std::optional<Formula> Fields::formula_as(std::string_view key, const Dimension& dimension) {
  listed(key, {Kind::formula});
  const Node* n = value(key);
  return n ? read_formula(scope_, *n, dimension, path(key)) : std::nullopt;
}

std::optional<std::vector<Formula>> Fields::formulas_as(std::string_view key,
                                                        std::span<const Dimension> each) {
  listed(key, {Kind::formulas});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  const bool single = n->kind != NodeKind::list;
  if ((single ? 1 : n->children.size()) != each.size()) {
    wrong(*n, key,
          each.size() == 1
              ? "one formula"
              : fmt::format("a list of {} formulas, one for each degree of freedom", each.size()));
    return std::nullopt;
  }
  std::vector<Formula> result;
  for (size_t i = 0; i < each.size(); ++i)
    if (auto f = read_formula(scope_, single ? *n : n->children[i], each[i], path(key)))
      result.push_back(std::move(*f));
  if (result.size() != each.size()) return std::nullopt;
  return result;
}

std::optional<std::array<Formula, 3>> Fields::vector_formula(std::string_view key) {
  const Key& k = listed(key, {Kind::vector_formula});
  const Node* n = value(key);
  if (!n) return std::nullopt;
  if (n->kind != NodeKind::list || n->children.size() != 3) {
    wrong(*n, key, "a list of 3 formulas");
    return std::nullopt;
  }
  std::array<Formula, 3> result;
  for (int i = 0; i < 3; ++i) {
    auto f = read_formula(scope_, n->children[i], k.dimension, path(key));
    if (!f) return std::nullopt;
    result[i] = std::move(*f);
  }
  return result;
}

std::vector<std::string> Fields::words(std::string_view key) {
  listed(key, {Kind::words});
  const Node* n = value(key);
  std::vector<std::string> result;
  if (!n) return result;
  if (n->kind != NodeKind::list || n->children.empty()) {
    wrong(*n, key, "a list of texts");
    return result;
  }
  for (const Node& entry : n->children) {
    if (entry.kind == NodeKind::text)
      result.push_back(entry.text);
    else
      wrong(entry, key, "text in quotes");
  }
  return result;
}

const Node* Fields::node(std::string_view key) const {
  listed(key, {Kind::table, Kind::tables, Kind::start, Kind::points, Kind::column,
               Kind::numbers_by_name, Kind::formulas_by_name, Kind::formula});
  return value(key);
}

std::vector<const Node*> Fields::tables(std::string_view key) {
  listed(key, {Kind::tables});
  const Node* n = value(key);
  std::vector<const Node*> result;
  if (!n) return result;
  if (n->kind != NodeKind::list) {
    wrong(*n, key, "a list of tables", fmt::format("write [[{}]], with two brackets", key));
    return result;
  }
  for (const Node& entry : n->children) result.push_back(&entry);
  return result;
}

}  // namespace sarrus
