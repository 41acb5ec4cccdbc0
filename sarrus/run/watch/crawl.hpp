// Says why a run no longer makes progress, long before its time is used up.
//
//   steps that are left ≈ (until − t) · n / (time gained by the last n steps)             (1)
#pragma once

#include <optional>

#include "sarrus/motion/motion.hpp"

namespace sarrus {

class CrawlWatch {
 public:
  explicit CrawlWatch(double t) : t_(t) {}

  /// The verdict on a step. An error: at this pace the run does not end; a warning, given once: it
  /// will take very long.
  std::optional<Diagnostic> look(Motion& motion, std::int64_t steps, double until);

 private:
  double t_;                // [s] at the last look
  std::int64_t steps_ = 0;  // at the last look
  int hopeless_ = 0;        // looks in a row
  bool has_warned_ = false;
};

}  // namespace sarrus
