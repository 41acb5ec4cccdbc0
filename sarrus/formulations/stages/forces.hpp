// What acts at an instant: signals, formulas, the forces of all elements and their account.
#pragma once

#include <vector>

#include "sarrus/formulations/stages/kinematics.hpp"

namespace sarrus {

template <class T>
struct Forces {
  explicit Forces(const Mechanism& mechanism);

  std::vector<T> slots;                  // what formulas can name: t, parameters, early signals
  std::vector<T> formula, formula_rate;  // values of what force elements read, and their rates
  std::vector<T> tau;                    // per velocity
  std::vector<Wrench<T>> wrench;         // per body, in world axes at its origin
  std::vector<T> state_rate;
  std::vector<T> normal;  // per body: size of the reaction that friction rubs on
  EnergyFlow<T> flow;     // of the elements; that of prescribed motions needs accelerations
};

/// Everything that formulas can name, accelerations included.
template <class T>
struct Signals {
  std::vector<T> slots;
};

}  // namespace sarrus
