// Units: what a quantity is (Dimension), what a word like "N.m/rad" is worth, and strings such as
// "30 deg" as numbers in SI.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sarrus {

/// Exponents of metre, kilogram, second, radian, ampere, kelvin, in this order. The radian is
/// included so that "30 deg" is not taken for a length, and so that a [units] table can speak of
/// degrees.
struct Dimension {
  std::array<signed char, 6> exponent{};
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

namespace dimensions {
//                                                     m  kg  s rad  A  K
inline constexpr Dimension none = {{0, 0, 0, 0, 0, 0}};
inline constexpr Dimension length = {{1, 0, 0, 0, 0, 0}};
inline constexpr Dimension mass = {{0, 1, 0, 0, 0, 0}};
inline constexpr Dimension time = {{0, 0, 1, 0, 0, 0}};
inline constexpr Dimension angle = {{0, 0, 0, 1, 0, 0}};
inline constexpr Dimension speed = {{1, 0, -1, 0, 0, 0}};
inline constexpr Dimension angular_speed = {{0, 0, -1, 1, 0, 0}};
inline constexpr Dimension acceleration = {{1, 0, -2, 0, 0, 0}};
inline constexpr Dimension force = {{1, 1, -2, 0, 0, 0}};
inline constexpr Dimension torque = {{2, 1, -2, 0, 0, 0}};
inline constexpr Dimension inertia = {{2, 1, 0, 0, 0, 0}};
inline constexpr Dimension area = {{2, 0, 0, 0, 0, 0}};
inline constexpr Dimension area_moment = {{4, 0, 0, 0, 0, 0}};
inline constexpr Dimension pressure = {{-1, 1, -2, 0, 0, 0}};
inline constexpr Dimension density = {{-3, 1, 0, 0, 0, 0}};
inline constexpr Dimension stiffness = {{0, 1, -2, 0, 0, 0}};           // N/m
inline constexpr Dimension damping = {{0, 1, -1, 0, 0, 0}};             // N.s/m
inline constexpr Dimension angular_stiffness = {{2, 1, -2, -1, 0, 0}};  // N.m/rad
inline constexpr Dimension angular_damping = {{2, 1, -1, -1, 0, 0}};    // N.m.s/rad
inline constexpr Dimension voltage = {{2, 1, -3, 0, -1, 0}};
inline constexpr Dimension resistance = {{2, 1, -3, 0, -2, 0}};
inline constexpr Dimension inductance = {{2, 1, -2, 0, -2, 0}};
inline constexpr Dimension torque_per_current = {{2, 1, -2, 0, -1, 0}};  // N.m/A, also V.s/rad
}  // namespace dimensions

/// The scale of each base unit in SI: what plain numbers of one file mean. All ones: SI.
struct BaseUnits {
  std::array<double, 6> scale{1, 1, 1, 1, 1, 1};
  /// SI value of one unit of this dimension: Π scaleᵢ^exponentᵢ.
  double factor(const Dimension& d) const;
};

/// A unit word: its value in SI and its dimension.
struct Unit {
  double factor = 1;
  Dimension dimension;
};

/// "mm", "N.m/rad", "kg.m^2", "m/s2", "rpm", "deg/s", "1/s". A '/' divides by the next factor only:
/// "N/m.s" is (N/m)·s. Empty where it is not a unit.
std::optional<Unit> parse_unit(std::string_view text);

/// Same dimension, where "N.m" also passes for "N.m/rad". The radian counts only where besides it
/// at most time is left (angles, their rates, frequencies), so that "30 deg" is never a plain
/// number and "2 Hz" never 2 rad/s.
bool compatible(const Dimension& wanted, const Dimension& given);

/// The result of reading "30 deg" where a quantity of dimension `wanted` is expected.
struct Quantity {
  double value = 0;     // in SI
  std::string problem;  // empty: read; otherwise what is wrong with the text, in words
  std::string hint;
};

/// "NUMBER UNIT", with a blank between them. The whole text must be used.
Quantity parse_quantity(std::string_view text, const Dimension& wanted);

/// Whether the text has the form NUMBER blank UNIT (or looks like a mistyped one), as opposed to an
/// expression.
bool looks_like_quantity(std::string_view text);

/// A finite number that uses the whole text: "1.5", "-2e-3". No 1_000, 0x10, nan, inf, 1,5.
std::optional<double> parse_number(std::string_view text);

/// The name of a dimension in SI as shown to people: "m", "rad/s", "N.m/rad", "1".
std::string si_name(const Dimension& d);

}  // namespace sarrus
