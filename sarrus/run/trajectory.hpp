// What a run leaves: rows of numbers under named columns, and the state to go on from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sarrus/motion/motion_state.hpp"
#include "sarrus/run/column.hpp"

namespace sarrus {

/// Rows in memory. The first column is time[s].
struct Trajectory {
  std::vector<Column> columns;
  std::vector<double> values;  // row after row

  int rows() const {
    return columns.empty() ? 0 : static_cast<int>(values.size() / columns.size());
  }
  std::span<const double> row(int i) const {
    return {values.data() + static_cast<size_t>(i) * columns.size(), columns.size()};
  }
  /// Index of a column by name, −1 where there is none.
  int column(const std::string& name) const;
  double at(int row, const std::string& name) const;  // throws std::out_of_range naming the column
};

/// Where rows go while a run produces them.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void begin(const std::vector<Column>& columns) = 0;
  virtual void row(std::span<const double> values) = 0;
};

/// Everything that the rest of a run depends on. Written at step boundaries only.
struct Checkpoint : MotionState {
  std::string model_hash;  // of the model and the settings that it belongs to
  std::string formulation, integrator;
  std::int64_t rejected = 0, evaluations = 0;
  std::int64_t rows = 0;         // rows written so far
  std::vector<double> counters;  // of the driver: extremes so far, …
};

}  // namespace sarrus
