// sarrus verify: one model in every formulation that can run it, and how far they agree; or the rows
// of a run, compared with them.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "commands/commands.hpp"
#include "commands/verify_suite.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "reports/verify_report.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/results/kept_model.hpp"
#include "sarrus/results/result_json.hpp"
#include "sarrus/results/result_reader.hpp"
#include "sarrus/verify/estimate.hpp"

namespace sarrus::app {
namespace {

struct VerifyArguments {
  ModelOptions model;
  SimulateFlags flags;
  VerifyOptions options;
  std::string out;               // folder of a run
  std::optional<double> digits;  // where they are given
  bool suite = false, is_short = false, fail_fast = false;
  std::vector<std::string> only;
};

double digits_in(const std::string& text) {
  const auto number = parse_number(text);
  if (!number)
    throw usage_error("bad-value", "--digits", fmt::format("'{}' is not a number", text));
  return *number;
}

/// For the pages that `sarrus report` and `sarrus view` make of these results.
void leave_beside(const std::string& folder, const Verification& v) {
  if (!std::filesystem::is_directory(folder))
    throw usage_error("no-folder", "--out", fmt::format("'{}' is not a folder", folder),
                      "name the folder of a run: its report will show the table");
  const std::string path = (std::filesystem::path(folder) / "verify.json").string();
  write_file(path, path + ".partial", to_json(v).dump(2) + "\n");
}

constexpr int rows_judged = 400;  // of a run: every n-th

bool holds_rows(const std::string& path) {
  namespace fs = std::filesystem;
  return fs::path(path).extension() == ".sarrus" || fs::exists(fs::path(path) / "result.sarrus");
}

/// Applies the settings of a run to those of its model.
void restore_settings(const Json& stored, SimulateSpec& s) {
  for (const Setting& setting : settings()) {
    const std::string key(setting.name);
    if (!stored.is_object() || !stored.contains(key)) continue;
    // without one of its own, a run's absolute tolerance is the relative one
    if (key == "atol" && stored.contains("rtol") && stored[key] == stored["rtol"]) continue;
    const Json& x = stored[key];
    if (x.is_boolean())
      setting.set(s, x.get<bool>());
    else if (x.is_string())
      setting.set(s, x.get<std::string>());
    else if (std::holds_alternative<std::optional<long long> SimulateSpec::*>(setting.member))
      setting.set(s, x.get<long long>());
    else
      setting.set(s, x.get<double>());
  }
}

/// The model that a run has kept, with the settings it was made with.
ValidModel model_of(const ResultFile& result) {
  KeptModel kept = read_kept_model(result.path, result.header);
  if (!kept.model)
    throw usage_error("no-model", "verify", kept.problem,
                      "sarrus verify MODEL -o FOLDER compares its rows with a model");
  SimulateSpec settings = (*kept.model)->simulate;
  restore_settings(parse_json_if_any(result.header.settings_json), settings);
  kept.model->set(std::move(settings));
  return std::move(*kept.model);
}

Trajectory rows_of(const ResultFile& result) {
  Trajectory rows = even_rows(result.rows, rows_judged);
  if (rows.rows() < 2)
    throw usage_error("too-few-rows", "verify",
                      fmt::format("'{}' has {} rows at even times", result.path, rows.rows()),
                      "two are needed at least");
  return rows;
}

int judge(const VerifyArguments& a, const ValidModel& model, const ResultFile* result,
          Output& out) {
  out.notes(model->notes);
  const Mechanism mechanism = compile(model);
  out.notes(mechanism.notes);
  VerifyOptions options = a.options;
  options.model = &model;
  Trajectory rows;
  if (result) {
    rows = rows_of(*result);
    options.run = &rows;
    options.rows_digits = a.digits.value_or(0);
  }
  Working line(!out.quiet && !out.json);
  options.working = [&](const std::string& who, double left) { line.show(who, left); };
  const Verification v = verify(mechanism, model->simulate, options);
  line.clear();
  print_verification(mechanism.name, v, out);
  out.facts()["verify"] = to_json(v);
  const std::string beside = !a.out.empty() ? a.out : result ? folder_of(result->path) : "";
  if (!beside.empty()) leave_beside(beside, v);
  return exit_code(v.verdict);
}

int run_verify(VerifyArguments a, Output& out) {
  if (a.digits) a.options.digits = *a.digits;
  if (!(a.options.digits >= 1 && a.options.digits <= 14))
    throw usage_error(
        "bad-value", "--digits",
        fmt::format("{} digits: numbers here have between 1 and 14", a.options.digits));
  if (!(a.options.budget > 0))
    throw usage_error("bad-value", "--budget",
                      fmt::format("{} s is not a time above 0", a.options.budget));
  if (a.suite)
    return run_suite({a.model.path.empty() ? "examples" : a.model.path, a.is_short, a.only,
                      a.fail_fast, a.options},
                     out);
  if (a.model.path.empty())
    throw usage_error("usage", "verify", "no model is given",
                      "sarrus verify MODEL, sarrus verify RESULT, or --suite");
  if (holds_rows(a.model.path)) {
    if (a.flags.contains("until") || !a.model.set.empty())
      throw usage_error("usage", "verify", "the rows of a run are judged as they were computed",
                        "without --until and --set");
    const ResultFile result = read_result(a.model.path);
    return judge(a, model_of(result), &result, out);
  }
  ValidModel model = read_model(a.model);
  apply_flags(model, a.flags);
  if (a.out.empty() || !holds_rows(a.out)) return judge(a, model, nullptr, out);
  const ResultFile result = read_result(a.out);
  return judge(a, model, &result, out);
}

}  // namespace

void add_verify(Program& program) {
  auto a = std::make_shared<VerifyArguments>();
  Command command = program.parser.add_command(
      "verify",
      "Runs a model in every formulation and says how far they agree, or judges the rows of a run");
  add_model_options(command, a->model);
  command.option("MODEL").required(false);
  command
      .add_option(
          "--until", [a](const std::string& text) { a->flags["until"] = text; },
          "End of the runs; default: as the model says")
      .type_name("TIME");
  command
      .add_option(
          "--digits", [a](const std::string& text) { a->digits = digits_in(text); },
          "Digits to confirm; default: 8. If given, the rows of a run need as many")
      .type_name("D");
  command
      .add_option("--budget", a->options.budget,
                  "Processor time for each formulation [s]; default: 30")
      .type_name("SECONDS");
  command
      .add_option(
          "-o,--out", a->out,
          "Folder of a run whose rows are judged; verify.json is written there for its report")
      .type_name("FOLDER");
  command.add_flag("--suite", a->suite,
                   "Verify every model below a folder (default: examples) that has an "
                   "expected.json, and check those numbers");
  command.add_flag("--short", a->is_short, "With --suite: only the first tenth of each run");
  command.add_flag("--fail-fast", a->fail_fast, "With --suite: stop at the first problem");
  command.add_option("--only", a->only, "With --suite: only folders whose path contains this word")
      .type_name("WORD")
      .repeatable();
  add_output_options(command, program.out);
  command.footer(
      "Exit codes: 0 agrees, 9 disagrees, 10 not decidable.\n"
      "Examples:\n"
      "  sarrus verify pendulum.toml\n"
      "  sarrus verify pendulum.toml --until 30 --digits 6\n"
      "  sarrus verify pendulum            (the rows in that folder)\n"
      "  sarrus verify --suite examples --short");
  command.action([&program, a] { return run_verify(*a, program.out); });
}

}  // namespace sarrus::app
