// What can be compared between two runs of one model: columns that belong together, as one quantity
// with one size.
//
//   tip.x, tip.y, tip.z     one quantity, "tip", measured against the largest of the three
//   shoulder.q              one by itself
//   tip.qw … tip.qz         an orientation: q and −q are the same
//
// The size of a quantity is the largest value that it takes, and not less than a thousandth of the
// largest of its unit, nor of what the mechanism's length, mass and time make of its unit: digits
// of what is nearly zero mean nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sarrus/mechanism/scales.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

/// What rounding leaves in a run, relative: a hundred units in the last place.
inline constexpr double run_rounding = 2e-14;
/// Relative difference from which on not even the first digit agrees.
inline constexpr double first_digit = 0.1;
/// Rounding of large quantities shows in tiny ones: their sizes are smaller by this factor.
inline constexpr double tiny_share = 1e-3;

struct ComparedQuantity {
  std::string name, unit;
  std::vector<int> columns;
  bool is_orientation = false, is_angle = false;
  /// A position, a velocity or an energy: joints that are springs ring in accelerations and forces.
  bool is_smooth = true;
  /// A reaction of redundant joints: joints that are springs share it in their own
  /// way.
  bool is_shared = false;
  double lever = 1;    // [m] a length of the mechanism
  double largest = 0;  // value that it takes
  double size = 0;
  bool is_position() const { return is_smooth && unit.find("/s") == std::string::npos; }
  /// A position or a velocity.
  bool is_motion() const {
    return is_orientation || unit == "m" || unit == "rad" || unit == "m/s" || unit == "rad/s";
  }
  /// Measured against what is large elsewhere.
  bool is_tiny() const { return largest < size; }
};

/// All quantities of a run in the order of its columns; residuals, the closure of the account and
/// momenta are none.
std::vector<ComparedQuantity> quantities_of(const Trajectory& run, const Scales& scales);

/// Raises the sizes to what this run shows.
void enlarge(std::vector<ComparedQuantity>& quantities, const Trajectory& run);

/// Largest difference of the columns of a quantity in a row; orientations up to their sign, angles
/// up to whole turns.
double difference(const ComparedQuantity& quantity, std::span<const double> a,
                  std::span<const double> b);

/// Row after row, quantity after quantity: differences of two runs divided by sizes. As many rows
/// as both have at the same times.
class Differences {
 public:
  Differences() = default;
  /// `with_start`: the first row counts. Joints that are springs carry nothing there yet.
  Differences(const std::vector<ComparedQuantity>& quantities, const Trajectory& a,
              const Trajectory& b, bool with_start = true);

  int rows() const { return rows_; }
  double at(int row, size_t quantity) const {
    return values_[static_cast<size_t>(row) * width_ + quantity];
  }
  double largest(size_t quantity) const;
  double largest() const;
  /// Over what is smooth, and over positions and energies; without what is tiny.
  double largest_smooth(const std::vector<ComparedQuantity>& quantities) const;
  double largest_position(const std::vector<ComparedQuantity>& quantities) const;
  /// Over positions and velocities; without what is tiny.
  double largest_motion(const std::vector<ComparedQuantity>& quantities) const;
  /// Each value becomes the largest so far, times the factor: an error that does not shrink again.
  void accumulate(double factor);
  void add(double everywhere);
  /// From the row on in which a quantity passes `limit`, v(r) = v(r_s)^(r/r_s): the exponential
  /// that led there.
  void grow_on(double limit);
  /// The larger of both, entry by entry, over the rows that both have.
  static Differences larger(const Differences& a, const Differences& b);

 private:
  int rows_ = 0;
  size_t width_ = 0;
  std::vector<double> values_;
};

/// Digits that a relative difference leaves: 0 … 16.
double digits_of(double relative);

}  // namespace sarrus
