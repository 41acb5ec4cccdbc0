#include "sarrus/show/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

/// The smallest of 1, 2, 5 times a power of ten that is not below x.
double round_step(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (x <= factor * power * (1 + 1e-9)) return factor * power;
  return 10 * power;
}

std::string superscript(int n) {
  static const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = n < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(n))) text += digits[c - '0'];
  return text;
}

std::string with_minus(std::string text) {
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  if (text[0] == '-') text.replace(0, 1, "−");
  return text;
}

}  // namespace

std::string plain_number(double x, int digits) {
  return with_minus(fmt::format("{:.{}g}", x, digits));
}

PlotAxis make_axis(double low, double high, int wanted, double margin) {
  if (!(high > low)) {  // one value: a span around it
    const double room = std::max(std::fabs(low) * 0.05, 0.5);
    low -= room, high += room;
  }
  PlotAxis axis;
  const double span = high - low;
  axis.low = low - margin * span, axis.high = high + margin * span;
  const double step = round_step(span / (1.4 * std::max(wanted, 1)));  // rounding up costs some
  const double largest = std::max(std::fabs(axis.low), std::fabs(axis.high));

  // a common part, where the labels would agree in their first four digits
  double base = 0;
  if (span < 1e-4 * largest) {
    base = std::round((low + high) / 2 / step) * step;
    axis.caption = plain_number(base, 12) + " + ";
  }
  const double shown = base != 0 ? span : largest;
  int exponent = 0;
  if (shown >= 1e5 || shown < 1e-2)
    exponent = static_cast<int>(std::floor(std::log10(shown) / 3)) * 3;
  if (exponent != 0) axis.caption += "10" + superscript(exponent);
  const double unit = std::pow(10.0, exponent);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-9)));
  const double first = std::ceil((axis.low - base) / step - 1e-9);
  for (double k = first; base + k * step <= axis.high + 1e-9 * step; ++k)
    axis.ticks.push_back(
        {base + k * step, with_minus(fmt::format("{:.{}f}", k * step / unit, decimals))});
  return axis;
}

}  // namespace sarrus
