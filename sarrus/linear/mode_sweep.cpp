#include "sarrus/linear/mode_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace sarrus {
namespace {

using Complex = std::complex<double>;

constexpr double narrow = 1e-13;        // of the value
constexpr double narrow_enough = 1e-7;  // where only bisection serves
constexpr int most_looks = 60;

const ComplexMode nothing{NAN, NAN, NAN, NAN};

Complex lambda(const ComplexMode& c) { return {c.re, c.im}; }
bool is_there(const ComplexMode& c) { return !std::isnan(c.re); }

/// Where a line would be next if it went straight on.
Complex expected(const ModeSweep& s, size_t line, double value) {
  const size_t last = s.lines.size() - 1;
  const Complex here = lambda(s.lines[last][line]);
  if (last == 0 || line >= s.lines[last - 1].size() || !is_there(s.lines[last - 1][line]))
    return here;
  const Complex before = lambda(s.lines[last - 1][line]);
  const double way = s.values[last] - s.values[last - 1];
  return here + (here - before) * ((value - s.values[last]) / way);
}

/// The eigenvalues at `value` by lines.
std::vector<ComplexMode> continued(const ModeSweep& s, double value,
                                   const std::vector<ComplexMode>& found) {
  struct Pair {
    double apart;
    size_t line, mode;
  };
  std::vector<Pair> pairs;
  for (size_t line = 0; line < s.lines.back().size(); ++line)
    for (size_t k = 0; k < found.size() && is_there(s.lines.back()[line]); ++k)
      pairs.push_back({std::abs(lambda(found[k]) - expected(s, line, value)), line, k});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.apart < b.apart; });
  std::vector<ComplexMode> row(s.lines.back().size(), nothing);
  std::vector<char> taken(found.size(), 0);
  for (const Pair& p : pairs)
    if (!taken[p.mode] && !is_there(row[p.line])) row[p.line] = found[p.mode], taken[p.mode] = 1;
  // what no line takes: into lines that have ended, or new ones
  size_t line = 0;
  for (size_t k = 0; k < found.size(); ++k) {
    if (taken[k]) continue;
    while (line < row.size() && is_there(row[line])) ++line;
    if (line == row.size()) row.push_back(nothing);
    row[line] = found[k];
  }
  return row;
}

/// Largest Re λ of what moves at all.
double growth(const ModelModes& found) {
  double most = -INFINITY;
  for (const Mode& mode : found.modes)
    if (!mode.zero) most = std::max(most, mode.value.re);
  return most;
}

/// A value and what grows there.
struct Look {
  double value = 0, growth = 0;
  bool unstable = false;
  Stability how = Stability::stable;
};

StabilityChange change_between(Look a, Look b, const std::function<Look(double)>& look) {
  const bool is_smooth = a.growth * b.growth < 0 && std::isfinite(a.growth * b.growth);
  const bool is_lost = b.unstable;
  Stability how = is_lost ? b.how : a.how;
  const double width_wanted = is_smooth ? narrow : narrow_enough;
  const double size = std::max(std::fabs(a.value), std::fabs(b.value));
  double weight_a = 1, weight_b = 1;
  int last = 0;  // −1: a was replaced, 1: b
  for (int k = 0; k < most_looks; ++k) {
    const double width = b.value - a.value;
    if (width <= width_wanted * size) break;
    const double ga = weight_a * a.growth, gb = weight_b * b.growth;
    double next = is_smooth ? a.value - width * ga / (gb - ga) : a.value + width / 2;
    // a root that is all but found is shut in from its other side
    next =
        std::clamp(next, a.value + 0.4 * width_wanted * size, b.value - 0.4 * width_wanted * size);
    const Look c = look(next);
    if (is_smooth && (c.growth == 0 || std::isinf(c.growth)))  // nothing but zeros: hit
      return {next, 0, is_lost, how};
    const bool replaces_a = is_smooth ? (c.growth > 0) == (a.growth > 0) : c.unstable == a.unstable;
    (replaces_a ? a : b) = c;
    if (c.unstable) how = c.how;
    // an end that stays twice running counts half
    const int side = replaces_a ? -1 : 1;
    (replaces_a ? weight_a : weight_b) = 1;
    (replaces_a ? weight_b : weight_a) *= side == last ? 0.5 : 1;
    last = side;
  }
  return {(a.value + b.value) / 2, (b.value - a.value) / 2, is_lost, how};
}

}  // namespace

ModeSweep sweep_modes(const std::vector<double>& values,
                      const std::function<ModelModes(double)>& modes_at) {
  ModeSweep s;
  std::vector<Look> looks;
  const auto judged = [](double value, const ModelModes& found) {
    return Look{value, growth(found), found.cause >= 0, found.stability};
  };
  for (const double value : values) {
    const ModelModes found = modes_at(value);
    looks.push_back(judged(value, found));
    s.unstable.push_back(looks.back().unstable);
    std::vector<ComplexMode> row;
    for (const Mode& mode : found.modes) row.push_back(mode.value);
    // lines begin in the order of their frequencies
    std::stable_sort(row.begin(), row.end(),
                     [](const ComplexMode& x, const ComplexMode& y) { return x.im < y.im; });
    s.lines.push_back(s.lines.empty() ? row : continued(s, value, row));
    s.values.push_back(value);
  }
  for (size_t i = 1; i < looks.size(); ++i)
    if (looks[i].unstable != looks[i - 1].unstable)
      s.changes.push_back(change_between(
          looks[i - 1], looks[i], [&](double value) { return judged(value, modes_at(value)); }));
  size_t most = 0;
  for (const auto& row : s.lines) most = std::max(most, row.size());
  for (auto& row : s.lines) row.resize(most, nothing);
  return s;
}

}  // namespace sarrus
