// Transfer function: b(s)/a(s), or b(z)/a(z) of a sampled block, both by falling powers.
//
//   a(s) = sⁿ + a₁ sⁿ⁻¹ + … + aₙ,   b(s) = d a(s) + c₁ sⁿ⁻¹ + … + cₙ                         (1)
//   ẋ₁ = −a₁ x₁ − … − aₙ xₙ + u,   ẋᵢ = xᵢ₋₁,   y = c₁ x₁ + … + cₙ xₙ + d u                  (2)
//
// The controllable canonical form. [Franklin, Powell, Workman, Digital Control, 3rd ed., ch. 4, 5]
#pragma once

#include "sarrus/control/linear_block.hpp"

namespace sarrus {

struct TransferFunction {
  static constexpr BlockFacts facts{
      .word = "transfer_function",
      .help = "The transfer function num(s)/den(s); sampled: num(z)/den(z). It starts at rest."};
  std::vector<double> num, den;

  // clang-format off
  static std::vector<BlockKey<TransferFunction>> keys() {
    using S = TransferFunction;
    return {
        {.name = "num", .member = &S::num, .required = true, .help = "Coefficients of the numerator, highest power first.", .example = "[2, 1]"},
        {.name = "den", .member = &S::den, .required = true, .help = "Coefficients of the denominator, highest power first.", .example = "[1, 0.6, 9]"},
    };
  }
  // clang-format on
  void check(BlockFaults& faults) const {
    if (den.empty() || den[0] == 0)
      faults.refuse("den", "improper-function",
                    "its first coefficient, that of the highest power, is 0",
                    "leave out leading zeros");
    if (num.size() > den.size())
      faults.refuse("num", "improper-function",
                    text_of("the numerator is of order ", order(num), ", the denominator of order ",
                            order(den), ": the output would hold derivatives of the input"),
                    "add poles: divide by (T s + 1) with a short time T");
  }
  static double order(const std::vector<double>& list) {
    return static_cast<double>(list.size()) - 1;
  }
  void expand(BlockMaker& make) const {
    const size_t n = den.size() - 1;
    LinearBlock system;
    std::vector<double> b(den.size() - num.size(), 0.0);
    b.insert(b.end(), num.begin(), num.end());
    system.D = b[0] / den[0];
    system.A.assign(n, std::vector<double>(n, 0.0));
    system.B.assign(n, 0.0), system.C.assign(n, 0.0);
    for (size_t i = 0; i < n; ++i) {
      system.A[0][i] = -den[i + 1] / den[0];                             // (2)
      system.C[i] = b[i + 1] / den[0] - system.D * den[i + 1] / den[0];  // (1)
      if (i > 0) system.A[i][i - 1] = 1;
    }
    if (n > 0) system.B[0] = 1;
    system.expand(make);
  }
};

}  // namespace sarrus
