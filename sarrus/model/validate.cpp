#include "sarrus/model/validate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sarrus/core/near_match.hpp"
#include "sarrus/model/validate_parts.hpp"

namespace sarrus {
namespace {

constexpr double norm_tolerance = 1e-6;
constexpr double long_length = 1000;   // [m] more is more likely millimetres
constexpr double huge_gravity = 1000;  // [m/s²]

std::string at_place(const Place& where, const std::string& path) {
  if (where.line == 0) return path;
  return fmt::format("{} (line {} of {})", path, where.line, where.file);
}

/// Refuses a name that another element of the same group has.
class Names {
 public:
  void add(Validation& v, const std::string& name, const Place& where, const std::string& path) {
    if (name.empty()) return v.model_faults.error("bad-name", where, path, "it has no name");
    if (name == "world")
      return v.model_faults.error("bad-name", where, path, "'world' is the name of the ground");
    const auto [first, is_new] = seen_.emplace(name, at_place(where, path));
    if (!is_new && !v.model_faults.full())
      v.model_faults.error("doubled-name", where, path + "/name",
                           fmt::format("'{}' is already the name of {}; this one: {}", name,
                                       first->second, at_place(where, path)),
                           "names are unique");
  }

 private:
  std::unordered_map<std::string, std::string> seen_;
};

template <class List>
void check_names(Validation& v, Names& names, const List& list, std::string_view kind) {
  for (size_t i = 0; i < list.size(); ++i)
    names.add(v, list[i].name, list[i].where, path_of(kind, list[i].name, i));
}

void check_all_names(Validation& v) {
  Names bodies, columns, tables;
  check_names(v, bodies, v.model.bodies, "body");
  // joints, sensors and events share the columns of the results
  check_names(v, columns, v.model.joints, "joint");
  check_names(v, columns, v.model.constraints, "constraint");
  check_names(v, columns, v.model.sensors, "sensor");
  check_names(v, columns, v.model.events, "event");
  check_names(v, columns, v.model.inputs, "input");
  check_names(v, columns, v.model.outputs, "output");
  check_names(v, columns, v.model.states, "state");
  check_names(v, columns, v.model.blocks, "block");
  Model::each_force_list(v.model, [&]<class Spec>(const std::vector<Spec>& list) {
    Names own;
    check_names(v, own, list, Spec::table.table);
  });
  for (size_t i = 0; i < v.model.tables.size(); ++i) {
    const std::string& name = v.model.tables[i]->name;
    tables.add(v, name, {}, path_of("table", name, i));
  }
}

void check_reference(Validation& v, const std::string& name, const Place& where,
                     const std::string& path) {
  if (name == "world" || v.body.count(name) || v.model_faults.full()) return;
  std::vector<std::string> known;
  for (const BodySpec& body : v.model.bodies) known.push_back(body.name);
  std::string hint = known.empty() ? "there are no bodies" : did_you_mean(name, known);
  if (const auto near = v.body.find(near_match(name, known)); near != v.body.end())
    if (const int line = v.model.bodies[near->second].where.line; line > 0)
      hint = fmt::format("did you mean '{}' (line {})?", near->first, line);
  v.model_faults.error("unknown-body", where, path,
                       name.empty() ? "no body is named"
                                    : fmt::format("no body is called '{}'", name.substr(0, 100)),
                       hint);
}

void check_point(Validation& v, const PointSpec& point, const std::string& path) {
  check_reference(v, point.body, point.where, path + "/body");
  check_length(v, point.at, point.where, path + "/at");
}

// ── force elements, key by key ──────────────────────────────────────────────────────────────────

/// One key of an element: where it stands, and what is asked of it.
struct JudgedKey {
  Judged judged;
  PointPart part;
  const std::string& unit;
  const Place& where;
  std::string path;
};

void check_axis(Validation& v, const Vec3& axis, const Place& where, const std::string& path) {
  if (!(norm(axis) > 0) || !std::isfinite(norm(axis)))
    v.physics.error("bad-axis", where, path,
                    fmt::format("[{}, {}, {}] has no direction", axis.x, axis.y, axis.z));
}

void check_value(Validation& v, const JudgedKey& key, double x) {
  switch (key.judged) {
    case Judged::length:
      if (!(x >= 0))
        v.model_faults.error("bad-size", key.where, key.path,
                             fmt::format("{} {} is not a length; the limit is 0", x, key.unit));
      break;
    case Judged::stiffness: warn_negative_stiffness(v, x, key.where, key.path); break;
    case Judged::not_negative: refuse_negative(v, x, key.unit, key.where, key.path); break;
    default: break;
  }
}
void check_value(Validation& v, const JudgedKey& key, const Vec3& x) {
  if (key.judged == Judged::axis) return check_axis(v, x, key.where, key.path);
  for (int i = 0; i < 3; ++i) check_value(v, key, x[i]);
}
void check_value(Validation& v, const JudgedKey& key, const std::string& body) {
  check_reference(v, body, key.where, key.path);
}
void check_value(Validation& v, const JudgedKey& key, const PointSpec& point) {
  if (key.part == PointPart::table) check_point(v, point, key.path);
  if (key.part == PointPart::body) check_reference(v, point.body, point.where, key.path);
  if (key.part == PointPart::at) check_length(v, point.at, point.where, key.path);
}
void check_value(Validation& v, const JudgedKey& key, const FrameSpec& frame) {
  check_frame(v, frame, key.where, key.path);
}
void check_value(Validation&, const JudgedKey&, bool) {}
void check_value(Validation&, const JudgedKey&, const Formula&) {}
void check_value(Validation&, const JudgedKey&, const std::array<Formula, 3>&) {}

template <class Spec>
void check_force_elements(Validation& v, const std::vector<Spec>& list) {
  const std::vector<ElementKey<Spec>> keys = Spec::keys();
  std::vector<std::string> units;
  for (const ElementKey<Spec>& key : keys) units.push_back(si_name(key.dimension));
  for (size_t i = 0; i < list.size(); ++i) {
    const Spec& s = list[i];
    const std::string path = path_of(Spec::table.table, s.name, i);
    for (size_t k = 0; k < keys.size(); ++k) {
      const ElementKey<Spec>& key = keys[k];
      const JudgedKey asked{key.judged, key.part, units[k], s.where,
                            path + "/" + std::string(key.name)};
      std::visit([&](auto member) { check_value(v, asked, s.*member); }, key.member);
    }
    s.check(v.physics, path);
  }
}

void check_constraints(Validation& v) {
  for (size_t i = 0; i < v.model.constraints.size(); ++i) {
    const ConstraintSpec& c = v.model.constraints[i];
    const std::string path = path_of("constraint", c.name, i);
    if (c.type == ConstraintType::gear || c.type == ConstraintType::coupling) {
      if (c.joints.empty() || c.joints.size() != c.coefficients.size())
        v.model_faults.error(
            "wrong-length", c.where, path + "/joints",
            fmt::format("{} joints and {} coefficients", c.joints.size(), c.coefficients.size()));
      continue;
    }
    check_point(v, c.from, path + "/from");
    check_point(v, c.to, path + "/to");
    if (c.from.body == c.to.body)
      v.physics.error("self-joint", c.where, path,
                      fmt::format("both ends are on '{}'", c.from.body));
    check_axis(v, c.axis, c.where, path + "/axis");
    check_axis(v, c.direction, c.where, path + "/direction");
    if (c.type == ConstraintType::distance)
      require_positive(v, c.length, "m", c.where, path + "/length");
    if (c.type == ConstraintType::rolling_sphere || c.type == ConstraintType::rolling_disk ||
        c.type == ConstraintType::wheel)
      require_positive(v, c.radius, "m", c.where, path + "/radius");
  }
}

void check_sensors(Validation& v) {
  for (size_t i = 0; i < v.model.sensors.size(); ++i) {
    const SensorSpec& s = v.model.sensors[i];
    const std::string path = path_of("sensor", s.name, i);
    if (s.point) check_point(v, *s.point, path);
    check_quaternion(v, s.rotation, s.where, path + "/rotation");
    if (s.point.has_value() == s.value.has_value())
      v.model_faults.error("missing-key", s.where, path, "a sensor has either a point or a value");
  }
}

// ── controllers ─────────────────────────────────────────────────────────────────────────────────

constexpr double most_samples = 1e12;  // in a run

/// Formulas find one thing under one name.
template <class List>
void check_control_names(Validation& v, const List& list, const char* kind) {
  for (size_t i = 0; i < list.size(); ++i)
    if (v.model.parameters.count(list[i].name) > 0 || list[i].name == "t")
      v.model_faults.error("doubled-name", list[i].where, path_of(kind, list[i].name, i),
                           fmt::format("'{}' is already the name of {}", list[i].name,
                                       list[i].name == "t" ? "the time" : "a parameter"),
                           "names are unique");
}

template <class List>
void check_samples(Validation& v, const List& list, const char* kind) {
  const double span = v.model.simulate.until - v.model.simulate.start;
  for (size_t i = 0; i < list.size(); ++i)
    if (const double every = list[i].clock.every; every > 0 && !(span / every < most_samples))
      v.model_faults.error("bad-sampling", list[i].where, path_of(kind, list[i].name, i) + "/every",
                           fmt::format("{} s divides the run of {} s into more than {:.0e} samples",
                                       every, span, most_samples),
                           "a longer time between samples");
}

void check_control(Validation& v) {
  check_control_names(v, v.model.inputs, "input");
  check_control_names(v, v.model.outputs, "output");
  check_control_names(v, v.model.states, "state");
  check_control_names(v, v.model.blocks, "block");
  check_samples(v, v.model.states, "state");
  check_samples(v, v.model.blocks, "block");
}

void check_gravity(Validation& v) {
  const Place where{v.model.file, 0, 0};
  const double g = norm(v.model.gravity);
  if (!std::isfinite(g))
    v.model_faults.error("not-finite", where, "gravity", "gravity is not finite");
  else if (g > huge_gravity)
    v.physics.warning("huge-gravity", where, "gravity",
                      fmt::format("{:.6g} m/s² is {:.3g} times that of the Earth", g, g / 9.81),
                      "plain numbers are SI unless [units] says otherwise");
}

void check_simulate(Validation& v) {
  const SimulateSpec& s = v.model.simulate;
  const auto refuse = [&](const char* key, std::string message) {
    const auto where = s.where.find(key);
    v.model_faults.error("bad-option",
                         where != s.where.end() ? where->second : Place{v.model.file, 0, 0},
                         std::string("simulate/") + key, std::move(message));
  };
  for (const Setting& setting : settings())
    if (std::string words = setting.problem(s); !words.empty())
      refuse(std::string(setting.name).c_str(), std::move(words));
  if (!(s.until > s.start))
    refuse("until", fmt::format("{} s is not after the start at {} s", s.until, s.start));
  const double span = s.until - s.start;
  for (const auto& [key, x] : {std::pair{"step", s.step}, std::pair{"output_step", s.output_step}})
    if (x && *x > span && span > 0)
      refuse(key, fmt::format("{} s is longer than the run of {} s", *x, span));
    else if (x && *x > 0 && span / *x > 1e12)
      refuse(key, fmt::format("{} s divides the run of {} s into more than 1e12 steps", *x, span));
  const double sum = s.joint_stiffness + 2 * s.joint_damping;
  if (!(sum < 4))
    refuse("joint_damping",
           fmt::format("joint_stiffness + 2 joint_damping = {} makes every joint unstable, it must "
                       "stay below 4",
                       sum));
}

}  // namespace

std::string path_of(std::string_view kind, const std::string& name, size_t index) {
  return name.empty() ? fmt::format("{}[{}]", kind, index + 1) : fmt::format("{}/{}", kind, name);
}

bool is_finite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void check_quaternion(Validation& v, const Quat& q, const Place& where, const std::string& path) {
  const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(std::fabs(n - 1) <= norm_tolerance))  // also catches NaN
    v.physics.error("bad-quaternion", where, path,
                    fmt::format("norm {:.6g} is not 1 (limit {:.0e})", n, norm_tolerance),
                    "w, x, y, z of a unit quaternion");
}

void check_frame(Validation& v, const FrameSpec& frame, const Place& where,
                 const std::string& path) {
  check_length(v, frame.at, where, path + "/at");
  check_quaternion(v, frame.rotation, where, path + "/rotation");
}

void check_length(Validation& v, const Vec3& at, const Place& where, const std::string& path) {
  if (!is_finite(at))
    return v.model_faults.error("not-finite", where, path, "a length is not finite");
  const double largest = std::max({std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)});
  if (largest >= long_length)
    v.physics.warning("suspicious-length", where, path,
                      fmt::format("{:.6g} m is a long way", largest),
                      "if millimetres are meant, say [units] length = \"mm\"");
}

void refuse_negative(Validation& v, double value, std::string_view unit, const Place& where,
                     const std::string& path) {
  if (!(value >= 0) || !std::isfinite(value))
    v.physics.error("negative", where, path,
                    fmt::format("{} {} must not be negative", value, unit));
}

void warn_negative_stiffness(Validation& v, double value, const Place& where,
                             const std::string& path) {
  if (!std::isfinite(value))
    return v.physics.error("not-finite", where, path, fmt::format("{} is not a stiffness", value));
  if (value < 0)
    v.physics.warning("negative-stiffness", where, path,
                      fmt::format("a stiffness of {} pushes away from rest", value));
}

void require_positive(Validation& v, double value, std::string_view unit, const Place& where,
                      const std::string& path) {
  if (!(value > 0) || !std::isfinite(value))
    v.model_faults.error("bad-size", where, path,
                         fmt::format("{} {} is not a size; it must be above 0", value, unit));
}

void validate(const Model& model, Diagnostics& model_faults, Diagnostics& physics_faults) {
  Validation v{model, model_faults, physics_faults};
  for (size_t i = 0; i < model.bodies.size(); ++i)
    v.body.emplace(model.bodies[i].name, static_cast<int>(i));
  check_all_names(v);
  for (size_t i = 0; i < model.bodies.size(); ++i)
    validate_body(v, model.bodies[i], path_of("body", model.bodies[i].name, i));
  validate_mass_ratio(v);
  validate_plausibility(v);
  for (size_t i = 0; i < model.joints.size(); ++i) {
    const JointSpec& joint = model.joints[i];
    const std::string path = path_of("joint", joint.name, i);
    check_reference(v, joint.parent, joint.parent_where, path + "/parent");
    check_reference(v, joint.child, joint.child_where, path + "/child");
    validate_joint(v, joint, path);
  }
  validate_islands(v);
  Model::each_force_list(model, [&](const auto& list) { check_force_elements(v, list); });
  check_constraints(v);
  check_sensors(v);
  check_control(v);
  check_gravity(v);
  check_simulate(v);
}

void validate_settings(const Model& model, Diagnostics& model_faults) {
  Diagnostics physics_faults;
  Validation v{model, model_faults, physics_faults};
  check_simulate(v);
}

}  // namespace sarrus
