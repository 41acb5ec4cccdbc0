#include <algorithm>

#include "sarrus/formulations/choice/formulation_options.hpp"
#include "sarrus/mechanism/scales.hpp"
#include "sarrus/motion/discrete_motion.hpp"
#include "sarrus/motion/ode_motion.hpp"

namespace sarrus {

IntegratorOptions integrator_options(const SimulateSpec& settings) {
  IntegratorOptions options;
  options.step = settings.step.value_or(0);
  options.rtol = settings.rtol;
  options.atol = settings.atol.value_or(settings.rtol);
  options.max_step = settings.max_step.value_or(0);
  options.row_distance = std::max(0.0, settings.spacing());
  options.binding = settings.binding.value_or(options.binding);
  options.rho_infinity = settings.rho_infinity.value_or(options.rho_infinity);
  return options;
}

FormulationOptions formulation_options(const SimulateSpec& settings) {
  return {settings.energy_matrix, settings.energy_gradient, settings.where, settings.loops};
}

Motion::Use::Use(Motion& motion) : in_use_(motion.in_use_) {
  if (in_use_)
    throw Error(Fault::usage,
                {.code = "motion-in-use",
                 .element = "simulate",
                 .message = "this motion is already in a run, which a callback of that run would "
                            "disturb",
                 .hint = "make a motion of its own for the run inside (make_motion)"});
  in_use_ = true;
}

std::unique_ptr<Motion> make_motion(const Mechanism& mechanism, const SimulateSpec& settings) {
  if (settings.formulation == "discrete") {
    resolved("discrete", mechanism, formulation_options(settings));  // refuses what does not fit
    refuse_elastic(mechanism, "the formulation discrete");
    return std::make_unique<DiscreteMotion>(mechanism, settings);
  }
  IntegratorOptions options = integrator_options(settings);
  if (!settings.atol)  // one that is given is meant in SI units
    options.units = state_units(mechanism, settings.formulation == "hamiltonian");
  return std::make_unique<OdeMotion>(
      make_formulation(settings.formulation, mechanism, formulation_options(settings)),
      make_integrator(settings.integrator, options));
}

void check_formulation(const Mechanism& mechanism, const SimulateSpec& settings) {
  if (settings.formulation == "discrete")
    make_motion(mechanism, settings);
  else
    make_formulation(settings.formulation, mechanism, formulation_options(settings));
}

}  // namespace sarrus
