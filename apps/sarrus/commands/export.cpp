// sarrus export: rows of a result as CSV, HDF5 or arrays, the motion as glTF.
#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "chosen_run.hpp"
#include "column_choice.hpp"
#include "commands/commands.hpp"
#include "keep_last.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/results/export_arrays.hpp"
#include "sarrus/results/export_csv.hpp"
#include "sarrus/results/export_hdf5.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/show/export_gltf.hpp"

namespace sarrus::app {
namespace {

struct ExportArguments {
  std::string result, csv, hdf5, npz, mat, gltf, columns, from, to;
  std::int64_t every = 1;
  bool replace = false;
};

ExportSelection selection(const ExportArguments& a) {
  ExportSelection s;
  s.every = a.every;
  if (!a.from.empty()) s.from = parse_time("--from", a.from);
  if (!a.to.empty()) s.to = parse_time("--to", a.to);
  if (!a.columns.empty())
    s.columns = chosen_columns("--columns", words_of_list(a.columns),
                               ResultReader(a.result).header().columns);
  return s;
}

/// To standard output; a reader that closes the pipe is no error.
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
  out.facts()[kind] = {{"file", file}, {"rows", report.rows}};
}

int run_export(ExportArguments a, Output& out) {
  if (a.csv.empty() && a.hdf5.empty() && a.npz.empty() && a.mat.empty() && a.gltf.empty())
    throw usage_error("no-target", "export",
                      "nothing to write: none of --csv, --hdf5, --npz, --mat, --gltf is given",
                      "--csv motion.csv, or --csv - for standard output");
  if (a.csv == "-" && out.json)
    throw usage_error("usage", "export", "--json and --csv - both write to standard output");
  a.result = chosen_run(a.result, out);
  const ExportSelection s = selection(a);
  for (const std::string& file : {a.csv, a.hdf5, a.npz, a.mat, a.gltf})
    if (!file.empty() && file != "-") keep_last(file, a.replace, files_of_run(a.result), out);
  if (a.csv == "-")
    to_standard_output(a, s, out);
  else if (!a.csv.empty())
    say(out, "csv", a.csv, export_csv(a.result, a.csv, s, true));
  if (!a.hdf5.empty())
    say(out, "hdf5", a.hdf5, export_hdf5(a.result, a.hdf5, s, {.table = false, .replace = true}));
  if (!a.npz.empty()) say(out, "npz", a.npz, export_npz(a.result, a.npz, s, true));
  if (!a.mat.empty()) say(out, "mat", a.mat, export_mat(a.result, a.mat, s, true));
  if (!a.gltf.empty()) say(out, "gltf", a.gltf, export_gltf(a.result, a.gltf, a.every, true));
  return 0;
}

}  // namespace

void add_export(Program& program) {
  auto a = std::make_shared<ExportArguments>();
  Command command = program.parser.add_command(
      "export", "Writes results as CSV, HDF5, NumPy or MATLAB arrays, or glTF");
  command.add_option("RESULT", a->result,
                     "Folder of a run, result file, or model that was run; default: the last run "
                     "in this folder");
  command.add_option("--csv", a->csv, "CSV file, - for standard output").type_name("FILE");
  command.add_option("--hdf5", a->hdf5, "HDF5 file").type_name("FILE");
  command.add_option("--npz", a->npz, "Arrays for NumPy, one for each column").type_name("FILE");
  command.add_option("--mat", a->mat, "Arrays for MATLAB, Octave and SciPy, a level-5 file")
      .type_name("FILE");
  command.add_option("--gltf", a->gltf, "The mechanism in motion as glTF 2.0, a .glb file")
      .type_name("FILE");
  command.add_option("--columns", a->columns, "Names separated by commas; * matches any characters")
      .type_name("LIST");
  command.add_option("--every", a->every, "Take every N-th row only, from the first on")
      .type_name("N");
  command.add_option("--from", a->from, "First time").type_name("TIME");
  command.add_option("--to", a->to, "Last time").type_name("TIME");
  add_replace_flag(command, a->replace);
  add_output_options(command, program.out);
  command.footer(
      "Examples:\n"
      "  sarrus export pendulum --csv motion.csv\n"
      "  sarrus export pendulum --csv - --columns 'hinge.*,energy.total' --every 10\n"
      "  sarrus export pendulum --hdf5 motion.h5\n"
      "  sarrus export pendulum --npz motion.npz --mat motion.mat\n"
      "  sarrus export pendulum --gltf motion.glb");
  command.action([&program, a] { return run_export(*a, program.out); });
}

}  // namespace sarrus::app
