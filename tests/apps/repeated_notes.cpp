// R17: a warning in every step neither floods the terminal nor the memory.
#include <doctest/doctest.h>

#include "apps/sarrus/output.hpp"

using namespace sarrus;

TEST_CASE("R17: a warning that repeats a million times is said three times, then counted") {
  app::Output out;
  out.json = true;  // nothing on the test's own terminal
  const Diagnostic warning{
      .severity = Severity::warning, .code = "often", .element = "joint/a", .message = "again"};
  const Diagnostic other{
      .severity = Severity::warning, .code = "often", .element = "joint/b", .message = "again"};
  for (int i = 0; i < 1'000'000; ++i) out.note(warning);
  out.note(other);  // another element is another warning
  CHECK(out.said().size() == 4);
  CHECK(out.said().back().element == "joint/b");
}
