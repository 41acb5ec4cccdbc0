#include "sarrus/mechanism/closures.hpp"

#include <numbers>

namespace sarrus {
namespace {

enum Axis { x, y, z };

ClosureRow point(int axis) { return {RowKind::point, axis, 0, 0, 0}; }
ClosureRow direction(int of_a, int of_b, double cosine = 0) {
  return {RowKind::direction, of_a, of_b, cosine, 0};
}

Vec3 unit(const Vec3& v) { return v * (1 / norm(v)); }

}  // namespace

Mat3 aligned(const JointSpec& joint, bool reversed) {
  const double sign = reversed ? -1 : 1;
  switch (joint.type) {
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
    case JointType::cylindrical: return rotation_from_z(unit(joint.axis) * sign);
    case JointType::universal: {  // y is the second axis
      const Mat3 R = rotation_from_z(unit(joint.axis2));
      return {R.y, R.z, R.x};
    }
    case JointType::planar:
    case JointType::knife_edge: {  // z is the normal, x the first direction in the plane
      const Vec3 z = unit(joint.axis);
      const Vec3 x = joint.axis2 - z * dot(joint.axis2, z);
      if (norm(x) < 1e-6) return rotation_from_z(z);
      return {unit(x), cross(z, unit(x)), z};
    }
    default: return Mat3::identity();
  }
}

bool has_rows(JointType type) {
  return type != JointType::knife_edge && type != JointType::rolling_disk &&
         type != JointType::sequence;
}

std::vector<ClosureRow> rows_of(const JointSpec& joint) {
  const std::vector<ClosureRow> at_point{point(x), point(y), point(z)};
  const std::vector<ClosureRow> along{direction(x, z), direction(y, z)};  // z axes stay parallel
  const auto all = [](std::vector<ClosureRow> first, const std::vector<ClosureRow>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  };
  switch (joint.type) {
    case JointType::spherical: return at_point;
    case JointType::revolute: return all(at_point, along);
    case JointType::universal:
      return all(at_point, {direction(z, x, dot(unit(joint.axis), unit(joint.axis2)))});
    case JointType::cylindrical: return all({point(x), point(y)}, along);
    case JointType::prismatic: return all(all({point(x), point(y)}, along), {direction(x, y)});
    case JointType::planar: return all({point(z)}, along);
    case JointType::fixed:
      return all(at_point, {direction(x, y), direction(y, z), direction(z, x)});
    case JointType::screw:
      if (joint.pitch == 0) return all(at_point, along);
      return all(all({point(x), point(y)}, along), {{RowKind::screw, z, 0, 0, 0}});
    case JointType::free:
    case JointType::knife_edge:
    case JointType::rolling_disk:
    case JointType::sequence: break;
  }
  return {};
}

void place_closing_joint(const JointSpec& joint, const Pose<double>& on_parent,
                         const Pose<double>& on_child, Closure& closure) {
  Mat3 A = Mat3::identity(), B = Mat3::identity();
  switch (joint.type) {
    case JointType::universal: {  // z of A is the first axis, x of B the second
      A = rotation_from_z(unit(joint.axis));
      const Mat3 R = rotation_from_z(unit(joint.axis2));
      B = {R.z, R.x, R.y};
      break;
    }
    default: A = B = aligned(joint, false);
  }
  closure.X_A = on_parent * Pose<double>{A, {}};
  closure.X_B = on_child * Pose<double>{B, {}};
  closure.at_zero = transpose(A) * B;
  if (joint.type == JointType::screw) closure.size = joint.pitch / (2 * std::numbers::pi);
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
