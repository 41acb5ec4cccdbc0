#include "sarrus/mobility/reaction_share.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double outside = 1e-6;       // of a row, outside the range
constexpr double rounding = 1e-13;     // of the largest multiplier
constexpr double regularised = 1e-12;  // ε of (2), relative to the largest entry of AᵀA
constexpr int refinements = 3;

/// 1/k per row; joints without a stiffness are as stiff as the stiffest.
Eigen::VectorXd compliances(const Mechanism& m, const ConstraintMatrix& c) {
  double stiffest = 0;
  for (const JointInfo& j : m.joints) stiffest = std::max(stiffest, j.stiffness);
  Eigen::VectorXd w = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(c.rows.size()));
  if (stiffest == 0) return w;
  for (size_t r = 0; r < c.rows.size(); ++r) {
    const int j = c.rows[r].joint;
    const double k = j >= 0 ? m.joints[j].stiffness : 0;
    w[static_cast<Eigen::Index>(r)] = k > 0 ? stiffest / k : 1;
  }
  return w;
}

/// G with row i divided by wᵢ.
Sparse scaled_rows(const ConstraintMatrix& c, const Eigen::VectorXd& w) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto columns = static_cast<size_t>(c.columns());
  for (size_t i = 0; i < c.G.size(); ++i)
    if (c.G[i] != 0) {
      const auto r = static_cast<int>(i / columns), j = static_cast<int>(i % columns);
      entries.emplace_back(r, j, c.G[i] / w[r]);
    }
  Sparse A(static_cast<Eigen::Index>(c.rows.size()), c.columns());
  A.setFromTriplets(entries.begin(), entries.end());
  A.makeCompressed();
  return A;
}

/// Parts of vectors in the range of A and outside it, by (2).
class RowRange {
 public:
  explicit RowRange(Sparse A) : A_(std::move(A)), At_(A_.transpose()) {
    Sparse N = At_ * A_;
    const double largest = N.diagonal().maxCoeff();
    for (Eigen::Index i = 0; i < N.cols(); ++i) N.coeffRef(i, i) += regularised * largest;
    factors_.compute(N);
  }
  Eigen::VectorXd part(const Eigen::VectorXd& x) const {
    Eigen::VectorXd found = A_ * factors_.solve(At_ * x);
    for (int k = 0; k < refinements; ++k) found += A_ * factors_.solve(At_ * (x - found));
    return found;
  }
  /// 1 − aᵢ (AᵀA)⁻¹ aᵢᵀ for every row: 0 where it is independent of all others.
  std::vector<double> outside() const {
    std::vector<double> list;
    for (Eigen::Index r = 0; r < A_.rows(); ++r) {
      const Eigen::VectorXd e = Eigen::VectorXd::Unit(A_.rows(), r);
      list.push_back(1 - part(e)[r]);
    }
    return list;
  }

 private:
  Sparse A_, At_;
  Eigen::SimplicialLDLT<Sparse> factors_;
};

}  // namespace

ReactionShare::ReactionShare(const Mechanism& mechanism)
    : m_(&mechanism), possible_(mechanism.nb - 1 <= most_bodies_shared) {}

const std::map<int, Wrench<double>>& ReactionShare::corrections(const Snapshot& now) {
  correction_.clear();
  if (!possible_ || !m_->has_loops()) return correction_;
  if (now.rank() == static_cast<int>(now.kept.size())) {
    shared_.clear(), rank_ = -1;
    return correction_;
  }
  const ConstraintMatrix c = constraint_matrix(now);
  const auto rows = static_cast<Eigen::Index>(c.rows.size());
  const Eigen::VectorXd w = compliances(*m_, c).cwiseSqrt();
  const RowRange range(scaled_rows(c, w));
  if (now.rank() != rank_) {
    list_shared(c, range.outside());
    rank_ = now.rank();
  }
  Eigen::VectorXd lambda(rows);
  for (Eigen::Index r = 0; r < rows; ++r) lambda[r] = c.rows[r].multiplier;
  const Eigen::VectorXd change = range.part(w.cwiseProduct(lambda)).cwiseQuotient(w) - lambda;

  const double least = rounding * lambda.cwiseAbs().maxCoeff();
  for (Eigen::Index r = 0; r < rows; ++r) {
    const ConstraintLine& row = c.rows[r];
    if (row.joint < 0 || std::fabs(change[r]) <= least) continue;
    correction_[row.joint] += {row.moment * (c.length * change[r]), row.force * change[r]};
  }
  return correction_;
}

/// Joints with a row that takes part in combinations that vanish.
void ReactionShare::list_shared(const ConstraintMatrix& c, const std::vector<double>& parts) {
  shared_.clear();
  for (size_t r = 0; r < c.rows.size(); ++r) {
    if (c.rows[r].joint < 0 || parts[r] <= outside) continue;
    const std::string& name = m_->joints[c.rows[r].joint].name;
    if (std::find(shared_.begin(), shared_.end(), name) == shared_.end()) shared_.push_back(name);
  }
}

}  // namespace sarrus
