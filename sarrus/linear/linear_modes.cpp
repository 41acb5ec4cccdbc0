#include "sarrus/linear/linear_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/numerics/bounded_eigen.hpp"
#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {
namespace {

constexpr int most_sparse_modes = 1000;
constexpr int default_sparse_modes = 20;

Diagnostic note(Severity severity, const char* code, const std::string& message,
                const std::string& hint = "") {
  return {.severity = severity, .code = code, .element = "modes", .message = message, .hint = hint};
}

Error failed(const std::string& message, const std::string& hint) {
  return {Fault::numerics,
          Diagnostic{.code = "no-modes", .element = "modes", .message = message, .hint = hint}};
}

void by_full_matrices(const Reduction& r, LinearModes& m) {
  const DenseModes found =
      dense_modes(symmetric_part(to_dense(r.M)), symmetric_part(to_dense(r.K)));
  if (!found.ok)
    throw failed("the mass matrix of the independent coordinates is not positive definite",
                 "check the masses");
  m.lambda = found.lambda;
  m.vectors = found.vectors;
  m.rigid = found.rigid;
  m.method = "full matrices";
}

void by_lanczos(const Reduction& r, int wanted, bool count, LinearModes& m) {
  LanczosResult found = lowest_modes(r.M, r.K, {.modes = wanted, .count = count});
  if (!found.converged) throw failed(found.problem, "ask for fewer modes");
  if (!found.problem.empty())
    m.notes.push_back(note(Severity::warning, "few-modes", found.problem));
  m.lambda = found.lambda;
  m.vectors = std::move(found.vectors);
  const double zero = 1e-9 * (m.lambda.empty() ? 0 : std::fabs(m.lambda.back()));
  for (double& x : m.lambda)
    if (std::fabs(x) <= std::max(zero, 1e-7 * std::fabs(found.shift))) x = 0, ++m.rigid;
  m.all = m.size() == r.freedoms();
  m.method =
      fmt::format("block Lanczos about {:.6g} rad²/s², {} solves", found.shift, found.solves);
  if (count && found.counted >= 0) {
    const auto below = std::count_if(m.lambda.begin(), m.lambda.end(),
                                     [&](double x) { return x < found.counted_at; });
    if (below != found.counted)
      m.notes.push_back(
          note(Severity::warning, "missing-modes",
               fmt::format("{} modes lie below {:.6g} rad/s, {} were found", found.counted,
                           std::sqrt(std::max(0.0, found.counted_at)), below),
               "ask for a few more modes"));
  }
  m.lanczos = std::move(found);
}

/// No damping, only gyroscopic terms.
bool is_skew(const Matrix& D) {
  double most = 0;
  for (int i = 0; i < D.rows; ++i)
    for (int j = 0; j <= i; ++j) most = std::max(most, std::fabs(D(i, j) + D(j, i)));
  return most <= 1e-12 * max_abs(D.values);
}

/// (2), within the modes found.
void damp(const Reduction& r, LinearModes& m) {
  const int k = m.size();
  m.D = transposed_multiply(m.vectors, multiply(r.D, m.vectors));
  const ModalForm form = modal_form(m.lambda, m.D);
  const bool keeps_energy = is_skew(m.D) && k > 0 && m.lambda.front() > 0;
  const BoundedEigen eigen = keeps_energy ? skew_eigen(form.A) : bounded_eigen(form.A);
  if (!eigen.ok) throw failed("the damped modes do not converge", "");
  std::vector<int> which;
  for (size_t i = 0; i < eigen.re.size(); ++i) {
    if (eigen.im[i] < 0) continue;
    const double re = eigen.re[i], im = eigen.im[i], size = std::hypot(re, im);
    m.damped.push_back({re, im, size, size > 0 ? -re / size : 0});
    which.push_back(static_cast<int>(i));
  }
  Matrix re(k, static_cast<int>(which.size())), im = re;
  for (size_t c = 0; c < which.size(); ++c)
    for (int i = 0; i < k; ++i) {
      re(i, static_cast<int>(c)) = eigen.x_re(i, which[c]) / form.scale[i];
      im(i, static_cast<int>(c)) = eigen.x_im(i, which[c]) / form.scale[i];
    }
  m.damped_re = multiply(m.shapes, re);
  m.damped_im = multiply(m.shapes, im);
}

}  // namespace

double LinearModes::omega(int i) const { return std::sqrt(std::fabs(lambda[i])); }

LinearModes linear_modes(const LinearSystem&, const Reduction& r, const ModeOptions& o) {
  LinearModes m;
  const int n = r.freedoms();
  if (n == 0) return m;
  const bool full = n <= most_full_modes;
  int wanted = o.modes > 0 ? o.modes : full ? n : default_sparse_modes;
  if (wanted > n) {
    m.notes.push_back(note(Severity::warning, "few-modes",
                           fmt::format("{} modes are asked for, the system has {}", wanted, n)));
    wanted = n;
  }
  if (!full && wanted > most_sparse_modes)
    throw Error(Fault::usage,
                Diagnostic{.code = "too-many-modes",
                           .element = "--modes",
                           .message = fmt::format("{} modes of {} degrees of freedom; beyond {} "
                                                  "degrees of freedom at most {} are computed",
                                                  wanted, n, most_full_modes, most_sparse_modes),
                           .value = std::to_string(wanted),
                           .limit = std::to_string(most_sparse_modes)});
  if (full)
    by_full_matrices(r, m);
  else
    by_lanczos(r, wanted, o.count, m);
  if (full && wanted < n) {
    m.lambda.resize(wanted);
    m.vectors = from_eigen(map(m.vectors).leftCols(wanted));
    m.rigid = std::min(m.rigid, wanted);
    m.all = false;
  }
  m.shapes = multiply(r.T, m.vectors);
  if (!r.D.empty()) damp(r, m);
  return m;
}

}  // namespace sarrus
