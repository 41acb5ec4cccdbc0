#include "sarrus/linear/reduction.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "sarrus/numerics/dense/eigenvalues.hpp"
#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/dense/svd.hpp"
#include "sarrus/numerics/dense/triangular.hpp"
#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {
namespace {

constexpr double asymmetry_allowed = 1e-9;  // of the largest entry
constexpr double no_mass = 1e-13;           // of the largest mass: rounding
constexpr double dependent_choice = 1e-8;
constexpr double defect_allowed = 1e-9;  // of the largest |d|
constexpr size_t most_terms = 12;        // of a sum in words

Diagnostic fault(const char* code, const std::string& file, const std::string& element,
                 const std::string& message, const std::string& hint = "") {
  return {
      .code = code, .where = {file, 0, 0}, .element = element, .message = message, .hint = hint};
}

void check_square(const LinearSystem& s, const SparseMatrix& A, const std::string& file,
                  const char* what, bool symmetric, Diagnostics& found) {
  const int P = s.size();
  if (A.rows != A.cols || A.rows != P) {
    found.add(fault("wrong-shape", file, what,
                    fmt::format("{} × {}; expected {} × {}", A.rows, A.cols, P, P),
                    "M, K and D have as many rows and columns as there are coordinates"));
    return;
  }
  for (int j = 0; j < A.cols; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k)
      if (!std::isfinite(A.value[k])) {
        found.add(fault("not-finite", file, what,
                        fmt::format("entry ({}, {}) is {}", A.index[k] + 1, j + 1, A.value[k])));
        return;
      }
  if (!symmetric) return;
  const Asymmetry a = asymmetry(A);
  const double most = max_abs(A.value);
  if (a.difference > asymmetry_allowed * most)
    found.add(fault(
        "not-symmetric", file, what,
        fmt::format(
            "entries ({}, {}) and ({}, {}) differ by {:.3g}; at most {:.3g} counts as rounding",
            a.row + 1, a.col + 1, a.col + 1, a.row + 1, a.difference, asymmetry_allowed * most),
        "a symmetric file holds the lower half only"));
}

void check_mass_diagonal(const LinearSystem& s, Diagnostics& found) {
  for (int j = 0; j < s.M.cols; ++j)
    for (int k = s.M.start[j]; k < s.M.start[j + 1]; ++k)
      if (s.M.index[k] == j && s.M.value[k] < 0)
        found.add(fault("indefinite-mass", s.M_file, "mass",
                        fmt::format("the mass of {} is {}", s.coordinate(j), s.M.value[k]),
                        "masses are positive, or zero"));
}

/// (2). Adds names and the condition of the choice.
Eigen::MatrixXd choice(const LinearSystem& s, const ReductionOptions& o, const Eigen::MatrixXd& T,
                       Reduction& r) {
  const Eigen::MatrixXd S = map(o.chosen);
  const Eigen::MatrixXd G = S * T;
  const auto k = G.rows(), n = G.cols();
  const auto [sigma, U, V] = jacobi_svd(G, Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (k > n || sigma[k - 1] < dependent_choice * sigma[0]) {
    std::string names;
    // left null vectors: the combinations of chosen quantities that cannot move
    for (Eigen::Index i = 0; i < k; ++i) {
      double share = 0;
      for (Eigen::Index c = 0; c < k; ++c)
        if (c >= sigma.size() || sigma[c] < dependent_choice * sigma[0])
          share = std::max(share, std::fabs(U(i, c)));
      if (share > 1e-6) names += (names.empty() ? "" : ", ") + o.chosen_names[i];
    }
    throw Error(Fault::physics, fault("dependent-choice", s.C_file, "keep",
                                      fmt::format("these quantities depend on each other under the "
                                                  "constraints: {}; {} degrees of freedom are left",
                                                  names, n),
                                      "choose others, or fewer"));
  }
  r.choice_condition = sigma[0] / sigma[k - 1];
  Eigen::MatrixXd whole(n, n);
  whole << G, V.rightCols(n - k).transpose();
  r.coordinates = o.chosen_names;
  for (Eigen::Index i = k; i < n; ++i) r.coordinates.push_back(fmt::format("rest{}", i - k + 1));
  return T * inverse(whole);
}

void transform(const LinearSystem& s, const ReductionOptions& o, Reduction& r) {
  r.T = r.basis.T;
  r.orthonormal = r.basis.orthonormal;
  for (int i = 0; i < r.T.cols; ++i) r.coordinates.push_back(fmt::format("q{}", i + 1));
  if (o.chosen.rows > 0) {
    r.coordinates.clear();
    r.T = to_sparse(from_eigen(choice(s, o, Eigen::MatrixXd(map(r.T)), r)));
    r.orthonormal = false;
  }
  if (o.H.rows == 0) return;
  if (o.H.rows != r.T.cols || o.H.cols != r.T.cols)
    throw Error(
        Fault::model,
        fault(
            "wrong-shape", "", "transform",
            fmt::format("H is {} × {}; expected {} × {}, one row and column per degree of freedom",
                        o.H.rows, o.H.cols, r.T.cols, r.T.cols)));
  const Eigen::MatrixXd H = map(o.H);
  if (const FullLu lu(H); !lu.is_invertible())
    throw Error(Fault::model, fault("singular-transform", "", "transform",
                                    fmt::format("H has rank {} of {}", lu.rank(), H.rows()),
                                    "independent coordinates need a nonsingular H"));
  r.T = multiply(r.T, o.H);
  r.orthonormal = false;
}

void project(const LinearSystem& s, Reduction& r) {
  r.M = congruence(r.T, s.M);
  r.K = congruence(r.T, s.K);
  if (!s.D.empty()) r.D = congruence(r.T, s.D);
}

/// (3), and the refusal of masses that are negative in some direction.
void settle_mass(const LinearSystem& s, Reduction& r) {
  const int n = r.freedoms();
  if (n == 0 || n > most_dense_columns) return;
  const Eigen::MatrixXd M = Eigen::MatrixXd(map(r.M));
  const Cholesky cholesky(M);
  if (cholesky.ok() &&
      cholesky.diagonal().array().square().minCoeff() > no_mass * M.diagonal().maxCoeff())
    return;
  const EigenPairs eigen = symmetric_eigen(0.5 * (M + M.transpose()));
  const double most = eigen.values.cwiseAbs().maxCoeff();
  if (eigen.values[0] < -no_mass * n * most || most == 0) {
    Eigen::Index where = 0;
    (map(r.T) * eigen.vectors.col(0)).cwiseAbs().maxCoeff(&where);
    throw Error(
        Fault::physics,
        fault("indefinite-mass", s.M_file, "mass",
              fmt::format(
                  "a motion that the constraints allow has the mass {:.3g}, mostly along {}; the "
                  "largest is {:.3g}",
                  eigen.values[0], s.coordinate(static_cast<int>(where)), most),
              "M must be positive on every motion that C allows"));
  }
  const auto zero = (eigen.values.array() <= no_mass * n * most).count();
  if (zero == 0) return;
  const Eigen::MatrixXd V0 = eigen.vectors.leftCols(zero), V1 = eigen.vectors.rightCols(n - zero),
                        K = map(r.K);
  const FullLu K00(V0.transpose() * K * V0);
  if (!K00.is_invertible())
    throw Error(Fault::physics, fault("massless-direction", s.M_file, "mass",
                                      fmt::format("{} directions have neither mass nor stiffness",
                                                  zero - K00.rank()),
                                      "give them a mass, or constrain them"));
  const Eigen::MatrixXd follow = V1 - V0 * K00.solve(V0.transpose() * K * V1);
  r.massless = static_cast<int>(zero);
  r.T = to_sparse(from_eigen(Eigen::MatrixXd(map(r.T)) * follow));
  r.orthonormal = false;
  r.coordinates.clear();
  for (int i = 0; i < r.T.cols; ++i) r.coordinates.push_back(fmt::format("q{}", i + 1));
  r.notes.push_back(
      {.severity = Severity::note,
       .code = "massless-direction",
       .where = {s.M_file, 0, 0},
       .element = "mass",
       .message = fmt::format(
           "{} independent directions have no mass; they follow the others statically", zero)});
  project(s, r);
}

void say_doubts(const LinearSystem& s, Reduction& r) {
  const RankDecision& d = r.basis.decision;
  const auto warn = [&](const char* code, const std::string& message, const std::string& hint) {
    r.notes.push_back({.severity = Severity::warning,
                       .code = code,
                       .where = {s.C_file, 0, 0},
                       .element = "constraints",
                       .message = message,
                       .hint = hint});
  };
  if (const std::string why = doubt(d); !why.empty())
    warn("unclear-rank", fmt::format("rank {} is {}: {}", d.rank, to_text(d.status), why),
         r.basis.second
             ? ""
             : "--second-opinion decides again with 32 digits; --tolerance moves the line");
  if (r.basis.residual > r.basis.residual_limit)
    warn("poor-basis",
         fmt::format("C T is {:.1e} of C and T, more than rounding ({:.1e})", r.basis.residual,
                     r.basis.residual_limit),
         "use --route svd");
  if (r.basis.second && r.basis.second->rank != d.rank)
    warn("second-opinion",
         fmt::format("with 32 digits the rank is {}, not {}", r.basis.second->rank, d.rank),
         "a number of C that is not exact makes both wrong: write it with all its digits");
  if (s.C.rows > 0 && d.rank == 0)
    r.notes.push_back({.severity = Severity::note,
                       .code = "no-constraint",
                       .where = {s.C_file, 0, 0},
                       .element = "constraints",
                       .message = "C has rank 0: nothing is constrained"});
}

}  // namespace

std::string LinearSystem::coordinate(int i) const {
  return coordinates.empty() ? fmt::format("z{}", i + 1) : coordinates[i];
}
std::string LinearSystem::constraint(int i) const {
  return constraints.empty() ? fmt::format("c{}", i + 1) : constraints[i];
}

void check(const LinearSystem& s) {
  Diagnostics found;
  if (s.K.rows != s.K.cols)
    found.add(fault("wrong-shape", s.K_file, "stiffness",
                    fmt::format("{} × {}; expected a square matrix", s.K.rows, s.K.cols)));
  if (s.K.rows == 0)
    found.add(fault("wrong-shape", s.K_file, "stiffness", "there are no coordinates"));
  found.throw_if_errors(Fault::model);
  check_square(s, s.M, s.M_file, "mass", true, found);
  check_square(s, s.K, s.K_file, "stiffness", true, found);
  if (!s.D.empty()) check_square(s, s.D, s.D_file, "damping", false, found);
  if (!s.C.empty() && s.C.cols != s.size())
    found.add(fault("wrong-shape", s.C_file, "constraints",
                    fmt::format("{} columns; expected {}, one per coordinate", s.C.cols, s.size()),
                    s.C.rows == s.size() ? "is the file transposed?" : ""));
  const auto check_names = [&](const std::vector<std::string>& names, int due, const char* what) {
    if (!names.empty() && static_cast<int>(names.size()) != due)
      found.add(
          fault("wrong-shape", "", what, fmt::format("{} names; expected {}", names.size(), due)));
  };
  check_names(s.coordinates, s.size(), "coordinate-names");
  check_names(s.constraints, s.C.rows, "constraint-names");
  found.throw_if_errors(Fault::model);
  check_mass_diagonal(s, found);
  found.throw_if_errors(Fault::physics);
}

std::string in_words(const LinearSystem& s, const Dependency& d) {
  std::string text = s.constraint(d.row) + " =";
  if (d.of.empty()) return text + " 0";
  for (size_t i = 0; i < std::min(d.of.size(), most_terms); ++i) {
    const auto& [row, co] = d.of[i];
    const double size = std::fabs(co);
    text += co < 0 ? (i == 0 ? " −" : " − ") : (i == 0 ? " " : " + ");
    if (std::fabs(size - 1) > 1e-12) text += fmt::format("{:.6g} ", size);
    text += s.constraint(row);
  }
  if (d.of.size() > most_terms) text += fmt::format(" + … ({} terms)", d.of.size());
  return text;
}

std::vector<Diagnostic> contradictions(const LinearSystem& s, const Redundancy& rows,
                                       std::span<const double> d) {
  std::vector<Diagnostic> found;
  const double scale = max_abs(d);
  const auto contradict = [&](int row, double by, const std::string& words) {
    Diagnostic f = fault("contradiction", s.C_file, "constraint/" + s.constraint(row),
                         fmt::format("{}, but the right-hand sides differ by {:.6g}", words, by),
                         "constraints that say the same need the same right-hand side");
    f.value = fmt::format("{}", by);
    found.push_back(std::move(f));
  };
  for (const Dependency& dependency : rows.redundant) {
    double size = std::fabs(d[dependency.row]);
    for (const auto& [row, co] : dependency.of) size = std::max(size, std::fabs(co * d[row]));
    const double by = defect(dependency, d);
    if (std::fabs(by) > defect_allowed * std::max(size, 1e-3 * scale))
      contradict(dependency.row, by, in_words(s, dependency));
  }
  for (const int row : rows.empty)
    if (d[row] != 0) contradict(row, d[row], s.constraint(row) + " has no entry and says 0 = 0");
  return found;
}

std::vector<double> particular_solution(const LinearSystem& s, const Reduction& r,
                                        std::span<const double> d) {
  std::vector<double> z(s.size(), 0.0);
  const std::vector<int>& kept = r.basis.rows.kept;
  if (kept.empty() || max_abs(d) == 0) return z;
  // the rows kept, which are independent: z = Cᵀ(C Cᵀ)⁻¹ d by QR of Cᵀ
  std::vector<Entry> entries;
  std::vector<int> number(s.C.rows, -1);
  for (size_t i = 0; i < kept.size(); ++i) number[kept[i]] = static_cast<int>(i);
  for (int j = 0; j < s.C.cols; ++j)
    for (int k = s.C.start[j]; k < s.C.start[j + 1]; ++k)
      if (const int i = number[s.C.index[k]]; i >= 0) entries.push_back({i, j, s.C.value[k]});
  const SparseMatrix A = to_sparse(static_cast<int>(kept.size()), s.C.cols, entries);
  Eigen::VectorXd rhs(static_cast<Eigen::Index>(kept.size()));
  for (size_t i = 0; i < kept.size(); ++i) rhs[static_cast<Eigen::Index>(i)] = d[kept[i]];
  if (s.C.cols <= most_dense_columns) {
    map(z) = least_squares(map(A), rhs);
  } else {
    const EigenSparse At = map(A).transpose();
    const EigenSparse AAt = map(A) * At;
    const Eigen::SimplicialLDLT<EigenSparse> ldlt(AAt);
    Eigen::VectorXd y = ldlt.solve(rhs);
    y += ldlt.solve(rhs - AAt * y);  // once more for what the square of the condition costs
    map(z) = At * y;
  }
  return z;
}

Reduction reduce(const LinearSystem& s, const ReductionOptions& o) {
  Reduction r;
  SparseMatrix C = s.C.empty() ? SparseMatrix(0, s.size()) : s.C;
  r.basis = null_space(C, o.null_space);
  say_doubts(s, r);
  if (!o.right_side.empty()) {
    const std::vector<Diagnostic> wrong = contradictions(s, r.basis.rows, o.right_side);
    if (!wrong.empty()) throw Error(Fault::physics, wrong);
    r.z_particular = particular_solution(s, r, o.right_side);
  }
  transform(s, o, r);
  project(s, r);
  settle_mass(s, r);
  return r;
}

std::vector<double> coordinates_of(const Reduction& r, std::span<const double> z) {
  if (r.orthonormal) return transposed_multiply(r.T, z);
  std::vector<double> q(r.freedoms());
  if (r.T.rows <= most_dense_columns) {
    map(q) = PivotedQr(map(r.T)).solve(map(z));
    return q;
  }
  const EigenSparse Tt = map(r.T).transpose();
  const EigenSparse TtT = Tt * map(r.T);
  const Eigen::SimplicialLDLT<EigenSparse> ldlt(TtT);
  map(q) = ldlt.solve(Tt * map(z));
  return q;
}

std::vector<double> projected_coordinates(const LinearSystem& s, const Reduction& r,
                                          std::span<const double> z) {
  const std::vector<double> p = transposed_multiply(r.T, multiply(s.M, z));
  std::vector<double> q(p.size());
  const Eigen::SimplicialLDLT<EigenSparse> ldlt(EigenSparse(map(r.M)));
  map(q) = ldlt.solve(map(std::span<const double>(p)));
  return q;
}

Violation violation(const LinearSystem& s, std::span<const double> z, std::span<const double> d) {
  Violation worst;
  if (s.C.empty()) return worst;
  const std::vector<double> r = multiply(s.C, z);
  for (size_t i = 0; i < r.size(); ++i) {
    const double off = std::fabs(r[i] - (d.empty() ? 0 : d[i]));
    if (off > worst.size) worst = {off, static_cast<int>(i)};
  }
  return worst;
}

}  // namespace sarrus
