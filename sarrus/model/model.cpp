#include "sarrus/model/model.hpp"

#include "sarrus/joints/joint.hpp"
#include "sarrus/model/freedoms.hpp"

namespace sarrus {

const char* to_text(JointType type) {
  return type == JointType::sequence ? "sequence" : facts_of(kind_of(type)).name;
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

std::vector<Freedom> freedoms_of(const JointSpec& joint) {
  std::vector<Freedom> list;
  if (joint.type == JointType::sequence) {
    for (const SequenceStep& step : joint.sequence)
      list.push_back(step.slides ? Freedom::slides : Freedom::turns);
    return list;
  }
  const JointKind kind = kind_of(joint.type);
  const auto first = facts_of(kind).freedoms.begin();
  return {first, first + joint_nu(kind)};
}

int position_count(const JointSpec& joint) {
  if (joint.type == JointType::sequence) return static_cast<int>(joint.sequence.size());
  return joint_nq(kind_of(joint.type));
}

ChartKind chart_of(JointType type) {
  return type == JointType::sequence ? ChartKind::additive : facts_of(kind_of(type)).chart;
}

JointAxes axes_of(JointType type) {
  return type == JointType::sequence ? JointAxes::none : facts_of(kind_of(type)).axes;
}

}  // namespace sarrus
