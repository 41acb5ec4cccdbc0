// A method that chooses itself: explicit where steps follow the motion, implicit where stability
// would hold them back.
//
//   explicit   dop853, or dopri5 where few digits are asked for: the first choice, since nothing is
//              cheaper where it may take the steps that accuracy allows
//   implicit   radau, of order 9 or 5
//
// Stiffness shows in the last two stages of an explicit step, both at its end:
//
//   h |λ| ≈ h |f(y₁) − f(y*)| / |y₁ − y*|                                                      (1)
//
// comes to the edge of the region of stability and stays there. That alone does not make the other
// method cheaper: vibrations that are excited must be followed by any method, and factors of large
// matrices cost. So the other is tried for some steps, and what decides is the cost of one second,
//
//   r = (evaluations + factors in evaluations) / time, over the last steps,                    (2)
//
// counted and not measured: a run repeats itself bit for bit. Each trial that fails makes the next
// one wait for twice the work. Back from implicit to explicit leads what J says: an explicit method
// would take evaluations · ρ(J)/edge per second, and is tried where that is less than (2).
// [Hairer, Wanner 1996, IV.2 for (1)], docs/theory/integrators.md
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/integrators/adaptive_runge_kutta.hpp"
#include "sarrus/integrators/methods.hpp"
#include "sarrus/integrators/radau.hpp"

namespace sarrus {
namespace {

constexpr double few_digits = 1e-5;  // rtol from which dopri5 is the cheaper explicit method
constexpr double near_edge = 0.45;   // of the region of stability; accuracy alone stays below 0.25
constexpr int stiff_steps = 15, calm_steps = 6;  // in a row: [Hairer, Wanner 1996, IV.2]
constexpr int trial_steps = 7;                   // of the implicit method, before it is judged
constexpr double memory_of_steps = 0.6;          // weight of the past in (2), per step
constexpr double clearly = 1.5;                  // cheaper, to go back
constexpr double patience = 8;  // work before the next trial, in that of one that failed

const EmbeddedTableau& explicit_tableau(double rtol) {
  return rtol > few_digits ? dopri5_tableau() : dop853_tableau();
}

class Auto final : public Integrator {
 public:
  explicit Auto(const IntegratorOptions& options)
      : rtol_(options.rtol),
        tableau_(explicit_tableau(options.rtol)),
        explicit_(tableau_, options),
        implicit_(options) {}

  std::string_view name() const override { return "auto"; }
  int order() const override { return explicit_.order(); }
  bool is_adaptive() const override { return true; }

  void start(Ode& ode, double t, std::span<const double> y) override {
    is_implicit_ = changes_ = false;
    stiff_ = calm_ = trial_ = 0;
    wait_ = spent_ = 0;
    told_ = {};
    forget_costs();
    explicit_.start(ode, t, y), implicit_.start(ode, t, y);
  }

  /// What has been learnt about the equation stays: the method, and when to try the other.
  void restart(Ode& ode, double t, std::span<const double> y) override {
    if (changes_) change();
    explicit_.start(ode, t, y), implicit_.start(ode, t, y);
    stiff_ = calm_ = 0;
    forget_costs();
  }

  StepResult step(Ode& ode, double t, double t_end, std::span<double> y) override {
    if (changes_) {
      change();
      hand_over(ode, t, y);
    }
    StepResult result = step_active(ode, t, t_end, y);
    if (result.status != StepStatus::accepted && may_try_other(result)) {
      const StepResult first = result;
      change();
      start_active(ode, t, y);
      result = step_active(ode, t, t_end, y);
      result.evaluations += first.evaluations, result.rejected += first.rejected;
      if (result.status != StepStatus::accepted) return first;
    }
    if (result.status == StepStatus::accepted) judge(t, result);
    return result;
  }

  void expect_output(double t) override { output_from_ = t; }
  void interpolate(double theta, std::span<double> y) const override {
    is_implicit_ ? implicit_.interpolate(theta, y) : explicit_.interpolate(theta, y);
  }
  std::span<double> end_derivative() override {
    return is_implicit_ ? implicit_.end_derivative() : explicit_.end_derivative();
  }

  std::vector<Diagnostic> remarks(const Ode& ode) const override;

  std::vector<double> memory() const override {
    std::vector<double> memory = {is_implicit_ ? 1.0 : 0.0,
                                  changes_ ? 1.0 : 0.0,
                                  static_cast<double>(stiff_),
                                  static_cast<double>(calm_),
                                  static_cast<double>(trial_),
                                  wait_,
                                  spent_,
                                  cost_,
                                  time_,
                                  other_rate_,
                                  told_.changes,
                                  told_.first,
                                  told_.explicit_time,
                                  told_.implicit_time,
                                  told_.rate,
                                  told_.entry};
    const std::vector<double> active = is_implicit_ ? implicit_.memory() : explicit_.memory();
    memory.insert(memory.end(), active.begin(), active.end());
    return memory;
  }
  void set_memory(std::span<const double> memory) override {
    constexpr size_t scalars = 16;
    if (memory.size() < scalars) require_memory(name(), scalars, memory.size());
    is_implicit_ = memory[0] != 0, changes_ = memory[1] != 0;
    stiff_ = static_cast<int>(memory[2]), calm_ = static_cast<int>(memory[3]);
    trial_ = static_cast<int>(memory[4]);
    wait_ = memory[5], spent_ = memory[6], cost_ = memory[7], time_ = memory[8];
    other_rate_ = memory[9];
    told_ = {.changes = memory[10],
             .first = memory[11],
             .explicit_time = memory[12],
             .implicit_time = memory[13],
             .rate = memory[14],
             .entry = memory[15]};
    const std::span<const double> active = memory.subspan(scalars);
    is_implicit_ ? implicit_.set_memory(active) : explicit_.set_memory(active);
  }

 private:
  /// For the line that says what was chosen, and why.
  struct Told {
    double changes = 0;
    double first = 0;  // [s] of the first change
    double explicit_time = 0, implicit_time = 0;
    double rate = 0;    // [1/s] the fastest that was met when implicit steps began
    double entry = -1;  // of y that takes most part in it
  };

  double rate() const { return cost_ / time_; }  // (2)
  void forget_costs() { cost_ = time_ = 0; }

  StepResult step_active(Ode& ode, double t, double t_end, std::span<double> y) {
    if (is_implicit_) return implicit_.step(ode, t, t_end, y);
    explicit_.expect_output(output_from_);
    return explicit_.step(ode, t, t_end, y);
  }

  void start_active(Ode& ode, double t, std::span<const double> y) {
    is_implicit_ ? implicit_.start(ode, t, y) : explicit_.start(ode, t, y);
  }

  /// The step that the other would have taken next, how far positions have been, the derivative.
  void hand_over(Ode& ode, double t, std::span<const double> y) {
    start_active(ode, t, y);
    if (is_implicit_)
      implicit_.take_over(explicit_.next_h(), explicit_.travel(), explicit_.end_derivative());
    else
      explicit_.take_over(std::min(implicit_.next_h(), explicit_h()), implicit_.travel(),
                          implicit_.end_derivative());
  }
  /// What stability allows an explicit step.
  double explicit_h() const {
    const double rate = implicit_.fastest().rate;
    return rate > 0 ? tableau_.stable / rate : implicit_.next_h();
  }

  void change() {
    is_implicit_ = !is_implicit_, changes_ = false;
    stiff_ = calm_ = trial_ = 0;
    forget_costs();
  }

  /// Equations that the one cannot solve are left to the other; a model that gives no numbers is at
  /// fault itself.
  bool may_try_other(const StepResult& result) const {
    return result.status == StepStatus::step_too_small ||
           (is_implicit_ && result.status == StepStatus::not_converged);
  }

  void judge(double t, const StepResult& result) {
    const double cost = result.evaluations + (is_implicit_ ? implicit_.linear_work() : 0);
    cost_ = memory_of_steps * cost_ + cost;
    time_ = memory_of_steps * time_ + result.h;
    spent_ += cost;
    (is_implicit_ ? told_.implicit_time : told_.explicit_time) += result.h;
    changes_ = is_implicit_ ? leaves_implicit() : leaves_explicit();
    if (!changes_) return;
    if (told_.changes == 0) told_.first = t + result.h;
    told_.changes += 1;
  }

  bool leaves_explicit() {
    const double edge = near_edge * tableau_.stable;
    if (explicit_.stiffness() > edge)  // (1)
      ++stiff_, calm_ = 0;
    else if (++calm_ >= calm_steps)
      stiff_ = 0;
    if (stiff_ < stiff_steps || spent_ < wait_) return false;
    other_rate_ = rate();
    told_.rate = std::max(told_.rate, explicit_.stiffness() / explicit_.last_h());
    spent_ = 0;
    return true;
  }

  bool leaves_implicit() {
    if (++trial_ < trial_steps) return false;
    if (trial_ == trial_steps) {
      told_.entry = implicit_.fastest().entry;
      if (rate() > other_rate_) {  // what was tried costs more
        wait_ = std::max(2 * wait_, patience * spent_);
        spent_ = 0;
        return true;
      }
      wait_ = 0;
      return false;
    }
    if (trial_ % trial_steps != 0) return false;
    const double steps = implicit_.fastest().rate / tableau_.stable;
    return steps * (tableau_.main - 1) * clearly < rate();
  }

  double rtol_;
  const EmbeddedTableau& tableau_;
  AdaptiveRungeKutta explicit_;
  Radau implicit_;
  double output_from_ = -std::numeric_limits<double>::infinity();

  // what the next step depends on
  bool is_implicit_ = false;  // the method of the last step
  bool changes_ = false;      // the next step is of the other
  int stiff_ = 0, calm_ = 0;  // explicit steps at the edge, and away from it
  int trial_ = 0;             // implicit steps since the change
  double wait_ = 0;           // work before implicit steps are tried again
  double spent_ = 0;          // work since the last change that was tried
  double cost_ = 0, time_ = 0;
  double other_rate_ = 0;  // (2) of explicit steps before the change
  Told told_;
};

std::vector<Diagnostic> Auto::remarks(const Ode& ode) const {
  const double all = told_.explicit_time + told_.implicit_time;
  if (!(all > 0)) return {};
  Diagnostic d{.severity = Severity::note,
               .code = "integrator-chosen",
               .element = "integrator/auto",
               .value = std::string(told_.implicit_time > told_.explicit_time ? implicit_.name()
                                                                              : explicit_.name())};
  const std::string asked = fmt::format("rtol {:g} asks for order {}", rtol_, explicit_.order());
  if (told_.implicit_time == 0) {
    d.message = fmt::format("{}: {}, and stability held no steps back", explicit_.name(), asked);
  } else {
    const std::string where =
        told_.entry >= 0 ? " along " + ode.entry(static_cast<int>(told_.entry)) : "";
    const double share = told_.implicit_time / all;
    d.message =
        share < 0.01
            ? fmt::format(
                  "{}: {}; radau was tried where a rate of {:.2g} 1/s{} held steps back, "
                  "and cost more",
                  explicit_.name(), asked, told_.rate, where)
            : fmt::format(
                  "{} until {:.4g} s, then {} for {:.3g} % of the time: a rate of {:.2g} "
                  "1/s{} held explicit steps back",
                  explicit_.name(), told_.first, implicit_.name(), 100 * share, told_.rate, where);
    if (told_.changes > 1) d.message += fmt::format(" ({:.0f} changes)", told_.changes);
  }
  return {d};
}

}  // namespace

std::unique_ptr<Integrator> make_auto(const IntegratorOptions& options) {
  return std::make_unique<Auto>(options);
}

}  // namespace sarrus
