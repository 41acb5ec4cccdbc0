// What the user says: names, numbers in SI, and where each was written. Plain data, from a file,
// from C++ or from Python alike; compile() turns it into a Mechanism.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sarrus/control/block_kinds.hpp"
#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/expression.hpp"
#include "sarrus/core/table.hpp"
#include "sarrus/elastic/beam.hpp"
#include "sarrus/forces/element_spec.hpp"
#include "sarrus/forces/force_kinds.hpp"
#include "sarrus/joints/joint_facts.hpp"
#include "sarrus/joints/joint_kinds.hpp"
#include "sarrus/model/settings.hpp"
#include "sarrus/model/shape.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

struct SolidSpec;

/// How a body deforms. Mass that the body has beside it is rigid and moves with its frame.
struct ElasticSpec {
  Place where;
  BeamSpec beam;
  std::vector<double> start;               // elastic coordinates; empty: undeformed
  std::shared_ptr<const SolidSpec> solid;  // instead of the beam; shared, because meshes are large
};

struct BodySpec {
  std::string name;
  Place where;
  // given directly, or from the shapes that have a density; validate() checks that one is there
  std::optional<double> mass;   // [kg]
  std::optional<Vec3> com;      // [m]
  std::optional<Mat3> inertia;  // [kg m²] about the centre of mass, in the body's axes
  bool second_moment = false;   // `inertia` was given as the second-moment matrix ∫ x xᵀ dm
  bool unphysical = false;      // an inertia that no body has is run, with a warning
  std::vector<Shape> shapes;
  std::optional<ElasticSpec> elastic;
};

/// One step of a sequence joint: turn about or slide along an axis.
struct SequenceStep {
  bool slides = false;
  Vec3 axis{0, 0, 1};
};

struct JointSpringSpec {
  std::vector<double> k;        // [N/m] or [N.m/rad], one per freedom, or one for all
  std::vector<double> rest;     // [m] or [rad]; empty: 0
  std::vector<double> preload;  // [N] or [N.m]: force at rest; empty: 0
};

struct JointLimitSpec {
  double low = 0, high = 0;  // [m] or [rad]
  double stiffness = 0;      // [N/m] or [N.m/rad]; 0: chosen by compile
  double damping = 0;        // [N.s/m] or [N.m.s/rad], acts only while the limit is passed
};

/// Regularised Coulomb friction −T tanh(u/u_s), with T given (`force`) or μ N r from the reaction.
struct JointFrictionSpec {
  double force = 0;        // [N] or [N.m] constant part
  double coefficient = 0;  // μ
  double radius = 0;       // [m] at which the reaction rubs (revolute)
  double speed = 1e-3;     // u_s [m/s] or [rad/s]
};

struct ServoSpec {
  Formula reference;                // q_ref(t, …)
  double kp = 0, kd = 0;            // [N.m/rad], [N.m.s/rad] or the linear ones
  std::optional<double> max_force;  // clamp, [N.m] or [N]
  double ki = 0;                    // per second
};

/// DC motor on a one-freedom joint, through a gear.
struct MotorSpec {
  Formula voltage;             // U(t, …) [V]
  double resistance = 0;       // [ohm]
  double inductance = 0;       // [H]; 0: the current follows at once
  double torque_constant = 0;  // Kt [N.m/A]
  double back_emf = 0;         // Ke [V.s/rad]
  double gear = 1;             // turns of the motor per turn of the joint
  double efficiency = 1;
  double rotor_inertia = 0;  // [kg.m²] on the motor side: armature gear² J
};

struct JointSpec : JointShape {
  std::string name;
  Place where;
  JointType type = JointType::revolute;
  std::string parent = "world", child;
  Place parent_where, child_where;
  FrameSpec on_parent, on_child;
  std::vector<SequenceStep> sequence;
  std::optional<std::vector<double>> q;  // start, in the joint's own layout (theory A.5)
  std::optional<std::vector<double>> u;
  std::optional<JointSpringSpec> spring;
  std::vector<double> damper;  // [N.s/m] or [N.m.s/rad], one per freedom or one for all
  std::optional<JointLimitSpec> limits;
  std::optional<JointFrictionSpec> friction;
  double stiffness = 0;        // [N/m], for shares among repeated joints; 0: all alike
  double armature = 0;         // [kg] or [kg.m²] added to the joint's own inertia
  bool small = false;          // coordinates stay near 0: partial linearisation
  std::vector<Formula> force;  // drive force or torque, one per freedom
  std::optional<ServoSpec> servo;
  std::optional<MotorSpec> motor;
  std::vector<Formula> motion;    // prescribed q(t), one per freedom; empty: free to move
  std::vector<Formula> speed;     // prescribed u(t), instead of motion
  std::optional<Formula> active;  // the joint holds while this is above 0
  bool captures = true;           // on closing it holds what it finds; false: it closes its gap
};

enum class ConstraintType {
  distance,
  point_on_line,
  point_on_plane,
  gear,
  coupling,
  knife_edge,
  rolling_sphere,
  rolling_disk,
  wheel
};

/// A coordinate of a joint by name: "crank", or "arm.q2" where the joint has several.
struct CoordinateName {
  std::string name;
  Place where;
};

struct ConstraintSpec {  // a condition between two bodies or among coordinates
  std::string name;
  Place where;
  ConstraintType type = ConstraintType::distance;
  PointSpec from, to;       // on both bodies; the line, the plane or the ground is on `from`
  Vec3 axis{0, 0, 1};       // in the axes of `from`: along the line, normal of the plane
  Vec3 direction{0, 1, 0};  // in the axes of `to`: across the edge, axis of the disk
  double length = 0;        // [m] distance
  double radius = 0;        // [m] sphere, disk, wheel
  std::vector<CoordinateName> joints;
  std::vector<double> coefficients;  // Σ c q = offset
  std::optional<double> offset;      // default: what the start gives
};

/// Bodies that touch each other, another body, or a plane, by their shapes.
struct ContactSpec {
  std::string name;
  Place where;
  std::vector<std::string> bodies;
  std::optional<std::string> with;  // unset: the bodies among themselves
  Place with_where;
  bool plane = false;  // of `with`, instead of its shapes
  Vec3 normal{0, 0, 1}, at{};
  double stiffness = 0;    // [N/m]
  double dissipation = 0;  // [s/m]
  double friction = 0;     // μ
};

struct SensorSpec {  // at a body point, or a formula of other signals
  std::string name;
  Place where;
  std::optional<PointSpec> point;
  Quat rotation{1, 0, 0, 0};  // of the sensor's axes on the body (accelerometer, orientation)
  bool section = false;       // forces in the section of an elastic body, instead of motion
  bool stress = false;        // stresses in an elastic solid, instead of motion
  std::optional<Formula> value;
  std::string unit;  // of `value`, for the column's header
};

/// What an event sets, by name.
struct EventSetting {
  std::string name;
  Formula value;
};

struct EventSpec {  // a formula whose passage through zero is located
  std::string name;
  Place where;
  Formula when;
  int direction = 0;  // +1 rising, −1 falling, 0 both
  bool stop = false;  // ends the run
  std::vector<EventSetting> set = {};
};

/// The [simulate] table; every key is also a flag of `sarrus run`, which wins.
struct Model {
  std::string name = "unnamed";
  std::string file;                // where it came from; may be empty
  std::vector<std::string> files;  // all that was read for it: parts, meshes and tables too
  Vec3 gravity{0, 0, -9.81};       // [m/s²]
  std::map<std::string, double> parameters;
  std::vector<std::shared_ptr<const Table>> tables;
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
#define SARRUS_LIST(in_set, Element, list, Spec) std::vector<Spec> list;
  SARRUS_NAMED_FORCES(SARRUS_LIST)  // springs, bushings, forces …
#undef SARRUS_LIST
  std::vector<ConstraintSpec> constraints;
  std::vector<ContactSpec> contacts;
  std::vector<SensorSpec> sensors;
  std::vector<EventSpec> events;
  std::vector<InputSpec> inputs;
  std::vector<SignalSpec> outputs;
  std::vector<StateSpec> states;
  std::vector<BlockSpec> blocks;
  SimulateSpec simulate;
  std::vector<Diagnostic> notes;  // warnings and notes of the reader

  /// Calls f with every list of force elements that have a table of their own.
  template <class Self, class F>
  static void each_force_list(Self& model, F&& f) {
#define SARRUS_CALL(in_set, Element, list, Spec) f(model.list);
    SARRUS_NAMED_FORCES(SARRUS_CALL)
#undef SARRUS_CALL
  }
};

const char* to_text(JointType type);
const char* to_text(ConstraintType type);

/// Mass, centre and inertia of a body: what is given directly takes precedence over the shapes. A
/// mass given beside shapes with density is spread over them; shapes without density are only
/// drawn; a mass alone is a point.
MassProperties mass_properties(const BodySpec& body);

}  // namespace sarrus
