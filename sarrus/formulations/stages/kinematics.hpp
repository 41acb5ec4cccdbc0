// Where everything is and how it moves: the first stage of an instant.
#pragma once

#include <vector>

#include "sarrus/formulations/tree/tree_view.hpp"

namespace sarrus {

/// Elastic bodies by themselves, and the places on them that carry something. It points into
/// itself.
template <class T>
class ElasticRoom {
 public:
  explicit ElasticRoom(const Mechanism& mechanism);
  ElasticRoom(const ElasticRoom&) = delete;
  ElasticRoom(ElasticRoom&&) = default;
  ElasticRoom& operator=(ElasticRoom&&) = default;

  std::vector<Flex<T>>& flex() { return flex_; }
  const std::vector<Flex<T>>& flex() const { return flex_; }
  const std::vector<Seat<T>>& seat() const { return seat_; }

 private:
  std::vector<Wrench<T>> coupling_;
  std::vector<T> elastic_;
  std::vector<Vector3<T>> scratch_;
  std::vector<Twist<T>> columns_;
  std::vector<Flex<T>> flex_;
  std::vector<Seat<T>> seat_;
};

/// Positions and velocities of bodies, and what coordinates and states go with them.
template <class T>
struct Bodies {
  explicit Bodies(const Mechanism& mechanism);

  const Mechanism* mechanism;
  T t{};
  std::vector<T> q, u, state;       // q is padded: its first nq entries
  std::vector<BodyMotion<T>> body;  // in world axes
};

/// The same as a tree: how each velocity moves its body against its parent.
template <class T>
struct Places : Bodies<T> {
  explicit Places(const Mechanism& mechanism);
  using Bodies<T>::mechanism;

  std::vector<T> given;     // u̇ that motions prescribe, 0 elsewhere
  std::vector<Twist<T>> S;  // per velocity: the twist of its body, and of all it carries
  std::vector<Arm<T>> arm;  // per body
  ElasticRoom<T> elastic;

  /// Calls f(u, S) for every velocity that moves a body against its parent in the tree.
  template <class F>
  void each_column(int i, F&& f) const {
    if (mechanism->kind[i] == JointKind::seat) {
      const Seat<T>& seat = elastic.seat()[mechanism->part[i]];
      const Flex<T>& flex = elastic.flex()[seat.flex];
      for (int k = 0; k < flex.n; ++k) f(flex.u0 + k, seat.columns[k]);
      return;
    }
    for (int k = mechanism->u0[i]; k < mechanism->u0[i + 1]; ++k) f(k, S[k]);
  }
};

/// The same, complete for equations of motion: with the acceleration bias of every body.
template <class T>
struct Kinematics : Places<T> {
  using Places<T>::Places;
};

}  // namespace sarrus
