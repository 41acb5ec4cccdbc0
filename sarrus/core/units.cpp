// Units are a table of words with the prefixes each may carry, joined by products, quotients and
// whole powers. Factors: SI brochure (9th edition); inch, foot, pound by their definitions in
// metres and kilograms (1959), pound-force with the standard acceleration of gravity 9.80665 m/s².
#include "sarrus/core/units.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "sarrus/core/ascii.hpp"
#include "sarrus/core/near_match.hpp"

namespace sarrus {
namespace {

using std::numbers::pi;

struct Word {
  std::string_view name;
  double factor;
  Dimension dimension;
  std::string_view prefixes = "";  // the prefixes that make sense before it
};

constexpr Dimension pressure = {{-1, 1, -2, 0, 0, 0}};
constexpr Dimension power = {{2, 1, -3, 0, 0, 0}};
constexpr Dimension frequency = {{0, 0, -1, 0, 0, 0}};
constexpr Dimension current = {{0, 0, 0, 0, 1, 0}};
constexpr Dimension temperature = {{0, 0, 0, 0, 0, 1}};
constexpr double inch = 0.0254, foot = 0.3048, pound = 0.45359237, pound_force = pound * 9.80665;

const std::vector<Word>& words() {
  static const std::vector<Word> table = {
      {"m", 1, dimensions::length, "numcdk"},
      {"in", inch, dimensions::length},
      {"ft", foot, dimensions::length},
      {"g", 1e-3, dimensions::mass, "umk"},
      {"t", 1e3, dimensions::mass},
      {"lb", pound, dimensions::mass},
      {"lbs", pound, dimensions::mass},
      {"s", 1, dimensions::time, "num"},
      {"min", 60, dimensions::time},
      {"h", 3600, dimensions::time},
      {"rad", 1, dimensions::angle, "um"},
      {"deg", pi / 180, dimensions::angle},
      {"°", pi / 180, dimensions::angle},
      {"rev", 2 * pi, dimensions::angle},
      {"rpm", 2 * pi / 60, dimensions::angular_speed},
      {"Hz", 1, frequency, "mkMG"},
      {"N", 1, dimensions::force, "umkM"},
      {"lbf", pound_force, dimensions::force},
      {"J", 1, dimensions::torque, "umkM"},
      {"W", 1, power, "umkM"},
      {"Pa", 1, pressure, "mkMG"},
      {"bar", 1e5, pressure, "m"},
      {"psi", pound_force / (inch * inch), pressure},
      {"A", 1, current, "umk"},
      {"V", 1, dimensions::voltage, "umk"},
      {"ohm", 1, dimensions::resistance, "mkM"},
      {"Ω", 1, dimensions::resistance, "mkM"},
      {"H", 1, dimensions::inductance, "num"},
      {"K", 1, temperature, "m"},
      // the products that people write as one word
      {"Nm", 1, dimensions::torque, "umkM"},
      {"Nmm", 1e-3, dimensions::torque, "k"},
  };
  return table;
}

double prefix_factor(char prefix) {
  switch (prefix) {
    case 'n': return 1e-9;
    case 'u': return 1e-6;
    case 'm': return 1e-3;
    case 'c': return 1e-2;
    case 'd': return 1e-1;
    case 'k': return 1e3;
    case 'M': return 1e6;
    case 'G': return 1e9;
  }
  return 1;
}

/// Dividing by a power of ten rounds once, multiplying by its inverse twice.
double prefixed(char prefix, double factor) {
  const double scale = prefix_factor(prefix);
  return scale < 1 ? factor / std::round(1 / scale) : factor * scale;
}

std::optional<Unit> find_word(std::string_view name) {
  for (const Word& w : words())
    if (w.name == name) return Unit{w.factor, w.dimension};
  // the micro sign and the Greek letter stand for u
  for (const std::string_view micro : {"µ", "μ"})
    if (name.starts_with(micro)) return find_word("u" + std::string(name.substr(micro.size())));
  if (name.size() < 2) return std::nullopt;
  for (const Word& w : words())
    if (name.substr(1) == w.name && w.prefixes.find(name[0]) != w.prefixes.npos)
      return Unit{prefixed(name[0], w.factor), w.dimension};
  return std::nullopt;
}

std::vector<std::string> all_words() {
  std::vector<std::string> all;
  for (const Word& w : words()) {
    all.emplace_back(w.name);
    for (const char prefix : w.prefixes) all.push_back(prefix + std::string(w.name));
  }
  return all;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool take(std::string_view& text, std::string_view token) {
  if (!text.starts_with(token)) return false;
  text.remove_prefix(token.size());
  return true;
}

/// '.', '*', '·' (and the dot operator U+22C5), or '/'.
bool take_product(std::string_view& text) {
  return take(text, ".") || take(text, "*") || take(text, "·") || take(text, "⋅");
}

/// A letter of a unit word: ASCII, or one of the few signs beyond it.
size_t letter_size(std::string_view text) {
  if (!text.empty() && is_letter(text[0])) return 1;
  for (const std::string_view sign : {"°", "Ω", "µ", "μ"})
    if (text.starts_with(sign)) return sign.size();
  return 0;
}

std::string_view take_word(std::string_view& text) {
  const std::string_view start = text;
  while (const size_t n = letter_size(text)) text.remove_prefix(n);
  return start.substr(0, start.size() - text.size());
}

/// "^2", "^-1", "2", "²" or nothing (1); empty where a "^" is not followed by a whole number.
std::optional<int> take_power(std::string_view& text) {
  if (take(text, "²")) return 2;
  if (take(text, "³")) return 3;
  const bool hat = take(text, "^");
  const bool minus = hat && take(text, "-");
  if (text.empty() || !is_digit(text[0])) return hat ? std::nullopt : std::optional<int>(1);
  const int n = text[0] - '0';
  text.remove_prefix(1);
  if (!text.empty() && is_digit(text[0]))
    return std::nullopt;  // no power beyond nine has a meaning
  return minus ? -n : n;
}

struct UnitReading {
  std::optional<Unit> unit;
  std::string unknown;  // the word that is no unit, where that is the reason
};

UnitReading read_unit(std::string_view text) {
  constexpr size_t longest = 100;
  if (text.empty() || text.size() > longest) return {};
  Unit unit;
  std::array<int, 6> exponent{};
  int direction = 1;
  while (true) {
    if (!take(text, "1")) {  // "1/s": a one, and nothing more, stands for no unit
      const std::string_view name = take_word(text);
      if (name.empty()) return {};
      const std::optional<Unit> found = find_word(name);
      if (!found) return {std::nullopt, std::string(name)};
      const std::optional<int> n = take_power(text);
      if (!n) return {};
      unit.factor *= std::pow(found->factor, direction * *n);
      for (size_t i = 0; i < 6; ++i) exponent[i] += direction * *n * found->dimension.exponent[i];
    }
    if (text.empty()) break;
    direction = take(text, "/") ? -1 : 1;
    if (direction == 1 && !take_product(text)) return {};
  }
  for (size_t i = 0; i < 6; ++i) {
    if (std::abs(exponent[i]) > 100) return {};
    unit.dimension.exponent[i] = static_cast<signed char>(exponent[i]);
  }
  return {unit, ""};
}

/// Names of quantities for messages; the first of a dimension counts.
struct Named {
  Dimension dimension;
  std::string_view si, quantity;
};

constexpr Named named[] = {
    {dimensions::none, "1", "a plain number"},
    {dimensions::length, "m", "a length"},
    {dimensions::mass, "kg", "a mass"},
    {dimensions::time, "s", "a time"},
    {dimensions::angle, "rad", "an angle"},
    {dimensions::speed, "m/s", "a speed"},
    {dimensions::angular_speed, "rad/s", "an angular speed"},
    {dimensions::acceleration, "m/s^2", "an acceleration"},
    {dimensions::force, "N", "a force"},
    {dimensions::torque, "N.m", "a torque or an energy"},
    {dimensions::inertia, "kg.m^2", "a moment of inertia"},
    {dimensions::density, "kg/m^3", "a density"},
    {dimensions::stiffness, "N/m", "a stiffness"},
    {dimensions::damping, "N.s/m", "a damping"},
    {dimensions::angular_stiffness, "N.m/rad", "an angular stiffness"},
    {dimensions::angular_damping, "N.m.s/rad", "an angular damping"},
    {dimensions::voltage, "V", "a voltage"},
    {dimensions::resistance, "ohm", "a resistance"},
    {dimensions::inductance, "H", "an inductance"},
    {dimensions::torque_per_current, "N.m/A", "a torque per current"},
    {pressure, "Pa", "a pressure"},
    {power, "W", "a power"},
    {frequency, "1/s", "a frequency"},
    {current, "A", "a current"},
    {temperature, "K", "a temperature"},
    {{{2, 0, 0, 0, 0, 0}}, "m^2", "an area"},
    {{{3, 0, 0, 0, 0, 0}}, "m^3", "a volume"},
};

/// "a length (m)", or the unit alone where the quantity has no common name.
std::string described(const Dimension& d) {
  for (const Named& n : named)
    if (n.dimension == d)
      return d == dimensions::none ? std::string(n.quantity)
                                   : fmt::format("{} ({})", n.quantity, n.si);
  return fmt::format("a quantity in {}", si_name(d));
}

/// How many characters at the start of the text are a number.
size_t number_prefix(std::string_view text) {
  const size_t sign = text.starts_with('+') ? 1 : 0;
  double ignored;
  const auto [end, status] =
      std::from_chars(text.data() + sign, text.data() + text.size(), ignored);
  const size_t used = static_cast<size_t>(end - text.data());
  return used == sign || is_letter(text[used - 1]) ? 0 : used;  // a letter: "inf", "nan"
}

/// x · factor, where "9 mm" is 9/1000 rounded once: the same number as 0.009.
double scaled(double x, double factor) {
  const double inverse = std::round(1 / factor);
  return factor < 1 && 1 / inverse == factor ? x / inverse : x * factor;
}

Quantity refused(std::string problem, std::string hint) {
  return {0, std::move(problem), std::move(hint)};
}

Quantity without_blank(std::string_view text) {
  const size_t n = number_prefix(text);
  const std::string_view number = text.substr(0, n), rest = text.substr(n);
  if (n > 0 && parse_number(number) && read_unit(rest).unit)
    return refused(fmt::format("'{}' has no blank between the number and the unit", text),
                   fmt::format("write '{} {}'", number, rest));
  return refused(fmt::format("'{}' is not a number with a unit", text),
                 "write a number, a blank and a unit, like '1.5 kg'");
}

Quantity bad_number(std::string_view number, std::string_view unit) {
  std::string hint = "write digits with a point, like '1.5' or '-2e-3'";
  if (const size_t comma = number.find(','); comma != number.npos) {
    std::string pointed(number);
    pointed[comma] = '.';
    if (parse_number(pointed)) hint = fmt::format("write '{} {}'", pointed, unit);
  }
  return refused(fmt::format("'{}' is not a number", number), hint);
}

/// The unit that a mistyped word was meant to be, or "".
std::string meant_unit(std::string_view unknown) {
  for (const std::string_view second : {"mm", "m", "s"})  // "Nm" was meant as a product
    if (unknown.ends_with(second)) {
      const std::string_view first = unknown.substr(0, unknown.size() - second.size());
      const std::optional<Unit> unit = find_word(first);
      if (unit && unit->dimension.exponent[1] != 0) return fmt::format("{}.{}", first, second);
    }
  return near_match(unknown, all_words());
}

/// Scales with an offset: twice 10 degC is not 20 degC, so no factor converts to kelvin.
bool has_offset(std::string_view word) {
  for (const std::string_view scale : {"degC", "°C", "degF", "°F", "celsius", "fahrenheit"})
    if (word == scale) return true;
  return false;
}

Quantity bad_unit(std::string_view unit, const std::string& unknown, const Dimension& wanted) {
  if (has_offset(unknown))
    return refused(
        fmt::format("'{}' is not read: its zero is not the zero of temperature", unknown),
        "write kelvin: 20 degC is '293.15 K', and a difference of 20 degC is '20 K'");
  if (!unknown.empty()) {
    const std::string near = meant_unit(unknown);
    const std::string hint = near.empty() ? fmt::format("due is {}", described(wanted))
                                          : fmt::format("did you mean '{}'?", near);
    if (unknown == unit) return refused(fmt::format("unknown unit '{}'", unit), hint);
    return refused(fmt::format("unknown unit '{}' in '{}'", unknown, unit), hint);
  }
  return refused(fmt::format("'{}' is not a unit", unit),
                 "units are joined by '.' and '/', with powers like m^2 and no blanks or brackets");
}

}  // namespace

double BaseUnits::factor(const Dimension& d) const {
  double f = 1;
  for (size_t i = 0; i < scale.size(); ++i)
    if (d.exponent[i] != 0) f *= std::pow(scale[i], d.exponent[i]);
  return f;
}

std::optional<Unit> parse_unit(std::string_view text) { return read_unit(text).unit; }

bool compatible(const Dimension& wanted, const Dimension& given) {
  if (wanted == given) return true;
  constexpr size_t time = 2, radian = 3;
  bool radian_counts = true;
  for (size_t i = 0; i < 6; ++i) {
    if (i == radian) continue;
    if (wanted.exponent[i] != given.exponent[i]) return false;
    if (i != time && wanted.exponent[i] != 0) radian_counts = false;
  }
  return !radian_counts;
}

Quantity parse_quantity(std::string_view text, const Dimension& wanted) {
  text = trimmed(text, is_blank);
  if (text.empty())
    return refused("the text is empty", fmt::format("due is {}", described(wanted)));
  if (const std::optional<double> plain = parse_number(text)) {
    if (wanted == dimensions::none) return {*plain, "", ""};
    return refused(fmt::format("'{}' has no unit; expected {}", text, described(wanted)),
                   fmt::format("write '{} {}'", text, si_name(wanted)));
  }
  const size_t blank = text.find_first_of(" \t");
  if (blank == text.npos) return without_blank(text);
  const std::string_view number = text.substr(0, blank),
                         unit = trimmed(text.substr(blank), is_blank);
  const std::optional<double> x = parse_number(number);
  if (!x) return bad_number(number, unit);
  const UnitReading reading = read_unit(unit);
  if (!reading.unit) return bad_unit(unit, reading.unknown, wanted);
  if (!compatible(wanted, reading.unit->dimension))
    return refused(fmt::format("'{}' is {}; expected {}", text, described(reading.unit->dimension),
                               described(wanted)),
                   fmt::format("write it in {}", si_name(wanted)));
  const double value = scaled(*x, reading.unit->factor);
  if (!std::isfinite(value)) return refused(fmt::format("'{}' is too large", text), "");
  return {value, "", ""};
}

bool looks_like_quantity(std::string_view text) {
  text = trimmed(text, is_blank);
  // what was meant as a number may be mistyped: "1,5 kg", "1_000 m"
  size_t n = number_prefix(text);
  while (n > 0 && n < text.size() && (is_digit(text[n]) || text[n] == ',' || text[n] == '_')) ++n;
  if (n == 0) return false;
  const std::string_view rest = trimmed(text.substr(n), is_blank);
  if (rest.starts_with("1/")) return n < text.size() && is_blank(text[n]);
  std::string_view after = rest;
  const std::string_view word = take_word(after);
  return !word.empty() && word != "and" && word != "or";
}

std::optional<double> parse_number(std::string_view text) {
  // from_chars knows no plus sign; one before a digit or a point is harmless
  if (text.size() > 1 && text[0] == '+' && (is_digit(text[1]) || text[1] == '.'))
    text.remove_prefix(1);
  double x = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(x))
    return std::nullopt;
  return x;
}

std::string si_name(const Dimension& d) {
  for (const Named& n : named)
    if (n.dimension == d) return std::string(n.si);
  constexpr std::array<std::string_view, 6> base = {"m", "kg", "s", "rad", "A", "K"};
  std::string above, below;
  for (const size_t i : {1u, 0u, 2u, 3u, 4u, 5u}) {  // kg before m, as is the custom
    const int n = d.exponent[i];
    if (n == 0) continue;
    const int size = std::abs(n);
    const std::string factor =
        size == 1 ? std::string(base[i]) : fmt::format("{}^{}", base[i], size);
    if (n > 0) above += (above.empty() ? "" : ".") + factor;
    if (n < 0) below += "/" + factor;
  }
  return (above.empty() ? "1" : above) + below;
}

}  // namespace sarrus
