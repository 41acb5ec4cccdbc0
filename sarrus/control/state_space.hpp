// State space: ẋ = A x + B u, y = C x + D u; sampled: x_k+1 = A x_k + B u_k.
#pragma once

#include "sarrus/control/linear_block.hpp"

namespace sarrus {

struct StateSpaceBlock {
  static constexpr BlockFacts facts{
      .word = "state_space",
      .help =
          "A linear system dx/dt = A x + B u, y = C x + D u of one input and one "
          "output; sampled: x(k+1) = A x(k) + B u(k)."};
  std::vector<std::vector<double>> A;
  std::vector<double> B, C;
  double D = 0;
  std::vector<double> start;

  // clang-format off
  static std::vector<BlockKey<StateSpaceBlock>> keys() {
    using S = StateSpaceBlock;
    return {
        {.name = "A", .member = &S::A, .required = true, .help = "The matrix A, by rows.", .example = "[[0, 1], [-4, -0.4]]"},
        {.name = "B", .member = &S::B, .required = true, .help = "The column B.", .example = "[0, 1]"},
        {.name = "C", .member = &S::C, .required = true, .help = "The row C.", .example = "[1, 0]"},
        {.name = "D", .member = &S::D, .fallback = "0", .help = "The number D.", .example = "0"},
        {.name = "states", .member = &S::start, .fallback = "all 0", .help = "The states x at the start.", .example = "[0.1, 0]"},
    };
  }
  // clang-format on
  void check(BlockFaults& faults) const {
    const size_t n = A.size();
    const auto expect = [&](const char* key, size_t found, size_t wanted) {
      if (found != wanted)
        faults.refuse(
            key, "wrong-length",
            std::to_string(found) + " numbers are given for " + std::to_string(wanted) + " states",
            "A has as many rows and columns as B has rows and C columns");
    };
    for (const std::vector<double>& row : A) expect("A", row.size(), n);
    expect("B", B.size(), n), expect("C", C.size(), n);
    if (!start.empty()) expect("states", start.size(), n);
  }
  void expand(BlockMaker& make) const { LinearBlock{A, B, C, D, start}.expand(make); }
};

}  // namespace sarrus
