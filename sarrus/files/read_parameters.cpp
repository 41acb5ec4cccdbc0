// [units], [parameters] and tables of points.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <deque>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

/// One entry of [parameters] before it has a value.
struct Pending {
  const Node* node;
  std::vector<std::string> needs;  // other parameters that its expression mentions
};

std::string parameter_problem(const std::string& name) {
  const Expression::Parsed p = Expression::parse(name);
  if (name.size() > 100) return "a name longer than 100 bytes";
  if (name == "t") return "'t' is the time";
  if (!p.problem.empty() || p.expression.names() != std::vector<std::string>{name} ||
      name.find('.') != std::string::npos)
    return fmt::format(
        "'{}' cannot name a parameter; take letters, digits and _ that are no function or constant",
        shown(name));
  return "";
}

/// "500 mm" in SI, whatever its dimension.
std::optional<double> any_quantity(Scope& scope, const Node& node, const std::string& element) {
  const size_t blank = node.text.find(' ');
  const auto unit = blank == std::string::npos
                        ? std::nullopt
                        : parse_unit(std::string_view(node.text).substr(blank + 1));
  return read_number(scope, node, unit ? unit->dimension : dimensions::none, element);
}

std::map<std::string, Pending> pending_parameters(Scope& scope, const Node& table) {
  std::map<std::string, Pending> all;
  for (const Node& child : table.children) {
    if (const std::string problem = parameter_problem(child.key); !problem.empty())
      scope.faults->error("bad-name", scope.document->key_place(child),
                          "parameters/" + shown(child.key), problem);
    if (child.kind == NodeKind::list) {
      scope.lists[child.key] = &child;
      continue;
    }
    Pending p{&child, {}};
    if (child.kind == NodeKind::text && !looks_like_quantity(child.text)) {
      const Expression::Parsed parsed = Expression::parse(child.text);
      for (const std::string& name : parsed.expression.names())
        if (table.child(name)) p.needs.push_back(name);
    }
    all.emplace(child.key, std::move(p));
  }
  return all;
}

/// "a → b → a": what is left when nothing more can be evaluated holds a cycle; follow it.
std::string cycle_in(const std::map<std::string, Pending>& left,
                     const std::map<std::string, double>& known) {
  std::vector<std::string> chain = {left.begin()->first};
  for (;;) {
    std::string next;
    for (const std::string& need : left.at(chain.back()).needs)
      if (!known.count(need)) next = need;
    for (size_t i = 0; i < chain.size(); ++i)
      if (chain[i] == next) {
        std::string text;
        for (; i < chain.size(); ++i) text += chain[i] + " → ";
        return text + next;
      }
    chain.push_back(next);
  }
}

/// Evaluates every parameter once all it needs are known.
void evaluate_in_order(Scope& scope, std::map<std::string, Pending> pending) {
  std::map<std::string, std::vector<std::string>> users;
  std::map<std::string, size_t> missing;
  std::deque<std::string> ready;
  for (const auto& [name, p] : pending) {
    size_t open = 0;
    for (const std::string& need : p.needs)
      if (!scope.parameters.count(need)) users[need].push_back(name), ++open;
    missing[name] = open;
    if (open == 0) ready.push_back(name);
  }
  while (!ready.empty()) {
    const std::string name = std::move(ready.front());
    ready.pop_front();
    if (!scope.parameters.count(name)) {
      // a value that failed counts as 1, so that its users give no second fault
      scope.parameters[name] =
          read_parameter(scope, *pending.at(name).node, "parameters/" + name).value_or(1);
    }
    pending.erase(name);
    for (const std::string& user : users[name])
      if (--missing[user] == 0) ready.push_back(user);
  }
  if (pending.empty()) return;
  const std::string chain = cycle_in(pending, scope.parameters);
  const Node& first = *pending.begin()->second.node;
  scope.faults->error("parameter-cycle", scope.document->place(first), "parameters/" + first.key,
                      "parameters that need each other: " + shown(chain, 300),
                      "give one of them a number");
}

void read_points(Fields& f, const Node& points, Table& table) {
  if (points.kind != NodeKind::list)
    return f.error("points", "wrong-shape",
                   "expected a list of pairs [x, y], found " + describe(points));
  for (const Node& pair : points.children) {
    if (pair.kind != NodeKind::list || pair.children.size() != 2) {
      f.scope().faults->error("wrong-shape", f.scope().document->place(pair), f.path("points"),
                              "expected a pair [x, y], found " + describe(pair));
      return;
    }
    const auto x = read_parameter(f.scope(), pair.children[0], f.path("points"));
    const auto y = read_parameter(f.scope(), pair.children[1], f.path("points"));
    if (!x || !y) return;
    table.x.push_back(*x), table.y.push_back(*y);
  }
}

/// The column that `key` names, by header or number; −1 with a fault where there is none.
int column_of(Fields& f, std::string_view key, int fallback, const Csv& csv) {
  const int count = static_cast<int>(csv.columns.size());
  const Node* n = f.node(key);
  if (n && n->kind == NodeKind::text) {
    for (int i = 0; i < static_cast<int>(csv.headers.size()); ++i)
      if (csv.headers[i] == n->text) return i;
    f.error(key, "unknown-column", fmt::format("no column is called '{}'", shown(n->text)),
            csv.headers.empty() ? "the file has no row of headers; give the column's number"
                                : did_you_mean(n->text, csv.headers));
    return -1;
  }
  int number = fallback;
  if (n) {
    const char* end = n->text.data() + n->text.size();
    const auto [used, problem] = std::from_chars(n->text.data(), end, number);
    if (n->kind != NodeKind::number || problem != std::errc() || used != end) {
      f.error(key, "wrong-shape", "expected a column's header or number, found " + describe(*n));
      return -1;
    }
  }
  if (number < 1 || number > count) {
    f.error(key, "unknown-column",
            fmt::format("there is no column {}; the file has {}", number, count));
    return -1;
  }
  return number - 1;
}

void read_csv(Reading& r, Fields& f, Table& table) {
  const std::string written = f.text("file").value_or("");
  const ResolvedPath found = resolve_path(written, r.folder, r.roots);
  if (!found.problem.empty()) return f.error("file", "bad-path", found.problem, found.hint);
  r.files->push_back(found.path);
  const Csv csv = parse_csv(read_model_text(found.path, f.place("file")));
  if (!csv.problem.empty())
    return f.error("file", "bad-csv", fmt::format("{}:{}", shown(written, 200), csv.problem));
  const int x = column_of(f, "x", 1, csv), y = column_of(f, "y", 2, csv);
  if (x < 0 || y < 0) return;
  table.x = csv.columns[x], table.y = csv.columns[y];
}

}  // namespace

BaseUnits read_units(Scope& scope, const Node* node) {
  BaseUnits units;
  if (!node) return units;
  Fields f(scope, *node, "units", "units");
  const std::pair<std::string_view, Dimension> bases[] = {{"length", dimensions::length},
                                                          {"mass", dimensions::mass},
                                                          {"time", dimensions::time},
                                                          {"angle", dimensions::angle}};
  for (int i = 0; i < 4; ++i) {
    const auto [key, dimension] = bases[i];
    const auto word = f.text(key);
    if (!word) continue;
    const auto unit = parse_unit(*word);
    if (!unit || unit->dimension != dimension)
      f.error(key, "unknown-unit", fmt::format("'{}' is not a unit of {}", shown(*word), key),
              fmt::format("for example {}", grammar("units").find(key)->example));
    else
      units.scale[i] = unit->factor;
  }
  return units;
}

std::optional<double> read_parameter(Scope& scope, const Node& node, const std::string& element) {
  if (node.kind == NodeKind::text && looks_like_quantity(node.text))
    return any_quantity(scope, node, element);
  return read_number(scope, node, dimensions::none, element);
}

std::vector<std::string> read_parameters(Scope& scope, const Node* node,
                                         const std::map<std::string, double>& overrides) {
  std::vector<std::string> unknown;
  std::map<std::string, Pending> pending;
  if (node && node->kind != NodeKind::table)
    scope.faults->error("wrong-shape", scope.document->place(*node), "parameters",
                        "expected a table of names and numbers, found " + describe(*node));
  else if (node)
    pending = pending_parameters(scope, *node);
  for (const auto& [name, value] : overrides)
    if (pending.count(name))
      scope.parameters[name] = value;
    else
      unknown.push_back(name);
  evaluate_in_order(scope, std::move(pending));
  return unknown;
}

std::shared_ptr<const Table> read_table(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "table", element);
  auto table = std::make_shared<Table>();
  table->name = f.name().value_or("");
  if (const auto i = f.choice("interpolation"))
    table->interpolation = *i == 0 ? Interpolation::cubic : Interpolation::linear;
  if (const auto i = f.choice("outside")) table->outside = static_cast<Outside>(*i);
  if (f.is_table() && f.has("points") == f.has("file")) {
    r.scope.faults->error("missing-key", f.place(), element,
                          "a table has either 'points' or 'file'");
    return table;
  }
  for (const std::string_view key : {"x", "y"})
    if (f.has(key) && !f.has("file"))
      f.error(key, "unused-key", fmt::format("'{}' names a column of a file; there is none", key));
  const int before = r.scope.faults->errors();
  if (const Node* points = f.node("points")) read_points(f, *points, *table);
  if (f.has("file")) read_csv(r, f, *table);
  if (r.scope.faults->errors() > before) return table;
  if (const std::string problem = table->prepare(); !problem.empty())
    f.error(f.has("file") ? "file" : "points", "bad-table", problem);
  return table;
}

}  // namespace sarrus
