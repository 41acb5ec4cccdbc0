// Linear models of mechanisms with constraints: (2) of linearize.hpp.
//
//   F δξ = 0,  G δu + H δξ = 0        δξ = T y,  δu = T_u z + T_uy y,  T_uy = −G⁺ H T       (1)
//   ẏ = N' z + E' y                   N' = P N T_u,  E' = P (N T_uy + E T)                  (2)
//   M' = T_uᵀ M T_u                   since δu̇ = T_u ż + T_uy ẏ and T_uᵀ Gᵀ = 0            (3)
//   D' = T_uᵀ (D T_u + M T_uy N')
//   K' = T_uᵀ (K T + D T_uy + M T_uy E')
//
// F are the rows of positions, G all rows; redundant ones change nothing. Of all T, T_u those whose
// y, z are coordinates of joints: the rows that pivots choose are made the identity, and P selects
// those of y. All this is constant where the motion is steady, which is looked at a little later in
// it: the same choice there has to give the same matrices.
//
// Where nothing in loops moves, or loops are carried along as they are, T_u = T and T_uy = 0; a
// prescribed position w that the loops share then enters by δξ = T y + P_w w, P_w = −G⁺ G_w. (4)
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

constexpr double open_by = 1e-7;                 // of a length of the mechanism
constexpr double sees_motion = 1e-9;             // of the speed
constexpr double look_ahead = 0.7;               // [rad] or [m] along the motion
constexpr double steady = 1e-8;                  // of the largest entry
constexpr double dependent = 1e-11;              // pivots of rows against the largest
constexpr double no_more_than_rounding = 2e-14;  // of the sum of sizes

Error refused(const char* code, const std::string& message, const std::string& hint) {
  return {Fault::physics,
          Diagnostic{.code = code, .element = "loops", .message = message, .hint = hint}};
}

Mat inverse_of_rows(const Mat& T, const std::vector<int>& chosen) {
  Mat square(T.cols(), T.cols());
  for (size_t i = 0; i < chosen.size(); ++i)
    square.row(static_cast<Eigen::Index>(i)) = T.row(chosen[i]);
  return inverse(square);
}

/// Entries below the rounding of what they are summed from are zero: coordinates on which nothing
/// depends stay such, and do not drift by themselves.
Mat cleaned(Mat A, const Mat& size) {
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (std::fabs(A(i, j)) <= no_more_than_rounding * size(i, j)) A(i, j) = 0;
  return A;
}
Mat cleaned_rows(const Mat& A, const Eigen::VectorXd& size) {
  return cleaned(A, size.replicate(1, A.cols()));
}
Eigen::VectorXd largest_of_rows(const Mat& A) {
  return A.cols() > 0 ? Eigen::VectorXd(A.cwiseAbs().rowwise().maxCoeff())
                      : Eigen::VectorXd::Zero(A.rows());
}

/// T with rows of the identity; which coordinates those are is chosen where nothing was.
Mat with_joint_coordinates(const Mat& T, std::vector<int>& chosen) {
  if (T.cols() == 0) return T;
  if (chosen.empty()) {
    chosen = PivotedQr(T.transpose()).order();
    chosen.resize(T.cols());
    std::sort(chosen.begin(), chosen.end());
  }
  const Mat inverse = inverse_of_rows(T, chosen);
  return cleaned(T * inverse, T.cwiseAbs() * inverse.cwiseAbs());
}

/// Nothing in loops turns, and their rows do not depend on what carries them, here and nearby.
bool is_carried(const Mechanism& m, const OperatingPoint& p, const LinearModel& l, double length) {
  for (const ClosureRow& row : m.closure_rows)
    if (!is_holonomic(row.kind)) return false;
  if (l.x.size() != l.u.size()) return false;
  for (const int u : l.u)
    if (p.u[u] != 0) return false;
  const double limit = sees_motion * max_abs(p.u) * length;
  return max_abs(l.closing_speed) <= limit && max_abs(l.H.values) <= limit;
}

void check_closed(const Mechanism& m, const LinearModel& l, double length) {
  for (size_t i = 0; i < l.closure.size(); ++i) {
    const ClosureRow& row = m.closure_rows[i];
    if (std::fabs(l.closure[i]) > open_by * (is_length(row.kind) ? length : 1))
      throw refused(
          "open-loop",
          fmt::format("'{}' is open by {:.3g}", m.closures[row.closure].name, l.closure[i]),
          "modes about an equilibrium close it first: --about equilibrium");
  }
}

/// The speeds of a motion belong together: every row holds them.
void check_speeds(const Mechanism& m, const OperatingPoint& p, const LinearModel& l,
                  double length) {
  for (size_t i = 0; i < l.closing_speed.size(); ++i) {
    const ClosureRow& row = m.closure_rows[i];
    const double limit = open_by * max_abs(p.u) * (is_length(row.kind) ? length : 1);
    if (std::fabs(l.closing_speed[i]) > limit)
      throw refused(
          "moving-loops",
          fmt::format(
              "'{}' is moved by the rotation or by the speeds of the start: they open it at "
              "{:.3g} m/s or rad/s, limit {:.1e}",
              m.closures[row.closure].name, l.closing_speed[i], limit),
          "give u of the joints so that all constraints hold, and hold or rotate no "
          "joint inside a loop");
  }
}

/// (4) for the columns of prescribed motions.
void follow_motions(const Mechanism& m, const Matrix& G_all, const std::vector<Input>& inputs,
                    LinearModel& l) {
  const LeastSquares loops{map(l.G)};
  for (size_t j = 0; j < inputs.size(); ++j) {
    if (inputs[j].motion < 0) continue;
    Eigen::VectorXd g(G_all.rows);
    for (int i = 0; i < G_all.rows; ++i) g[i] = G_all(i, inputs[j].motion);
    const Eigen::VectorXd P = -loops.solve(g);  // (4)
    const auto col = static_cast<Eigen::Index>(j);
    const int order = inputs[j].derivative_order;
    map(l.R).col(col) += (order == 0 ? map(l.K) : order == 1 ? map(l.D) : map(l.M)) * P;
    map(l.y_w).col(col) += (order == 0 ? map(l.y_x) : order == 1 ? map(l.y_u) : map(l.y_a)) * P;
    if (m.ns > 0 && order < 2) map(l.s_w).col(col) += (order == 0 ? map(l.s_x) : map(l.s_u)) * P;
  }
}

/// Which coordinates of joints describe the others.
struct Choice {
  std::vector<int> x, u;  // by places in the lists of the model
};

void take_names(const Choice& choice, LinearModel& l) {
  std::vector<std::string> positions, velocities;
  for (const int i : choice.x) positions.push_back(l.position_names[i]);
  for (const int i : choice.u) velocities.push_back(l.velocity_names[i]);
  l.position_names = positions, l.velocity_names = velocities;
}

void tell_of_rank(const NullSpace& space, LinearModel& l) {
  if (const std::string why = doubt(space.decision); !why.empty())
    l.notes.push_back({.severity = Severity::warning,
                       .code = "unclear-rank",
                       .element = "loops",
                       .message = why});
}

/// T_uᵀ of everything that stands in rows of velocities.
void project_rows(const Mat& T_u, LinearModel& l) {
  const Mat Tt = T_u.transpose();
  l.S = from_eigen(Tt * map(l.S)), l.R = from_eigen(Tt * map(l.R));
  std::vector<double> r(T_u.cols());
  map(r) = Tt * map(std::span<const double>(l.out_of_balance));
  l.out_of_balance = r;
}

/// T_u = T, T_uy = 0.
LinearModel close_at_rest(const Mechanism& m, LinearModel l, Neighbourhood& near) {
  follow_motions(m, near.loop_rows(), near.inputs(), l);
  const NullSpace space = null_space(to_sparse(l.G));
  tell_of_rank(space, l);
  Choice choice;
  const Mat T = with_joint_coordinates(Mat(map(space.T)), choice.x), Tt = T.transpose();
  choice.u = choice.x;
  const auto reduced = [&](Matrix& A) { A = from_eigen(Tt * map(A) * T); };
  const auto columns = [&](Matrix& A) { A = from_eigen(map(A) * T); };
  reduced(l.M), reduced(l.D), reduced(l.K);
  columns(l.s_x), columns(l.s_u), columns(l.y_x), columns(l.y_u), columns(l.y_a);
  project_rows(T, l);
  const int n = static_cast<int>(T.cols());
  l.T = from_eigen(T), l.T_u = l.T, l.T_uy = Matrix(l.T.rows, n);
  l.N = Matrix::identity(n), l.E = Matrix(n, n);
  take_names(choice, l);
  return l;
}

/// The rows of positions.
Matrix holonomic_rows(const Mechanism& m, const Matrix& F) {
  std::vector<int> kept;
  for (size_t i = 0; i < m.closure_rows.size(); ++i)
    if (is_holonomic(m.closure_rows[i].kind)) kept.push_back(static_cast<int>(i));
  Matrix rows(static_cast<int>(kept.size()), F.cols);
  for (int i = 0; i < rows.rows; ++i)
    for (int j = 0; j < F.cols; ++j) rows(i, j) = F(kept[i], j);
  return rows;
}

/// Prescribed motions are no inputs of what rolls or moves in loops.
void leave_out_motions(const std::vector<Input>& inputs, LinearModel& l) {
  std::vector<int> kept;
  std::vector<std::string> names;
  for (size_t j = 0; j < inputs.size(); ++j)
    if (inputs[j].motion < 0) kept.push_back(static_cast<int>(j)), names.push_back(inputs[j].name);
  if (kept.size() == inputs.size()) return;
  for (Matrix* A : {&l.R, &l.s_w, &l.y_w}) {
    Matrix less(A->rows, static_cast<int>(kept.size()));
    for (size_t j = 0; j < kept.size(); ++j)
      std::copy_n(A->column(kept[j]).begin(), A->rows, less.column(static_cast<int>(j)).begin());
    *A = less;
  }
  l.input_names = names;
  l.notes.push_back({.severity = Severity::note,
                     .code = "motion-no-input",
                     .element = "modes",
                     .message =
                         "prescribed motions are not among the inputs of the linear model, because "
                         "constraints roll or move"});
}

/// (1) to (3)
LinearModel close_in_motion(const Mechanism& m, const OperatingPoint& p, LinearModel l,
                            Neighbourhood& near, Choice& choice) {
  for (const RollingAxes& axes : rolling_axes(m, p)) stop_axes(m, axes, l);
  leave_out_motions(near.inputs(), l);
  const NullSpace positions = null_space(to_sparse(holonomic_rows(m, l.F))),
                  velocities = null_space(to_sparse(l.G));
  tell_of_rank(positions, l), tell_of_rank(velocities, l);
  const Mat T = with_joint_coordinates(Mat(map(positions.T)), choice.x),
            T_u = with_joint_coordinates(Mat(map(velocities.T)), choice.u);
  const Mat G = map(l.G), M = map(l.M), N = map(l.N), E = map(l.E), Tt = T_u.transpose();
  const Mat K = cleaned_rows(map(l.K), largest_of_rows(map(l.K))),
            D = cleaned_rows(map(l.D), largest_of_rows(map(l.D))),
            H = cleaned_rows(map(l.H), largest_of_rows(G) * max_abs(p.u));
  const Mat back = LeastSquares(G, dependent).pseudo_inverse();
  const auto size = [](const Mat& A) { return Mat(A.cwiseAbs()); };
  const Mat T_uy = cleaned(-(back * (H * T)), size(back) * (size(H) * size(T)));  // (1)
  const Mat rates_z = N * T_u,
            rates_y = cleaned(N * T_uy + E * T, size(N) * size(T_uy) + size(E) * size(T));
  const Mat N_own = rates_z(choice.x, Eigen::all), E_own = rates_y(choice.x, Eigen::all);  // (2)

  const Mat MT = M * T_uy, y_a = map(l.y_a);
  l.K = from_eigen(cleaned(
      Tt * (K * T + D * T_uy + MT * E_own),  // (3)
      size(Tt) * (size(K) * size(T) + size(D) * size(T_uy) + size(M) * size(T_uy) * size(E_own))));
  l.D = from_eigen(cleaned(Tt * (D * T_u + MT * N_own),
                           size(Tt) * (size(D) * size(T_u) + size(M) * size(T_uy) * size(N_own))));
  l.M = from_eigen(Tt * M * T_u);
  l.y_x = from_eigen(map(l.y_x) * T + map(l.y_u) * T_uy + y_a * T_uy * E_own);
  l.y_u = from_eigen(map(l.y_u) * T_u + y_a * T_uy * N_own);
  l.y_a = from_eigen(y_a * T_u);
  l.s_x = from_eigen(map(l.s_x) * T + map(l.s_u) * T_uy);
  l.s_u = from_eigen(map(l.s_u) * T_u);
  project_rows(T_u, l);
  l.T = from_eigen(T), l.T_u = from_eigen(T_u), l.T_uy = from_eigen(T_uy);
  l.N = from_eigen(N_own), l.E = from_eigen(E_own);
  take_names(choice, l);
  return l;
}

/// The multipliers that hold a point best.
void hold(const Mechanism& m, OperatingPoint& p) {
  p.lambda.clear();
  const LinearModel free = open_model(m, p);
  const Mat Gt = Mat(map(free.G)).transpose();
  const Eigen::VectorXd lambda =
      LeastSquares(Gt, dependent).solve(map(std::span<const double>(free.out_of_balance)));
  p.lambda.assign(lambda.data(), lambda.data() + lambda.size());
}

/// The point some way along its motion, spins of disks left out.
OperatingPoint later(const Mechanism& m, const OperatingPoint& p, const Neighbourhood& near) {
  const ChartRates rates = near.chart_rates();
  std::vector<double> way(m.nx, 0.0);
  for (int i = 0; i < m.nx; ++i)
    for (int j = 0; j < m.nu; ++j) way[i] += rates.N(i, j) * p.u[j];
  for (const RollingAxes& axes : rolling_axes(m, p))
    for (int k = 0; k < 3; ++k) way[m.x0[axes.body] + k] -= axes.spin[k];
  const double most = max_abs(way);
  for (double& x : way) x *= most > 0 ? look_ahead / most : 0;
  OperatingPoint there = p;
  there.q = moved(m, p.q, way);
  keep_steady(m, there), hold(m, there);
  return there;
}

/// Refuses if the linear model differs later in the motion.
void check_steady(const Mechanism& m, const OperatingPoint& p, const LinearModel& here,
                  Neighbourhood& near, Choice choice) {
  if (max_abs(p.u) == 0) return;
  const OperatingPoint p_there = later(m, p, near);
  Neighbourhood near_there(m, p_there);
  const LinearModel there = close_in_motion(m, p_there, open_model(m, p_there), near_there, choice);
  const auto compare = [&](const Matrix& A, const Matrix& B, const char* what) {
    const double limit = steady * std::max(max_abs(A.values), max_abs(B.values));
    double change = A.rows != B.rows || A.cols != B.cols ? INFINITY : 0;
    for (size_t i = 0; i < std::min(A.values.size(), B.values.size()); ++i)
      change = std::max(change, std::fabs(A.values[i] - B.values[i]));
    if (change > limit)
      throw refused("not-steady",
                    fmt::format("{} changes by {:.3g} (limit {:.1e}) where the mechanism moves on: "
                                "there are no modes about a motion that is not steady",
                                what, change, limit),
                    "what spins must be round, in mass and in shape, and have a joint of its own "
                    "about its axis; slopes and turns must look the same all along");
  };
  compare(here.T_u, there.T_u, "which velocities are possible");
  compare(here.M, there.M, "the mass matrix");
  compare(here.K, there.K, "the stiffness matrix");
  compare(here.D, there.D, "the matrix of damping and gyroscopic terms");
}

/// Of what rolls or moves in loops, in a motion that is steady.
LinearModel move_on(const Mechanism& m, OperatingPoint p) {
  keep_steady(m, p), hold(m, p);
  Neighbourhood near(m, p);
  Choice choice;
  const LinearModel closed = close_in_motion(m, p, open_model(m, p), near, choice);
  check_steady(m, p, closed, near, choice);
  return closed;
}

}  // namespace

LinearModel linearize(const Mechanism& m, const OperatingPoint& point) {
  if (!m.has_loops()) return tree_model(m, point);
  OperatingPoint p = point;
  if (p.lambda.empty()) hold(m, p);
  LinearModel open = open_model(m, p);
  Neighbourhood near(m, p);
  const double length = near.loop_length();
  check_closed(m, open, length);
  if (is_carried(m, p, open, length)) return close_at_rest(m, std::move(open), near);
  check_speeds(m, p, open, length);
  return move_on(m, p);
}

}  // namespace sarrus
