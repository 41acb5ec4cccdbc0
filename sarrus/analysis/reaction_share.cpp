#include "sarrus/analysis/reaction_share.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>

namespace sarrus {
namespace {

constexpr double rank_tolerance = 1e-9;
constexpr double takes_part = 1e-9;

/// 1/k per row; joints without a stiffness are as stiff as the stiffest.
Eigen::VectorXd compliances(const Mechanism& m, const ConstraintMatrix& c) {
  double stiffest = 0;
  for (const JointInfo& j : m.joints) stiffest = std::max(stiffest, j.stiffness);
  Eigen::VectorXd w = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(c.rows.size()));
  if (stiffest == 0) return w;
  for (size_t r = 0; r < c.rows.size(); ++r) {
    const int j = c.rows[r].joint;
    const double k = j >= 0 ? m.joints[static_cast<size_t>(j)].stiffness : 0;
    w[static_cast<Eigen::Index>(r)] = k > 0 ? stiffest / k : 1;
  }
  return w;
}

}  // namespace

ReactionShare::ReactionShare(const Mechanism& mechanism)
    : m_(&mechanism), possible_(mechanism.nb - 1 <= most_bodies_shared) {}

const std::map<int, Wrench<double>>& ReactionShare::corrections(const Dynamics<double>& d) {
  correction_.clear();
  shared_.clear();
  if (!possible_ || !m_->has_loops()) return correction_;
  const ConstraintMatrix c = constraint_matrix(d);
  const auto rows = static_cast<Eigen::Index>(c.rows.size());
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> G(
      c.G.data(), rows, c.columns());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(G);
  qr.setThreshold(rank_tolerance);
  if (qr.rank() == rows) return correction_;

  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(rows, rows - qr.rank());
  Y.bottomRows(Y.cols()).setIdentity();
  Y.applyOnTheLeft(qr.householderQ());
  const Eigen::VectorXd w = compliances(*m_, c);
  Eigen::VectorXd lambda(rows);
  for (Eigen::Index r = 0; r < rows; ++r) lambda[r] = c.rows[static_cast<size_t>(r)].multiplier;
  const Eigen::MatrixXd YW = Y.transpose() * w.asDiagonal();
  const Eigen::VectorXd change = -Y * (YW * Y).ldlt().solve(YW * lambda);  // (1)

  for (Eigen::Index r = 0; r < rows; ++r) {
    const ConstraintLine& row = c.rows[static_cast<size_t>(r)];
    if (row.joint < 0 || Y.row(r).squaredNorm() <= takes_part) continue;
    Wrench<double>& sum = correction_[row.joint];
    sum += {row.moment * (c.length * change[r]), row.force * change[r]};
    const std::string& name = m_->joints[static_cast<size_t>(row.joint)].name;
    if (shared_.empty() || std::find(shared_.begin(), shared_.end(), name) == shared_.end())
      shared_.push_back(name);
  }
  return correction_;
}

}  // namespace sarrus
