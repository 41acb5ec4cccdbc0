// compile: the spanning tree, its joints and where they start.
#include <fmt/format.h>

#include <numbers>

#include "sarrus/mechanism/closures.hpp"
#include "sarrus/mechanism/compiler.hpp"

namespace sarrus {
namespace {

JointNumbers<double> joint_numbers(const JointSpec& joint, const Mat3& A) {
  switch (joint.type) {
    case JointType::screw: return {{}, joint.pitch / (2 * std::numbers::pi)};
    case JointType::universal: return {transposed_times(A, unit(joint.axis)), 0};
    case JointType::rolling_disk: return {unit(joint.axis), joint.radius};
    default: return {};
  }
}

/// Inertia about the origin of B from the properties in the user's frame C.
BodyInertia<double> inertia_in_body_frame(const MassProperties& p, const Pose<double>& X_BC) {
  const Vec3 c = X_BC * p.com;
  Sym3 I = rotated(X_BC.R, symmetric(p.inertia));
  const double m = p.mass, c2 = dot(c, c);
  I += {m * (c2 - c.x * c.x), m * (c2 - c.y * c.y), m * (c2 - c.z * c.z),
        -m * c.x * c.y,       -m * c.x * c.z,       -m * c.y * c.z};
  return {m, c * m, I};
}

}  // namespace

JointKind kind_of(JointType type) {
  switch (type) {
    case JointType::fixed: return JointKind::fixed;
    case JointType::revolute: return JointKind::revolute;
    case JointType::prismatic: return JointKind::prismatic;
    case JointType::screw: return JointKind::screw;
    case JointType::cylindrical: return JointKind::cylindrical;
    case JointType::universal: return JointKind::universal;
    case JointType::spherical: return JointKind::spherical;
    case JointType::planar: return JointKind::planar;
    case JointType::free: return JointKind::free;
    case JointType::knife_edge: return JointKind::knife_edge;
    case JointType::rolling_disk: return JointKind::rolling_disk;
    case JointType::sequence: break;
  }
  return JointKind::fixed;
}

void Compiler::build_tree() {
  std::vector<int> parent, child;
  for (const JointSpec& j : model_.joints) {
    parent.push_back(body_index_.at(j.parent));
    child.push_back(body_index_.at(j.child));
  }
  joint_info_.assign(model_.joints.size(), -1);
  const SpanningTree tree = spanning_tree(model_, parent, child);
  find_halves(tree, child);
  for (const TreeEdge& edge : tree.edges) add_edge(edge);
  for (const int j : tree.cut) {
    if (halved_[j]) {
      add_half(j, parent[j], child[j]);
      continue;
    }
    joint_info_[j] = static_cast<int>(m_.joints.size());
    m_.joints.push_back({});
    m_.joints.back().cut = true;
    m_.q_given.push_back(0), m_.u_given.push_back(0);
  }
}

MassProperties Compiler::part_of(int body) const {
  MassProperties part = mass_[body];
  const double share = 1.0 / parts_[body];
  part.mass *= share;
  part.inertia = part.inertia * share;
  return part;
}

void Compiler::add_edge(const TreeEdge& edge) {
  JointSpec unwritten;
  if (edge.joint < 0) {
    const BodySpec& body = model_.bodies[edge.outer];
    unwritten.type = JointType::free;
    unwritten.name = body.name + "_free";
    unwritten.child = body.name;
  }
  const JointSpec& joint = edge.joint < 0 ? unwritten : model_.joints[edge.joint];
  if (edge.reversed && !can_reverse(joint)) return;

  JointInfo info;
  info.name = joint.name;
  info.where = joint.where;
  info.type = joint.type;
  info.reversed = edge.reversed;
  const FrameSpec& on_inner = edge.reversed ? joint.on_child : joint.on_parent;
  const Mount inner = mount(edge.inner, on_inner.pose(), joint.where, "joint/" + joint.name);
  info.q0 = m_.nq;
  info.u0 = m_.nu;
  info.first_body = m_.nb;
  if (joint.type == JointType::sequence)
    add_sequence(edge, joint, inner, info);
  else
    add_single(edge, joint, inner, info);
  info.body = m_.nb - 1;
  info.nq = m_.nq - info.q0;
  info.nu = m_.nu - info.u0;
  for (int b = info.first_body; b <= info.body && joint.small; ++b) m_.small[b] = 1;
  info.parent = edge.reversed ? info.body : inner.body;
  info.child = edge.reversed ? inner.body : info.body;
  set_start(joint, info);
  if (edge.joint >= 0) joint_info_[edge.joint] = static_cast<int>(m_.joints.size());
  m_.joints.push_back(info);
  m_.q_given.push_back(joint.q.has_value()), m_.u_given.push_back(joint.u.has_value());
  if (model_.bodies[edge.outer].elastic)
    add_elastic(edge.outer, (edge.reversed ? joint.on_parent : joint.on_child).at, joint.where,
                "joint/" + joint.name);
}

bool Compiler::can_reverse(const JointSpec& joint) {
  switch (joint.type) {
    case JointType::fixed:
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
    case JointType::cylindrical: return true;
    default:
      physics_.error(
          "reversed-joint", joint.where, "joint/" + joint.name,
          fmt::format("its child '{}' is nearer to the world than its parent '{}', and the "
                      "coordinates of a {} joint are those of the child seen from the parent",
                      joint.child, joint.parent, to_text(joint.type)),
          "swap parent and child");
      return false;
  }
}

void Compiler::add_body(int parent, const Pose<double>& X_PF, JointKind kind,
                        const JointNumbers<double>& numbers, const BodyInertia<double>& inertia) {
  m_.parent.push_back(parent);
  m_.kind.push_back(kind);
  m_.prescribed.push_back(0);
  m_.small.push_back(0);
  m_.part.push_back(-1);
  m_.joint_at.push_back(
      static_cast<int>(m_.joints.size()));  // the entry that add_edge() makes next
  m_.numbers.body.push_back({X_PF, inertia, numbers});
  m_.nb += 1;
  m_.nq += joint_nq(kind), m_.nu += joint_nu(kind), m_.nx += joint_nx(kind);
  m_.q0.push_back(m_.nq), m_.u0.push_back(m_.nu), m_.x0.push_back(m_.nx);
  m_.numbers.armature.resize(m_.nu, 0);
}

void Compiler::place_user_frame(int outer, const Pose<double>& X_CB) {
  inside_[outer] = m_.nb;
  m_.bodies[outer].body = m_.nb;
  m_.bodies[outer].X_BC = inverse(X_CB);
}

void Compiler::add_single(const TreeEdge& edge, const JointSpec& joint, const Mount& inner,
                          JointInfo& info) {
  const Pose<double> on_outer = (edge.reversed ? joint.on_parent : joint.on_child).pose();
  const Mat3 A = aligned(joint, edge.reversed);
  const Pose<double> X_CB = on_outer * Pose<double>{A, {}};
  const Pose<double> X_PF = inner.X * Pose<double>{A, {}};
  info.R_BM = transpose(A);
  place_user_frame(edge.outer, X_CB);
  add_body(inner.body, X_PF, kind_of(joint.type), joint_numbers(joint, A),
           inertia_in_body_frame(part_of(edge.outer), inverse(X_CB)));
}

void Compiler::add_sequence(const TreeEdge& edge, const JointSpec& joint, const Mount& inner,
                            JointInfo& info) {
  int parent = inner.body;
  Pose<double> X_PF = inner.X;
  for (size_t k = 0; k < joint.sequence.size(); ++k) {
    const SequenceStep& step = joint.sequence[k];
    const Mat3 A = rotation_from_z(unit(step.axis));
    const bool last = k + 1 == joint.sequence.size();
    BodyInertia<double> inertia{};
    if (last) {
      info.R_BM = transpose(A);
      const Pose<double> X_CB = joint.on_child.pose() * Pose<double>{A, {}};
      place_user_frame(edge.outer, X_CB);
      inertia = inertia_in_body_frame(part_of(edge.outer), inverse(X_CB));
    }
    add_body(parent, X_PF * Pose<double>{A, {}},
             step.slides ? JointKind::prismatic : JointKind::revolute, {}, inertia);
    parent = m_.nb - 1;
    X_PF = {transpose(A), {}};
  }
}

void Compiler::set_start(const JointSpec& joint, const JointInfo& info) {
  std::vector<double> q(info.nq), u(static_cast<size_t>(info.nu), 0.0);
  for (int b = info.first_body; b <= info.body; ++b)
    zero_configuration(m_.kind[b], q.data() + (m_.q0[b] - info.q0));
  if (joint.q) fill(joint, "q", *joint.q, q);
  if (joint.u) fill(joint, "u", *joint.u, u);
  m_.start.q.insert(m_.start.q.end(), q.begin(), q.end());
  m_.start.u.insert(m_.start.u.end(), u.begin(), u.end());
}

void Compiler::fill(const JointSpec& joint, const char* key, const std::vector<double>& from,
                    std::vector<double>& to) {
  if (from.size() == to.size())
    to = from;
  else
    faults_.error("wrong-length", joint.where, fmt::format("joint/{}/{}", joint.name, key),
                  fmt::format("{} numbers are given, a {} joint has {}", from.size(),
                              to_text(joint.type), to.size()));
}

void Compiler::set_wishes(const JointSpec& joint, JointKind kind, Closure& closure) {
  std::vector<double> q(joint_nq(kind)), u(static_cast<size_t>(joint_nu(kind)));
  if (joint.q) fill(joint, "q", *joint.q, q), closure.q_wish = q;
  if (joint.u) fill(joint, "u", *joint.u, u), closure.u_wish = u;
}

void Compiler::describe_cuts() {
  for (size_t j = 0; j < model_.joints.size(); ++j) {
    if (joint_info_[j] < 0) continue;
    JointInfo& info = m_.joints[joint_info_[j]];
    const JointSpec& joint = model_.joints[j];
    const int parent = body_index_.at(joint.parent), child = body_index_.at(joint.child);
    const std::string element = "joint/" + joint.name;
    const Mount on_parent = mount(parent, joint.on_parent.pose(), joint.where, element);
    const Mount on_child = mount(child, joint.on_child.pose(), joint.where, element);
    info.X_parent = on_parent.X;
    info.X_child = on_child.X;
    info.stiffness = joint.stiffness;
    if (!info.cut) continue;
    info.name = joint.name;
    info.type = joint.type;
    info.where = joint.where;
    info.parent = on_parent.body;
    info.child = on_child.body;
    info.kind = kind_of(joint.type);
    info.R_axes = aligned(joint, false);
    info.numbers = joint_numbers(joint, info.R_axes);
    if (joint.active) {
      info.active = binder_.add(*joint.active, "joint/" + joint.name + "/active", Reach::motion);
      info.captures = joint.captures;
    }
  }
}

}  // namespace sarrus
