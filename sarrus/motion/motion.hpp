// What moves in time: a mechanism that takes steps, can be looked at inside the last one, and can
// be saved and continued bit for bit.
//
//   OdeMotion       a formulation and an integrator
//   DiscreteMotion  bodies one by one
//
// Runs, real-time pacing, events and programs that step a simulation from outside loop over it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sarrus/formulations/formulation.hpp"
#include "sarrus/integrators/integrator.hpp"
#include "sarrus/motion/motion_state.hpp"

namespace sarrus {

class Motion {
 public:
  /// One run at a time: a second one, from a callback of the first, would move the same motion.
  /// Throws Error(usage) where there is one.
  class Use {
   public:
    explicit Use(Motion& motion);
    ~Use() { in_use_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    bool& in_use_;
  };

  virtual ~Motion() = default;

  virtual const Mechanism& mechanism() const = 0;
  virtual std::string formulation() const = 0;
  virtual std::string integrator() const = 0;
  /// False where nothing can move: there are no steps to take.
  virtual bool can_move() const { return true; }
  /// Whether the method chooses the lengths of its steps.
  virtual bool chooses_steps() const { return false; }
  /// Whether nothing takes energy out or puts it in.
  virtual bool is_conservative() const { return false; }

  /// Notes on how the method suits the equations. Throws Error(usage) where it would be wrong.
  virtual std::vector<Diagnostic> suits() const { return {}; }

  virtual void begin(const StartState& start) = 0;
  virtual double time() const = 0;  // [s]
  /// One step, not beyond `until`. If it is not accepted the motion stays where it was, and
  /// failure() and entry() say more.
  virtual StepResult step(double until) = 0;
  /// A promise not to call look() for times before t, which may save some work in the steps before
  /// it.
  virtual void expect_look(double t) { (void)t; }
  /// The motion at any time of the last step, up to time().
  virtual void look(double t, Snapshot& out) = 0;

  /// Coordinates of all elastic bodies at time(), one after the other; valid until it is asked again.
  virtual std::span<const double> elastic() { return {}; }

  /// Back to a time of the last step, what came after is forgotten. A motion of fixed steps stays at the
  /// end of its step.
  virtual void go_back(double t) = 0;
  /// The value of a state of the mechanism from now on.
  virtual void set_state(int state, double value) = 0;
  /// Values of the model's parameters from now on, for formulas that read them.
  virtual void set_parameter(int parameter, double value) = 0;

  virtual MotionState save() = 0;
  virtual void restore(const StartState& start, const MotionState& state) = 0;
  /// Whether a restored motion continues bit for bit; otherwise its method starts anew.
  virtual bool resumes_exactly() const { return true; }

  /// Notes on the motion so far, and those of the method.
  virtual std::vector<Diagnostic> notes() const = 0;
  /// Why the last step failed, and what entry `worst` of a StepResult is, in words.
  virtual std::string failure() const = 0;
  virtual std::string entry(int i) const = 0;

 private:
  bool in_use_ = false;
};

/// As the settings say. Throws Error: unknown names, options that do not fit, mechanisms that the
/// formulation cannot run.
std::unique_ptr<Motion> make_motion(const Mechanism& mechanism, const SimulateSpec& settings);

/// Throws what make_motion() would throw about the formulation and the mechanism.
void check_formulation(const Mechanism& mechanism, const SimulateSpec& settings);

/// Integrator options from the settings of a model or command line.
IntegratorOptions integrator_options(const SimulateSpec& settings);
FormulationOptions formulation_options(const SimulateSpec& settings);

}  // namespace sarrus
