#include "sarrus/elastic/solid_matrices.hpp"

#include <algorithm>

#include "sarrus/core/index.hpp"
#include "sarrus/elastic/gram.hpp"
#include "sarrus/elastic/solid_element.hpp"

namespace sarrus {
namespace {

/// The nodal values of an element out of those of the mesh: three rows per node.
Eigen::MatrixXd gathered(const SolidElement& e, const Eigen::MatrixXd& all) {
  const int n = node_count(e.type);
  Eigen::MatrixXd own(3 * n, all.cols());
  for (int i = 0; i < n; ++i) own.middleRows(3 * i, 3) = all.middleRows(3 * e.node[at(i)], 3);
  return own;
}

/// sym(∇φₖᵀ ∇φₗ) as strains with doubled shear, from rows 3a + b of the gradients.
Eigen::Matrix<double, 6, 1> product_strain(const Eigen::Matrix<double, 9, 1>& k,
                                           const Eigen::Matrix<double, 9, 1>& l) {
  const Eigen::Map<const Eigen::Matrix3d> K(k.data()), L(l.data());  // columns: ∇u_a
  const Eigen::Matrix3d e = K * L.transpose();
  Eigen::Matrix<double, 6, 1> out;
  out << e(0, 0), e(1, 1), e(2, 2), e(0, 1) + e(1, 0), e(1, 2) + e(2, 1), e(0, 2) + e(2, 0);
  return out;
}

}  // namespace

SparseMatrix solid_stiffness(const SolidMesh& mesh, const ElasticMaterial& material) {
  const Matrix6 D = elasticity(material);
  std::vector<Entry> entries;
  for (const SolidElement& e : mesh.elements) {
    const Eigen::MatrixXd k = element_stiffness(mesh, e, D);
    const auto row = [&](Eigen::Index i) {
      return 3 * e.node[static_cast<size_t>(i / 3)] + static_cast<int>(i % 3);
    };
    for (Eigen::Index j = 0; j < k.cols(); ++j)
      for (Eigen::Index i = 0; i < k.rows(); ++i) entries.push_back({row(i), row(j), k(i, j)});
  }
  const int size = 3 * static_cast<int>(mesh.nodes.size());
  return to_sparse(size, size, entries);
}

SparseMatrix solid_mass(const SolidMesh& mesh, double density) {
  std::vector<Entry> entries;
  for (const SolidElement& e : mesh.elements) {
    const Eigen::MatrixXd m = density * element_mass(mesh, e);
    for (int j = 0; j < m.cols(); ++j)
      for (int i = 0; i < m.rows(); ++i) entries.push_back({e.node[at(i)], e.node[at(j)], m(i, j)});
  }
  const int size = static_cast<int>(mesh.nodes.size());
  return to_sparse(size, size, entries);
}

SparseMatrix three_times(const SparseMatrix& A) {
  std::vector<Entry> entries;
  for (int j = 0; j < A.cols; ++j)
    for (int p = A.start[at(j)]; p < A.start[at(j + 1)]; ++p)
      for (int a = 0; a < 3; ++a)
        entries.push_back({3 * A.index[at(p)] + a, 3 * j + a, A.value[at(p)]});
  return to_sparse(3 * A.rows, 3 * A.cols, entries);
}

Patch make_patch(const SolidMesh& mesh, const std::vector<int>& nodes) {
  Patch p{nodes, {}, 0};
  for (const int i : nodes)
    p.centre += mesh.nodes[at(i)] * (1.0 / static_cast<double>(nodes.size()));
  for (const int i : nodes) p.radius = std::max(p.radius, norm(mesh.nodes[at(i)] - p.centre));
  return p;
}

PatchedCoordinates patched_coordinates(const SolidMesh& mesh, const std::vector<Patch>& patches,
                                       int clamped) {
  PatchedCoordinates out;
  std::vector<int> patch_of(mesh.nodes.size(), -1);
  for (size_t p = 0; p < patches.size(); ++p)
    for (const int i : patches[p].nodes) patch_of[at(i)] = static_cast<int>(p);
  std::vector<Entry> entries;
  const int nodes = static_cast<int>(mesh.nodes.size());
  for (int i = 0; i < nodes; ++i) {
    if (patch_of[at(i)] >= 0) continue;
    out.node_of.push_back(i);
    for (int a = 0; a < 3; ++a) entries.push_back({3 * i + a, out.inner++, 1});
  }
  int size = out.inner;
  for (size_t p = 0; p < patches.size(); ++p) {
    out.first.push_back(static_cast<int>(p) == clamped ? -1 : size);
    if (static_cast<int>(p) == clamped) continue;
    for (const int i : patches[p].nodes) {
      const Vec3 r = mesh.nodes[at(i)] - patches[p].centre;
      for (int a = 0; a < 3; ++a) {
        entries.push_back({3 * i + a, size + a, 1});
        // θ × r
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        entries.push_back({3 * i + a, size + 3 + b, r[c]});
        entries.push_back({3 * i + a, size + 3 + c, -r[b]});
      }
    }
    size += 6;
  }
  out.T = to_sparse(3 * nodes, size, entries);
  return out;
}

Eigen::MatrixXd second_order_loads(const SolidMesh& mesh, const ElasticMaterial& material,
                                   const Eigen::MatrixXd& Phi) {
  const Matrix6 D = elasticity(material);
  const GramLayout z{static_cast<int>(Phi.cols())};
  Eigen::MatrixXd loads = Eigen::MatrixXd::Zero(Phi.rows(), z.pairs());
  Eigen::Matrix<double, 6, Eigen::Dynamic> products(6, z.pairs());
  for (const SolidElement& e : mesh.elements) {
    const Eigen::MatrixXd phi = gathered(e, Phi);
    Eigen::MatrixXd own = Eigen::MatrixXd::Zero(phi.rows(), z.pairs());
    for (const StrainPoint& p : strain_points(mesh, e, D)) {
      const Eigen::Matrix<double, 9, Eigen::Dynamic> gradient = p.H * phi;
      for (int k = 0; k < z.n; ++k)
        for (int l = k; l < z.n; ++l)
          products.col(z.pair(k, l)) = product_strain(gradient.col(k), gradient.col(l));
      own.noalias() -= p.volume * strains(p.H).transpose() * (D * products);
    }
    for (int i = 0; i < node_count(e.type); ++i)
      loads.middleRows(3 * e.node[at(i)], 3) += own.middleRows(3 * i, 3);
  }
  return loads;
}

Eigen::MatrixXd geometric_stiffness(const SolidMesh& mesh, const ElasticMaterial& material,
                                    const Eigen::VectorXd& u, const Eigen::MatrixXd& Phi) {
  const Matrix6 D = elasticity(material);
  const Eigen::Index n = Phi.cols();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (const SolidElement& e : mesh.elements) {
    const Eigen::MatrixXd phi = gathered(e, Phi), own = gathered(e, u);
    for (const StrainPoint& p : strain_points(mesh, e, D)) {
      const Eigen::Matrix<double, 6, 1> stress = D * (strains(p.H) * own);
      const Eigen::Matrix<double, 9, Eigen::Dynamic> gradient = p.H * phi;
      for (Eigen::Index k = 0; k < n; ++k)
        for (Eigen::Index l = 0; l < n; ++l)
          K(k, l) += p.volume * stress.dot(product_strain(gradient.col(k), gradient.col(l)));
    }
  }
  return K;
}

}  // namespace sarrus
