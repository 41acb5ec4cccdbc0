// A motion that is integrated: the equations of a formulation, the steps of an integrator.
//
// A step ends in the chart in which it began, so that its inside can be looked at; the base of the
// chart moves when the next step begins, or when the motion is saved.
//
// Steps end where an input has a breakpoint. The motion is then beyond it: velocities have jumped
// where a prescribed motion says so, and the method starts anew where accelerations jump. A step in
// which a joint comes to its stop or leaves it, or a formula switches with the state, is taken again
// up to that instant. Steps end at samples of controllers too; the motion is then beyond the sample,
// and its last step is seen with the values before it.
#pragma once

#include "sarrus/motion/breakpoints.hpp"
#include "sarrus/motion/motion.hpp"
#include "sarrus/motion/sampler.hpp"
#include "sarrus/motion/singular_watch.hpp"
#include "sarrus/motion/switches.hpp"

namespace sarrus {

class OdeMotion final : public Motion {
 public:
  OdeMotion(std::unique_ptr<Formulation> formulation, std::unique_ptr<Integrator> integrator);

  const Mechanism& mechanism() const override { return f_->mechanism(); }
  std::string formulation() const override { return f_->name(); }
  std::string integrator() const override { return std::string(method_->name()); }
  bool can_move() const override { return f_->size() > Ledger::size; }
  bool chooses_steps() const override { return method_->is_adaptive(); }
  bool is_conservative() const override { return f_->structure().is_conservative(); }

  std::vector<Diagnostic> suits() const override { return check_suits(*method_, *f_); }

  void begin(const StartState& start) override;
  double time() const override { return t_; }
  StepResult step(double until) override;
  void expect_look(double t) override;
  void look(double t, Snapshot& out) override;
  void go_back(double t) override;
  void set_state(int state, double value) override;
  void set_parameter(int parameter, double value) override;

  MotionState save() override;
  void restore(const StartState& start, const MotionState& state) override;
  bool resumes_exactly() const override { return method_->resumes_exactly(); }

  std::span<const double> elastic() override;

  std::vector<Diagnostic> notes() const override;
  std::string failure() const override { return f_->failure(); }
  std::string entry(int i) const override { return f_->entry(i); }

 private:
  void leave_step();
  void move_base(std::span<double> rates);
  double end_of_step(double until);
  bool cross(double until, StepResult& step);
  void end_at_switch(double end, StepResult& step);
  void pass_switch();
  void count_anew();
  void sample(double instant);
  void use(const std::vector<double>& parameters);
  int first_out_of_range() const;
  bool project(StepResult& step);
  void undo();
  template <class F>
  void each_elastic(F&& f) const;

  std::unique_ptr<Formulation> f_;
  std::unique_ptr<Integrator> method_;
  SingularWatch watch_;
  Breakpoints breakpoints_;
  Breakpoint ahead_;      // where the next step ends, if it exists
  bool crossed_ = false;  // t and y are beyond it, the last step ended before it
  Sampler sampler_;
  double sample_at_ = 0;                   // the next one
  bool sampled_ = false;                   // at the end of the last step
  std::vector<double> parameters_, held_;  // after that sample, and in the step before it
  Switches switches_;
  bool switched_ = false;                     // at the end of the last step
  std::vector<double> before_step_, memory_;  // y and the method's memory, where forces switch
  std::vector<double> y_, inside_;
  std::vector<double> elastic_base_, elastic_;  // of elastic coordinates: of the chart; now
  double t_ = 0;                                // the end of the last step
  double from_ = 0, h_ = 0;                     // its beginning and length
  double counted_from_ = 0;   // fixed steps are counted from here, so that time is no sum
  std::int64_t counted_ = 0;  // so many
  std::int64_t steps_ = 0;    // of all, since the start
  bool in_step_ = false;      // y is in the chart of the last step
  bool rebased_ = false;      // positions in y are what the base could not take up
  Snapshot seen_;
  std::vector<Diagnostic> notes_;
};

}  // namespace sarrus
