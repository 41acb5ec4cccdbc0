#include "sarrus/mechanism/bind.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "sarrus/core/near_match.hpp"

namespace sarrus {
namespace {

using Kind = Signal::Kind;

/// "q2" with letters "q" and 3 entries → 1; "q" only where there is one entry. −1: not of this form.
int component(const std::string& word, std::string_view letters, int count) {
  if (!word.starts_with(letters)) return -1;
  if (word.size() == letters.size()) return count == 1 ? 0 : -1;
  int number = 0;
  const char* begin = word.data() + letters.size();
  const auto [end, error] = std::from_chars(begin, word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) return -1;
  return number >= 1 && number <= count ? number - 1 : -1;
}

struct Reading {
  const char* prefix;
  Kind kind;
};
constexpr Reading readings[] = {{"", Kind::position},
                                {"v", Kind::point_velocity},
                                {"w", Kind::angular_velocity},
                                {"a", Kind::point_acceleration},
                                {"alpha_", Kind::angular_acceleration},
                                {"imu_", Kind::accelerometer}};

bool needs_accelerations(Kind kind) {
  return kind == Kind::acceleration || kind == Kind::point_acceleration ||
         kind == Kind::angular_acceleration || kind == Kind::accelerometer;
}

}  // namespace

int FormulaBinder::add(const Formula& formula, const std::string& element, Reach reach) {
  const int index = static_cast<int>(m_.formulas.size());
  m_.formulas.push_back(formula.expression);
  m_.formula_sources.push_back(formula);
  pending_.push_back({index, element, reach});
  return index;
}

void FormulaBinder::list_names() {
  const auto list = [](const auto& named, auto& index) {
    for (size_t i = 0; i < named.size(); ++i) index.emplace(named[i].name, static_cast<int>(i));
  };
  list(m_.joints, joint_), list(m_.point_sensors, point_sensor_);
  list(m_.formula_sensors, formula_sensor_), list(m_.shown, element_);
  for (const int i : m_.state_rates) state_.emplace(m_.states[i].name, i);
  for (size_t i = 0; i < m_.parameter_names.size(); ++i)
    parameter_.emplace(m_.parameter_names[i], static_cast<int>(i));
}

bool FormulaBinder::find_signal(const std::string& name, Signal& signal) const {
  signal.name = name;
  if (const auto s = formula_sensor_.find(name); s != formula_sensor_.end()) {
    signal.kind = Kind::formula;
    signal.index = m_.formula_sensors[s->second].formula;
    return true;
  }
  if (const auto s = state_.find(name); s != state_.end())
    return signal.kind = Kind::state, signal.index = s->second, true;
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return false;
  const std::string owner = name.substr(0, dot), part = name.substr(dot + 1);
  if (const auto found = joint_.find(owner); found != joint_.end()) {
    const JointInfo& j = m_.joints[found->second];
    if (const int i = component(part, "q", j.nq); !j.cut && i >= 0)
      return signal.kind = Kind::coordinate, signal.index = j.q0 + i, true;
    if (const int i = component(part, "u", j.nu); !j.cut && i >= 0)
      return signal.kind = Kind::velocity, signal.index = j.u0 + i, true;
    if (const int i = component(part, "udot", j.nu); !j.cut && i >= 0)
      return signal.kind = Kind::acceleration, signal.index = j.u0 + i, true;
  }
  if (const auto found = element_.find(owner); found != element_.end()) {
    const auto& quantities = m_.shown[found->second].quantities;
    for (size_t i = 0; i < quantities.size(); ++i)
      if (part == quantities[i].name) {
        signal.kind = Kind::element;
        signal.index = found->second;
        signal.axis = static_cast<int>(i);
        return true;
      }
  }
  const auto sensor = point_sensor_.find(owner);
  if (sensor == point_sensor_.end()) return false;
  for (const Reading& r : readings)
    for (int axis = 0; axis < 3; ++axis)
      if (part == fmt::format("{}{}", r.prefix, "xyz"[axis])) {
        signal.kind = r.kind;
        signal.index = sensor->second;
        signal.axis = axis;
        return true;
      }
  return false;
}

void FormulaBinder::report_unknown(const std::string& name, const Pending& at) const {
  std::vector<std::string> known = m_.parameter_names;
  known.push_back("t");
  for (const FormulaSensor& s : m_.formula_sensors)
    if (s.shown) known.push_back(s.name);
  for (const StateInfo& s : m_.states)
    if (s.shown) known.push_back(s.name);
  for (const JointInfo& j : m_.joints) {
    if (j.cut) continue;
    for (int i = 0; i < j.nq; ++i) known.push_back(m_.coordinate_name(j.q0 + i));
    for (int i = 0; i < j.nu; ++i) known.push_back(m_.velocity_name(j.u0 + i));
  }
  for (const PointSensor& s : m_.point_sensors)
    for (const Reading& r : readings)
      for (const char axis : {'x', 'y', 'z'})
        known.push_back(fmt::format("{}.{}{}", s.name, r.prefix, axis));
  for (const ShownElement& e : m_.shown)
    for (const ElementQuantity& quantity : e.quantities)
      known.push_back(fmt::format("{}.{}", e.name, quantity.name));
  const Formula& source = m_.formula_sources[at.formula];
  std::string hint = near_match(name, known);
  hint = hint.empty() ? "a formula may use t, parameters, joints (hinge.q, hinge.u), sensors "
                        "(tip.x, tip.vx), springs (coil.force) and value sensors by name"
                      : "did you mean '" + hint + "'?";
  faults_.error("unknown-name", source.where, at.element,
                fmt::format("'{}' in \"{}\" is not known", name, source.expression.text()), hint);
}

/// Of a signal whose own dependences are already known.
bool FormulaBinder::is_late(const Signal& signal) const {
  if (signal.kind == Kind::element) {
    const ShownElement& e = m_.shown[signal.index];
    return e.by_formula && e.quantities[signal.axis].of == ElementQuantity::Of::forces;
  }
  if (signal.kind != Kind::formula) return needs_accelerations(signal.kind);
  const auto& names = m_.formulas[signal.index].names();
  return std::any_of(names.begin(), names.end(),
                     [this](const std::string& name) { return late_.count(name) > 0; });
}

/// The signal's index, made on first use after everything that it depends on; −1 on a fault.
int FormulaBinder::require(const std::string& name, const Pending& at) {
  if (const auto found = signal_index_.find(name); found != signal_index_.end())
    return found->second;
  Signal signal;
  if (!find_signal(name, signal)) {
    report_unknown(name, at);
    return -1;
  }
  if (signal.kind == Kind::formula) {
    if (std::find(in_progress_.begin(), in_progress_.end(), name) != in_progress_.end()) {
      faults_.error("circular-formula", m_.formula_sources[at.formula].where, at.element,
                    fmt::format("signals depend on each other in a cycle: {} → {}",
                                fmt::join(in_progress_, " → "), name),
                    "what a signal reads must not read the signal; a state, a filter or a sampled "
                    "block in between breaks the cycle");
      return -1;
    }
    in_progress_.push_back(name);
    bool known = true;
    for (const std::string& inner : m_.formulas[signal.index].names())
      if (inner != "t" && slot_of(inner, at) < 0) known = false;
    in_progress_.pop_back();
    if (!known) return -1;
  }
  const int index = static_cast<int>(m_.signals.size());
  m_.signals.push_back(signal);
  signal_index_[name] = index;
  if (is_late(signal)) late_.insert(name);
  return index;
}

int FormulaBinder::slot_of(const std::string& name, const Pending& at) {
  if (name == "t") return 0;
  if (const auto p = parameter_.find(name); p != parameter_.end()) return 1 + p->second;
  const int index = require(name, at);
  return index < 0 ? -1 : m_.slot_of_signal(index);
}

/// Early signals first, each part in its order of dependence.
void FormulaBinder::order_signals() {
  const auto late =
      std::stable_partition(m_.signals.begin(), m_.signals.end(),
                            [this](const Signal& s) { return late_.count(s.name) == 0; });
  m_.early_signals = static_cast<int>(late - m_.signals.begin());
  for (size_t i = 0; i < m_.signals.size(); ++i)
    signal_index_[m_.signals[i].name] = static_cast<int>(i);
}

void FormulaBinder::bind(const std::vector<std::shared_ptr<const Table>>& tables) {
  list_names();
  // find all signals first: their order decides the slots
  for (const Pending& p : pending_)
    for (const std::string& name : m_.formulas[p.formula].names()) {
      const int slot = slot_of(name, p);
      if (slot < 0) continue;
      const int signal = slot - m_.slot_of_signal(0);
      const Formula& source = m_.formula_sources[p.formula];
      if (signal >= 0 && p.reach == Reach::time)
        faults_.error(
            "motion-of-signals", source.where, p.element,
            fmt::format("\"{}\" depends on '{}', but a prescribed motion is a function of "
                        "time alone",
                        source.expression.text(), name),
            "use t, parameters and tables; to follow a signal use a servo");
      if (signal >= 0 && p.reach == Reach::motion && late_.count(name) > 0)
        faults_.error("force-of-acceleration", source.where, p.element,
                      fmt::format("\"{}\" depends on '{}', which is known only after the forces",
                                  source.expression.text(), name),
                      "use positions and velocities");
    }
  if (faults_.has_errors()) return;
  order_signals();

  const auto table_of = [&](const std::string& name) -> std::shared_ptr<const Table> {
    for (const auto& table : tables)
      if (table->name == name) return table;
    return nullptr;
  };
  for (const Pending& p : pending_) {
    const std::string unknown = m_.formulas[p.formula].bind(
        [&](const std::string& name) { return slot_of(name, p); }, table_of);
    if (!unknown.empty()) {
      const Formula& source = m_.formula_sources[p.formula];
      faults_.error("unknown-function", source.where, p.element,
                    fmt::format("'{}' in \"{}\" is neither a function nor a table", unknown,
                                source.expression.text()),
                    "tables are declared with [[table]]; the reference lists the functions");
    }
  }
}

}  // namespace sarrus
