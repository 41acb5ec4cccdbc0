#include "sarrus/elastic/solid_element.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/elastic/quadrature.hpp"
#include "sarrus/numerics/newton.hpp"

namespace sarrus {
namespace {

using Point = Eigen::Vector3d;
using Nodes = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 10>;
using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 10, 1>;
using Slopes = Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 10, 3>;

constexpr int most_newton_steps = 19;
constexpr double newton_tolerance = 1e-12;  // of ξ
constexpr double beside_element = 0.5;      // how far Newton's method may leave it, in ξ

constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}};
constexpr int corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                               {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

bool is_tetrahedron(SolidElementType type) { return type != SolidElementType::hex8; }

/// Volume coordinates of a tetrahedron; their slopes by ξ are constant.
Eigen::Vector4d volume_coordinates(const Point& xi) { return {1 - xi.sum(), xi[0], xi[1], xi[2]}; }
double volume_slope(int i, int b) { return i == 0 ? -1 : i == b + 1 ? 1 : 0; }

Values functions(SolidElementType type, const Point& xi) {
  Values h(node_count(type));
  if (type == SolidElementType::hex8) {
    for (int i = 0; i < 8; ++i)
      h[i] = (1 + corners[i][0] * xi[0]) * (1 + corners[i][1] * xi[1]) *
             (1 + corners[i][2] * xi[2]) / 8;
    return h;
  }
  const Eigen::Vector4d L = volume_coordinates(xi);
  if (type == SolidElementType::tet4) return L;
  for (int i = 0; i < 4; ++i) h[i] = L[i] * (2 * L[i] - 1);
  for (int e = 0; e < 6; ++e) h[4 + e] = 4 * L[edges[e][0]] * L[edges[e][1]];
  return h;
}

/// ∂h/∂ξ
Slopes slopes(SolidElementType type, const Point& xi) {
  Slopes d(node_count(type), 3);
  if (type == SolidElementType::hex8) {
    for (int i = 0; i < 8; ++i)
      for (int b = 0; b < 3; ++b) {
        double product = corners[i][b] / 8.0;
        for (int c = 0; c < 3; ++c)
          if (c != b) product *= 1 + corners[i][c] * xi[c];
        d(i, b) = product;
      }
    return d;
  }
  const Eigen::Vector4d L = volume_coordinates(xi);
  for (int b = 0; b < 3; ++b) {
    for (int i = 0; i < 4; ++i)
      d(i, b) = volume_slope(i, b) * (type == SolidElementType::tet4 ? 1 : 4 * L[i] - 1);
    if (type == SolidElementType::tet10)
      for (int e = 0; e < 6; ++e) {
        const int i = edges[e][0], j = edges[e][1];
        d(4 + e, b) = 4 * (volume_slope(i, b) * L[j] + L[i] * volume_slope(j, b));
      }
  }
  return d;
}

struct ReferencePoint {
  Point xi;
  double weight;
};

/// A brick's Gauss points, n in each direction.
std::vector<ReferencePoint> brick_points(int n) {
  std::vector<ReferencePoint> out;
  const std::vector<QuadraturePoint> line = gauss_points(n, -1, 1);
  for (const auto& a : line)
    for (const auto& b : line)
      for (const auto& c : line) out.push_back({{a.x, b.x, c.x}, a.weight * b.weight * c.weight});
  return out;
}

/// A brick of points pressed into a tetrahedron: exact to degree 2n − 3.
std::vector<ReferencePoint> pressed_points(int n) {
  std::vector<ReferencePoint> out;
  const std::vector<QuadraturePoint> line = gauss_points(n, 0, 1);
  for (const auto& a : line)
    for (const auto& b : line)
      for (const auto& c : line) {
        const double x = a.x, y = b.x * (1 - a.x), z = c.x * (1 - a.x) * (1 - b.x);
        const double squeeze = (1 - a.x) * (1 - a.x) * (1 - b.x);
        out.push_back({{x, y, z}, a.weight * b.weight * c.weight * squeeze});
      }
  return out;
}

const std::vector<ReferencePoint>& stiffness_points(SolidElementType type) {
  static const std::vector<ReferencePoint> one{{Point::Constant(0.25), 1.0 / 6}};
  static const std::vector<ReferencePoint> four = [] {
    const double a = (5 - std::sqrt(5.0)) / 20, b = (5 + 3 * std::sqrt(5.0)) / 20;
    std::vector<ReferencePoint> p(4, {Point::Constant(a), 1.0 / 24});
    for (int i = 0; i < 3; ++i) p[i].xi[i] = b;
    return p;
  }();
  static const std::vector<ReferencePoint> eight = brick_points(2);
  return type == SolidElementType::tet4 ? one : type == SolidElementType::tet10 ? four : eight;
}

/// hᵢ hⱼ has degree 2, 4 and 2 in each direction.
const std::vector<ReferencePoint>& mass_points(SolidElementType type) {
  static const std::vector<ReferencePoint> tet4 = pressed_points(3), tet10 = pressed_points(4),
                                           hex8 = brick_points(3);
  return type == SolidElementType::tet4 ? tet4 : type == SolidElementType::tet10 ? tet10 : hex8;
}

Nodes nodes_of(const SolidMesh& mesh, const SolidElement& e) {
  Nodes x(3, node_count(e.type));
  for (int i = 0; i < x.cols(); ++i) {
    const Vec3& v = mesh.nodes[e.node[i]];
    x.col(i) = Point(v.x, v.y, v.z);
  }
  return x;
}

Eigen::Matrix3d jacobian(SolidElementType type, const Nodes& x, const Point& xi) {
  return x * slopes(type, xi);
}

Point centre(SolidElementType type) { return Point::Constant(is_tetrahedron(type) ? 0.25 : 0.0); }

/// ξ, moved to the element where it lies farther beside it than allowed.
Point into_element(SolidElementType type, const Point& xi, double beside) {
  if (!is_tetrahedron(type)) return xi.cwiseMax(-1 - beside).cwiseMin(1 + beside);
  const Eigen::Vector4d L = volume_coordinates(xi).cwiseMax(-beside);
  return L.tail<3>() / L.sum();
}

/// A scalar function with gradient ∇ moves u_a: rows 3a + b of column 3i + a.
template <class H, class G>
void set_gradient(H& out, int i, const G& gradient) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) out(3 * a + b, 3 * i + a) = gradient[b];
}

/// (3): the inner displacements of a brick, eliminated.
void add_inner_modes(const Nodes& x, const Matrix6& D, std::vector<StrainPoint>& points) {
  const Eigen::Matrix3d J0 = jacobian(SolidElementType::hex8, x, Point::Zero());
  const Eigen::Matrix3d inverse0 = J0.inverse();
  using Inner = Eigen::Matrix<double, 9, 9>;
  std::vector<Inner> inner;
  Eigen::Matrix<double, 9, 9> kaa = Eigen::Matrix<double, 9, 9>::Zero();
  Eigen::Matrix<double, 9, 24> kau = Eigen::Matrix<double, 9, 24>::Zero();
  for (size_t p = 0; p < points.size(); ++p) {
    const Point& xi = stiffness_points(SolidElementType::hex8)[p].xi;
    const double ratio = J0.determinant() / jacobian(SolidElementType::hex8, x, xi).determinant();
    Inner H = Inner::Zero();
    for (int j = 0; j < 3; ++j)
      set_gradient(H, j, Eigen::Vector3d(-2 * xi[j] * ratio * inverse0.row(j).transpose()));
    inner.push_back(H);
    const Eigen::Matrix<double, 6, 9> B = strains(H);
    const Eigen::Matrix<double, 6, 9> stress = points[p].volume * D * B;
    kaa += B.transpose() * stress;
    kau += stress.transpose() * strains(points[p].H);
  }
  const Eigen::Matrix<double, 9, 24> alpha = -kaa.ldlt().solve(kau);
  for (size_t p = 0; p < points.size(); ++p) points[p].H += inner[p] * alpha;
}

}  // namespace

Matrix6 elasticity(const ElasticMaterial& m) {
  const double nu = m.E / (2 * m.G) - 1, lame = m.E * nu / ((1 + nu) * (1 - 2 * nu));
  Matrix6 D = Matrix6::Zero();
  D.topLeftCorner<3, 3>().setConstant(lame);
  for (int i = 0; i < 3; ++i) D(i, i) += 2 * m.G, D(3 + i, 3 + i) = m.G;
  return D;
}

StrainMatrix strains(const GradientMatrix& H) {
  StrainMatrix B(6, H.cols());
  for (int i = 0; i < 3; ++i) B.row(i) = H.row(4 * i);
  B.row(3) = H.row(1) + H.row(3);
  B.row(4) = H.row(5) + H.row(7);
  B.row(5) = H.row(2) + H.row(6);
  return B;
}

std::vector<StrainPoint> strain_points(const SolidMesh& mesh, const SolidElement& e,
                                       const Matrix6& D) {
  const Nodes x = nodes_of(mesh, e);
  std::vector<StrainPoint> out;
  for (const ReferencePoint& p : stiffness_points(e.type)) {
    const Slopes d = slopes(e.type, p.xi);
    const Eigen::Matrix3d J = x * d;
    const Slopes gradient = d * J.inverse();  // (1)
    const Point at = x * functions(e.type, p.xi);
    StrainPoint s{
        p.weight * J.determinant(), {at[0], at[1], at[2]}, GradientMatrix::Zero(9, 3 * x.cols())};
    for (int i = 0; i < x.cols(); ++i) set_gradient(s.H, i, gradient.row(i));
    out.push_back(std::move(s));
  }
  if (e.type == SolidElementType::hex8) add_inner_modes(x, D, out);
  return out;
}

Eigen::MatrixXd element_stiffness(const SolidMesh& mesh, const SolidElement& e, const Matrix6& D) {
  const int size = 3 * node_count(e.type);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(size, size);
  for (const StrainPoint& p : strain_points(mesh, e, D)) {
    const StrainMatrix B = strains(p.H);
    k.noalias() += p.volume * B.transpose() * (D * B);  // (2)
  }
  return k;
}

Eigen::MatrixXd element_mass(const SolidMesh& mesh, const SolidElement& e) {
  const Nodes x = nodes_of(mesh, e);
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(x.cols(), x.cols());
  for (const ReferencePoint& p : mass_points(e.type)) {
    const Values h = functions(e.type, p.xi);
    m.noalias() += p.weight * jacobian(e.type, x, p.xi).determinant() * h * h.transpose();
  }
  return m;
}

ElementPlace nearest_place(const SolidMesh& mesh, const SolidElement& e, const Vec3& point) {
  const Nodes x = nodes_of(mesh, e);
  const Point wanted(point.x, point.y, point.z);
  Point xi = centre(e.type), dxi;
  const auto judge = [&]() -> NewtonResidual {
    const Point missing = wanted - x * functions(e.type, xi);
    dxi = jacobian(e.type, x, xi).partialPivLu().solve(missing);
    return {dxi.norm(), newton_tolerance};
  };
  const auto step = [&] {
    xi = into_element(e.type, xi + dxi, beside_element);
    return NewtonStep::taken;
  };
  if (newton({most_newton_steps}, judge, step).status != NewtonStatus::not_finite) step();
  xi = into_element(e.type, xi, 0);
  const Values h = functions(e.type, xi);
  const Point at = x * h;
  return {{at[0], at[1], at[2]}, {h.begin(), h.end()}};
}

double shape_quality(const SolidMesh& mesh, const SolidElement& e) {
  const Nodes x = nodes_of(mesh, e);
  double longest = 0;
  const int ends = is_tetrahedron(e.type) ? 4 : 8;
  for (int i = 0; i < ends; ++i)
    for (int j = 0; j < i; ++j) longest = std::max(longest, (x.col(i) - x.col(j)).norm());
  if (longest == 0) return 0;
  double smallest = std::numeric_limits<double>::infinity();
  const auto look = [&](const Point& xi) {
    smallest = std::min(smallest, jacobian(e.type, x, xi).determinant());
  };
  for (const ReferencePoint& p : stiffness_points(e.type)) look(p.xi);
  if (is_tetrahedron(e.type)) {
    look(Point::Zero());
    for (int i = 0; i < 3; ++i) look(Point::Unit(i));
  } else {
    for (const auto& c : corners) look({double(c[0]), double(c[1]), double(c[2])});
  }
  // a regular tetrahedron of side s has det J = s³/√2, a cube of diagonal s has (s/√3)³/8
  const double cube = longest * longest * longest;
  return smallest / (is_tetrahedron(e.type) ? cube / std::sqrt(2.0) : cube / (24 * std::sqrt(3.0)));
}

}  // namespace sarrus
