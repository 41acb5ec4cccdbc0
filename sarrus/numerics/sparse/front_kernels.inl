// The kernels of front_kernels.hpp, compiled once per instruction set. Eigen is given a name of its
// own in each copy, so that the linker cannot merge code of one set into the other. Not to be
// included twice in one file.
#include <Eigen/Core>

namespace sarrus {
namespace SARRUS_FRONT_KERNELS {
namespace {

constexpr int step = 64;  // columns eliminated at once

using Block = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ConstBlock = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// L D Lᵀ of a small block, in place, column by column; the diagonal keeps 1.
bool factor_block(double* a, int lead, int n, double* d) {
  for (int j = 0; j < n; ++j) {
    double* cj = a + static_cast<long>(j) * lead;
    const double pivot = cj[j];
    d[j] = pivot;
    // a pivot that is not a number fails both comparisons
    if (!(pivot > 1e-300 || pivot < -1e-300) || pivot - pivot != 0) return false;
    for (int k = j + 1; k < n; ++k) {
      double* ck = a + static_cast<long>(k) * lead;
      const double l = cj[k] / pivot;
      for (int i = k; i < n; ++i) ck[i] -= cj[i] * l;
    }
    for (int i = j + 1; i < n; ++i) cj[i] /= pivot;
    cj[j] = 1;
  }
  return true;
}

bool factor(double* panel, int rows, int pivots, double* d, double* update, double* work) {
  const int rest = rows - pivots;
  for (int j = 0; j < pivots; j += step) {
    const int n = pivots - j < step ? pivots - j : step, below = rows - j - n;
    double* a = panel + static_cast<long>(j) * rows + j;
    if (!factor_block(a, rows, n, d + j)) return false;
    if (below == 0) break;
    const ConstBlock L11(a, n, n, Eigen::OuterStride<>(rows));
    Block L21(a + n, below, n, Eigen::OuterStride<>(rows));
    L11.triangularView<Eigen::UnitLower>().transpose().solveInPlace<Eigen::OnTheRight>(L21);
    // now L₂₁ D; what the rest loses is (L₂₁ D) D⁻¹ (L₂₁ D)ᵀ
    Block W(work, below, n, Eigen::OuterStride<>(below));
    W = L21;
    for (int k = 0; k < n; ++k) L21.col(k) *= 1 / d[j + k];
    const int in_panel = pivots - j - n;
    if (in_panel > 0) {
      Block F(a + static_cast<long>(n) * rows + n, in_panel, in_panel, Eigen::OuterStride<>(rows));
      F.triangularView<Eigen::Lower>() -= L21.topRows(in_panel) * W.topRows(in_panel).transpose();
      if (rest > 0) {
        Block G(a + static_cast<long>(n) * rows + n + in_panel, rest, in_panel,
                Eigen::OuterStride<>(rows));
        G.noalias() -= L21.bottomRows(rest) * W.topRows(in_panel).transpose();
      }
    }
    if (rest > 0) {
      Block U(update, rest, rest, Eigen::OuterStride<>(rest));
      U.triangularView<Eigen::Lower>() -= L21.bottomRows(rest) * W.bottomRows(rest).transpose();
    }
  }
  return true;
}

/// Four right-hand sides of one row.
typedef double Four __attribute__((vector_size(32), aligned(8)));

/// Four columns of L at a time, so that X passes through the registers a quarter as often.
void forward(const double* panel, int rows, int pivots, double* x) {
  Four* X = reinterpret_cast<Four*>(x);
  int j = 0;
  for (; j + 4 <= pivots; j += 4) {
    const double *a = panel + static_cast<long>(j) * rows, *b = a + rows, *c = b + rows,
                 *d = c + rows;
    X[j + 1] -= a[j + 1] * X[j];
    X[j + 2] -= a[j + 2] * X[j] + b[j + 2] * X[j + 1];
    X[j + 3] -= a[j + 3] * X[j] + b[j + 3] * X[j + 1] + c[j + 3] * X[j + 2];
    const Four x0 = X[j], x1 = X[j + 1], x2 = X[j + 2], x3 = X[j + 3];
    for (int i = j + 4; i < rows; ++i) X[i] -= a[i] * x0 + b[i] * x1 + c[i] * x2 + d[i] * x3;
  }
  for (; j < pivots; ++j) {
    const double* a = panel + static_cast<long>(j) * rows;
    const Four x0 = X[j];
    for (int i = j + 1; i < rows; ++i) X[i] -= a[i] * x0;
  }
}

void backward(const double* panel, int rows, int pivots, double* x) {
  Four* X = reinterpret_cast<Four*>(x);
  int j = pivots;
  for (; j % 4 != 0; --j) {
    const double* a = panel + static_cast<long>(j - 1) * rows;
    Four sum = X[j - 1];
    for (int i = j; i < rows; ++i) sum -= a[i] * X[i];
    X[j - 1] = sum;
  }
  for (j -= 4; j >= 0; j -= 4) {
    const double *a = panel + static_cast<long>(j) * rows, *b = a + rows, *c = b + rows,
                 *d = c + rows;
    Four s0 = X[j], s1 = X[j + 1], s2 = X[j + 2], s3 = X[j + 3];
    for (int i = j + 4; i < rows; ++i) {
      const Four xi = X[i];
      s0 -= a[i] * xi, s1 -= b[i] * xi, s2 -= c[i] * xi, s3 -= d[i] * xi;
    }
    s2 -= c[j + 3] * s3;
    s1 -= b[j + 2] * s2 + b[j + 3] * s3;
    s0 -= a[j + 1] * s1 + a[j + 2] * s2 + a[j + 3] * s3;
    X[j] = s0, X[j + 1] = s1, X[j + 2] = s2, X[j + 3] = s3;
  }
}

}  // namespace

extern const FrontKernels kernels;
const FrontKernels kernels{factor, forward, backward};

}  // namespace SARRUS_FRONT_KERNELS
}  // namespace sarrus
