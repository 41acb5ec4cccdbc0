#include "sarrus/linear/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "sarrus/linear/model_eigen.hpp"
#include "sarrus/run/watch/deflection_watch.hpp"

namespace sarrus {
namespace {

constexpr double unbalanced = 1e-7;  // of the largest force
constexpr double beside = 1e-13;     // [m] or [rad]: this close counts as an equilibrium
constexpr size_t most_coordinates = 6;

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

/// A x + B y of columns.
std::vector<double> combined(const Matrix& A, std::span<const double> x, const Matrix& B,
                             std::span<const double> y) {
  std::vector<double> sum(A.rows, 0.0);
  for (int i = 0; i < A.rows; ++i) {
    for (int j = 0; j < A.cols; ++j) sum[i] += A(i, j) * x[j];
    for (int j = 0; j < B.cols; ++j) sum[i] += B(i, j) * y[j];
  }
  return sum;
}

void put(const std::vector<double>& values, const std::vector<int>& where,
         std::vector<double>& to) {
  for (size_t i = 0; i < where.size(); ++i) to[where[i]] = values[i];
}

/// The k-th shape in everything that is free in the tree: (2) of linearize.hpp.
Mode mode_of(const Mechanism& m, const LinearModel& l, const ModelEigen& eigen, int k) {
  Mode mode;
  mode.re.assign(m.nx, 0.0), mode.im = mode.re;
  mode.u_re.assign(m.nu, 0.0), mode.u_im = mode.u_re;
  mode.value = eigen.values[k], mode.error = eigen.error[k], mode.zero = eigen.zero[k];
  const auto spread = [&](std::span<const double> y, std::span<const double> z,
                          std::vector<double>& positions, std::vector<double>& velocities) {
    if (l.T.rows == 0 && l.T_u.rows == 0)
      return put({y.begin(), y.end()}, l.x, positions), put({z.begin(), z.end()}, l.u, velocities);
    put(combined(l.T, y, {}, {}), l.x, positions);
    put(combined(l.T_u, z, l.T_uy, y), l.u, velocities);
  };
  spread(eigen.x_re.column(k), eigen.u_re.column(k), mode.re, mode.u_re);
  spread(eigen.x_im.column(k), eigen.u_im.column(k), mode.im, mode.u_im);
  normalise(mode);
  return mode;
}

/// φ of the velocity that the model calls by its i-th name.
double own_entry(const Mechanism& m, const LinearModel& l, const std::vector<double>& phi,
                 size_t i) {
  if (l.T.rows == 0) return phi[l.u[i]];
  for (const int u : l.u)
    if (m.velocity_name(u) == l.velocity_names[i]) return phi[u];
  return 0;
}

void take_part(const Mechanism& m, const OperatingPoint& p, const LinearModel& l, Mode& mode) {
  // positions where there are as many as velocities, otherwise velocities
  const bool by_positions = l.x.size() == l.u.size() && l.N.rows == l.N.cols;
  std::vector<double> phi(m.nu, 0.0);
  for (size_t i = 0; i < l.u.size(); ++i)
    phi[l.u[i]] = by_positions ? mode.re[l.x[i]] : mode.u_re[l.u[i]];
  mode.energy = energy_shares(m, p, phi);
  if (!by_positions) mode.energy.potential.clear();
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
  double worst = 0;
  bool damped = true, free = false;
  for (size_t i = 0; i < found.modes.size(); ++i) {
    const Mode& mode = found.modes[i];
    free = free || mode.zero;
    if (mode.zero) continue;
    damped = damped && mode.value.re < -mode.error;
    if (mode.value.re > std::max(worst, mode.error))
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

ModelModes modes_about(const Mechanism& m, const OperatingPoint& p) {
  ModelModes found;
  found.point = p;
  found.notes = check_deformation(m, p.t, p.q);
  found.model = linearize(m, p);
  found.notes.insert(found.notes.end(), found.model.notes.begin(), found.model.notes.end());
  found.space = state_space(found.model);
  const double off = max_abs(found.model.out_of_balance);
  if (off > unbalanced * found.model.force_scale && off > beside * max_abs(found.model.K.values))
    found.notes.push_back(
        {.severity = Severity::warning,
         .code = "not-in-balance",
         .element = "modes",
         .message = fmt::format("the point is out of balance by {:.3g}, {:.1e} of the "
                                "largest force: the motion leaves it "
                                "by itself",
                                off, off / found.model.force_scale),
         .hint = "modes about an equilibrium: --about equilibrium"});
  const ModelEigen eigen = model_eigen(found.model, found.space);
  found.real = eigen.real;
  for (size_t k = 0; k < eigen.values.size(); ++k) {
    found.modes.push_back(mode_of(m, found.model, eigen, static_cast<int>(k)));
    take_part(m, p, found.model, found.modes.back());
  }
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
