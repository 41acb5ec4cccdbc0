// Lookup: a table of the model at the input.
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Lookup {
  static constexpr BlockFacts facts{.word = "lookup",
                                    .help = "A [[table]] at the value of its input."};
  std::string table;

  // clang-format off
  static std::vector<BlockKey<Lookup>> keys() {
    return {
        {.name = "table", .member = &Lookup::table, .required = true, .help = "Name of a [[table]].", .example = "\"gain\""},
    };
  }
  // clang-format on
  void check(BlockFaults&) const {}
  void expand(BlockMaker& make) const { make.output(text_of(table, "(", make.in(), ")")); }
};

}  // namespace sarrus
