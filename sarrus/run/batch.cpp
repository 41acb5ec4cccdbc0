#include "sarrus/run/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "sarrus/core/near_match.hpp"
#include "sarrus/formulations/choice/formulation_options.hpp"
#include "sarrus/formulations/stages/workspace.hpp"
#include "sarrus/joints/chart.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

using Lanes = Pack<4>;
constexpr int lanes = Lanes::lanes;

/// ẏ of one group in the chart around `base`: y = [ξ | u | states].
class Equations {
 public:
  explicit Equations(const Mechanism& m)
      : m_(m), w_(m), q_(static_cast<size_t>(m.nq)), v_(static_cast<size_t>(m.nx)) {}

  Workspace<Lanes>& workspace() { return w_; }

  void place(const std::vector<Lanes>& base, const Lanes* xi, Lanes* q) const {
    for (size_t b = 1; b < static_cast<size_t>(m_.nb); ++b)
      retract(m_.kind[b], base.data() + m_.q0[b], xi + m_.x0[b], q + m_.q0[b]);
  }

  void derivative(double t, const std::vector<Lanes>& base, const Lanes* y, Lanes* ydot) {
    place(base, y, q_.data());
    const Kinematics<Lanes>& k = move(w_, Lanes(t), q_.data(), y + m_.nx, y + m_.nx + m_.nu);
    const Forces<Lanes>& f = load(w_, k);
    const Accelerations<Lanes>& a = accelerate(w_, k, f);
    for (size_t b = 1; b < static_cast<size_t>(m_.nb); ++b) {
      chart_velocity(m_.kind[b], w_.numbers().body[b].joint, k.q.data() + m_.q0[b],
                     k.u.data() + m_.u0[b], v_.data() + m_.x0[b]);
      chart_rate(m_.kind[b], y + m_.x0[b], v_.data() + m_.x0[b], ydot + m_.x0[b]);
    }
    std::copy_n(a.udot.begin(), m_.nu, ydot + m_.nx);
    std::copy_n(f.state_rate.begin(), m_.ns, ydot + m_.nx + m_.nu);
  }

 private:
  const Mechanism& m_;
  Workspace<Lanes> w_;
  std::vector<Lanes> q_, v_;
};

/// What one thread needs to move groups.
struct Room {
  Equations f;
  std::vector<std::vector<Lanes>> k;  // four rates, y, a stage, the next configuration

  explicit Room(const Mechanism& m)
      : f(m), k(7, std::vector<Lanes>(std::max(m.nx, m.nq) + m.nu + m.ns, Lanes(0.0))) {}
};

}  // namespace

/// Four instances: their numbers and their state.
struct Batch::Group {
  Numbers<Lanes> numbers;
  std::vector<Lanes> q, rest;  // rest: u, states of elements
};

Batch::Batch(const Mechanism& mechanism, int instances) : m_(&mechanism), instances_(instances) {
  if (instances < 1)
    throw std::invalid_argument(
        fmt::format("a batch of {} instances: at least one is needed", instances));
  if (mechanism.has_loops())
    throw Error(
        Fault::physics,
        Diagnostic{.code = "closed-loop",
                   .element = "batch",
                   .message = "a batch runs trees only, and this mechanism has closed loops"});
  refuse_small(mechanism, "a batch");
  if (!mechanism.sampled.empty())
    throw Error(Fault::physics,
                Diagnostic{.code = "sampled-block",
                           .where = mechanism.sampled.front().where,
                           .element = "batch",
                           .message = fmt::format("a batch has no samples, and '{}' is sampled",
                                                  mechanism.sampled.front().name),
                           .hint = "make the block continuous, or run the instances one by one"});
  const Numbers<Lanes> numbers = mechanism.numbers.as<Lanes>();
  for (int i = 0; i < instances; i += lanes) {
    auto group = std::make_unique<Group>();
    group->numbers = numbers;
    group->q.assign(mechanism.start.q.begin(), mechanism.start.q.end());
    group->rest.assign(mechanism.start.u.begin(), mechanism.start.u.end());
    group->rest.insert(group->rest.end(), mechanism.start_state.begin(),
                       mechanism.start_state.end());
    groups_.push_back(std::move(group));
  }
}

Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;

void Batch::check(int instance) const {
  if (instance < 0 || instance >= instances_)
    throw std::out_of_range(fmt::format("instance {} of {}", instance, instances_));
}

Batch::Group& Batch::group_of(int instance) const {
  check(instance);
  return *groups_[static_cast<size_t>(instance / lanes)];
}

void Batch::set_start(int instance, const Coordinates& start) {
  Group& g = group_of(instance);
  if (static_cast<int>(start.q.size()) != m_->nq || static_cast<int>(start.u.size()) != m_->nu)
    throw std::invalid_argument(
        fmt::format("{} coordinates and {} velocities are given, the mechanism has "
                    "{} and {}",
                    start.q.size(), start.u.size(), m_->nq, m_->nu));
  for (size_t i = 0; i < start.q.size(); ++i) g.q[i].set(instance % lanes, start.q[i]);
  for (size_t i = 0; i < start.u.size(); ++i) g.rest[i].set(instance % lanes, start.u[i]);
}

void Batch::set_numbers(int instance, const Numbers<double>& numbers) {
  Group& g = group_of(instance);
  std::vector<double> values;
  Numbers<double> copy = numbers;
  copy.each_number([&](double& x) { values.push_back(x); });
  size_t count = 0;
  g.numbers.each_number([&](Lanes&) { ++count; });
  if (count != values.size())
    throw std::invalid_argument(fmt::format(
        "{} numbers are given, this tree has {}: it is another mechanism", values.size(), count));
  size_t at = 0;
  g.numbers.each_number([&](Lanes& x) { x.set(instance % lanes, values[at++]); });
}

void Batch::set_parameter(int instance, const std::string& name, double value) {
  const auto found = std::find(m_->parameter_names.begin(), m_->parameter_names.end(), name);
  if (found == m_->parameter_names.end())
    throw std::invalid_argument(fmt::format("no parameter is called '{}'; {}", name,
                                            did_you_mean(name, m_->parameter_names)));
  const auto index = static_cast<size_t>(found - m_->parameter_names.begin());
  group_of(instance).numbers.parameters[index].set(instance % lanes, value);
}

void Batch::advance(double duration, double step, int threads) {
  if (!(duration >= 0) || !(step > 0) || !std::isfinite(duration / step))
    throw std::invalid_argument(fmt::format("{} s in steps of {} s", duration, step));
  const auto steps = static_cast<long long>(steps_over(duration, step));
  const double h = steps > 0 ? duration / static_cast<double>(steps) : 0;
  const double start = t_;

  const auto run_group = [&](Group& g, Equations& f, std::vector<std::vector<Lanes>>& k) {
    const auto nx = static_cast<size_t>(m_->nx), n = nx + g.rest.size();
    std::swap(f.workspace().numbers(), g.numbers);
    std::vector<Lanes>&y = k[4], &x = k[5], &next = k[6];
    for (long long s = 0; s < steps; ++s) {
      const double t = start + static_cast<double>(s) * h;
      std::fill_n(y.begin(), nx, Lanes(0.0));
      std::copy(g.rest.begin(), g.rest.end(), y.begin() + static_cast<long>(nx));
      const auto stage = [&](const std::vector<Lanes>& rate, double c) {
        for (size_t i = 0; i < n; ++i) x[i] = y[i] + rate[i] * Lanes(c);
      };
      f.derivative(t, g.q, y.data(), k[0].data());
      stage(k[0], h / 2), f.derivative(t + h / 2, g.q, x.data(), k[1].data());
      stage(k[1], h / 2), f.derivative(t + h / 2, g.q, x.data(), k[2].data());
      stage(k[2], h), f.derivative(t + h, g.q, x.data(), k[3].data());
      for (size_t i = 0; i < n; ++i)
        y[i] += (k[0][i] + (k[1][i] + k[2][i]) * Lanes(2.0) + k[3][i]) * Lanes(h / 6);
      f.place(g.q, y.data(), next.data());
      std::copy_n(next.begin(), g.q.size(), g.q.begin());
      std::copy_n(y.begin() + static_cast<long>(nx), g.rest.size(), g.rest.begin());
    }
    std::swap(f.workspace().numbers(), g.numbers);
  };

  // all memory is taken before the first group moves: where there is none, nothing has changed
  std::deque<Room> spaces;
  for (int i = 0; i < std::max(threads, 1); ++i) spaces.emplace_back(*m_);

  std::atomic<size_t> next_group{0};
  const auto work = [&](Room& own) {
    for (size_t i; (i = next_group++) < groups_.size();) run_group(*groups_[i], own.f, own.k);
  };
  {
    std::vector<std::jthread> others;
    others.reserve(spaces.size());
    try {
      for (size_t i = 1; i < spaces.size(); ++i) others.emplace_back(work, std::ref(spaces[i]));
    } catch (const std::system_error&) {  // the machine gives no more threads: these do it all
    }
    work(spaces[0]);
  }
  t_ = start + duration;
}

Coordinates Batch::coordinates(int instance) const {
  const Group& g = group_of(instance);
  Coordinates c;
  for (const Lanes& x : g.q) c.q.push_back(x[instance % lanes]);
  for (int i = 0; i < m_->nu; ++i) c.u.push_back(g.rest[i][instance % lanes]);
  return c;
}

std::vector<double> Batch::energies() {
  std::vector<double> all;
  Workspace<Lanes> w(*m_);
  for (const auto& g : groups_) {
    std::swap(w.numbers(), g->numbers);
    const Kinematics<Lanes>& k =
        move(w, Lanes(t_), g->q.data(), g->rest.data(), g->rest.data() + m_->nu);
    const Lanes e = kinetic_energy(w, k) + potential_energy(w, k, load(w, k));
    std::swap(w.numbers(), g->numbers);
    for (int lane = 0; lane < lanes && static_cast<int>(all.size()) < instances_; ++lane)
      all.push_back(e[lane]);
  }
  return all;
}

}  // namespace sarrus
