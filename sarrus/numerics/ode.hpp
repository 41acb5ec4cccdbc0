// An ordinary differential equation as integrators see it: ẏ = f(t, y).
//
// y is laid out [positions; velocities or momenta; others; quadratures]:
//   positions    y[0 … split), with rates that depend on the rest (ξ̇ = N u)
//   quadratures  the last entries; f never reads them (energy ledger), error control ignores them
//
// Positions of mechanisms live on a manifold (rotations). f works in a chart around a base point:
// at the start of a step the positions in y are zero. After an accepted step the driver calls
// rebase().
#pragma once

#include <span>
#include <string>

namespace sarrus {

class Ode {
 public:
  virtual ~Ode() = default;

  virtual int size() const = 0;
  /// Number of leading entries that are positions.
  virtual int split() const = 0;
  /// Number of trailing entries that f does not read.
  virtual int quadratures() const { return 0; }

  /// ydot = f(t, y). False where it could not be evaluated; failure() then says why. No allocation.
  virtual bool derivative(double t, std::span<const double> y, std::span<double> ydot) = 0;

  /// Moves the base of the chart to y: positions in y become 0, and ydot, the derivative at this
  /// point, is re-expressed. A plain vector space does nothing.
  virtual void rebase(double t, std::span<double> y, std::span<double> ydot) {
    (void)t, (void)y, (void)ydot;
  }

  /// Whether solutions live on a part of the space that numerical steps leave: project() returns.
  virtual bool is_constrained() const { return false; }
  /// Brings y back, in the chart that it is in. False where it cannot; failure() then says why.
  virtual bool project(double t, std::span<double> y) { return (void)t, (void)y, true; }

  /// Why the last derivative() or project() failed.
  virtual std::string failure() const { return ""; }
  /// What entry i of y is, in words: "shoulder.u".
  virtual std::string entry(int i) const { return "y[" + std::to_string(i) + "]"; }
};

}  // namespace sarrus
