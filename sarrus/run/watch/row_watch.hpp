// Detects rows with values that are not numbers: a sensor formula without a value does not affect
// the motion, so the run goes on, but nobody should have to find out from the plots.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sarrus {

class RowWatch {
 public:
  struct Lack {
    std::int64_t rows = 0;  // that hold no number
    double t = 0;           // [s] of the first of them
  };

  /// A row as it was written; the first column is the time.
  void look(std::span<const double> row);
  /// One entry per column; empty as long as every number was one.
  const std::vector<Lack>& lacks() const { return lacks_; }
  std::int64_t rows() const { return rows_; }

 private:
  std::vector<Lack> lacks_;
  std::int64_t rows_ = 0;
};

}  // namespace sarrus
