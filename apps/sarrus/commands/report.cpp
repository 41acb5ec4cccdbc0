// sarrus report: a result as one HTML file.
#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/show/report.hpp"

namespace sarrus::app {
namespace {

struct ReportArguments {
  std::string result, out = "report.html";
  std::int64_t every = 1;
  bool force = false;
};

std::string size_text(std::uint64_t bytes) {
  return bytes < 1000000 ? fmt::format("{} kB", bytes / 1000)
                         : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

int run_report(const ReportArguments& a, Output& out) {
  if (a.every < 1)
    throw usage_error("bad-value", "--every", fmt::format("every {} rows is not possible", a.every),
                      "1 takes every row, 10 every tenth");
  SceneOptions options;
  options.every = a.every;
  const PageReport page = write_report(a.result, a.out, options, a.force);
  if (!page.problem.empty())
    out.note({.severity = Severity::warning,
              .code = "not-drawn",
              .message = "the report has no picture of the mechanism: " + page.problem});
  out.line(fmt::format("{} ({}, {} of {} rows); open it in a browser", printable(a.out),
                       size_text(page.bytes), page.shown, page.rows));
  out.facts()["report"] = {
      {"file", a.out}, {"bytes", page.bytes}, {"rows", page.rows}, {"shown", page.shown}};
  return 0;
}

}  // namespace

void add_report(Program& program) {
  auto a = std::make_shared<ReportArguments>();
  Command command = program.parser.add_command("report", "Writes a result as one HTML page");
  command.add_option("RESULT", a->result, "Folder of a run or of modes, or a result file")
      .required();
  command.add_option("-o,--out", a->out, "HTML file; default: report.html").type_name("FILE");
  command.add_option("--every", a->every, "Take every N-th row only, from the first on")
      .type_name("N");
  command.add_flag("--force", a->force, "Overwrite an existing file");
  add_output_options(command, program.out);
  command.footer(
      "The file needs no network and no other file: it can be mailed.\n"
      "Example:\n"
      "  sarrus report pendulum -o pendulum.html");
  command.action([&program, a] { return run_report(*a, program.out); });
}

}  // namespace sarrus::app
