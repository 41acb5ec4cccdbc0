#include "sarrus/formulations/assembly/relaxation.hpp"

#include <algorithm>

#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr double singular = 1e-12;  // pivots against the largest: a motion that costs no energy

/// K of all elastic bodies, by velocity.
Eigen::MatrixXd stiffness(const Mechanism& m) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(m.nu, m.nu);
  for (const ElasticInfo& e : m.elastic)
    for (int i = 0; i < e.n; ++i)
      for (int j = 0; j < e.n; ++j) K(e.u0 + i, e.u0 + j) = e.numbers->K[i * e.n + j];
  return K;
}

}  // namespace

double strain_energy(const ElasticInfo& e, const std::vector<double>& q) {
  double sum = 0;
  for (int i = 0; i < e.n; ++i)
    for (int j = 0; j < e.n; ++j)
      sum += 0.5 * q[e.q0 + i] * e.numbers->K[i * e.n + j] * q[e.q0 + j];
  return sum;
}

double strain_energy(const Mechanism& m, const std::vector<double>& q) {
  double sum = 0;
  for (const ElasticInfo& e : m.elastic) sum += strain_energy(e, q);
  return sum;
}

std::vector<double> towards_rest(Workspace<double>& w, const Kinematics<double>& k,
                                 const ClosedLoops<double>& loops, const std::vector<char>& held) {
  const Mechanism& m = w.mechanism();
  const Eigen::Index n = m.nu, rows = loops.rows->size();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> G(rows, n);
  loop_jacobian(k, *loops.rows, G.data());
  Eigen::VectorXd q = Eigen::VectorXd::Zero(n), phi(rows);
  for (const ElasticInfo& e : m.elastic)
    for (int i = 0; i < e.n; ++i) q[e.u0 + i] = k.q[e.q0 + i];
  for (Eigen::Index r = 0; r < rows; ++r) phi[r] = (*loops.rows)[static_cast<int>(r)].residual;

  const Eigen::MatrixXd K = stiffness(m);
  const double stiff = divisor(K.cwiseAbs().maxCoeff());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + rows, n + rows);
  Eigen::VectorXd b(n + rows);
  A.topLeftCorner(n, n) = K / stiff;  // λ in units of the stiffness
  A.topRightCorner(n, rows) = G.transpose();
  A.bottomLeftCorner(rows, n) = G;
  b << -(K / stiff) * q, -phi;  // (2)
  for (int u = 0; u < m.nu; ++u)
    if (held[m.body_of_velocity(u)]) {
      A.row(u).setZero(), A.col(u).setZero();
      A(u, u) = 1, b[u] = 0;
    }
  const Eigen::VectorXd x = LeastSquares(A, singular).solve(b);
  return {x.data(), x.data() + n};
}

}  // namespace sarrus
