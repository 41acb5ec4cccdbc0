#include "sarrus/run/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sarrus/run/conditioning.hpp"
#include "sarrus/run/deflection_watch.hpp"
#include "sarrus/run/failure.hpp"
#include "sarrus/run/fastest_mode.hpp"
#include "sarrus/run/pacer.hpp"
#include "sarrus/run/run_start.hpp"
#include "sarrus/run/singular_watch.hpp"

namespace sarrus {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double output_rounding = 1e-9;   // of one output step: how far `until` may miss a row
constexpr double ledger_tolerance = 1e-6;  // of the energy exchanged: beyond it the summary warns
constexpr double out_of_range = 1e100;     // of any entry of the state: its square must be a number
constexpr double weak_mass = 1e9;  // condition of the mass matrix: noted; ten times that warns
constexpr int event_pieces = 4;    // points of a step at which events are looked for
constexpr int clock_every = 64;    // steps between two looks at the clock

Error bad_times(const std::string& key, double value, const std::string& message) {
  return Error(Fault::usage, Diagnostic{Severity::error,
                                        "bad-time",
                                        {},
                                        "simulate/" + key,
                                        message,
                                        "",
                                        fmt::format("{}", value),
                                        ""});
}

class Driver {
 public:
  Driver(Formulation& formulation, Integrator& integrator, const StartState& start,
         const SimulateOptions& options, RowSink& sink)
      : f_(formulation),
        integrator_(integrator),
        o_(options),
        sink_(sink),
        recorder_(formulation.mechanism(), {options.reactions, options.momenta}),
        conserved_(formulation),
        pacer_(options.start, options.real_time_factor, options.overrun),
        start_(start) {
    check_times();
    y_.resize(static_cast<size_t>(f_.size()));
    inside_ = y_;
    row_.resize(recorder_.columns().size());
  }

  RunSummary run(const Checkpoint* from) {
    sink_.begin(recorder_.columns());
    if (from)
      resume(*from);
    else
      begin();
    while (going()) {
      expect_output();
      const StepResult step = integrator_.step(f_, t_, o_.until, y_);
      count(step);
      if (step.status != StepStatus::accepted) {
        fail(step);
        break;
      }
      if (const int entry = first_out_of_range(); entry >= 0) {
        fail_out_of_range(entry, step.h);
        break;
      }
      if (!project(step.h)) break;
      locate_events(step.h);
      write_rows(step.h);
      if (summary_.status == RunStatus::stopped) break;
      advance(step.h);
      look_around();
    }
    finish();
    return summary_;
  }

 private:
  Formulation& f_;
  Integrator& integrator_;
  const SimulateOptions& o_;
  RowSink& sink_;
  Recorder recorder_;
  ConservedAccount conserved_;
  Pacer pacer_;
  const StartState& start_;
  RunSummary summary_;
  SingularWatch watch_;
  DeflectionWatch deflections_;

  double t_ = 0;
  bool rebased_ = false;  // positions in y are what the base could not take up
  double output_step_ = 0;
  std::int64_t total_rows_ = 0;
  std::vector<double> y_, inside_, row_;
  std::vector<double> event_value_;  // at the start of the step
  std::vector<double> event_next_;   // at its end
  double stop_at_ = 0;               // time of the event that ends the run
  std::int64_t looks_ = 0;           // at the clock, or past it
  double lowest_ = 0, highest_ = 0;  // of E + dissipated: the scale of what is exchanged
  Clock::time_point wall_start_ = Clock::now(), last_checkpoint_ = wall_start_, last_progress_;

  // ── start ──

  void check_times() {
    if (!std::isfinite(o_.start))
      throw bad_times("start", o_.start, "the start time is not finite");
    if (!std::isfinite(o_.until) || o_.until < o_.start)
      throw bad_times("until", o_.until,
                      fmt::format("the end {} s is not after the start {} s", o_.until, o_.start));
    const double span = o_.until - o_.start;
    output_step_ = o_.output_step == 0 ? span / 1000 : o_.output_step;
    if (!(output_step_ >= 0) || !std::isfinite(output_step_))
      throw bad_times("output_step", o_.output_step, "the spacing of rows must be positive");
    if (span > 0 && span / output_step_ > 1e12)
      throw bad_times("output_step", o_.output_step, "this gives more than 10¹² rows");
    total_rows_ = span == 0 ? 1 : rows_for(span);
  }

  /// Rows at start + k output_step, and one at `until` exactly.
  std::int64_t rows_for(double span) const {
    const double steps = span / output_step_;
    return static_cast<std::int64_t>(std::ceil(steps - output_rounding)) + 1;
  }
  std::int64_t next_row() const { return summary_.rows + summary_.pace.skipped; }
  double row_time(std::int64_t k) const {
    return k + 1 >= total_rows_ ? o_.until : o_.start + static_cast<double>(k) * output_step_;
  }

  void begin() {
    t_ = o_.start;
    f_.begin(start_, y_);
    summary_.notes = start_.notes;
    for (Diagnostic& d : check_suits(integrator_, f_)) summary_.notes.push_back(std::move(d));
    integrator_.start(f_, t_, y_);
    start_account();
    check_conditioning();
    write_row(t_, y_);
    note_shared_reactions();
    event_value_ = event_values(t_, y_);
    if (f_.size() == Ledger::size)
      summary_.notes.push_back({Severity::note,
                                "nothing-to-integrate",
                                {},
                                "simulate",
                                "nothing can move: all rows are alike",
                                "",
                                "",
                                ""});
  }

  /// Energies at the very start; a resumed run takes them from its checkpoint.
  void start_account() {
    Dynamics<double>& d = f_.observe(t_, y_);
    summary_.energy_start = d.kinetic_energy() + d.potential_energy();
    lowest_ = highest_ = d.kinetic_energy();
    if (!std::isfinite(summary_.energy_start))
      throw Error(Fault::numerics,
                  Diagnostic{Severity::error,
                             "bad-start",
                             {},
                             "simulate",
                             fmt::format("the energy at the start is {}", summary_.energy_start),
                             "look for values of extreme size in the model",
                             "",
                             ""});
  }

  void note_shared_reactions() {
    const std::vector<std::string>& joints = recorder_.shared_reactions();
    std::string names;
    for (size_t i = 0; i < std::min<size_t>(joints.size(), 8); ++i)
      names += (i ? ", " : "") + joints[i];
    if (joints.size() > 8) names += fmt::format(" and {} more", joints.size() - 8);
    if (!joints.empty())
      note("shared-reactions",
           fmt::format("joints repeat each other, and some reactions of {} are not unique: the "
                       "smallest sum of squares is given",
                       names),
           "`sarrus check` shows which; a stiffness on the joints weighs their shares");
    else if (o_.reactions && f_.mechanism().has_loops() && !recorder_.shares_reactions())
      note("shared-reactions",
           fmt::format("reactions are shared among joints that repeat each other in mechanisms of "
                       "up to {} bodies, and this one has {}: where joints repeat each other, one "
                       "of them carries all",
                       most_bodies_shared, f_.mechanism().nb - 1),
           "motion is not affected; for the reactions of a part, write that part as a model of its "
           "own, or turn joints that repeat others into ball joints");
  }

  void note(const char* code, const std::string& message, const std::string& hint = "") {
    summary_.notes.push_back({Severity::note, code, {}, "simulate", message, hint, "", ""});
  }

  void check_conditioning() {
    const Mechanism& m = f_.mechanism();
    Dynamics<double>& d = f_.observe(t_, y_);
    if (m.nu == 0 || d.is_measured()) return;  // bodies moved one by one have no mass matrix
    const MassCondition found = mass_condition(d);
    if (!(found.number > weak_mass)) return;
    const std::string freedom = m.velocity_name(found.u);
    const JointInfo* joint = m.joint_of_body(m.body_of_velocity(found.u));
    summary_.notes.push_back(
        {found.number > 10 * weak_mass ? Severity::warning : Severity::note, "ill-conditioned",
         joint ? joint->where : Place{}, joint ? "joint/" + joint->name : "simulate",
         fmt::format(
             "the mass matrix has a condition of up to {:.1e} at the start: accelerations may "
             "keep only {:.0f} of 16 digits, worst along {}",
             found.number, std::max(0.0, 16 - std::log10(found.number)), freedom),
         "look for bodies that are very light beside those they carry, or add an armature",
         fmt::format("{:.3g}", found.number), fmt::format("{:.0e}", weak_mass)});
  }

  void resume(const Checkpoint& c) {
    f_.begin(start_, y_);
    f_.set_configuration(c.q);
    std::copy(c.rest.begin(), c.rest.end(), y_.begin());
    t_ = c.t;
    integrator_.start(f_, t_, y_);
    integrator_.set_memory(c.memory);
    f_.set_memory(c.formulation_memory);  // after start(), which may have asked for a derivative
    summary_.steps = c.steps, summary_.rejected = c.rejected, summary_.evaluations = c.evaluations;
    summary_.rows = c.rows;
    summary_.energy_start = c.counters.at(0), summary_.closure = c.counters.at(1);
    lowest_ = c.counters.at(2), highest_ = c.counters.at(3);
    summary_.smallest_step = c.counters.at(4), summary_.largest_step = c.counters.at(5);
    const auto counters = std::span<const double>(c.counters).subspan(6);
    conserved_.restore(counters.first(conserved_.count()));
    resume_events(counters.subspan(conserved_.count()));
    take_energies(f_.observe(t_, y_), std::span<const double>(y_).last(Ledger::size));
    if (!integrator_.resumes_exactly())
      summary_.notes.push_back(
          {Severity::note,
           "restarted",
           {},
           "simulate/integrator",
           fmt::format("{} keeps a past that a checkpoint does not hold: it starts "
                       "anew at t = {} s",
                       integrator_.name(), t_),
           "",
           "",
           ""});
  }

  /// Values of the events, then number and time of each one located so far.
  void resume_events(std::span<const double> stored) {
    const std::vector<Event>& events = f_.mechanism().events;
    event_value_.assign(stored.begin(),
                        stored.begin() + static_cast<std::ptrdiff_t>(events.size()));
    for (size_t i = events.size(); i + 1 < stored.size(); i += 2)
      summary_.events.push_back({events.at(static_cast<size_t>(stored[i])).name, stored[i + 1]});
  }
  void store_events(std::vector<double>& into) const {
    const std::vector<Event>& events = f_.mechanism().events;
    into.insert(into.end(), event_value_.begin(), event_value_.end());
    for (const LocatedEvent& located : summary_.events)
      for (size_t i = 0; i < events.size(); ++i)
        if (events[i].name == located.name)
          into.insert(into.end(), {static_cast<double>(i), located.t});
  }

  // ── a step ──

  bool going() const {
    return summary_.status == RunStatus::done && t_ < o_.until && f_.size() > Ledger::size;
  }

  void expect_output() {
    integrator_.expect_output(event_value_.empty() ? row_time(next_row()) : t_);
  }

  void count(const StepResult& step) {
    summary_.evaluations += step.evaluations;
    summary_.rejected += step.rejected;
    if (step.status != StepStatus::accepted) return;
    summary_.steps += step.steps;
    const double h = step.h / static_cast<double>(step.steps);
    if (summary_.smallest_step == 0 || h < summary_.smallest_step) summary_.smallest_step = h;
    summary_.largest_step = std::max(summary_.largest_step, h);
  }

  /// Back to where loops are closed; a multistep method has done so itself.
  bool project(double h) {
    if (!f_.is_constrained()) return true;
    if (!integrator_.wants_rebase(y_) || f_.project(t_ + h, y_)) {
      const auto inside = [&](double part) -> std::span<const double> {
        if (part == 1) return y_;
        integrator_.interpolate(part, inside_);
        return inside_;
      };
      watch_.look(f_, t_, h, inside, summary_.notes);
      return true;
    }
    StepResult step;
    step.status = StepStatus::not_converged;
    step.smallest_h = h;
    step.message = f_.failure();
    integrator_.interpolate(0, inside_);
    y_ = inside_;
    fail(step);
    return false;
  }

  int first_out_of_range() const {
    for (size_t i = 0; i < y_.size(); ++i)
      if (!(std::fabs(y_[i]) < out_of_range)) return static_cast<int>(i);
    return -1;
  }

  /// Rows that fall into the step, at exact times.
  void write_rows(double h) {
    const bool last = h == o_.until - t_;
    const double end = summary_.status == RunStatus::stopped ? stop_at_ : last ? o_.until : t_ + h;
    while (next_row() < total_rows_) {
      const double t = row_time(next_row());
      if (t > end) break;
      if (!keep_pace(t)) continue;
      integrator_.interpolate(t == end && summary_.status == RunStatus::done ? 1.0 : (t - t_) / h,
                              inside_);
      write_row(t, inside_);
    }
    if (summary_.status != RunStatus::stopped) return;
    integrator_.interpolate((stop_at_ - t_) / h, inside_);
    if (row_[0] != stop_at_) write_row(stop_at_, inside_);
    t_ = stop_at_;
  }

  /// Waits until the row is due; false where it is to be left out.
  bool keep_pace(double t) {
    if (o_.real_time_factor <= 0 || pacer_.await(t)) return true;
    if (o_.overrun == Overrun::stop) {
      summary_.status = RunStatus::budget;
      return true;
    }
    if (t == o_.until) return true;
    summary_.pace.skipped += 1;
    return false;
  }

  void write_row(double t, std::span<const double> y) {
    Dynamics<double>& d = f_.observe(t, y);
    const std::span<const double> ledger = y.last(Ledger::size);
    recorder_.row(d, ledger, summary_.energy_start, row_);
    sink_.row(row_);
    summary_.rows += 1;
    keep_account(d, ledger);
    conserved_.look(d);
    deflections_.look(d);
  }

  void take_energies(const Dynamics<double>& d, std::span<const double> ledger) {
    summary_.kinetic = d.kinetic_energy();
    summary_.potential = d.potential_energy();
    summary_.dissipated = ledger[0], summary_.drive = ledger[1], summary_.external = ledger[2];
  }

  void keep_account(const Dynamics<double>& d, std::span<const double> ledger) {
    take_energies(d, ledger);
    const double energy = summary_.kinetic + summary_.potential;
    if (d.has_loops()) {
      summary_.constraint =
          std::max(summary_.constraint, d.loops().largest_residual() * d.loops().length());
      summary_.constraint_rate =
          std::max(summary_.constraint_rate, d.loops().largest_rate() * d.loops().length());
    }
    summary_.closure = std::max(summary_.closure,
                                std::fabs(ledger_closure(energy, summary_.energy_start, ledger)));
    lowest_ = std::min(lowest_, summary_.kinetic);
    highest_ = std::max(highest_, summary_.kinetic);
    summary_.energy_scale =
        std::max({highest_ - lowest_, highest_, std::fabs(ledger[0]), std::fabs(ledger[1]),
                  std::fabs(ledger[2]), std::fabs(energy - summary_.energy_start)});
  }

  /// A fixed step counts its steps; an adaptive one adds what it took.
  void advance(double h) {
    rebased_ = integrator_.wants_rebase(y_);
    if (rebased_) f_.rebase(t_ + h, y_, integrator_.end_derivative());
    if (h == o_.until - t_)
      t_ = o_.until;
    else if (integrator_.is_adaptive())
      t_ += h;
    else
      t_ = o_.start + static_cast<double>(summary_.steps) * h;
    event_value_ = event_next_;
  }

  // ── events ──

  std::vector<double> event_values(double t, std::span<const double> y) {
    const Mechanism& m = f_.mechanism();
    if (m.events.empty()) return {};
    Dynamics<double>& d = f_.observe(t, y);
    d.set_late_signals();
    std::vector<double> g;
    for (const Event& e : m.events) g.push_back(d.formula_value(e.formula));
    return g;
  }

  std::vector<double> events_at(double theta, double h) {
    integrator_.interpolate(theta, inside_);
    return event_values(t_ + theta * h, inside_);
  }

  static bool crosses(double before, double after, int direction) {
    if (direction >= 0 && before < 0 && after >= 0) return true;
    return direction <= 0 && before > 0 && after <= 0;
  }

  /// Looks at a few points of the step, then halves to the last bit; the earliest stop wins.
  void locate_events(double h) {
    const Mechanism& m = f_.mechanism();
    if (m.events.empty()) return;
    std::vector<LocatedEvent> found;
    std::vector<double> before = event_value_;
    for (int k = 1; k <= event_pieces; ++k) {
      const double low = (k - 1.0) / event_pieces, high = static_cast<double>(k) / event_pieces;
      const std::vector<double> after = events_at(high, h);
      for (size_t e = 0; e < m.events.size(); ++e) {
        if (!std::isfinite(after[e])) warn_of_event(e, t_ + high * h, after[e]);
        if (!crosses(before[e], after[e], m.events[e].direction)) continue;
        found.push_back({m.events[e].name, t_ + root(e, low, high, before[e], h) * h});
        if (m.events[e].stop &&
            (summary_.status != RunStatus::stopped || found.back().t < stop_at_)) {
          summary_.status = RunStatus::stopped;
          stop_at_ = found.back().t;
        }
      }
      before = after;
    }
    event_next_ = before;
    std::stable_sort(found.begin(), found.end(),
                     [](const LocatedEvent& a, const LocatedEvent& b) { return a.t < b.t; });
    for (const LocatedEvent& e : found)
      if (summary_.status != RunStatus::stopped || e.t <= stop_at_) summary_.events.push_back(e);
  }

  /// Once per event: a formula that is no number can cross nothing.
  void warn_of_event(size_t e, double t, double value) {
    const Event& event = f_.mechanism().events[e];
    const std::string element = "event/" + event.name;
    for (const Diagnostic& d : summary_.notes)
      if (d.code == "event-not-finite" && d.element == element) return;
    const Formula& source = f_.mechanism().formula_sources[static_cast<size_t>(event.formula)];
    summary_.notes.push_back({Severity::warning, "event-not-finite", source.where, element,
                              fmt::format("\"{}\" gives {} at t = {} s: no passage through zero is "
                                          "found there",
                                          source.expression.text(), value, t),
                              "", fmt::format("{}", value), ""});
  }

  double root(size_t event, double low, double high, double before, double h) {
    for (int i = 0; i < 60 && t_ + low * h < t_ + high * h; ++i) {
      const double middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      const double g = events_at(middle, h)[event];
      if ((g < 0) == (before < 0) && g != 0)
        low = middle;
      else
        high = middle;
    }
    return high;
  }

  // ── between steps ──

  void look_around() {
    if (o_.interrupted) {
      if (const int signal = o_.interrupted(); signal != 0) {
        summary_.signal = signal;
        summary_.status = RunStatus::interrupted;
        return;
      }
    }
    if (o_.max_steps > 0 && summary_.steps >= o_.max_steps && t_ < o_.until)
      summary_.status = RunStatus::budget;
    if (++looks_ % clock_every != 0) return;
    const auto now = Clock::now();
    if (o_.max_wall > 0 && seconds_since(wall_start_) > o_.max_wall && t_ < o_.until)
      summary_.status = RunStatus::budget;
    if (o_.checkpoint &&
        std::chrono::duration<double>(now - last_checkpoint_).count() > o_.checkpoint_every) {
      o_.checkpoint(checkpoint());
      last_checkpoint_ = Clock::now();
    }
    if (o_.progress && std::chrono::duration<double>(now - last_progress_).count() > 0.1) {
      o_.progress(t_);
      last_progress_ = now;
    }
  }

  Checkpoint checkpoint() {
    Checkpoint c;
    c.formulation = f_.name();
    c.integrator = std::string(integrator_.name());
    c.t = t_;
    c.steps = summary_.steps, c.rejected = summary_.rejected, c.evaluations = summary_.evaluations;
    c.rows = summary_.rows;
    c.q = rebased_ ? f_.base() : f_.configuration(t_, y_);
    c.formulation_memory = f_.memory();
    c.rest = y_;
    if (!rebased_) std::fill_n(c.rest.begin(), f_.split(), 0.0);  // q holds all of it
    c.memory = integrator_.memory();
    c.counters = {summary_.energy_start,  summary_.closure,     lowest_, highest_,
                  summary_.smallest_step, summary_.largest_step};
    conserved_.store(c.counters);
    store_events(c.counters);
    return c;
  }

  // ── end ──

  void fail(const StepResult& step) {
    summary_.status = RunStatus::failed;
    summary_.failure = describe_failure(f_, step, t_, y_);
  }
  /// The step ended in a state beyond all sense: the one before it is the last good one.
  void fail_out_of_range(int entry, double h) {
    StepResult step;
    step.status = StepStatus::not_finite;
    step.worst = entry;
    step.smallest_h = h;
    step.message = fmt::format("it reached {:.1e}", y_[static_cast<size_t>(entry)]);
    integrator_.interpolate(0, inside_);
    y_ = inside_;
    fail(step);
  }

  void finish() {
    summary_.t = t_;
    summary_.wall = seconds_since(wall_start_);
    summary_.conserved = conserved_.drifts();
    for (Diagnostic& d : integrator_.remarks(f_)) summary_.notes.push_back(std::move(d));
    deflections_.tell(f_.mechanism(), summary_.notes);
    if (summary_.steps > 0)
      tell_fastest_mode(f_.mechanism(), integrator_.name(),
                        (t_ - o_.start) / static_cast<double>(summary_.steps), summary_.notes);
    const std::int64_t skipped = summary_.pace.skipped;
    summary_.pace = pacer_.pace();
    summary_.pace.skipped = skipped;
    if (summary_.status == RunStatus::done && f_.size() == Ledger::size) write_still_rows();
    const bool early =
        summary_.status == RunStatus::interrupted || summary_.status == RunStatus::budget;
    if (early && o_.checkpoint) o_.checkpoint(checkpoint());
    if (o_.progress) o_.progress(t_);
    for (const Diagnostic& d : f_.notes()) summary_.notes.push_back(d);
    if (summary_.closure > ledger_tolerance * summary_.energy_scale && summary_.energy_scale > 0)
      warn_of_energy();
  }

  void warn_of_energy() {
    std::string message = fmt::format(
        "the energy account misses by up to {:.2e} J, {:.1e} of the {:.3g} J that are exchanged",
        summary_.closure, summary_.closure / summary_.energy_scale, summary_.energy_scale);
    if (summary_.status != RunStatus::failed && first_out_of_range() < 0) {
      const Stiffness stiff = stiffest_element(f_.observe(t_, y_));
      if (stiff.rate > 0)
        message +=
            fmt::format("; the stiffest element is the {} ({:.2g} 1/s)", stiff.element, stiff.rate);
    }
    summary_.notes.push_back({Severity::warning,
                              "energy-not-closed",
                              {},
                              "simulate",
                              message,
                              "tighten rtol or shorten the step",
                              fmt::format("{}", summary_.closure),
                              fmt::format("{}", ledger_tolerance * summary_.energy_scale)});
  }

  /// Nothing moves: the rows are written all the same.
  void write_still_rows() {
    while (summary_.rows < total_rows_) write_row(row_time(summary_.rows), y_);
    t_ = summary_.t = o_.until;
  }
};

}  // namespace

const char* to_text(RunStatus status) {
  switch (status) {
    case RunStatus::done: return "done";
    case RunStatus::stopped: return "stopped by an event";
    case RunStatus::interrupted: return "interrupted";
    case RunStatus::budget: return "budget used up";
    case RunStatus::failed: return "failed";
  }
  return "";
}

RunSummary simulate(Formulation& formulation, Integrator& integrator, const StartState& start,
                    const SimulateOptions& options, RowSink& sink, const Checkpoint* from) {
  return Driver(formulation, integrator, start, options, sink).run(from);
}

}  // namespace sarrus
