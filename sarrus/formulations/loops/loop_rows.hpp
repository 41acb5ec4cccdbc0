// The rows of all closures at one instant: their wrenches, how far they are from holding, how fast
// they open.
#pragma once

#include <span>
#include <vector>

#include "sarrus/formulations/loops/closure_rows.hpp"
#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// One row in world axes at the origins of its bodies, and the time derivatives of both wrenches.
template <class T>
struct PlacedRow {
  Wrench<T> on_a, on_b, rate_on_a, rate_on_b;
  T residual{};  // φ; 0 where the row holds velocities only
  T rate{};      // G u + φ_t
  T bias{};      // φ̈ − wrenches · spatial accelerations
};

template <class T>
class LoopRows {
 public:
  explicit LoopRows(const Mechanism& mechanism);

  int size() const { return static_cast<int>(row_.size()); }
  const PlacedRow<T>& operator[](int r) const { return row_[r]; }
  /// A length of the mechanism, to weigh residuals in metres against residuals in radians.
  double length() const { return length_; }
  /// Largest |φ| in units of length(), over all rows.
  double largest_residual() const;
  /// Largest |G u|, rows of positions in units of length().
  double largest_rate() const;

  /// φ̈ of a row at the bodies' accelerations.
  T acceleration(int r, const Twist<T>* A, const T* udot) const;
  /// Adds s Gᵀ x, as wrenches on bodies and forces on coupled coordinates.
  void add(std::span<const T> x, const T& s, Wrench<T>* wrench, T* tau) const;
  /// The same with the time derivatives of the wrenches.
  void add_rates(std::span<const T> x, Wrench<T>* wrench) const;

  /// The rows where the bodies are and as they move.
  void place(const BodyMotion<T>* motion, const T* q, const T* u);

 private:
  const Mechanism* m_;
  double length_ = 1;
  std::vector<PlacedRow<T>> row_;
};

}  // namespace sarrus
