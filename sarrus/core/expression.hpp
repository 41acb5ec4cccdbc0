// Expressions of time, parameters and signals: "0.1 + A*sin(3*t)", "-k*tip.x", "step(t, 0, 0, 1,
// 5)".
//
// Text is parsed once into a list of operations on a stack; names stay names until the expression
// is bound to slots of an array. Evaluation is a template over the scalar, so that a force law has
// exact derivatives and runs in packs; with Jet it gives value, first and second time derivative.
//
// The functions are a fixed list: nothing else can be called, nothing is executed.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/jet.hpp"
#include "sarrus/core/scalar.hpp"
#include "sarrus/core/table.hpp"

namespace sarrus {

class Expression {
 public:
  /// An empty expression: the constant 0.
  Expression() = default;
  static Expression constant(double value);

  /// Parses `text`; on failure `problem` says what is wrong and `column` where (from 1), and the
  /// result is the constant 0. Limits: 10,000 characters, 200 levels of brackets, 64 values at
  /// once. A part without names is computed at once; where that gives no finite number, it is
  /// refused.
  struct Parsed;
  static Parsed parse(std::string_view text);

  const std::string& text() const { return text_; }
  /// Names it mentions that are neither functions nor constants (pi, e): "t", "A", "tip.x"; each
  /// once.
  const std::vector<std::string>& names() const { return names_; }
  /// Names used as functions that are not built in: tables.
  const std::vector<std::string>& table_names() const { return table_names_; }
  bool is_constant() const { return names_.empty() && table_names_.empty(); }
  bool depends_on(std::string_view name) const;
  /// The value of an expression that is_constant().
  double constant_value() const;
  /// The built-in functions, for "did you mean".
  static const std::vector<std::string>& function_names();

  /// Gives every name its slot (−1: unknown, the binding fails and returns that name) and every
  /// table its data. Returns "" or the first unknown name.
  std::string bind(const std::function<int(const std::string&)>& slot_of,
                   const std::function<std::shared_ptr<const Table>(const std::string&)>& table_of);
  /// The slots that the bound expression reads.
  const std::vector<int>& slots() const { return slots_; }

  /// Value with the names' values in `slot`. Implemented for double, Dual<double>, Dual<Pack<4>>,
  /// std::complex<double>, Pack<4>, and the Jet of each. No allocation; each lane of a pack has the
  /// bits that double gives. A NaN in the input is a NaN in the result wherever the input counts.
  template <class T>
  T evaluate(std::span<const T> slot) const;

 private:
  struct Operation {
    int code = 0;      // what to do: a Code of expression_program.hpp
    int argument = 0;  // index of the name or the table, number of arguments, or whole exponent
    double number = 0;
  };
  friend class ExpressionParser;

  std::string text_;
  std::vector<Operation> program_;
  std::vector<std::string> names_, table_names_;
  std::vector<int> slots_;  // slot of names_[i], after bind
  std::vector<std::shared_ptr<const Table>> tables_;
};

struct Expression::Parsed {
  Expression expression;
  std::string problem;  // empty: parsed
  int column = 0;
  std::string hint;
};

}  // namespace sarrus
