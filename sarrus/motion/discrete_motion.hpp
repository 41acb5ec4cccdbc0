// A motion of bodies that are moved one by one (formulations/discrete).
#pragma once

#include "sarrus/formulations/discrete/discrete.hpp"
#include "sarrus/motion/breakpoints.hpp"
#include "sarrus/motion/motion.hpp"
#include "sarrus/motion/sampler.hpp"

namespace sarrus {

class DiscreteMotion final : public Motion {
 public:
  DiscreteMotion(const Mechanism& mechanism, const SimulateSpec& settings);

  const Mechanism& mechanism() const override { return d_.mechanism(); }
  std::string formulation() const override { return "discrete"; }
  std::string integrator() const override { return "discrete"; }
  const Discrete& bodies() const { return d_; }

  void begin(const StartState& start) override;
  double time() const override { return t_; }
  StepResult step(double until) override;
  void expect_look(double t) override { expected_ = t; }
  void look(double t, Snapshot& out) override;
  void go_back(double) override {}
  void set_state(int state, double value) override;
  void set_parameter(int parameter, double value) override;

  MotionState save() override;
  void restore(const StartState& start, const MotionState& state) override;

  std::vector<Diagnostic> notes() const override { return d_.notes(); }
  std::string failure() const override { return d_.failure(); }
  std::string entry(int i) const override { return d_.entry(i); }

 private:
  std::int64_t steps_to(double until, bool& between) const;
  void go(std::int64_t n, bool between);
  bool go_one();
  void finish(double until);
  double next_sample() const;
  void sample(double instant);
  void use(const std::vector<double>& parameters);
  void look_inside(double part, std::vector<double>& y) const;
  void search_from(double t);
  void search_breaks(double reach, double until);

  Discrete d_;
  Breakpoints breakpoints_;
  Sampler sampler_;
  Snapshot sampled_from_;                  // the instant of a sample
  bool sampled_ = false;                   // at the end of the last step
  std::vector<double> parameters_, held_;  // after that sample, and in the step before it
  std::vector<double> breaks_;             // that the steps around here may meet
  double searched_ = 0;                    // up to here
  double t_ = 0, h_ = 0;                   // the end of the last step and its length
  double beyond_ = 0;                      // how far the last record lies beyond the end
  double expected_ = 0;                    // the next look
  std::vector<double> begin_, before_, end_, trial_before_, seen_, memory_, kept_;
};

}  // namespace sarrus
