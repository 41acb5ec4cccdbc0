#include "sarrus/elastic/solid_field.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "sarrus/core/index.hpp"
#include "sarrus/numerics/dense/qr.hpp"

namespace sarrus {
namespace {

struct Box {
  Vec3 low{}, high{};
  double size = 0;  // [m] its longest side
};

Box box_around(const SolidMesh& mesh, const SolidElement& e) {
  Box box{mesh.nodes[at(e.node[0])], mesh.nodes[at(e.node[0])]};
  for (int i = 1; i < node_count(e.type); ++i)
    for (int a = 0; a < 3; ++a) {
      const double x = mesh.nodes[at(e.node[at(i)])][a];
      box.low[a] = std::min(box.low[a], x), box.high[a] = std::max(box.high[a], x);
    }
  for (int a = 0; a < 3; ++a) box.size = std::max(box.size, box.high[a] - box.low[a]);
  return box;
}

bool is_near(const Box& box, const Vec3& point) {
  for (int a = 0; a < 3; ++a)
    if (point[a] < box.low[a] - box.size / 2 || point[a] > box.high[a] + box.size / 2) return false;
  return true;
}

/// The element and those that share a node with it.
std::vector<int> around(const SolidMesh& mesh, int element) {
  const SolidElement& middle = mesh.elements[at(element)];
  const auto own = std::span(middle.node).first(at(node_count(middle.type)));
  std::vector<int> found;
  for (size_t i = 0; i < mesh.elements.size(); ++i) {
    const SolidElement& e = mesh.elements[i];
    const auto nodes = std::span(e.node).first(at(node_count(e.type)));
    if (std::find_first_of(nodes.begin(), nodes.end(), own.begin(), own.end()) != nodes.end())
      found.push_back(static_cast<int>(i));
  }
  return found;
}

/// Rows of the nodal displacements that belong to an element.
Eigen::MatrixXd element_rows(const SolidElement& e, const Eigen::MatrixXd& nodal) {
  Eigen::MatrixXd out(3 * node_count(e.type), nodal.cols());
  for (int i = 0; i < node_count(e.type); ++i)
    out.middleRows<3>(3 * i) = nodal.middleRows<3>(3 * e.node[at(i)]);
  return out;
}

}  // namespace

std::optional<MeshPoint> locate(const SolidMesh& mesh, const Vec3& point) {
  std::optional<MeshPoint> best;
  for (size_t i = 0; i < mesh.elements.size(); ++i) {
    const SolidElement& e = mesh.elements[i];
    const Box box = box_around(mesh, e);
    if (!is_near(box, point)) continue;
    ElementPlace place = nearest_place(mesh, e, point);
    const double beside = norm(place.x - point);
    if (!(beside <= box.size / 2) || (best && beside >= best->beside)) continue;
    best = MeshPoint{place.x, beside, static_cast<int>(i), std::move(place.h)};
  }
  return best;
}

Eigen::Matrix3Xd displacement_at(const SolidMesh& mesh, const MeshPoint& point,
                                 const Eigen::MatrixXd& nodal) {
  const SolidElement& e = mesh.elements[at(point.element)];
  Eigen::Matrix3Xd u = Eigen::Matrix3Xd::Zero(3, nodal.cols());
  for (size_t i = 0; i < point.h.size(); ++i) u += point.h[i] * nodal.middleRows<3>(3 * e.node[i]);
  return u;
}

Eigen::Matrix<double, 9, Eigen::Dynamic> gradient_at(const SolidMesh& mesh,
                                                     const ElasticMaterial& material,
                                                     const MeshPoint& point,
                                                     const Eigen::MatrixXd& nodal) {
  const Matrix6 D = elasticity(material);
  const double size = box_around(mesh, mesh.elements[at(point.element)]).size;
  struct Known {
    StrainPoint at;
    int element;
  };
  std::vector<Known> known;
  for (const int i : around(mesh, point.element))
    for (StrainPoint& p : strain_points(mesh, mesh.elements[at(i)], D))
      known.push_back({std::move(p), i});
  // (1): a is a weighted sum of what is known; the least one where the points do not fix b
  const bool products = mesh.elements[at(point.element)].type != SolidElementType::tet4;
  Eigen::MatrixXd A(known.size(), products ? 7 : 4);
  Eigen::VectorXd root(known.size());
  for (size_t p = 0; p < known.size(); ++p) {
    const Vec3 r = (known[p].at.x - point.x) * (1 / size);
    const auto row = static_cast<Eigen::Index>(p);
    root[row] = std::sqrt(known[p].at.volume);
    A.row(row).head<4>() = root[row] * Eigen::RowVector4d(1, r.x, r.y, r.z);
    if (products)
      A.row(row).tail<3>() = root[row] * Eigen::RowVector3d(r.x * r.y, r.y * r.z, r.z * r.x);
  }
  const Eigen::MatrixXd inverse = LeastSquares(A).pseudo_inverse();
  const Eigen::VectorXd share = inverse.row(0).transpose().cwiseProduct(root);
  Eigen::Matrix<double, 9, Eigen::Dynamic> out =
      Eigen::Matrix<double, 9, Eigen::Dynamic>::Zero(9, nodal.cols());
  for (size_t p = 0; p < known.size(); ++p)
    out += share[static_cast<Eigen::Index>(p)] * known[p].at.H *
           element_rows(mesh.elements[at(known[p].element)], nodal);
  return out;
}

Eigen::Matrix3Xd rotations(const Eigen::Matrix<double, 9, Eigen::Dynamic>& H) {
  Eigen::Matrix3Xd out(3, H.cols());
  out.row(0) = (H.row(7) - H.row(5)) / 2;
  out.row(1) = (H.row(2) - H.row(6)) / 2;
  out.row(2) = (H.row(3) - H.row(1)) / 2;
  return out;
}

}  // namespace sarrus
