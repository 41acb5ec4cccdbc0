// Says why a run comes forward no more, long before its time is used up.
//
//   steps that are left ≈ (until − t) · n / (time gained by the last n steps)             (1)
#pragma once

#include <optional>

#include "sarrus/motion/motion.hpp"

namespace sarrus {

class CrawlWatch {
 public:
  explicit CrawlWatch(double t) : t_(t) {}

  /// After a step: what there is to say. An error: at this pace the run does not end; a warning:
  /// it will take very long, and that is said once.
  std::optional<Diagnostic> look(Motion& motion, std::int64_t steps, double until);

 private:
  double t_;                // [s] at the last look
  std::int64_t steps_ = 0;  // at the last look
  int hopeless_ = 0;        // looks in a row
  bool has_warned_ = false;
};

}  // namespace sarrus
