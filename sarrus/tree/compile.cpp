// compile: from names and specifications to one numbered tree.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sarrus/core/near_match.hpp"
#include "sarrus/elastic/solid.hpp"
#include "sarrus/model/validate.hpp"
#include "sarrus/tree/bind.hpp"
#include "sarrus/tree/closures.hpp"
#include "sarrus/tree/contacts.hpp"
#include "sarrus/tree/mechanism.hpp"
#include "sarrus/tree/spanning_tree.hpp"

namespace sarrus {
namespace {

constexpr double default_turn_stop = 1e4;   // [N.m/rad] stiffness of a limit that gives none
constexpr double default_slide_stop = 1e6;  // [N/m]

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

Vec3 unit(const Vec3& v) { return v * (1 / norm(v)); }

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

/// Whether joint forces by coordinate make sense: q̇ = u for each.
bool has_plain_coordinates(JointType type) {
  return type == JointType::sequence || (type != JointType::fixed && is_additive(kind_of(type)));
}

/// An elastic body on the way into the tree.
struct ElasticPart {
  std::unique_ptr<ElasticShape> shape;
  int entry = 0;          // of Mechanism::elastic
  double near = 0;        // [m] carriers nearer than this are one
  std::vector<int> seat;  // entries of Mechanism::seats
  std::vector<Vec3> at;   // and their carriers, in the user's frame
};

std::unique_ptr<ElasticShape> make_shape(const ElasticSpec& spec, const Vec3& inboard) {
  if (spec.solid) return std::make_unique<ElasticSolid>(*spec.solid, inboard);
  return std::make_unique<Beam>(spec.beam, std::clamp(inboard.x, 0.0, spec.beam.length));
}

class Compiler {
 public:
  explicit Compiler(const Model& model) : model_(model), binder_(m_, faults_) {}

  Mechanism run() {
    validate_model();
    find_bodies();
    build_tree();
    describe_cuts();
    close_loops();
    add_constraints();
    add_sensors();
    add_joint_forces();
    add_forces();
    add_contacts(model_, m_, faults_);
    add_events();
    binder_.bind(model_.tables);
    list_formulas();
    faults_.throw_if_errors(Fault::model);
    physics_.throw_if_errors(Fault::physics);
    keep_notes(faults_.all());
    keep_notes(physics_.all());
    return std::move(m_);
  }

 private:
  /// The reader has validated the model too: what it noted is not said twice.
  void keep_notes(const std::vector<Diagnostic>& found) {
    for (const Diagnostic& d : found)
      if (std::none_of(model_.notes.begin(), model_.notes.end(), [&](const Diagnostic& said) {
            return said.code == d.code && said.element == d.element;
          }))
        m_.notes.push_back(d);
  }

  const Model& model_;
  Mechanism m_;
  Diagnostics faults_, physics_;
  FormulaBinder binder_;
  std::map<std::string, int> body_index_;  // −1: the world
  std::vector<int> inside_;                // body of the model → body of the mechanism
  std::vector<int> joint_info_;            // joint of the model → entry of m_.joints
  std::vector<MassProperties> mass_;
  std::vector<char> halved_;  // per joint of the model: closes a loop and stays in the tree
  std::vector<int> parts_;    // per body of the model: into how many parts its mass is divided
  std::map<int, ElasticPart> elastic_;  // by body of the model

  void validate_model() {
    validate(model_, faults_, physics_);
    faults_.throw_if_errors(Fault::model);
    physics_.throw_if_errors(Fault::physics);
    m_.name = model_.name;
    m_.numbers.gravity = model_.gravity;
    for (const auto& [name, value] : model_.parameters) {
      m_.parameter_names.push_back(name);
      m_.numbers.parameters.push_back(value);
    }
  }

  void find_bodies() {
    body_index_["world"] = -1;
    inside_.assign(model_.bodies.size(), 0);
    for (size_t i = 0; i < model_.bodies.size(); ++i) {
      body_index_[model_.bodies[i].name] = static_cast<int>(i);
      mass_.push_back(mass_properties(model_.bodies[i]));
      m_.bodies.push_back({model_.bodies[i].name, 0, {}, mass_[i].mass, mass_[i].com});
    }
    m_.numbers.body.resize(1);  // the world
  }

  int inside(int body) const { return body < 0 ? 0 : inside_[static_cast<size_t>(body)]; }
  Pose<double> user_frame(int body) const {  // X_BC
    return body < 0 ? Pose<double>{} : m_.bodies[static_cast<size_t>(body)].X_BC;
  }

  // ── elastic bodies ──

  /// A frame on a body of the model, where it is in the tree.
  struct Mount {
    int body = 0;
    Pose<double> X;
  };

  /// On an elastic body a frame sits on a seat, rigidly tied to its carrier.
  Mount mount(int body, const Pose<double>& X, const Place& where, const std::string& element) {
    const auto found = elastic_.find(body);
    if (found == elastic_.end()) return {inside(body), user_frame(body) * X};
    ElasticPart& part = found->second;
    const Vec3 at = carrier_of(body, part, X.p, where, element);
    if (norm(at - part.shape->clamp()) <= part.near) return {inside(body), user_frame(body) * X};
    const Pose<double> X_BC = user_frame(body);
    return {seat_at(body, at), {X_BC.R * X.R, X_BC.R * (X.p - at)}};
  }
  Mount mount(const PointSpec& p, const std::string& element) {
    return mount(body_index_.at(p.body), {Mat3::identity(), p.at}, p.where, element);
  }

  Vec3 carrier_of(int body, const ElasticPart& part, const Vec3& point, const Place& where,
                  const std::string& element) {
    const std::optional<Vec3> at = part.shape->carrier(point);
    if (!at)
      physics_.error(
          "beyond-body", where, element,
          fmt::format("({:.6g}, {:.6g}, {:.6g}) m is no place on the elastic body '{}': {}",
                      point.x, point.y, point.z, model_.bodies[static_cast<size_t>(body)].name,
                      part.shape->carriers()));
    return at.value_or(part.shape->clamp());
  }

  int seat_at(int body, const Vec3& at) {
    ElasticPart& part = elastic_.at(body);
    for (size_t i = 0; i < part.seat.size(); ++i)
      if (norm(part.at[i] - at) <= part.near)
        return m_.seats[static_cast<size_t>(part.seat[i])].body;
    const ElasticInfo& info = m_.elastic[static_cast<size_t>(part.entry)];
    add_body(info.last, {}, JointKind::seat, {}, {});
    m_.joint_at.back() = -1;
    m_.part.back() = static_cast<int>(m_.seats.size());
    part.seat.push_back(m_.part.back());
    part.at.push_back(at);
    m_.seats.push_back(
        {m_.nb - 1, part.entry, seen_from(part.shape->place(at), clamped_frame(body, part))});
    return m_.nb - 1;
  }

  /// The user's axes at the clamped point, in B.
  Pose<double> clamped_frame(int body, const ElasticPart& part) const {
    return user_frame(body) * Pose<double>{Mat3::identity(), part.shape->clamp()};
  }

  void add_elastic(int body, const Vec3& inboard, const Place& where, const std::string& element) {
    const BodySpec& spec = model_.bodies[static_cast<size_t>(body)];
    ElasticPart part;
    try {
      part.shape = make_shape(*spec.elastic, inboard);
    } catch (const ElasticFault& fault) {
      physics_.error(fault.code, spec.elastic->where, "body/" + spec.name + "/elastic",
                     fault.what(), fault.hint);
      physics_.throw_if_errors(Fault::physics);
    }
    carrier_of(body, part, inboard, where, element);
    part.entry = static_cast<int>(m_.elastic.size());
    ElasticInfo info;
    info.name = spec.name;
    info.frame = inside(body);
    info.q0 = m_.nq, info.u0 = m_.nu;
    info.first = m_.nb;
    info.numbers = std::make_shared<const ElasticBody>(
        seen_from(part.shape->body(), clamped_frame(body, part)));
    info.n = info.numbers->n;
    part.near = same_place * info.numbers->span;
    for (int k = 0; k < info.n; ++k) {
      add_body(k == 0 ? info.frame : m_.nb - 1, {}, JointKind::elastic, {}, {});
      m_.joint_at.back() = -1;
    }
    info.last = m_.nb - 1;
    m_.part.back() = part.entry;
    start_elastic(spec, info);
    const auto shared = [&](const std::vector<double>& of) {
      return std::shared_ptr<const std::vector<double>>(info.numbers, &of);
    };
    m_.numbers.forces.elastic.push_back(
        {info.q0, info.u0, info.n, shared(info.numbers->K), shared(info.numbers->D)});
    add_elastic_mass(m_.bodies[static_cast<size_t>(body)], *info.numbers);
    m_.elastic.push_back(std::move(info));
    elastic_.emplace(body, std::move(part));
  }

  static void add_elastic_mass(BodyInfo& known, const ElasticBody& elastic) {
    Vec3 moment = known.com * known.mass;
    for (const MassSample& s : elastic.samples) {
      known.mass += s.mass * s.c * s.c;
      // a part that does not follow the frame has no place
      moment += transposed_times(known.X_BC.R, s.x * s.c - known.X_BC.p * (s.c * s.c)) * s.mass;
    }
    if (known.mass > 0) known.com = moment * (1 / known.mass);
  }

  void start_elastic(const BodySpec& spec, const ElasticInfo& info) {
    const std::vector<double>& given = spec.elastic->start;
    if (!given.empty() && static_cast<int>(given.size()) != info.n)
      faults_.error("wrong-length", spec.elastic->where, "body/" + spec.name + "/elastic/q",
                    fmt::format("{} numbers are given for {} elastic coordinates ({})",
                                given.size(), info.n, fmt::join(info.numbers->says, ", ")));
    for (int k = 0; k < info.n; ++k) {
      const auto i = static_cast<size_t>(k);
      m_.start.q.push_back(i < given.size() ? given[i] : 0);
      m_.start.u.push_back(0);
    }
  }

  // ── the tree ──

  void build_tree() {
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
      if (halved_[static_cast<size_t>(j)]) {
        add_half(j, parent[static_cast<size_t>(j)], child[static_cast<size_t>(j)]);
        continue;
      }
      joint_info_[static_cast<size_t>(j)] = static_cast<int>(m_.joints.size());
      m_.joints.push_back({});
      m_.joints.back().cut = true;
      m_.q_given.push_back(0), m_.u_given.push_back(0);
    }
  }

  // A joint that closes a loop and whose coordinates are needed stays in the tree: it carries a
  // part of its child's mass, and that part is welded to the rest. Rigidly joined, the parts are
  // the body.

  void find_halves(const SpanningTree& tree, const std::vector<int>& child) {
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
      if (model_.bodies[static_cast<size_t>(child[joint])].elastic) {
        physics_.error("elastic-half", model_.joints[joint].where,
                       "joint/" + model_.joints[joint].name,
                       fmt::format("it closes a loop, has forces of its own, and its child '{}' is "
                                   "elastic",
                                   model_.joints[joint].child),
                       "swap parent and child, or let another joint of the loop have the forces");
        continue;
      }
      halved_[joint] = 1;
      ++parts_[static_cast<size_t>(child[joint])];
    }
  }

  MassProperties part_of(int body) const {
    MassProperties part = mass_[static_cast<size_t>(body)];
    const double share = 1.0 / parts_[static_cast<size_t>(body)];
    part.mass *= share;
    part.inertia = part.inertia * share;
    return part;
  }

  void add_half(int j, int parent, int child) {
    const JointSpec& joint = model_.joints[static_cast<size_t>(j)];
    const int whole = inside(child);
    const Pose<double> X_BC = user_frame(child);
    add_edge({j, parent, child, false});
    // the body keeps its first place; the new part is welded to it
    BodyInfo& body = m_.bodies[static_cast<size_t>(child)];
    Closure weld = named(joint.name, "joint/", joint.where);
    weld.a = m_.nb - 1, weld.X_A = body.X_BC;
    weld.b = whole, weld.X_B = X_BC;
    JointSpec fixed;
    fixed.type = JointType::fixed;
    add_closure(std::move(weld), rows_of(fixed));
    m_.joints.back().child = m_.nb - 1;
    inside_[static_cast<size_t>(child)] = body.body = whole;
    body.X_BC = X_BC;
  }

  static Closure named(const std::string& name, const char* kind, const Place& where) {
    Closure closure;
    closure.name = name;
    closure.element = kind + name;
    closure.where = where;
    return closure;
  }

  void add_closure(Closure closure, std::vector<ClosureRow> rows) {
    closure.row0 = static_cast<int>(m_.closure_rows.size());
    closure.rows = static_cast<int>(rows.size());
    for (ClosureRow& row : rows) {
      row.closure = static_cast<int>(m_.closures.size());
      m_.closure_rows.push_back(row);
    }
    if (!rows.empty()) m_.closures.push_back(std::move(closure));
  }

  void close_loops() {
    for (size_t j = 0; j < model_.joints.size(); ++j) {
      if (joint_info_[j] < 0) continue;
      const JointInfo& info = m_.joints[static_cast<size_t>(joint_info_[j])];
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

  void add_constraints() {
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

  bool couple(const ConstraintSpec& c, Closure& closure, ClosureRow& row) {
    const std::string path = "constraint/" + c.name + "/joints";
    double at_start = 0;
    for (size_t i = 0; i < c.joints.size(); ++i) {
      const int q = coordinate(c.joints[i], path);
      if (q < 0) return false;
      const int body = m_.body_of_coordinate(q), b = body;
      const int u = m_.u0[static_cast<size_t>(b)] + q - m_.q0[static_cast<size_t>(b)];
      closure.of.push_back({q, u, body, c.coefficients[i]});
      at_start += c.coefficients[i] * m_.start.q[static_cast<size_t>(q)];
    }
    row.offset = c.offset.value_or(at_start);
    return true;
  }

  /// The coordinate that a coupling names; −1, with a fault, where there is none with q̇ = u.
  int coordinate(const CoordinateName& wanted, const std::string& path) {
    std::vector<std::string> known;
    for (size_t j = 0; j < model_.joints.size(); ++j) {
      if (joint_info_[j] < 0 || !has_plain_coordinates(model_.joints[j].type)) continue;
      const JointInfo& info = m_.joints[static_cast<size_t>(joint_info_[j])];
      for (int k = 0; k < info.nq; ++k) {
        known.push_back(info.nq == 1 ? info.name : fmt::format("{}.q{}", info.name, k + 1));
        if (known.back() == wanted.name) return info.q0 + k;
      }
    }
    faults_.error("unknown-coordinate", wanted.where, path,
                  fmt::format("'{}' is no coordinate that turns or slides", wanted.name),
                  did_you_mean(wanted.name, known));
    return -1;
  }

  void add_edge(const TreeEdge& edge) {
    JointSpec unwritten;
    if (edge.joint < 0) {
      const BodySpec& body = model_.bodies[static_cast<size_t>(edge.outer)];
      unwritten.type = JointType::free;
      unwritten.name = body.name + "_free";
      unwritten.child = body.name;
    }
    const JointSpec& joint =
        edge.joint < 0 ? unwritten : model_.joints[static_cast<size_t>(edge.joint)];
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
    for (int b = info.first_body; b <= info.body && joint.small; ++b)
      m_.small[static_cast<size_t>(b)] = 1;
    info.parent = edge.reversed ? info.body : inner.body;
    info.child = edge.reversed ? inner.body : info.body;
    set_start(joint, info);
    if (edge.joint >= 0)
      joint_info_[static_cast<size_t>(edge.joint)] = static_cast<int>(m_.joints.size());
    m_.joints.push_back(info);
    m_.q_given.push_back(joint.q.has_value()), m_.u_given.push_back(joint.u.has_value());
    if (model_.bodies[static_cast<size_t>(edge.outer)].elastic)
      add_elastic(edge.outer, (edge.reversed ? joint.on_parent : joint.on_child).at, joint.where,
                  "joint/" + joint.name);
  }

  bool can_reverse(const JointSpec& joint) {
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

  /// A body inside: its joint frame on the parent, in the parent's B.
  void add_body(int parent, const Pose<double>& X_PF, JointKind kind,
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
    m_.numbers.armature.resize(static_cast<size_t>(m_.nu), 0);
  }

  void place_user_frame(int outer, const Pose<double>& X_CB) {
    inside_[static_cast<size_t>(outer)] = m_.nb;
    m_.bodies[static_cast<size_t>(outer)].body = m_.nb;
    m_.bodies[static_cast<size_t>(outer)].X_BC = inverse(X_CB);
  }

  void add_single(const TreeEdge& edge, const JointSpec& joint, const Mount& inner,
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

  /// Turns and slides one after the other, with massless dummies between them.
  void add_sequence(const TreeEdge& edge, const JointSpec& joint, const Mount& inner,
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

  void set_start(const JointSpec& joint, const JointInfo& info) {
    std::vector<double> q(static_cast<size_t>(info.nq)), u(static_cast<size_t>(info.nu), 0.0);
    for (int b = info.first_body; b <= info.body; ++b)
      zero_configuration(m_.kind[static_cast<size_t>(b)],
                         q.data() + (m_.q0[static_cast<size_t>(b)] - info.q0));
    if (joint.q) fill(joint, "q", *joint.q, q);
    if (joint.u) fill(joint, "u", *joint.u, u);
    m_.start.q.insert(m_.start.q.end(), q.begin(), q.end());
    m_.start.u.insert(m_.start.u.end(), u.begin(), u.end());
  }

  void fill(const JointSpec& joint, const char* key, const std::vector<double>& from,
            std::vector<double>& to) {
    if (from.size() == to.size())
      to = from;
    else
      faults_.error("wrong-length", joint.where, fmt::format("joint/{}/{}", joint.name, key),
                    fmt::format("{} numbers are given, a {} joint has {}", from.size(),
                                to_text(joint.type), to.size()));
  }

  void set_wishes(const JointSpec& joint, JointKind kind, Closure& closure) {
    std::vector<double> q(static_cast<size_t>(joint_nq(kind))),
        u(static_cast<size_t>(joint_nu(kind)));
    if (joint.q) fill(joint, "q", *joint.q, q), closure.q_wish = q;
    if (joint.u) fill(joint, "u", *joint.u, u), closure.u_wish = u;
  }

  void describe_cuts() {
    for (size_t j = 0; j < model_.joints.size(); ++j) {
      if (joint_info_[j] < 0) continue;
      JointInfo& info = m_.joints[static_cast<size_t>(joint_info_[j])];
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

  // ── forces on joints ──

  /// One value for every freedom, or one for all.
  template <class F>
  void per_freedom(const JointSpec& joint, const char* key, const std::vector<double>& values,
                   int count, F&& use) {
    if (values.size() != 1 && static_cast<int>(values.size()) != count) {
      faults_.error("wrong-length", joint.where, fmt::format("joint/{}/{}", joint.name, key),
                    fmt::format("{} values are given for {} freedoms", values.size(), count),
                    "one value, or one per freedom");
      return;
    }
    for (int i = 0; i < count; ++i)
      use(i, values.size() == 1 ? values[0] : values[static_cast<size_t>(i)]);
  }

  bool needs_plain(const JointSpec& joint, const char* key) {
    if (has_plain_coordinates(joint.type)) return true;
    faults_.error("wrong-joint", joint.where, fmt::format("joint/{}/{}", joint.name, key),
                  fmt::format("a {} joint has no coordinates with q̇ = u that this could act on",
                              to_text(joint.type)),
                  "use a bushing or a force on the body, or a joint of type sequence");
    return false;
  }

  bool needs_single(const JointSpec& joint, const char* key, const JointInfo& info) {
    if (info.nu == 1 && has_plain_coordinates(joint.type)) return true;
    faults_.error("wrong-joint", joint.where, fmt::format("joint/{}/{}", joint.name, key),
                  fmt::format("it needs a joint with one freedom; a {} joint has {}",
                              to_text(joint.type), info.nu));
    return false;
  }

  void add_joint_forces() {
    for (size_t j = 0; j < model_.joints.size(); ++j) {
      const JointSpec& joint = model_.joints[j];
      if (joint_info_[j] < 0) continue;
      JointInfo& info = m_.joints[static_cast<size_t>(joint_info_[j])];
      if (info.cut) continue;  // it has no forces: needed_coordinates() keeps those in the tree
      if (joint.spring) add_joint_spring(joint, info);
      if (!joint.damper.empty())
        per_freedom(joint, "damper", joint.damper, info.nu, [&](int i, double d) {
          m_.numbers.forces.dampers.push_back({info.u0 + i, d});
        });
      if (joint.limits) add_limits(joint, info);
      if (joint.friction) add_friction(joint, info);
      if (joint.armature > 0)
        for (int i = 0; i < info.nu; ++i)
          m_.numbers.armature[static_cast<size_t>(info.u0 + i)] += joint.armature;
      add_drives(joint, info);
      if (!joint.motion.empty()) add_motion(joint, info);
    }
  }

  void add_joint_spring(const JointSpec& joint, const JointInfo& info) {
    const JointSpringSpec& s = *joint.spring;
    const auto entry = [](const std::vector<double>& list, int i) {
      return list.empty() ? 0.0 : list.size() == 1 ? list[0] : list[static_cast<size_t>(i)];
    };
    if (joint.type == JointType::spherical) {
      if (s.k.size() != 1 || !s.rest.empty() || !s.preload.empty())
        faults_.error("wrong-spring", joint.where, "joint/" + joint.name + "/spring",
                      "the spring of a spherical joint has one stiffness and rests at zero angle",
                      "use a bushing for different stiffnesses");
      else
        m_.numbers.forces.spherical_springs.push_back({info.q0, info.u0, s.k[0]});
      return;
    }
    if (!needs_plain(joint, "spring")) return;
    for (const auto* list : {&s.rest, &s.preload})
      if (list->size() > 1 && static_cast<int>(list->size()) != info.nu)
        faults_.error("wrong-length", joint.where, "joint/" + joint.name + "/spring",
                      fmt::format("{} values are given for {} freedoms", list->size(), info.nu));
    if (faults_.has_errors()) return;
    per_freedom(joint, "spring/k", s.k, info.nu, [&](int i, double k) {
      m_.numbers.forces.joint_springs.push_back(
          {info.q0 + i, info.u0 + i, k, entry(s.rest, i), entry(s.preload, i)});
    });
  }

  void add_limits(const JointSpec& joint, const JointInfo& info) {
    if (!needs_single(joint, "limits", info)) return;
    const JointLimitSpec& l = *joint.limits;
    double k = l.stiffness;
    if (k <= 0) {
      const bool slides = joint.type == JointType::prismatic;
      k = slides ? default_slide_stop : default_turn_stop;
      physics_.note(
          "limit-stiffness", joint.where, "joint/" + joint.name + "/limits",
          fmt::format("no stiffness is given, the stops have {} {}", k, slides ? "N/m" : "N.m/rad"),
          "set limit_stiffness");
    }
    m_.numbers.forces.limits.push_back({info.q0, info.u0, l.low, l.high, k, l.damping});
  }

  void add_friction(const JointSpec& joint, const JointInfo& info) {
    if (!needs_single(joint, "friction", info)) return;
    const JointFrictionSpec& f = *joint.friction;
    const double lever = joint.type == JointType::prismatic ? 1 : f.radius;
    if (f.coefficient > 0 && lever <= 0) {
      faults_.error("no-radius", joint.where, "joint/" + joint.name + "/friction",
                    "a coefficient without the radius at which the reaction rubs",
                    "set radius, or give the friction torque as force");
      return;
    }
    m_.numbers.forces.frictions.push_back(
        {info.body, info.u0, f.force, f.coefficient * lever, f.speed});
  }

  void add_drives(const JointSpec& joint, const JointInfo& info) {
    const std::string path = "joint/" + joint.name;
    if (!joint.force.empty()) {
      if (static_cast<int>(joint.force.size()) != info.nu)
        faults_.error(
            "wrong-length", joint.where, path + "/force",
            fmt::format("{} formulas are given for {} freedoms", joint.force.size(), info.nu));
      for (size_t i = 0; i < joint.force.size() && !faults_.has_errors(); ++i)
        m_.numbers.forces.sources.push_back(
            {info.u0 + static_cast<int>(i),
             binder_.add(joint.force[i], path + "/force", Reach::motion)});
    }
    if (joint.servo && needs_single(joint, "servo", info)) {
      const ServoSpec& s = *joint.servo;
      m_.numbers.forces.servos.push_back(
          {info.q0, info.u0, binder_.add(s.reference, path + "/servo/reference", Reach::motion),
           s.kp, s.kd, s.max_force.value_or(1e300)});
    }
    if (joint.motor && needs_single(joint, "motor", info)) {
      const MotorSpec& s = *joint.motor;
      const int state = s.inductance > 0 ? m_.ns++ : -1;
      if (state >= 0) m_.start_state.push_back(0);
      m_.numbers.forces.motors.push_back(
          {info.u0, binder_.add(s.voltage, path + "/motor/voltage", Reach::motion), state,
           s.resistance, s.inductance, s.torque_constant, s.back_emf, s.gear, s.efficiency});
      m_.numbers.armature[static_cast<size_t>(info.u0)] += s.rotor_inertia * s.gear * s.gear;
    }
  }

  void add_motion(const JointSpec& joint, JointInfo& info) {
    if (!needs_plain(joint, "motion")) return;
    if (static_cast<int>(joint.motion.size()) != info.nu) {
      faults_.error(
          "wrong-length", joint.where, "joint/" + joint.name + "/motion",
          fmt::format("{} formulas are given for {} freedoms", joint.motion.size(), info.nu));
      return;
    }
    info.prescribed = true;
    for (int b = info.first_body; b <= info.body; ++b) m_.prescribed[static_cast<size_t>(b)] = 1;
    for (int i = 0; i < info.nu; ++i) {
      int body = info.first_body;
      while (m_.u0[static_cast<size_t>(body) + 1] <= info.u0 + i) ++body;
      m_.motions.push_back({body, info.q0 + i, info.u0 + i,
                            binder_.add(joint.motion[static_cast<size_t>(i)],
                                        "joint/" + joint.name + "/motion", Reach::time)});
    }
    if (joint.q || joint.u)
      physics_.note("motion-wins", joint.where, "joint/" + joint.name,
                    "q and u are prescribed by its motion; the given start is not used");
  }

  // ── forces between bodies, sensors, events ──

  void add_forces() {
    ForceSet<double>& forces = m_.numbers.forces;
    for (const SpringSpec& s : model_.springs) {
      m_.spring_names.push_back(s.name);
      const Mount from = mount(s.from, "spring/" + s.name), to = mount(s.to, "spring/" + s.name);
      forces.point_springs.push_back(
          {from.body, to.body, from.X.p, to.X.p, s.k, s.length, s.damping, s.preload});
    }
    for (const BushingSpec& s : model_.bushings) {
      const std::string element = "bushing/" + s.name;
      const Mount a = mount(body_index_.at(s.from), s.on_from.pose(), s.where, element);
      const Mount b = mount(body_index_.at(s.to), s.on_to.pose(), s.where, element);
      m_.bushing_names.push_back(s.name);
      forces.bushings.push_back(
          {a.body, b.body, a.X, b.X, s.k, s.damping, s.angular_k, s.angular_damping});
    }
    for (const ForceSpec& s : model_.forces) {
      AppliedForce<double> f;
      const Mount at = mount(s.at, "force/" + s.name);
      f.body = at.body;
      f.body_axes = s.body_axes;
      f.at = at.X.p;
      f.R_BC = user_frame(body_index_.at(s.at.body)).R;
      for (size_t i = 0; i < 3; ++i) {
        f.force[i] = add_component(s.force[i], "force/" + s.name + "/force");
        f.moment[i] = add_component(s.moment[i], "force/" + s.name + "/moment");
      }
      forces.applied.push_back(f);
    }
  }

  /// −1 for a component that is always zero.
  int add_component(const Formula& formula, const std::string& element) {
    const Expression& e = formula.expression;
    if (e.is_constant() && e.evaluate<double>({}) == 0) return -1;
    return binder_.add(formula, element, Reach::motion);
  }

  void add_sensors() {
    for (const SensorSpec& s : model_.sensors) {
      if (s.point && (s.section || s.stress)) {
        add_deformation_sensor(s);
      } else if (s.point) {
        const Mount at = mount(*s.point, "sensor/" + s.name);
        m_.point_sensors.push_back({s.name, at.body, at.X.p, at.X.R * rotation(s.rotation)});
      } else if (s.value) {
        m_.formula_sensors.push_back(
            {s.name, s.unit.empty() ? "1" : s.unit,
             binder_.add(*s.value, "sensor/" + s.name + "/value", Reach::accelerations)});
      }
    }
  }

  void add_deformation_sensor(const SensorSpec& s) {
    const int body = body_index_.at(s.point->body);
    const std::string element = "sensor/" + s.name;
    const auto refuse = [&](const std::string& why, const std::string& hint) {
      physics_.error(s.stress ? "no-stress" : "no-section", s.point->where, element, why, hint);
    };
    const auto found = elastic_.find(body);
    if (found == elastic_.end()) {
      refuse(fmt::format("'{}' is rigid: no {} follow from its deformation", s.point->body,
                         s.stress ? "stresses" : "forces in a section"),
             "joint reactions are recorded with reactions = true");
      return;
    }
    const ElasticPart& part = found->second;
    const Vec3 at = carrier_of(body, part, s.point->at, s.point->where, element);
    auto rows = s.stress ? part.shape->stresses(s.point->at) : part.shape->section_forces(at);
    if (rows.empty() && s.stress && part.shape->section_forces(at).empty())
      refuse(fmt::format("({:.6g}, {:.6g}, {:.6g}) m is not in the mesh of '{}'", s.point->at.x,
                         s.point->at.y, s.point->at.z, s.point->body),
             "a point of the material");
    else if (rows.empty())
      refuse(fmt::format("'{}' is a {}", s.point->body,
                         s.stress ? "beam, whose stresses follow from the forces in its sections"
                                  : "solid, which has no sections"),
             s.stress ? "section = true" : "stress = true");
    m_.deformation_sensors.push_back({s.name, part.entry, s.stress, std::move(rows)});
  }

  void add_events() {
    for (const EventSpec& e : model_.events)
      m_.events.push_back({e.name,
                           binder_.add(e.when, "event/" + e.name + "/when", Reach::accelerations),
                           e.direction, e.stop});
  }

  /// Which formulas the forces read in every evaluation.
  void list_formulas() {
    const ForceSet<double>& forces = m_.numbers.forces;
    const auto use = [&](int f) {
      if (f >= 0) m_.force_formulas.push_back(f);
    };
    for (const auto& f : forces.sources) use(f.formula);
    for (const auto& f : forces.servos) use(f.formula), m_.reference_formulas.push_back(f.formula);
    for (const auto& f : forces.motors) use(f.formula);
    for (const JointInfo& j : m_.joints) use(j.active);
    for (const auto& f : forces.applied)
      for (const auto* list : {&f.force, &f.moment})
        for (const int i : *list) use(i);
  }
};

}  // namespace

Mechanism compile(const Model& model, const char* headers) {
  check_version(headers);
  return Compiler(model).run();
}

}  // namespace sarrus
