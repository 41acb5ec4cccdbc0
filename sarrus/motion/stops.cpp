#include "sarrus/motion/stops.hpp"

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr int samples = 8;    // of a step that comes near a stop
constexpr int halvings = 52;  // of a step, to the last bit

}  // namespace

Stops::Stops(const Mechanism& m)
    : limits_(&m.numbers.forces.limits), begin_(2 * limits_->size()), end_(begin_), seen_(begin_) {}

void Stops::read(const Snapshot& now, std::vector<Touch>& out) const {
  const auto touch = [](double depth, double rate, const JointLimit<double>& l) {
    if (!(depth > 0)) return Touch::free;
    return l.k * depth + l.d * rate > 0 ? Touch::pressing : Touch::leaving;
  };
  for (size_t i = 0; i < limits_->size(); ++i) {
    const JointLimit<double>& l = (*limits_)[i];
    const double q = now.q[l.q], u = now.u[l.u];
    out[2 * i] = touch(q - l.high, u, l);
    out[2 * i + 1] = touch(l.low - q, -u, l);
  }
}

/// Whether one of them could be reached within a time h, by twice the speed here.
bool Stops::are_near(const Snapshot& now, double h) const {
  for (const JointLimit<double>& l : *limits_) {
    const double q = now.q[l.q], way = 2 * std::fabs(now.u[l.u]) * h;
    if (q + way > l.high || q - way < l.low) return true;
  }
  return false;
}

double Stops::first_change(double h, double rounding, const Inside& inside) {
  double low = is_known_ ? 0 : rounding / h, high = 1;
  if (low >= 1) return 1;
  if (!is_known_) read(inside(low), begin_);
  const Snapshot& end = inside(1);
  read(end, end_);
  const bool was_near = is_near_ || !is_known_;
  is_near_ = are_near(end, h);
  is_known_ = true;
  if (end_ == begin_ && !is_near_ && !was_near) return 1;

  bool changes = false;
  for (int k = 1; k <= samples && !changes; ++k) {
    high = std::max(low, static_cast<double>(k) / samples);
    read(inside(high), seen_);
    changes = seen_ != begin_;
    if (!changes) low = high;
  }
  if (!changes) return 1;
  forget();
  for (int i = 0; i < halvings; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    read(inside(middle), seen_);
    (seen_ == begin_ ? low : high) = middle;
  }
  return high;
}

}  // namespace sarrus
