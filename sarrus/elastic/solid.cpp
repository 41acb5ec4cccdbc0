#include "sarrus/elastic/solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sarrus/core/index.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/elastic/gram.hpp"
#include "sarrus/elastic/solid_field.hpp"
#include "sarrus/elastic/solid_reduction.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"
#include "sarrus/numerics/sparse/sparse_ldlt.hpp"

namespace sarrus {
namespace {

constexpr double in_line = 1e-6;  // breadth of a patch against its length, below which it is a line
constexpr double touching = 1e-6;       // of the body's extent: how far beside a patch of no size
constexpr double rest_on_patch = 0.01;  // share of other nodes, below which a point is on a patch

template <class V>
Vec3 vector(const V& v) {
  return {v[0], v[1], v[2]};
}

/// Whether the nodes of a patch fix its rotation.
bool holds_rotation(const SolidMesh& mesh, const Patch& p) {
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const int i : p.nodes) {
    const Vec3 r = mesh.nodes[at(i)] - p.centre;
    const Eigen::Vector3d v(r.x, r.y, r.z);
    spread += v * v.transpose();
  }
  const Eigen::Vector3d s = symmetric_eigenvalues(spread);
  return p.nodes.size() >= 3 && s[1] > in_line * in_line * s[2];
}

std::vector<std::string> group_names(const SolidMesh& mesh) {
  std::vector<std::string> names;
  for (const NodeGroup& g : mesh.groups) names.push_back(g.name);
  return names;
}

void check_interfaces(const SolidSpec& spec, std::vector<SolidProblem>& found) {
  const SolidMesh& mesh = *spec.mesh;
  if (spec.interfaces.empty()) {
    found.push_back({"interfaces", "no-interface",
                     "a solid needs at least one interface, by which "
                     "it hangs on its inboard joint",
                     mesh.groups.empty() ? "give the mesh physical groups, and name them here"
                                         : fmt::format("the mesh has the groups {}",
                                                       fmt::join(group_names(mesh), ", "))});
    return;
  }
  std::map<int, std::string> owner;
  for (size_t i = 0; i < spec.interfaces.size(); ++i) {
    const SolidInterface& f = spec.interfaces[i];
    const std::string key = fmt::format("interfaces[{}]", i + 1);
    for (size_t j = 0; j < i; ++j)
      if (spec.interfaces[j].name == f.name)
        found.push_back(
            {key, "doubled-name", fmt::format("two interfaces are called '{}'", f.name), ""});
    const NodeGroup* group = mesh.find(f.group);
    if (!group) {
      found.push_back({key, "unknown-group", fmt::format("the mesh has no group '{}'", f.group),
                       mesh.groups.empty() ? "it has no physical groups at all"
                                           : did_you_mean(f.group, group_names(mesh))});
      continue;
    }
    if (group->nodes.empty() || !holds_rotation(mesh, make_patch(mesh, group->nodes)))
      found.push_back({key, "thin-interface",
                       fmt::format("the group '{}' has {} nodes of the body, which do not fix a "
                                   "rotation",
                                   f.group, group->nodes.size()),
                       "at least three nodes that are not in line"});
    for (const int node : group->nodes)
      if (const auto [known, is_new] = owner.emplace(node, f.name); !is_new) {
        found.push_back({key, "shared-node",
                         fmt::format("node {} belongs to '{}' and to '{}'", mesh.tags[at(node)],
                                     known->second, f.name),
                         "interfaces must not touch"});
        break;
      }
  }
}

/// Nodes of no interface.
int free_nodes(const SolidSpec& spec) {
  size_t held = 0;
  for (const SolidInterface& f : spec.interfaces)
    if (const NodeGroup* group = spec.mesh->find(f.group)) held += group->nodes.size();
  return static_cast<int>(spec.mesh->nodes.size() - held);
}

void check_counts(const SolidSpec& spec, std::vector<SolidProblem>& found) {
  const auto others = 6 * (spec.interfaces.size() - 1);
  const size_t inner = 3 * at(free_nodes(spec));
  const int n = coordinate_count(spec);
  if (spec.reduction == SolidReduction::nodes) {
    if (n > most_nodal)
      found.push_back(
          {"reduction", "too-many-coordinates",
           fmt::format("all nodes kept are {} coordinates; the limit is {}", n, most_nodal),
           "reduction = \"craig_bampton\", or a coarser mesh"});
  }
  const bool all_free = spec.reduction == SolidReduction::modes;
  const size_t available = inner + (all_free ? others : 0);
  if (spec.reduction != SolidReduction::nodes &&
      (spec.modes < 0 || static_cast<size_t>(spec.modes) > available))
    found.push_back(
        {"modes", "too-many-modes",
         fmt::format("{} modes are asked of a mesh with {} coordinates", spec.modes, available),
         "fewer modes, or a finer mesh"});
  if (n == 0)
    found.push_back({"modes", "no-modes", "without modes and with one interface nothing deforms",
                     "modes above 0, or a rigid body"});
  if (spec.form == 'X' && n > most_extended)
    found.push_back({"form", "too-many-modes",
                     fmt::format("form X with {} coordinates ({}); the limit is {}", n,
                                 spec.reduction == SolidReduction::nodes
                                     ? "3 for each free node, 6 for each interface but the "
                                       "clamped one"
                                     : fmt::format("{} modes and 6 for each interface but the "
                                                   "clamped one",
                                                   spec.modes),
                                 most_extended),
                     "fewer modes, or form = \"I\""});
}

/// The carrier of a point: the nearest of the patches that it lies on.
int patch_at(const std::vector<Patch>& patches, const Vec3& point, double beside) {
  int best = -1;
  double nearest = 0;
  for (size_t i = 0; i < patches.size(); ++i) {
    const double distance = norm(point - patches[i].centre);
    if (!(distance <= std::max(patches[i].radius, beside))) continue;
    if (best >= 0 && distance >= nearest) continue;
    best = static_cast<int>(i), nearest = distance;
  }
  return best;
}

}  // namespace

std::vector<SolidProblem> solid_problems(const SolidSpec& spec) {
  if (!spec.mesh) return {{"file", "empty-mesh", "there is no mesh", "name a .msh file"}};
  std::vector<SolidProblem> found = mesh_problems(*spec.mesh);
  if (spec.mesh->elements.empty()) return found;
  const size_t before = found.size();
  check_interfaces(spec, found);
  if (found.size() == before) check_counts(spec, found);
  return found;
}

int coordinate_count(const SolidSpec& spec) {
  if (spec.reduction == SolidReduction::modes) return spec.modes;
  const int patches = 6 * (static_cast<int>(spec.interfaces.size()) - 1);
  if (spec.reduction == SolidReduction::craig_bampton) return spec.modes + patches;
  return 3 * free_nodes(spec) + patches;
}

// ── the body ────────────────────────────────────────────────────────────────────────────────────

struct ElasticSolid::Parts {
  SolidSpec spec;
  std::vector<Patch> patches;
  int clamped = 0;
  double extent = 0;
  ElasticBody body;
  Eigen::MatrixXd Phi, G;            // displacements of all nodes: per coordinate, per pair of them
  std::vector<ElasticPlace> places;  // per patch
  std::vector<double> frequencies;

  void build();
  void name_coordinates(const SolidSystem& s, const SolidBasis& basis);
  /// What carries a point: a patch by its number, or a point of the mesh; nothing where neither.
  struct Carrier {
    int patch = -1;
    std::optional<MeshPoint> point;
  };
  Carrier carrier(const Vec3& point) const;
  ElasticPlace place_inside(const MeshPoint& point) const;
  std::vector<SecondOrder> second_order_at(const Eigen::Matrix3Xd& g) const;
  Eigen::MatrixXd second_order(const SolidSystem& s, const SolidBasis& basis,
                               Eigen::MatrixXd& z) const;
  Eigen::MatrixXd gram(const SolidSystem& s) const;
  void place_patches(const SolidSystem& s, const SolidBasis& basis, const Eigen::MatrixXd& z);
};

/// (4) for all pairs: nodal displacements, and in `z` the same by coordinates. A patch that turns
/// by θ takes its nodes along to second order too, ½ θ × (θ × r): that is given, the rest follows.
Eigen::MatrixXd ElasticSolid::Parts::second_order(const SolidSystem& s, const SolidBasis& basis,
                                                  Eigen::MatrixXd& z) const {
  const GramLayout layout{static_cast<int>(Phi.cols())};
  Eigen::MatrixXd given = Eigen::MatrixXd::Zero(Phi.rows(), layout.pairs());
  for (size_t p = 0; p < patches.size(); ++p) {
    if (s.z.first[p] < 0) continue;
    const auto theta = [&](int k) {
      const auto t = basis.z.col(k).segment<3>(s.z.first[p] + 3);
      return Vec3{t[0], t[1], t[2]};
    };
    for (const int i : patches[p].nodes) {
      const Vec3 r = spec.mesh->nodes[at(i)] - patches[p].centre;
      for (int k = 0; k < layout.n; ++k)
        for (int l = k; l < layout.n; ++l) {
          const Vec3 g =
              (cross(theta(k), cross(theta(l), r)) + cross(theta(l), cross(theta(k), r))) * 0.5;
          for (int a = 0; a < 3; ++a) given(3 * i + a, layout.pair(k, l)) = g[a];
        }
    }
  }
  z = transposed_times(
      s.z.T, second_order_loads(*spec.mesh, spec.material, Phi) - times(s.stiffness, given));
  const SparseLdlt factor(s.K);
  factor.solve(z.data(), static_cast<int>(z.cols()));
  return times(s.z.T, z) + given;
}

/// Z = Fᵀ m_s F over the nodal values of all functions.
Eigen::MatrixXd ElasticSolid::Parts::gram(const SolidSystem& s) const {
  const GramLayout layout{static_cast<int>(Phi.cols())};
  const auto nodes = static_cast<Eigen::Index>(spec.mesh->nodes.size());
  Eigen::MatrixXd F(nodes, layout.size());
  const Vec3 origin = patches[at(clamped)].centre;
  for (Eigen::Index i = 0; i < nodes; ++i) {
    const Vec3 x = spec.mesh->nodes[i] - origin;
    F(i, 0) = 1;
    for (int a = 0; a < 3; ++a) {
      F(i, 1 + a) = x[a];
      for (int k = 0; k < layout.n; ++k) F(i, layout.phi(k) + a) = Phi(3 * i + a, k);
      for (int j = 0; j < layout.pairs(); ++j)
        F(i, layout.first_order() + 3 * j + a) = G.size() ? G(3 * i + a, j) : 0;
    }
  }
  if (spec.form == 'X') return F.transpose() * times(s.scalar_mass, F);
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(layout.size(), layout.size());
  Z.leftCols(layout.first_order()) =
      F.transpose() * times(s.scalar_mass, F.leftCols(layout.first_order()));
  return Z;
}

/// From the displacements of second order of one place, a column per pair.
std::vector<SecondOrder> ElasticSolid::Parts::second_order_at(const Eigen::Matrix3Xd& g) const {
  const GramLayout layout{body.n};
  std::vector<SecondOrder> out;
  for (int a = 0; a < 3 && g.cols() > 0; ++a) {
    SecondOrder s{{a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0},
                  std::vector<double>(body.K.size(), 0)};
    for (int k = 0; k < body.n; ++k)
      for (int l = k; l < body.n; ++l)
        s.g[at(k * body.n + l)] = s.g[at(l * body.n + k)] = g(a, layout.pair(k, l));
    out.push_back(std::move(s));
  }
  return out;
}

void ElasticSolid::Parts::place_patches(const SolidSystem& s, const SolidBasis& basis,
                                        const Eigen::MatrixXd& z) {
  for (size_t p = 0; p < patches.size(); ++p) {
    ElasticPlace place;
    place.x = patches[p].centre - patches[at(clamped)].centre;
    const int first = s.z.first[p];
    place.phi.resize(at(body.n)), place.psi.resize(at(body.n));
    if (first >= 0) {
      for (int k = 0; k < body.n; ++k) {
        place.phi[at(k)] = vector(basis.z.col(k).segment<3>(first));
        place.psi[at(k)] = vector(basis.z.col(k).segment<3>(first + 3));
      }
      if (z.size() > 0) place.second = second_order_at(z.middleRows<3>(first));
    }
    places.push_back(std::move(place));
  }
}

ElasticPlace ElasticSolid::Parts::place_inside(const MeshPoint& point) const {
  ElasticPlace place;
  place.x = point.x - patches[at(clamped)].centre;
  const Eigen::Matrix3Xd phi = displacement_at(*spec.mesh, point, Phi);
  const Eigen::Matrix3Xd psi = rotations(gradient_at(*spec.mesh, spec.material, point, Phi));
  for (int k = 0; k < body.n; ++k) {
    place.phi.push_back(vector(phi.col(k)));
    place.psi.push_back(vector(psi.col(k)));
  }
  if (G.size() > 0) place.second = second_order_at(displacement_at(*spec.mesh, point, G));
  return place;
}

ElasticSolid::Parts::Carrier ElasticSolid::Parts::carrier(const Vec3& point) const {
  const double beside = touching * extent;
  for (size_t p = 0; p < patches.size(); ++p)
    if (norm(point - patches[p].centre) <= beside) return {static_cast<int>(p), {}};
  std::optional<MeshPoint> found = locate(*spec.mesh, point);
  // in a hole or beside the body a patch carries; in the body only where the point is on it
  if (!found || found->beside > beside)
    if (const int p = patch_at(patches, point, beside); p >= 0) return {p, {}};
  if (!found) return {};
  const SolidElement& e = spec.mesh->elements[at(found->element)];
  for (size_t p = 0; p < patches.size(); ++p) {
    double rest = 1;
    for (size_t i = 0; i < found->h.size(); ++i)
      if (std::binary_search(patches[p].nodes.begin(), patches[p].nodes.end(), e.node[i]))
        rest -= found->h[i];
    if (std::fabs(rest) <= rest_on_patch) return {static_cast<int>(p), {}};
  }
  return {-1, std::move(found)};
}

void ElasticSolid::Parts::name_coordinates(const SolidSystem& s, const SolidBasis& basis) {
  if (spec.reduction != SolidReduction::nodes) {
    for (int k = 0; k < body.n; ++k) {
      frequencies.push_back(std::sqrt(basis.square[at(k)]));
      body.says.push_back(
          fmt::format("mode {} ({:.6g} Hz)", k + 1, frequencies.back() / (2 * std::numbers::pi)));
    }
    return;
  }
  body.says.resize(at(body.n)), body.angle.resize(at(body.n));
  for (size_t i = 0; i < s.z.node_of.size(); ++i)
    for (int a = 0; a < 3; ++a)
      body.says[3 * i + at(a)] =
          fmt::format("node {} {}", spec.mesh->tags[at(s.z.node_of[i])], "xyz"[a]);
  for (size_t p = 0; p < patches.size(); ++p)
    for (int a = 0; a < 6 && s.z.first[p] >= 0; ++a) {
      body.says[at(s.z.first[p] + a)] = fmt::format("{} of {} {}", a < 3 ? "displacement" : "slope",
                                                    spec.interfaces[p].name, "xyz"[a % 3]);
      body.angle[at(s.z.first[p] + a)] = a >= 3;
    }
}

void ElasticSolid::Parts::build() {
  const SolidSystem system = solid_system(spec, patches, clamped);
  const SolidBasis basis = solid_basis(spec, system);
  Phi = times(system.z.T, basis.z);
  body.n = static_cast<int>(Phi.cols());
  body.span = extent;
  body.K.assign(basis.K.data(), basis.K.data() + basis.K.size());
  name_coordinates(system, basis);
  Eigen::MatrixXd z;
  if (spec.stiffening) G = second_order(system, basis, z);
  const Eigen::MatrixXd Z = gram(system);
  body.samples = spec.form == 'X' ? samples_of_gram(Z, body.n) : samples_to_second_order(Z, body.n);
  if (spec.form == 'I') {
    body.form = ElasticForm::invariants;
    find_invariants(body);
  }
  if (frequencies.empty()) frequencies = elastic_frequencies(body);
  add_damping(body, spec.damping);
  place_patches(system, basis, z);
}

ElasticSolid::ElasticSolid(const SolidSpec& spec, const Vec3& inboard)
    : parts_(std::make_unique<Parts>()) {
  parts_->spec = spec;
  parts_->extent = extent(*spec.mesh);
  for (const SolidInterface& f : spec.interfaces)
    parts_->patches.push_back(make_patch(*spec.mesh, spec.mesh->find(f.group)->nodes));
  parts_->clamped = patch_at(parts_->patches, inboard, touching * parts_->extent);
  if (parts_->clamped < 0)
    throw ElasticFault(
        "no-interface-there",
        fmt::format("its inboard joint sits at ({:.6g}, {:.6g}, {:.6g}) m, on none of its "
                    "interfaces",
                    inboard.x, inboard.y, inboard.z),
        fmt::format("a solid hangs on an interface, which is rigid: {}", interface_list()));
  parts_->build();
}

ElasticSolid::~ElasticSolid() = default;

ElasticBody ElasticSolid::body() const { return parts_->body; }
Vec3 ElasticSolid::clamp() const { return parts_->patches[at(parts_->clamped)].centre; }
const std::vector<double>& ElasticSolid::frequencies() const { return parts_->frequencies; }

std::optional<Vec3> ElasticSolid::carrier(const Vec3& point) const {
  const Parts::Carrier found = parts_->carrier(point);
  if (found.patch >= 0) return parts_->patches[at(found.patch)].centre;
  if (found.point) return found.point->x;
  return {};
}

ElasticPlace ElasticSolid::place(const Vec3& point) const {
  const Parts::Carrier found = parts_->carrier(point);
  if (found.point) return parts_->place_inside(*found.point);
  return parts_->places[at(std::max(0, found.patch))];
}

std::vector<std::array<double, 6>> ElasticSolid::stresses(const Vec3& point) const {
  const SolidSpec& spec = parts_->spec;
  const std::optional<MeshPoint> found = locate(*spec.mesh, point);
  if (!found) return {};
  const auto H = gradient_at(*spec.mesh, spec.material, *found, parts_->Phi);
  const Matrix6 D = elasticity(spec.material);
  std::vector<std::array<double, 6>> rows(at(parts_->body.n));
  for (int k = 0; k < parts_->body.n; ++k)
    Eigen::Map<Eigen::Matrix<double, 6, 1>>(rows[at(k)].data()) =
        D * strains(GradientMatrix(H.col(k)));
  return rows;
}

std::string ElasticSolid::interface_list() const {
  std::string text;
  for (size_t i = 0; i < parts_->patches.size(); ++i) {
    const Patch& p = parts_->patches[i];
    text +=
        fmt::format("{}'{}' within {:.4g} m of ({:.4g}, {:.4g}, {:.4g}) m",
                    i == 0                            ? ""
                    : i + 1 == parts_->patches.size() ? " or "
                                                      : ", ",
                    parts_->spec.interfaces[i].name, p.radius, p.centre.x, p.centre.y, p.centre.z);
  }
  return text;
}

std::string ElasticSolid::carriers() const {
  return "things sit in its mesh, or on an interface: " + interface_list();
}

}  // namespace sarrus
