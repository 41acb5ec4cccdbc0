// Initial guesses for joints that have no coordinates of their own because they close loops:
// wishes.
//
// Positions: with the rows φ of the loops, ℓ their length, and x all positions that the file gives,
// of joints in the tree and of closing ones,
//
//   minimise  |φ/ℓ|² + w² |x − x_given|²                                               (1)
//
// by steps of Levenberg and Marquardt from several places, first with a large w, then with a small
// one. The lowest minima lie near the assemblies that may be meant; assembly.hpp closes them.
//
// Speeds: of all that the loops allow, u + T y with G T = 0, the nearest to the given ẋ,
//
//   minimise  |ẋ(u + T y) − ẋ_given|²                                                  (2)
//
// Dense, with differences: for mechanisms of a few hundred velocities.
#pragma once

#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

class Wishes {
 public:
  /// `given`: the start as the file says it, prescribed motions in their places.
  Wishes(const Mechanism& mechanism, double t, Coordinates given);

  bool has_positions() const { return has_positions_; }
  bool has_speeds() const { return has_speeds_; }
  /// Whether the mechanism is small enough to look for them.
  bool are_sought() const;

  /// Minima of (1), lowest first.
  std::vector<std::vector<double>> candidates(Workspace<double>& w) const;
  /// |x − x_given|.
  double distance(const Places<double>& k) const;
  /// (2), from speeds u that the loops allow at q.
  void bring_near(Workspace<double>& w, const std::vector<double>& q, std::vector<double>& u) const;

  /// Which of them were missed, and what prevents them.
  std::vector<Diagnostic> missed_positions(const Places<double>& k) const;
  std::vector<Diagnostic> missed_speeds(const Places<double>& k) const;

 private:
  struct Minimum {
    std::vector<double> q;
    double value = 0;
  };
  std::vector<double> residuals(Workspace<double>& w, const std::vector<double>& q,
                                double weight) const;
  Minimum descend(Workspace<double>& w, Minimum at, double weight) const;
  void add_misses(const Places<double>& k, double weight, std::vector<double>& to) const;
  std::vector<double> speeds(const Places<double>& k) const;
  std::string given_in_loop(const Closure& c, const std::vector<char>& given) const;

  const Mechanism& m_;
  double t_;
  Coordinates given_;
  std::vector<int> free_;  // velocities of joints that no motion prescribes
  bool has_positions_ = false, has_speeds_ = false;
};

/// q = from ⊕ factor dx, joint by joint.
void displace(const Mechanism& m, const std::vector<double>& from, const std::vector<double>& dx,
              double factor, std::vector<double>& q);

}  // namespace sarrus
