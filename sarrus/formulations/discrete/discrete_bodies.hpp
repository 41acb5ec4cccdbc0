// The bodies of the discrete formulation and the blocks of their joints, as kernels move them: four
// in a pack, a record of the motion of each, the wrenches that act on them.
//
// The blocks of its joints act on a body, and one wrench of everything else that pushes it:
// elements, contacts, rows, conditions, loans.
#pragma once

#include "sarrus/formulations/graph/discrete_measure.hpp"
#include "sarrus/formulations/graph/discrete_scheme.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

class DiscreteBodies {
 public:
  /// `pushed`: something acts on the bodies beside the blocks of joints.
  DiscreteBodies(const Vec3& gravity, const DiscreteGraph& graph, const DiscreteGains& gains,
                 const DiscreteScheme& scheme, bool pushed);
  DiscreteBodies(const DiscreteBodies&) = delete;
  DiscreteBodies& operator=(const DiscreteBodies&) = delete;

  int slots() const { return static_cast<int>(g_->bodies.size()); }  // slot 0 is the world
  const Vec3& gravity() const { return view_.gravity; }

  // ── motion ──

  const std::vector<MotionRecord>& motion() const { return motion_; }
  const MotionRecord& operator[](int slot) const { return motion_[slot]; }
  Quat orientation(int slot) const;
  /// Velocity of the centre of mass and angular momentum, of half a step ago.
  Vec3 V(int slot) const { return lane(pack(slot).V, slot); }
  Vec3 L(int slot) const { return lane(pack(slot).L, slot); }
  Vec3 angular_velocity(int slot, const Mat3& R, const Vec3& L) const;
  /// A body at the present instant: velocities carried on by half a kick, and accelerations.
  struct Present {
    MotionRecord motion;
    Vec3 L, a, alpha;
  };
  Present present(int slot) const;

  void place(const Kinematics<double>& k);
  /// The states of a leapfrog are those of half a step before.
  void turn_back_half_a_kick();
  /// Kick and drift.
  void move();
  /// Whether n steps are n times move() and hold(), and nothing else: then advance(n) is both.
  bool move_alone() const;
  void advance(std::int64_t n) { kernels_->advance(view_, n); }
  /// How fast one body is: as its joints see it, and half a step ago.
  struct Speeds {
    Vec3 V_seen, w_seen, V, L;
  };
  Speeds speeds(int slot) const { return {motion_[slot].V, motion_[slot].w, V(slot), L(slot)}; }
  void set_speeds(int slot, const Speeds& s);

  // ── forces ──

  /// Wrenches of the blocks at the present places and velocities.
  void hold() { kernels_->joints(view_); }
  /// Whether the block of a joint has gains; its frames are those of the graph.
  void engage(int joint, bool holds);
  /// Nothing pushes, and these joints carry nothing beside their blocks.
  void clear_pushes(const std::vector<int>& joints);
  /// A force through the centre of mass and a torque.
  void push(int slot, const Vec3& f, const Vec3& n) {
    WrenchRecord& w = wrench_[2 * g_->joints.size() + static_cast<size_t>(slot)];
    w.f += f, w.n += n;
  }
  /// A wrench on B of a joint at o_M, and its opposite on A at the same point.
  void push_pair(int joint, const JointPose& pose, const Wrench<double>& on_b);
  /// What a joint carries beside its block, on B at o_M.
  Wrench<double>& carried(int joint) { return carried_[joint]; }
  const Wrench<double>& carried(int joint) const { return carried_[joint]; }
  const WrenchRecord& on_a(int joint) const { return wrench_[2 * static_cast<size_t>(joint)]; }
  const WrenchRecord& on_b(int joint) const { return wrench_[2 * static_cast<size_t>(joint) + 1]; }
  Wrench<double> pulled(int slot) const;
  /// Elements may push out of the plane that bodies stay in.
  void keep_in_plane();

  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    for (auto& b : self.packs_)
      for (int i = 0; i < discrete_lanes; ++i) {
        for (auto* x : {&b.q.w, &b.q.x, &b.q.y, &b.q.z}) memory.lane(*x, i);
        for (auto* v : {&b.R.x, &b.R.y, &b.R.z, &b.P, &b.V, &b.L})
          for (auto* x : {&v->x, &v->y, &v->z}) memory.lane(*x, i);
      }
    memory(self.motion_, self.wrench_, self.carried_, self.turning_);
  }

 private:
  struct LanePlace {
    int pack = -1, lane = 0;
  };

  void pack_bodies();
  void pack_joints();
  void list_wrenches(bool pushed);
  void move_one_by_one();
  BodyPack& pack(int slot) { return packs_[static_cast<size_t>(slot - 1) / discrete_lanes]; }
  const BodyPack& pack(int slot) const {
    return packs_[static_cast<size_t>(slot - 1) / discrete_lanes];
  }
  static int lane_of(int slot) { return (slot - 1) % discrete_lanes; }
  static Vec3 lane(const Vector3<Lane>& v, int slot) {
    const int i = lane_of(slot);
    return {v.x[i], v.y[i], v.z[i]};
  }

  const DiscreteGraph* g_;
  const DiscreteGains* gains_;
  const DiscreteKernels* kernels_;
  DiscreteScheme scheme_;
  std::vector<BodyPack> packs_;
  std::vector<JointPack> joints_;
  std::vector<LanePlace> place_;  // of every joint in its pack
  std::vector<MotionRecord> motion_;
  std::vector<WrenchRecord> wrench_;  // two per joint, one per body for the rest, two unused
  std::vector<std::int32_t> list_;
  std::vector<Wrench<double>> carried_;
  std::vector<Vec3> turning_;  // rotation "paper": the source's V_r
  DiscreteView view_{};        // of all these
};

}  // namespace sarrus
