// The solution inside a step as a polynomial in θ = (t − t₀)/h.
//
//   y(θ) = y₀ + θ (F₀ + (1−θ) (F₁ + θ (F₂ + (1−θ) (F₃ + θ (F₄ + …)))))
//   F₀ = y₁ − y₀,   F₁ = h f₀ − F₀,   F₂ = 2 F₀ − h (f₀ + f₁)
//
// F₀ … F₂ alone are the cubic that meets values and derivatives at both ends (Hermite); each
// further row raises the degree and leaves the ends as they are. [Hairer, Nørsett, Wanner 1993,
// II.6]
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace sarrus {

class DenseOutput {
 public:
  static constexpr int hermite_rows = 3;

  void resize(int n, int rows) {
    n_ = n;
    y0_.assign(n, 0);
    y1_ = y0_;
    rows_.assign(static_cast<size_t>(n) * static_cast<size_t>(rows), 0);
    used_ = hermite_rows;
  }

  /// The cubic between both ends of a step.
  void set_ends(double h, std::span<const double> y0, std::span<const double> f0,
                std::span<const double> y1, std::span<const double> f1) {
    std::copy(y0.begin(), y0.end(), y0_.begin());
    std::copy(y1.begin(), y1.end(), y1_.begin());
    const std::span<double> F0 = row(0), F1 = row(1), F2 = row(2);
    for (size_t i = 0; i < y0.size(); ++i) {
      F0[i] = y1[i] - y0[i];
      F1[i] = h * f0[i] - F0[i];
      F2[i] = 2 * F0[i] - h * (f0[i] + f1[i]);
    }
    used_ = hermite_rows;
  }

  /// Row j, to be filled by a method that knows more than the ends; use() then says how many count.
  std::span<double> row(int j) {
    return {rows_.data() + static_cast<size_t>(j) * static_cast<size_t>(n_),
            static_cast<size_t>(n_)};
  }
  void use(int rows) { used_ = rows; }

  void evaluate(double theta, std::span<double> y) const {
    if (theta >= 1) {  // the end itself, to the last bit
      std::copy(y1_.begin(), y1_.end(), y.begin());
      return;
    }
    const size_t n = static_cast<size_t>(n_);
    for (size_t i = 0; i < n; ++i) {
      double s = 0;
      for (int j = used_ - 1; j >= 0; --j)
        s = (s + rows_[static_cast<size_t>(j) * n + i]) * (j % 2 == 0 ? theta : 1 - theta);
      y[i] = y0_[i] + s;
    }
  }

 private:
  int n_ = 0, used_ = hermite_rows;
  std::vector<double> y0_, y1_, rows_;
};

}  // namespace sarrus
