#include "sarrus/core/course.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sarrus {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double largest_angle = 1e8;  // beyond it the period is lost in rounding
constexpr size_t most_pieces = 16;     // of a table that one range may cover

/// What a result inherits from its arguments: everything except the bounds.
Course like(const Course& a, double lo, double hi) {
  Course c = a;
  c.lo = std::isnan(lo) ? -Course::infinity : lo;
  c.hi = std::isnan(hi) ? Course::infinity : hi;
  return c;
}
Course like(const Course& a, const Course& b, double lo, double hi) {
  Course c = like(a, lo, hi);
  c.has_state = a.has_state || b.has_state;
  c.breaks = std::min(a.breaks, b.breaks);
  c.by_state = std::min(a.by_state, b.by_state);
  return c;
}

/// A switch on x that is not decided over the range: the derivative of that order may jump.
Course switched(Course c, const Course& x, int order) {
  int& found = x.has_state ? c.by_state : c.breaks;
  found = std::min(found, order);
  c.has_state = c.has_state || x.has_state;
  return c;
}

Course hull(const Course& a, const Course& b) {
  return like(a, b, std::min(a.lo, b.lo), std::max(a.hi, b.hi));
}

/// Of a function that rises.
template <class F>
Course rising(const Course& x, F&& f) {
  return like(x, f(x.lo), f(x.hi));
}

Course unbounded(const Course& a) { return like(a, -Course::infinity, Course::infinity); }

/// Where an extreme value does not lie in between, those at the corners are all.
template <class F>
Course corners(const Course& a, const Course& b, F&& f) {
  const double v[] = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
  for (const double x : v)
    if (std::isnan(x)) return like(a, b, -Course::infinity, Course::infinity);
  const auto [least, most] = std::minmax_element(std::begin(v), std::end(v));
  return like(a, b, *least, *most);
}

/// Whether a + 2π k lies in the range for some whole k.
bool meets(const Course& x, double a) {
  return std::ceil((x.lo - a) / (2 * pi)) <= std::floor((x.hi - a) / (2 * pi));
}

bool is_zero(const Course& a) { return a.lo == 0 && a.hi == 0; }
/// Exactly zero, and no undecided switch.
bool stays_zero(const Course& a) {
  return is_zero(a) && a.breaks == Course::smooth && a.by_state == Course::smooth;
}

Course truth(bool value) { return Course(value ? 1.0 : 0.0); }
Course open_truth(const Course& on) { return switched(Course(0, 1), on, 0); }

/// 0 · ∞ = 0: the factor that is zero decides.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

}  // namespace

Course operator+(const Course& a, const Course& b) { return like(a, b, a.lo + b.lo, a.hi + b.hi); }
Course operator-(const Course& a, const Course& b) { return like(a, b, a.lo - b.hi, a.hi - b.lo); }
Course operator-(const Course& a) { return like(a, -a.hi, -a.lo); }
Course operator*(const Course& a, const Course& b) {
  if (stays_zero(a) || stays_zero(b)) return Course(0.0);  // whatever the other one does
  return corners(a, b, product);
}
Course operator/(const Course& a, const Course& b) {
  if (b.contains(0)) return like(a, b, -Course::infinity, Course::infinity);
  return corners(a, b, [](double x, double y) { return x / y; });
}

SinCos<Course> sincos(const Course& x) {
  const bool known = x.hi - x.lo < 2 * pi && std::fabs(x.lo) < largest_angle;
  if (!known) return {like(x, -1, 1), like(x, -1, 1)};
  const SinCos<double> a = sincos(x.lo), b = sincos(x.hi);
  const auto range = [&](double u, double v, double top) {
    return like(x, meets(x, top + pi) ? -1 : std::min(u, v), meets(x, top) ? 1 : std::max(u, v));
  };
  return {range(a.sin, b.sin, pi / 2), range(a.cos, b.cos, 0)};
}
Course tan(const Course& x) {
  const bool known = x.hi - x.lo < pi && std::fabs(x.lo) < largest_angle;
  if (!known || meets(x, pi / 2) || meets(x, -pi / 2)) return unbounded(x);
  return rising(x, [](double a) { return std::tan(a); });
}
Course asin(const Course& x) {
  return rising(x, [](double a) { return std::asin(std::clamp(a, -1.0, 1.0)); });
}
Course acos(const Course& x) {
  const auto f = [](double a) { return std::acos(std::clamp(a, -1.0, 1.0)); };
  return like(x, f(x.hi), f(x.lo));
}
Course atan(const Course& x) {
  return rising(x, [](double a) { return std::atan(a); });
}
Course sinh(const Course& x) {
  return rising(x, [](double a) { return std::sinh(a); });
}
Course cosh(const Course& x) {
  const double a = std::cosh(x.lo), b = std::cosh(x.hi);
  return like(x, x.contains(0) ? 1 : std::min(a, b), std::max(a, b));
}
Course tanh(const Course& x) {
  return rising(x, [](double a) { return std::tanh(a); });
}
Course exp(const Course& x) {
  return rising(x, [](double a) { return std::exp(a); });
}
Course log(const Course& x) {
  return rising(x, [](double a) { return std::log(std::max(a, 0.0)); });
}
Course sqrt(const Course& x) {
  return rising(x, [](double a) { return std::sqrt(std::max(a, 0.0)); });
}
Course floor(const Course& x) {
  const Course c = rising(x, [](double a) { return std::floor(a); });
  return c.is_point() ? c : switched(c, x, 0);
}
Course step_abs(const Course& x) {
  if (x.lo >= 0) return x;
  if (x.hi < 0) return -x;
  return switched(like(x, 0, std::max(-x.lo, x.hi)), x, 1);
}
Course atan2(const Course& y, const Course& x) {
  const bool crosses = y.lo < 0 && y.hi >= 0;
  if (crosses && x.lo <= 0)
    return switched(like(y, x, -pi, pi), y, 0);  // the cut behind the origin
  return corners(y, x, [](double a, double b) { return std::atan2(a, b); });
}

namespace program {

Course log_10(const Course& x) {
  return rising(x, [](double a) { return std::log10(std::max(a, 0.0)); });
}
Course sign(const Course& x) {
  if (x.lo > 0) return Course(1.0);
  if (x.hi < 0) return Course(-1.0);
  if (is_zero(x)) return Course(0.0);
  return switched(like(x, x.lo < 0 ? -1 : 0, x.hi > 0 ? 1 : 0), x, 0);
}
Course is_less(const Course& a, const Course& b) {
  if (a.hi < b.lo) return truth(true);
  if (a.lo >= b.hi) return truth(false);
  return open_truth(like(a, b, 0, 1));
}
Course is_equal(const Course& a, const Course& b) {
  if (a.hi < b.lo || a.lo > b.hi) return truth(false);
  if (a.is_point() && b.is_point()) return truth(true);
  return open_truth(like(a, b, 0, 1));
}
Course negated(const Course& a) {
  if (!a.contains(0)) return truth(false);
  return is_zero(a) ? truth(true) : open_truth(a);
}
Course both(const Course& a, const Course& b) {
  if (is_zero(a) || is_zero(b)) return truth(false);
  if (!a.contains(0) && !b.contains(0)) return truth(true);
  Course open = a.contains(0) ? open_truth(a) : Course(0, 1);
  if (b.contains(0)) open = switched(open, b, 0);
  return open;
}
Course choose(const Course& condition, const Course& a, const Course& b) {
  if (!condition.contains(0)) return a;
  if (is_zero(condition)) return b;
  return switched(hull(a, b), condition, 0);
}
Course larger(const Course& a, const Course& b) {
  if (a.hi < b.lo) return b;
  if (a.lo >= b.hi) return a;
  const Course c = like(a, b, std::max(a.lo, b.lo), std::max(a.hi, b.hi));
  return switched(c, c, 1);
}
Course smaller(const Course& a, const Course& b) {
  if (b.hi < a.lo) return b;
  if (b.lo >= a.hi) return a;
  const Course c = like(a, b, std::min(a.lo, b.lo), std::min(a.hi, b.hi));
  return switched(c, c, 1);
}
Course modulo(const Course& x, const Course& y) {
  const Course k = floor(x / y);
  if (k.is_point()) return x - y * k;
  return like(k, std::min(y.lo, 0.0), std::max(y.hi, 0.0));
}
Course whole_power(const Course& x, int n) {
  const auto f = [n](double a) { return std::pow(a, n); };
  if (n == 0) return Course(1.0);
  if (n < 0 && x.contains(0)) return unbounded(x);
  const double a = f(x.lo), b = f(x.hi);
  const bool valley = n > 0 && n % 2 == 0 && x.contains(0);
  return like(x, valley ? 0 : std::min(a, b), std::max(a, b));
}
Course general_power(const Course& x, const Course& y) {
  if (x.lo < 0) return like(x, y, -Course::infinity, Course::infinity);
  return corners(x, y, [](double a, double b) { return std::pow(a, b); });
}

namespace {

/// (x − x₀)/(x₁ − x₀), held at 0 and 1; the derivative of that order jumps at both ends.
Course held_fraction(const Course& x, const Course& x0, const Course& x1, int order) {
  const Course s = (x - x0) / (x1 - x0);
  Course c = like(s, std::clamp(s.lo, 0.0, 1.0), std::clamp(s.hi, 0.0, 1.0));
  const bool begins = s.lo < 0 && s.hi >= 0, ends = s.lo <= 1 && s.hi > 1;
  return begins || ends ? switched(c, s, order) : c;
}

/// Bounds over [lo, hi] inside one piece: a cubic lies between the control points of its Bézier
/// form.
Course piece(const Table& table, const Course& x) {
  const Table::Sample a = table.at(x.lo), b = table.at(x.hi);
  const double third = (x.hi - x.lo) / 3;
  double p = a.value + third * a.first, q = b.value - third * b.first;
  if (table.interpolation == Interpolation::linear) p = q = a.value;
  return like(x, std::min({a.value, p, q, b.value}), std::max({a.value, p, q, b.value}));
}

/// Number of the piece that at() takes: −1 before the table, the number of points after it.
std::ptrdiff_t piece_of(const Table& table, double x) {
  if (x < table.x.front()) return -1;
  if (x > table.x.back()) return static_cast<std::ptrdiff_t>(table.x.size());
  return std::upper_bound(table.x.begin() + 1, table.x.end() - 1, x) - table.x.begin() - 1;
}

}  // namespace

Course ramp(const Course& x, const Course& x0, const Course& y0, const Course& x1,
            const Course& y1) {
  return y0 + (y1 - y0) * held_fraction(x, x0, x1, 1);
}
Course smooth_step(const Course& x, const Course& x0, const Course& y0, const Course& x1,
                   const Course& y1) {
  const Course s = held_fraction(x, x0, x1, 3);
  const auto f = [](double a) { return a * a * a * (10 - a * (15 - 6 * a)); };
  return y0 + (y1 - y0) * rising(s, f);
}

Course look_up(const Table& table, const Course& x) {
  if (std::isinf(x.lo) || std::isinf(x.hi))
    return switched(unbounded(x), x, table.interpolation == Interpolation::linear ? 1 : 3);
  const std::ptrdiff_t first = piece_of(table, x.lo), last = piece_of(table, x.hi);
  if (first == last) return piece(table, x);

  // a point of the table lies in the range; the ends are kinks unless a spline goes on straight
  const auto count = static_cast<std::ptrdiff_t>(table.x.size());
  const bool leaves = first < 0 || last == count;
  const bool smooth_inside = table.interpolation == Interpolation::cubic;
  const int order = leaves && table.outside == Outside::refuse                            ? 0
                    : smooth_inside && (!leaves || table.outside == Outside::extrapolate) ? 3
                                                                                          : 1;
  if (last - first > static_cast<std::ptrdiff_t>(most_pieces))
    return switched(unbounded(x), x, order);
  Course all = like(x, Course::infinity, -Course::infinity);
  double from = x.lo;
  for (std::ptrdiff_t k = first; k <= last; ++k) {
    const double to = k == last ? x.hi : table.x[static_cast<size_t>(k + 1 < count ? k + 1 : k)];
    const Course part = piece(table, like(x, from, to));
    all = like(all, std::min(all.lo, part.lo), std::max(all.hi, part.hi));
    from = to;
  }
  return switched(all, x, order);
}

}  // namespace program
}  // namespace sarrus
