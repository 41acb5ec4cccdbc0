#include "sarrus/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/read_valid_model.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/run/run_start.hpp"
#include "sarrus/run/simulate.hpp"
#include "sarrus/run/watch/deflection_watch.hpp"
#include "sarrus/run/watch/failure.hpp"

namespace sarrus {

struct Simulation::Parts {
  Parts(const Model& model, Mechanism compiled)
      : mechanism(std::move(compiled)),
        motion(make_motion(mechanism, model.simulate)),
        start(run_start(mechanism, model.simulate.start)),
        recorder(mechanism, {model.simulate.reactions, records_momenta(model.simulate),
                             model.simulate.accelerations}),
        now(mechanism),
        row(recorder.columns().size()) {
    motion->suits();
    begin();
  }

  void begin() {
    motion->begin(start);
    look();
    energy_at_start = now.energy();
    record();
  }

  void look() {
    motion->look(motion->time(), now);
    recorded = false;
  }
  void record() {
    recorder.row(now, energy_at_start, row);
    recorded = true;
  }

  /// Whether a formula that is evaluated while the model runs reads the parameter.
  bool is_read(int parameter) const {
    const auto reads = [&](const Expression& e) {
      const std::vector<int> slots = e.slots();
      return std::find(slots.begin(), slots.end(), 1 + parameter) != slots.end();
    };
    return std::any_of(mechanism.formulas.begin(), mechanism.formulas.end(), reads);
  }
  bool is_sampled(int parameter) const {
    return std::any_of(mechanism.sampled.begin(), mechanism.sampled.end(),
                       [&](const SampledValue& s) { return s.parameter == parameter; });
  }
  std::vector<std::string> inputs() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < mechanism.parameter_names.size(); ++i)
      if (is_read(static_cast<int>(i)) && !is_sampled(static_cast<int>(i)))
        names.push_back(mechanism.parameter_names[i]);
    return names;
  }

  const InputInfo& find_input(const std::string& name) const {
    std::vector<std::string> known;
    for (const InputInfo& input : mechanism.inputs) {
      if (input.name == name) return input;
      known.push_back(input.name);
    }
    throw std::invalid_argument(
        fmt::format("no input is called '{}'; {}", name,
                    known.empty() ? "the model has no [[input]]" : did_you_mean(name, known)));
  }

  StepResult step(double until) {
    motion->expect_look(until);
    const StepResult result = motion->step(until);
    look();
    if (result.status != StepStatus::accepted)
      throw Error(Fault::numerics, describe_failure(*motion, result));
    check_deformation(mechanism, now.t, now.q);
    return result;
  }

  Mechanism mechanism;
  std::unique_ptr<Motion> motion;
  StartState start;
  Recorder recorder;
  double energy_at_start = 0;
  Snapshot now;
  std::vector<double> row;
  bool recorded = false;
};

Simulation::Simulation(const Model& model) : p_(std::make_unique<Parts>(model, compile(model))) {}
Simulation::Simulation(const ValidModel& model)
    : p_(std::make_unique<Parts>(*model, compile(model))) {}
Simulation Simulation::load(const std::string& path) { return Simulation(read_valid_model(path)); }
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

const Mechanism& Simulation::mechanism() const { return p_->mechanism; }
double Simulation::time() const { return p_->motion->time(); }
const Snapshot& Simulation::now() const { return p_->now; }
const std::vector<Column>& Simulation::columns() const { return p_->recorder.columns(); }

void Simulation::advance(double t, const std::function<bool()>& stop) {
  if (!std::isfinite(t) || t < time())
    throw std::invalid_argument(
        fmt::format("advance({}): the simulation is at {} s and goes forward only", t, time()));
  if (!p_->motion->can_move()) return;
  while (time() < t) {
    p_->step(t);
    if (stop && stop()) return;
  }
}

double Simulation::step(double until) {
  if (p_->motion->can_move() && time() < until) p_->step(until);
  return time();
}

std::span<const double> Simulation::row() const {
  if (!p_->recorded) p_->record();
  return p_->row;
}

double Simulation::value(const std::string& column) const {
  const std::vector<Column>& all = columns();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.name == column; });
  if (found != all.end()) return row()[found - all.begin()];
  std::vector<std::string> names;
  for (const Column& c : all) names.push_back(c.name);
  throw std::invalid_argument(
      fmt::format("no column is called '{}'; {}", column, did_you_mean(column, names)));
}

void Simulation::set(const std::string& parameter, double value) {
  const std::vector<std::string>& names = p_->mechanism.parameter_names;
  const auto found = std::find(names.begin(), names.end(), parameter);
  const int index = static_cast<int>(found - names.begin());
  if (found == names.end())
    throw std::invalid_argument(fmt::format("no parameter is called '{}'; {}", parameter,
                                            did_you_mean(parameter, p_->inputs())));
  if (!p_->is_read(index))
    throw std::invalid_argument(
        fmt::format("parameter '{}' is read only when the model is compiled, by no formula of the "
                    "run; compile the model again with another value",
                    parameter));
  if (!std::isfinite(value))
    throw std::invalid_argument(
        fmt::format("set('{}', {}): not a finite number", parameter, value));
  p_->motion->set_parameter(index, value);
  p_->look();
}

std::vector<std::string> Simulation::inputs() const { return p_->inputs(); }
const std::vector<std::string>& Simulation::outputs() const { return p_->mechanism.outputs; }

void Simulation::set_input(const std::string& name, double value) {
  const InputInfo& input = p_->find_input(name);
  if (input.parameter < 0)
    throw std::invalid_argument(
        fmt::format("set_input('{}'): the model gives its course, a formula of time; give it a "
                    "number there to set it from outside",
                    name));
  if (!std::isfinite(value) || !input.limits.contain(value))
    throw std::invalid_argument(fmt::format(
        "set_input('{}', {}): {}", name, value,
        std::isfinite(value) ? fmt::format("not within its limits {} and {} {}", input.limits.low,
                                           input.limits.high, input.unit)
                             : "not a finite number"));
  p_->motion->set_parameter(input.parameter, value);
  p_->look();
}

double Simulation::input(const std::string& name) const {
  p_->find_input(name);
  return value(name);
}

SimulationState Simulation::save() {
  SimulationState s{p_->motion->save(), p_->energy_at_start};
  p_->look();
  return s;
}

void Simulation::restore(const SimulationState& s) {
  const MotionState here = p_->motion->save();
  p_->look();
  if (s.motion.parameters.size() != here.parameters.size() || s.motion.q.size() != here.q.size() ||
      s.motion.rest.size() != here.rest.size())
    throw std::invalid_argument("restore: the state belongs to another model or formulation");
  p_->motion->restore(p_->start, s.motion);
  p_->energy_at_start = s.energy_at_start;
  p_->look();
}

void Simulation::reset() {
  const std::vector<double>& parameters = p_->mechanism.numbers.parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    p_->motion->set_parameter(static_cast<int>(i), parameters[i]);
  p_->begin();
}

}  // namespace sarrus
