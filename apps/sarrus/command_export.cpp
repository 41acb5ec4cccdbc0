// sarrus export: rows of a result as CSV or HDF5.
#include <fmt/format.h>
#include <fnmatch.h>

#include <memory>
#include <ostream>

#include "commands.hpp"
#include "options.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/io/export_csv.hpp"
#include "sarrus/io/export_hdf5.hpp"

namespace sarrus::app {
namespace {

struct ExportArguments {
  std::string result, csv, hdf5, columns, from, to;
  std::int64_t every = 1;
  bool force = false;
};

/// "a,b*" as names of columns, in the order of the list.
std::vector<std::string> chosen_columns(const std::string& list,
                                        const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (size_t at = 0; at <= list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    const std::string word = list.substr(at, comma - at);
    at = comma + 1;
    if (word.empty()) continue;
    if (word.find_first_of("*?") == std::string::npos) {
      names.push_back(word);
      continue;
    }
    const size_t before = names.size();
    for (const Column& c : columns)
      if (::fnmatch(word.c_str(), c.name.c_str(), 0) == 0) names.push_back(c.name);
    if (names.size() == before)
      throw usage_error("unknown-column", "--columns", fmt::format("no column fits '{}'", word));
  }
  if (names.empty()) throw usage_error("unknown-column", "--columns", "no column is named");
  return names;
}

double parse_time(const std::string& flag, const std::string& text) {
  if (const auto number = parse_number(text)) return *number;
  const Quantity quantity = parse_quantity(text, dimensions::time);
  if (!quantity.problem.empty())
    throw usage_error("bad-value", flag, quantity.problem, quantity.hint);
  return quantity.value;
}

ExportSelection selection(const ExportArguments& a) {
  ExportSelection s;
  s.every = a.every;
  if (!a.from.empty()) s.from = parse_time("--from", a.from);
  if (!a.to.empty()) s.to = parse_time("--to", a.to);
  if (!a.columns.empty())
    s.columns = chosen_columns(a.columns, ResultReader(a.result).header().columns);
  return s;
}

/// To standard output; a reader that has enough is no fault.
void to_standard_output(const ExportArguments& a, const ExportSelection& s, Output& out) {
  StandardOutput standard_output;
  std::ostream stream(&standard_output);
  stream.exceptions(std::ios::badbit);  // a full disk speaks for itself
  try {
    out.notes(export_csv(a.result, stream, s).notes);
  } catch (const std::exception&) {
    if (!standard_output.reader_gone()) throw;
  }
}

void say(Output& out, const char* kind, const std::string& file, const ExportReport& report) {
  out.notes(report.notes);
  out.line(fmt::format("{} rows in {}", report.rows, file));
  out.facts[kind] = {{"file", file}, {"rows", report.rows}};
}

int run_export(const ExportArguments& a, Output& out) {
  if (a.csv.empty() && a.hdf5.empty())
    throw usage_error("no-target", "export", "neither --csv nor --hdf5 says where to",
                      "--csv motion.csv, or --csv - for standard output");
  if (a.csv == "-" && out.json)
    throw usage_error("usage", "export", "--json and --csv - both want standard output");
  const ExportSelection s = selection(a);
  if (a.csv == "-")
    to_standard_output(a, s, out);
  else if (!a.csv.empty())
    say(out, "csv", a.csv, export_csv(a.result, a.csv, s, a.force));
  if (!a.hdf5.empty())
    say(out, "hdf5", a.hdf5,
        export_hdf5(a.result, a.hdf5, s, {.table = false, .replace = a.force}));
  return 0;
}

}  // namespace

void add_export(Program& program) {
  auto a = std::make_shared<ExportArguments>();
  CLI::App* command = program.parser.add_subcommand("export", "Writes results as CSV or HDF5");
  command->add_option("RESULT", a->result, "Folder of a run, or a result file")->required();
  command->add_option("--csv", a->csv, "CSV file, - for standard output")->type_name("FILE");
  command->add_option("--hdf5", a->hdf5, "HDF5 file")->type_name("FILE");
  command
      ->add_option("--columns", a->columns, "Names separated by commas; * stands for any letters")
      ->type_name("LIST");
  command->add_option("--every", a->every, "Only the first and then each N-th row")->type_name("N");
  command->add_option("--from", a->from, "First time")->type_name("TIME");
  command->add_option("--to", a->to, "Last time")->type_name("TIME");
  command->add_flag("--force", a->force, "Replace files that exist");
  add_output_options(*command, program.out);
  command->footer(
      "Examples:\n"
      "  sarrus export pendulum --csv motion.csv\n"
      "  sarrus export pendulum --csv - --columns 'hinge.*,energy.total' --every 10\n"
      "  sarrus export pendulum --hdf5 motion.h5");
  command->callback(
      [&program, a] { program.chosen = [&program, a] { return run_export(*a, program.out); }; });
}

}  // namespace sarrus::app
