#include "sarrus/integrators/adaptive_runge_kutta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

constexpr double safety = 0.9;
constexpr double smallest_old_error = 1e-4;  // one lucky step must not make the next too long
constexpr double at_edge = 0.75;             // of the region of stability
constexpr std::int64_t many_held = 500;      // steps: fewer take no time
constexpr int max_cuts = 40;                 // of steps whose stages are not finite

}  // namespace

void AdaptiveRungeKutta::start(Ode& ode, double, std::span<const double>) {
  n_ = static_cast<size_t>(ode.size());
  k_.assign(tableau_.c.size() * n_, 0);
  for (std::vector<double>* v : {&end_, &y0_, &y1_, &ys_, &sum_, &low_}) v->assign(n_, 0);
  dense_.resize(ode.size(), DenseOutput::hermite_rows + static_cast<int>(tableau_.dense.size()));
  scale_.start(ode, options_.rtol, options_.atol, options_.units);
  has_end_ = false;
  h_ = options_.step;
  error_old_ = smallest_old_error;
  output_from_ = -std::numeric_limits<double>::infinity();
}

std::vector<Diagnostic> AdaptiveRungeKutta::remarks(const Ode&) const {
  if (held_ < many_held || 2 * held_ < steps_) return {};
  return {{.severity = Severity::note,
           .code = "held-by-stability",
           .element = fmt::format("integrator/{}", name()),
           .message = fmt::format(
               "{:.0f} % of the {} steps were as short as stability demands, not "
               "rtol: something answers with a rate of {:.2g} 1/s",
               100.0 * static_cast<double>(held_) / static_cast<double>(steps_), steps_, fastest_),
           .hint = "integrator = \"auto\" changes to an implicit method where that is cheaper",
           .value = fmt::format("{}", held_),
           .limit = fmt::format("{}", many_held)}};
}

void AdaptiveRungeKutta::take_over(double h, std::span<const double> travel,
                                   std::span<const double> end) {
  h_ = h;
  std::copy(travel.begin(), travel.end(), scale_.memory().begin());
  std::copy(end.begin(), end.end(), end_.begin());
  has_end_ = true;
}

StepResult AdaptiveRungeKutta::step(Ode& ode, double t, double t_end, std::span<double> y) {
  require_forward(t, t_end);
  StepResult result;
  std::copy(y.begin(), y.end(), y0_.begin());
  if (!first_stage(ode, t, result)) return result;
  if (h_ <= 0) h_ = first_step(ode, t, t_end, result);

  const double rest = t_end - t;
  const double wanted = options_.max_step > 0 ? std::min(h_, options_.max_step) : h_;
  bool is_last = 1.01 * wanted >= rest;  // no sliver is left before t_end
  double h = is_last ? rest : wanted;
  for (int cuts = 0;;) {
    const Trial trial = try_step(ode, t, h, result);
    if (trial.finite && trial.error <= 1) {
      const double next = next_step(h, trial.error, result.rejected > 0);
      // a step cut short by t_end says little about the size of the next one
      h_ = is_last ? std::max(next, wanted) : next;
      error_old_ = std::max(trial.error, smallest_old_error);
      break;
    }
    ++result.rejected;
    is_last = false;
    result.smallest_h = h;
    result.worst = trial.worst;
    h *= trial.finite
             ? std::max(tableau_.fac_min, safety * std::pow(trial.error, -1.0 / tableau_.order))
             : 0.25;
    if (!trial.finite && (++cuts > max_cuts || h < smallest_step(t))) {
      result.status = StepStatus::not_finite;
      result.message = ode.failure();
      return result;
    }
    if (h < smallest_step(t)) {
      result.status = StepStatus::step_too_small;
      return result;
    }
  }

  stiffness_ = compare_last_stages(h), last_h_ = h;
  ++steps_;
  if (stiffness_ > at_edge * tableau_.stable) {
    ++held_;
    fastest_ = std::max(fastest_, stiffness_ / h);
  }
  prepare_dense(ode, t, h, result);
  const std::span<const double> f1 = stage(tableau_.main - 1);
  std::copy(f1.begin(), f1.end(), end_.begin());
  scale_.accept(y0_, y1_);
  std::copy(y1_.begin(), y1_.end(), y.begin());
  result.worst = -1;
  result.smallest_h = 0;
  result.h = h;
  return result;
}

bool AdaptiveRungeKutta::evaluate(Ode& ode, double t, std::span<const double> y,
                                  std::span<double> ydot, StepResult& result) {
  ++result.evaluations;
  const bool done = ode.derivative(t, y, ydot);
  result.worst = done ? first_not_finite(ydot) : -1;
  return done && result.worst < 0;
}

/// Σ wⱼ kⱼ
void AdaptiveRungeKutta::combine(Weights weights, std::span<double> sum) const {
  std::fill(sum.begin(), sum.end(), 0.0);
  for (const auto& [s, w] : weights) {
    const double* k = k_.data() + static_cast<size_t>(s) * n_;
    for (size_t i = 0; i < n_; ++i) sum[i] += w * k[i];
  }
}

bool AdaptiveRungeKutta::evaluate_stage(Ode& ode, int s, double t, double h, StepResult& result) {
  const size_t row = static_cast<size_t>(s);
  // the argument of the last main stage is the result of the step
  const std::span<double> ys = s == tableau_.main - 1 ? y1_ : ys_;
  combine(tableau_.a[row - 1], sum_);
  for (size_t i = 0; i < n_; ++i) ys[i] = y0_[i] + h * sum_[i];
  return evaluate(ode, t + tableau_.c[row] * h, ys, stage(s), result);
}

/// The derivative at the start: of the step before where there is one.
bool AdaptiveRungeKutta::first_stage(Ode& ode, double t, StepResult& result) {
  if (!has_end_ && !evaluate(ode, t, y0_, end_, result)) {
    result.status = StepStatus::not_finite;
    result.message = ode.failure();
    return false;
  }
  has_end_ = true;
  std::copy(end_.begin(), end_.end(), stage(0).begin());
  return true;
}

double AdaptiveRungeKutta::scaled_norm(std::span<const double> v) const {
  const int n = scale_.controlled();
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const size_t k = static_cast<size_t>(i);
    const double e = v[k] / scale_(i, y0_[k], y0_[k]);
    sum += e * e;
  }
  return std::sqrt(sum / std::max(n, 1));
}

/// [Hairer, Nørsett, Wanner 1993, II.4, starting step size]
double AdaptiveRungeKutta::first_step(Ode& ode, double t, double t_end, StepResult& result) {
  const std::span<const double> f0 = stage(0);
  const double limit = std::min(longest_first_step(options_), t_end - t);

  // a step of explicit Euler that changes y by one hundredth of its size
  const double d0 = scaled_norm(y0_), d1 = scaled_norm(f0);
  const double h0 = std::min(limit, d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1);
  for (size_t i = 0; i < n_; ++i) ys_[i] = y0_[i] + h0 * f0[i];
  if (!evaluate(ode, t + h0, ys_, sum_, result)) return 0.01 * h0;

  // the second derivative, and the step whose local error is about 0.01 by first and second
  for (size_t i = 0; i < n_; ++i) sum_[i] = (sum_[i] - f0[i]) / h0;
  const double d = std::max(d1, scaled_norm(sum_));
  const double h1 =
      d <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / d, 1.0 / tableau_.order);
  return std::min({100 * h0, h1, limit});
}

AdaptiveRungeKutta::Trial AdaptiveRungeKutta::try_step(Ode& ode, double t, double h,
                                                       StepResult& result) {
  for (int s = 1; s < tableau_.main; ++s)
    if (!evaluate_stage(ode, s, t, h, result)) return {.worst = result.worst};
  return estimate(h);
}

AdaptiveRungeKutta::Trial AdaptiveRungeKutta::estimate(double h) {
  const bool has_low = !tableau_.error_low.empty();
  combine(tableau_.error, sum_);
  if (has_low) combine(tableau_.error_low, low_);

  const int n = scale_.controlled();
  double high = 0, low = 0, largest = -1;
  Trial trial;
  for (int i = 0; i < n; ++i) {
    const size_t k = static_cast<size_t>(i);
    const double scale = scale_(i, y0_[k], y1_[k]);
    const double e = sum_[k] / scale, e_low = low_[k] / scale;
    high += e * e;
    low += e_low * e_low;
    if (std::fabs(e) > largest) largest = std::fabs(e), trial.worst = i;
  }
  if (const double weighted = high + 0.01 * low; has_low && weighted > 0)
    trial.error = h * high / std::sqrt(weighted * n);
  else
    trial.error = h * std::sqrt(high / std::max(n, 1));
  trial.finite = std::isfinite(trial.error) && first_not_finite(y1_) < 0;
  return trial;
}

double AdaptiveRungeKutta::next_step(double h, double error, bool was_rejected) const {
  const double q = tableau_.order;
  double factor = error > 0 ? safety * std::pow(error, -0.85 / q) * std::pow(error_old_, 0.2 / q)
                            : tableau_.fac_max;
  factor = std::clamp(factor, tableau_.fac_min, was_rejected ? 1.0 : tableau_.fac_max);
  return h * factor;
}

/// ys_ is still the argument of the last stage but one.
double AdaptiveRungeKutta::compare_last_stages(double h) {
  const std::span<const double> f1 = stage(tableau_.main - 1), f2 = stage(tableau_.main - 2);
  double rates = 0, states = 0;
  for (int i = 0; i < scale_.controlled(); ++i) {
    const size_t k = static_cast<size_t>(i);
    const double scale = scale_(i, y0_[k], y1_[k]);
    const double df = (f1[k] - f2[k]) / scale, dy = (y1_[k] - ys_[k]) / scale;
    rates += df * df, states += dy * dy;
  }
  return states > 0 ? h * std::sqrt(rates / states) : 0;
}

/// The rows of the dense output beyond the cubic, with their own stages where the method has some.
/// Where those cannot be evaluated, or nobody looks into this step, the cubic remains.
void AdaptiveRungeKutta::prepare_dense(Ode& ode, double t, double h, StepResult& result) {
  dense_.set_ends(h, y0_, stage(0), y1_, stage(tableau_.main - 1));
  if (t + h + 1e-7 * h + smallest_step(t) < output_from_) return;

  const int stages = static_cast<int>(tableau_.c.size());
  for (int s = tableau_.main; s < stages; ++s)
    if (!evaluate_stage(ode, s, t, h, result)) return;

  int row = DenseOutput::hermite_rows;
  for (const Weights& weights : tableau_.dense) {
    const std::span<double> F = dense_.row(row++);
    combine(weights, F);
    for (double& v : F) v *= h;
  }
  dense_.use(row);
}

std::vector<double> AdaptiveRungeKutta::memory() const {
  std::vector<double> memory = {has_end_ ? 1.0 : 0.0, h_, error_old_};
  memory.insert(memory.end(), scale_.memory().begin(), scale_.memory().end());
  memory.insert(memory.end(), end_.begin(), end_.end());
  return memory;
}

void AdaptiveRungeKutta::set_memory(std::span<const double> memory) {
  const std::span<double> travel = scale_.memory();
  require_memory(name(), 3 + travel.size() + end_.size(), memory.size());
  has_end_ = memory[0] != 0;
  h_ = memory[1];
  error_old_ = memory[2];
  const auto rest = memory.begin() + 3;
  std::copy_n(rest, travel.size(), travel.begin());
  std::copy_n(rest + static_cast<std::ptrdiff_t>(travel.size()), end_.size(), end_.begin());
}

}  // namespace sarrus
