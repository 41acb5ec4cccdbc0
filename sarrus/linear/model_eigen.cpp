#include "sarrus/linear/model_eigen.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/numerics/bounded_eigen.hpp"
#include "sarrus/numerics/dense_modes.hpp"
#include "sarrus/numerics/eigen_maps.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

using Mat = Eigen::MatrixXd;

constexpr double asymmetry_of_rounding = 1e-10;  // of the largest entry
constexpr double no_damping = 1e-12;             // of √(K M), and of gyroscopic terms

double asymmetry_of(const Mat& A) {
  return A.size() > 0 ? (A - A.transpose()).cwiseAbs().maxCoeff() : 0;
}

bool has_potential(const LinearModel& l) {
  return asymmetry_of(map(l.K)) <= asymmetry_of_rounding * max_abs(l.K.values);
}

/// How large a term with velocities is no damping.
double negligible_damping(const LinearModel& l) {
  return no_damping * std::sqrt(divisor(max_abs(l.K.values) * max_abs(l.M.values)));
}

bool is_undamped(const LinearModel& l) {
  const Mat D = map(l.D);
  return (D + D.transpose()).cwiseAbs().maxCoeff() <=
         negligible_damping(l) + no_damping * max_abs(l.D.values);
}

class Shapes {
 public:
  Shapes(const LinearModel& l, ModelEigen& found) : found_(found) {
    const int most = l.N.rows + l.M.rows + l.s_s.rows;
    found.x_re = Matrix(l.N.rows, most), found.x_im = found.x_re;
    found.u_re = Matrix(l.M.rows, most), found.u_im = found.u_re;
  }
  void add(double re, double im, double error, bool zero, const Eigen::VectorXcd& x,
           const Eigen::VectorXcd& u) {
    const int j = static_cast<int>(found_.values.size());
    const double size = std::hypot(re, im);
    found_.values.push_back({re, im, size, size > 0 ? -re / size : 0});
    found_.error.push_back(error), found_.zero.push_back(zero);
    for (int i = 0; i < found_.x_re.rows; ++i)
      found_.x_re(i, j) = x[i].real(), found_.x_im(i, j) = x[i].imag();
    for (int i = 0; i < found_.u_re.rows; ++i)
      found_.u_re(i, j) = u[i].real(), found_.u_im(i, j) = u[i].imag();
  }

 private:
  ModelEigen& found_;
};

/// λ = ±iω, or ±√−ω². Low modes are as exact as high ones, those between lose up to half.
void real_modes(const LinearModel& l, const DenseModes& dense, ModelEigen& found) {
  found.real = true;
  Shapes shapes(l, found);
  const double largest = max_abs(dense.lambda);
  double least = largest;
  for (const double x : dense.lambda)
    if (x != 0) least = std::min(least, std::fabs(x));
  for (int j = 0; j < static_cast<int>(dense.lambda.size()); ++j) {
    const double x = dense.lambda[j], w = std::sqrt(std::fabs(x));
    const double lost = x == 0 ? 0 : std::min(largest / std::fabs(x), std::fabs(x) / least);
    const double error = ulps(10.0 * l.M.rows) * std::max(lost, 1.0) * w / 2;
    const Eigen::VectorXcd shape = map(dense.vectors.column(j)).cast<std::complex<double>>();
    shapes.add(x < 0 ? w : 0, x < 0 ? 0 : w, error, x == 0, shape, shape);
  }
}

/// (1) without the positions that no force depends on, which are zeros by themselves.
void skew_modes(const LinearModel& l, const DenseModes& dense, const BoundedEigen& eigen,
                ModelEigen& found) {
  Shapes shapes(l, found);
  const int n = l.M.rows, rigid = dense.rigid, r = n - rigid;
  const Mat V = map(dense.vectors);
  // of a freedom that moves freely position and velocity are both zero: one mode
  for (int j = 0; j < (rigid + eigen.zeros) / 2; ++j)
    shapes.add(0, 0, eigen.error[0], true, V.col(j).cast<std::complex<double>>(),
               V.col(j).cast<std::complex<double>>());
  const std::complex<double> i(0, 1);
  for (size_t k = 0; k < eigen.re.size(); ++k) {
    if (!(eigen.im[k] > 0)) continue;
    const int column = static_cast<int>(k);
    Eigen::VectorXcd a(n), rate(n);
    for (int j = 0; j < n; ++j) rate[j] = {eigen.x_re(r + j, column), eigen.x_im(r + j, column)};
    a = rate / (i * eigen.im[k]);
    shapes.add(0, eigen.im[k], eigen.error[k], false, V * a, V * rate);
  }
}

/// What forces without a potential add to (1).
void add_circulation(const LinearModel& l, const Mat& V, ModalForm& form) {
  const Mat K = map(l.K), circulatory = V.transpose() * (0.5 * (K - K.transpose())) * V;
  const int n = l.M.rows;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) form.A(n + i, j) -= circulatory(i, j) / form.scale[j];
}

Error no_modes() {
  return {Fault::numerics,
          Diagnostic{.code = "no-modes",
                     .element = "modes",
                     .message = "the eigenvalues of the linear model do not converge"}};
}

/// One of each pair. Where energy is kept, λ and −λ̄ belong together: a growth below its error is
/// none.
void take(const LinearModel& l, const BoundedEigen& eigen, bool keeps_energy, const Mat& to_x,
          const Mat& to_u, ModelEigen& found) {
  if (!eigen.ok) throw no_modes();
  Shapes shapes(l, found);
  for (size_t k = 0; k < eigen.re.size(); ++k) {
    if (eigen.im[k] < 0) continue;
    const int column = static_cast<int>(k);
    Eigen::VectorXcd z(eigen.x_re.rows);
    for (int i = 0; i < eigen.x_re.rows; ++i) z[i] = {eigen.x_re(i, column), eigen.x_im(i, column)};
    const bool zero =
        static_cast<int>(k) < eigen.zeros || std::hypot(eigen.re[k], eigen.im[k]) <= eigen.error[k];
    const bool is_steady = keeps_energy && std::fabs(eigen.re[k]) <= eigen.error[k];
    shapes.add(zero || is_steady ? 0 : eigen.re[k], zero ? 0 : eigen.im[k], eigen.error[k], zero,
               to_x * z, to_u * z);
  }
}

void second_order_modes(const LinearModel& l, const DenseModes& dense, ModelEigen& found) {
  const Mat V = map(dense.vectors);
  Mat D = V.transpose() * map(l.D) * V;
  const bool keeps_energy = has_potential(l) && is_undamped(l);
  if (keeps_energy) D = (0.5 * (D - D.transpose())).eval();
  const bool is_positive =
      std::all_of(dense.lambda.begin(), dense.lambda.end(), [](double x) { return x >= 0; });
  if (keeps_energy && is_positive) {
    const BoundedEigen eigen = skew_eigen(modal_form(dense.lambda, from_eigen(D), dense.rigid).A);
    if (!eigen.ok) throw no_modes();
    return skew_modes(l, dense, eigen, found);
  }
  ModalForm form = modal_form(dense.lambda, from_eigen(D));
  if (!has_potential(l)) add_circulation(l, V, form);
  const Eigen::Index n = V.rows();
  Mat to_x = Mat::Zero(n, 2 * n), to_u = to_x;
  for (Eigen::Index j = 0; j < n; ++j) to_x.col(j) = V.col(j) / form.scale[j];
  to_u.rightCols(n) = V;
  take(l, bounded_eigen(form.A), keeps_energy, to_x, to_u, found);
}

}  // namespace

ModelEigen model_eigen(const LinearModel& l, const StateSpace& space) {
  ModelEigen found;
  if (l.second_order() && l.M.rows > 0) {
    const DenseModes dense = dense_modes(symmetric_part(l.M), symmetric_part(l.K));
    if (dense.ok) {
      if (has_potential(l) && max_abs(l.D.values) <= negligible_damping(l))
        real_modes(l, dense, found);
      else
        second_order_modes(l, dense, found);
      return found;
    }
  }
  const Eigen::Index n = space.A.rows, nx = l.N.rows, nu = l.M.rows;
  Mat to_x = Mat::Zero(nx, n), to_u = Mat::Zero(nu, n);
  to_x.leftCols(nx).setIdentity(), to_u.middleCols(nx, nu).setIdentity();
  take(l, bounded_eigen(space.A), false, to_x, to_u, found);
  return found;
}

}  // namespace sarrus
