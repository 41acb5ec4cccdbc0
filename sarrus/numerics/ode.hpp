// An ordinary differential equation as integrators see it: ẏ = f(t, y).
//
// y is laid out [positions; velocities or momenta; others; quadratures]:
//   positions    y[0 … split), with rates that depend on the rest (ξ̇ = N u)
//   quadratures  the last entries; f never reads them (energy ledger), error control ignores them
//
// Positions of mechanisms live on a manifold (rotations). f works in a chart around a base point:
// at the start of a step the positions in y are zero, except for what rounding kept the base from
// taking up. The driver calls rebase() once a step is accepted.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace sarrus {

/// Positions that belong to a group instead of a vector space: their chart, and what their momenta
/// are conjugate to.
///
///   rotation   R = R₀ exp([ξ]×); momentum conjugate to the angular velocity in the turned axes
///   rigid      a rotation, and a displacement R₀ ξ_r; conjugate to the twist in the turned axes
///   planar     an angle, and a displacement in its plane; likewise
struct GroupBlock {
  enum class Kind { rotation, rigid, planar };
  Kind kind = Kind::rotation;
  int x = 0, p = 0;  // first entries in y of its positions and momenta
  int size() const { return kind == Kind::rigid ? 6 : 3; }
};

/// What an equation of motion guarantees beside f, for methods that rely on it.
struct OdeStructure {
  /// After the positions come their momenta, one for each: q̇ = ∂H/∂p, ṗ = −∂H/∂q + other forces.
  bool has_momenta = false;
  std::vector<GroupBlock> groups;  // all other positions are plain coordinates
  std::string group;               // the first of them in words: "joint 'ball'"
  std::string dissipation;  // a force that depends on velocities, in words; empty: there is none
  std::string drive;        // a force or motion given from outside, in words; empty: there is none

  bool is_conservative() const { return dissipation.empty() && drive.empty(); }
};

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

  /// Moves the base of the chart to y: positions in y become 0 but for the rounding of the move, so
  /// that no increment is lost however small; ydot, the derivative at this point, is re-expressed.
  /// In a plain vector space it does nothing.
  virtual void rebase(double t, std::span<double> y, std::span<double> ydot) {
    (void)t, (void)y, (void)ydot;
  }

  /// Whether solutions lie on a manifold that numerical steps leave; project() returns to it.
  virtual bool is_constrained() const { return false; }
  /// Brings y back onto it, in the present chart. False where it cannot; failure() then says why.
  virtual bool project(double t, std::span<double> y) { return (void)t, (void)y, true; }

  virtual OdeStructure structure() const { return {}; }
  /// A function of (t, y) that the motion conserves: energy less all work done, with quadratures.
  /// Not a number where there is none.
  virtual double energy_account(double t, std::span<const double> y) {
    (void)t, (void)y;
    return std::numeric_limits<double>::quiet_NaN();
  }

  /// Why the last derivative() or project() failed.
  virtual std::string failure() const { return ""; }
  /// What entry i of y is, in words: "shoulder.u".
  virtual std::string entry(int i) const { return "y[" + std::to_string(i) + "]"; }
};

}  // namespace sarrus
