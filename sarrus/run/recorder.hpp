// From the mechanism at one instant to one row of numbers under named columns.
#pragma once

#include <span>
#include <vector>

#include "sarrus/formulations/snapshot.hpp"
#include "sarrus/mobility/reaction_share.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

struct RecorderOptions {
  bool reactions = false;  // the wrench of each joint, in the joint's frame on the child
  bool momenta = false;    // the momentum of each joint, and the Hamiltonian
};

class Recorder {
 public:
  Recorder(const Mechanism& mechanism, RecorderOptions options);

  const std::vector<Column>& columns() const { return columns_; }

  /// Fills one row; `energy_at_start` closes the account.
  void row(const Snapshot& now, double energy_at_start, std::span<double> out);

  /// Joints whose recorded reactions are not unique, as the last row found them.
  const std::vector<std::string>& shared_reactions() const { return share_.shared(); }
  /// False where the mechanism is too large to share reactions fairly: those of the rows that were
  /// kept are given.
  bool shares_reactions() const { return share_.is_possible(); }

 private:
  /// A drive on a velocity: entry i of its list of force elements.
  struct Drive {
    ForceKind kind;
    size_t i;
  };
  void list_drives();
  bool is_driven(const JointInfo& joint) const;
  /// Calls f with every drive on velocity u.
  template <class F>
  void each_drive(int u, F&& f) const;
  double drive_on(const Snapshot& now, int u) const;
  double hamiltonian(const Snapshot& now) const;

  const Mechanism* m_;
  std::vector<std::vector<Drive>> drives_;  // per velocity
  RecorderOptions options_;
  ReactionShare share_;
  std::vector<Column> columns_;
};

/// The sum that stays zero in an exact solution: E − E₀ + dissipated − drive − external [J].
double ledger_closure(const Snapshot& now, double energy_at_start);

}  // namespace sarrus
