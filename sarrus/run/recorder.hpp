// From the mechanism at one instant to one row of numbers under named columns.
#pragma once

#include <span>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/formulations/snapshot.hpp"
#include "sarrus/mobility/reaction_share.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

struct RecorderOptions {
  bool reactions = false;  // the wrench of each joint, in the joint's frame on the child
  bool momenta = false;    // the momentum of each joint, and the Hamiltonian
};

/// What gives a column its numbers.
struct ColumnSource {
  std::string element;  // "sensor/tip"
  Place where;          // may be empty
};

class Recorder {
 public:
  /// Throws Error(model) where two columns have one name.
  Recorder(const Mechanism& mechanism, RecorderOptions options);

  const std::vector<Column>& columns() const { return columns_; }
  const ColumnSource& source(size_t column) const { return sources_[source_of_[column]]; }

  /// Fills one row; `energy_at_start` closes the account.
  void row(const Snapshot& now, double energy_at_start, std::span<double> out);

  /// Joints whose recorded reactions are not unique, as the last row found them.
  const std::vector<std::string>& shared_reactions() const { return share_.shared(); }
  /// False where the mechanism is too large to share reactions fairly: those of the rows that were
  /// kept are given.
  bool shares_reactions() const { return share_.is_possible(); }

 private:
  /// What is driven by more than springs and dampers: indices into the lists of force elements.
  struct Drives {
    std::vector<int> sources, servos, motors;
    bool any() const { return !(sources.empty() && servos.empty() && motors.empty()); }
  };
  void list_drives();
  bool is_driven(const JointInfo& joint) const;
  double drive_on(const Snapshot& now, int u) const;
  double hamiltonian(const Snapshot& now) const;
  void refuse_doubled_columns() const;

  const Mechanism* m_;
  std::vector<Drives> drives_;  // per velocity
  RecorderOptions options_;
  ReactionShare share_;
  std::vector<Column> columns_;
  std::vector<ColumnSource> sources_;
  std::vector<size_t> source_of_;  // per column
};

/// The sum that stays zero in an exact solution: E − E₀ + dissipated − drive − external [J].
double ledger_closure(const Snapshot& now, double energy_at_start);

}  // namespace sarrus
