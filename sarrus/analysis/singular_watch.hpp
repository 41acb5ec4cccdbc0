// Notices when a mechanism passes a position where its loops lose independence: dead centres of
// parallelograms, bifurcations. There it may go on in more than one way.
//
// Near such a position one combination y of the rows hardly acts on the velocities, and behind it
// acts the other way round: g = Gᵀ y passes through zero, and changes its direction between two
// steps while y keeps its own.
#pragma once

#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/formulations/formulation.hpp"

namespace sarrus {

class SingularWatch {
 public:
  /// After a step and its projection; adds a note where the step passed such a position.
  void look(Formulation& f, double t, std::span<const double> y, std::vector<Diagnostic>& notes);

 private:
  void note(const Mechanism& m, double t, std::vector<Diagnostic>& notes);

  bool near_ = false;
  double t_ = 0;
  std::vector<double> y_, g_, y_before_, g_before_, jacobian_;
  int passages_ = 0;
};

}  // namespace sarrus
