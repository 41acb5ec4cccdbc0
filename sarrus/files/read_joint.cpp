// Joints and what sits on them: springs, limits, friction, drives.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "sarrus/files/reading.hpp"
#include "sarrus/joints/joint.hpp"
#include "sarrus/model/freedoms.hpp"

namespace sarrus {
namespace {

namespace d = dimensions;

/// The dimension of a quantity along a sliding or a turning freedom.
Dimension dimension_of(Quantified what, Freedom freedom) {
  const bool slides = freedom == Freedom::slides;
  switch (what) {
    case Quantified::by_key: return d::none;
    case Quantified::position: return slides ? d::length : d::angle;
    case Quantified::speed: return slides ? d::speed : d::angular_speed;
    case Quantified::stiffness: return slides ? d::stiffness : d::angular_stiffness;
    case Quantified::damping: return slides ? d::damping : d::angular_damping;
    case Quantified::force: return slides ? d::force : d::torque;
    case Quantified::inertia: return slides ? d::mass : d::inertia;
    case Quantified::integral: {
      Dimension per_second = slides ? d::stiffness : d::angular_stiffness;
      per_second.exponent[2] -= 1;
      return per_second;
    }
    case Quantified::own:
    case Quantified::own_rate: break;  // of signals, not of joints
  }
  return d::none;
}

/// What the numbers on one joint mean.
struct JointDimensions {
  std::vector<Freedom> freedoms;

  std::vector<Dimension> each(Quantified what) const {
    std::vector<Dimension> all;
    for (const Freedom f : freedoms) all.push_back(dimension_of(what, f));
    return all;
  }
  /// Of a joint with one freedom, or of the first of several.
  Dimension one(Quantified what) const {
    return dimension_of(what, freedoms.empty() ? Freedom::turns : freedoms[0]);
  }
};

/// Refuses what needs exactly one freedom on a joint that has another number.
bool needs_one_freedom(Fields& f, std::string_view key, const JointSpec& joint,
                       const JointDimensions& dims) {
  if (!f.has(key)) return false;
  if (dims.freedoms.size() == 1) return true;
  f.error(key, "wrong-joint",
          fmt::format("'{}' needs a joint with one degree of freedom; {} has {}", key,
                      to_text(joint.type), dims.freedoms.size()));
  return false;
}

void read_sequence(Fields& f, JointSpec& joint) {
  for (const std::string& word : f.words("sequence")) {
    const bool fine =
        word.size() == 2 && (word[0] == 'r' || word[0] == 't') && word[1] >= 'x' && word[1] <= 'z';
    if (!fine) {
      f.error("sequence", "unknown-word", fmt::format("'{}' is not a step", shown(word)),
              "rx, ry, rz turn; tx, ty, tz slide");
      continue;
    }
    SequenceStep step{word[0] == 't', {}};
    step.axis = {double(word[1] == 'x'), double(word[1] == 'y'), double(word[1] == 'z')};
    joint.sequence.push_back(step);
  }
}

/// A key that belongs to some types only: there where it must, absent where it means nothing.
void check_key_of_type(Fields& f, std::string_view key, JointType type, bool needed,
                       bool possible) {
  if (needed && !f.has(key))
    f.error(key, "missing-key", fmt::format("a {} joint needs '{}'", to_text(type), key));
  if (!needed && !possible && f.has(key))
    f.error(key, "unused-key", fmt::format("a {} joint has no '{}'", to_text(type), key));
}

/// First direction in a plane: for the main axes the next one in the order x, y, z.
Vec3 direction_in_plane(const Vec3& n) {
  if (n.x == 1) return {0, 1, 0};
  if (n.y == 1) return {0, 0, 1};
  return rotation_from_z(n).x;
}

void read_axes(Fields& f, JointSpec& joint) {
  const JointType t = joint.type;
  const JointAxes axes = axes_of(t);
  const bool in_plane = axes == JointAxes::plane, is_sequence = t == JointType::sequence;
  const bool is_thread = !is_sequence && facts_of(kind_of(t)).point == HeldPoint::thread;
  check_key_of_type(f, "axis", t, false, axes != JointAxes::none);
  check_key_of_type(f, "axis2", t, axes == JointAxes::cross, in_plane);
  check_key_of_type(f, "pitch", t, is_thread, false);
  check_key_of_type(f, "radius", t, axes == JointAxes::disk, false);
  check_key_of_type(f, "sequence", t, is_sequence, false);

  if (const auto axis = f.axis("axis")) joint.axis = unit_axis(f, "axis", *axis);
  const auto second = f.axis("axis2");
  if (second) {
    joint.axis2 = unit_axis(f, "axis2", *second);
    if (in_plane) {
      const Vec3 projected = joint.axis2 - joint.axis * dot(joint.axis, joint.axis2);
      const double length = norm(projected);
      // parallel to the normal: left for validate() to refuse
      if (length > 1e-6 && length < 1 - 1e-12) {
        f.note("axis2", "axis-projected", "the direction was projected into the plane");
        joint.axis2 = projected * (1 / length);
      }
    }
  } else if (in_plane) {
    joint.axis2 = direction_in_plane(joint.axis);
  }
  joint.pitch = f.number("pitch", 0);
  joint.radius = f.number("radius", 0);
  if (is_sequence) read_sequence(f, joint);
}

/// Start position from a table: rotation, and for a free joint also `at`.
std::optional<std::vector<double>> start_from_table(Reading& r, const Node& node,
                                                    const JointSpec& joint,
                                                    const std::string& element) {
  Fields f(r.scope, node, "start", element);
  if (!has_quaternion(chart_of(joint.type))) {
    r.scope.faults->error(
        "wrong-shape", f.place(), element,
        fmt::format("the position of a {} joint is a number or a list, not a table",
                    to_text(joint.type)));
    return std::nullopt;
  }
  const Quat q = read_rotation(r, f);
  std::vector<double> start = {q.w, q.x, q.y, q.z};
  const Vec3 at = f.vector("at").value_or(Vec3{});
  if (chart_of(joint.type) == ChartKind::rotation) {
    if (f.has("at"))
      f.error("at", "unused-key",
              fmt::format("a {} joint has no 'at' in its position", to_text(joint.type)));
    return start;
  }
  start.insert(start.end(), {at.x, at.y, at.z});
  return start;
}

std::vector<Dimension> position_dimensions(const JointSpec& joint, const JointDimensions& dims) {
  switch (chart_of(joint.type)) {
    case ChartKind::additive: break;
    case ChartKind::rotation: return std::vector<Dimension>(4, d::none);
    case ChartKind::pose:
      return {d::none, d::none, d::none, d::none, d::length, d::length, d::length};
    case ChartKind::plane: return {d::angle, d::length, d::length};
  }
  return dims.each(Quantified::position);
}

void read_start(Reading& r, Fields& f, JointSpec& joint, const JointDimensions& dims) {
  const Node* q = f.node("q");
  if (q && q->kind == NodeKind::table) {
    joint.q = start_from_table(r, *q, joint, f.path("q"));
  } else if (q) {
    joint.q = f.numbers_as("q", position_dimensions(joint, dims));
    // a single number is meant for a single freedom only
    if (joint.q && static_cast<int>(joint.q->size()) != position_count(joint)) {
      f.error("q", "wrong-shape",
              fmt::format("expected a list of {} numbers, found one", position_count(joint)));
      joint.q.reset();
    }
  }
  joint.u = f.numbers_as("u", dims.each(Quantified::speed));
  if (joint.u && joint.u->size() != dims.freedoms.size()) {
    f.error("u", "wrong-shape",
            fmt::format("expected a list of {} numbers, found one", dims.freedoms.size()));
    joint.u.reset();
  }
}

void read_spring_and_damper(Reading& r, Fields& f, JointSpec& joint, const JointDimensions& dims) {
  if (const auto damper = f.numbers_as("damper", dims.each(Quantified::damping)))
    joint.damper = *damper;
  const Node* node = f.node("spring");
  if (!node) return;
  Fields s(r.scope, *node, "joint_spring", f.path("spring"));
  JointSpringSpec spring;
  if (auto k = s.numbers_as("k", dims.each(Quantified::stiffness))) spring.k = std::move(*k);
  if (auto rest = s.numbers_as("rest", dims.each(Quantified::position)))
    spring.rest = std::move(*rest);
  if (auto preload = s.numbers_as("preload", dims.each(Quantified::force)))
    spring.preload = std::move(*preload);
  joint.spring = std::move(spring);
}

void read_limits(Fields& f, JointSpec& joint, const JointDimensions& dims) {
  for (const std::string_view key : {"limit_stiffness", "limit_damping"})
    if (f.has(key) && !f.has("limits"))
      f.error(key, "missing-key", fmt::format("'{}' without 'limits'", key));
  if (!needs_one_freedom(f, "limits", joint, dims)) return;
  const auto range = f.pair_as("limits", dims.one(Quantified::position));
  if (!range) return;
  joint.limits =
      JointLimitSpec{(*range)[0], (*range)[1],
                     f.number_as("limit_stiffness", dims.one(Quantified::stiffness)).value_or(0),
                     f.number_as("limit_damping", dims.one(Quantified::damping)).value_or(0)};
}

void read_friction(Reading& r, Fields& f, JointSpec& joint, const JointDimensions& dims) {
  if (!needs_one_freedom(f, "friction", joint, dims)) return;
  Fields s(r.scope, *f.node("friction"), "friction", f.path("friction"));
  JointFrictionSpec friction;
  friction.force = s.number_as("force", dims.one(Quantified::force)).value_or(0);
  friction.coefficient = s.number("coefficient", 0);
  friction.radius = s.number("radius", 0);
  friction.speed = s.number_as("speed", dims.one(Quantified::speed)).value_or(friction.speed);
  joint.friction = friction;
}

void read_servo(Reading& r, Fields& f, JointSpec& joint, const JointDimensions& dims) {
  if (!needs_one_freedom(f, "servo", joint, dims)) return;
  Fields s(r.scope, *f.node("servo"), "servo", f.path("servo"));
  ServoSpec servo;
  if (auto reference = s.formula_as("reference", dims.one(Quantified::position)))
    servo.reference = std::move(*reference);
  servo.kp = s.number_as("kp", dims.one(Quantified::stiffness)).value_or(0);
  servo.kd = s.number_as("kd", dims.one(Quantified::damping)).value_or(0);
  servo.ki = s.number_as("ki", dims.one(Quantified::integral)).value_or(0);
  servo.max_force = s.number_as("max_force", dims.one(Quantified::force));
  joint.servo = std::move(servo);
}

void read_motor(Reading& r, Fields& f, JointSpec& joint, const JointDimensions& dims) {
  if (!needs_one_freedom(f, "motor", joint, dims)) return;
  // electrical quantities are SI in every file: volts are not made of the file's millimetres
  const BaseUnits file_units = std::exchange(r.scope.units, BaseUnits{});
  Fields s(r.scope, *f.node("motor"), "motor", f.path("motor"));
  MotorSpec motor;
  if (auto voltage = s.formula("voltage")) motor.voltage = std::move(*voltage);
  motor.resistance = s.number("resistance", 0);
  motor.inductance = s.number("inductance", 0);
  motor.torque_constant = s.number("torque_constant", 0);
  motor.back_emf = s.number("back_emf", motor.torque_constant);
  motor.gear = s.number("gear", 1);
  motor.efficiency = s.number("efficiency", 1);
  r.scope.units = file_units;
  motor.rotor_inertia = s.number("rotor_inertia", 0);
  joint.motor = std::move(motor);
}

void read_drives(Reading& r, Fields& f, JointSpec& joint, const JointDimensions& dims) {
  if (auto force = f.formulas_as("force", dims.each(Quantified::force)))
    joint.force = std::move(*force);
  if (f.has("motion") && position_count(joint) != static_cast<int>(dims.freedoms.size()))
    f.error("motion", "wrong-joint",
            fmt::format("the motion of a {} joint cannot be prescribed", to_text(joint.type)),
            "a sequence joint can take its place");
  else if (auto motion = f.formulas_as("motion", dims.each(Quantified::position)))
    joint.motion = std::move(*motion);
  if (f.has("speed") && position_count(joint) != static_cast<int>(dims.freedoms.size()))
    f.error("speed", "wrong-joint",
            fmt::format("the speed of a {} joint cannot be prescribed", to_text(joint.type)),
            "a sequence joint can take its place");
  else if (auto speed = f.formulas_as("speed", dims.each(Quantified::speed)))
    joint.speed = std::move(*speed);
  if (needs_one_freedom(f, "armature", joint, dims))
    joint.armature = f.number_as("armature", dims.one(Quantified::inertia)).value_or(0);
  joint.small = f.boolean("small").value_or(false);
  joint.stiffness = f.number("stiffness", 0);
  read_servo(r, f, joint, dims);
  read_motor(r, f, joint, dims);
}

}  // namespace

JointSpec read_joint(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "joint", element);
  JointSpec joint;
  joint.where = f.place();
  joint.name = f.name().value_or("");
  const std::optional<int> type = f.choice("type");
  joint.parent = f.reference("parent").value_or("world");
  joint.child = f.reference("child").value_or("");
  joint.parent_where = f.place("parent");
  joint.child_where = f.place("child");
  joint.on_parent = read_frame(r, f.node("on_parent"), f.path("on_parent"));
  joint.on_child = read_frame(r, f.node("on_child"), f.path("on_child"));
  if (!type) return joint;  // without its type nothing else has a meaning

  joint.type = static_cast<JointType>(*type);
  read_axes(f, joint);
  const JointDimensions dims{freedoms_of(joint)};
  read_start(r, f, joint, dims);
  read_spring_and_damper(r, f, joint, dims);
  read_limits(f, joint, dims);
  read_friction(r, f, joint, dims);
  read_drives(r, f, joint, dims);
  joint.active = f.formula("active");
  if (f.has("engage") && !joint.active)
    f.error("engage", "unused-key", "'engage' without 'active'");
  joint.captures = f.choice("engage").value_or(0) == 0;
  return joint;
}

}  // namespace sarrus
