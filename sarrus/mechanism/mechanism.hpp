// A Model compiled to numbers. Every algorithm reads it, none changes it.
//
// Body 0 is the world and parent[i] < i: one loop upward meets parents before children, one loop
// downward children before parents. No recursion, no special case at the root.
//
// Coordinates of all joints lie one after the other: body i owns q[q0[i] … q0[i+1]), and likewise
// velocities u and chart entries ξ. Inside, a body's frame B is its inboard joint's frame, turned
// so that the joint's axis is z; the user's body frame C is stored beside it and used only for
// input and output.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sarrus/control/control_spec.hpp"
#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/expression.hpp"
#include "sarrus/core/version_check.hpp"
#include "sarrus/elastic/elastic_body.hpp"
#include "sarrus/forces/contact.hpp"
#include "sarrus/forces/force_set.hpp"
#include "sarrus/joints/chart.hpp"
#include "sarrus/mechanism/closure.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus {

/// The constants of one body and its inboard joint.
template <class T>
struct BodyNumbers {
  Pose<T> X_PF;            // joint frame on the parent, in the parent's B
  BodyInertia<T> inertia;  // in B, about its origin
  JointNumbers<T> joint;
};

/// All numbers of a mechanism, over the scalar: lanes of a pack may differ in them, duals carry
/// sensitivities to them.
template <class T>
struct Numbers {
  std::vector<BodyNumbers<T>> body;
  std::vector<T> armature;  // per velocity: added to the diagonal of the mass matrix
  ForceSet<T> forces;
  std::vector<T> parameters;
  Vector3<T> gravity;  // [m/s²] in world axes

  template <class U>
  Numbers<U> as() const;
  /// Calls f with every scalar, in a fixed order that depends on the tree only.
  template <class F>
  void each_number(F&& f);
};

/// A value that formulas can name: what it is and where it is found.
struct Signal {
  enum class Kind {
    coordinate,
    velocity,  // index: of q, u
    position,
    point_velocity,
    angular_velocity,  // index: point sensor, with an axis
    acceleration,      // index: of u, known after the accelerations
    angular_acceleration,
    point_acceleration,
    accelerometer,  // likewise, known after the accelerations
    element,        // index: entry of `shown`, with a quantity for an axis
    state,          // index: of `states`, within its limits
    formula         // index: formula
  };
  std::string name;
  Kind kind = Kind::coordinate;
  int index = 0, axis = 0;
};

/// A force element that shows quantities, as columns and in formulas.
struct ShownElement {
  std::string name;
  std::span<const ElementQuantity> quantities;
  bool by_formula = false;  // its forces are known where formulas of forces have been evaluated
};

struct BodyInfo {
  std::string name;
  int body = 0;       // index inside
  Pose<double> X_BC;  // the user's frame in B
  double mass = 0;
  Vec3 com{};  // in the user's frame
};

struct JointInfo {
  std::string name;
  JointType type = JointType::fixed;
  int parent = 0, child = 0;  // bodies inside, as the user said them
  int body = 0;               // the tree body that this joint moves; 0 for a cut joint
  int first_body = 0;         // a sequence: its first dummy; otherwise = body
  bool reversed = false;      // the tree runs from child to parent
  bool cut = false;           // closes a loop
  bool prescribed = false;
  double stiffness = 0;  // for shares among redundant joints; 0: not given
  int q0 = 0, nq = 0, u0 = 0, nu = 0;
  Mat3 R_BM = Mat3::identity();  // the user's joint frame on the moved body, in its B
  Place where;
  Pose<double> X_parent, X_child;  // the joint's frames on both bodies, in their B
  // of a cut joint, which is no part of the tree: its kind, its numbers, and how its frames are
  // turned so that its axis is where kernels expect it
  JointKind kind = JointKind::fixed;
  JointNumbers<double> numbers;
  Mat3 R_axes = Mat3::identity();
  int active = -1;       // formula: the joint holds while it is above 0; −1: always
  bool captures = true;  // on closing it holds what it finds
};

/// An elastic body: its frame moves with `frame`, its coordinates are the bodies first … last, each
/// one joint that moves nothing but the seats.
struct ElasticInfo {
  std::string name;
  int frame = 0, first = 0, last = 0;
  int q0 = 0, u0 = 0, n = 0;
  std::shared_ptr<const ElasticBody> numbers;  // in the axes of B, about its origin
};

/// A place on an elastic body that carries something: a body inside, after `last` of its elastic
/// one.
struct SeatInfo {
  int body = 0;
  int elastic = 0;  // entry of Mechanism::elastic
  ElasticPlace place;
};

/// Forces in a section of a beam, or stresses at a point of a solid, from its deformation: one row
/// per coordinate.
struct DeformationSensor {
  std::string name;
  int elastic = 0;
  bool stress = false;
  std::vector<std::array<double, 6>> rows;  // N, Qy, Qz, Mx, My, Mz; or xx, yy, zz, xy, yz, xz
};

struct PointSensor {
  std::string name;
  int body = 0;
  Vec3 at{};                     // in B
  Mat3 R_BS = Mat3::identity();  // sensor axes in B
};

struct FormulaSensor {
  std::string name, unit;
  int formula = 0;
  const char* table = "sensor";  // of the model file
  bool shown = true;             // as a column
};

/// What is integrated with the motion: currents of motors, states of controllers.
struct StateInfo {
  std::string name, unit;
  int formula = -1;  // its rate; −1: an element gives it
  ValueLimits limits = {};
  bool shown = true;  // as a column of its own
  Place where = {};
};

/// A value that is given from outside.
struct InputInfo {
  std::string name, unit;
  int parameter = -1;  // that it is in formulas; −1: a formula of time gives it, which is a signal
  ValueLimits limits = {};
  Place where = {};
};

/// A value that changes at the instants of a clock only; formulas read it as a parameter.
struct SampledValue {
  std::string name, unit;
  int parameter = 0, formula = 0;
  SampleClock clock;
  bool is_state = false;  // takes its next value after all signals have taken theirs
  ValueLimits limits = {};
  NoiseSpec noise = {};
  bool shown = true;
  Place where = {};
};

/// What an event does: a state or a parameter (inputs and sampled values too) takes a value.
struct EventAction {
  int state = -1, parameter = -1, formula = 0;
};

struct Event {
  std::string name;
  int formula = 0;
  int direction = 0;
  bool stop = false;
  std::vector<EventAction> actions = {};
};

/// A motion prescribed for one coordinate with q̇ = u: its position, or its speed alone, in which case
/// the position is integrated like others.
struct PrescribedMotion {
  int body = 0, q = 0, u = 0, formula = 0;
  bool is_speed = false;
};

/// q and u of all joints.
struct Coordinates {
  std::vector<double> q, u;
};

struct Mechanism {
  int nb = 1, nq = 0, nu = 0,
      nx = 0;  // bodies with the world; coordinates, velocities, chart entries
  int ns = 0;  // states: motor currents, states of controllers
  std::string name;

  // one entry per body inside
  std::vector<int> parent{0};
  std::vector<JointKind> kind{JointKind::fixed};
  std::vector<char> prescribed{0};
  std::vector<char> small{0};     // coordinates that enter the energy to second order
  std::vector<int> joint_at{-1};  // entry of `joints` that moves it
  std::vector<int> part{-1};  // entry of `elastic` (last coordinate) or of `seats`; otherwise −1
  std::vector<int> q0{0, 0}, u0{0, 0}, x0{0, 0};  // one more than bodies
  Numbers<double> numbers;

  // formulas: slots are [t, parameters …, signals …]
  std::vector<Expression> formulas;
  std::vector<Formula> formula_sources;  // as written, for messages
  std::vector<std::string> parameter_names;
  std::vector<Signal> signals;  // each after those it depends on
  int early_signals = 0;        // the first ones, that need no accelerations: forces may use them
  std::vector<int> force_formulas;      // read by force elements
  std::vector<int> reference_formulas;  // of servos: their rates are needed too
  std::vector<PrescribedMotion> motions;

  // what the user named
  std::vector<BodyInfo> bodies;
  std::vector<JointInfo> joints;
  std::vector<ElasticInfo> elastic;
  std::vector<SeatInfo> seats;
  // of force elements that have their own: by kind, in the order of numbers.forces
  std::array<std::vector<std::string>, static_cast<size_t>(ForceKind::count)> force_names;
  std::vector<ShownElement>
      shown;                  // force elements with quantities, as ForceSet::read() counts them
  std::vector<Solid> solids;  // that may touch
  std::vector<ContactLaw> contact_laws;
  std::vector<ContactPair> contact_pairs;
  std::vector<PointSensor> point_sensors;
  std::vector<DeformationSensor> deformation_sensors;
  std::vector<FormulaSensor> formula_sensors;
  std::vector<Event> events;

  // controllers; inputs and sampled values are parameters after those of the model
  std::vector<StateInfo> states;  // ns of them
  std::vector<int> state_rates;   // those whose rate is a formula
  std::vector<InputInfo> inputs;
  std::vector<std::string> outputs;   // signals that the model names as such
  std::vector<SampledValue> sampled;  // each after the signals it depends on, then the states

  // what closes loops and what rolls
  std::vector<Closure> closures;
  std::vector<ClosureRow> closure_rows;

  Coordinates start;
  std::vector<char> q_given, u_given;  // per joint: the start was said by the user
  std::vector<double> start_state;
  std::vector<Diagnostic> notes;

  bool has_loops() const { return !closure_rows.empty(); }
  int slot_of_signal(int i) const { return 1 + static_cast<int>(parameter_names.size()) + i; }
  int slots() const { return slot_of_signal(static_cast<int>(signals.size())); }
  /// "shoulder.q", "hip.q2": the name of a coordinate or velocity as columns and messages show it.
  std::string coordinate_name(int q) const;
  std::string velocity_name(int u) const;
  /// The body that owns an entry of q, of u, or of the chart.
  int body_of_coordinate(int q) const;
  int body_of_velocity(int u) const;
  int body_of_chart_entry(int x) const;
  /// What an entry of u is.
  Freedom freedom(int u) const;
  /// The elastic body that an entry of u belongs to, or nullptr.
  const ElasticInfo* elastic_of_velocity(int u) const;
  /// The joint that moves body i, or nullptr for the world and for what is inside elastic bodies.
  const JointInfo* joint_of_body(int i) const;

  /// Whose element i of its list is: its own name, or that of the joint or elastic body it sits on.
  template <class E>
  std::string owner_of(const E& element, size_t i) const {
    if constexpr (OnVelocity<E>)
      return owner_of_velocity(element.u);
    else
      return own_name(kind_of(element), E::facts.word, i);
  }
  /// "joint 'hip'", "elastic body 'beam'", "spring 'coil'": the same in a sentence …
  template <class E>
  std::string carrier_of(const E& element, size_t i) const {
    if constexpr (OnVelocity<E>)
      return (elastic_of_velocity(element.u) ? "elastic body '" : "joint '") +
             owner_of(element, i) + "'";
    else
      return std::string(E::facts.word) + " '" + owner_of(element, i) + "'";
  }
  /// … and the element there: "damper of joint 'hip'", "spring 'coil'".
  template <class E>
  std::string describe(const E& element, size_t i) const {
    const std::string of = OnVelocity<E> ? std::string(E::facts.word) + " of " : "";
    return of + carrier_of(element, i);
  }

 private:
  std::string owner_of_velocity(int u) const;
  std::string own_name(ForceKind of, const char* word, size_t i) const;
};

/// Checks the model and turns it into numbers. Throws Error (model or physics) with all it found.
Mechanism compile(const Model& model, const char* headers = SARRUS_VERSION);

template <class T>
template <class F>
void Numbers<T>::each_number(F&& f) {
  for (BodyNumbers<T>& b : body) {
    visit_numbers(b.X_PF, f);
    f(b.inertia.m), visit_numbers(b.inertia.mc, f), visit_numbers(b.inertia.I, f);
    visit_numbers(b.joint.axis, f), f(b.joint.size);
  }
  for (T& a : armature) f(a);
  for (T& p : parameters) f(p);
  visit_numbers(gravity, f);
  ForceSet<T>::each(forces, [&](auto& list) {
    for (auto& element : list) element.each_number(f);
  });
}

template <class T>
template <class U>
Numbers<U> Numbers<T>::as() const {
  Numbers<U> out;
  out.body.reserve(body.size());
  for (const BodyNumbers<T>& b : body)
    out.body.push_back({cast<U>(b.X_PF),
                        {U(b.inertia.m), cast<U>(b.inertia.mc), cast<U>(b.inertia.I)},
                        {cast<U>(b.joint.axis), U(b.joint.size)}});
  for (const T& a : armature) out.armature.push_back(U(a));
  for (const T& p : parameters) out.parameters.push_back(U(p));
  out.forces = forces.template as<U>();
  out.gravity = cast<U>(gravity);
  return out;
}

}  // namespace sarrus
