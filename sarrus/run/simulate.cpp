#include "sarrus/run/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sarrus/motion/motion.hpp"
#include "sarrus/run/pacer.hpp"
#include "sarrus/run/run_start.hpp"
#include "sarrus/run/watch/conditioning.hpp"
#include "sarrus/run/watch/crawl.hpp"
#include "sarrus/run/watch/deflection_watch.hpp"
#include "sarrus/run/watch/failure.hpp"
#include "sarrus/run/watch/fastest_mode.hpp"
#include "sarrus/run/watch/row_watch.hpp"
#include "sarrus/run/watch/zeno_watch.hpp"

namespace sarrus {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double output_rounding = 1e-9;   // of one output step: how far `until` may miss a row
constexpr double ledger_tolerance = 1e-6;  // of the energy exchanged: beyond it the summary warns
constexpr double account_rounding =
    1e-13;                         // of the energies themselves: at rest little is exchanged
constexpr double weak_mass = 1e9;  // condition of the mass matrix: noted; ten times that warns
constexpr int clock_every = 64;    // steps between two looks at the clock

Error bad_times(const std::string& key, double value, const std::string& message) {
  return Error(Fault::usage, Diagnostic{.code = "bad-time",
                                        .element = "simulate/" + key,
                                        .message = message,
                                        .value = fmt::format("{}", value)});
}

class Driver {
 public:
  Driver(Motion& motion, const StartState& start, const SimulateOptions& options, RowSink& sink)
      : motion_(motion),
        m_(motion.mechanism()),
        o_(options),
        sink_(sink),
        recorder_(m_, {options.reactions, options.momenta, options.accelerations}),
        conserved_(motion),
        events_(m_),
        pacer_(options.start, options.real_time_factor, options.overrun),
        start_(start),
        deflections_(m_),
        crawl_(options.start),
        zeno_(m_.events.size(), options.until - options.start),
        now_(m_) {
    check_times();
    row_.resize(recorder_.columns().size());
  }

  RunSummary run(const Checkpoint* from) {
    sink_.begin(recorder_.columns());
    if (from)
      resume(*from);
    else
      begin();
    while (going()) {
      const double before = motion_.time();
      motion_.expect_look(events_.empty() ? row_time(next_row()) : before);
      const StepResult step = motion_.step(o_.until);
      count(step);
      if (step.status != StepStatus::accepted) {
        summary_.status = RunStatus::failed;
        summary_.failure = describe_failure(motion_, step);
        break;
      }
      if (!is_within_range()) break;
      const double end = locate_events(before);
      write_rows(end);
      if (summary_.status == RunStatus::stopped) break;
      if (acts_) act(end);
      look_around();
    }
    finish();
    return summary_;
  }

 private:
  Motion& motion_;
  const Mechanism& m_;
  const SimulateOptions& o_;
  RowSink& sink_;
  Recorder recorder_;
  ConservedAccount conserved_;
  EventLocator events_;
  Pacer pacer_;
  const StartState& start_;
  RunSummary summary_;
  DeflectionWatch deflections_;
  RowWatch written_;
  CrawlWatch crawl_;
  ZenoWatch zeno_;
  bool acts_ = false;  // events at the end of what the last step shows
  std::vector<std::pair<const EventAction*, double>> settings_;
  Snapshot now_;

  double output_step_ = 0;
  std::int64_t total_rows_ = 0;
  std::vector<double> row_;
  double stopped_at_ = 0;            // by an event
  std::int64_t looks_ = 0;           // at the clock, or past it
  double lowest_ = 0, highest_ = 0;  // kinetic energy so far: the scale of what is exchanged
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
    summary_.notes = start_.notes;
    for (Diagnostic& d : motion_.suits()) summary_.notes.push_back(std::move(d));
    motion_.begin(start_);
    motion_.look(motion_.time(), now_);
    start_account();
    if (!deflections_.look_at(now_.t, now_.q)) throw Error(Fault::physics, deflections_.refusal());
    check_conditioning();
    write_row();
    note_shared_reactions();
    events_.begin(now_);
    if (!motion_.can_move()) note("nothing-to-integrate", "nothing can move: all rows are equal");
  }

  /// Energies at the very start; a resumed run takes them from its checkpoint.
  void start_account() {
    summary_.energy_start = now_.energy();
    lowest_ = highest_ = now_.kinetic;
    if (!std::isfinite(summary_.energy_start))
      throw Error(Fault::numerics,
                  {.code = "bad-start",
                   .element = "simulate",
                   .message = fmt::format("the energy at the start is {}", summary_.energy_start),
                   .hint = "look for values of extreme size in the model"});
  }

  void note_shared_reactions() {
    const std::vector<std::string>& joints = recorder_.shared_reactions();
    std::string names;
    for (size_t i = 0; i < std::min<size_t>(joints.size(), 8); ++i)
      names += (i ? ", " : "") + joints[i];
    if (joints.size() > 8) names += fmt::format(" and {} more", joints.size() - 8);
    if (!joints.empty())
      note("shared-reactions",
           fmt::format("some joints are redundant, and some reactions of {} are not unique: those "
                       "with the smallest sum of squares are given",
                       names),
           "`sarrus check` shows which; a stiffness given for the joints sets their shares");
    else if (o_.reactions && m_.has_loops() && !recorder_.shares_reactions())
      note("shared-reactions",
           fmt::format(
               "reactions are shared among redundant joints in mechanisms of up to {} bodies, and "
               "this one has {}: where joints are redundant, one of them carries the whole load",
               most_bodies_shared, m_.nb - 1),
           "motion is not affected; for the reactions of a part, write that part as a model of its "
           "own, or turn redundant joints into ball joints");
  }

  void note(const char* code, const std::string& message, const std::string& hint = "") {
    summary_.notes.push_back({.severity = Severity::note,
                              .code = code,
                              .element = "simulate",
                              .message = message,
                              .hint = hint});
  }

  void check_conditioning() {
    if (m_.nu == 0 || now_.is_measured) return;  // bodies moved one by one have no mass matrix
    const MassCondition found = mass_condition(now_);
    if (!(found.number > weak_mass)) return;
    const JointInfo* joint = m_.joint_of_body(m_.body_of_velocity(found.u));
    summary_.notes.push_back(
        {.severity = found.number > 10 * weak_mass ? Severity::warning : Severity::note,
         .code = "ill-conditioned",
         .where = joint ? joint->where : Place{},
         .element = joint ? "joint/" + joint->name : "simulate",
         .message = fmt::format("the mass matrix has a condition number of up to {:.1e} at the "
                                "start: accelerations may "
                                "keep only {:.0f} of 16 digits, worst along {}",
                                found.number, std::max(0.0, 16 - std::log10(found.number)),
                                m_.velocity_name(found.u)),
         .hint = "look for bodies that are very light compared with those they carry, or add an "
                 "armature",
         .value = fmt::format("{:.3g}", found.number),
         .limit = fmt::format("{:.0e}", weak_mass)});
  }

  void resume(const Checkpoint& c) {
    motion_.restore(start_, c);
    summary_.steps = c.steps, summary_.rejected = c.rejected, summary_.evaluations = c.evaluations;
    summary_.rows = c.rows;
    summary_.energy_start = c.counters.at(0), summary_.closure = c.counters.at(1);
    lowest_ = c.counters.at(2), highest_ = c.counters.at(3);
    summary_.smallest_step = c.counters.at(4), summary_.largest_step = c.counters.at(5);
    const auto counters = std::span<const double>(c.counters).subspan(6);
    conserved_.restore(counters.first(conserved_.count()));
    events_.restore(counters.subspan(conserved_.count()));
    motion_.look(motion_.time(), now_);
    take_energies();
    if (!motion_.resumes_exactly())
      note(
          "restarted",
          fmt::format("{} keeps a history that a checkpoint does not hold: it restarts at t = {} s",
                      motion_.integrator(), motion_.time()));
  }

  // ── a step ──

  bool going() const {
    return summary_.status == RunStatus::done && motion_.time() < o_.until && motion_.can_move();
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

  /// Whether the equations of elastic bodies still hold; only integrated motions have such bodies.
  bool is_within_range() {
    if (m_.elastic.empty() || deflections_.look(motion_.time(), motion_.elastic())) return true;
    summary_.status = RunStatus::failed;
    summary_.failure = deflections_.refusal();
    return false;
  }

  /// The end of what the last step shows: its own, or the event that stops the run.
  double locate_events(double before) {
    acts_ = false;
    if (events_.empty() || !events_.look(motion_, before, summary_.notes)) return motion_.time();
    const std::vector<int>& now = events_.happening();
    if (std::any_of(now.begin(), now.end(), [&](int e) { return m_.events[e].stop; })) {
      summary_.status = RunStatus::stopped;
      stopped_at_ = events_.stopped_at();
    }
    acts_ = true;
    return events_.stopped_at();
  }

  /// What events set at an instant, all from the values before; the motion goes on from there.
  void act(double t) {
    motion_.look(t, now_);
    settings_.clear();
    for (const int e : events_.happening())
      for (const EventAction& a : m_.events[e].actions)
        settings_.emplace_back(&a, now_.formula_value(a.formula));
    motion_.go_back(t);
    for (const auto& [action, value] : settings_)
      if (action->state >= 0)
        motion_.set_state(action->state, m_.states[action->state].limits.nearest(value));
      else
        motion_.set_parameter(action->parameter, value);
    motion_.look(motion_.time(), now_);
    events_.begin(now_);
    if (std::optional<Diagnostic> often = zeno_.look(m_, events_.happening(), t)) {
      if (often->severity == Severity::error) {
        summary_.status = RunStatus::failed;
        summary_.failure = std::move(often);
      } else {
        if (o_.warning) o_.warning(*often);
        summary_.notes.push_back(std::move(*often));
      }
    }
  }

  /// Rows that fall into the step, at exact times.
  void write_rows(double end) {
    while (next_row() < total_rows_) {
      const double t = row_time(next_row());
      if (t > end) break;
      if (keep_pace(t)) write_row(t);
    }
    if (summary_.status == RunStatus::stopped && row_[0] != end) write_row(end);
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

  void write_row(double t) {
    motion_.look(t, now_);
    write_row();
  }
  void write_row() {
    recorder_.row(now_, summary_.energy_start, row_);
    written_.look(row_);
    sink_.row(row_);
    summary_.rows += 1;
    keep_account();
    conserved_.look(now_);
  }

  void take_energies() {
    summary_.kinetic = now_.kinetic, summary_.potential = now_.potential;
    summary_.dissipated = now_.ledger.dissipated, summary_.drive = now_.ledger.drive;
    summary_.external = now_.ledger.external;
  }

  void keep_account() {
    take_energies();
    summary_.constraint = std::max(summary_.constraint, now_.residual);
    summary_.constraint_rate = std::max(summary_.constraint_rate, now_.residual_rate);
    summary_.closure =
        std::max(summary_.closure, std::fabs(ledger_closure(now_, summary_.energy_start)));
    lowest_ = std::min(lowest_, summary_.kinetic);
    highest_ = std::max(highest_, summary_.kinetic);
    summary_.energy_scale =
        std::max({highest_ - lowest_, highest_, std::fabs(now_.ledger.dissipated),
                  std::fabs(now_.ledger.drive), std::fabs(now_.ledger.external),
                  std::fabs(now_.energy() - summary_.energy_start)});
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
    if (o_.max_steps > 0 && summary_.steps >= o_.max_steps && motion_.time() < o_.until)
      summary_.status = RunStatus::budget;
    if (++looks_ % clock_every != 0) return;
    watch_progress();
    const auto now = Clock::now();
    if (o_.max_wall > 0 && seconds_since(wall_start_) > o_.max_wall && motion_.time() < o_.until)
      summary_.status = RunStatus::budget;
    if (o_.checkpoint &&
        std::chrono::duration<double>(now - last_checkpoint_).count() > o_.checkpoint_every) {
      o_.checkpoint(checkpoint());
      last_checkpoint_ = Clock::now();
    }
    if (o_.progress && std::chrono::duration<double>(now - last_progress_).count() > 0.1) {
      o_.progress(motion_.time());
      last_progress_ = now;
    }
  }

  /// A method that chooses its steps may choose them so short that the run never ends.
  void watch_progress() {
    if (!motion_.chooses_steps() || summary_.status != RunStatus::done) return;
    std::optional<Diagnostic> crawling = crawl_.look(motion_, summary_.steps, o_.until);
    if (!crawling) return;
    if (crawling->severity == Severity::error) {
      summary_.status = RunStatus::failed;
      summary_.failure = std::move(crawling);
      return;
    }
    if (o_.warning) o_.warning(*crawling);
    summary_.notes.push_back(std::move(*crawling));
  }

  Checkpoint checkpoint() {
    Checkpoint c;
    static_cast<MotionState&>(c) = motion_.save();
    c.formulation = motion_.formulation();
    c.integrator = motion_.integrator();
    c.steps = summary_.steps, c.rejected = summary_.rejected, c.evaluations = summary_.evaluations;
    c.rows = summary_.rows;
    c.counters = {summary_.energy_start,  summary_.closure,     lowest_, highest_,
                  summary_.smallest_step, summary_.largest_step};
    conserved_.store(c.counters);
    events_.store(c.counters);
    return c;
  }

  // ── end ──

  void finish() {
    summary_.t = summary_.status == RunStatus::stopped ? stopped_at_ : motion_.time();
    summary_.wall = seconds_since(wall_start_);
    summary_.conserved = conserved_.drifts();
    summary_.events = events_.found();
    for (Diagnostic& d : motion_.notes()) summary_.notes.push_back(std::move(d));
    deflections_.tell(summary_.notes);
    tell_lacks();
    if (summary_.steps > 0)
      tell_fastest_mode(m_, motion_.integrator(),
                        (summary_.t - o_.start) / static_cast<double>(summary_.steps),
                        summary_.notes);
    const std::int64_t skipped = summary_.pace.skipped;
    summary_.pace = pacer_.pace();
    summary_.pace.skipped = skipped;
    if (summary_.status == RunStatus::done && !motion_.can_move()) write_still_rows();
    const bool early =
        summary_.status == RunStatus::interrupted || summary_.status == RunStatus::budget;
    if (early && o_.checkpoint) o_.checkpoint(checkpoint());
    if (o_.progress) o_.progress(summary_.t);
    const double energies = std::fabs(summary_.energy_start) + std::fabs(summary_.kinetic) +
                            std::fabs(summary_.potential);
    if (summary_.energy_scale > 0 &&
        summary_.closure >
            std::max(ledger_tolerance * summary_.energy_scale, account_rounding * energies))
      warn_of_energy();
  }

  /// Columns that hold no number in some rows.
  void tell_lacks() {
    const std::vector<RowWatch::Lack>& lacks = written_.lacks();
    for (size_t i = 0; i < lacks.size(); ++i) {
      if (lacks[i].rows == 0) continue;
      const ColumnSource& source = recorder_.source(i);
      summary_.notes.push_back(
          {.severity = Severity::warning,
           .code = "no-number",
           .where = source.where,
           .element = source.element,
           .message =
               fmt::format("'{}' has no value in {} of {} rows, first at t = {:.6g} s: they "
                           "hold nan or inf",
                           recorder_.columns()[i].name, lacks[i].rows, written_.rows(), lacks[i].t),
           .hint = "look for a root or logarithm of a negative number, or a division by 0, in the "
                   "formula from then on",
           .value = fmt::format("{}", lacks[i].rows),
           .limit = "0"});
    }
  }

  void warn_of_energy() {
    std::string message = fmt::format(
        "the energy account is off by up to {:.2e} J, {:.1e} of the {:.3g} J exchanged",
        summary_.closure, summary_.closure / summary_.energy_scale, summary_.energy_scale);
    if (summary_.status != RunStatus::failed) {
      const Stiffness stiff = stiffest_element(now_);
      if (stiff.rate > 0)
        message +=
            fmt::format("; the stiffest element is the {} ({:.2g} 1/s)", stiff.element, stiff.rate);
    }
    summary_.notes.push_back(
        {.severity = Severity::warning,
         .code = "energy-not-closed",
         .element = "simulate",
         .message = message,
         .hint = "tighten rtol or shorten the step",
         .value = fmt::format("{}", summary_.closure),
         .limit = fmt::format("{}", ledger_tolerance * summary_.energy_scale)});
  }

  /// Nothing moves: the rows are written all the same, with the formulas of time.
  void write_still_rows() {
    while (summary_.rows < total_rows_) write_row(row_time(summary_.rows));
    summary_.t = o_.until;
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

RunSummary simulate(Motion& motion, const StartState& start, const SimulateOptions& options,
                    RowSink& sink, const Checkpoint* from) {
  const Motion::Use use(motion);
  return Driver(motion, start, options, sink).run(from);
}

}  // namespace sarrus
