// compile: inputs, states, signals and blocks of controllers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "sarrus/mechanism/compiler.hpp"

namespace sarrus {
namespace {

Formula formula_of(const std::string& text, const Place& where) {
  return {Expression::parse(text).expression, where};
}

/// The order in which sampled signals take their values: each after those that it reads, itself or
/// through signals that are not sampled.
class SampleOrder {
 public:
  SampleOrder(const Mechanism& m, Diagnostics& faults) : m_(m), faults_(faults) {
    for (size_t i = 0; i < m.sampled.size(); ++i)
      if (!m.sampled[i].is_state) signal_[m.sampled[i].name] = i;
    for (const FormulaSensor& s : m.formula_sensors) formula_[s.name] = s.formula;
    done_.assign(m.sampled.size(), 0);
  }

  std::vector<SampledValue> take() {
    for (size_t i = 0; i < m_.sampled.size(); ++i)
      if (!m_.sampled[i].is_state) add(i);
    for (const SampledValue& s : m_.sampled)
      if (s.is_state) order_.push_back(s);
    return std::move(order_);
  }

 private:
  void add(size_t i) {
    const SampledValue& s = m_.sampled[i];
    if (done_[i] || refused_) return;
    if (std::find(path_.begin(), path_.end(), s.name) != path_.end()) {
      refused_ = true;
      faults_.error("circular-formula", s.where, "block/" + s.name.substr(0, s.name.rfind(".in")),
                    fmt::format("sampled signals depend on each other at one instant: {} → {}",
                                fmt::join(path_, " → "), s.name),
                    "a delay of one sample in between breaks the cycle");
      return;
    }
    path_.push_back(s.name);
    follow(s.formula);
    path_.pop_back();
    done_[i] = 1;
    if (!refused_) order_.push_back(s);
  }

  void follow(int formula) {
    for (const std::string& name : m_.formulas[formula].names()) {
      if (const auto s = signal_.find(name); s != signal_.end()) {
        add(s->second);
      } else if (const auto f = formula_.find(name); f != formula_.end()) {
        path_.push_back(name);
        follow(f->second);
        path_.pop_back();
      }
    }
  }

  const Mechanism& m_;
  Diagnostics& faults_;
  std::unordered_map<std::string, size_t> signal_;
  std::unordered_map<std::string, int> formula_;
  std::vector<char> done_;
  bool refused_ = false;
  std::vector<std::string> path_;
  std::vector<SampledValue> order_;
};

}  // namespace

int Compiler::add_parameter(const std::string& name, double value) {
  m_.parameter_names.push_back(name);
  m_.numbers.parameters.push_back(value);
  return static_cast<int>(m_.parameter_names.size()) - 1;
}

int Compiler::add_state_of(StateInfo info, double start) {
  m_.states.push_back(std::move(info));
  m_.start_state.push_back(start);
  return m_.ns++;
}

void Compiler::add_inputs() {
  for (const InputSpec& input : model_.inputs) {
    InputInfo info{input.name, input.unit, -1, input.limits, input.where};
    if (input.course)
      m_.formula_sensors.push_back(
          {input.name, input.unit,
           binder_.add(*input.course, "input/" + input.name + "/value", Reach::time), "input"});
    else
      info.parameter = add_parameter(input.name, input.value);
    m_.inputs.push_back(std::move(info));
  }
}

void Compiler::add_control() {
  ControlParts parts;
  for (const BlockSpec& block : model_.blocks) expand(block, parts, faults_);
  for (const SignalSpec& s : model_.outputs) {
    m_.outputs.push_back(s.name);
    add_signal(s, "output");
  }
  for (const StateSpec& s : model_.states) add_state(s);
  for (const StateSpec& s : parts.states) add_state(s);
  for (const SignalSpec& s : parts.signals) add_signal(s, "block");
  for (size_t i = 0; i < model_.events.size(); ++i)
    for (const EventSetting& setting : model_.events[i].set)
      m_.events[i].actions.push_back(action_of(model_.events[i], setting));
}

/// ẋ = rate, but 0 where that would lead beyond a limit that has been reached. The rate is asked
/// first: where it leads back, whether the limit is still reached does not matter, and is no switch.
Formula Compiler::within_limits(const StateSpec& s) {
  const std::string rate = s.name + ".rate";
  m_.formula_sensors.push_back(
      {rate, "1", binder_.add(s.rate, "state/" + s.name + "/rate", Reach::motion), "state", false});
  return formula_of(fmt::format("if({1} > 0, if({0} >= {2}, 0, {1}), if({0} <= {3}, 0, {1}))",
                                s.name, rate, s.limits.high, s.limits.low),
                    s.rate.where);
}

void Compiler::add_state(const StateSpec& s) {
  if (!s.clock.is_continuous())
    return add_sampled({.name = s.name,
                        .unit = s.unit,
                        .clock = s.clock,
                        .is_state = true,
                        .limits = s.limits,
                        .shown = s.shown,
                        .where = s.where},
                       s.rate, s.start);
  const int state = add_state_of(
      {.name = s.name, .unit = s.unit, .limits = s.limits, .shown = s.shown, .where = s.where},
      s.start);
  m_.states[state].formula = binder_.add(s.limits.exist() ? within_limits(s) : s.rate,
                                         "state/" + s.name + "/rate", Reach::motion);
  m_.state_rates.push_back(state);
}

void Compiler::add_signal(const SignalSpec& s, const char* table) {
  if (s.clock.is_continuous()) {
    m_.formula_sensors.push_back(
        {s.name, s.unit,
         binder_.add(s.value, fmt::format("{}/{}", table, s.name), Reach::accelerations), table,
         s.shown});
    return;
  }
  add_sampled({.name = s.name,
               .unit = s.unit,
               .clock = s.clock,
               .noise = s.noise,
               .shown = s.shown,
               .where = s.where},
              s.value, s.start);
}

void Compiler::add_sampled(SampledValue value, const Formula& formula, double start) {
  value.parameter = add_parameter(value.name, start);
  value.formula = binder_.add(formula, "block/" + value.name, Reach::accelerations);
  m_.sampled.push_back(std::move(value));
}

void Compiler::order_sampled() {
  if (m_.sampled.empty() || faults_.has_errors()) return;
  m_.sampled = SampleOrder(m_, faults_).take();
}

}  // namespace sarrus
