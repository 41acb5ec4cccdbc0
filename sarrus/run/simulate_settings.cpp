// simulate: a run with the settings of a model.
#include <fmt/format.h>

#include "sarrus/formulations/assembly/assembly.hpp"
#include "sarrus/run/kept_rows.hpp"
#include "sarrus/run/run_start.hpp"
#include "sarrus/run/simulate.hpp"

namespace sarrus {
namespace {

/// Settings that this integrator changes or does not use.
std::vector<Diagnostic> settings_notes(const SimulateSpec& settings) {
  IntegratorOptions options = integrator_options(settings);
  std::vector<Diagnostic> notes;
  const bool discrete = settings.formulation == "discrete";
  const std::string method = discrete ? "discrete" : settings.integrator;
  if (!discrete) notes = check_options(settings.integrator, options);
  const auto unused = [&](const char* key, bool given, const char* why) {
    const auto where = settings.where.find(key);
    if (given || where != settings.where.end())
      notes.push_back({.severity = Severity::note,
                       .code = "not-used",
                       .where = where != settings.where.end() ? where->second : Place{},
                       .element = std::string("simulate/") + key,
                       .message = fmt::format("{} {}", method, why)});
  };
  if (settings.integrator != "tao")
    unused("binding", settings.binding.has_value(), "has no second copy to bind");
  if (settings.integrator != "generalized_alpha")
    unused("rho_infinity", settings.rho_infinity.has_value(),
           "has no damping of its own to choose");
  if (discrete) {
    for (const char* key : {"integrator", "rtol"})
      unused(key, false, "is the formulation's own way to step");
    return notes;
  }
  if (is_adaptive(settings.integrator)) {
    unused("step", settings.step.has_value(), "chooses its steps; this is only the first one");
    return notes;
  }
  constexpr const char* fixed = "takes fixed steps and does not use it";
  unused("rtol", false, fixed);
  unused("atol", settings.atol.has_value(), fixed);
  unused("max_step", settings.max_step.has_value(), fixed);
  return notes;
}

}  // namespace

StartState start_state(const Mechanism& mechanism, double t) {
  const Assembly assembly = assemble(mechanism, t);
  return {t, assembly.start.q, assembly.start.u, mechanism.start_state, assembly.notes};
}

bool records_momenta(const SimulateSpec& settings) {
  return settings.momenta || settings.formulation == "hamiltonian";
}

Run simulate(const Mechanism& mechanism, const SimulateSpec& settings,
             const std::function<int()>& interrupted,
             const std::function<void(double t)>& progress) {
  const auto motion = make_motion(mechanism, settings);
  SimulateOptions options;
  options.start = settings.start;
  options.until = settings.until;
  options.output_step = settings.spacing();
  options.reactions = settings.reactions;
  options.momenta = records_momenta(settings);
  options.accelerations = settings.accelerations;
  options.max_wall = settings.max_wall.value_or(0);
  options.max_steps = settings.max_steps.value_or(0);
  options.real_time_factor = settings.real_time_factor.value_or(0);
  options.overrun = overrun_named(settings.overrun);
  options.interrupted = interrupted;
  options.progress = progress;
  Run run;
  KeptRows sink;
  run.summary = simulate(*motion, run_start(mechanism, settings.start), options, sink);
  run.trajectory = std::move(sink.rows);
  const std::vector<Diagnostic> notes = settings_notes(settings);
  run.summary.notes.insert(run.summary.notes.begin(), notes.begin(), notes.end());
  return run;
}

}  // namespace sarrus
