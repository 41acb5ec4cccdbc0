// sarrus plot: columns of one result, or of several over each other, as a picture.
#include <fmt/format.h>

#include <memory>

#include "chosen_run.hpp"
#include "column_choice.hpp"
#include "commands/commands.hpp"
#include "keep_last.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/show/plot.hpp"

namespace sarrus::app {
namespace {

struct PlotArguments {
  std::string out = "plot.svg", against = "time", from, to, units;
  std::vector<std::string> words;  // runs, then names of columns
  bool replace = false;
};

/// A word that is neither a run nor a column may have been meant as either.
void refuse_neither(const std::string& word, const std::vector<Column>& columns) {
  if (word.find_first_of("*?") != std::string::npos) return;
  std::vector<std::string> names;
  for (const Column& c : columns) {
    if (word == c.name || word == c.header()) return;
    names.push_back(c.name);
  }
  throw usage_error("unknown-column", "plot",
                    fmt::format("no run and no column is called '{}'", word),
                    did_you_mean(word, names));
}

ExportSelection selection_of(const PlotArguments& a, const std::vector<std::string>& names,
                             const std::vector<Column>& columns) {
  ExportSelection s;
  s.columns = names.empty() ? telling_columns(columns) : chosen_columns("plot", names, columns);
  if (!a.from.empty()) s.from = parse_time("--from", a.from);
  if (!a.to.empty()) s.to = parse_time("--to", a.to);
  return s;
}

int run_plot(const PlotArguments& a, Output& out) {
  std::vector<std::string> names = a.words;
  const std::vector<std::string> runs = chosen_runs(names, out);
  const std::vector<Column> columns = ResultReader(runs.front()).header().columns;
  if (!names.empty() && names.size() == a.words.size()) refuse_neither(names.front(), columns);
  const ExportSelection s = selection_of(a, names, columns);
  PlotOptions options;
  options.against = a.against;
  options.units = words_of_list(a.units);
  std::vector<std::string> sources;
  for (const std::string& run : runs)
    for (const std::string& file : files_of_run(run)) sources.push_back(file);
  check_picture(a.out, true, sources);
  keep_last(a.out, a.replace, sources, out);
  const ExportReport report = write_plot(runs, a.out, s, options, true);
  out.notes(report.notes);
  out.line(fmt::format(
      "{} of {} rows in {}",
      s.columns.size() == 1 ? s.columns[0] : fmt::format("{} columns", s.columns.size()),
      report.rows, printable(a.out)));
  out.facts()["plot"] = {
      {"file", a.out}, {"columns", s.columns}, {"rows", report.rows}, {"runs", runs}};
  return 0;
}

}  // namespace

void add_plot(Program& program) {
  auto a = std::make_shared<PlotArguments>();
  Command command = program.parser.add_command("plot", "Draws columns of results");
  command.add_option("WORD", a->words,
                     "Runs (folders, result files, models that were run), then columns, in which * "
                     "matches any characters; default: coordinates of the joints of the last run");
  command.add_option("-o,--out", a->out, "Picture, .svg, .png or .pdf; default: plot.svg")
      .type_name("FILE");
  command.add_option("--against", a->against, "Column along the horizontal axis; default: time")
      .type_name("NAME");
  command.add_option("--units", a->units, "Draw what these can measure in them, such as deg,rpm,mm")
      .type_name("LIST");
  command.add_option("--from", a->from, "First time").type_name("TIME");
  command.add_option("--to", a->to, "Last time").type_name("TIME");
  add_replace_flag(command, a->replace);
  add_output_options(command, program.out);
  command.footer(
      "Columns with the same unit share a panel.\n"
      "Examples:\n"
      "  sarrus plot                                    (the last run in this folder)\n"
      "  sarrus plot pendulum 'hinge.*' energy.total -o motion.pdf --units deg,rpm\n"
      "  sarrus plot pendulum pendulum/previous hinge.q (both in one picture)\n"
      "  sarrus plot pendulum hinge.u --against hinge.q -o phase.svg");
  command.action([&program, a] { return run_plot(*a, program.out); });
}

}  // namespace sarrus::app
