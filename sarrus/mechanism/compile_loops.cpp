// compile: joints that close loops, and constraints.
#include <fmt/format.h>

#include <algorithm>

#include "sarrus/core/near_match.hpp"
#include "sarrus/mechanism/closures.hpp"
#include "sarrus/mechanism/compiler.hpp"

namespace sarrus {

void Compiler::find_halves(const SpanningTree& tree, const std::vector<int>& child) {
  const std::vector<char> needed = needed_coordinates(model_);
  halved_.assign(model_.joints.size(), 0);
  parts_.assign(model_.bodies.size(), 1);
  for (const int j : tree.cut) {
    const auto joint = static_cast<size_t>(j);
    if (!needed[joint] || model_.joints[joint].active) continue;
    if (child[joint] < 0) {
      physics_.error(
          "reversed-joint", model_.joints[joint].where, "joint/" + model_.joints[joint].name,
          "it closes a loop on the world, which cannot be its child", "swap parent and child");
      continue;
    }
    if (model_.bodies[child[joint]].elastic) {
      physics_.error("elastic-half", model_.joints[joint].where,
                     "joint/" + model_.joints[joint].name,
                     fmt::format("it closes a loop, has forces of its own, and its child '{}' is "
                                 "elastic",
                                 model_.joints[joint].child),
                     "swap parent and child, or let another joint of the loop have the forces");
      continue;
    }
    halved_[joint] = 1;
    ++parts_[child[joint]];
  }
}

void Compiler::add_half(int j, int parent, int child) {
  const JointSpec& joint = model_.joints[j];
  const int whole = inside(child);
  const Pose<double> X_BC = user_frame(child);
  add_edge({j, parent, child, false});
  // the body keeps its first place; the new part is welded to it
  BodyInfo& body = m_.bodies[child];
  Closure weld = named(joint.name, "joint/", joint.where);
  weld.is_weld = true;
  weld.a = m_.nb - 1, weld.X_A = body.X_BC;
  weld.b = whole, weld.X_B = X_BC;
  JointSpec fixed;
  fixed.type = JointType::fixed;
  add_closure(std::move(weld), rows_of(fixed));
  m_.joints.back().child = m_.nb - 1;
  inside_[child] = body.body = whole;
  body.X_BC = X_BC;
}

Closure Compiler::named(const std::string& name, const char* kind, const Place& where) {
  Closure closure;
  closure.name = name;
  closure.element = kind + name;
  closure.where = where;
  return closure;
}

void Compiler::add_closure(Closure closure, std::vector<ClosureRow> rows) {
  closure.row0 = static_cast<int>(m_.closure_rows.size());
  closure.rows = static_cast<int>(rows.size());
  for (ClosureRow& row : rows) {
    row.closure = static_cast<int>(m_.closures.size());
    m_.closure_rows.push_back(row);
  }
  if (!rows.empty()) m_.closures.push_back(std::move(closure));
}

void Compiler::close_loops() {
  for (size_t j = 0; j < model_.joints.size(); ++j) {
    if (joint_info_[j] < 0) continue;
    const JointInfo& info = m_.joints[joint_info_[j]];
    // a joint that comes and goes is held by blocks alone
    if (!info.cut || model_.joints[j].active) continue;
    Closure closure = named(info.name, "joint/", info.where);
    closure.joint = joint_info_[j];
    closure.a = info.parent, closure.b = info.child;
    place_closing_joint(model_.joints[j], info.X_parent, info.X_child, closure);
    set_wishes(model_.joints[j], info.kind, closure);
    add_closure(std::move(closure), rows_of(model_.joints[j]));
  }
}

void Compiler::add_constraints() {
  for (const ConstraintSpec& c : model_.constraints) {
    Closure closure = named(c.name, "constraint/", c.where);
    std::vector<ClosureRow> rows = rows_of(c);
    if (!c.joints.empty()) {
      if (!couple(c, closure, rows[0])) continue;
    } else {
      const Mat3 A = rotation_from_z(unit(c.axis)), B = rotation_from_z(unit(c.direction));
      const std::string element = "constraint/" + c.name;
      const Mount a = mount(body_index_.at(c.from.body), {A, c.from.at}, c.from.where, element);
      const Mount b = mount(body_index_.at(c.to.body), {B, c.to.at}, c.to.where, element);
      closure.a = a.body, closure.X_A = a.X;
      closure.b = b.body, closure.X_B = b.X;
      closure.size = c.type == ConstraintType::distance ? c.length : c.radius;
    }
    add_closure(std::move(closure), std::move(rows));
  }
}

bool Compiler::couple(const ConstraintSpec& c, Closure& closure, ClosureRow& row) {
  const std::string path = "constraint/" + c.name + "/joints";
  double at_start = 0;
  for (size_t i = 0; i < c.joints.size(); ++i) {
    const int q = coordinate(c.joints[i], path);
    if (q < 0) return false;
    const int body = m_.body_of_coordinate(q), b = body;
    const int u = m_.u0[b] + q - m_.q0[b];
    closure.of.push_back({q, u, body, c.coefficients[i]});
    at_start += c.coefficients[i] * m_.start.q[q];
  }
  row.offset = c.offset.value_or(at_start);
  return true;
}

int Compiler::coordinate(const CoordinateName& wanted, const std::string& path) {
  std::vector<std::string> known;
  for (size_t j = 0; j < model_.joints.size(); ++j) {
    if (joint_info_[j] < 0 || !has_plain_coordinates(model_.joints[j].type)) continue;
    const JointInfo& info = m_.joints[joint_info_[j]];
    for (int k = 0; k < info.nq; ++k) {
      known.push_back(info.nq == 1 ? info.name : fmt::format("{}.q{}", info.name, k + 1));
      if (known.back() == wanted.name) return info.q0 + k;
    }
  }
  faults_.error("unknown-coordinate", wanted.where, path,
                fmt::format("'{}' is not a coordinate of rotation or translation", wanted.name),
                did_you_mean(wanted.name, known));
  return -1;
}

}  // namespace sarrus
