// Linear models of mechanisms with closed loops: (2) of linearize.hpp.
//
//   G T = 0,   δξ = T q + P w,   P = −G⁺ G_w    for a prescribed position w that the loops share
//   (1) M → TᵀMT, D → TᵀDT, K → TᵀKT;   a motion enters by K P, D P, M P (2)
//
// Of all T, the one whose q are coordinates of joints: the rows of T that pivots choose are made
// the identity.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/linear/neighbourhood.hpp"
#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/dense/triangular.hpp"
#include "sarrus/numerics/eigen_maps.hpp"
#include "sarrus/numerics/sparse/null_space.hpp"

namespace sarrus {
namespace {

using Mat = Eigen::MatrixXd;

constexpr double open_by = 1e-7;      // of a length of the mechanism
constexpr double sees_motion = 1e-9;  // of the speed

Error refused(const char* code, const std::string& message, const std::string& hint) {
  return {Fault::physics, Diagnostic{Severity::error, code, {}, "loops", message, hint, "", ""}};
}

/// A rotation may carry loops along as they are: nothing in them turns, and their rows do not see
/// it, here and near here.
void check_motion(const Mechanism& m, const OperatingPoint& p, const LinearModel& l,
                  Neighbourhood& near) {
  if (max_abs(p.u) == 0) return;
  const char* hint =
      "hold a joint that carries the whole loop, or leave out --rotate, u of the joints, or a "
      "motion with a speed";
  for (const int u : l.u)
    if (p.u[u] != 0)
      throw refused("moving-loops",
                    fmt::format("'{}' moves: closed loops are looked at where they stand still, or "
                                "are carried along",
                                m.velocity_name(u)),
                    hint);
  const double limit = sees_motion * max_abs(p.u) * near.loop_length();
  const auto check = [&](const std::vector<double>& speed) {
    for (size_t i = 0; i < speed.size(); ++i)
      if (std::fabs(speed[i]) > limit)
        throw refused(
            "moving-loops",
            fmt::format(
                "'{}' is moved by the rotation: closed loops are looked at where they stand still, "
                "or are carried along",
                m.closures[m.closure_rows[i].closure].name),
            hint);
  };
  check(near.closing_speeds());
  for (const int x : l.x) check(near.closing_speeds_along(x));
}

void check_loops(const Mechanism& m, const LinearModel& l, double length) {
  for (const ClosureRow& row : m.closure_rows)
    if (!is_holonomic(row.kind))
      throw refused("rolling-in-loops",
                    fmt::format("'{}' constrains velocities only (nonholonomic); linear models "
                                "with such constraints are not supported",
                                m.closures[row.closure].name),
                    "joints rolling_disk and knife_edge are supported");
  for (size_t i = 0; i < l.closure.size(); ++i) {
    const ClosureRow& row = m.closure_rows[i];
    if (std::fabs(l.closure[i]) > open_by * (is_length(row.kind) ? length : 1))
      throw refused(
          "open-loop",
          fmt::format("'{}' is open by {:.3g}", m.closures[row.closure].name, l.closure[i]),
          "modes about an equilibrium close it first: --about equilibrium");
  }
}

/// T with rows of the identity, and which coordinates those are.
Mat with_joint_coordinates(const Mat& T, std::vector<int>& chosen) {
  chosen = PivotedQr(T.transpose()).order();
  chosen.resize(T.cols());
  std::sort(chosen.begin(), chosen.end());
  Mat square(T.cols(), T.cols());
  for (size_t i = 0; i < chosen.size(); ++i)
    square.row(static_cast<Eigen::Index>(i)) = T.row(chosen[i]);
  return T * inverse(square);
}

/// (2) for the columns of prescribed motions.
void follow_motions(const Mechanism& m, const Matrix& G_all, const std::vector<Input>& inputs,
                    LinearModel& l) {
  const LeastSquares loops{map(l.G)};
  for (size_t j = 0; j < inputs.size(); ++j) {
    if (inputs[j].motion < 0) continue;
    Eigen::VectorXd g(G_all.rows);
    for (int i = 0; i < G_all.rows; ++i) g[i] = G_all(i, inputs[j].motion);
    const Eigen::VectorXd P = -loops.solve(g);  // (1)
    const auto col = static_cast<Eigen::Index>(j);
    const int order = inputs[j].derivative_order;
    map(l.R).col(col) += (order == 0 ? map(l.K) : order == 1 ? map(l.D) : map(l.M)) * P;
    map(l.y_w).col(col) += (order == 0 ? map(l.y_x) : order == 1 ? map(l.y_u) : map(l.y_a)) * P;
    if (m.ns > 0 && order < 2) map(l.s_w).col(col) += (order == 0 ? map(l.s_x) : map(l.s_u)) * P;
  }
}

}  // namespace

LinearModel linearize(const Mechanism& m, const OperatingPoint& point,
                      const std::vector<std::string>& forces) {
  if (!m.has_loops()) return tree_model(m, point, forces);
  OperatingPoint p = point;
  if (p.lambda.empty()) {  // the multipliers that hold the point best
    const LinearModel free = open_model(m, p, forces);
    const std::vector<double>& r = free.out_of_balance;
    const Mat Gt = Mat(map(free.G)).transpose();
    const Eigen::VectorXd lambda = least_squares(Gt, map(std::span<const double>(r)));
    p.lambda.assign(lambda.data(), lambda.data() + lambda.size());
  }
  LinearModel l = open_model(m, p, forces);
  Neighbourhood near(m, p, forces);
  check_loops(m, l, near.loop_length());
  check_motion(m, p, l, near);
  if (l.x.size() != l.u.size())
    throw refused("rolling-in-loops", "rolling joints in mechanisms with loops are not supported",
                  "");
  follow_motions(m, near.loop_rows(), near.inputs(), l);

  const NullSpace space = null_space(to_sparse(l.G));
  if (const std::string why = doubt(space.decision); !why.empty())
    l.notes.push_back({Severity::warning, "unclear-rank", {}, "loops", why, "", "", ""});
  std::vector<int> chosen;
  const Mat T = with_joint_coordinates(Mat(map(space.T)), chosen), Tt = T.transpose();
  const auto reduced = [&](Matrix& A) { A = from_eigen(Tt * map(A) * T); };
  const auto rows = [&](Matrix& A) { A = from_eigen(Tt * map(A)); };
  const auto columns = [&](Matrix& A) { A = from_eigen(map(A) * T); };
  reduced(l.M), reduced(l.D), reduced(l.K);
  rows(l.S), rows(l.R);
  columns(l.s_x), columns(l.s_u), columns(l.y_x), columns(l.y_u), columns(l.y_a);
  l.T = from_eigen(T);
  const int n = static_cast<int>(T.cols());
  l.N = Matrix::identity(n), l.E = Matrix(n, n);
  std::vector<std::string> positions, velocities;
  for (const int i : chosen) {
    positions.push_back(l.position_names[i]);
    velocities.push_back(l.velocity_names[i]);
  }
  l.position_names = positions, l.velocity_names = velocities;
  std::vector<double> r(n);
  map(r) = Tt * map(std::span<const double>(l.out_of_balance));
  l.out_of_balance = r;
  return l;
}

}  // namespace sarrus
