#include <cmath>

#include "sarrus/linear/linearize.hpp"
#include "sarrus/numerics/dense/triangular.hpp"
#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {

StateSpace state_space(const LinearModel& m) {
  const Eigen::Index nx = m.N.rows, nu = m.M.rows, ns = m.s_s.rows, nw = m.R.cols;
  StateSpace ss;
  for (const auto* names : {&m.position_names, &m.velocity_names, &m.state_names})
    ss.states.insert(ss.states.end(), names->begin(), names->end());
  ss.inputs = m.input_names, ss.outputs = m.output_names;

  const Eigen::MatrixXd M = map(m.M);
  const Cholesky cholesky(0.5 * (M + M.transpose()));
  if (nu > 0 && !cholesky.ok())
    throw Error(Fault::physics,
                Diagnostic{.code = "massless-joint",
                           .element = "mechanism",
                           .message = "the mass matrix is not positive: a joint moves no mass",
                           .hint = "give the body it moves a mass or an inertia"});
  // [ξ u s w] → u̇
  Eigen::MatrixXd all(nu, nx + nu + ns + nw);
  all.leftCols(nx) = map(m.K);
  all.middleCols(nx, nu) = map(m.D);
  all.middleCols(nx + nu, ns) = map(m.S);
  all.rightCols(nw) = map(m.R);
  const Eigen::MatrixXd udot = nu > 0 ? Eigen::MatrixXd(-cholesky.solve(all)) : all;
  const Eigen::Index n = nx + nu + ns;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n), B = Eigen::MatrixXd::Zero(n, nw);
  A.topLeftCorner(nx, nx) = map(m.E);
  A.block(0, nx, nx, nu) = map(m.N);
  A.middleRows(nx, nu) = udot.leftCols(n);
  A.block(nx + nu, 0, ns, nx) = map(m.s_x);
  A.block(nx + nu, nx, ns, nu) = map(m.s_u);
  A.block(nx + nu, nx + nu, ns, ns) = map(m.s_s);
  B.middleRows(nx, nu) = udot.rightCols(nw);
  B.bottomRows(ns) = map(m.s_w);
  Eigen::MatrixXd C(m.y_x.rows, n);
  C.leftCols(nx) = map(m.y_x);
  C.middleCols(nx, nu) = map(m.y_u);
  C.rightCols(ns) = map(m.y_s);
  const Eigen::MatrixXd y_a = map(m.y_a);
  C += y_a * udot.leftCols(n);
  const Eigen::MatrixXd D = Eigen::MatrixXd(map(m.y_w)) + y_a * udot.rightCols(nw);
  ss.A = from_eigen(A), ss.B = from_eigen(B), ss.C = from_eigen(C), ss.D = from_eigen(D);
  return ss;
}

}  // namespace sarrus
