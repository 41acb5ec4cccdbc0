#include "sarrus/numerics/sparse/lanczos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sarrus/core/random.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"
#include "sarrus/numerics/eigen_maps.hpp"
#include "sarrus/numerics/sparse/sparse_ldlt.hpp"

namespace sarrus {
namespace {

using Mat = Eigen::MatrixXd;
using Index = Eigen::Index;

constexpr double safe_pivot = 1e-13;   // of the largest diagonal: below, K counts as singular
constexpr double nothing_new = 1e-10;  // of a block's length, before it counts as exhausted

/// K − σM on the pattern of both.
SparseMatrix shifted(const SparseMatrix& K, const SparseMatrix& M, double sigma) {
  return from_eigen(EigenSparse(map(K) - sigma * map(M)));
}

/// A typical k/m of single coordinates: the scale on which a shift is small.
double stiffness_scale(const SparseMatrix& K, const SparseMatrix& M) {
  const auto diagonal = [](const SparseMatrix& A) {
    Eigen::VectorXd d = Eigen::VectorXd::Zero(A.cols);
    for (int j = 0; j < A.cols; ++j)
      for (int i = A.start[j]; i < A.start[j + 1]; ++i)
        if (A.index[i] == j) d[j] = A.value[i];
    return d;
  };
  const Eigen::VectorXd k = diagonal(K), m = diagonal(M);
  std::vector<double> ratio;
  for (Index i = 0; i < k.size(); ++i)
    if (m[i] > 0 && k[i] > 0) ratio.push_back(k[i] / m[i]);
  if (ratio.empty()) return 1;
  std::nth_element(ratio.begin(), ratio.begin() + static_cast<long>(ratio.size() / 2), ratio.end());
  return ratio[ratio.size() / 2];
}

class Search {
 public:
  Search(const SparseMatrix& M, const SparseMatrix& K, const LanczosOptions& o)
      : M_(M), K_(K), o_(o), n_(M.rows) {}

  LanczosResult run() {
    if (!factor()) return std::move(r_);
    const Index longest = std::min<Index>(n_, 2 * o_.modes + 12 * o_.block + 20);
    V_.resize(n_, longest + o_.block);
    MV_.resize(n_, longest + o_.block);
    H_ = Mat::Zero(longest + o_.block, longest + o_.block);
    start();
    while (true) {
      const bool exhausted = !expand();
      if (done(exhausted)) break;
      if (r_.solves >= o_.most_solves) {
        r_.problem = fmt::format("{} solves did not suffice", r_.solves);
        break;
      }
      if (used_ + block_ > longest) restart();
    }
    finish();
    return std::move(r_);
  }

 private:
  bool factor() {
    const double scale = stiffness_scale(K_, M_);
    // 0 first; then below it by growing steps until the matrix is definite
    for (double share : {0.0, 1e-9, 1e-8, 1e-6, 1e-4, 1e-2, 1.0, 100.0}) {
      r_.shift = -share * scale;
      const SparseMatrix A = shifted(K_, M_, r_.shift);
      if (ldlt_)
        ldlt_->refactor(A);
      else
        ldlt_.emplace(A);
      if (ldlt_->ok() && ldlt_->negative() == 0 && ldlt_->smallest() > safe_pivot) break;
      if (share == 100.0) {
        r_.problem = "K − σM is not definite for any shift tried: K or M is indefinite";
        return false;
      }
    }
    r_.factor_entries = ldlt_->entries();
    r_.factor_operations = ldlt_->operations();
    r_.ordering = ldlt_->ordering();
    return true;
  }

  /// X ← (K − σM)⁻¹ X.
  void solve(Mat& X) {
    ldlt_->solve(X.data(), static_cast<int>(X.cols()));
    r_.solves += static_cast<int>(X.cols());
  }

  void start() {
    block_ = std::min<Index>(o_.block, n_);
    used_ = 0;
    Mat X = random_block();
    next_ = orthonormal(X);
  }

  Mat random_block() {
    Mat X(n_, std::min<Index>(o_.block, n_ - used_));
    for (Index j = 0; j < X.cols(); ++j)
      for (Index i = 0; i < n_; ++i) X(i, j) = random_.uniform(-1, 1);
    X = (map(M_) * X).eval();
    solve(X);  // so that it lies where M sees it
    return X;
  }

  /// X −= V VᵀMX, twice; what was taken away is added to `coupling`.
  void project_out(Mat& X, Mat* coupling) const {
    if (used_ == 0) return;
    for (int twice = 0; twice < 2; ++twice) {
      const Mat h = MV_.leftCols(used_).transpose() * X;
      X.noalias() -= V_.leftCols(used_) * h;
      if (coupling) *coupling += h;
    }
  }

  /// Columns of X orthonormal in the product of M; what is below `least` per column becomes zero.
  Mat orthonormal_columns(Mat& X, const Eigen::VectorXd& least) const {
    Mat MX = map(M_) * X;
    for (int twice = 0; twice < 2; ++twice)
      for (Index j = 0; j < X.cols(); ++j) {
        for (Index k = 0; k < j; ++k) {
          const double h = MX.col(k).dot(X.col(j));
          X.col(j) -= h * X.col(k);
          MX.col(j) -= h * MX.col(k);
        }
        const double size = std::sqrt(std::max(0.0, X.col(j).dot(MX.col(j))));
        if (!(size > (twice == 0 ? least[j] : nothing_new))) {
          X.col(j).setZero(), MX.col(j).setZero();
          continue;
        }
        X.col(j) /= size, MX.col(j) /= size;
      }
    return MX;
  }

  /// Makes X orthogonal to the basis and to itself; columns that add nothing are dropped. What the
  /// basis took of X is added to `coupling`.
  Mat orthonormal(Mat& X, Mat* coupling = nullptr) {
    const Mat before = map(M_) * X;
    const Eigen::VectorXd least =
        nothing_new *
        (X.array() * before.array()).colwise().sum().max(0.0).sqrt().transpose().matrix();
    project_out(X, coupling);
    orthonormal_columns(X, least);
    project_out(X, nullptr);  // small columns were made long, and with them their rounding
    Mat MX = orthonormal_columns(X, Eigen::VectorXd::Constant(X.cols(), 0.5));
    Index kept = 0;
    for (Index j = 0; j < X.cols(); ++j)
      if (MX.col(j).squaredNorm() > 0) {
        if (kept != j) X.col(kept) = X.col(j), MX.col(kept) = MX.col(j);
        ++kept;
      }
    X.conservativeResize(Eigen::NoChange, kept);
    next_M_ = MX.leftCols(kept);
    return X;
  }

  /// Takes the next block into the basis and computes the one after it.
  bool expand() {
    const Index b = next_.cols();
    if (b == 0) return false;
    V_.middleCols(used_, b) = next_;
    MV_.middleCols(used_, b) = next_M_;
    const Index before = used_;
    used_ += b;
    Mat W = next_M_;
    solve(W);
    Mat coupling = Mat::Zero(used_, b);
    const Mat image = W;
    next_ = orthonormal(W, &coupling);
    H_.block(0, before, used_, b) = coupling;
    H_.block(before, 0, b, used_) = coupling.transpose();
    // what the basis misses of OP applied to its last block
    border_ = next_.cols() > 0 ? Mat(next_M_.transpose() * image) : Mat::Zero(0, b);
    block_ = std::max<Index>(next_.cols(), 1);
    last_ = b;
    if (next_.cols() == 0 && used_ < n_) renew();
    return next_.cols() > 0;
  }

  /// The basis holds all that its start could reach; there may be modes of higher multiplicity.
  void renew() {
    Mat X = random_block();
    next_ = orthonormal(X);
    border_ = Mat::Zero(next_.cols(), last_);
    block_ = std::max<Index>(next_.cols(), 1);
  }

  bool done(bool exhausted) {
    const Mat H =
        0.5 * (H_.topLeftCorner(used_, used_) + H_.topLeftCorner(used_, used_).transpose());
    const EigenPairs eigen = symmetric_eigen(H);
    theta_ = eigen.values.reverse();
    S_ = eigen.vectors.rowwise().reverse();
    const Index wanted = std::min<Index>(o_.modes, n_);
    if (exhausted) return r_.converged = true;
    if (used_ < wanted || border_.isZero(0)) return false;
    for (Index i = 0; i < wanted; ++i) {
      const double off = (border_ * S_.col(i).tail(last_)).norm();
      if (!(off <= o_.tolerance * std::fabs(theta_[i]))) return false;
    }
    return r_.converged = true;
  }

  void restart() {
    const Index keep = std::min<Index>(used_ - last_, o_.modes + 2 * o_.block);
    const Mat V = V_.leftCols(used_) * S_.leftCols(keep),
              MV = MV_.leftCols(used_) * S_.leftCols(keep);
    V_.leftCols(keep) = V, MV_.leftCols(keep) = MV;
    H_.setZero();
    H_.topLeftCorner(keep, keep) = theta_.head(keep).asDiagonal();
    used_ = keep;
    ++r_.restarts;
  }

  void finish() {
    const Index found = std::min<Index>({static_cast<Index>(o_.modes), used_, theta_.size()});
    const Mat X = V_.leftCols(used_) * S_.leftCols(found);
    r_.vectors = Matrix(n_, 0);
    std::vector<std::pair<double, Index>> order;
    for (Index i = 0; i < found; ++i)
      if (theta_[i] > 0) order.emplace_back(r_.shift + 1 / theta_[i], i);  // (1)
    std::sort(order.begin(), order.end());
    r_.vectors = Matrix(n_, static_cast<int>(order.size()));
    const double K_size = max_abs(K_.value), M_size = max_abs(M_.value);
    for (size_t k = 0; k < order.size(); ++k) {
      const auto& [lambda, i] = order[k];
      const Eigen::VectorXd x = X.col(i), Kx = map(K_) * x, Mx = map(M_) * x;
      r_.lambda.push_back(lambda);
      std::copy_n(x.data(), n_, r_.vectors.column(static_cast<int>(k)).begin());
      const double size = (K_size + std::fabs(lambda) * M_size) * x.norm();
      r_.residual = std::max(r_.residual, (Kx - lambda * Mx).norm() / size);
    }
    if (r_.converged && static_cast<Index>(r_.lambda.size()) < std::min<Index>(o_.modes, n_))
      r_.problem = fmt::format("only {} modes have mass", r_.lambda.size());
    if (o_.count && r_.converged && !r_.lambda.empty()) count();
  }

  /// Above the last mode found: as many negative pivots as modes, if none is missing.
  void count() {
    const double last = r_.lambda.back();
    size_t below = r_.lambda.size();
    while (below > 1 && r_.lambda[below - 1] > last * (1 - 1e-7)) --below;
    // between the last group and the one before it
    r_.counted_at = below < r_.lambda.size() && below > 0
                        ? 0.5 * (r_.lambda[below - 1] + r_.lambda[below])
                        : last * (1 + 1e-7);
    ldlt_->refactor(shifted(K_, M_, r_.counted_at));
    r_.counted = ldlt_->ok() ? ldlt_->negative() : -1;
  }

  const SparseMatrix &M_, &K_;
  LanczosOptions o_;
  int n_;
  LanczosResult r_;
  Random random_{20240229};
  std::optional<SparseLdlt> ldlt_;
  Mat V_, MV_, H_, next_, next_M_, border_, S_;
  Eigen::VectorXd theta_;
  Index used_ = 0, block_ = 0, last_ = 0;
};

}  // namespace

LanczosResult lowest_modes(const SparseMatrix& M, const SparseMatrix& K,
                           const LanczosOptions& options) {
  return Search(M, K, options).run();
}

}  // namespace sarrus
