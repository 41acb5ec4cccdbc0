// What an error is compared with: one tolerance per entry of y.
//
//   velocities, others   atol l + rtol max(|y₀|, |y₁|)
//   positions            atol l + rtol max(|Δ|, min(l, r))
//   quadratures          are not controlled
//
// Positions are relative to the base of a chart, and where a mechanism stands in space must not
// change its accuracy, so their size is measured by motion: Δ = y₁ − y₀ is the increment of the
// step, r the largest excursion of that entry from the start of the run, the sum of all increments.
// Small mechanisms are thus judged by the size of their motion; beyond one radian or length r no
// longer counts, since an angle of many turns is no less precise than one; and a long way covered
// in one step is judged by its own length. Summed over a run the error stays near rtol times the
// way covered.
//
// l is the unit of that entry: 1 rad, m, rad/s …, or what the equation gives instead, so that a
// mechanism of a micrometre is judged like one of a metre.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "sarrus/numerics/ode.hpp"

namespace sarrus {

class ErrorScale {
 public:
  void start(const Ode& ode, double rtol, double atol, std::span<const double> units = {}) {
    rtol_ = rtol, atol_ = atol;
    unit_.assign(ode.size(), 1.0);
    std::copy_n(units.begin(), std::min(units.size(), unit_.size()), unit_.begin());
    split_ = ode.split();
    controlled_ = ode.size() - ode.quadratures();
    travel_.assign(2 * split_, 0);
  }

  /// Entries under control: the leading ones, all but the quadratures.
  int controlled() const { return controlled_; }

  double operator()(int i, double y0, double y1) const {
    const double unit = unit_[static_cast<size_t>(i)];
    const double size = i < split_ ? std::max(std::fabs(y1 - y0), std::min(unit, excursion(i)))
                                   : std::max(std::fabs(y0), std::fabs(y1));
    return atol_ * unit + rtol_ * size;
  }

  /// Adds the increments of an accepted step.
  void accept(std::span<const double> y0, std::span<const double> y1) {
    for (int i = 0; i < split_; ++i) {
      const size_t k = static_cast<size_t>(i);
      travel_[2 * k] += y1[k] - y0[k];
      travel_[2 * k + 1] = std::max(travel_[2 * k + 1], std::fabs(travel_[2 * k]));
    }
  }

  /// Part of the integrator's memory: where each position is, and how far it has been.
  std::span<const double> memory() const { return travel_; }
  std::span<double> memory() { return travel_; }

 private:
  double excursion(int i) const { return travel_[static_cast<size_t>(2 * i + 1)]; }

  double rtol_ = 0, atol_ = 0;
  int split_ = 0, controlled_ = 0;
  std::vector<double> travel_, unit_;
};

}  // namespace sarrus
