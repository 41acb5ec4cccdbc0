// sarrus plot: columns of a result as a picture.
#include <fmt/format.h>

#include <memory>

#include "column_choice.hpp"
#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/show/plot.hpp"

namespace sarrus::app {
namespace {

struct PlotArguments {
  std::string result, out = "plot.svg", against = "time", from, to;
  std::vector<std::string> names;
  bool force = false;
};

int run_plot(const PlotArguments& a, Output& out) {
  const std::vector<Column> columns = ResultReader(a.result).header().columns;
  ExportSelection s;
  s.columns = a.names.empty() ? telling_columns(columns) : chosen_columns("plot", a.names, columns);
  if (!a.from.empty()) s.from = parse_time("--from", a.from);
  if (!a.to.empty()) s.to = parse_time("--to", a.to);
  PlotOptions options;
  options.against = a.against;
  const ExportReport report = write_plot(a.result, a.out, s, options, a.force);
  out.notes(report.notes);
  out.line(fmt::format(
      "{} of {} rows in {}",
      s.columns.size() == 1 ? s.columns[0] : fmt::format("{} columns", s.columns.size()),
      report.rows, printable(a.out)));
  out.facts()["plot"] = {{"file", a.out}, {"columns", s.columns}, {"rows", report.rows}};
  return 0;
}

}  // namespace

void add_plot(Program& program) {
  auto a = std::make_shared<PlotArguments>();
  Command command = program.parser.add_command("plot", "Draws columns of a result");
  command.add_option("RESULT", a->result, "Folder of a run, or a result file").required();
  command.add_option("NAME", a->names,
                     "Columns, * matches any characters; default: coordinates of the joints");
  command.add_option("-o,--out", a->out, "Picture, .svg or .png; default: plot.svg")
      .type_name("FILE");
  command.add_option("--against", a->against, "Column along the horizontal axis; default: time")
      .type_name("NAME");
  command.add_option("--from", a->from, "First time").type_name("TIME");
  command.add_option("--to", a->to, "Last time").type_name("TIME");
  command.add_flag("--force", a->force, "Overwrite an existing picture");
  add_output_options(command, program.out);
  command.footer(
      "Columns with the same unit share a panel.\n"
      "Examples:\n"
      "  sarrus plot pendulum\n"
      "  sarrus plot pendulum 'hinge.*' energy.total -o motion.png\n"
      "  sarrus plot pendulum hinge.u --against hinge.q -o phase.svg");
  command.action([&program, a] { return run_plot(*a, program.out); });
}

}  // namespace sarrus::app
