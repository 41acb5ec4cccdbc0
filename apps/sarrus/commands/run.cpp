// sarrus run: simulates a model and writes the folder of its results.
#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <functional>
#include <memory>
#include <ostream>

#include "chosen_run.hpp"
#include "commands/commands.hpp"
#include "keep_last.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "reports/page_report.hpp"
#include "reports/run_report.hpp"
#include "resume.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/results/export_csv.hpp"
#include "sarrus/results/kept_model.hpp"
#include "sarrus/results/result_reader.hpp"
#include "sarrus/results/result_writer.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/run/run_start.hpp"
#include "sarrus/show/plot.hpp"
#include "sarrus/verify/estimate.hpp"
#include "signals.hpp"
#include "view/run_elsewhere.hpp"
#include "watch.hpp"

namespace sarrus::app {
namespace {

struct RunArguments {
  ModelOptions model;
  SimulateFlags flags;
  std::string out, csv, plot, checkpoint_every;
  int halve = 0;
  bool replace = false, keep = false, resume = false, strict = false, no_estimate = false;
  bool report = false, watch = false;
};

/// Everything that is settled before the first byte is written.
struct Plan {
  explicit Plan(ValidModel read) : model(std::move(read)) {}

  ValidModel model;
  Mechanism mechanism;
  std::unique_ptr<Motion> motion;
  SimulateOptions options;
  std::string folder, previous, model_text, model_parts, hash;
  std::map<std::string, double> set;  // parameters given on the command line
  size_t columns = 0;

  const SimulateSpec& settings() const { return model->simulate; }
  bool steps_itself() const { return settings().formulation == "discrete"; }
  RunReport report(const RunSummary& s) const {
    return {mechanism, settings(), s, columns,
            steps_itself() || is_adaptive(settings().integrator)};
  }
};

/// The folder for the results; with --keep the first of out, out-2, out-3, … that is not there.
std::string folder_for(const RunArguments& a) {
  const std::string folder = a.out.empty() ? folder_beside(a.model.path) : a.out;
  std::string free = folder;
  for (int n = 2; a.keep && (is_folder(free) || is_file(free)); ++n)
    free = fmt::format("{}-{}", folder, n);
  return free;
}

/// Where --report writes: beside the folder, under its name.
std::string page_of(const Plan& p) {
  std::string folder = p.folder;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder + ".html";
}

void refuse_warnings(const std::vector<Diagnostic>& notes) {
  std::vector<Diagnostic> refused;
  for (Diagnostic d : notes)
    if (d.severity == Severity::warning) {
      d.severity = Severity::error;
      refused.push_back(std::move(d));
    }
  if (!refused.empty()) throw Error(Fault::physics, std::move(refused));
}

SimulateOptions simulate_options(const SimulateSpec& s, const RunArguments& a) {
  SimulateOptions o;
  o.start = s.start;
  o.until = s.until;
  o.output_step = s.spacing();
  o.reactions = s.reactions;
  o.momenta = records_momenta(s);
  o.accelerations = s.accelerations;
  o.max_wall = s.max_wall.value_or(0);
  o.max_steps = s.max_steps.value_or(0);
  o.real_time_factor = s.real_time_factor.value_or(0);
  o.overrun = overrun_named(s.overrun);
  if (!a.checkpoint_every.empty()) {
    const auto number = parse_number(a.checkpoint_every);
    const Quantity q =
        number ? Quantity{*number, "", ""} : parse_quantity(a.checkpoint_every, dimensions::time);
    if (!q.problem.empty() || !(q.value > 0))
      throw usage_error(
          "bad-value", "--checkpoint-every",
          q.problem.empty() ? fmt::format("{} s is not a time above 0", q.value) : q.problem);
    o.checkpoint_every = q.value;
  }
  return o;
}

Plan make_plan(const RunArguments& a, Output& out) {
  Plan p(read_model(a.model));
  p.model_text = model_text(a.model);
  p.model_parts = pack_parts(*p.model);
  p.set = parameters_set(a.model);
  apply_flags(p.model, a.flags);
  out.notes(p.model->notes);
  check_methods(*p.model, a.flags, out);
  IntegratorOptions options = integrator_options(p.settings());
  if (!p.steps_itself()) {
    for (const Diagnostic& d : check_options(p.settings().integrator, options))
      if (d.severity != Severity::error) out.note(d);
    make_integrator(p.settings().integrator, options);  // refuses before anything is compiled
  }
  p.options = simulate_options(p.settings(), a);

  p.mechanism = compile(p.model);
  out.notes(p.mechanism.notes);
  if (a.strict) {
    refuse_warnings(p.model->notes);
    refuse_warnings(p.mechanism.notes);
  }
  p.motion = make_motion(p.mechanism, p.settings());
  if (a.strict && !p.steps_itself()) refuse_warnings(run_start(p.mechanism, p.options.start).notes);
  p.motion->suits();  // refuses before anything is written
  const SimulateOptions& o = p.options;
  p.columns = Recorder(p.mechanism, {o.reactions, o.momenta, o.accelerations}).columns().size();
  p.folder = folder_for(a);
  p.hash = run_hash(*p.model, a.model);
  // refuses now, not after the run
  std::vector<std::string> sources = files_of_run(p.folder);
  sources.insert(sources.end(), p.model->files.begin(), p.model->files.end());
  if (!a.csv.empty() && a.csv != "-") is_stream_target(a.csv, true, sources);
  if (!a.plot.empty()) check_picture(a.plot, true, sources);
  if (a.report) is_stream_target(page_of(p), true, sources);
  return p;
}

void warn_of_space(const Plan& p, Output& out) {
  const double span = p.options.until - p.options.start;
  const double rows = p.options.output_step > 0 ? std::ceil(span / p.options.output_step) + 1 : 1;
  const SpaceForecast forecast = forecast_space(p.folder, static_cast<std::int64_t>(rows),
                                                static_cast<std::int64_t>(p.columns));
  if (!forecast.fits()) out.note(space_warning(p.folder, forecast));
}

/// Simulates into the writer, with checkpoints beside it; the result is closed when it returns.
RunSummary simulate_into(Plan& p, ResultWriter& writer, const Checkpoint* from, Output& out) {
  Progress progress(p.options.start, p.options.until, !out.json && !out.quiet);
  if (!p.options.interrupted) p.options.interrupted = stop_signal;
  p.options.progress = [&](double t) { progress.show(t); };
  p.options.warning = [&](const Diagnostic& d) { out.note(d); };
  p.options.checkpoint = [&](const Checkpoint& c) {
    Checkpoint named = c;
    named.model_hash = p.hash;
    write_checkpoint(p.folder, named, writer.mark());
  };
  if (from && p.options.max_steps > 0) p.options.max_steps += from->steps;  // budgets count anew
  const RunSummary summary =
      simulate(*p.motion, run_start(p.mechanism, p.options.start), p.options, writer, from);
  for (const Diagnostic& d : summary.notes) writer.add_note(d);
  if (summary.failure) writer.add_note(*summary.failure);
  writer.finish(result_status(summary.status), summary_json(p.report(summary)).dump());
  return summary;
}

ResultHeader header_of(const Plan& p) {
  ResultHeader header;
  header.model_name = p.mechanism.name;
  header.model_hash = p.hash;
  Json settings = settings_json(p.settings());
  if (!p.set.empty()) settings["set"] = p.set;
  header.settings_json = settings.dump();
  return header;
}

RunSummary run_fresh(Plan& p, FolderUse use, Output& out) {
  RunFolder folder(p.folder, use);
  const StopPolitely guard;
  auto writer = std::make_unique<ResultWriter>(folder.result_path(), header_of(p));
  try {
    folder.start(p.model_text, p.model_parts);
    if (folder.keeps_earlier()) p.previous = folder.previous_path();
    return simulate_into(p, *writer, nullptr, out);
  } catch (...) {
    const bool empty = writer->rows() == 0;
    writer.reset();
    if (empty) folder.discard();
    throw;
  }
}

/// The newest checkpoint whose rows are all there: a machine that loses its power may keep the
/// checkpoint and lose the end of the result. Rows beyond the one before are computed again.
StoredCheckpoint checkpoint_with_rows(const Plan& p, const std::string& result) {
  StoredCheckpoint stored = read_checkpoint(p.folder, p.hash);
  const std::string older = join_path(p.folder, "checkpoint.previous");
  const std::uint64_t bytes = File(result, File::Mode::read).size();
  if (bytes >= stored.result.bytes || !is_file(older)) return stored;
  StoredCheckpoint before = read_checkpoint_file(older, p.hash);
  if (bytes < before.result.bytes) return stored;  // refused with the sizes
  before.notes.push_back({.severity = Severity::warning,
                          .code = "older-checkpoint",
                          .where = {printable(result)},
                          .message = fmt::format("{} bytes long, shorter than the {} of the last "
                                                 "checkpoint: rows after t = {} s are lost, and "
                                                 "computed again from the checkpoint before",
                                                 bytes, stored.result.bytes, before.state.t)});
  return before;
}

RunSummary run_from_checkpoint(Plan& p, Output& out) {
  RunFolder folder(p.folder, FolderUse::continued);
  const StopPolitely guard;
  const StoredCheckpoint stored = checkpoint_with_rows(p, folder.result_path());
  out.notes(stored.notes);
  if (!(p.options.until > stored.state.t))
    throw usage_error("bad-value", "--until",
                      fmt::format("{} s lies before {} s, where the run was stopped",
                                  p.options.until, stored.state.t));
  ResultWriter writer(folder.result_path(), stored.result);
  out.facts()["resumed_at"] = stored.state.t;
  return simulate_into(p, writer, &stored.state, out);
}

bool is_switch(const std::string& key) {
  return std::holds_alternative<bool SimulateSpec::*>(setting(key).member);
}

/// The command that continues this run: the same words without budgets, and --resume.
std::string continue_command(const RunArguments& a) {
  std::string words = "sarrus run " + shell_word(a.model.path);
  if (!a.out.empty()) words += " -o " + shell_word(a.out);
  for (const std::string& set : a.model.set) words += " --set " + shell_word(set);
  for (const std::string& folder : a.model.allow) words += " --allow " + shell_word(folder);
  for (const auto& [key, value] : a.flags) {
    if (key == "max_wall" || key == "max_steps") continue;
    words += " " + flag_name(key) + (is_switch(key) ? "" : " " + shell_word(value));
  }
  return words + " --resume";
}

void export_rows(const Plan& p, const RunArguments& a, Output& out) {
  if (!a.plot.empty()) {
    keep_last(a.plot, a.replace, files_of_run(p.folder), out);
    write_plot({p.folder}, a.plot, {}, {}, true);
    out.facts()["plot"] = a.plot;
  }
  if (a.csv.empty()) return;
  if (a.csv != "-") {
    keep_last(a.csv, a.replace, files_of_run(p.folder), out);
    export_csv(p.folder, a.csv, {}, true);
    out.facts()["csv"] = a.csv;
    return;
  }
  StandardOutput standard_output;
  std::ostream stream(&standard_output);
  stream.exceptions(std::ios::badbit);
  try {
    export_csv(p.folder, stream, {});
  } catch (const std::exception&) {
    if (!standard_output.reader_gone()) throw;
  }
}

constexpr int rows_estimated = 500;      // of a run: every n-th
constexpr double short_estimate = 0.05;  // [s] of wall time, for any run
constexpr double long_run = 1;           // [s]

/// Evenly spaced rows of a result that may be larger than the memory.
Trajectory sampled_rows(const std::string& folder, std::int64_t rows) {
  ResultReader reader(folder);
  Trajectory out;
  out.columns = reader.header().columns;
  const std::int64_t every = std::max<std::int64_t>(1, rows / rows_estimated);
  const size_t width = out.columns.size();
  std::int64_t row = 0;
  for (auto block = reader.next_block(); !block.empty(); block = reader.next_block())
    for (size_t at = 0; at < block.size(); at += width, ++row)
      if (row % every == 0)
        out.values.insert(out.values.end(), block.begin() + static_cast<std::ptrdiff_t>(at),
                          block.begin() + static_cast<std::ptrdiff_t>(at + width));
  return even_rows(out, 2 * rows_estimated);
}

/// How many digits the rows have, by a second run that may take part of the time of the first: half
/// of it, and a tenth where that is long.
void tell_digits(const Plan& p, const RunArguments& a, const RunSummary& s, Output& out) {
  const bool ended = s.status == RunStatus::done || s.status == RunStatus::stopped;
  if (a.no_estimate || !ended || s.steps == 0 || p.options.real_time_factor > 0) return;
  if (out.quiet && !out.json) return;  // nobody would see it
  const double budget = short_estimate + std::min(0.5 * s.wall, long_run + 0.1 * s.wall);
  const DigitsEstimate e =
      estimate_digits(p.mechanism, p.settings(), sampled_rows(p.folder, s.rows), budget);
  if (!e.is_known()) {
    out.line(fmt::format("  {:<11}not estimated: {}", "digits", e.why_not));
    out.facts()["digits"] = {{"estimate", nullptr}, {"why_not", e.why_not}};
    return;
  }
  out.line(fmt::format(
      "  {:<11}{} {:.0f}{}{}, {}", "digits", e.at_most ? "at most" : "about", std::floor(e.digits),
      e.worst.empty() ? "" : ", least in " + e.worst,
      e.until < s.t - p.options.output_step ? fmt::format(", up to {:.4g} s", e.until) : "",
      e.how));
  out.facts()["digits"] = {{"estimate", e.digits},
                           {"at_most", e.at_most},
                           {"worst", e.worst},
                           {"until", e.until},
                           {"how", e.how}};
}

/// Without what the summary has said.
std::vector<Diagnostic> not_in_table(std::vector<Diagnostic> notes, const Output& out) {
  if (!out.json) std::erase_if(notes, [](const auto& d) { return d.code == "integrator-chosen"; });
  return notes;
}

/// Summary, where the results are, and what to try next.
int conclude(const Plan& p, const RunArguments& a, const RunSummary& s, Output& out) {
  out.facts().update(summary_json(p.report(s)));
  out.facts()["wall"] = s.wall;
  if (s.pace.deadlines > 0) out.facts()["real_time"] = pace_json(s.pace);
  out.facts()["folder"] = p.folder;
  print_summary(p.report(s), out);
  tell_digits(p, a, s, out);
  if (s.status != RunStatus::failed) out.notes(not_in_table(s.notes, out));  // else it says enough
  out.line();
  out.line(fmt::format("  {:<11}{}", "results", printable(p.folder)));
  if (!p.previous.empty()) {
    out.facts()["previous"] = p.previous;
    out.line(fmt::format("  {:<11}{}", "before", printable(p.previous)));
  }
  if (out.facts().contains("csv")) out.line(fmt::format("  {:<11}{}", "CSV", printable(a.csv)));

  if (out.facts().contains("plot")) out.line(fmt::format("  {:<11}{}", "plot", printable(a.plot)));

  const auto next = [&](const char* word, const std::string& command) {
    out.facts()[word] = command;
    out.line(fmt::format("  {:<11}{}", word, command));
  };
  switch (s.status) {
    case RunStatus::done:
    case RunStatus::stopped:
      if (a.report)
        write_page(p.folder, page_of(p), 1, a.replace, out);
      else
        next("look", fmt::format("sarrus report {}", shell_word(p.folder)));
      if (a.csv.empty())
        next("next", fmt::format("sarrus export {} --csv motion.csv", shell_word(p.folder)));
      return 0;
    case RunStatus::failed: throw Error(Fault::numerics, *s.failure);
    case RunStatus::interrupted: next("continue", continue_command(a)); return 128 + s.signal;
    case RunStatus::budget:
      next("continue", continue_command(a));
      return static_cast<int>(Fault::budget);
  }
  return 0;
}

/// --halve: the same run again and again with half the step, compared and not kept.
int run_halved(const RunArguments& a, Output& out) {
  ValidModel model = read_model(a.model);
  apply_flags(model, a.flags);
  out.notes(model->notes);
  check_methods(*model, a.flags, out);
  const Mechanism mechanism = compile(model);
  const Convergence found = converge(mechanism, model->simulate, a.halve);
  out.facts()["convergence"] = convergence_json(found);
  out.line(fmt::format("{} — {}, steps halved {} times", out.styled(mechanism.name, Style::strong),
                       model->simulate.formulation, a.halve));
  print_convergence(found, out);
  return 0;
}

int run_run(const RunArguments& a, Output& out) {
  if (a.halve != 0) return run_halved(a, out);
  if (a.keep && (a.replace || a.resume))
    throw usage_error("usage", "--keep", "writes to a new folder, so there is nothing to replace",
                      "leave out --replace and --resume, or --keep");
  if (a.csv == "-" && out.json)
    throw usage_error("usage", "run", "--json and --csv - both write to standard output");
  Plan p = make_plan(a, out);
  if (a.csv == "-") out.quiet = true;  // standard output is for the rows
  warn_of_space(p, out);

  Resume way = Resume::from_start;
  if (a.resume) {
    const RunFolder held(p.folder, FolderUse::continued);  // nobody else writes meanwhile
    way = how_to_resume(p.folder, p.hash, p.settings());
  }
  if (way == Resume::finished) {
    out.facts()["folder"] = p.folder;
    out.line(fmt::format("the run in {} is finished, nothing is left to do", printable(p.folder)));
    return 0;
  }
  if (a.resume && way == Resume::from_start)
    out.note({.severity = Severity::note,
              .code = "no-checkpoint",
              .where = {printable(p.folder)},
              .message =
                  "the run ended before its first checkpoint: it starts again from the beginning"});
  const FolderUse use = a.resume || a.replace ? FolderUse::replace : FolderUse::keep_last;
  const RunSummary summary =
      way == Resume::from_checkpoint ? run_from_checkpoint(p, out) : run_fresh(p, use, out);
  if (summary.status != RunStatus::interrupted) export_rows(p, a, out);  // who stops it waits
  return conclude(p, a, summary, out);
}

int run_on_save(const RunArguments& a, Output& out, const std::function<int()>& once) {
  if (out.json || a.resume || a.csv == "-")
    throw usage_error("usage", "--watch", "repeats the run for somebody who looks at it",
                      "leave out --json, --resume and --csv -");
  return repeat_on_save(a.model.path, a.csv, out, once);
}

}  // namespace

void run_elsewhere(const ModelOptions& model, const std::string& folder,
                   std::function<int()> interrupted, Output& out) {
  RunArguments a;
  a.model = model;
  a.out = folder;
  Plan p = make_plan(a, out);
  p.options.interrupted = std::move(interrupted);
  const RunSummary summary = run_fresh(p, FolderUse::replace, out);
  if (summary.status == RunStatus::failed) throw Error(Fault::numerics, *summary.failure);
}

void add_run(Program& program) {
  auto a = std::make_shared<RunArguments>();
  Command command = program.parser.add_command("run", "Simulates a model and writes its results");
  add_model_options(command, a->model);
  command
      .add_option("-o,--out", a->out,
                  "Folder for the results; default: the model's name, beside the model")
      .type_name("FOLDER");
  command.add_flag("--report", a->report,
                   "Also write the HTML page FOLDER.html, as sarrus report does");
  add_replace_flag(command, a->replace);
  command.add_flag("--keep", a->keep,
                   "Keep all earlier results: if FOLDER has some, write to FOLDER-2, FOLDER-3, …");
  command.add_flag("--watch", a->watch,
                   "Run again whenever a file beside the model is saved, until Ctrl-C");
  command.add_flag("--resume", a->resume, "Continue an earlier run where it was stopped");
  command.add_option("--csv", a->csv, "Also write the rows as CSV, - for standard output")
      .type_name("FILE");
  command.add_option("--plot", a->plot, "Also draw the coordinates of the joints, .svg or .png")
      .type_name("FILE");
  command
      .add_option("--halve", a->halve,
                  "Instead of writing results: repeat the run with half the step, COUNT times, and "
                  "print order and error of every sensor")
      .type_name("COUNT");
  command.add_flag("--strict", a->strict, "Refuse a model that gives warnings");
  command.add_flag("--no-estimate", a->no_estimate,
                   "Skip the second, coarser run that estimates the digits of the rows");
  command
      .add_option("--checkpoint-every", a->checkpoint_every,
                  "Wall time between checkpoints; default: 30 s")
      .type_name("TIME");
  add_output_options(command, program.out);
  add_simulate_flags(command, a->flags);
  command.footer(
      "Examples:\n"
      "  sarrus run pendulum.toml --report\n"
      "  sarrus run pendulum.toml --until 30 --rtol 1e-12 -o long --csv long.csv\n"
      "  sarrus run pendulum.toml --integrator rk4 --step 1e-3 --keep\n"
      "  sarrus run pendulum.toml --resume\n"
      "  sarrus run pendulum.toml --watch --report");
  command.action([&program, a] {
    const auto once = [&program, a] { return run_run(*a, program.out); };
    return a->watch ? run_on_save(*a, program.out, once) : once();
  });
}

}  // namespace sarrus::app
