// Quantities and units, as values of any key.
#include "sarrus/core/units.hpp"

#include <cmath>

#include "fuzz/target.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  for (const Dimension& wanted : {dimensions::none, dimensions::length, dimensions::angle}) {
    const Quantity q = parse_quantity(bytes, wanted);
    require(!q.problem.empty() || std::isfinite(q.value), "a value that is no number");
  }
  parse_unit(bytes);
  looks_like_quantity(bytes);
  parse_number(bytes);
}
