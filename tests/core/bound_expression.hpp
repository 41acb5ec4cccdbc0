// An expression of t, x and y and of the table "lift", bound to slots 0, 1 and 2.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "sarrus/core/expression.hpp"

inline sarrus::Expression bound(const std::string& text) {
  using namespace sarrus;
  Expression::Parsed parsed = Expression::parse(text);
  REQUIRE_MESSAGE(parsed.problem.empty(), text, ": ", parsed.problem);
  const std::string unknown = parsed.expression.bind(
      [](const std::string& name) {
        return name == "t" ? 0 : name == "x" ? 1 : name == "y" ? 2 : -1;
      },
      [](const std::string& name) -> std::shared_ptr<const Table> {
        if (name != "lift") return nullptr;
        auto table = std::make_shared<Table>(
            Table{name, {0, 0.3, 0.7, 1.1, 2}, {0, 0.2, 1, 0.4, -1}, {}, {}, {}});
        table->interpolation = Interpolation::cubic;
        REQUIRE(table->prepare() == "");
        return table;
      });
  REQUIRE(unknown == "");
  return parsed.expression;
}

template <class T>
T value_of(const sarrus::Expression& e, const T& t, const T& x, const T& y) {
  const T slots[] = {t, x, y};
  return e.evaluate(std::span<const T>(slots));
}
