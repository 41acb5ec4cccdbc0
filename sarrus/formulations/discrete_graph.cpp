#include "sarrus/formulations/discrete_graph.hpp"

#include "sarrus/formulations/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr double leaves = 1e-9;  // sine or speed beyond which something leaves a plane
constexpr double flat = 1e-12;   // of the largest: a principal inertia below it is none

/// Inertia about the centre of mass, in the axes of B.
Sym3 central_inertia(const BodyInertia<double>& B) {
  const Vec3 c = B.mc * (1 / B.m);
  const double m = B.m, c2 = dot(c, c);
  Sym3 I = B.I;
  I += {-m * (c2 - c.x * c.x), -m * (c2 - c.y * c.y), -m * (c2 - c.z * c.z),
        m * c.x * c.y,         m * c.x * c.z,         m * c.y * c.z};
  return I;
}

class Builder {
 public:
  Builder(const Mechanism& m, const std::string& plane) : m_(m), at_start_(m) {
    if (plane == "xy") g_.normal = {0, 0, 1};
    if (plane == "xz") g_.normal = {0, 1, 0};
    if (plane == "yz") g_.normal = {1, 0, 0};
    at_start_.set(0, m.start.q.data(), m.start.u.data(), m.start_state.data());
  }

  DiscreteGraph run() {
    name_bodies();
    add_bodies();
    for (size_t j = 0; j < m_.joints.size(); ++j)
      if (!m_.joints[j].cut) add_tree_joint(static_cast<int>(j));
    for (size_t j = 0; j < m_.joints.size(); ++j)
      if (m_.joints[j].cut) add_cut_joint(static_cast<int>(j));
    for (size_t c = 0; c < m_.closures.size(); ++c) close(static_cast<int>(c));
    faults_.throw_if_errors(Fault::physics);
    return std::move(g_);
  }

 private:
  void name_bodies() {
    names_.resize(static_cast<size_t>(m_.nb));
    for (int i = 1; i < m_.nb; ++i)  // parts of a body that a closing joint carries have no name
      if (const JointInfo* j = m_.joint_of_body(i))
        names_[static_cast<size_t>(i)] = "what joint " + j->name + " carries";
    for (const BodyInfo& b : m_.bodies) names_[static_cast<size_t>(b.body)] = b.name;
  }

  void add_bodies() {
    g_.slot.assign(static_cast<size_t>(m_.nb), -1);
    g_.slot[0] = 0;
    g_.bodies.push_back({0, "world", {}, 0, {}, {}});
    for (int i = 1; i < m_.nb; ++i) {
      if (is_step_of_sequence(i)) continue;
      add_body(i);
    }
  }

  bool is_step_of_sequence(int i) const {
    const JointInfo* j = m_.joint_of_body(i);
    return j && j->type == JointType::sequence && i < j->body;
  }

  void add_body(int i) {
    const BodyInertia<double>& B = m_.numbers.body[static_cast<size_t>(i)].inertia;
    GraphBody body;
    body.inside = i;
    body.name = names_[static_cast<size_t>(i)];
    g_.slot[static_cast<size_t>(i)] = static_cast<int>(g_.bodies.size());
    if (!(B.m > 0)) {
      refuse(body, fmt::format("its mass is {} kg", B.m), fmt::format("{}", B.m));
      g_.bodies.push_back(body);
      return;
    }
    if (is_planar()) return add_planar_body(body, B);
    const PrincipalAxes p = principal_axes(central_inertia(B));
    const double largest = std::max({p.values.x, p.values.y, p.values.z});
    const double smallest = std::min({p.values.x, p.values.y, p.values.z});
    if (!(smallest > flat * largest) || !(largest > 0))
      refuse(body,
             fmt::format("its smallest principal inertia about the centre of mass is {:.3g} kg.m²",
                         smallest),
             fmt::format("{:.3g}", smallest));
    body.X_BC = {p.axes, B.mc * (1 / B.m)};
    body.inverse_mass = 1 / B.m;
    body.inverse_I = {1 / p.values.x, 1 / p.values.y, 1 / p.values.z};
    body.I = p.values;
    g_.bodies.push_back(body);
  }

  bool is_planar() const { return norm(g_.normal) > 0; }

  /// A body that turns about the plane's normal only: no inertia can turn it out of the plane.
  void add_planar_body(GraphBody& body, const BodyInertia<double>& B) {
    const BodyMotion<double>& start = at_start_.motion(body.inside);
    const Vec3 n = transposed_times(start.R, g_.normal);  // in B, and so for ever
    const double I = dot(n, central_inertia(B) * n);
    if (!(I > 0))
      refuse(body, fmt::format("its inertia about the plane's normal is {:.3g} kg.m²", I),
             fmt::format("{:.3g}", I));
    body.X_BC = {rotation_from_z(n), B.mc * (1 / B.m)};
    body.inverse_mass = 1 / B.m;
    body.inverse_I = {0, 0, 1 / I};
    body.I = {I, I, I};
    g_.bodies.push_back(body);
    const Vec3 v = start.V.v + cross(start.V.w, start.R * body.X_BC.p);
    if (std::fabs(dot(v, g_.normal)) > leaves || norm(cross(start.V.w, g_.normal)) > leaves)
      faults_.error("leaves-plane", {}, "body/" + body.name,
                    "its start speeds lead out of the plane that [simulate] gives",
                    "drop `plane`, or change u of its joints");
  }

  /// Joints that keep to the plane: pins, slides in it, welds.
  void check_plane(const GraphJoint& j, const JointInfo& info) {
    const Vec3 z = at_start_.motion(g_.bodies[static_cast<size_t>(j.a)].inside).R *
                   (g_.bodies[static_cast<size_t>(j.a)].X_BC.R * j.X_a.R.z);
    const double along = std::fabs(dot(z, g_.normal));
    const bool fits = j.kind == JointKind::fixed || j.kind == JointKind::free ||
                      j.kind == JointKind::spherical ||
                      ((j.kind == JointKind::revolute || j.kind == JointKind::planar ||
                        j.kind == JointKind::knife_edge) &&
                       along > 1 - leaves) ||
                      (j.kind == JointKind::prismatic && along < leaves);
    if (!fits)
      faults_.error(
          "leaves-plane", info.where, "joint/" + info.name,
          fmt::format("a {} joint with this axis lets bodies leave the plane", to_text(info.type)),
          "in a plane: hinges along its normal, slides in it, fixed joints");
  }

  void refuse(const GraphBody& body, const std::string& cause, const std::string& value) {
    faults_.add({Severity::error,
                 "no-inertia",
                 {},
                 "body/" + body.name,
                 "the discrete formulation moves every body by itself, and " + cause,
                 "give the body a mass and an inertia above 0 about every axis (a shape with a "
                 "density has both), or use another formulation",
                 value,
                 "0"});
  }

  /// A joint's frame on a body, from its B to its C.
  Pose<double> in_slot(int slot, const Pose<double>& X_BF) const {
    return inverse(g_.bodies[static_cast<size_t>(slot)].X_BC) * X_BF;
  }

  void add_tree_joint(int index) {
    const JointInfo& info = m_.joints[static_cast<size_t>(index)];
    if (refuse_unknown(info)) return;
    const auto b = static_cast<size_t>(info.body);
    GraphJoint j;
    j.joint = index;
    j.body = info.body;
    j.kind = m_.kind[b];
    j.numbers = m_.numbers.body[b].joint;
    j.a = g_.slot[static_cast<size_t>(m_.parent[b])];
    j.b = g_.slot[b];
    j.X_a = in_slot(j.a, m_.numbers.body[b].X_PF);
    j.X_b = in_slot(j.b, {});
    add(j, info);
  }

  void add_cut_joint(int index) {
    const JointInfo& info = m_.joints[static_cast<size_t>(index)];
    if (refuse_unknown(info)) return;
    GraphJoint j;
    j.joint = index;
    j.body = -1;
    j.kind = info.kind;
    j.numbers = info.numbers;
    j.a = g_.slot[static_cast<size_t>(info.parent)];
    j.b = g_.slot[static_cast<size_t>(info.child)];
    j.X_a = in_slot(j.a, info.X_parent * Pose<double>{info.R_axes, {}});
    j.X_b = in_slot(j.b, info.X_child * Pose<double>{info.R_axes, {}});
    add(j, info);
  }

  /// Joints that close loops are there already; parts of a body that the tree keeps apart are
  /// welded; other constraints are conditions.
  void close(int index) {
    const Closure& c = m_.closures[static_cast<size_t>(index)];
    for (GraphJoint& j : g_.joints)
      if (c.joint >= 0 && j.joint == c.joint) j.closure = index;
    if (c.joint >= 0) return;
    if (!c.element.starts_with("joint/")) {
      Closure own = c;
      const int a = g_.slot[static_cast<size_t>(c.a)], b = g_.slot[static_cast<size_t>(c.b)];
      if (c.of.empty()) own.X_A = in_slot(a, c.X_A), own.X_B = in_slot(b, c.X_B);
      for (int r = c.row0; r < c.row0 + c.rows; ++r)
        add_condition(own, m_.closure_rows[static_cast<size_t>(r)], a, b, -1);
      return;
    }
    GraphJoint weld;
    weld.name = c.name;
    weld.where = c.where;
    weld.closure = index;
    weld.body = -1;
    weld.kind = JointKind::fixed;
    weld.a = g_.slot[static_cast<size_t>(c.a)];
    weld.b = g_.slot[static_cast<size_t>(c.b)];
    weld.X_a = in_slot(weld.a, c.X_A);
    weld.X_b = in_slot(weld.b, c.X_B);
    weld.in_plane = is_planar();
    g_.joints.push_back(weld);
  }

  void add(GraphJoint& j, const JointInfo& info) {
    j.name = info.name;
    j.where = info.where;
    j.in_plane = is_planar();
    if (j.in_plane) check_plane(j, info);
    g_.joints.push_back(j);
    if (j.kind == JointKind::knife_edge || j.kind == JointKind::rolling_disk) add_rolling(j);
  }

  /// What an edge or a rolling disk holds beyond its block: no slip, and the disk's height.
  void add_rolling(const GraphJoint& j) {
    const int index = static_cast<int>(g_.joints.size()) - 1;
    Closure c;
    c.name = j.name, c.element = "joint/" + j.name, c.where = j.where;
    c.X_A = j.X_a, c.X_B = j.X_b;
    if (j.kind == JointKind::knife_edge) {
      // along the blade x, not along y
      c.X_B.R = {j.X_b.R.z, j.X_b.R.x, j.X_b.R.y};
      add_condition(c, {RowKind::edge, 0, 0, 0, 0}, j.a, j.b, index);
      return;
    }
    c.size = j.numbers.size;
    c.X_B.R = j.X_b.R * rotation_from_z(j.numbers.axis);
    add_condition(c, {RowKind::height, 2, 0, 0, 0}, j.a, j.b, index);
    for (const int i : {0, 1}) add_condition(c, {RowKind::disk, i, 0, 0, 0}, j.a, j.b, index);
  }

  void add_condition(const Closure& closure, const ClosureRow& row, int a, int b, int joint) {
    GraphCondition condition{closure, row, a, b, joint, {}};
    const auto moves = [&](int slot) {
      std::vector<int>& all = condition.slots;
      if (slot > 0 && std::find(all.begin(), all.end(), slot) == all.end()) all.push_back(slot);
    };
    if (closure.of.empty()) moves(a), moves(b);
    for (const CoupledCoordinate& k : closure.of)
      for (const GraphJoint& j : g_.joints)
        if (j.body == k.body) moves(j.a), moves(j.b);
    g_.conditions.push_back(std::move(condition));
  }

  bool refuse_unknown(const JointInfo& info) {
    const bool unknown = info.type == JointType::sequence;
    if (unknown)
      faults_.error(
          "wrong-joint", info.where, "joint/" + info.name,
          fmt::format("the discrete formulation has no block for a {} joint", to_text(info.type)),
          "use formulation = \"recursive\" or \"hamiltonian\" for it");
    return unknown;
  }

  const Mechanism& m_;
  Dynamics<double> at_start_;
  DiscreteGraph g_;
  Diagnostics faults_;
  std::vector<std::string> names_;
};

}  // namespace

double GraphBody::largest_inverse_I() const {
  return std::max({inverse_I.x, inverse_I.y, inverse_I.z});
}

bool GraphJoint::slides() const {
  switch (kind) {
    case JointKind::prismatic:
    case JointKind::screw:
    case JointKind::cylindrical:
    case JointKind::knife_edge:
    case JointKind::planar: return true;
    default: return false;
  }
}

bool GraphJoint::holds_translation() const {
  const bool flat = kind == JointKind::planar || kind == JointKind::knife_edge;
  return kind != JointKind::free && kind != JointKind::rolling_disk && !(in_plane && flat);
}
bool GraphJoint::holds_rotation() const {
  const bool flat = kind == JointKind::planar || kind == JointKind::knife_edge;
  if (in_plane && (kind == JointKind::revolute || flat)) return false;
  return kind != JointKind::free && kind != JointKind::rolling_disk && kind != JointKind::spherical;
}

DiscreteGraph discrete_graph(const Mechanism& m, const std::string& plane) {
  return Builder(m, plane).run();
}

PrincipalAxes principal_axes(const Sym3& S) {
  double a[3][3] = {{S.xx, S.xy, S.xz}, {S.xy, S.yy, S.yz}, {S.xz, S.yz, S.zz}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 60; ++sweep) {
    const double off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
    const double on = a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2];
    if (off <= 1e-34 * on) break;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        // the rotation that makes a[p][q] vanish: t = tan of the smaller angle
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t =
            std::copysign(1 / (std::fabs(theta) + std::sqrt(theta * theta + 1)), theta);
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; ++k) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
        }
        for (int k = 0; k < 3; ++k) {
          const double kp = v[k][p], kq = v[k][q];
          v[k][p] = c * kp - s * kq, v[k][q] = s * kp + c * kq;
        }
      }
  }
  const Vec3 x{v[0][0], v[1][0], v[2][0]}, y{v[0][1], v[1][1], v[2][1]};
  return {{a[0][0], a[1][1], a[2][2]}, {x, y, cross(x, y)}};
}

double translation_mobility(const GraphBody& body, const Vec3& r) {
  if (body.inverse_mass == 0) return 0;
  // − [r]× I⁻¹ [r]× = Σ wᵢ (r × eᵢ)(r × eᵢ)ᵀ with wᵢ = 1/Iᵢ
  Sym3 A{body.inverse_mass, body.inverse_mass, body.inverse_mass, 0, 0, 0};
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    const Vec3 c = cross(r, axes[i]);
    const double w = body.inverse_I[i];
    A += {w * c.x * c.x, w * c.y * c.y, w * c.z * c.z, w * c.x * c.y, w * c.x * c.z, w * c.y * c.z};
  }
  const Vec3 values = principal_axes(A).values;
  return std::max({values.x, values.y, values.z});
}

}  // namespace sarrus
