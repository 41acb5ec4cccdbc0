// Evaluation: the operations in the order of the program, each taking its values from the top of a
// stack of fixed size and leaving one there. The switch looks at the program, never at a value, so
// that one walk serves all lanes of a pack.
#include "sarrus/core/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "sarrus/core/course.hpp"
#include "sarrus/core/expression_functions.hpp"
#include "sarrus/core/expression_program.hpp"

namespace sarrus {
namespace program {
namespace {

/// f(x) for the operations that take one value.
template <class T>
T unary(Code code, const T& x) {
  switch (code) {
    case Code::negate: return -x;
    case Code::logical_not: return negated(x);
    // sincos for every scalar, so that a lane of a pack and a double have the same bits
    case Code::sin: return sincos(x).sin;
    case Code::cos: return sincos(x).cos;
    case Code::tan: return tan(x);
    case Code::asin: return asin(x);
    case Code::acos: return acos(x);
    case Code::atan: return atan(x);
    case Code::sinh: return sinh(x);
    case Code::cosh: return cosh(x);
    case Code::tanh: return tanh(x);
    case Code::exp: return exp(x);
    case Code::log: return log(x);
    case Code::log10: return log_10(x);
    case Code::sqrt: return sqrt(x);
    case Code::abs: return step_abs(x);
    case Code::sign: return sign(x);
    case Code::floor: return floor(x);
    default: throw std::logic_error("expression: not an operation on one value");
  }
}

/// f(a, b) for the operations that take two values.
template <class T>
T binary(Code code, const T& a, const T& b) {
  switch (code) {
    case Code::add: return a + b;
    case Code::subtract: return a - b;
    case Code::multiply: return a * b;
    case Code::divide: return a / b;
    case Code::pow: return general_power(a, b);
    case Code::less: return is_less(a, b);
    case Code::less_equal: return negated(is_less(b, a));
    case Code::equal: return is_equal(a, b);
    case Code::unequal: return negated(is_equal(a, b));
    case Code::logical_and: return both(a, b);
    case Code::logical_or: return negated(both(negated(a), negated(b)));
    case Code::atan2: return atan2(a, b);
    case Code::hypot: return sqrt(a * a + b * b);
    case Code::mod: return modulo(a, b);
    case Code::min: return smaller(a, b);
    case Code::max: return larger(a, b);
    default: throw std::logic_error("expression: not an operation on two values");
  }
}

/// f(x[0], x[1], …) for the operations that take three or more.
template <class T>
T several(Code code, const T* x) {
  switch (code) {
    case Code::choose: return choose(x[0], x[1], x[2]);
    case Code::clamp: return smaller(larger(x[0], x[1]), x[2]);
    case Code::pulse: return both(negated(is_less(x[0], x[1])), is_less(x[0], x[2]));
    case Code::step: return smooth_step(x[0], x[1], x[2], x[3], x[4]);
    case Code::ramp: return ramp(x[0], x[1], x[2], x[3], x[4]);
    default: throw std::logic_error("expression: not an operation on several values");
  }
}

int values_taken(Code code) { return code == Code::step || code == Code::ramp ? 5 : 3; }

}  // namespace
}  // namespace program

template <class T>
T Expression::evaluate(std::span<const T> slot) const {
  using program::Code;
  if (slots_.size() != names_.size() || tables_.size() != table_names_.size())
    throw std::logic_error(fmt::format("expression '{}' is evaluated before it is bound", text_));

  // raw memory: the stack is written before it is read, and clearing it would cost more than most
  // expressions
  alignas(T) unsigned char memory[program::stack_limit * sizeof(T)];
  T* const bottom = reinterpret_cast<T*>(memory);
  T* end = bottom;
  for (const Operation& op : program_) {
    const Code code = static_cast<Code>(op.code);
    if (code == Code::number) {
      *end++ = T{op.number};
    } else if (code == Code::name) {
      assert(static_cast<size_t>(slots_[op.argument]) < slot.size());
      *end++ = slot[slots_[op.argument]];
    } else if (code == Code::power) {
      end[-1] = program::whole_power(end[-1], op.argument);
    } else if (code == Code::table) {
      end[-1] = program::look_up(*tables_[op.argument], end[-1]);
    } else if (code < Code::power) {
      end[-1] = program::unary(code, end[-1]);
    } else if (code < Code::min) {
      --end;
      end[-1] = program::binary(code, end[-1], end[0]);
    } else if (code <= Code::max) {
      for (int i = 1; i < op.argument; ++i) {
        --end;
        end[-1] = program::binary(code, end[-1], end[0]);
      }
    } else {
      end -= program::values_taken(code) - 1;
      end[-1] = program::several(code, end - 1);
    }
  }
  return end == bottom ? T{0.0} : end[-1];
}

template double Expression::evaluate(std::span<const double>) const;
template Dual<double> Expression::evaluate(std::span<const Dual<double>>) const;
template Dual<Pack<4>> Expression::evaluate(std::span<const Dual<Pack<4>>>) const;
template std::complex<double> Expression::evaluate(std::span<const std::complex<double>>) const;
template Pack<4> Expression::evaluate(std::span<const Pack<4>>) const;
template Jet<double> Expression::evaluate(std::span<const Jet<double>>) const;
template Jet<Dual<double>> Expression::evaluate(std::span<const Jet<Dual<double>>>) const;
template Jet<Dual<Pack<4>>> Expression::evaluate(std::span<const Jet<Dual<Pack<4>>>>) const;
template Jet<std::complex<double>> Expression::evaluate(
    std::span<const Jet<std::complex<double>>>) const;
template Jet<Pack<4>> Expression::evaluate(std::span<const Jet<Pack<4>>>) const;
template Course Expression::evaluate(std::span<const Course>) const;
template Sided Expression::evaluate(std::span<const Sided>) const;

Expression Expression::constant(double value) {
  Expression e;
  e.text_ = fmt::format("{}", value);
  e.program_.push_back({static_cast<int>(program::Code::number), 0, value});
  return e;
}

double Expression::constant_value() const {
  if (!is_constant()) throw std::logic_error(fmt::format("expression '{}' is not constant", text_));
  return evaluate(std::span<const double>{});
}

bool Expression::depends_on(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string Expression::bind(
    const std::function<int(const std::string&)>& slot_of,
    const std::function<std::shared_ptr<const Table>(const std::string&)>& table_of) {
  std::vector<int> slots;
  std::vector<std::shared_ptr<const Table>> tables;
  for (const std::string& name : names_) {
    const int slot = slot_of(name);
    if (slot < 0) return name;
    slots.push_back(slot);
  }
  for (const std::string& name : table_names_) {
    std::shared_ptr<const Table> table = table_of(name);
    if (!table) return name;
    tables.push_back(std::move(table));
  }
  slots_ = std::move(slots);
  tables_ = std::move(tables);
  return "";
}

}  // namespace sarrus
