#include "sarrus/verify/contender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "sarrus/formulations/discrete/discrete.hpp"
#include "sarrus/run/watch/failure.hpp"
#include "sarrus/run/watch/fastest_mode.hpp"
#include "sarrus/verify/jumps.hpp"

namespace sarrus {
namespace {

constexpr double tolerances[] = {1e-8, 1e-10, 1e-12, 1e-13, 2e-14};
constexpr double patience = 5;  // wall time per processor time, where others are at work too
constexpr double smallest_atol = 1e-16;
constexpr double falls_at_most = 0.1;      // of an error, from one tolerance to the next
constexpr double falls_at_least = 0.5;     // … where anything is gained at all
constexpr double most_steps = 4e6;         // of one run with a fixed step
constexpr double orderless = 1e-13;        // differences below it show no order
constexpr double difference_noise = 1e-6;  // of gradients by differences of energies
constexpr double first_deflection = 1e-3;  // [m] a guess, before anything is known
constexpr double most_radians = 200;     // of a vibration over the run, that implicit steps follow
constexpr int steps_between_words = 64;  // about what is being done
constexpr double stiff_radians = 1e4;  // of the fastest element: explicit steps are held back by it
constexpr int most_literal = 40;  // freedoms: the energy matrix by rows costs their fourth power

/// The settings of the model without those that belong to one formulation or to a clock.
SimulateSpec plain(const SimulateSpec& from) {
  SimulateSpec s;
  s.start = from.start, s.until = from.until;
  s.max_step = from.max_step;
  s.scheme = from.scheme, s.rotation = from.rotation, s.plane = from.plane;
  s.joint_stiffness = from.joint_stiffness, s.joint_damping = from.joint_damping;
  s.reactions = s.momenta = true;  // so that all runs have the same columns
  s.accelerations = from.accelerations;
  return s;
}

bool has_small(const Mechanism& m) {
  return std::find(m.small.begin(), m.small.end(), 1) != m.small.end();
}

/// Makes it once: what it cannot do, it says.
std::string refusal(const Mechanism& m, const SimulateSpec& s) try {
  check_formulation(m, s);
  return "";
} catch (const Error& e) {
  const Diagnostic& d = e.diagnostics().front();
  const size_t more = e.diagnostics().size() - 1;
  return (d.element.empty() ? "" : d.element + ": ") + d.message +
         (more > 0 ? fmt::format(" (and {} more)", more) : "");
}

/// Whether an element asks for steps far shorter than the motion does.
bool is_stiff(const Mechanism& m, const SimulateSpec& s) try {
  if (m.nu == 0) return false;
  const auto f = make_formulation("recursive", m);
  std::vector<double> y(f->size());
  f->begin(start_state(m, s.start), y);
  Snapshot now(m);
  f->observe(s.start, y, now);
  return stiffest_element(now).rate * (s.until - s.start) > stiff_radians;
} catch (const Error&) {  // what this formulation cannot run, it cannot tell
  return false;
}

Contender contender(const Mechanism& m, const SimulateSpec& base, std::string name,
                    std::string family, const char* formulation, std::vector<std::string> methods,
                    const char* loops = "multipliers", const char* matrix = "",
                    const char* gradient = "") {
  Contender c{std::move(name), std::move(family), base, std::move(methods), "", 0, nullptr};
  c.settings.formulation = formulation;
  c.settings.loops = loops;
  c.settings.energy_matrix = matrix, c.settings.energy_gradient = gradient;
  c.lacks = refusal(m, c.settings);
  return c;
}

}  // namespace

std::vector<Contender> contenders(const Mechanism& m, const SimulateSpec& settings) {
  const SimulateSpec base = plain(settings);
  std::vector<Contender> all;
  std::vector<std::string> first = {"dop853"};
  if (is_stiff(m, settings)) first.push_back("radau");
  all.push_back(contender(m, base, "recursive", "recursive", "recursive", first));
  // implicit steps that are long beside a vibration follow nothing, and cost a Jacobian each. No two
  // kinds of equations may share a method: its errors would be the same in both
  const bool vibrates =
      fastest_mode(m).mode.frequency * (settings.until - settings.start) > most_radians;
  const auto methods = [&](const char* implicit) {
    return vibrates ? std::vector<std::string>{"dopri5", implicit}
                    : std::vector<std::string>{implicit, "dopri5"};
  };
  if (m.has_loops())
    all.push_back(
        contender(m, base, "null space", "recursive", "recursive", methods("gauss4"), "nullspace"));
  if (!has_small(m))
    all.push_back(
        contender(m, base, "hamiltonian", "hamiltonian", "hamiltonian", methods("gauss6")));
  all.push_back(contender(m, base, "literal", "literal", "hamiltonian", {"dopri5"}, "multipliers",
                          "literal", "complex"));
  if (all.back().lacks.empty() && m.nu > most_literal)
    all.back().lacks = fmt::format(
        "{} degrees of freedom: the energy matrix by rows is for up to {}", m.nu, most_literal);
  if (has_small(m)) {  // the only other way to truncated energies
    all.push_back(contender(m, base, "literal by differences", "differences", "hamiltonian",
                            {"gauss6", "dopri5"}, "multipliers", "literal", "literal"));
    all.back().noise = difference_noise;
  }
  all.push_back(contender(m, base, "discrete", "discrete", "discrete", {"leapfrog"}));
  return all;
}

double smallest_deflection(const Mechanism& m, const std::vector<ComparedQuantity>& quantities) {
  if (quantities.empty() && !m.elastic.empty()) return first_deflection;
  double size = 1;
  for (const ElasticInfo& e : m.elastic)
    for (const ComparedQuantity& q : quantities)
      if (q.name == e.name + (e.n > 1 ? ".e" : ".e1")) size = std::min(size, q.size);
  return size;
}

// ── one contender ───────────────────────────────────────────────────────────────────────────────

Attempt::Attempt(const Mechanism& mechanism, Contender contender, const RunPlan& plan)
    : m_(&mechanism), contender_(std::move(contender)), plan_(plan) {
  if (contender_.own) m_ = contender_.own.get();
  if (is_discrete()) plan_.budget /= 2;  // it would use all there is, for ever smaller gains
  which_ = static_cast<size_t>(-1);
  change_method();
}

bool Attempt::change_method() {
  if (which_ + 1 >= contender_.methods.size()) return false;
  method_ = contender_.methods[++which_];
  level_ = 0;
  ready_ = false;
  limit_.clear();
  late_ = false;
  spent_before_ = spent_;
  raw_.clear();
  order_ = std::numeric_limits<double>::quiet_NaN();
  fixed_ = true, nominal_ = 2;
  if (!is_discrete()) {
    IntegratorOptions options;
    options.step = plan_.spacing();
    const auto integrator = make_integrator(method_, options);
    fixed_ = !integrator->is_adaptive();
    nominal_ = integrator->order();
  }
  return true;
}

std::string Attempt::setting() const {
  return fixed_ ? fmt::format("step {:.6g} s", step_)
                : fmt::format("rtol {:.0e}, {}max_step {:.6g} s", rtol_,
                              atol_ > 0 ? fmt::format("atol {:.3g}, ", atol_) : "", longest_);
}

/// A step that divides the spacing of rows, so that no row is interpolated.
double Attempt::first_step() const {
  double wanted = plan_.spacing() / 2;
  if (is_discrete()) wanted = coarsening_ * Discrete(*m_, contender_.settings).step();
  if (m_->numbers.forces.has_spatial() || !m_->motions.empty())
    wanted = std::min(wanted, contender_.settings.max_step.value_or(wanted));
  return plan_.spacing() / std::ceil(plan_.spacing() / wanted);
}

/// Of the next finer run, in costs of the last one.
double Attempt::next_cost() const {
  if (fixed_ || level_ >= std::size(tolerances)) return 2;
  return std::pow(tolerances[level_ - 1] / tolerances[level_], 1.0 / nominal_);
}

/// Settings of the next run; false where there is none.
bool Attempt::next_settings(SimulateSpec& s, const std::vector<ComparedQuantity>& quantities) {
  s = contender_.settings;
  s.start = plan_.start, s.until = plan_.until;
  s.output_step = plan_.spacing();
  if (level_ > 0 && spent_ - spent_before_ + last_ * next_cost() > plan_.budget) {
    limit_ = fmt::format("its budget of {:g} s is used up", plan_.budget);
    late_ = true;
    return false;
  }
  s.max_wall = patience * plan_.budget;
  if (!fixed_) {
    if (level_ >= std::size(tolerances)) {
      limit_ = "no tolerance is smaller";
      return false;
    }
    s.integrator = method_;
    s.rtol = rtol_ = tolerances[level_];
    if (!m_->elastic.empty())
      s.atol = atol_ = std::max(smallest_atol, rtol_ * smallest_deflection(*m_, quantities));
    // rows lie inside steps, where a method is less accurate than at their ends, the more so the
    // longer they are; and no two runs may take the same steps, or they would tell no error
    const double longest = plan_.spacing() / std::pow(2.0, static_cast<double>(level_ + 1));
    s.max_step = longest_ = std::min(s.max_step.value_or(longest), longest);
    return true;
  }
  const double h = level_ == 0 ? first_step() : step_ / 2;
  if ((plan_.until - plan_.start) / h > most_steps && level_ > 0) {
    limit_ = fmt::format("{:.0e} steps are enough", most_steps);
    late_ = true;
    return false;
  }
  if (!is_discrete()) s.integrator = method_;
  s.step = step_ = h;
  return true;
}

bool Attempt::refine(const std::vector<ComparedQuantity>& quantities) {
  SimulateSpec s;
  const double step = step_, rtol = rtol_, atol = atol_, longest = longest_;
  if (!next_settings(s, quantities)) return false;
  const std::clock_t begin = std::clock();
  try {
    Run run = simulate(*m_, s, [&, asked = 0]() mutable {
      if (plan_.working && asked++ % steps_between_words == 0)
        plan_.working(contender_, method_,
                      spent_ + static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
      return 0;
    });
    last_ = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (accept(std::move(run), quantities)) return true;
  } catch (const Error& e) {
    if (level_ == 0 && is_discrete() && coarsening_ > 1) {  // too long a step is refused
      coarsening_ /= 2;
      return refine(quantities);
    }
    limit_ = e.diagnostics().front().message;
  }
  if (level_ > 0) step_ = step, rtol_ = rtol, atol_ = atol, longest_ = longest;
  return false;
}

bool Attempt::accept(Run run, const std::vector<ComparedQuantity>& quantities) {
  spent_ += last_;
  runs_ += 1;
  if (run.summary.status != RunStatus::done && run.summary.status != RunStatus::stopped) {
    limit_ = run.summary.failure ? run.summary.failure->message
                                 : fmt::format("its budget of {:g} s is used up", plan_.budget);
    late_ = !run.summary.failure;
    return false;
  }
  level_ += 1;
  raw_.push_back(std::move(run.trajectory));
  leave_out_jumps(raw_.back(), plan_.jumps);
  if (raw_.size() > 3) raw_.erase(raw_.begin());
  summary_ = std::move(run.summary);
  estimate(quantities);
  return true;
}

namespace {

double wrapped(const ComparedQuantity& q, double from, double to) {
  const double d = to - from;
  constexpr double turn = 6.283185307179586;
  return q.is_angle && std::fabs(d) > turn / 2 ? std::remainder(d, turn) : d;
}

/// x_k + (x_k − x_k−1)/3, the limit of a method of second order.
Trajectory extrapolated(const std::vector<ComparedQuantity>& quantities, const Trajectory& coarse,
                        const Trajectory& fine) {
  Trajectory out = fine;
  const size_t width = fine.columns.size();
  const int rows = std::min(coarse.rows(), fine.rows());
  for (int r = 1; r < rows; ++r)
    for (const ComparedQuantity& q : quantities) {
      const auto at = [&](const Trajectory& run, size_t i) { return run.row(r)[q.columns[i]]; };
      double same = 0;  // the sign of an orientation is free
      for (size_t i = 0; i < q.columns.size(); ++i) same += at(coarse, i) * at(fine, i);
      const double sign = q.is_orientation && same < 0 ? -1 : 1;
      for (size_t i = 0; i < q.columns.size(); ++i)
        out.values[static_cast<size_t>(r) * width + static_cast<size_t>(q.columns[i])] +=
            wrapped(q, sign * at(coarse, i), at(fine, i)) / 3;
    }
  return out;
}

}  // namespace

/// r: by how much an error falls from run to run, as the last three show it.
double Attempt::fall(const std::vector<ComparedQuantity>& quantities) {
  const size_t n = raw_.size();
  const double expected =
      fixed_ ? std::exp2(-nominal_)
             : std::max(tolerances[level_ - 1] / tolerances[std::max<size_t>(level_, 2) - 2],
                        falls_at_most);
  order_ = std::numeric_limits<double>::quiet_NaN();
  if (n < 3) return expected;
  const double last = Differences(quantities, raw_[n - 2], raw_[n - 1]).largest_smooth(quantities),
               first = Differences(quantities, raw_[n - 3], raw_[n - 2]).largest_smooth(quantities);
  if (!(last > orderless && first > 0)) return expected;  // rounding shows nothing
  if (!fixed_) return std::clamp(last / first, expected, falls_at_least);
  order_ = std::log2(first / last);
  return std::exp2(-std::clamp(order_, 0.5, static_cast<double>(nominal_)));
}

void Attempt::estimate(const std::vector<ComparedQuantity>& quantities) {
  const size_t n = raw_.size();
  before_ = std::move(best_);
  best_ = raw_.back();
  if (quantities.empty()) return;  // the very first run of all: nothing to measure it by
  // extrapolated runs gain at least as much; where the order is not seen yet, no more than is seen
  const double r = fall(quantities);
  if (is_discrete() && n >= 2) best_ = extrapolated(quantities, raw_[n - 2], raw_[n - 1]);
  const size_t needed = fixed_ ? 3 : 2;
  ready_ = n >= needed;
  if (!ready_) return;
  Differences error(quantities, before_, best_, !is_discrete());
  error.accumulate(r / (1 - r));
  error.add(contender_.noise);
  if (n > needed) {
    error_.accumulate(r);
    error = Differences::larger(error, error_);
  }
  error_ = std::move(error);
}

}  // namespace sarrus
