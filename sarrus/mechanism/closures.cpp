#include "sarrus/mechanism/closures.hpp"

#include <numbers>

#include "sarrus/joints/joint.hpp"
#include "sarrus/model/freedoms.hpp"

namespace sarrus {
namespace {

enum Axis { x, y, z };

ClosureRow point(int axis) { return {RowKind::point, axis, 0, 0, 0}; }
ClosureRow direction(int of_a, int of_b, double cosine = 0) {
  return {RowKind::direction, of_a, of_b, cosine, 0};
}

}  // namespace

Mat3 aligned(const JointSpec& joint, bool reversed) {
  const double sign = reversed ? -1 : 1;
  switch (axes_of(joint.type)) {
    case JointAxes::line: return rotation_from_z(unit(joint.axis) * sign);
    case JointAxes::cross: {
      const Mat3 R = rotation_from_z(unit(joint.axis2));
      return {R.y, R.z, R.x};
    }
    case JointAxes::plane: {
      const Vec3 z = unit(joint.axis);
      const Vec3 x = joint.axis2 - z * dot(joint.axis2, z);
      if (norm(x) < 1e-6) return rotation_from_z(z);
      return {unit(x), cross(z, unit(x)), z};
    }
    case JointAxes::none:
    case JointAxes::disk: break;
  }
  return Mat3::identity();
}

bool reverses(JointType type) {
  return type != JointType::sequence && facts_of(kind_of(type)).reverses;
}

bool has_rows(JointType type) {
  return type != JointType::sequence && !is_nonholonomic(kind_of(type));
}

std::vector<ClosureRow> rows_of(const JointSpec& joint) {
  if (!has_rows(joint.type)) return {};
  const JointFacts& facts = facts_of(kind_of(joint.type));
  std::vector<ClosureRow> rows;
  const auto add = [&](std::initializer_list<ClosureRow> more) { rows.insert(rows.end(), more); };
  const bool is_thread = facts.point == HeldPoint::thread && joint.pitch != 0;
  switch (facts.point) {
    case HeldPoint::nothing: break;
    case HeldPoint::along: add({point(z)}); break;
    case HeldPoint::across: add({point(x), point(y)}); break;
    case HeldPoint::all: add({point(x), point(y), point(z)}); break;
    case HeldPoint::thread:
      add({point(x), point(y)});
      if (!is_thread) add({point(z)});
      break;
  }
  switch (facts.turn) {
    case HeldTurn::nothing: break;
    case HeldTurn::across: add({direction(x, z), direction(y, z)}); break;
    case HeldTurn::all: add({direction(x, z), direction(y, z), direction(x, y)}); break;
    case HeldTurn::angle: add({direction(z, x, dot(unit(joint.axis), unit(joint.axis2)))}); break;
  }
  if (is_thread) add({{RowKind::screw, z, 0, 0, 0}});
  return rows;
}

void place_closing_joint(const JointSpec& joint, const Pose<double>& on_parent,
                         const Pose<double>& on_child, Closure& closure) {
  Mat3 A = Mat3::identity(), B = Mat3::identity();
  if (axes_of(joint.type) == JointAxes::cross) {  // z of A is the first axis, x of B the second
    A = rotation_from_z(unit(joint.axis));
    const Mat3 R = rotation_from_z(unit(joint.axis2));
    B = {R.z, R.x, R.y};
  } else {
    A = B = aligned(joint, false);
  }
  closure.X_A = on_parent * Pose<double>{A, {}};
  closure.X_B = on_child * Pose<double>{B, {}};
  closure.at_zero = transpose(A) * B;
  closure.size = joint.pitch / (2 * std::numbers::pi);
}

std::vector<ClosureRow> rows_of(const ConstraintSpec& constraint) {
  switch (constraint.type) {
    case ConstraintType::distance: return {{RowKind::distance, 0, 0, 0, 0}};
    case ConstraintType::point_on_line: return {point(x), point(y)};
    case ConstraintType::point_on_plane: return {point(z)};
    case ConstraintType::knife_edge: return {{RowKind::edge, 0, 0, 0, 0}};
    case ConstraintType::rolling_sphere:
      return {{RowKind::ball, x, 0, 0, 0},
              {RowKind::ball, y, 0, 0, 0},
              {RowKind::point, z, 0, constraint.radius, 0}};
    case ConstraintType::rolling_disk:
      return {
          {RowKind::disk, x, 0, 0, 0}, {RowKind::disk, y, 0, 0, 0}, {RowKind::height, z, 0, 0, 0}};
    case ConstraintType::wheel: return {{RowKind::disk, x, 0, 0, 0}, {RowKind::disk, y, 0, 0, 0}};
    case ConstraintType::gear:
    case ConstraintType::coupling: return {{RowKind::coupling, 0, 0, 0, 0}};
  }
  return {};
}

}  // namespace sarrus
