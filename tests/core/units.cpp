// Units: words against their definitions, quantities read from text, and what is refused.
#include "sarrus/core/units.hpp"

#include <doctest/doctest.h>

#include <numbers>
#include <string>

#include "near.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;
using std::numbers::pi;

namespace {

double si(const std::string& text) {
  const auto unit = parse_unit(text);
  REQUIRE_MESSAGE(unit.has_value(), text);
  return unit->factor;
}

struct Given {
  std::string text;
  double si;  // by the definition of the unit
  Dimension dimension;
};

}  // namespace

TEST_CASE("units: every word is worth its definition") {
  const Given table[] = {
      {"m", 1, dimensions::length},
      {"mm", 1e-3, dimensions::length},
      {"cm", 1e-2, dimensions::length},
      {"km", 1e3, dimensions::length},
      {"um", 1e-6, dimensions::length},
      {"µm", 1e-6, dimensions::length},
      {"in", 0.0254, dimensions::length},
      {"ft", 0.3048, dimensions::length},
      {"g", 1e-3, dimensions::mass},
      {"kg", 1, dimensions::mass},
      {"t", 1e3, dimensions::mass},
      {"lb", 0.45359237, dimensions::mass},
      {"lbs", 0.45359237, dimensions::mass},
      {"Nm", 1, dimensions::torque},
      {"Nmm", 1e-3, dimensions::torque},
      {"kNm", 1e3, dimensions::torque},
      {"Nmm/deg", 1e-3 * 180 / pi, dimensions::angular_stiffness},
      {"ms", 1e-3, dimensions::time},
      {"us", 1e-6, dimensions::time},
      {"min", 60, dimensions::time},
      {"h", 3600, dimensions::time},
      {"deg", pi / 180, dimensions::angle},
      {"rev", 2 * pi, dimensions::angle},
      {"rpm", 2 * pi / 60, dimensions::angular_speed},
      {"rev/min", 2 * pi / 60, dimensions::angular_speed},
      {"N", 1, dimensions::force},
      {"kg.m/s^2", 1, dimensions::force},
      {"kN", 1e3, dimensions::force},
      {"mN", 1e-3, dimensions::force},
      {"lbf", 4.4482216152605, dimensions::force},
      {"J", 1, dimensions::torque},
      {"N.m", 1, dimensions::torque},
      {"N*m", 1, dimensions::torque},
      {"N·m", 1, dimensions::torque},
      {"W.s", 1, dimensions::torque},
      {"mV", 1e-3, dimensions::voltage},
      {"W/A", 1, dimensions::voltage},
      {"V/A", 1, dimensions::resistance},
      {"ohm", 1, dimensions::resistance},
      {"Ω", 1, dimensions::resistance},
      {"ohm.s", 1, dimensions::inductance},
      {"mH", 1e-3, dimensions::inductance},
      {"MPa.mm^2", 1, dimensions::force},
      {"GPa.m2", 1e9, dimensions::force},
      {"bar.m²", 1e5, dimensions::force},
      {"psi.in^2", 4.4482216152605, dimensions::force},
      {"Hz.m", 1, dimensions::speed},
      {"km/h", 1 / 3.6, dimensions::speed},
      {"1/s.m", 1, dimensions::speed},
      {"m.s^-1", 1, dimensions::speed},
      {"g/cm^3", 1e3, dimensions::density},
      {"N.mm/deg", 1e-3 * 180 / pi, dimensions::angular_stiffness},
      {"N.m/rad.s", 1, dimensions::angular_damping},  // (N.m/rad)·s
      {"V.s", 1, {{2, 1, -2, 0, -1, 0}}},
  };
  for (const Given& given : table) {
    CAPTURE(given.text);
    CHECK(near(si(given.text), given.si, 1e-15));  // a product of a few factors
    CHECK(parse_unit(given.text)->dimension == given.dimension);
  }
}

TEST_CASE("units: a slash divides by the next factor only") {
  CHECK(parse_unit("m/s/s")->dimension == dimensions::acceleration);
  CHECK(parse_unit("N/m.s")->dimension == dimensions::damping);
  CHECK(parse_unit("N.s/m")->dimension == dimensions::damping);
}

TEST_CASE("units: what is no unit is not read") {
  for (const std::string text :
       {"",    "Ns", "kgm", "m/", "/s",   "m//s", "m^", "m^1.5", "m^x", "m^10",  "N m",
        "(m)", "2m", "cs",  "Gg", "mmin", "m.",   ".m", "mm ",   "M",   "metre", "kKg"})
    CHECK_MESSAGE(!parse_unit(text), text);
  CHECK(!parse_unit(std::string(100000, 'm')));
}

TEST_CASE("units: the SI name of a dimension reads back as one of it") {
  for (int m = -3; m <= 3; ++m)
    for (int kg = -1; kg <= 1; ++kg)
      for (int s = -3; s <= 2; ++s)
        for (int rad = -2; rad <= 2; ++rad)
          for (int A = -2; A <= 1; ++A) {
            const auto c = [](int n) { return static_cast<signed char>(n); };
            const Dimension d = {{c(m), c(kg), c(s), c(rad), c(A), 0}};
            const std::string name = si_name(d);
            CAPTURE(name);
            const auto unit = parse_unit(name);
            REQUIRE(unit.has_value());
            CHECK(unit->dimension == d);
            CHECK(unit->factor == 1);
          }
  CHECK(si_name(dimensions::angular_speed) == "rad/s");
  CHECK(si_name(dimensions::angular_stiffness) == "N.m/rad");
  CHECK(si_name(dimensions::none) == "1");
}

TEST_CASE(
    "units: a file in millimetres and tonnes counts force in newtons and stress in megapascals") {
  const BaseUnits base{{1e-3, 1e3, 1, 1, 1, 1}};
  CHECK(near(base.factor(dimensions::force), 1, rounding(4)));
  CHECK(near(base.factor(parse_unit("Pa")->dimension), 1e6, rounding(4)));
  CHECK(near(base.factor(dimensions::density), 1e12, rounding(4)));
  CHECK(base.factor(dimensions::none) == 1);
}

TEST_CASE("units: the radian counts for angles and rates, not for torques") {
  CHECK(compatible(dimensions::angular_stiffness, dimensions::torque));
  CHECK(compatible(dimensions::torque_per_current, parse_unit("V.s/rad")->dimension));
  CHECK(!compatible(dimensions::none, dimensions::angle));
  CHECK(!compatible(dimensions::angle, dimensions::none));
  CHECK(!compatible(dimensions::angular_speed, parse_unit("Hz")->dimension));
  CHECK(!compatible(dimensions::length, dimensions::angle));
}

TEST_CASE("quantities: text with a unit is the number in SI, to the last digit where it can be") {
  CHECK(near(parse_quantity("30 deg", dimensions::angle).value, pi / 6, rounding(2)));
  CHECK(parse_quantity("9 mm", dimensions::length).value == 0.009);
  CHECK(parse_quantity("-2.5e1 cm", dimensions::length).value == -0.25);
  CHECK(parse_quantity("3 1/s", parse_unit("Hz")->dimension).value == 3);
  CHECK(parse_quantity("  4 kg ", dimensions::mass).value == 4);
  CHECK(parse_quantity("4  kg", dimensions::mass).problem == "");
  CHECK(parse_quantity("0.7", dimensions::none).value == 0.7);
}

TEST_CASE("quantities: a refusal names what was found, what is expected and what to write") {
  const Quantity tight = parse_quantity("1.5kg", dimensions::mass);
  CHECK(tight.problem == "'1.5kg' has no blank between the number and the unit");
  CHECK(tight.hint == "write '1.5 kg'");

  const Quantity other = parse_quantity("3 kg", dimensions::length);
  CHECK(other.problem == "'3 kg' is a mass (kg); expected a length (m)");

  const Quantity typo = parse_quantity("30 dge", dimensions::angle);
  CHECK(typo.problem == "unknown unit 'dge'");
  CHECK(typo.hint == "did you mean 'deg'?");

  const Quantity inside = parse_quantity("3 N.mm/dge", dimensions::angular_stiffness);
  CHECK(inside.problem == "unknown unit 'dge' in 'N.mm/dge'");
  CHECK(parse_quantity("3 Ns", dimensions::force).hint == "did you mean 'N.s'?");
  CHECK(parse_quantity("1,5 m", dimensions::length).hint == "write '1.5 m'");
  CHECK(parse_quantity("7", dimensions::length).hint == "write '7 m'");
  CHECK(parse_quantity("30 deg", dimensions::none).problem ==
        "'30 deg' is an angle (rad); expected a plain number");
}

TEST_CASE("quantities: a scale with a zero of its own is refused with the kelvin to write") {
  const Dimension temperature = parse_unit("K")->dimension;
  for (const char* scale : {"degC", "°C", "degF"}) {
    const Quantity q = parse_quantity(std::string("20 ") + scale, temperature);
    CHECK(q.problem ==
          "'" + std::string(scale) + "' is not read: its zero is not the zero of temperature");
    CHECK(q.hint == "write kelvin: 20 degC is '293.15 K', and a difference of 20 degC is '20 K'");
  }
}

TEST_CASE("quantities: no prefix is taken for the whole") {
  for (const std::string text :
       {"", " ", "m", "1.5 2.5", "1.5 m 2", "1 m m", "0x10 m", "1d3 m", "1_000 m", "--1 m", "1/2 m",
        "nan m", "inf m", "1e400 m", "1e308 km", "1.5m", "2 m)"})
    CHECK_MESSAGE(!parse_quantity(text, dimensions::length).problem.empty(), text);
}

TEST_CASE("quantities: text with a unit is told from an expression") {
  for (const std::string text : {"30 deg", "1.5kg", "-2 N.m/rad", "3 dge", "1,5 kg", "1_000 m",
                                 "0x10", "2 1/s", "90°", "+3 mm", "1e-3 m"})
    CHECK_MESSAGE(looks_like_quantity(text), text);
  for (const std::string text : {"2*t", "3 + 4", "1 and t", "0 or x", "sin(3)", "t", "-k*x", "(3)",
                                 "1/2", "", "3", "1 - 2", "2^3", "1e-3"})
    CHECK_MESSAGE(!looks_like_quantity(text), text);
}

TEST_CASE("numbers: the whole text is one finite number, or it is none") {
  CHECK(parse_number("1.5") == 1.5);
  CHECK(parse_number("-2e-3") == -2e-3);
  CHECK(parse_number("+4") == 4);
  CHECK(parse_number(".5") == 0.5);
  CHECK(parse_number("5.") == 5);
  CHECK(parse_number("0.1") == 0.1);
  for (const std::string text :
       {"",    " ",       "1.5kg", "1/2",  "1,5", "1_000", "1d3",      "0x10",  "--1",
        "+-1", "1.5 2.5", "nan",   ".nan", "inf", "-inf",  "infinity", "1e400", " 1",
        "1 ",  "1e",      "e3",    ".",    "+",   "-",     "1..2"})
    CHECK_MESSAGE(!parse_number(text), text);
}
