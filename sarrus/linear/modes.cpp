#include "sarrus/linear/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "sarrus/numerics/dense_modes.hpp"
#include "sarrus/run/watch/deflection_watch.hpp"

namespace sarrus {
namespace {

constexpr double symmetric = 1e-10;  // of the largest entry
constexpr double unbalanced = 1e-7;  // of the largest force
constexpr double grows = 1e-7;   // of |λ| itself: a double root is exact to the root of rounding
constexpr double noise = 1e-11;  // of the largest |λ|
constexpr double defective_zero = 3e-8;  // of the largest |λ|: root of rounding
constexpr size_t most_coordinates = 6;

double largest_difference(const Matrix& A) {
  double most = 0;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < i; ++j) most = std::max(most, std::fabs(A(i, j) - A(j, i)));
  return most;
}

/// Neither damping nor gyroscopic terms, and forces from a potential.
bool is_conservative(const LinearModel& l) {
  if (!l.second_order()) return false;
  const double k = max_abs(l.K.values), m = max_abs(l.M.values);
  return max_abs(l.D.values) <= 1e-12 * std::sqrt(std::max(k * m, 1e-300)) &&
         largest_difference(l.K) <= symmetric * k;
}

/// The shape with its largest entry 1 and real.
void normalise(Mode& mode) {
  std::complex<double> largest = 0;
  for (const auto* part : {&mode.re, &mode.u_re}) {
    const std::vector<double>& imaginary = part == &mode.re ? mode.im : mode.u_im;
    for (size_t i = 0; i < part->size(); ++i)
      if (const std::complex<double> z{(*part)[i], imaginary[i]};
          std::abs(z) > (1 + 1e-9) * std::abs(largest))
        largest = z;
    if (std::abs(largest) > 0) break;
  }
  if (std::abs(largest) == 0) return;
  const auto divide = [&](std::vector<double>& re, std::vector<double>& im) {
    for (size_t i = 0; i < re.size(); ++i) {
      const std::complex<double> z = std::complex<double>(re[i], im[i]) / largest;
      re[i] = z.real(), im[i] = z.imag();
    }
  };
  divide(mode.re, mode.im), divide(mode.u_re, mode.u_im);
}

/// δ of everything free in the tree, from the model's own coordinates.
std::vector<double> spread(const LinearModel& l, const std::vector<double>& own) {
  if (l.T.rows == 0) return own;
  std::vector<double> all(l.T.rows, 0.0);
  for (int i = 0; i < l.T.rows; ++i)
    for (int j = 0; j < l.T.cols; ++j) all[i] += l.T(i, j) * own[j];
  return all;
}

void put(const std::vector<double>& values, const std::vector<int>& where,
         std::vector<double>& to) {
  for (size_t i = 0; i < where.size(); ++i) to[where[i]] = values[i];
}

Mode empty_mode(const Mechanism& m) {
  Mode mode;
  mode.re.assign(m.nx, 0.0), mode.im = mode.re;
  mode.u_re.assign(m.nu, 0.0), mode.u_im = mode.u_re;
  return mode;
}

/// (2): λ = ±iω, or ±√−ω².
void real_modes(const Mechanism& m, ModelModes& found) {
  const LinearModel& l = found.model;
  const DenseModes dense = dense_modes(symmetric_part(l.M), symmetric_part(l.K));
  if (!dense.ok) return;
  found.real = true;
  for (int j = 0; j < static_cast<int>(dense.lambda.size()); ++j) {
    Mode mode = empty_mode(m);
    const double x = dense.lambda[j], w = std::sqrt(std::fabs(x));
    mode.value = {x < 0 ? w : 0, x < 0 ? 0 : w, w, x < 0 ? -1.0 : 0.0};
    mode.zero = x == 0;
    const auto column = dense.vectors.column(j);
    const std::vector<double> shape = spread(l, {column.begin(), column.end()});
    put(shape, l.x, mode.re), put(shape, l.u, mode.u_re);
    normalise(mode);
    found.modes.push_back(std::move(mode));
  }
}

/// (1)
void complex_modes_of(const Mechanism& m, ModelModes& found) {
  const LinearModel& l = found.model;
  const GeneralEigen eigen = general_eigen(found.space.A);
  if (!eigen.ok)
    throw Error(Fault::numerics, Diagnostic{Severity::error,
                                            "no-modes",
                                            {},
                                            "modes",
                                            "the eigenvalues of the linear model do not converge",
                                            "",
                                            "",
                                            ""});
  std::vector<int> which;
  const std::vector<ComplexMode> values = complex_modes(eigen, &which);
  double largest = 0;
  for (const ComplexMode& c : values) largest = std::max(largest, c.omega);
  const int nx = l.N.rows, nu = l.M.rows;
  for (size_t k = 0; k < values.size(); ++k) {
    Mode mode = empty_mode(m);
    mode.value = values[k];
    mode.zero = values[k].omega <= defective_zero * largest;
    const auto part = [&](const Matrix& x, int from, int count) {
      std::vector<double> own;
      for (int i = 0; i < count; ++i) own.push_back(x(from + i, which[k]));
      return spread(l, own);
    };
    put(part(eigen.x_re, 0, nx), l.x, mode.re), put(part(eigen.x_im, 0, nx), l.x, mode.im);
    put(part(eigen.x_re, nx, nu), l.u, mode.u_re), put(part(eigen.x_im, nx, nu), l.u, mode.u_im);
    normalise(mode);
    found.modes.push_back(std::move(mode));
  }
}

/// φ of the velocity that the model calls by its i-th name.
double own_entry(const Mechanism& m, const LinearModel& l, const std::vector<double>& phi,
                 size_t i) {
  if (l.T.rows == 0) return phi[l.u[i]];
  for (const int u : l.u)
    if (m.velocity_name(u) == l.velocity_names[i]) return phi[u];
  return 0;
}

void take_part(const Mechanism& m, const OperatingPoint& p, const LinearModel& l,
               const std::vector<std::string>& forces, Mode& mode) {
  // positions where the chart has as many entries as u, otherwise velocities
  std::vector<double> phi(m.nu, 0.0);
  for (size_t i = 0; i < l.u.size(); ++i)
    phi[l.u[i]] = l.x.size() == l.u.size() ? mode.re[l.x[i]] : mode.u_re[l.u[i]];
  mode.energy = energy_shares(m, p, phi, forces);
  // by the model's own velocities: with loops, those that were chosen among the tree's
  std::vector<double> own;
  for (size_t i = 0; i < l.velocity_names.size(); ++i) own.push_back(own_entry(m, l, phi, i));
  double whole = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    double Mphi = 0;
    for (size_t j = 0; j < own.size(); ++j)
      Mphi += l.M(static_cast<int>(i), static_cast<int>(j)) * own[j];
    whole += own[i] * Mphi;
    mode.coordinates.emplace_back(l.velocity_names[i], own[i] * Mphi);
  }
  for (auto& [name, share] : mode.coordinates) share = whole > 0 ? share / whole : 0;
  std::stable_sort(
      mode.coordinates.begin(), mode.coordinates.end(),
      [](const auto& a, const auto& b) { return std::fabs(a.second) > std::fabs(b.second); });
  if (mode.coordinates.size() > most_coordinates) mode.coordinates.resize(most_coordinates);
}

void judge(ModelModes& found) {
  double largest = 0;
  for (const Mode& mode : found.modes) largest = std::max(largest, mode.value.omega);
  double worst = 0;
  bool damped = true, free = false;
  for (size_t i = 0; i < found.modes.size(); ++i) {
    const Mode& mode = found.modes[i];
    free = free || mode.zero;
    if (mode.zero) continue;
    const double nothing = found.real ? 0 : std::max(grows * mode.value.omega, noise * largest);
    damped = damped && mode.value.re < -nothing;
    if (mode.value.re > std::max(worst, nothing))
      worst = mode.value.re, found.cause = static_cast<int>(i);
  }
  if (found.cause >= 0)
    found.stability =
        found.modes[found.cause].value.im != 0 ? Stability::flutter : Stability::divergence;
  else
    found.stability = free ? Stability::neutral : damped ? Stability::stable : Stability::undamped;
}

}  // namespace

const char* to_text(Stability s) {
  switch (s) {
    case Stability::stable: return "stable";
    case Stability::undamped: return "stable, undamped";
    case Stability::neutral: return "neutral";
    case Stability::divergence: return "divergence";
    case Stability::flutter: return "flutter";
  }
  return "";
}

ModelModes modes_about(const Mechanism& m, const OperatingPoint& p,
                       const std::vector<std::string>& forces) {
  ModelModes found;
  found.point = p;
  found.notes = check_deformation(m, p.t, p.q);
  found.model = linearize(m, p, forces);
  found.notes.insert(found.notes.end(), found.model.notes.begin(), found.model.notes.end());
  found.space = state_space(found.model);
  const double off = max_abs(found.model.out_of_balance);
  if (off > unbalanced * found.model.force_scale)
    found.notes.push_back({Severity::warning,
                           "not-in-balance",
                           {},
                           "modes",
                           fmt::format("the point is out of balance by {:.3g}, {:.1e} of the "
                                       "largest force: the motion leaves it "
                                       "by itself",
                                       off, off / found.model.force_scale),
                           "modes about an equilibrium: --about equilibrium",
                           "",
                           ""});
  if (is_conservative(found.model)) real_modes(m, found);
  if (!found.real) complex_modes_of(m, found);
  for (Mode& mode : found.modes) take_part(m, p, found.model, forces, mode);
  judge(found);
  return found;
}

std::string verdict(const ModelModes& found) {
  if (found.modes.empty()) return "nothing can move";
  switch (found.stability) {
    case Stability::stable: return "stable: every mode decays";
    case Stability::undamped: return "stable, but not every mode decays";
    case Stability::neutral: return "neutral: there are motions that cost nothing";
    default: break;
  }
  const Mode& mode = found.modes[found.cause];
  return fmt::format("unstable: {} of mode {}, which grows e-fold in {:.6g} s",
                     to_text(found.stability), found.cause + 1, 1 / mode.value.re);
}

}  // namespace sarrus
