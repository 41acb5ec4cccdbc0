// Notices when an elastic body bends farther than its equations hold: displacements are right to
// second order, and those cut after the second order of the energy fail sooner.
#pragma once

#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/formulations/snapshot.hpp"

namespace sarrus {

class DeflectionWatch {
 public:
  void look(const Snapshot& now);
  /// One warning for each body that went beyond.
  void tell(const Mechanism& mechanism, std::vector<Diagnostic>& notes) const;

 private:
  struct Largest {
    double deflection = 0, t = 0;
  };
  std::vector<Largest> largest_;  // per elastic body
};

}  // namespace sarrus
