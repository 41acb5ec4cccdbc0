#include "sarrus/model/settings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace sarrus {
namespace {

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

std::string range_problem(Range range, double x, const char* unit) {
  const auto is_no = [&](const char* what) { return fmt::format("{}{} is not {}", x, unit, what); };
  switch (range) {
    case Range::any: break;
    case Range::finite:
      if (!std::isfinite(x)) return is_no("finite");
      break;
    case Range::positive:
      if (!(x > 0 && std::isfinite(x))) return is_no("above 0");
      break;
    case Range::tolerance:
      if (!(x > 0 && x < 1)) return is_no("a tolerance between 0 and 1");
      break;
    case Range::share:
      if (!(x >= 0 && x <= 1)) return is_no("from 0 to 1");
      break;
  }
  return "";
}

}  // namespace

Setting::Value Setting::value(const SimulateSpec& s) const {
  return std::visit(
      [&](auto at) -> Value {
        const auto& x = s.*at;
        if constexpr (is_optional<std::decay_t<decltype(x)>>::value) {
          if (!x) return {};
          return Value(*x);
        } else {
          return Value(x);
        }
      },
      member);
}

void Setting::set(SimulateSpec& s, const Value& value) const {
  std::visit(
      [&](auto at) {
        auto& x = s.*at;
        using T = std::decay_t<decltype(x)>;
        if constexpr (is_optional<T>::value)
          x = std::get<typename T::value_type>(value);
        else
          x = std::get<T>(value);
      },
      member);
}

std::string Setting::problem(const SimulateSpec& s) const {
  const Value now = value(s);
  const char* unit = dimension == dimensions::time     ? " s"
                     : dimension == dimensions::length ? " m"
                                                       : "";
  if (const double* x = std::get_if<double>(&now)) return range_problem(range, *x, unit);
  if (const long long* n = std::get_if<long long>(&now))
    return range_problem(range, static_cast<double>(*n), unit);
  return "";
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = every_setting();
  return all;
}

const Setting& setting(std::string_view name) {
  for (const Setting& s : settings())
    if (s.name == name) return s;
  throw std::logic_error("there is no setting '" + std::string(name) + "'");
}

}  // namespace sarrus
