// Numbers and formulas of a model file, as declared in fields.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/fields.hpp"

namespace sarrus {
namespace {

struct FaultAt {
  Scope& scope;
  const Node& node;
  const std::string& element;

  std::nullopt_t operator()(std::string code, std::string message, std::string hint = "",
                            int offset = 0) const {
    Place where = scope.document->place(node);
    where.column += offset;
    scope.faults->add({.code = std::move(code),
                       .where = where,
                       .element = element,
                       .message = std::move(message),
                       .hint = std::move(hint),
                       .value = shown(node.text)});
    return std::nullopt;
  }
};

std::vector<std::string> parameter_names(const Scope& scope) {
  std::vector<std::string> names;
  for (const auto& [name, value] : scope.parameters) names.push_back(name);
  return names;
}

/// inf, nan and numbers too large for a double, in any spelling of the formats.
bool is_not_finite(const std::string& text) {
  if (text.find("inf") != std::string::npos || text.find("nan") != std::string::npos) return true;
  double x = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), x);
  return end == text.data() + text.size() && problem == std::errc::result_out_of_range;
}

std::optional<double> plain_number(const FaultAt& fault, const Dimension& dimension) {
  const std::string& text = fault.node.text;
  const std::optional<double> x = parse_number(text);
  if (!x) {
    if (is_not_finite(text))
      return fault("not-finite", fmt::format("{} is not a finite number", shown(text)),
                   "write it like 1000, 1.5 or 2e-3; what has no limit is left out");
    return fault("bad-number", fmt::format("'{}' is not a number as Sarrus reads it", shown(text)),
                 "write it like 1000, 1.5 or 2e-3");
  }
  const double si = *x * fault.scope.units.factor(dimension);
  if (!std::isfinite(si))
    return fault("not-finite", fmt::format("{} is out of range in SI", shown(text)));
  return si;
}

/// Place of a column inside a quoted text: the quote stands before it.
int inside_quotes(int column) { return column > 0 ? column : 0; }

std::optional<Expression> parsed(const FaultAt& fault) {
  Expression::Parsed p = Expression::parse(fault.node.text);
  if (p.problem.empty()) return std::move(p.expression);
  return fault(
      "bad-expression",
      fmt::format("{} at column {} of \"{}\"", p.problem, p.column, shown(fault.node.text)), p.hint,
      inside_quotes(p.column));
}

std::optional<double> evaluated(const FaultAt& fault) {
  std::optional<Expression> e = parsed(fault);
  if (!e) return std::nullopt;
  std::vector<double> values;
  const std::string unknown = e->bind(
      [&](const std::string& name) {
        const auto found = fault.scope.parameters.find(name);
        if (found == fault.scope.parameters.end()) return -1;
        values.push_back(found->second);
        fault.scope.mentioned->push_back({fault.scope.prefix + name,
                                          fault.scope.document->place(fault.node), fault.element,
                                          false, false});
        return static_cast<int>(values.size()) - 1;
      },
      [](const std::string&) { return std::shared_ptr<const Table>(); });
  if (!unknown.empty()) {
    const size_t at = fault.node.text.find(unknown);
    const std::string where = fmt::format(
        "at column {} of \"{}\"", at == std::string::npos ? 1 : at + 1, shown(fault.node.text));
    if (unknown == "t")
      return fault("unknown-name", fmt::format("the time t has no value here, {}", where),
                   "expected a number, not a function of time");
    std::string hint = did_you_mean(unknown, parameter_names(fault.scope));
    if (hint.empty()) hint = "define it under [parameters]";
    return fault("unknown-name",
                 fmt::format("no parameter is called '{}', {}", shown(unknown), where),
                 std::move(hint));
  }
  const double value = e->evaluate<double>(std::span<const double>(values));
  if (!std::isfinite(value))
    return fault("not-finite",
                 fmt::format("\"{}\" gives {}, not a finite number (column 1)",
                             shown(fault.node.text), value),
                 "look for a division by 0 or a root of a negative number, with the parameters as "
                 "they are");
  return value;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

/// The text with the prefix before every name that the expression mentions, but for the time.
std::string prefixed(const std::string& text, const Expression& e, const std::string& prefix) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const std::string word = text.substr(i, end - i);
    const bool mentioned =
        word != "t" && (std::count(e.names().begin(), e.names().end(), word) ||
                        std::count(e.table_names().begin(), e.table_names().end(), word));
    out += mentioned ? prefix + word : word;
    i = end;
  }
  return out;
}

void mention(const FaultAt& fault, const Expression& e) {
  const Place where = fault.scope.document->place(fault.node);
  for (const std::string& name : e.names())
    if (name != "t")
      fault.scope.mentioned->push_back(
          {name, where, fault.element, false,
           name.find('.', fault.scope.prefix.size()) != std::string::npos});
  for (const std::string& name : e.table_names())
    fault.scope.mentioned->push_back({name, where, fault.element, true, false});
}

}  // namespace

std::optional<double> read_number(Scope& scope, const Node& node, const Dimension& dimension,
                                  const std::string& element) {
  const FaultAt fault{scope, node, element};
  if (node.kind == NodeKind::number) return plain_number(fault, dimension);
  if (node.kind != NodeKind::text)
    return fault("wrong-shape", "expected a number, found " + describe(node));
  if (!looks_like_quantity(node.text)) return evaluated(fault);
  if (node.text.find_first_of("*(+") != std::string::npos)
    return fault(
        "bad-expression", fmt::format("a unit stands inside the formula \"{}\"", shown(node.text)),
        "formulas compute with plain numbers in SI: write 30*pi/180 for 30 deg, or give the "
        "number a name under [parameters]");
  const Quantity q = parse_quantity(node.text, dimension);
  if (!q.problem.empty()) return fault("bad-number", q.problem, q.hint);
  return q.value;
}

std::optional<Formula> read_formula(Scope& scope, const Node& node, const Dimension& dimension,
                                    const std::string& element) {
  const FaultAt fault{scope, node, element};
  Place where = scope.document->place(node);
  if (node.kind != NodeKind::text || looks_like_quantity(node.text)) {
    const std::optional<double> x = read_number(scope, node, dimension, element);
    if (!x) return std::nullopt;
    return Formula{Expression::constant(*x), std::move(where)};
  }
  std::optional<Expression> e = parsed(fault);
  if (!e) return std::nullopt;
  if (!scope.prefix.empty() && !e->is_constant())
    e = Expression::parse(prefixed(node.text, *e, scope.prefix)).expression;
  if (e->is_constant()) {
    const double value = e->evaluate<double>({});
    if (!std::isfinite(value))
      return fault("not-finite", fmt::format("\"{}\" gives {}, not a finite number (column 1)",
                                             shown(node.text), value));
  }
  mention(fault, *e);
  return Formula{std::move(*e), std::move(where)};
}

}  // namespace sarrus
