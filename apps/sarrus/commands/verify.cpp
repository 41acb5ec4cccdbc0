// sarrus verify: one model in every formulation that can run it, and how far they agree.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands/commands.hpp"
#include "commands/verify_suite.hpp"
#include "options.hpp"
#include "reports/verify_report.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/text/file.hpp"

namespace sarrus::app {
namespace {

struct VerifyArguments {
  ModelOptions model;
  SimulateFlags flags;
  VerifyOptions options;
  std::string out;  // folder of a run
  bool suite = false, is_short = false, fail_fast = false;
  std::vector<std::string> only;
};

/// For the pages that `sarrus report` and `sarrus view` make of these results.
void leave_beside(const std::string& folder, const Verification& v) {
  if (!std::filesystem::is_directory(folder))
    throw usage_error("no-folder", "--out", fmt::format("'{}' is not a folder", folder),
                      "name the folder of a run: its report will show the table");
  const std::string path = (std::filesystem::path(folder) / "verify.json").string();
  write_file(path, path + ".partial", to_json(v).dump(2) + "\n");
}

int run_verify(const VerifyArguments& a, Output& out) {
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
    throw usage_error("usage", "verify", "no model is given", "sarrus verify MODEL, or --suite");
  Model model = read_model(a.model);
  apply_flags(model, a.flags);
  out.notes(model.notes);
  const Mechanism mechanism = compile(model);
  out.notes(mechanism.notes);
  const Verification v = verify(mechanism, model.simulate, a.options);
  print_verification(mechanism.name, v, out);
  out.facts()["verify"] = to_json(v);
  if (!a.out.empty()) leave_beside(a.out, v);
  return exit_code(v.verdict);
}

}  // namespace

void add_verify(Program& program) {
  auto a = std::make_shared<VerifyArguments>();
  Command command = program.parser.add_command(
      "verify", "Runs a model in every formulation and says how far they agree");
  add_model_options(command, a->model);
  command.option("MODEL").required(false);
  command
      .add_option(
          "--until", [a](const std::string& text) { a->flags["until"] = text; },
          "End of the runs; default: as the model says")
      .type_name("TIME");
  command.add_option("--digits", a->options.digits, "Digits to confirm; default: 8").type_name("D");
  command
      .add_option("--budget", a->options.budget,
                  "Processor time for each formulation [s]; default: 30")
      .type_name("SECONDS");
  command
      .add_option("-o,--out", a->out, "Folder of a run: writes verify.json there, for its report")
      .type_name("FOLDER");
  command.add_flag("--suite", a->suite,
                   "Every model below a folder (default: examples) that has an expected.json, "
                   "against its numbers too");
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
      "  sarrus verify --suite examples --short");
  command.action([&program, a] { return run_verify(*a, program.out); });
}

}  // namespace sarrus::app
