// Names in formulas are resolved: parameters, coordinates of joints, values of sensors.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// What a formula may depend on, by where it is used.
enum class Reach {
  time,           // t and parameters: prescribed motion, which needs exact derivatives
  motion,         // and positions and velocities: forces
  accelerations,  // and accelerations: sensors, events
};

/// Gathers the formulas of a mechanism, then binds all of them at once.
class FormulaBinder {
 public:
  FormulaBinder(Mechanism& mechanism, Diagnostics& faults) : m_(mechanism), faults_(faults) {}

  /// Keeps the formula; returns its index. `element` is where it stands, for messages.
  int add(const Formula& formula, const std::string& element, Reach reach);

  /// Resolves every name into a slot and orders the signals. `tables` by name.
  void bind(const std::vector<std::shared_ptr<const Table>>& tables);

 private:
  struct Pending {
    int formula;
    std::string element;
    Reach reach;
  };

  void list_names();
  bool find_signal(const std::string& name, Signal& signal) const;
  int slot_of(const std::string& name, const Pending& at);
  int require(const std::string& name, const Pending& at);
  bool is_late(const Signal& signal) const;
  void order_signals();
  void report_unknown(const std::string& name, const Pending& at) const;

  Mechanism& m_;
  Diagnostics& faults_;
  std::vector<Pending> pending_;
  std::unordered_map<std::string, int> signal_index_;  // position in m_.signals
  std::unordered_set<std::string> late_;               // signals that need accelerations
  // positions in the lists of the mechanism, by name
  std::unordered_map<std::string, int> parameter_, joint_, point_sensor_, formula_sensor_, element_,
      state_;
  std::vector<std::string> in_progress_;  // formula sensors being resolved: finds circles
};

}  // namespace sarrus
