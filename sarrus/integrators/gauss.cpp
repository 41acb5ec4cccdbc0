// Gauss methods with one, two and three stages: midpoint, gauss4, gauss6. Fixed step, order 2, 4,
// 6; symmetric, and symplectic in (q, p).
//
//   Z_i = h Σ_j a_ij f(t + c_j h, y₀ + Z_j)                                                 (1)
//   y₁  = y₀ + h Σ_j b_j f(t + c_j h, y₀ + Z_j)                                             (2)
//
//   s = 1   1/2 | 1/2        s = 2   1/2 − √3/6 |     1/4      1/4 − √3/6
//           ----|----                1/2 + √3/6 | 1/4 + √3/6       1/4
//               |  1                 -----------|------------------------
//                                               |     1/2          1/2
//
//   s = 3   1/2 − √15/10 |      5/36       2/9 − √15/15   5/36 − √15/30
//               1/2      | 5/36 + √15/24       2/9        5/36 − √15/24
//           1/2 + √15/10 | 5/36 + √15/30   2/9 + √15/15       5/36
//           -------------|--------------------------------------------
//                        |      5/18           4/9            5/18
//
// Newton takes one Jacobian J = ∂f/∂y for all stages, 1 − h A ⊗ J, and (2) then follows from Z
// itself, y₁ = y₀ + Σ d_i Z_i with dᵀ = bᵀ A⁻¹, which keeps the digits of a stiff step.
// Each coefficient is kept as a double and what is missing to it: rounded coefficients are not
// quite symplectic, and 10⁷ steps would show it. Quadratures follow from the stages.
// [Butcher 1964], [Hairer, Lubich, Wanner 2006, II.1.3, VI.4, VIII.6], docs/theory/integrators.md
#include <cmath>

#include "sarrus/integrators/implicit_step.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

struct Coefficient {
  double value = 0, rest = 0;
  Coefficient() = default;
  Coefficient(long double x)
      : value(static_cast<double>(x)), rest(static_cast<double>(x - value)) {}
};

struct Tableau {
  const char* name;
  size_t stages;
  double c[3];
  Coefficient a[3][3], b[3];
  double d[3];
};

const long double r3 = std::sqrt(3.0L), r15 = std::sqrt(15.0L);

const Tableau one_stage = {"midpoint", 1, {0.5}, {{0.5L}}, {1.0L}, {2}};
const Tableau two_stages = {
    "gauss4",
    2,
    {static_cast<double>(0.5L - r3 / 6), static_cast<double>(0.5L + r3 / 6)},
    {{0.25L, 0.25L - r3 / 6}, {0.25L + r3 / 6, 0.25L}},
    {0.5L, 0.5L},
    {static_cast<double>(-r3), static_cast<double>(r3)}};
const Tableau three_stages = {
    "gauss6",
    3,
    {static_cast<double>(0.5L - r15 / 10), 0.5, static_cast<double>(0.5L + r15 / 10)},
    {{5 / 36.0L, 2 / 9.0L - r15 / 15, 5 / 36.0L - r15 / 30},
     {5 / 36.0L + r15 / 24, 2 / 9.0L, 5 / 36.0L - r15 / 24},
     {5 / 36.0L + r15 / 30, 2 / 9.0L + r15 / 15, 5 / 36.0L}},
    {5 / 18.0L, 4 / 9.0L, 5 / 18.0L},
    {5 / 3.0, -4 / 3.0, 5 / 3.0}};

class Gauss final : public ImplicitStep {
 public:
  Gauss(const Tableau& tableau, const IntegratorOptions& options)
      : ImplicitStep(options), tableau_(tableau), s_(tableau.stages) {}
  std::string_view name() const override { return tableau_.name; }
  int order() const override { return static_cast<int>(2 * s_); }
  std::vector<Diagnostic> suits(const Ode& ode) const override {
    return symplectic_notes(*this, ode);
  }

  void start(Ode& ode, double t, std::span<const double> y) override {
    ImplicitStep::start(ode, t, y);
    Z_.assign(s_ * active_, 0);
    reserve_unknowns(Z_.size());
    f_.assign(s_ * y.size(), 0);
    for (std::vector<double>* v : {&at_, &middle_, &moved_}) v->assign(y.size(), 0);
    J_.resize(static_cast<Eigen::Index>(active_), static_cast<Eigen::Index>(active_));
  }

 private:
  std::span<double> rate(size_t stage) { return {f_.data() + stage * y0_.size(), y0_.size()}; }

  /// h Σ_j w_j f_j for one entry, the missing digits of the weights included.
  double weighted(const Coefficient* w, size_t entry, double h) const {
    double sum = 0, rest = 0;
    for (size_t j = 0; j < s_; ++j) {
      const double f = f_[j * y0_.size() + entry];
      sum += w[j].value * f;
      rest += w[j].rest * f;
    }
    return h * (sum + rest);
  }

  bool advance_implicit(Ode& ode, double t, double h, StepResult& result) override {
    for (size_t i = 0; i < s_; ++i)
      for (size_t e = 0; e < active_; ++e)
        Z_[i * active_ + e] = uses_newton() ? 0 : tableau_.c[i] * h * f0_[e];
    const auto map = [&](std::span<const double> Z, std::span<double> G) {
      if (!evaluate_stages(ode, t, h, Z, result)) return false;
      for (size_t i = 0; i < s_; ++i)
        for (size_t e = 0; e < active_; ++e)
          G[i * active_ + e] = weighted(tableau_.a[i], e, h);  // (1)
      return true;
    };
    const auto jacobian = [&](std::span<const double> Z, std::span<const double>,
                              Eigen::MatrixXd& matrix) {
      return stage_matrix(ode, t, h, Z, matrix, result);
    };
    if (!solve(
            Z_, map, jacobian, [&](size_t i) { return i % active_; }, result))
      return false;

    for (size_t e = 0; e < y0_.size(); ++e) delta_[e] = weighted(tableau_.b, e, h);  // (2)
    if (uses_newton())
      for (size_t e = 0; e < active_; ++e) {
        delta_[e] = 0;
        for (size_t i = 0; i < s_; ++i) delta_[e] += tableau_.d[i] * Z_[i * active_ + e];
      }
    return true;
  }

  bool evaluate_stages(Ode& ode, double t, double h, std::span<const double> Z,
                       StepResult& result) {
    std::copy(y0_.begin(), y0_.end(), at_.begin());
    for (size_t i = 0; i < s_; ++i) {
      for (size_t e = 0; e < active_; ++e) at_[e] = y0_[e] + Z[i * active_ + e];
      if (!evaluate(ode, t + tableau_.c[i] * h, at_, rate(i), result)) return false;
    }
    return true;
  }

  /// 1 − h A ⊗ J with J by differences at the mean of the stages.
  bool stage_matrix(Ode& ode, double t, double h, std::span<const double> Z,
                    Eigen::MatrixXd& matrix, StepResult& result) {
    std::copy(y0_.begin(), y0_.end(), at_.begin());
    for (size_t e = 0; e < active_; ++e)
      for (size_t i = 0; i < s_; ++i) at_[e] += Z[i * active_ + e] / static_cast<double>(s_);
    if (!evaluate(ode, t + h / 2, at_, middle_, result)) return false;
    for (size_t j = 0; j < active_; ++j) {
      const double y = at_[j];
      at_[j] = y + difference_step(j, y);
      const double d = at_[j] - y;
      const bool done = evaluate(ode, t + h / 2, at_, moved_, result);
      at_[j] = y;
      if (!done) return false;
      for (size_t i = 0; i < active_; ++i)
        J_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            (moved_[i] - middle_[i]) / d;
    }
    const Eigen::Index n = J_.rows(), s = static_cast<Eigen::Index>(s_);
    matrix.setIdentity();
    for (Eigen::Index i = 0; i < s; ++i)
      for (Eigen::Index j = 0; j < s; ++j)
        matrix.block(i * n, j * n, n, n) -= h * tableau_.a[i][j].value * J_;
    return true;
  }

  const Tableau& tableau_;
  size_t s_;
  std::vector<double> Z_, f_, at_, middle_, moved_;
  Eigen::MatrixXd J_;
};

}  // namespace

std::unique_ptr<Integrator> make_midpoint(const IntegratorOptions& options) {
  return std::make_unique<Gauss>(one_stage, options);
}
std::unique_ptr<Integrator> make_gauss4(const IntegratorOptions& options) {
  return std::make_unique<Gauss>(two_stages, options);
}
std::unique_ptr<Integrator> make_gauss6(const IntegratorOptions& options) {
  return std::make_unique<Gauss>(three_stages, options);
}

}  // namespace sarrus
