#include "sarrus/formulations/graph/discrete_graph.hpp"

#include "sarrus/formulations/graph/discrete_regroup.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr double leaves = 1e-9;       // sine or speed beyond which something leaves a plane
constexpr double lent_share = 0.005;  // of the lightest neighbour's mass
constexpr double flat = 1e-12;        // of the largest: a principal inertia below it is none

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
  Builder(const Mechanism& m, const std::string& plane)
      : m_(m),
        tree_(m),
        at_start_(move(tree_, 0.0, m.start.q.data(), m.start.u.data(), m.start_state.data())) {
    if (plane == "xy") g_.normal = {0, 0, 1};
    if (plane == "xz") g_.normal = {0, 1, 0};
    if (plane == "yz") g_.normal = {1, 0, 0};
  }

  DiscreteGraph run() {
    name_bodies();
    number_bodies();
    for (size_t j = 0; j < m_.joints.size(); ++j)
      if (!m_.joints[j].cut) add_tree_joint(static_cast<int>(j));
    for (size_t j = 0; j < m_.joints.size(); ++j)
      if (m_.joints[j].cut) add_cut_joint(static_cast<int>(j));
    for (size_t c = 0; c < m_.closures.size(); ++c) close_joint(static_cast<int>(c));
    share_inertia();
    add_bodies();
    place_joints();
    for (size_t c = 0; c < m_.closures.size(); ++c) close(static_cast<int>(c));
    faults_.throw_if_errors(Fault::physics);
    return std::move(g_);
  }

 private:
  void name_bodies() {
    names_.resize(m_.nb);
    for (int i = 1; i < m_.nb; ++i)  // parts of a body that a closing joint carries have no name
      if (const JointInfo* j = m_.joint_of_body(i))
        names_[i] = j->type == JointType::sequence
                        ? fmt::format("step {} of joint {}", i - j->first_body + 1, j->name)
                        : "what joint " + j->name + " carries";
    for (const BodyInfo& b : m_.bodies) names_[b.body] = b.name;
  }

  void number_bodies() {
    g_.slot.assign(m_.nb, -1);
    g_.bodies.assign(1, {0, "world", {}, 0, {}, {}});
    inertia_.assign(1, {});
    g_.slot[0] = 0;
    for (int i = 1; i < m_.nb; ++i) {
      g_.slot[i] = static_cast<int>(g_.bodies.size());
      g_.bodies.push_back({i, names_[i], {}, 0, {}, {}});
      inertia_.push_back(m_.numbers.body[i].inertia);
    }
  }

  // ── inertia that bodies lack, from their neighbours ──

  /// Why the body cannot be moved by itself; empty: it can.
  std::string lack(size_t slot) const {
    const BodyInertia<double>& B = inertia_[slot];
    if (!(B.m > 0)) return fmt::format("its mass is {} kg", B.m);
    if (is_planar()) {
      const Vec3 n = normal_in(g_.bodies[slot].inside);
      const double I = dot(n, central_inertia(B) * n);
      const bool none = !(I > flat * dot(n, B.I * n));
      return none ? fmt::format("its inertia about the plane's normal is {:.3g} kg.m²", I) : "";
    }
    const Vec3 I = principal_axes(central_inertia(B)).values;
    const double largest = std::max({I.x, I.y, I.z}), smallest = std::min({I.x, I.y, I.z});
    if (smallest > flat * largest && largest > 0) return "";
    return fmt::format("its smallest principal inertia about the centre of mass is {:.3g} kg.m²",
                       smallest);
  }

  /// Bodies without mass, or without inertia about some axis, take from what their joints share.
  void share_inertia() {
    std::vector<int> poor;
    for (size_t s = 1; s < inertia_.size(); ++s)
      if (!lack(s).empty()) poor.push_back(static_cast<int>(s));
    if (poor.empty()) return;
    std::vector<SharingJoint> joints;
    for (const GraphJoint& j : g_.joints)
      joints.push_back({j.a, j.b, j.kind, j.X_a, j.X_b, !comes_and_goes(j), !is_rubbed(j)});
    std::vector<Vec3> normals;
    if (is_planar())
      for (const GraphBody& b : g_.bodies) normals.push_back(normal_in(b.inside));
    Regrouped regrouped = regroup(inertia_, poor, joints, normals);
    for (const int s : regrouped.lacking)
      if (!is_held(s)) refuse(static_cast<size_t>(s));
    faults_.throw_if_errors(Fault::physics);
    // what the joints cannot give is put on loan: rotational inertia, mass, or both
    for (const Lend part : {Lend::rotation, Lend::mass, Lend::both}) {
      if (regrouped.lacking.empty()) break;
      for (const int s : regrouped.lacking) lend(static_cast<size_t>(s), part);
      regrouped = regroup(inertia_, poor, joints, normals);
    }
    for (const int s : regrouped.lacking) refuse(static_cast<size_t>(s));
    inertia_ = regrouped.bodies;
    for (size_t j = 0; j < joints.size(); ++j) g_.joints[j].given = regrouped.given[j];
  }

  /// A massless body that no joint guides cannot have inertia on loan.
  bool is_held(int slot) const {
    return inertia_[slot].m > 0 ||
           std::any_of(g_.joints.begin(), g_.joints.end(), [&](const GraphJoint& j) {
             return (j.a == slot || j.b == slot) && j.holds_translation() && !comes_and_goes(j);
           });
  }

  /// A ball at the body's origin, small beside its lightest neighbour: the wrench that it requires
  /// is given back to it while it moves (discrete_loans.hpp).
  enum class Lend { rotation, mass, both };
  void lend(size_t slot, Lend part) {
    double mass = 0, reach = 0;
    const Vec3 o = at_start_.body[g_.bodies[slot].inside].o;
    for (const GraphJoint& j : g_.joints) {
      if (j.a != static_cast<int>(slot) && j.b != static_cast<int>(slot)) continue;
      for (const int n : {j.a, j.b}) {
        const int inside = g_.bodies[n].inside;
        const BodyInertia<double>& N = m_.numbers.body[inside].inertia;
        if (n == 0 || !(N.m > 0)) continue;
        const BodyMotion<double>& at = at_start_.body[inside];
        const Vec3 d = at.o + at.R * (N.mc * (1 / N.m)) - o;
        const Sym3 I = central_inertia(N);
        const double r = std::sqrt(dot(d, d) + (I.xx + I.yy + I.zz) / (2 * N.m));
        if (mass == 0 || N.m < mass) mass = N.m;
        if (r > 0 && (reach == 0 || r < reach)) reach = r;
      }
    }
    const Whole whole = whole_model();
    if (!(mass > 0)) mass = whole.mass;
    if (!(reach > 0)) reach = whole.reach;
    Ball& ball = g_.bodies[slot].lent;
    ball.mass = part == Lend::rotation ? 0 : lent_share * mass;
    ball.inertia = part == Lend::mass ? 0 : lent_share * mass * reach * reach;
    const double I = ball.inertia;
    inertia_[slot] = m_.numbers.body[g_.bodies[slot].inside].inertia +
                     BodyInertia<double>{ball.mass, {}, {I, I, I, 0, 0, 0}};
  }

  /// A mass and a length as a scale if the neighbours have none.
  struct Whole {
    double mass = 0, reach = 0;
  };
  Whole whole_model() const {
    Whole w;
    for (size_t s = 1; s < inertia_.size(); ++s) {
      const BodyInertia<double>& B = m_.numbers.body[g_.bodies[s].inside].inertia;
      w.mass += B.m / static_cast<double>(inertia_.size() - 1);
      if (B.m > 0) w.reach = std::max(w.reach, std::sqrt((B.I.xx + B.I.yy + B.I.zz) / (2 * B.m)));
    }
    if (!(w.reach > 0)) w.reach = 1;
    return w;
  }

  bool comes_and_goes(const GraphJoint& j) const {
    return j.joint >= 0 && m_.joints[j.joint].active >= 0;
  }

  /// Friction on its reaction: that must stay what it is.
  bool is_rubbed(const GraphJoint& j) const {
    const auto& all = m_.numbers.forces.frictions;
    return std::any_of(all.begin(), all.end(), [&](const JointFriction<double>& f) {
      return f.coefficient > 0 && j.body > 0 && m_.body_of_velocity(f.u) == j.body;
    });
  }

  void refuse(size_t slot) {
    const std::string cause = lack(slot);
    faults_.add({.code = "no-inertia",
                 .element = "body/" + g_.bodies[slot].name,
                 .message = "the discrete formulation moves every body by itself, and " + cause +
                            ", and no joint guides it",
                 .hint =
                     "give the body a mass and an inertia above 0 about every axis (a shape with a "
                     "density has both), or use another formulation",
                 .value = cause.substr(cause.find(" is ") + 4),
                 .limit = "0"});
  }

  // ── bodies ──

  void add_bodies() {
    for (size_t s = 1; s < inertia_.size(); ++s)
      if (inertia_[s].m > 0) add_body(g_.bodies[s], inertia_[s]);
  }

  void add_body(GraphBody& body, const BodyInertia<double>& B) {
    if (is_planar()) return add_planar_body(body, B);
    const PrincipalAxes p = principal_axes(central_inertia(B));
    body.X_BC = {p.axes, B.mc * (1 / B.m)};
    body.inverse_mass = 1 / B.m;
    body.lent.at = inverse(body.X_BC).p;
    body.inverse_I = {1 / p.values.x, 1 / p.values.y, 1 / p.values.z};
    body.I = p.values;
  }

  bool is_planar() const { return norm(g_.normal) > 0; }

  /// In B, and so for ever.
  Vec3 normal_in(int inside) const { return transposed_times(at_start_.body[inside].R, g_.normal); }

  /// A body that turns about the plane's normal only: no inertia can turn it out of the plane.
  void add_planar_body(GraphBody& body, const BodyInertia<double>& B) {
    const BodyMotion<double>& start = at_start_.body[body.inside];
    const Vec3 n = normal_in(body.inside);
    const double I = dot(n, central_inertia(B) * n);
    body.X_BC = {rotation_from_z(n), B.mc * (1 / B.m)};
    body.inverse_mass = 1 / B.m;
    body.lent.at = inverse(body.X_BC).p;
    body.inverse_I = {0, 0, 1 / I};
    body.I = {I, I, I};
    const Vec3 v = start.V.v + cross(start.V.w, start.R * body.X_BC.p);
    if (std::fabs(dot(v, g_.normal)) > leaves || norm(cross(start.V.w, g_.normal)) > leaves)
      faults_.error("leaves-plane", {}, "body/" + body.name,
                    "its initial speeds lead out of the plane given in [simulate]",
                    "drop `plane`, or change u of its joints");
  }

  /// Joints that keep to the plane: pins, slides in it, welds.
  void check_plane(const GraphJoint& j, const JointInfo& info) {
    const Vec3 z = at_start_.body[g_.bodies[j.a].inside].R * (g_.bodies[j.a].X_BC.R * j.X_a.R.z);
    const double along = std::fabs(dot(z, g_.normal));
    const JointFacts& facts = facts_of(j.kind);
    // turns about z only, and slides along it only, or across it only
    const bool pins = facts.turn == HeldTurn::across, slides = facts.point == HeldPoint::across;
    const bool fits = pins     ? along > 1 - leaves && !j.slides_along()
                      : slides ? along < leaves
                               : facts.turn != HeldTurn::angle && facts.axes != JointAxes::disk;
    if (!fits)
      faults_.error(
          "leaves-plane", info.where, "joint/" + info.name,
          fmt::format("a {} joint with this axis lets bodies leave the plane", to_text(info.type)),
          "in a plane: hinges along its normal, slides in it, fixed joints");
  }

  /// A joint's frame on a body, from its B to its C.
  Pose<double> in_slot(int slot, const Pose<double>& X_BF) const {
    return inverse(g_.bodies[slot].X_BC) * X_BF;
  }

  // ── joints: at first with their frames in B ──

  /// Each step of a sequence is a joint of its own.
  void add_tree_joint(int index) {
    const JointInfo& info = m_.joints[index];
    for (int body = info.first_body; body <= info.body; ++body) {
      const auto b = static_cast<size_t>(body);
      GraphJoint j;
      j.joint = index;
      j.body = body;
      j.kind = m_.kind[b];
      j.numbers = m_.numbers.body[b].joint;
      j.a = g_.slot[m_.parent[b]];
      j.b = g_.slot[b];
      j.X_a = m_.numbers.body[b].X_PF;
      add(j, info);
    }
  }

  void add_cut_joint(int index) {
    const JointInfo& info = m_.joints[index];
    GraphJoint j;
    j.joint = index;
    j.body = -1;
    j.kind = info.kind;
    j.numbers = info.numbers;
    j.a = g_.slot[info.parent];
    j.b = g_.slot[info.child];
    j.X_a = info.X_parent * Pose<double>{info.R_axes, {}};
    j.X_b = info.X_child * Pose<double>{info.R_axes, {}};
    add(j, info);
  }

  void add(GraphJoint& j, const JointInfo& info) {
    j.name = info.name;
    j.where = info.where;
    j.in_plane = is_planar();
    g_.joints.push_back(j);
  }

  /// Joints that close loops are there already; parts of a body that the tree keeps apart are
  /// welded.
  void close_joint(int index) {
    const Closure& c = m_.closures[index];
    for (GraphJoint& j : g_.joints)
      if (c.joint >= 0 && j.joint == c.joint) j.closure = index;
    if (!c.is_weld) return;
    GraphJoint weld;
    weld.name = c.name;
    weld.where = c.where;
    weld.closure = index;
    weld.body = -1;
    weld.kind = JointKind::fixed;
    weld.a = g_.slot[c.a];
    weld.b = g_.slot[c.b];
    weld.X_a = c.X_A;
    weld.X_b = c.X_B;
    weld.in_plane = is_planar();
    g_.joints.push_back(weld);
  }

  void place_joints() {
    for (size_t i = 0; i < g_.joints.size(); ++i) {
      GraphJoint& j = g_.joints[i];
      j.X_a = in_slot(j.a, j.X_a);
      j.X_b = in_slot(j.b, j.X_b);
      if (j.in_plane && j.joint >= 0) check_plane(j, m_.joints[j.joint]);
      if (is_nonholonomic(j.kind)) add_rolling(j, static_cast<int>(i));
    }
  }

  /// Constraints that are no joint are conditions.
  void close(int index) {
    const Closure& c = m_.closures[index];
    if (!c.is_written()) return;
    Closure own = c;
    const int a = g_.slot[c.a], b = g_.slot[c.b];
    if (c.of.empty()) own.X_A = in_slot(a, c.X_A), own.X_B = in_slot(b, c.X_B);
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      add_condition(own, m_.closure_rows[r], a, b, -1);
      g_.conditions.back().of_row = r;
    }
  }

  /// What an edge or a rolling disk holds beyond its block: no slip, and the disk's height.
  void add_rolling(const GraphJoint& j, int index) {
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
    GraphCondition condition{closure, row, a, b, joint};
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

  const Mechanism& m_;
  Workspace<double> tree_;
  const Kinematics<double>& at_start_;
  DiscreteGraph g_;
  Diagnostics faults_;
  std::vector<std::string> names_;
  std::vector<BodyInertia<double>> inertia_;  // slot by slot, in B
};

}  // namespace

double GraphBody::largest_inverse_I() const {
  return std::max({inverse_I.x, inverse_I.y, inverse_I.z});
}

bool GraphJoint::slides_along() const {
  const HeldPoint point = facts_of(kind).point;
  return point == HeldPoint::across || point == HeldPoint::thread;
}
bool GraphJoint::slides() const {
  return slides_along() || facts_of(kind).point == HeldPoint::along;
}
// in a plane nothing turns out of it, nor leaves it
bool GraphJoint::holds_translation() const {
  const HeldPoint point = facts_of(kind).point;
  return point != HeldPoint::nothing && !(in_plane && point == HeldPoint::along);
}
bool GraphJoint::holds_rotation() const {
  const HeldTurn turn = facts_of(kind).turn;
  return turn != HeldTurn::nothing && !(in_plane && turn == HeldTurn::across);
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
