#include "sarrus/verify/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace sarrus {
namespace {

constexpr double smallest_share = 1e-3;  // of the largest quantity of the same unit
constexpr double most_digits = 16;
constexpr double same_time = 1e-9;  // of the run: rows that are not farther apart belong together

bool is_compared(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::momentum:
    case ColumnKind::elastic_momentum:
    case ColumnKind::hamiltonian:
    case ColumnKind::ledger:
    case ColumnKind::residual: return false;
    default: return true;
  }
}

/// What columns that belong together are called.
std::string name_of(const Trajectory& run, const std::vector<int>& columns) {
  const Column& first = run.columns[columns[0]];
  if (columns.size() == 1) return first.name;
  if (first.kind != ColumnKind::element) return vector_name(first);
  std::string all = first.name;  // its components have names of their own
  for (size_t i = 1; i < columns.size(); ++i) all += ", " + run.columns[columns[i]].component;
  return all;
}

/// Forces and accelerations: joints that are springs ring in them.
bool is_ringing(const std::string& unit) {
  return unit == "N" || unit == "N.m" || unit == "m/s2" || unit == "rad/s2";
}

double distance(double a, double b, bool is_angle) {
  const double d = std::fabs(a - b);
  if (!is_angle || d < std::numbers::pi) return d;
  return std::fabs(std::remainder(d, 2 * std::numbers::pi));
}

/// What is large for a unit; 0 for units that are not known.
double large(const std::string& unit, const Scales& s) {
  const double a = std::max(s.acceleration, s.length / (s.time * s.time));
  const std::map<std::string, double> table = {{"rad", 1},
                                               {"1", 1},
                                               {"m", s.length},
                                               {"rad/s", 1 / s.time},
                                               {"m/s", s.length / s.time},
                                               {"m/s2", a},
                                               {"rad/s2", a / s.length},
                                               {"N", s.mass * a},
                                               {"N.m", s.mass * a * s.length},
                                               {"J", s.mass * a * s.length}};
  const auto found = table.find(unit);
  return found == table.end() ? 0 : found->second;
}

}  // namespace

std::vector<ComparedQuantity> quantities_of(const Trajectory& run, const Scales& scales) {
  std::vector<ComparedQuantity> found;
  for (size_t c = 1; c < run.columns.size(); ++c) {  // after the time
    const Column& column = run.columns[c];
    if (!is_compared(column.kind)) continue;
    if (!belong_together(run.columns[c - 1], column)) {
      found.push_back({column.name,
                       column.unit,
                       {},
                       false,
                       column.unit == "rad",
                       !is_ringing(column.unit),
                       false,
                       scales.length,
                       0,
                       smallest_share * large(column.unit, scales)});
    }
    found.back().columns.push_back(static_cast<int>(c));
  }
  for (ComparedQuantity& q : found) {
    const ColumnKind kind = run.columns[q.columns[0]].kind;
    q.name = name_of(run, q.columns);
    q.is_orientation = q.columns.size() == 4 && q.unit == "1" &&
                       (kind == ColumnKind::coordinate || kind == ColumnKind::orientation);
    if (q.is_orientation) q.name += " (orientation)";
  }
  enlarge(found, run);
  return found;
}

void enlarge(std::vector<ComparedQuantity>& quantities, const Trajectory& run) {
  std::map<std::string, double> largest;
  for (ComparedQuantity& q : quantities) {
    for (int r = 0; r < run.rows(); ++r)
      for (const int c : q.columns)
        if (const double v = std::fabs(run.row(r)[c]); std::isfinite(v))
          q.largest = std::max(q.largest, v);
    largest[q.unit] = std::max(largest[q.unit], q.largest);
  }
  for (ComparedQuantity& q : quantities)
    q.size = std::max({q.size, q.largest, smallest_share * largest[q.unit]});
  // forces and moments are what is left of inertial ones, which can be much larger
  const double energy = largest["J"];
  for (ComparedQuantity& q : quantities) {
    if (q.unit == "N") q.size = std::max(q.size, smallest_share * energy / q.lever);
    if (q.unit == "N.m")
      q.size = std::max(q.size, smallest_share * std::max(energy, largest["N"] * q.lever));
  }
}

double difference(const ComparedQuantity& q, std::span<const double> a, std::span<const double> b) {
  double straight = 0, turned = 0;
  for (const int c : q.columns) {
    const double x = a[c], y = b[c];
    straight = std::max(straight, distance(x, y, q.is_angle));
    turned = std::max(turned, std::fabs(x + y));
    if (!std::isfinite(x) || !std::isfinite(y)) return x == y ? 0 : HUGE_VAL;
  }
  return q.is_orientation ? std::min(straight, turned) : straight;
}

Differences::Differences(const std::vector<ComparedQuantity>& quantities, const Trajectory& a,
                         const Trajectory& b, bool with_start)
    : width_(quantities.size()) {
  const int most = std::min(a.rows(), b.rows());
  const double span = most > 0 ? std::fabs(a.row(most - 1)[0] - a.row(0)[0]) : 0;
  for (; rows_ < most; ++rows_) {
    const double t = a.row(rows_)[0];
    if (std::fabs(t - b.row(rows_)[0]) > same_time * (span + std::fabs(t))) break;
    const bool counts = with_start || rows_ > 0;
    for (const ComparedQuantity& q : quantities)
      values_.push_back(counts && q.size > 0 ? difference(q, a.row(rows_), b.row(rows_)) / q.size
                                             : 0);
  }
}

double Differences::largest(size_t quantity) const {
  double most = 0;
  for (int r = 0; r < rows_; ++r) most = std::max(most, at(r, quantity));
  return most;
}

double Differences::largest_smooth(const std::vector<ComparedQuantity>& quantities) const {
  double most = 0;
  for (size_t q = 0; q < quantities.size(); ++q)
    if (quantities[q].is_smooth && !quantities[q].is_tiny()) most = std::max(most, largest(q));
  return most;
}

double Differences::largest_position(const std::vector<ComparedQuantity>& quantities) const {
  double most = 0;
  for (size_t q = 0; q < quantities.size(); ++q)
    if (quantities[q].is_position() && !quantities[q].is_tiny()) most = std::max(most, largest(q));
  return most;
}

double Differences::largest_motion(const std::vector<ComparedQuantity>& quantities) const {
  double most = 0;
  for (size_t q = 0; q < quantities.size(); ++q)
    if (quantities[q].is_motion() && !quantities[q].is_tiny()) most = std::max(most, largest(q));
  return most;
}

double Differences::largest() const {
  return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
}

void Differences::accumulate(double factor) {
  for (double& v : values_) v *= factor;
  for (size_t i = width_; i < values_.size(); ++i)
    values_[i] = std::max(values_[i], values_[i - width_]);
}

void Differences::add(double everywhere) {
  for (double& v : values_) v += everywhere;
}

void Differences::grow_on(double limit) {
  for (size_t q = 0; q < width_; ++q) {
    int s = 1;
    while (s < rows_ && at(s, q) < limit) ++s;
    if (s >= rows_) continue;
    const double rate = std::log(at(s, q)) / s;
    for (int r = s; r < rows_; ++r)
      values_[static_cast<size_t>(r) * width_ + q] = std::exp(std::min(rate * r, 700.0));
  }
}

Differences Differences::larger(const Differences& a, const Differences& b) {
  Differences out = a.rows_ <= b.rows_ ? a : b;
  for (size_t i = 0; i < out.values_.size(); ++i)
    out.values_[i] = std::max(a.values_[i], b.values_[i]);
  return out;
}

double digits_of(double relative) {
  if (std::isnan(relative)) return 0;
  if (relative <= 0) return most_digits;
  return std::clamp(-std::log10(relative), 0.0, most_digits);
}

}  // namespace sarrus
