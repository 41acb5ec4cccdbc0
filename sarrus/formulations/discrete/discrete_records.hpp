// Records of the discrete formulation: everything that is observed at an instant, to interpolate
// between two steps and to fill a Snapshot.
//
//   y = [P, quaternion, V, L, a, α of every body | wrench of every joint | forces of conditions |
//        rotors | q, u measured | states of elements | ledger]
#pragma once

#include <span>

#include "sarrus/formulations/discrete/discrete_conditions.hpp"
#include "sarrus/formulations/discrete/discrete_elements.hpp"
#include "sarrus/formulations/discrete/discrete_rows.hpp"
#include "sarrus/formulations/snapshot.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

class DiscreteRecords {
 public:
  DiscreteRecords(const Mechanism& m, const DiscreteGraph& graph, double h, int rotors);

  int size() const { return size_; }
  /// What entry i is, in words.
  std::string entry(int i) const;
  /// Accelerations and forces of one record into another of the same instant.
  void take_forces(std::span<const double> from, std::span<double> to) const;

  /// Everything at the present instant.
  void write(const DiscreteBodies& bodies, const DiscreteConditions& conditions,
             const DiscreteRows& rows, const DiscreteElements& elements,
             DiscreteCoordinates& coordinates, const Ledger& ledger, std::span<double> y);
  /// Between two records one step apart, 0 ≤ theta ≤ 1.
  void between(const DiscreteBodies& bodies, std::span<const double> y0, std::span<const double> y1,
               double theta, std::span<double> y) const;
  void observe(Workspace<double>& w, const DiscreteBodies& bodies, double t,
               std::span<const double> y, Snapshot& out);

 private:
  /// Where the parts of y start.
  struct Layout {
    size_t wrenches, conditions, rotors, q, u, state, ledger;
  };

  void write_bodies(const DiscreteBodies& bodies, double*& out);
  void write_joints(const DiscreteBodies& bodies, double*& out) const;
  Wrench<double> needed_by_given(const GraphJoint& j, const Vec3& gravity) const;
  void read_bodies(const DiscreteBodies& bodies, const double*& in, Snapshot& out);
  void read_joints(const double*& in, Snapshot& out);
  void observe_conditions(const double* mu, const LoopRows<double>& rows, Snapshot& out) const;
  void sense_accelerations(Workspace<double>& w, const Places<double>& k, const Forces<double>& f,
                           Snapshot& out);

  const Mechanism* m_;
  const DiscreteGraph* g_;
  double h_;
  int size_ = 0;
  Layout at_{};
  // what is computed on the way to a record or from one
  std::vector<MotionRecord> motion_;        // per slot
  std::vector<Twist<double>> pace_;         // per slot, accelerations of the centre of mass
  std::vector<BodyMotion<double>> placed_;  // per body inside
  std::vector<double> normal_;              // likewise
  std::vector<double> u_kept_;
  BodyAccelerations<double> A_;
};

}  // namespace sarrus
