#include "sarrus/formulations/discrete/discrete.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sarrus/formulations/discrete/discrete_memory.hpp"

namespace sarrus {
namespace {

/// Gains follow from the step, and the step from what the gains allow.
DiscreteScheme settled(const Mechanism& m, const DiscreteGraph& g, DiscreteGains& gains,
                       const SimulateSpec& settings) {
  const DiscreteScheme scheme = discrete_scheme(m, g, gains, settings);
  gains.set_step(scheme.h);
  return scheme;
}

}  // namespace

Discrete::Discrete(const Mechanism& m, const SimulateSpec& settings)
    : m_(&m),
      g_(discrete_graph(m, settings.plane)),
      gains_(m, g_, {settings.joint_stiffness, settings.joint_damping}),
      scheme_(settled(m, g_, gains_, settings)),
      w_(m),
      clock_{.h = scheme_.h},
      coordinates_(m, g_, gains_),
      elements_(m, g_, scheme_),
      contacts_(m, g_),
      switches_(m, g_),
      rows_(m, g_, gains_, scheme_.leapfrog),
      conditions_(m, g_, gains_),
      loans_(g_),
      has_elements_(!elements_.empty() || !contacts_.empty() || !switches_.empty()),
      is_busy_(has_elements_ || !gains_.rows().empty() || !g_.conditions.empty() ||
               !loans_.empty()),
      bodies_(m.numbers.gravity, g_, gains_, scheme_, is_busy_),
      records_(m, g_, scheme_.h, rows_.rotors()),
      after_(records_.size()) {}

void Discrete::begin(const StartState& start) {
  clock_.start = start.t;
  clock_.count = 0;
  ledger_ = {};
  failure_.clear();
  place(start);
  contacts_.begin();
  conditions_.begin();
  rows_.begin(coordinates_);
  elements_.begin(start.state, bodies_);
  if (!switches_.empty())
    switches_.begin(elements_.formulas(w_, clock_, coordinates_, bodies_), clock_.h, bodies_);
  loans_.open(*m_, start);
  evaluate();
  if (!loans_.empty()) {
    pace_loans();
    evaluate();
  }
  flow_before_ = flow_;
  elements_.begin_rates();
  if (scheme_.leapfrog) {
    bodies_.turn_back_half_a_kick();
    rows_.turn_back_half_a_kick(clock_.h);
  }
  loans_.begin(bodies_);
  warn();
}

/// Places and motions of the bodies from q and u: the only use of the tree, once.
void Discrete::place(const StartState& start) {
  Workspace<double> tree(*m_);
  const Kinematics<double>& k =
      move(tree, start.t, start.q.data(), start.u.data(), start.state.data());
  coordinates_.q = start.q, coordinates_.u = start.u;
  std::copy_n(k.q.begin(), m_->nq, coordinates_.q.begin());  // prescribed ones are in place now
  std::copy_n(k.u.begin(), m_->nu, coordinates_.u.begin());
  bodies_.place(k);
}

void Discrete::advance(std::int64_t steps) {
  if (!is_busy_ && bodies_.move_alone()) {
    bodies_.advance(steps);
    clock_.count += steps;
  } else {
    for (std::int64_t i = 0; i < steps; ++i) step_once();
  }
  // angles that nothing else reads are tracked here, before they can turn by half a turn
  coordinates_.read_all(bodies_.motion());
}

void Discrete::step_once() {
  const double h = clock_.h;
  if (has_elements_) elements_.keep_velocities(bodies_);
  switches_.book(bodies_, h, ledger_.dissipated, [&] { bodies_.move(); });
  rows_.move(w_, clock_);
  elements_.move(h);
  ++clock_.count;
  flow_before_ = flow_;
  pace_loans();
  loans_.follow(bodies_, h);
  evaluate();
  keep_ledger();
}

/// Forces at the present places.
void Discrete::evaluate() {
  bodies_.hold();
  if (!is_busy_) return;
  bodies_.clear_pushes(coordinates_.measured());
  flow_ = {};
  if (has_elements_) {
    const Forces<double>& forces = elements_.apply(w_, clock_, coordinates_, bodies_, flow_);
    contacts_.apply(elements_.placed(), clock_.count == 0 ? 0 : clock_.h, bodies_, flow_);
    switches_.work(forces.formula, clock_.h, bodies_);
    bodies_.keep_in_plane();
  } else {
    coordinates_.read_measured(bodies_.motion());
  }
  rows_.apply(w_, clock_, coordinates_, bodies_, flow_);
  conditions_.apply(clock_, coordinates_, bodies_);
  loans_.give_back(bodies_);
}

void Discrete::change_over(std::span<double> y) {
  if (!has_elements_) return;
  elements_.change_over(w_, clock_, coordinates_, bodies_, flow_);
  bodies_.keep_in_plane();
  record(after_);
  records_.take_forces(after_, y);
  elements_.take_back_half(coordinates_, bodies_);
  bodies_.keep_in_plane();
}

/// Loans try what the blocks exert at other speeds; nothing else remembers it.
void Discrete::pace_loans() {
  if (!loans_.are_due(clock_)) return;
  kept_.clear();
  write_memory(kept_, bodies_, coordinates_, rows_, conditions_);
  loans_.pace(clock_, gains_.stiffness_per_damping(), bodies_, [&] {
    EnergyFlow<double> unused{};
    bodies_.hold();
    bodies_.clear_pushes({});
    coordinates_.read_measured(bodies_.motion());
    rows_.apply(w_, clock_, coordinates_, bodies_, unused);
    conditions_.apply(clock_, coordinates_, bodies_);
  });
  read_memory(kept_.data(), bodies_, coordinates_, rows_, conditions_);
}

/// Powers by the trapezoidal rule.
void Discrete::keep_ledger() {
  if (!is_busy_) return;
  const double half = clock_.h / 2;
  ledger_.dissipated += half * (flow_before_.dissipated + flow_.dissipated);
  ledger_.drive += half * (flow_before_.drive + flow_.drive);
  ledger_.external += half * (flow_before_.external + flow_.external);
}

void Discrete::record(std::span<double> y) {
  records_.write(bodies_, conditions_, rows_, elements_, coordinates_, ledger_, y);
}

// ── memory ──────────────────────────────────────────────────────────────────────────────────────

std::vector<double> Discrete::memory() const {
  std::vector<double> out;
  save(out);
  return out;
}

void Discrete::save(std::vector<double>& out) const {
  out.clear();
  with_memory(*this, [&](const auto&... part) { write_memory(out, part...); });
}

void Discrete::set_memory(std::span<const double> memory) {
  if (memory.size() != this->memory().size())
    throw std::invalid_argument(fmt::format(
        "discrete: a memory of {} numbers is expected, {} are given; it belongs to another model",
        this->memory().size(), memory.size()));
  with_memory(*this, [&](auto&... part) { read_memory(memory.data(), part...); });
  switches_.engage(bodies_);
}

}  // namespace sarrus
