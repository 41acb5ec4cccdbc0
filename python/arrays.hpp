// Numpy arrays in and out: lengths are checked with words, views keep their owner alive.
#pragma once

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <cmath>
#include <span>
#include <vector>

namespace sarrus::python {

/// Whatever becomes doubles without a loss: other numbers, lists, other layouts; no complex numbers.
using Array = pybind11::array_t<double, pybind11::array::c_style>;

/// "3 × 2", or "one number".
inline std::string shape_text(const Array& given) {
  std::string shape;
  for (pybind11::ssize_t i = 0; i < given.ndim(); ++i)
    shape += fmt::format("{}{}", i ? " × " : "", given.shape(i));
  return shape.empty() ? "one number" : shape;
}

/// One row of `size` finite numbers called `name`.
inline std::vector<double> numbers(const Array& given, int size, const char* name) {
  if (given.ndim() != 1 || given.shape(0) != size)
    throw pybind11::value_error(
        fmt::format("{} has {} entries, not {}", name, size, shape_text(given)));
  std::vector<double> values(given.data(), given.data() + size);
  for (int i = 0; i < size; ++i)
    if (!std::isfinite(values[static_cast<size_t>(i)]))
      throw pybind11::value_error(fmt::format("{}[{}] is {}, not a finite number", name, i,
                                              values[static_cast<size_t>(i)]));
  return values;
}

/// Refuses what is not a finite number, in an array of any shape.
inline void check_finite(const Array& given, const char* name) {
  const double* x = given.data();
  for (pybind11::ssize_t i = 0; i < given.size(); ++i)
    if (!std::isfinite(x[i]))
      throw pybind11::value_error(
          fmt::format("{} has {} as entry {}, not a finite number", name, x[i], i));
}

inline Array array_of(std::span<const double> values) {
  return Array(static_cast<pybind11::ssize_t>(values.size()), values.data());
}

/// A read-only view of numbers that belong to `owner`: nothing is copied.
inline pybind11::array view(const double* data, std::vector<pybind11::ssize_t> shape,
                            std::vector<pybind11::ssize_t> strides, pybind11::handle owner) {
  pybind11::array_t<double> seen(std::move(shape), std::move(strides), data, owner);
  seen.attr("flags").attr("writeable") = false;
  return seen;
}

}  // namespace sarrus::python
