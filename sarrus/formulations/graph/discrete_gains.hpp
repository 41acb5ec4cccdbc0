// Stiffness and damping of the blocks, and the step that they and the user's elements allow.
//
// A block between bodies A and B meets the inverse inertia λ = λ_A + λ_B (0 for the world):
//
//   translation   λ_X = λ_max(1/m − [r]× I⁻¹ [r]×)       rotation   λ_X = 1/I_min
//   k = β²/(n h² λ),   c = δ/(n h λ)                                                      (1)
//
// n: the larger number of blocks on its two bodies. With the damping taken at the half step
// before, any graph of blocks is stable (linearised) while β² + 2δ < 4. Force elements draw on the
// same budget; at every body b
//
//   Σ_blocks (β² + 2δ)/n + h² Σ k λ + 2 h Σ c λ < 4                                       (2)
//
// where dampers are read at the extrapolated velocity they count 4 h c λ. docs/theory/discrete.md
#pragma once

#include <string>
#include <vector>

#include "sarrus/formulations/graph/discrete_graph.hpp"

namespace sarrus {

struct GainOptions {
  double stiffness = 1;  // β²
  double damping = 1;    // δ
};

/// A scalar condition on one freedom of a joint: a prescribed motion, the advance of a screw, the
/// coupling to a rotor.
struct RowBlock {
  enum class Kind { motion, screw, rotor };
  Kind kind = Kind::motion;
  int joint = 0;    // of the graph
  int freedom = 0;  // of that joint
  int source = 0;   // entry of Mechanism::motions, or of the rotors
  double lambda = 0;
  double k = 0, c = 0;  // gains (1)
};

/// A force element between two bodies: its share of the budget (2).
struct ElementLoad {
  std::string name;
  int a = 0, b = 0;     // slots
  double k = 0, c = 0;  // stiffness, damping
  double lambda = 0;
};

/// Gains of the blocks of one joint.
struct JointGains {
  double kt = 0, ct = 0, kr = 0, cr = 0;  // kt, ct of sliding joints: to be divided by λ
  double lambda = 0, inverse_I = 0;       // sliding: λ = lambda + |l_a|² inverse_I
};

class DiscreteGains {
 public:
  DiscreteGains(const Mechanism& m, const DiscreteGraph& g, const GainOptions& options);

  const std::vector<RowBlock>& rows() const { return rows_; }
  const std::vector<ElementLoad>& loads() const { return loads_; }
  std::vector<double> rotors;  // armature of each rotor [kg.m²] or [kg]

  /// (1) for all blocks and rows at the step h.
  void set_step(double h);
  JointGains joint(int j) const;
  /// Inverse inertia of the translation block at the start, and its count n: the gap is F n λ
  /// h²/β².
  double lambda(int j) const { return lambda_t_[j]; }
  int count(int j) const { return count_[j]; }
  /// k λ and c λ of a condition, whose λ changes with the places.
  struct Unit {
    double k = 0, c = 0;
  };
  Unit condition(int i) const {
    const double n = condition_count_[i];
    return {o_.stiffness / (n * h_ * h_), o_.damping / (n * h_)};
  }
  int condition_count(int i) const { return condition_count_[i]; }
  double stiffness() const { return o_.stiffness; }
  double stiffness_per_damping() const { return o_.damping > 0 ? o_.stiffness / o_.damping : 0; }

  /// The largest step that (2) allows, with the body and the element that decide; h = 0: no
  /// element limits it.
  struct Limit {
    double h = 0;
    int body = 0;
    std::string element;
  };
  Limit limit(double account, double damping_weight) const;
  /// What the blocks leave of the 4 at the tightest body.
  double room() const;
  /// Largest Σ c λ over the bodies [1/s].
  double damping_rate() const;

  /// λ of freedom k of a joint, both bodies: of a torque about its axis or a force along it.
  double freedom_mobility(const GraphJoint& joint, int k) const;

 private:
  void list_rows();
  void list_loads();
  void add_load(const std::string& name, const Resistance& r);
  void add_contact_loads();
  void count_blocks();
  double block_share(int body) const;

  const Mechanism& m_;
  const DiscreteGraph& g_;
  GainOptions o_;
  double h_ = 0;
  std::vector<RowBlock> rows_;
  std::vector<ElementLoad> loads_;
  std::vector<int> on_body_, count_, row_count_, condition_count_;
  std::vector<double> lambda_t_, lambda_r_;
};

/// The joint of the graph that owns velocity u, and which of its freedoms that is.
struct OwnedFreedom {
  int joint = -1, freedom = 0;
};
OwnedFreedom owner_of_velocity(const Mechanism& m, const DiscreteGraph& g, int u);

}  // namespace sarrus
