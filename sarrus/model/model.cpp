#include "sarrus/model/model.hpp"

#include "sarrus/model/freedoms.hpp"

namespace sarrus {

const char* to_text(JointType type) {
  switch (type) {
    case JointType::fixed: return "fixed";
    case JointType::revolute: return "revolute";
    case JointType::prismatic: return "prismatic";
    case JointType::screw: return "screw";
    case JointType::cylindrical: return "cylindrical";
    case JointType::universal: return "universal";
    case JointType::spherical: return "spherical";
    case JointType::planar: return "planar";
    case JointType::free: return "free";
    case JointType::knife_edge: return "knife_edge";
    case JointType::rolling_disk: return "rolling_disk";
    case JointType::sequence: return "sequence";
  }
  return "unknown";
}

const char* to_text(ConstraintType type) {
  switch (type) {
    case ConstraintType::distance: return "distance";
    case ConstraintType::point_on_line: return "point_on_line";
    case ConstraintType::point_on_plane: return "point_on_plane";
    case ConstraintType::gear: return "gear";
    case ConstraintType::coupling: return "coupling";
    case ConstraintType::knife_edge: return "knife_edge";
    case ConstraintType::rolling_sphere: return "rolling_sphere";
    case ConstraintType::rolling_disk: return "rolling_disk";
    case ConstraintType::wheel: return "wheel";
  }
  return "unknown";
}

MassProperties mass_properties(const BodySpec& body) {
  std::vector<MassProperties> parts;
  for (const Shape& shape : body.shapes)
    if (shape.density > 0)
      parts.push_back(transformed(shape.X_BS, mass_properties(shape, shape.density)));
  MassProperties p = parts.empty() ? MassProperties{} : combined(parts);
  if (body.mass) {
    // the shapes then say only how the mass is spread
    if (p.mass > 0) p.inertia = p.inertia * (*body.mass / p.mass);
    p.mass = *body.mass;
  }
  if (body.com) p.com = *body.com;
  if (body.inertia) p.inertia = *body.inertia;
  return p;
}

std::vector<bool> sliding_freedoms(const JointSpec& joint) {
  switch (joint.type) {
    case JointType::fixed: return {};
    case JointType::revolute:
    case JointType::screw: return {false};
    case JointType::prismatic: return {true};
    case JointType::cylindrical:
    case JointType::knife_edge: return {false, true};
    case JointType::universal: return {false, false};
    case JointType::spherical:
    case JointType::rolling_disk: return {false, false, false};
    case JointType::planar: return {false, true, true};
    case JointType::free: return {false, false, false, true, true, true};
    case JointType::sequence: break;
  }
  std::vector<bool> slides;
  for (const SequenceStep& step : joint.sequence) slides.push_back(step.slides);
  return slides;
}

int position_count(const JointSpec& joint) {
  switch (joint.type) {
    case JointType::spherical: return 4;
    case JointType::free:
    case JointType::rolling_disk: return 7;
    case JointType::knife_edge: return 3;
    default: return static_cast<int>(sliding_freedoms(joint).size());
  }
}

bool has_quaternion(JointType type) {
  return type == JointType::spherical || type == JointType::free || type == JointType::rolling_disk;
}

}  // namespace sarrus
