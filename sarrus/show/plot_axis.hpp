// Axes of plots: round numbers that people read easily.
//
// Ticks are multiples of 1, 2 or 5 times a power of ten. Where all numbers are large or small, a
// power of ten is taken out; where they differ only in late digits, a common part is taken out:
//
//   shown = (value − base) / 10^exponent        caption: "×10^exponent", "base + …"
#pragma once

#include <string>
#include <vector>

namespace sarrus {

struct Tick {
  double value = 0;
  std::string label;
};

struct PlotAxis {
  double low = 0, high = 1;  // what the axis spans, a little more than the data
  std::vector<Tick> ticks;
  std::string caption;  // of what was taken out of the labels; "" where nothing was
};

/// An axis over [low, high] with about `wanted` ticks; `margin` is the share of the span left free
/// on both sides.
PlotAxis make_axis(double low, double high, int wanted, double margin);

/// A number with so many significant digits, − for minus, and without needless zeros.
std::string plain_number(double x, int digits);

}  // namespace sarrus
