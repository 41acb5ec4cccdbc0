// sarrus reduce: linear systems M, K, D under constraints C, given as matrices.
#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "commands/reduce_responses.hpp"
#include "options.hpp"
#include "reports/reduce_report.hpp"

namespace sarrus::app {
namespace {

int run_reduce(const ReduceArguments& a, Output& out) {
  const ReduceInput in = read_input(a, out);
  const std::optional<TimeGrid> grid = time_grid(a);
  const RightSide d = read_right_side(a, in, grid);
  const ReductionOptions options = reduction_options(a, in, d);
  if (a.modes < 0) throw usage_error("bad-value", "--modes", fmt::format("{} modes", a.modes));
  const Reduction r = reduce(in.system, options);
  out.notes(r.notes);
  report_rank(in.system, r, out);
  const LinearModes modes = linear_modes(in.system, r, {.modes = a.modes, .count = a.count});
  out.notes(modes.notes);
  report_modes(in.system, r, modes, out);

  OutputFolder folder(
      a.out, a.replace,
      {a.mass, a.stiffness, a.damping, a.constraints, a.coordinate_names, a.constraint_names,
       a.scale_columns, a.keep_matrix, a.transform, a.force, a.right_side, a.initial});
  write_reduction(folder, in.system, r, modes);
  write_responses({a, in, d, r, modes}, grid, folder, out);
  folder.write("summary.json", out.facts().dump(2) + "\n");
  report_files(folder, out);
  return 0;
}

void add_system_options(Command& c, ReduceArguments& a) {
  const auto file = [&](const char* flag, std::string& to, const char* help) {
    return c.add_option(flag, to, help).type_name("FILE").group("System");
  };
  file("--mass", a.mass, "M̄, Matrix Market").required();
  file("--stiffness", a.stiffness, "K̄, Matrix Market").required();
  file("--constraints", a.constraints, "C of C z = 0, Matrix Market");
  file("--damping", a.damping, "D̄, Matrix Market; its skew part is gyroscopic");
  file("--coordinate-names", a.coordinate_names, "One name per line; default: z1, z2, …");
  file("--constraint-names", a.constraint_names, "One name per line; default: c1, c2, …");
  c.add_option("--rayleigh", a.rayleigh, "Adds A M̄ + B K̄ to the damping")
      .type_name("A,B")
      .group("System");
  c.add_option("--damping-ratio", a.ratios, "ζ of every mode, or of each in turn")
      .type_name("LIST")
      .group("System");
}

void add_reduction_options(Command& c, ReduceArguments& a) {
  const char* group = "Reduction";
  c.add_option("--route", a.route, "auto, jacobi, svd, qr or sparse").group(group);
  c.add_option("--tolerance", a.tolerance,
               "Relative size below which a singular value is zero (1e-9)")
      .group(group);
  c.add_flag("--keep-marginal", a.keep_marginal,
             "Values between rounding and the tolerance count as nonzero")
      .group(group);
  c.add_flag("--second-opinion", a.second_opinion, "Check the rank decision with 32 digits")
      .group(group);
  c.add_flag("--scale-rows", a.scale_rows,
             "Scale rows of C to unit length (the default, except for jacobi)")
      .group(group);
  c.add_flag("--raw-rows", a.raw_rows, "Leave rows of C as they are").group(group);
  c.add_option("--scale-columns", a.scale_columns,
               "Magnitudes of the coordinates: 'mass', or a file")
      .group(group);
  c.add_option("--keep", a.keep, "Coordinates that become the first independent ones")
      .type_name("LIST")
      .group(group);
  c.add_option("--keep-matrix", a.keep_matrix, "The same for combinations S z, one per row")
      .type_name("FILE")
      .group(group);
  c.add_option("--transform", a.transform, "H of T̄ = T H").type_name("FILE").group(group);
}

void add_response_options(Command& c, ReduceArguments& a) {
  const char* group = "Modes and responses";
  c.add_option("--modes", a.modes, "Number of modes, from the lowest").type_name("N").group(group);
  c.add_flag("--count", a.count, "Large systems: proves that no mode is missing").group(group);
  c.add_option("--force", a.force, "Z(t): CSV with the columns time, and coordinates by name")
      .type_name("FILE")
      .group(group);
  c.add_option("--load", a.loads, "A force as a formula of t; may be repeated")
      .type_name("NAME=FORMULA")
      .repeatable()
      .group(group);
  c.add_option("--right-side", a.right_side,
               "Right-hand side d of C z = d: .mtx, or CSV with time and constraints")
      .type_name("FILE")
      .group(group);
  c.add_option("--initial", a.initial,
               "CSV: coordinates by name, one row of positions, one of velocities")
      .type_name("FILE")
      .group(group);
  c.add_flag("--project", a.project, "Projects the initial state onto the constraints")
      .group(group);
  c.add_option("--start", a.start, "First time [s]").group(group);
  c.add_option("--until", a.until, "Last time of the history [s]").group(group);
  c.add_option("--step", a.step, "Its step [s]; default: a thousandth of it").group(group);
  c.add_option("--output", a.outputs, "Coordinates to write; default: all")
      .type_name("LIST")
      .group(group);
  c.add_flag("--reactions", a.reactions, "Writes the multipliers of the constraints").group(group);
  c.add_option("--frequencies", a.frequencies, "Frequency response at FROM:TO:COUNT [rad/s]")
      .group(group);
  c.add_flag("--hertz", a.hertz, "--frequencies are in Hz").group(group);
  c.add_option("--harmonic", a.harmonic, "Amplitude of a harmonic force; may be repeated")
      .type_name("NAME=VALUE")
      .repeatable()
      .group(group);
  c.add_option("--harmonic-right-side", a.harmonic_right_side,
               "Amplitude of a right-hand side; may be repeated")
      .type_name("ROW=VALUE")
      .repeatable()
      .group(group);
}

}  // namespace

void add_reduce(Program& program) {
  auto a = std::make_shared<ReduceArguments>();
  Command command = program.parser.add_command(
      "reduce", "Linear systems M, K, C: independent coordinates, modes, responses");
  add_system_options(command, *a);
  add_reduction_options(command, *a);
  add_response_options(command, *a);
  command.add_option("-o,--out", a->out, "Folder for the files (reduced)").type_name("FOLDER");
  command.add_flag("--replace", a->replace, "Overwrite files of the same names");
  add_output_options(command, program.out);
  command.footer(
      "Examples:\n"
      "  sarrus reduce --mass M.mtx --stiffness K.mtx --constraints C.mtx\n"
      "  sarrus reduce --mass M.mtx --stiffness K.mtx --constraints C.mtx --route jacobi -o "
      "source\n"
      "  sarrus reduce --mass M.mtx --stiffness K.mtx --constraints C.mtx --load 'z1=sin(3*t)' "
      "--until 10");
  command.action([&program, a] { return run_reduce(*a, program.out); });
}

}  // namespace sarrus::app
