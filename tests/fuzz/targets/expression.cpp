// Formulas: parsed, bound, evaluated. A value may be nan, a crash may not be.
#include "sarrus/core/expression.hpp"

#include <memory>
#include <vector>

#include "fuzz/target.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  Expression::Parsed parsed = Expression::parse(bytes);
  if (!parsed.problem.empty()) return;
  std::vector<double> values;
  const std::string unknown = parsed.expression.bind(
      [&](const std::string&) {
        values.push_back(0.5);
        return static_cast<int>(values.size()) - 1;
      },
      [](const std::string&) { return std::shared_ptr<const Table>(); });
  if (unknown.empty())
    static_cast<void>(parsed.expression.evaluate<double>(std::span<const double>(values)));
}
