// sarrus report: a result as one HTML file.
#include <fmt/format.h>

#include <memory>

#include "chosen_run.hpp"
#include "commands/commands.hpp"
#include "options.hpp"
#include "reports/page_report.hpp"

namespace sarrus::app {
namespace {

struct ReportArguments {
  std::string result, out = "report.html";
  std::int64_t every = 1;
  bool replace = false;
};

int run_report(const ReportArguments& a, Output& out) {
  if (a.every < 1)
    throw usage_error("bad-value", "--every", fmt::format("every {} rows is not possible", a.every),
                      "1 takes every row, 10 every tenth");
  write_page(chosen_run(a.result, out), a.out, a.every, a.replace, out);
  return 0;
}

}  // namespace

void add_report(Program& program) {
  auto a = std::make_shared<ReportArguments>();
  Command command = program.parser.add_command("report", "Writes a result as one HTML page");
  command.add_option("RESULT", a->result,
                     "Model that was run, folder of a run or of modes, or a result file; default: "
                     "the last run in this folder");
  command.add_option("-o,--out", a->out, "HTML file; default: report.html").type_name("FILE");
  command.add_option("--every", a->every, "Take every N-th row only, from the first on")
      .type_name("N");
  add_replace_flag(command, a->replace);
  add_output_options(command, program.out);
  command.footer(
      "The file needs no network and no other file: it can be mailed.\n"
      "Examples:\n"
      "  sarrus report                              (the last run in this folder)\n"
      "  sarrus report pendulum.toml\n"
      "  sarrus report pendulum -o pendulum.html");
  command.action([&program, a] { return run_report(*a, program.out); });
}

}  // namespace sarrus::app
