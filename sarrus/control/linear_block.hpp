// What linear blocks share: ẋ = A x + B u (sampled: x_k+1 = …), y = C x + D u, of one input and one
// output, as formulas.
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct LinearBlock {
  std::vector<std::vector<double>> A;
  std::vector<double> B, C;
  double D = 0;
  std::vector<double> start;  // empty: 0

  void expand(BlockMaker& make) const {
    const auto sum = [&](const std::vector<double>& row, double input) {
      std::string text;
      const auto add = [&](double factor, const std::string& name) {
        if (factor == 0) return;
        text += text_of(text.empty() ? "" : " + ", factor, "*", name);
      };
      for (size_t i = 0; i < row.size(); ++i) add(row[i], make.part("x" + std::to_string(i + 1)));
      add(input, make.in());
      return text.empty() ? "0" : text;
    };
    double first = 0;
    for (size_t i = 0; i < A.size(); ++i) {
      const double x = start.empty() ? 0 : start[i];
      make.state("x" + std::to_string(i + 1), x, sum(A[i], B[i]));
      first += C[i] * x;
    }
    make.output(sum(C, D), first);
  }
};

}  // namespace sarrus
