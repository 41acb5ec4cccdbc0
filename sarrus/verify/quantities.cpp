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

bool is_compared(const std::string& name) {
  for (const char* start : {"constraint.", "energy.ledger", "energy.H"})
    if (name.starts_with(start)) return false;
  const size_t dot = name.rfind('.');
  // momenta: "ball.p", "ball.p2"
  const bool momentum = dot != std::string::npos && dot + 1 < name.size() && name[dot + 1] == 'p' &&
                        (dot + 2 == name.size() || std::isdigit(name[dot + 2]));
  return name != "time" && !momentum;
}

/// "tip.vx" → "tip.v", "ball.q3" → "ball.q", "tip.x" → "tip.".
std::string stem(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 >= name.size()) return name;
  size_t end = name.size();
  if (std::isdigit(name.back()))
    while (end > dot + 1 && std::isdigit(name[end - 1])) --end;
  else if (std::string("wxyz").find(name.back()) != std::string::npos)
    --end;
  return name.substr(0, end);
}

/// "tip." → "tip", "tip.imu_" → "tip.imu".
std::string tidy(std::string name) {
  while (!name.empty() && (name.back() == '.' || name.back() == '_')) name.pop_back();
  return name;
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
                                               {"N", s.mass * a},
                                               {"N.m", s.mass * a * s.length},
                                               {"J", s.mass * a * s.length}};
  const auto found = table.find(unit);
  return found == table.end() ? 0 : found->second;
}

}  // namespace

std::vector<ComparedQuantity> quantities_of(const Trajectory& run, const Scales& scales) {
  std::vector<ComparedQuantity> found;
  std::string last;
  for (size_t c = 0; c < run.columns.size(); ++c) {
    const Column& column = run.columns[c];
    if (!is_compared(column.name)) continue;
    const std::string own = stem(column.name);
    const bool joins =
        !found.empty() && own == last && own != column.name && found.back().unit == column.unit;
    if (joins) {
      found.back().name = tidy(own);
    } else {
      found.push_back({column.name,
                       column.unit,
                       {},
                       false,
                       column.unit == "rad",
                       column.unit != "N" && column.unit != "N.m" && !column.unit.ends_with("/s2"),
                       false,
                       scales.length,
                       0,
                       smallest_share * large(column.unit, scales)});
    }
    found.back().columns.push_back(static_cast<int>(c));
    last = own;
  }
  for (ComparedQuantity& q : found) {
    const std::string& first = run.columns[q.columns[0]].name;
    q.is_orientation = q.columns.size() == 4 && q.unit == "1" &&
                       (first.ends_with(".qw") || first.ends_with(".q1"));
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
