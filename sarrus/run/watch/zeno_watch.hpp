// Notices an event that acts again and again in no time: a relay that chatters, a ball whose bounces
// come ever faster. Such a run may never reach its end.
#pragma once

#include <optional>
#include <vector>

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

class ZenoWatch {
 public:
  /// `span`: the length of the run [s].
  ZenoWatch(size_t events, double span) : since_(events), count_(events, 0), short_(1e-6 * span) {}

  /// These events act at t. A warning at the first hundred of one within a millionth of the run, an
  /// error at ten thousand.
  std::optional<Diagnostic> look(const Mechanism& m, const std::vector<int>& events, double t);

 private:
  std::vector<double> since_;
  std::vector<int> count_;
  double short_;
  bool warned_ = false;
};

}  // namespace sarrus
