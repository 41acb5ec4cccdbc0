// What an expression is compiled to, shared by its parser and its evaluation: codes of the
// operations on a stack, and the list of built-in functions. Not for use outside.
#pragma once

#include <span>
#include <string_view>

namespace sarrus::program {

enum class Code {
  // push one value
  number,
  name,
  // one value for one
  negate,
  logical_not,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  floor,
  power,  // x^n with the whole number n = argument
  table,  // table number `argument`
  // one value for two
  add,
  subtract,
  multiply,
  divide,
  pow,
  less,
  less_equal,
  equal,
  unequal,
  logical_and,
  logical_or,
  atan2,
  hypot,
  mod,
  // one value for several
  min,
  max,  // `argument` values
  choose,
  clamp,
  pulse,
  step,
  ramp
};

/// Values that an evaluation may hold at once.
inline constexpr int stack_limit = 64;

struct Function {
  std::string_view name;
  Code code;
  int least, most;  // number of arguments
};

std::span<const Function> functions();

}  // namespace sarrus::program
