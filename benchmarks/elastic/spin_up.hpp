// The beam of examples/spin_up as a chain of stiff pieces, which is how beams enter programs
// without elastic bodies: N hinges with springs EI/l in the middles of N equal parts of length l.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "benchmarks/measure.hpp"

namespace bench {

struct SpinUp {
  static constexpr double length = 10, bending = 1.4e4, mass_per_length = 1.2,
                          inertia_per_length = 6e-4, speed = 6, duration = 15;

  static double angle(double t) {
    const double c = duration / (2 * M_PI);
    return t < duration ? speed / duration * (t * t / 2 + c * c * (std::cos(t / c) - 1))
                        : speed * (t - duration / 2);
  }
  static double rate(double t) {
    const double c = duration / (2 * M_PI);
    return t < duration ? speed / duration * (t - c * std::sin(t / c)) : speed;
  }
  static double acceleration(double t) {
    return t < duration ? speed / duration * (1 - std::cos(2 * M_PI * t / duration)) : 0;
  }
};

/// A stiff piece: its length, the mass and the inertia about its centre.
struct Piece {
  double length, mass, inertia;
  explicit Piece(double l)
      : length(l),
        mass(SpinUp::mass_per_length * l),
        inertia(mass * l * l / 12 + SpinUp::inertia_per_length * l) {}
};

/// From the hub outwards: half a part, N − 1 parts, half a part.
inline std::vector<Piece> pieces(int n) {
  const double l = SpinUp::length / n;
  std::vector<Piece> found(static_cast<size_t>(n) + 1, Piece(l));
  found.front() = found.back() = Piece(l / 2);
  return found;
}

/// When the lag of the tip is looked at.
inline constexpr std::array<double, 3> lag_times = {5, 7.5, 10};

/// contestant,setting,ms,lag at each of the times
inline void print_lags(const char* contestant, const std::string& setting, double ms,
                       const std::array<double, 3>& lag) {
  std::printf("%s,%s,%.4g,%.6f,%.6f,%.6f\n", contestant, setting.c_str(), ms, lag[0], lag[1],
              lag[2]);
}

}  // namespace bench
