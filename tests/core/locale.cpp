// Text is read the same way whatever the locale of the program that uses the library.
#include <doctest/doctest.h>

#include <clocale>
#include <locale>
#include <string>

#include "sarrus/core/expression.hpp"
#include "sarrus/core/units.hpp"

using namespace sarrus;

namespace {

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("locale: a comma locale changes no number") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  bool found = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"})
    found = found || std::setlocale(LC_ALL, name) != nullptr;
  if (!found) MESSAGE("no comma locale on this machine: only that of the streams is tried");
  const std::locale streams = std::locale::global(std::locale(std::locale(), new Comma));
  CHECK(parse_number("1.5") == 1.5);
  CHECK(!parse_number("1,5"));
  CHECK(parse_quantity("2.5 mm", dimensions::length).value == 0.0025);
  CHECK(Expression::parse("1.5 + 0.25").expression.constant_value() == 1.75);
  CHECK(Expression::constant(1.5).text() == "1.5");
  CHECK(Expression::constant(1234567.5).text() == "1234567.5");
  std::locale::global(streams);
  std::setlocale(LC_ALL, before.c_str());
}
