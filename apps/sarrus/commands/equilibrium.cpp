// sarrus equilibrium: where a mechanism stays at rest, and whether it returns there.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>

#include "commands/commands.hpp"
#include "linear_options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/linear/linear_files.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/run/watch/deflection_watch.hpp"

namespace sarrus::app {
namespace {

struct EquilibriumArguments {
  ModelOptions model;
  PointOptions point;
  int starts = 0;
  std::string csv;
};

/// Everything that a run would record at rest: sensors, section forces, drives, reactions.
Json values_json(const Trajectory& row) {
  Json values = Json::object();
  for (size_t i = 1; i < row.columns.size(); ++i) values[row.columns[i].name] = row.values[i];
  return values;
}

/// Of that what is worth reading: neither coordinates, which are listed already, nor rates,
/// energies and quaternions.
std::vector<std::pair<std::string, double>> worth_reading(const Mechanism& m,
                                                          const Trajectory& row) {
  std::set<std::string> known;
  for (int q = 0; q < m.nq; ++q) known.insert(m.coordinate_name(q));
  std::vector<std::pair<std::string, double>> found;
  for (size_t i = 1; i < row.columns.size(); ++i) {
    const Column& c = row.columns[i];
    const bool is_rate = c.unit.find("/s") != std::string::npos;
    const bool is_account = c.kind == ColumnKind::energy || c.kind == ColumnKind::hamiltonian ||
                            c.kind == ColumnKind::ledger || c.kind == ColumnKind::residual;
    const bool is_quaternion =
        c.unit == "1" && (c.kind == ColumnKind::coordinate || c.kind == ColumnKind::orientation);
    if (!known.contains(c.name) && !is_rate && !is_account && !is_quaternion)
      found.emplace_back(row.columns[i].header(), row.values[i]);
  }
  return found;
}

Json one_json(const Mechanism& m, const Equilibrium& e, const ModelModes& modes,
              const std::optional<Trajectory>& row) {
  Json found = {{"stability", to_text(modes.stability)},
                {"verdict", verdict(modes)},
                {"residual", e.residual},
                {"force_scale", e.scale},
                {"iterations", e.iterations},
                {"continuation", e.continuation},
                {"q", coordinates_json(m, e.point)}};
  if (row) found["values"] = values_json(*row);
  return found;
}

void print_one(const Mechanism& m, size_t number, const Equilibrium& e, const ModelModes& modes,
               const std::optional<Trajectory>& row, Output& out) {
  const bool bad = modes.cause >= 0;
  out.line(fmt::format("equilibrium {}: {}", number,
                       out.styled(verdict(modes), bad ? Style::warning : Style::good)));
  print_coordinates(m, e.point, out);
  out.line(fmt::format(
      "  out of balance by {:.1e} of {:.6g}, after {} iterations{}", e.residual, e.scale,
      e.iterations,
      e.continuation > 0 ? fmt::format(" and {} steps of continuation", e.continuation) : ""));
  if (!row) return;
  const auto values = worth_reading(m, *row);
  if (!values.empty()) out.line("  sensors, drives and reactions there:");
  print_values(values, out);
}

/// One row per equilibrium: coordinates, and 1 where it is not unstable.
void write_table(const std::string& path, const Mechanism& m, const std::vector<Equilibrium>& all,
                 const std::vector<ModelModes>& modes) {
  std::vector<std::string> heads{"equilibrium", "stable"};
  for (int q = 0; q < m.nq; ++q) heads.push_back(m.coordinate_name(q));
  Matrix rows(static_cast<int>(all.size()), m.nq + 2);
  for (int i = 0; i < rows.rows; ++i) {
    rows(i, 0) = i + 1, rows(i, 1) = modes[i].cause < 0;
    for (int q = 0; q < m.nq; ++q) rows(i, q + 2) = all[i].point.q[q];
  }
  write_file(path, path + ".partial", to_csv(heads, rows));
}

int run_equilibrium(const EquilibriumArguments& a, Output& out) {
  if (a.starts < 0 || a.starts > 100'000)
    throw usage_error("bad-value", "--starts", fmt::format("{} starts", a.starts));
  const ValidModel model = read_model(a.model);
  out.notes(model->notes);
  const Mechanism m = compile(model);
  out.notes(m.notes);
  const OperatingPoint start = point_of(m, a.point);
  check_steady(m, start, out);
  const std::vector<Equilibrium> found = find_equilibria(m, start, a.starts);
  if (!found.front().found) throw Error(Fault::numerics, no_equilibrium(found.front()));
  out.line(out.styled(m.name, Style::strong));
  std::vector<ModelModes> modes;
  Json list = Json::array();
  for (size_t i = 0; i < found.size(); ++i) {
    modes.push_back(modes_about(m, found[i].point));
    out.notes(check_deformation(m, found[i].point.t, found[i].point.q));
    std::optional<Trajectory> row;  // what holds a joint is not part of the model
    if (found[i].point.held.empty()) row = recorded_at(m, found[i].point);
    list.push_back(one_json(m, found[i], modes.back(), row));
    print_one(m, i + 1, found[i], modes.back(), row, out);
  }
  out.facts()["model"] = m.name;
  out.facts()["equilibria"] = list;
  if (!a.csv.empty()) {
    write_table(a.csv, m, found, modes);
    out.facts()["csv"] = a.csv;
  }
  return 0;
}

}  // namespace

void add_equilibrium(Program& program) {
  auto a = std::make_shared<EquilibriumArguments>();
  Command command = program.parser.add_command(
      "equilibrium", "Finds equilibria, and says whether they are stable");
  add_model_options(command, a->model);
  add_point_options(command, a->point, false);
  command.add_option("--starts", a->starts, "Also start from N random configurations")
      .type_name("N");
  command.add_option("--csv", a->csv, "Table of the equilibria found").type_name("FILE");
  add_output_options(command, program.out);
  command.footer(
      "Examples:\n  sarrus equilibrium crane.toml\n  sarrus equilibrium pendulum.toml --starts 50 "
      "--csv found.csv\n"
      "  sarrus equilibrium governor.toml --rotate 'shaft=120 rpm'");
  command.action([&program, a] { return run_equilibrium(*a, program.out); });
}

}  // namespace sarrus::app
