// Rows of a run that stay in memory.
#pragma once

#include "sarrus/run/trajectory.hpp"

namespace sarrus {

class KeptRows final : public RowSink {
 public:
  Trajectory rows;
  void begin(const std::vector<Column>& columns) override { rows.columns = columns; }
  void row(std::span<const double> values) override {
    rows.values.insert(rows.values.end(), values.begin(), values.end());
  }
};

}  // namespace sarrus
