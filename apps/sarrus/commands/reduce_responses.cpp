#include "commands/reduce_responses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "options.hpp"
#include "reports/reduce_report.hpp"
#include "sarrus/core/expression.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus::app {
namespace {

// mean deviation of loads from straight lines between steps, relative to their size
constexpr double straight = 1e-14, bend_wanted = 1e-8, bend_allowed = 1e-5;
constexpr double most_work = 1e10;  // products of a history

void add_formula(const std::string& text, const ReduceInput& in, const TimeGrid& grid, Loads& Z) {
  const auto [name, formula] = assignment("--load", text);
  Expression::Parsed parsed = Expression::parse(formula);
  if (!parsed.problem.empty())
    throw usage_error("bad-expression", "--load",
                      fmt::format("{}: {} (column {})", formula, parsed.problem, parsed.column),
                      parsed.hint);
  const std::string unknown =
      parsed.expression.bind([](const std::string& word) { return word == "t" ? 0 : -1; },
                             [](const std::string&) { return nullptr; });
  if (!unknown.empty())
    throw usage_error("bad-expression", "--load",
                      fmt::format("{}: '{}' is not known here; only t is", formula, unknown));
  const int where = index_of("--load", name, in.coordinates), rows = grid.steps + 1;
  Matrix wider(rows, Z.value.cols + 1);
  std::copy(Z.value.values.begin(), Z.value.values.end(), wider.values.begin());
  for (int i = 0; i < rows; ++i) {
    const double t = grid.at(i), value = parsed.expression.evaluate<double>(std::span(&t, 1));
    if (!std::isfinite(value))
      throw Error(Fault::numerics, Diagnostic{.code = "not-finite",
                                              .element = "--load",
                                              .message = fmt::format("\"{}\" gives {} at t = {} s",
                                                                     formula, value, t)});
    wider(i, Z.value.cols) = value;
  }
  Z.value = std::move(wider);
  Z.where.push_back(where);
}

Loads loads(const ReduceArguments& a, const ReduceInput& in, const TimeGrid& grid) {
  Loads Z;
  if (!a.force.empty())
    Z = sampled(read_named_columns(a.force, in.coordinates, true), grid, Interpolation::linear);
  for (const std::string& text : a.loads) add_formula(text, in, grid, Z);
  return Z;
}

/// Every row of d(t) must be consistent, not only the first.
void check_right_side(const ReducedSystem& of, const Loads& d) {
  std::vector<double> at(of.input.constraints.size(), 0.0);
  for (int i = 0; i < d.value.rows; ++i) {
    for (size_t j = 0; j < d.where.size(); ++j) at[d.where[j]] = d.value(i, static_cast<int>(j));
    const auto wrong = contradictions(of.input.system, of.reduction.basis.rows, at);
    if (!wrong.empty()) throw Error(Fault::physics, wrong);
  }
}

struct Start {
  std::vector<double> q, qdot;
};

/// Independent coordinates of given positions or velocities, C given = rhs.
std::vector<double> settled(const ReducedSystem& of, std::vector<double> given,
                            std::span<const double> rhs, const char* what, Output& out) {
  const LinearSystem& s = of.input.system;
  const Reduction& r = of.reduction;
  const std::string& file = of.arguments.initial;
  const Violation v = violation(s, given, rhs);
  const double limit = 1e-9 * divisor(max_abs(given)) * std::max(max_abs(s.C.value), 1.0);
  if (max_abs(rhs) > 0) {  // C z = d, and of the velocities C ż = ḋ
    const std::vector<double> particular = particular_solution(s, r, rhs);
    for (size_t i = 0; i < given.size(); ++i) given[i] -= particular[i];
  }
  if (v.size <= limit) return coordinates_of(r, given);
  if (!of.arguments.project)
    throw Error(Fault::physics,
                Diagnostic{.code = "start-off-constraints",
                           .where = {file, 0, 0},
                           .element = "initial",
                           .message = fmt::format(
                               "the {} violate {} by {:.6g}; at most {:.3g} counts as rounding",
                               what, s.constraint(v.row), v.size, limit),
                           .hint = "--project moves them to the nearest ones that satisfy it",
                           .value = fmt::format("{}", v.size),
                           .limit = fmt::format("{}", limit)});
  std::vector<double> q = projected_coordinates(s, r, given);
  const std::vector<double> there = multiply(r.T, q);
  double change = 0;
  for (size_t i = 0; i < given.size(); ++i)
    change = std::max(change, std::fabs(there[i] - given[i]));
  out.note({.severity = Severity::note,
            .code = "projected",
            .where = {file, 0, 0},
            .element = "initial",
            .message = fmt::format("the {} were moved by at most {:.6g} onto the constraints", what,
                                   change)});
  return q;
}

Start initial_state(const ReducedSystem& of, Output& out) {
  Start start;
  const std::string& file = of.arguments.initial;
  if (file.empty()) return start;
  const auto P = static_cast<size_t>(of.input.system.size());
  std::vector<double> z(P, 0.0), zdot(P, 0.0);
  const NamedColumns c = read_named_columns(file, of.input.coordinates, false);
  if (c.column[0].size() > 2)
    throw Error(Fault::model,
                Diagnostic{.code = "wrong-shape",
                           .where = {file, 0, 0},
                           .element = "initial",
                           .message = fmt::format(
                               "{} rows of numbers; expected one or two: positions, velocities",
                               c.column[0].size())});
  for (size_t j = 0; j < c.where.size(); ++j) {
    z[c.where[j]] = c.column[j][0];
    if (c.column[j].size() > 1) zdot[c.where[j]] = c.column[j][1];
  }
  start.q = settled(of, z, of.right_side.at_start, "positions", out);
  // without a row of velocities, those of the supports
  if (c.column[0].size() > 1)
    start.qdot = settled(of, zdot, of.right_side.rate_at_start, "velocities", out);
  return start;
}

/// Loads and supports at every step of a history.
struct Driven {
  TimeGrid grid;
  Loads Z, support;
};

Driven driven(const ReducedSystem& of, const TimeGrid& grid) {
  const TimeGrid fine = grid.fine();
  const NamedColumns& d = of.right_side.columns;
  return {grid, loads(of.arguments, of.input, fine),
          d.time.empty() ? Loads{} : sampled(d, fine, Interpolation::cubic)};
}

/// Enough steps between rows that straight lines between them follow formulas and tables.
Driven followed(const ReducedSystem& of, TimeGrid grid, Output& out) {
  // a step costs a few products for each mode, or a matrix where damping couples them
  const int n = of.modes.size();
  const double work = of.arguments.damping.empty() ? 50.0 * n : 8.0 * n * n;
  const double most_steps = std::min(4e6, most_work / std::max(work, 1.0));
  grid.within = 2;  // bends are seen from the middle of each way
  Driven found = driven(of, grid);
  const auto bend = [&] {
    return std::max(bend_between(found.Z), bend_between(found.support)) / 4;
  };
  if (bend() <= straight) {
    grid.within = 1;
    return driven(of, grid);
  }
  while (bend() > bend_wanted && 2.0 * grid.within * grid.steps <= most_steps) {
    grid.within *= 2;
    found = driven(of, grid);
  }
  if (bend() > bend_allowed)
    out.note(
        {.severity = Severity::warning,
         .code = "coarse-loads",
         .element = "--step",
         .message = fmt::format(
             "between steps of {:.3g} s, {} for each row, loads differ from straight "
             "lines by {:.1e} of their size on average, which limits the accuracy of the history",
             grid.fine().step, grid.within, bend()),
         .hint = "give a smaller --step, or fewer --modes",
         .value = fmt::format("{}", bend()),
         .limit = fmt::format("{}", bend_allowed)});
  return found;
}

std::vector<int> chosen_outputs(const ReduceArguments& a, const ReduceInput& in) {
  std::vector<int> found;
  if (!a.outputs.empty()) {
    for (const std::string& name : names_in(a.outputs))
      found.push_back(index_of("--output", name, in.coordinates));
    return found;
  }
  if (in.system.size() > 1000)
    throw usage_error("no-output", "--output",
                      fmt::format("{} coordinates are too many for a table", in.system.size()),
                      "name those to be written: --output z1,z2");
  for (int i = 0; i < in.system.size(); ++i) found.push_back(i);
  return found;
}

void follow(const ReducedSystem& of, const Start& start, const TimeGrid& grid,
            const ResponseOptions& o, OutputFolder& folder, Output& out) {
  const LinearSystem& system = of.input.system;
  const Driven by = followed(of, grid, out);
  check_right_side(of, by.support);
  const TimeHistory h =
      time_history(system, of.reduction, of.modes, by.grid, by.Z, by.support, start.q, start.qdot,
                   chosen_outputs(of.arguments, of.input), o);
  out.notes(h.notes);
  write_history(folder, system, of.reduction, h);
  report_history(system, h, out);
}

std::vector<double> frequency_range(const ReduceArguments& a) {
  const std::vector<double> f = numbers_in("--frequencies", a.frequencies, ':');
  if (f.size() != 3 || !(f[0] >= 0) || !(f[1] >= f[0]) || !(f[2] >= 1) || f[2] > 1e6 ||
      f[2] != std::floor(f[2]))
    throw usage_error("bad-value", "--frequencies",
                      fmt::format("'{}' is not FROM:TO:COUNT", a.frequencies),
                      "for example 0.1:10:200, in rad/s, or in Hz with --hertz");
  std::vector<double> omega;
  for (int i = 0; i < static_cast<int>(f[2]); ++i)
    omega.push_back((f[0] + (f[2] > 1 ? (f[1] - f[0]) * i / (f[2] - 1) : 0)) *
                    (a.hertz ? 2 * M_PI : 1));
  return omega;
}

std::vector<double> amplitudes(const char* flag, const std::vector<std::string>& given,
                               const std::vector<std::string>& names) {
  std::vector<double> found;
  if (given.empty()) return found;
  found.assign(names.size(), 0.0);
  for (const std::string& text : given) {
    const auto [name, value] = assignment(flag, text);
    found[index_of(flag, name, names)] = number(flag, value);
  }
  return found;
}

struct LoadCase {
  std::string file;
  std::vector<double> force;  // amplitude at each coordinate
};

/// One load case by --harmonic, or a unit force at each coordinate that Z loads.
std::vector<LoadCase> load_cases(const ReduceArguments& a, const ReduceInput& in,
                                 bool supports_move) {
  const std::vector<double> Z = amplitudes("--harmonic", a.harmonic, in.coordinates);
  if (!Z.empty() || supports_move) return {{"frequency_response.csv", Z}};
  if (a.force.empty() && a.loads.empty())
    throw usage_error(
        "no-load", "--frequencies", "no harmonic force is given",
        "--harmonic NAME=AMPLITUDE, --harmonic-right-side ROW=AMPLITUDE, or forces by --force");
  std::vector<int> loaded;
  if (!a.force.empty()) loaded = read_named_columns(a.force, in.coordinates, true).where;
  for (const std::string& text : a.loads)
    loaded.push_back(index_of("--load", assignment("--load", text).first, in.coordinates));
  std::vector<LoadCase> cases;
  for (const int i : loaded) {
    LoadCase one{fmt::format("frequency_response_{}.csv", in.coordinates[i]),
                 std::vector<double>(in.coordinates.size(), 0.0)};
    std::replace(one.file.begin(), one.file.end(), '/', '_');
    one.force[i] = 1;
    cases.push_back(std::move(one));
  }
  return cases;
}

void respond(const ReducedSystem& of, const ResponseOptions& o, OutputFolder& folder, Output& out) {
  const ReduceArguments& a = of.arguments;
  const ReduceInput& in = of.input;
  const std::vector<double> omega = frequency_range(a);
  const std::vector<int> outputs = chosen_outputs(a, in);
  const std::vector<double> d =
      amplitudes("--harmonic-right-side", a.harmonic_right_side, in.constraints);
  if (!d.empty()) {
    const auto wrong = contradictions(in.system, of.reduction.basis.rows, d);
    if (!wrong.empty()) throw Error(Fault::physics, wrong);
  }
  for (auto& [file, force] : load_cases(a, in, !d.empty())) {
    const FrequencyResponse f =
        frequency_response(in.system, of.reduction, of.modes, omega, force, d, outputs, o);
    out.notes(f.notes);
    write_response(folder, file, in.system, f);
  }
}

}  // namespace

void write_responses(const ReducedSystem& of, const std::optional<TimeGrid>& grid,
                     OutputFolder& folder, Output& out) {
  const ReduceArguments& a = of.arguments;
  ResponseOptions options;
  if (!a.ratios.empty()) options.ratios = numbers_in("--damping-ratio", a.ratios);
  options.reactions = a.reactions;
  if (of.reduction.freedoms() == 0) return;
  const Start start = initial_state(of, out);
  if (grid) follow(of, start, *grid, options, folder, out);
  if (!a.frequencies.empty()) respond(of, options, folder, out);
}

}  // namespace sarrus::app
