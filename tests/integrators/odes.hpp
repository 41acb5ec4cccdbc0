// Equations with known solutions, and the loop that a driver runs.
#pragma once

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sarrus/integrators/integrator.hpp"
#include "sarrus/spatial/rotation.hpp"

namespace sarrus::test {

using State = std::vector<double>;

/// ẏ = f(t, y) from a function, in a plain vector space.
class Plain : public Ode {
 public:
  using Function = std::function<bool(double, std::span<const double>, std::span<double>)>;
  Plain(int size, int split, Function f, int quadratures = 0)
      : size_(size), split_(split), quadratures_(quadratures), f_(std::move(f)) {}
  int size() const override { return size_; }
  int split() const override { return split_; }
  int quadratures() const override { return quadratures_; }
  bool derivative(double t, std::span<const double> y, std::span<double> ydot) override {
    return f_(t, y, ydot);
  }

  /// The same with the promise that y = (q, p), and with what the motion keeps.
  using Account = std::function<double(std::span<const double>)>;
  Plain with_momenta(Account account) && {
    account_ = std::move(account);
    return std::move(*this);
  }
  OdeStructure structure() const override {
    OdeStructure s;
    s.has_momenta = static_cast<bool>(account_);
    s.dissipation = dissipation;
    return s;
  }
  double energy_account(double, std::span<const double> y) override { return account_(y); }
  std::string dissipation;

 private:
  int size_, split_, quadratures_;
  Function f_;
  Account account_;
};

/// ẏ = −2 t y²,  y = 1/(1 + t²) from y(0) = 1.
inline Plain witch() {
  return {1, 0, [](double t, auto y, auto f) { return f[0] = -2 * t * y[0] * y[0], true; }};
}

inline double kepler_energy(std::span<const double> y) {
  return 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1 / std::hypot(y[0], y[1]);
}
/// Motion about a fixed centre, r̈ = −r/|r|³; period 2π for the semi-axis 1.
inline Plain kepler() {
  return Plain(4, 2,
               [](double, auto y, auto f) {
                 const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2);
                 f[0] = y[2], f[1] = y[3], f[2] = -y[0] / r3, f[3] = -y[1] / r3;
                 return true;
               })
      .with_momenta(kepler_energy);
}
/// At the nearest point of an ellipse with semi-axis 1.
inline State kepler_start(double e) { return {1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))}; }

/// Free rigid body: y = (ξ, Π), R = R₀ exp([ξ]×), Π̇ = Π × ω with ω = I⁻¹ Π, all in body axes.
class FreeTop : public Ode {
 public:
  FreeTop(Vec3 inertia, Vec3 w) : inertia_(inertia), w0_(w) {}
  int size() const override { return 6; }
  int split() const override { return 3; }
  OdeStructure structure() const override {
    OdeStructure s;
    s.has_momenta = true;
    s.groups = {{GroupBlock::Kind::rotation, 0, 3}};
    s.group = "the top";
    return s;
  }
  double energy_account(double, std::span<const double> y) override {
    return 0.5 * (y[3] * y[3] / inertia_.x + y[4] * y[4] / inertia_.y + y[5] * y[5] / inertia_.z);
  }
  State start() const {
    return {0, 0, 0, inertia_.x * w0_.x, inertia_.y * w0_.y, inertia_.z * w0_.z};
  }

  bool derivative(double, std::span<const double> y, std::span<double> f) override {
    const Vec3 Pi{y[3], y[4], y[5]}, w = rate(y);
    put(rotation_vector_rate(Vec3{y[0], y[1], y[2]}, w), f.first(3));
    put(cross(Pi, w), f.last(3));
    return true;
  }
  void rebase(double, std::span<double> y, std::span<double> f) override {
    base = orientation(y);
    for (int i = 0; i < 3; ++i) y[i] = 0;
    put(rate(y), f.first(3));
  }

  Quat orientation(std::span<const double> y) const {
    return normalized(base * quaternion_exp(Vec3{y[0], y[1], y[2]}));
  }
  Quat base;  // R₀

 private:
  Vec3 rate(std::span<const double> y) const {
    return {y[3] / inertia_.x, y[4] / inertia_.y, y[5] / inertia_.z};
  }
  static void put(const Vec3& v, std::span<double> out) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
  }

  Vec3 inertia_, w0_;
};

struct Run {
  StepStatus status = StepStatus::accepted;
  double t = 0;
  int steps = 0, evaluations = 0, rejected = 0;
  StepResult last = {};
};

/// What a driver does: step, look, move the chart, until t_end or a step that is not accepted.
inline Run run(Ode& ode, Integrator& integrator, double t, double t_end, State& y,
               const std::function<void(double t, double h)>& look = {}, int max_steps = 10000000) {
  Run run{.t = t};
  while (run.t < t_end) {
    run.last = integrator.step(ode, run.t, t_end, y);
    run.evaluations += run.last.evaluations;
    run.rejected += run.last.rejected;
    run.status = run.last.status;
    if (run.status != StepStatus::accepted) return run;
    if (look) look(run.t, run.last.h);
    run.t = run.last.h == t_end - run.t ? t_end : run.t + run.last.h;
    if (integrator.wants_rebase(y)) ode.rebase(run.t, y, integrator.end_derivative());
    if (++run.steps > max_steps) throw std::runtime_error("a run that does not end");
  }
  return run;
}

/// From the start to t_end, which must be reached.
inline State solve(Ode& ode, const std::string& method, const IntegratorOptions& options,
                   double t_end, State y) {
  const auto integrator = make_integrator(method, options);
  integrator->start(ode, 0, y);
  if (run(ode, *integrator, 0, t_end, y).status != StepStatus::accepted)
    throw std::runtime_error(method + ": the end is not reached");
  return y;
}

/// Options that make adaptive methods take equal steps, for orders of convergence.
inline IntegratorOptions equal_steps(double h) {
  return {.step = h, .rtol = 0.9, .atol = 1e12, .max_step = h};
}

inline double distance(const State& a, const State& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace sarrus::test
