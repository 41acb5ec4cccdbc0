#include "sarrus/model/segments.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sarrus {
namespace {

constexpr double same_station = 1e-9;  // of a segment: what is so near to its end is at the next

std::string segment_name(const std::string& beam, int k) {
  return k == 0 ? beam : beam + "_" + std::to_string(k + 1);
}

/// From the beam to the segment that carries a point of it.
struct Cut {
  std::string beam;
  double length = 0;  // of a segment
  int n = 1;

  void operator()(std::string& body, Vec3& at) const {
    if (body != beam) return;
    const double k = std::floor(at.x / length + same_station);
    const int segment = static_cast<int>(std::clamp(k, 0.0, n - 1.0));
    body = segment_name(beam, segment);
    at.x -= segment * length;
  }
  void operator()(PointSpec& point) const { (*this)(point.body, point.at); }
};

template <class Spec>
void move_ends(const Cut& cut, Spec& s) {
  if constexpr (requires { s.on_from; })
    cut(s.from, s.on_from.at), cut(s.to, s.on_to.at);
  else if constexpr (requires { s.from; })
    cut(s.from), cut(s.to);
  else
    cut(s.at);
}

}  // namespace

void cut_beam(Model& model, const std::string& name, int n) {
  const auto whole = std::find_if(model.bodies.begin(), model.bodies.end(),
                                  [&](const BodySpec& b) { return b.name == name; });
  if (n < 2 || whole == model.bodies.end() || !whole->elastic || whole->elastic->solid) return;
  BeamSpec& beam = whole->elastic->beam;
  const Cut cut{name, beam.length / n, n};
  if (!(cut.length > 0)) return;  // validate() refuses it

  for (JointSpec& j : model.joints) cut(j.parent, j.on_parent.at), cut(j.child, j.on_child.at);
  Model::each_force_list(model, [&](auto& list) {
    for (auto& element : list) move_ends(cut, element);
  });
  for (ConstraintSpec& c : model.constraints) cut(c.from), cut(c.to);
  for (SensorSpec& s : model.sensors)
    if (s.point) cut(*s.point);

  const double tip_mass = std::exchange(beam.tip_mass, 0.0);
  beam.length = cut.length;
  std::erase_if(whole->shapes, [](const Shape& s) { return !(s.density > 0); });  // of the whole
  BodySpec next;
  next.where = whole->where;
  next.elastic = whole->elastic;
  std::vector<BodySpec> others;
  for (int k = 1; k < n; ++k) {
    next.name = segment_name(name, k);
    next.elastic->beam.tip_mass = k == n - 1 ? tip_mass : 0;
    others.push_back(next);
    JointSpec joint;
    joint.name = next.name;
    joint.where = next.where;
    joint.type = JointType::fixed;
    joint.parent = segment_name(name, k - 1), joint.child = next.name;
    joint.parent_where = joint.child_where = next.where;
    joint.on_parent.at = {cut.length, 0, 0};
    model.joints.push_back(joint);
  }
  model.bodies.insert(whole + 1, others.begin(), others.end());
}

}  // namespace sarrus
