// Puts a mechanism into the state of a row of a result, to draw it and to evaluate its forces.
#pragma once

#include <span>
#include <vector>

#include "sarrus/formulations/snapshot.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

/// What a point spring or an applied force exerts, in world axes.
struct Load {
  Vec3 force{};   // [N] a spring: on the body of its second point
  Vec3 moment{};  // [N.m]
};

class Replay {
 public:
  /// Keeps a reference to the mechanism. Throws Error(Fault::io) where a coordinate of the
  /// mechanism has no column: the rows belong to another model.
  Replay(const Mechanism& mechanism, const std::vector<Column>& columns);

  /// Positions, velocities and forces at a row, with columns as given.
  void set(std::span<const double> row);
  /// The start that the model gives.
  void set_start(double t);

  /// The user's frame of entry i of Mechanism::bodies, in the world.
  Pose<double> body_pose(size_t i) const;
  /// Of entry i of the springs between points, in the order of the model.
  double tension(size_t spring);
  /// Of entry i of the applied forces.
  Load applied(size_t force);

  /// Positions and forces; accelerations are not known.
  const Snapshot& now() const { return now_; }

 private:
  template <class Element>
  const std::vector<Wrench<double>>& alone(const Element& element);
  void move_to(double t, const std::vector<double>& q, const std::vector<double>& u);

  const Mechanism* m_;
  Workspace<double> w_;
  Snapshot now_;
  std::vector<int> q_columns_, u_columns_;  // −1: no such column
  std::vector<double> q_, u_;
  std::vector<Wrench<double>> wrench_;
};

}  // namespace sarrus
