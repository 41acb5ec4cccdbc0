// Bodies linked by joints: the joint at a point of its parent, at the origin of its child.
#pragma once

#include <string>

#include "sarrus/model/model.hpp"

namespace sarrus::testing {

inline JointSpec joint(const std::string& name, JointType type, const std::string& parent,
                       const std::string& child, const Vec3& axis, const Vec3& at = {}) {
  JointSpec j;
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  j.axis = axis;
  j.on_parent.at = at;
  return j;
}

}  // namespace sarrus::testing
