// From the mechanism at one instant to one row of numbers under named columns.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/formulations/snapshot.hpp"
#include "sarrus/mobility/reaction_share.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

struct RecorderOptions {
  bool reactions = false;      // the wrench of each joint and constraint
  bool momenta = false;        // the momentum of each joint, and the Hamiltonian
  bool accelerations = false;  // of joints, and of turning at point sensors
};

/// What a row is read from.
struct RowSource {
  const Snapshot& now;
  double energy_at_start;                         // [J] closes the account
  const std::map<int, Wrench<double>>& reshared;  // by joint: what redundant ones carry instead
};

/// What gives a column its numbers.
struct ColumnSource {
  std::string element;   // "sensor/tip"
  Place where;           // may be empty
  bool has_name = true;  // that the model gives; the program's own columns have none
};

/// Columns that are read together, with their reader beside them. A new column is one more entry
/// of such a group, in recorder.cpp.
struct ColumnGroup {
  ColumnSource source;
  std::vector<Column> columns;
  std::function<void(const RowSource&, double* out)> read;  // as many numbers as columns
};

class Recorder {
 public:
  /// Throws Error(model) where two columns have one name.
  Recorder(const Mechanism& mechanism, RecorderOptions options);

  const std::vector<Column>& columns() const { return columns_; }
  const ColumnSource& source(size_t column) const { return groups_[group_of_[column]].source; }

  /// Fills one row; `energy_at_start` closes the account.
  void row(const Snapshot& now, double energy_at_start, std::span<double> out);

  /// Joints whose recorded reactions are not unique, as the last row found them.
  const std::vector<std::string>& shared_reactions() const { return share_.shared(); }
  /// False where the mechanism is too large to distribute shared reactions: then the rows that were
  /// kept carry them all.
  bool shares_reactions() const { return share_.is_possible(); }

 private:
  void refuse_doubled_columns() const;

  const Mechanism* m_;
  RecorderOptions options_;
  ReactionShare share_;
  std::vector<ColumnGroup> groups_;
  std::vector<Column> columns_;
  std::vector<size_t> group_of_;  // per column
};

/// The sum that stays zero in an exact solution: E − E₀ + dissipated − drive − external [J].
double ledger_closure(const Snapshot& now, double energy_at_start);

}  // namespace sarrus
