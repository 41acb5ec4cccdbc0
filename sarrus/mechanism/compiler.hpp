// State of compile() while it turns a model into a mechanism. Its parts are in compile*.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sarrus/elastic/elastic_shape.hpp"
#include "sarrus/mechanism/bind.hpp"
#include "sarrus/mechanism/closures.hpp"
#include "sarrus/mechanism/mechanism.hpp"
#include "sarrus/mechanism/spanning_tree.hpp"
#include "sarrus/model/freedoms.hpp"
#include "sarrus/model/valid_model.hpp"

namespace sarrus {

/// Whether joint forces by coordinate make sense: q̇ = u for each.
bool has_plain_coordinates(JointType type);

/// An elastic body on the way into the tree.
struct ElasticPart {
  std::unique_ptr<ElasticShape> shape;
  int entry = 0;          // of Mechanism::elastic
  double near = 0;        // [m] carriers nearer than this are one
  std::vector<int> seat;  // entries of Mechanism::seats
  std::vector<Vec3> at;   // and their carriers, in the user's frame
};

class Compiler {
 public:
  explicit Compiler(const ValidModel& model) : model_(*model), binder_(m_, faults_) {}

  Mechanism run();

 private:
  const Model& model_;
  Mechanism m_;
  Diagnostics faults_, physics_;
  FormulaBinder binder_;
  std::map<std::string, int> body_index_;  // −1: the world
  std::vector<int> inside_;                // body of the model → body of the mechanism
  std::vector<int> joint_info_;            // joint of the model → entry of m_.joints
  std::vector<MassProperties> mass_;
  std::vector<char> halved_;  // per joint of the model: closes a loop and stays in the tree
  std::vector<int> parts_;    // per body of the model: into how many parts its mass is divided
  std::map<int, ElasticPart> elastic_;  // by body of the model

  void take_parameters();
  int add_state_of(StateInfo info, double start);
  void find_bodies();

  int inside(int body) const { return body < 0 ? 0 : inside_[body]; }
  Pose<double> user_frame(int body) const {  // X_BC
    return body < 0 ? Pose<double>{} : m_.bodies[body].X_BC;
  }

  // ── elastic bodies ──

  /// A frame on a body of the model, where it is in the tree.
  struct Mount {
    int body = 0;
    Pose<double> X;
  };

  /// On an elastic body a frame sits on a seat, rigidly tied to its carrier.
  Mount mount(int body, const Pose<double>& X, const Place& where, const std::string& element);
  Mount mount(const PointSpec& p, const std::string& element) {
    return mount(body_index_.at(p.body), {Mat3::identity(), p.at}, p.where, element);
  }

  Vec3 carrier_of(int body, const ElasticPart& part, const Vec3& point, const Place& where,
                  const std::string& element);
  int seat_at(int body, const Vec3& at);

  /// The user's axes at the clamped point, in B.
  Pose<double> clamped_frame(int body, const ElasticPart& part) const {
    return user_frame(body) * Pose<double>{Mat3::identity(), part.shape->clamp()};
  }

  void add_elastic(int body, const Vec3& inboard, const Place& where, const std::string& element);
  static void add_elastic_mass(BodyInfo& known, const ElasticBody& elastic);
  void note_doubtful(const BodySpec& spec, double rigid, const ElasticBody& elastic);
  void start_elastic(const BodySpec& spec, const ElasticInfo& info);

  // ── the tree ──

  void build_tree();

  // A joint that closes a loop and whose coordinates are needed stays in the tree: it carries a
  // part of its child's mass, and that part is welded to the rest. Rigidly joined, the parts are
  // the body.

  void find_halves(const SpanningTree& tree, const std::vector<int>& child);
  MassProperties part_of(int body) const;
  void add_half(int j, int parent, int child);
  static Closure named(const std::string& name, const char* kind, const Place& where);
  void add_closure(Closure closure, std::vector<ClosureRow> rows);
  void close_loops();
  void add_constraints();
  bool couple(const ConstraintSpec& c, Closure& closure, ClosureRow& row);

  /// The coordinate that a coupling names; −1, with a fault, where there is none with q̇ = u.
  int coordinate(const CoordinateName& wanted, const std::string& path);
  void add_edge(const TreeEdge& edge);
  bool can_reverse(const JointSpec& joint);

  /// A body inside: its joint frame on the parent, in the parent's B.
  void add_body(int parent, const Pose<double>& X_PF, JointKind kind,
                const JointNumbers<double>& numbers, const BodyInertia<double>& inertia);
  void place_user_frame(int outer, const Pose<double>& X_CB);
  void add_single(const TreeEdge& edge, const JointSpec& joint, const Mount& inner,
                  JointInfo& info);

  /// Turns and slides one after the other, with massless dummies between them.
  void add_sequence(const TreeEdge& edge, const JointSpec& joint, const Mount& inner,
                    JointInfo& info);
  void set_start(const JointSpec& joint, const JointInfo& info);
  void fill(const JointSpec& joint, const char* key, const std::vector<double>& from,
            std::vector<double>& to);
  void set_wishes(const JointSpec& joint, JointKind kind, Closure& closure);
  void describe_cuts();

  // ── forces on joints ──

  /// One value for every freedom, or one for all.
  template <class F>
  void per_freedom(const JointSpec& joint, const char* key, const std::vector<double>& values,
                   int count, F&& use);
  bool needs_plain(const JointSpec& joint, const char* key);
  bool needs_single(const JointSpec& joint, const char* key, const JointInfo& info);
  void add_joint_forces();
  void add_joint_spring(const JointSpec& joint, const JointInfo& info);
  void add_limits(const JointSpec& joint, const JointInfo& info);
  void add_friction(const JointSpec& joint, const JointInfo& info);
  void add_drives(const JointSpec& joint, const JointInfo& info);
  void add_motion(const JointSpec& joint, JointInfo& info);
  EventAction action_of(const EventSpec& event, const EventSetting& setting);

  // ── forces between bodies, sensors, events ──

  /// What an element is made with: where its points and frames are, and its formulas.
  struct ElementMaker {
    Compiler& compiler;
    const Place& where;
    std::string element;

    Mount mount(const PointSpec& p) { return compiler.mount(p, element); }
    Mount mount(const std::string& body, const FrameSpec& frame) {
      return compiler.mount(compiler.body_index_.at(body), frame.pose(), where, element);
    }
    /// The user's axes of a body, in B.
    Mat3 user_axes(const std::string& body) {
      return compiler.user_frame(compiler.body_index_.at(body)).R;
    }
    /// The formula's entry; −1 for one that is always zero.
    int component(const Formula& formula, const char* key) {
      return compiler.add_component(formula, element + key);
    }
  };
  template <class Spec, class E>
  void add_named_forces(const std::vector<Spec>& specs, std::vector<E>& into);
  void add_forces();
  int add_component(const Formula& formula, const std::string& element);
  void add_sensors();

  // ── controllers ──

  void add_inputs();
  void add_control();
  void add_state(const StateSpec& s);
  void add_signal(const SignalSpec& s, const char* table);
  int add_parameter(const std::string& name, double value);
  void add_sampled(SampledValue value, const Formula& formula, double start);
  Formula within_limits(const StateSpec& s);
  /// Signals that are sampled after those they read; refuses circles.
  void order_sampled();

  void add_deformation_sensor(const SensorSpec& s);
  void add_events();

  /// Which formulas the forces read in every evaluation.
  void list_formulas();
};

}  // namespace sarrus
