// Notices when a mechanism passes a position where its loops lose independence: dead centres of
// parallelograms, bifurcations. There it may go on in more than one way.
//
// Near such a position one combination y of the rows hardly acts on the velocities, and behind it
// acts the other way round: what it moves, g = M⁻¹ Gᵀ y, passes through zero, and changes its
// direction between two looks while y keeps its own. A long step is looked at in several places.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/formulations/formulation.hpp"

namespace sarrus {

/// Names of the closures that take part in the combination y of rows: "'c1', 'c2'".
std::string closures_in(const Mechanism& mechanism, const std::vector<double>& y);
/// Of the combination that is nearest to vanishing.
std::string weak_closures(Dynamics<double>& d);

class SingularWatch {
 public:
  /// After a step and its projection; adds a note where the step passed such a position. `inside`
  /// gives y at a part of the step, from 0 to 1.
  void look(Formulation& f, double t, double h,
            const std::function<std::span<const double>(double)>& inside,
            std::vector<Diagnostic>& notes);

 private:
  void look_at(Formulation& f, double t, std::span<const double> y, std::vector<Diagnostic>& notes);
  void note(const Mechanism& m, double t, std::vector<Diagnostic>& notes);

  bool near_ = false;
  double t_ = 0;
  std::vector<double> y_, g_, y_before_, g_before_;
  int passages_ = 0;
};

}  // namespace sarrus
