// Steps for the discrete formulation, which advances itself: counts them, many at a time, stops at
// rows and at the end, and keeps the last two snapshots for what lies between them.
//
// Time is start + n h. Where the end is no multiple of h, the last step is cut there.
#include <algorithm>
#include <cmath>

#include "sarrus/formulations/discrete/discrete.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

constexpr std::int64_t most_steps = 256;  // between two looks at soundness and angles
constexpr double most_turn = 1.0;         // [rad] between two readings of an angle
constexpr double near = 1e-6;             // of a step: rounding of times

class DiscreteStepper final : public Integrator {
 public:
  std::string_view name() const override { return "discrete"; }
  int order() const override { return 2; }
  bool is_adaptive() const override { return true; }  // the driver adds what was taken

  void start(Ode& ode, double t, std::span<const double> y) override {
    discrete_ = static_cast<Discrete*>(&ode);
    output_ = t;
    for (auto* v : {&start_, &before_, &end_}) v->assign(y.begin(), y.end());
  }

  void expect_output(double t) override { output_ = t; }

  StepResult step(Ode& ode, double t, double t_end, std::span<double> y) override {
    require_forward(t, t_end);
    Discrete& d = static_cast<Discrete&>(ode);
    StepResult result;
    result.smallest_h = d.step();
    std::copy(y.begin(), y.end(), start_.begin());
    d.save(memory_);
    bool between = true;
    std::int64_t n = steps_to(d, t, t_end, between);
    go(d, n, between);
    if (!d.is_sound() && n > 1) {  // back, and one by one up to the last good one
      d.set_memory(memory_);
      for (n = 0; go_one(d); ++n) d.save(keep_);
      if (n > 0) d.set_memory(keep_), d.snapshot(end_);
    } else if (!d.is_sound()) {
      n = 0;
    }
    result.evaluations = static_cast<int>(std::max<std::int64_t>(n, 1));
    if (n == 0) {
      result.status = StepStatus::not_finite;
      result.message = d.failure();
      d.set_memory(memory_);
      return result;
    }
    finish(d, n, t, t_end, result);
    interpolate(1, y);
    return result;
  }

  void interpolate(double theta, std::span<double> y) const override {
    const double back = (1 - theta) * h_ + beyond_;  // before the last snapshot [s]
    const double inside = 1 - back / discrete_->step();
    if (inside < -near)
      std::copy(start_.begin(), start_.end(), y.begin());  // only the start is still known
    else if (inside > 1 - near)
      std::copy(end_.begin(), end_.end(), y.begin());
    else
      discrete_->between(before_, end_, std::max(inside, 0.0), y);
  }
  std::span<double> end_derivative() override { return {}; }
  bool wants_rebase(std::span<const double>) const override { return false; }
  std::vector<double> memory() const override { return discrete_->memory(); }
  void set_memory(std::span<const double> memory) override { discrete_->set_memory(memory); }

 private:
  /// To the next row or the end, but not so many that an angle is lost.
  std::int64_t steps_to(const Discrete& d, double t, double t_end, bool& between) const {
    const double target = output_ > t ? std::min(output_, t_end) : t;
    const double wanted = std::ceil((target - d.time()) / d.step() - near);
    const double turns = most_turn / (d.step() * std::max(d.fastest_turn(), 1e-300));
    const double most = std::min({wanted, static_cast<double>(most_steps), turns});
    const auto n = static_cast<std::int64_t>(std::max(most, 1.0));
    // what lies between the last two steps is asked for by events, by rows beside the steps
    const double reached = d.time() + static_cast<double>(n) * d.step();
    between = n == 1 ||
              (static_cast<double>(n) >= wanted && std::fabs(reached - target) > near * d.step());
    return n;
  }

  void go(Discrete& d, std::int64_t n, bool between) {
    if (between) {
      if (n > 1) d.advance(n - 1);
      d.snapshot(before_);
      n = 1;
    }
    d.advance(n);
    d.snapshot(end_);
  }
  bool go_one(Discrete& d) {
    d.snapshot(trial_before_.empty() ? (trial_before_ = before_) : trial_before_);
    d.advance(1);
    if (!d.is_sound()) return false;
    before_ = trial_before_;
    return true;
  }

  /// The time reached, cut at the end where the last step goes beyond it.
  void finish(const Discrete& d, std::int64_t n, double t, double t_end, StepResult& result) {
    result.steps = n;
    const double reached = d.time(), tolerance = near * d.step();
    beyond_ = 0;
    h_ = result.h = reached - t;
    if (reached >= t_end - tolerance) {
      beyond_ = std::max(0.0, reached - t_end);
      if (beyond_ < tolerance) beyond_ = 0;
      h_ = result.h = t_end - t;
    }
  }

  Discrete* discrete_ = nullptr;
  double output_ = 0, h_ = 0, beyond_ = 0;
  std::vector<double> start_, before_, end_, trial_before_, memory_, keep_;
};

}  // namespace

std::unique_ptr<Integrator> make_stepper(Ode& ode, const std::string& name,
                                         const IntegratorOptions& options) {
  if (dynamic_cast<Discrete*>(&ode)) return std::make_unique<DiscreteStepper>();
  return make_integrator(name, options);
}

}  // namespace sarrus
