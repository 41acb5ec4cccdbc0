#include "sarrus/elastic/solid.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sarrus/core/near_match.hpp"
#include "sarrus/elastic/gram.hpp"
#include "sarrus/elastic/solid_reduction.hpp"
#include "sarrus/numerics/sparse_ldlt.hpp"

namespace sarrus {
namespace {

constexpr int most_extended =
    24;                           // coordinates of form X, whose cost grows with their fourth power
constexpr double in_line = 1e-6;  // breadth of a patch against its length, below which it is a line
constexpr double touching = 1e-6;  // of the body's extent: how far beside a patch of no size

size_t at(int i) { return static_cast<size_t>(i); }

/// Whether the nodes of a patch fix its rotation.
bool holds_rotation(const SolidMesh& mesh, const Patch& p) {
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const int i : p.nodes) {
    const Vec3 r = mesh.nodes[at(i)] - p.centre;
    const Eigen::Vector3d v(r.x, r.y, r.z);
    spread += v * v.transpose();
  }
  const Eigen::Vector3d s = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvalues();
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

void check_counts(const SolidSpec& spec, std::vector<SolidProblem>& found) {
  size_t held = 0;
  for (const SolidInterface& f : spec.interfaces) held += spec.mesh->find(f.group)->nodes.size();
  const auto others = 6 * (spec.interfaces.size() - 1);
  const size_t inner = 3 * (spec.mesh->nodes.size() - held);
  const bool all_free = spec.reduction == SolidReduction::modes;
  const size_t available = inner + (all_free ? others : 0);
  if (spec.modes < 0 || static_cast<size_t>(spec.modes) > available)
    found.push_back(
        {"modes", "too-many-modes",
         fmt::format("{} modes are asked of a mesh with {} coordinates", spec.modes, available),
         "fewer modes, or a finer mesh"});
  const int n = coordinate_count(spec);
  if (n == 0)
    found.push_back({"modes", "no-modes", "without modes and with one interface nothing deforms",
                     "modes above 0, or a rigid body"});
  if (spec.form == 'X' && n > most_extended)
    found.push_back({"form", "too-many-modes",
                     fmt::format("form X with {} coordinates ({} modes and 6 for each interface "
                                 "but the clamped one); the limit is {}",
                                 n, spec.modes, most_extended),
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
  return spec.modes + 6 * (static_cast<int>(spec.interfaces.size()) - 1);
}

// ── the body ────────────────────────────────────────────────────────────────────────────────────

struct ElasticSolid::Parts {
  SolidSpec spec;
  std::vector<Patch> patches;
  int clamped = 0;
  double extent = 0;
  ElasticBody body;
  std::vector<ElasticPlace> places;  // per patch
  std::vector<double> frequencies;

  void build();
  Eigen::MatrixXd second_order(const SolidSystem& s, const SolidBasis& basis,
                               const Eigen::MatrixXd& Phi, Eigen::MatrixXd& z) const;
  Eigen::MatrixXd gram(const SolidSystem& s, const Eigen::MatrixXd& Phi,
                       const Eigen::MatrixXd& G) const;
  void place_patches(const SolidSystem& s, const SolidBasis& basis, const Eigen::MatrixXd& z);
};

/// (4) for all pairs: nodal displacements, and in `z` the same by coordinates. A patch that turns
/// by θ takes its nodes along to second order too, ½ θ × (θ × r): that is given, the rest follows.
Eigen::MatrixXd ElasticSolid::Parts::second_order(const SolidSystem& s, const SolidBasis& basis,
                                                  const Eigen::MatrixXd& Phi,
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
Eigen::MatrixXd ElasticSolid::Parts::gram(const SolidSystem& s, const Eigen::MatrixXd& Phi,
                                          const Eigen::MatrixXd& G) const {
  const GramLayout layout{static_cast<int>(Phi.cols())};
  const auto nodes = static_cast<Eigen::Index>(spec.mesh->nodes.size());
  Eigen::MatrixXd F(nodes, layout.size());
  const Vec3 origin = patches[at(clamped)].centre;
  for (Eigen::Index i = 0; i < nodes; ++i) {
    const Vec3 x = spec.mesh->nodes[static_cast<size_t>(i)] - origin;
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

void ElasticSolid::Parts::place_patches(const SolidSystem& s, const SolidBasis& basis,
                                        const Eigen::MatrixXd& z) {
  const GramLayout layout{body.n};
  const auto vector = [](const auto& v) { return Vec3{v[0], v[1], v[2]}; };
  for (size_t p = 0; p < patches.size(); ++p) {
    ElasticPlace place;
    place.x = patches[p].centre - patches[at(clamped)].centre;
    const int first = s.z.first[p];
    for (int k = 0; k < body.n; ++k) {
      place.phi.push_back(first < 0 ? Vec3{} : vector(basis.z.col(k).segment<3>(first)));
      place.psi.push_back(first < 0 ? Vec3{} : vector(basis.z.col(k).segment<3>(first + 3)));
    }
    for (int a = 0; a < 3 && first >= 0 && z.size() > 0; ++a) {
      SecondOrder g{{a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0},
                    std::vector<double>(body.K.size(), 0)};
      for (int k = 0; k < body.n; ++k)
        for (int l = k; l < body.n; ++l)
          g.g[at(k * body.n + l)] = g.g[at(l * body.n + k)] = z(first + a, layout.pair(k, l));
      place.second.push_back(std::move(g));
    }
    places.push_back(std::move(place));
  }
}

void ElasticSolid::Parts::build() {
  const SolidSystem system = solid_system(spec, patches, clamped);
  const SolidBasis basis = solid_basis(spec, system);
  const Eigen::MatrixXd Phi = times(system.z.T, basis.z);
  body.n = static_cast<int>(Phi.cols());
  body.span = extent;
  body.K.assign(at(body.n) * at(body.n), 0);
  for (int k = 0; k < body.n; ++k) {
    frequencies.push_back(std::sqrt(basis.square[at(k)]));
    body.K[at(k * body.n + k)] = basis.square[at(k)] * basis.mass[at(k)];
    body.says.push_back(
        fmt::format("mode {} ({:.6g} Hz)", k + 1, frequencies.back() / (2 * std::numbers::pi)));
  }
  Eigen::MatrixXd z, G;
  if (spec.stiffening) G = second_order(system, basis, Phi, z);
  const Eigen::MatrixXd Z = gram(system, Phi, G);
  body.samples = spec.form == 'X' ? samples_of_gram(Z, body.n) : samples_to_second_order(Z, body.n);
  if (spec.form == 'I') {
    body.form = ElasticForm::invariants;
    find_invariants(body);
  }
  add_damping(body, spec.damping);
  place_patches(system, basis, z);
}

ElasticSolid::ElasticSolid(const SolidSpec& spec, const Vec3& inboard)
    : parts_(std::make_unique<Parts>()) {
  parts_->spec = spec;
  parts_->extent = extent(*spec.mesh);
  for (const SolidInterface& f : spec.interfaces)
    parts_->patches.push_back(make_patch(*spec.mesh, spec.mesh->find(f.group)->nodes));
  parts_->clamped = std::max(0, patch_at(parts_->patches, inboard, touching * parts_->extent));
  parts_->build();
}

ElasticSolid::~ElasticSolid() = default;

ElasticBody ElasticSolid::body() const { return parts_->body; }
Vec3 ElasticSolid::clamp() const { return parts_->patches[at(parts_->clamped)].centre; }
const std::vector<double>& ElasticSolid::frequencies() const { return parts_->frequencies; }

std::optional<Vec3> ElasticSolid::carrier(const Vec3& point) const {
  const int i = patch_at(parts_->patches, point, touching * parts_->extent);
  if (i < 0) return {};
  return parts_->patches[at(i)].centre;
}

ElasticPlace ElasticSolid::place(const Vec3& point) const {
  const int i = patch_at(parts_->patches, point, touching * parts_->extent);
  return parts_->places[at(std::max(0, i))];
}

std::string ElasticSolid::carriers() const {
  std::string text = "it can be held";
  for (size_t i = 0; i < parts_->patches.size(); ++i) {
    const Patch& p = parts_->patches[i];
    text +=
        fmt::format("{} at '{}', within {:.4g} m of ({:.4g}, {:.4g}, {:.4g}) m",
                    i == 0                            ? ""
                    : i + 1 == parts_->patches.size() ? " or"
                                                      : ",",
                    parts_->spec.interfaces[i].name, p.radius, p.centre.x, p.centre.y, p.centre.z);
  }
  return text;
}

}  // namespace sarrus
