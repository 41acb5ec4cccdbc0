// sarrus reduce: linear systems M, K, D under constraints C, given as matrices.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands/commands.hpp"
#include "options.hpp"
#include "reports/reduce_report.hpp"
#include "sarrus/core/expression.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/files/mesh/matrix_market.hpp"
#include "sarrus/linear/linear_files.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus::app {
namespace {

// of loads from straight lines between steps, in the mean and against their size
constexpr double straight = 1e-14, bend_wanted = 1e-8, bend_allowed = 1e-5;
constexpr double most_work = 1e10;  // products of a history

struct ReduceArguments {
  std::string mass, stiffness, damping, constraints, force, right_side, initial;
  std::string coordinate_names, constraint_names;
  std::string route = "auto", tolerance, scale_columns, rayleigh, ratios;
  std::string keep, keep_matrix, transform, outputs, frequencies;
  std::string start = "0", until, step;
  std::vector<std::string> loads, harmonic, harmonic_right_side;
  int modes = 0;
  bool keep_marginal = false, second_opinion = false, raw_rows = false, scale_rows = false;
  bool count = false, project = false, reactions = false, replace = false, hertz = false;
  std::string out = "reduced";
};

std::vector<std::string> words(const std::string& list, char separator) {
  std::vector<std::string> found;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(separator, at), list.size());
    if (end > at) found.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

std::vector<double> numbers(const char* flag, const std::string& list, char separator = ',') {
  std::vector<double> found;
  for (const std::string& word : words(list, separator)) found.push_back(number(flag, word));
  return found;
}

/// What the command reads before it computes.
struct Input {
  LinearSystem system;
  std::vector<std::string> coordinates, constraints;  // every name, given or made
};

int index_of(const char* flag, const std::string& name, const std::vector<std::string>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    throw usage_error("unknown-name", flag, fmt::format("nothing is called '{}'", name),
                      did_you_mean(name, names));
  return static_cast<int>(at - names.begin());
}

void add_rayleigh(LinearSystem& s, const std::string& text) {
  const std::vector<double> c = numbers("--rayleigh", text);
  if (c.size() != 2)
    throw usage_error("bad-value", "--rayleigh", fmt::format("'{}' is not A,B", text),
                      "D = A M + B K");
  std::vector<Entry> entries;
  const auto add = [&](const SparseMatrix& A, double factor) {
    for (int j = 0; j < A.cols; ++j)
      for (int k = A.start[j]; k < A.start[j + 1]; ++k)
        entries.push_back({A.index[k], j, factor * A.value[k]});
  };
  if (!s.D.empty()) add(s.D, 1);
  add(s.M, c[0]), add(s.K, c[1]);
  s.D = to_sparse(s.size(), s.size(), entries);
}

Input read_input(const ReduceArguments& a, Output& out) {
  Input in;
  LinearSystem& s = in.system;
  std::vector<Diagnostic> notes;
  const auto read = [&](const std::string& path, SparseMatrix& to, std::string& file) {
    if (path.empty()) return;
    to = read_matrix_market(path, &notes);
    file = path;
  };
  read(a.stiffness, s.K, s.K_file);
  read(a.mass, s.M, s.M_file);
  read(a.damping, s.D, s.D_file);
  read(a.constraints, s.C, s.C_file);
  if (!a.coordinate_names.empty()) s.coordinates = read_names(a.coordinate_names);
  if (!a.constraint_names.empty()) s.constraints = read_names(a.constraint_names);
  out.notes(notes);
  check(s);
  if (!a.rayleigh.empty()) add_rayleigh(s, a.rayleigh);
  for (int i = 0; i < s.size(); ++i) in.coordinates.push_back(s.coordinate(i));
  for (int i = 0; i < s.C.rows; ++i) in.constraints.push_back(s.constraint(i));
  return in;
}

std::vector<double> column_scales(const ReduceArguments& a, const LinearSystem& s) {
  if (a.scale_columns.empty()) return {};
  std::vector<double> scale(s.size(), 0.0);
  if (a.scale_columns == "mass") {
    for (int j = 0; j < s.size(); ++j)
      for (int k = s.M.start[j]; k < s.M.start[j + 1]; ++k)
        if (s.M.index[k] == j && s.M.value[k] > 0) scale[j] = 1 / std::sqrt(s.M.value[k]);
  } else {
    const SparseMatrix v = read_matrix_market(a.scale_columns);
    if (v.rows != s.size() || v.cols != 1)
      throw usage_error(
          "bad-value", "--scale-columns",
          fmt::format("{} is {} × {}; expected {} × 1", a.scale_columns, v.rows, v.cols, s.size()));
    for (size_t k = 0; k < v.value.size(); ++k) scale[v.index[k]] = v.value[k];
  }
  for (size_t i = 0; i < scale.size(); ++i)
    if (!(scale[i] > 0))
      throw usage_error("bad-value", "--scale-columns",
                        fmt::format("the scale of {} is {}, not positive",
                                    s.coordinate(static_cast<int>(i)), scale[i]));
  return scale;
}

/// The right-hand side d: constant from .mtx, a function of time from .csv.
struct RightSide {
  std::vector<double> at_start, rate_at_start;
  NamedColumns columns;
};

RightSide read_right_side(const ReduceArguments& a, const Input& in,
                          const std::optional<TimeGrid>& grid) {
  RightSide d;
  if (a.right_side.empty()) return d;
  d.at_start.assign(in.constraints.size(), 0.0), d.rate_at_start = d.at_start;
  if (a.right_side.ends_with(".mtx")) {
    const SparseMatrix v = read_matrix_market(a.right_side);
    if (v.rows != in.system.C.rows || v.cols != 1)
      throw Error(
          Fault::model,
          Diagnostic{.code = "wrong-shape",
                     .where = {a.right_side, 0, 0},
                     .element = "right-side",
                     .message = fmt::format("{} × {}; expected {} × 1, one number per constraint",
                                            v.rows, v.cols, in.system.C.rows)});
    d.columns.file = a.right_side;
    d.columns.time = {0};
    for (size_t k = 0; k < v.value.size(); ++k) {
      d.at_start[v.index[k]] = v.value[k];
      d.columns.where.push_back(v.index[k]);
      d.columns.column.push_back({v.value[k]});
    }
    return d;
  }
  if (in.constraints.empty())
    throw usage_error("usage", "--right-side", "there are no constraints", "give --constraints");
  d.columns = read_named_columns(a.right_side, in.constraints, true);
  const TimeGrid start{grid ? grid->start : d.columns.time.front(), 1, 0};
  const Loads there = sampled(d.columns, start, Interpolation::cubic);
  for (size_t k = 0; k < d.columns.where.size(); ++k) {
    d.at_start[d.columns.where[k]] = there.value(0, static_cast<int>(k));
    d.rate_at_start[d.columns.where[k]] = there.rate(0, static_cast<int>(k));
  }
  return d;
}

ReductionOptions reduction_options(const ReduceArguments& a, const Input& in, const RightSide& d) {
  ReductionOptions o;
  const auto route = route_of(a.route);
  if (!route)
    throw usage_error("unknown-route", "--route", fmt::format("there is no route '{}'", a.route),
                      did_you_mean(a.route, {"auto", "jacobi", "svd", "qr", "sparse"}));
  o.null_space.route = *route;
  if (!a.tolerance.empty()) {
    const double tolerance = number("--tolerance", a.tolerance);
    if (!(tolerance > 0 && tolerance < 1))
      throw usage_error("bad-value", "--tolerance",
                        fmt::format("{} lies outside 0 … 1", a.tolerance));
    o.null_space.rank.data_tolerance = tolerance;
  }
  o.null_space.rank.keep_marginal = a.keep_marginal;
  o.null_space.second_opinion = a.second_opinion;
  // the route of Walton and Steeves takes C as it is
  o.null_space.scale_rows = a.raw_rows ? false : a.scale_rows || *route != Route::jacobi;
  o.null_space.column_scale = column_scales(a, in.system);
  if (!a.keep.empty()) {
    std::vector<Entry> entries;
    for (const std::string& name : words(a.keep, ',')) {
      entries.push_back(
          {static_cast<int>(o.chosen_names.size()), index_of("--keep", name, in.coordinates), 1});
      o.chosen_names.push_back(name);
    }
    o.chosen = to_sparse(static_cast<int>(entries.size()), in.system.size(), entries);
  }
  if (!a.keep_matrix.empty()) {
    o.chosen = read_matrix_market(a.keep_matrix);
    if (o.chosen.cols != in.system.size())
      throw Error(Fault::model,
                  Diagnostic{.code = "wrong-shape",
                             .where = {a.keep_matrix, 0, 0},
                             .element = "keep",
                             .message = fmt::format("{} columns; expected {}", o.chosen.cols,
                                                    in.system.size())});
    o.chosen_names.clear();
    for (int i = 0; i < o.chosen.rows; ++i) o.chosen_names.push_back(fmt::format("x{}", i + 1));
  }
  if (!a.transform.empty()) o.H = read_matrix_market(a.transform);
  o.right_side = d.at_start;
  return o;
}

std::optional<TimeGrid> time_grid(const ReduceArguments& a) {
  if (a.until.empty()) {
    if (!a.step.empty()) throw usage_error("usage", "--step", "there is no --until");
    return std::nullopt;
  }
  TimeGrid grid;
  grid.start = number("--start", a.start);
  const double until = number("--until", a.until), span = until - grid.start;
  grid.step = a.step.empty() ? span / 1000 : number("--step", a.step);
  if (!(span > 0))
    throw usage_error("bad-value", "--until",
                      fmt::format("{} s is not after the start at {} s", until, grid.start));
  if (!(grid.step > 0 && grid.step <= span))
    throw usage_error("bad-value", "--step",
                      fmt::format("{} s lies outside 0 … {} s", grid.step, span));
  const double steps = std::round(span / grid.step);
  if (steps > 1e7)
    throw usage_error("bad-value", "--step",
                      fmt::format("{:.3g} steps; at most 10⁷ rows are written", steps));
  grid.steps = static_cast<int>(steps);
  return grid;
}

/// "NAME=VALUE" or "NAME=FORMULA".
std::pair<std::string, std::string> assignment(const char* flag, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw usage_error("bad-value", flag, fmt::format("'{}' is not of the form NAME=VALUE", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void add_formula(const std::string& text, const Input& in, const TimeGrid& grid, Loads& Z) {
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

Loads loads(const ReduceArguments& a, const Input& in, const TimeGrid& grid) {
  Loads Z;
  if (!a.force.empty())
    Z = sampled(read_named_columns(a.force, in.coordinates, true), grid, Interpolation::linear);
  for (const std::string& text : a.loads) add_formula(text, in, grid, Z);
  return Z;
}

/// Every row of d(t) must be consistent, not only the first.
void check_right_side(const Input& in, const Reduction& r, const Loads& d) {
  std::vector<double> at(in.constraints.size(), 0.0);
  for (int i = 0; i < d.value.rows; ++i) {
    for (size_t j = 0; j < d.where.size(); ++j) at[d.where[j]] = d.value(i, static_cast<int>(j));
    const auto wrong = contradictions(in.system, r.basis.rows, at);
    if (!wrong.empty()) throw Error(Fault::physics, wrong);
  }
}

struct Start {
  std::vector<double> q, qdot;
};

Start initial_state(const ReduceArguments& a, const Input& in, const Reduction& r,
                    const RightSide& d, Output& out) {
  Start start;
  const auto P = static_cast<size_t>(in.system.size());
  std::vector<double> z(P, 0.0), zdot(P, 0.0);
  if (a.initial.empty()) return start;
  const NamedColumns c = read_named_columns(a.initial, in.coordinates, false);
  if (c.column[0].size() > 2)
    throw Error(Fault::model,
                Diagnostic{.code = "wrong-shape",
                           .where = {a.initial, 0, 0},
                           .element = "initial",
                           .message = fmt::format(
                               "{} rows of numbers; expected one or two: positions, velocities",
                               c.column[0].size())});
  for (size_t j = 0; j < c.where.size(); ++j) {
    z[c.where[j]] = c.column[j][0];
    if (c.column[j].size() > 1) zdot[c.where[j]] = c.column[j][1];
  }
  const auto settle = [&](std::vector<double>& given, std::span<const double> rhs,
                          const char* what) {
    const Violation v = violation(in.system, given, rhs);
    const double limit = 1e-9 * divisor(max_abs(given)) * std::max(max_abs(in.system.C.value), 1.0);
    if (max_abs(rhs) > 0) {  // C z = d, and of the velocities C ż = ḋ
      const std::vector<double> particular = particular_solution(in.system, r, rhs);
      for (size_t i = 0; i < P; ++i) given[i] -= particular[i];
    }
    if (v.size <= limit) return coordinates_of(r, given);
    if (!a.project)
      throw Error(Fault::physics,
                  Diagnostic{.code = "start-off-constraints",
                             .where = {a.initial, 0, 0},
                             .element = "initial",
                             .message = fmt::format(
                                 "the {} violate {} by {:.6g}; at most {:.3g} counts as rounding",
                                 what, in.system.constraint(v.row), v.size, limit),
                             .hint = "--project moves them to the nearest ones that satisfy it",
                             .value = fmt::format("{}", v.size),
                             .limit = fmt::format("{}", limit)});
    std::vector<double> q = projected_coordinates(in.system, r, given);
    std::vector<double> there = multiply(r.T, q);
    double change = 0;
    for (size_t i = 0; i < P; ++i) change = std::max(change, std::fabs(there[i] - given[i]));
    out.note({.severity = Severity::note,
              .code = "projected",
              .where = {a.initial, 0, 0},
              .element = "initial",
              .message = fmt::format("the {} were moved by at most {:.6g} onto the constraints",
                                     what, change)});
    return q;
  };
  start.q = settle(z, d.at_start, "positions");
  // without a row of velocities, those of the supports
  if (c.column[0].size() > 1) start.qdot = settle(zdot, d.rate_at_start, "velocities");
  return start;
}

/// Loads and supports at every step of a history.
struct Driven {
  TimeGrid grid;
  Loads Z, support;
};

Driven driven(const ReduceArguments& a, const Input& in, const RightSide& d, const TimeGrid& grid) {
  const TimeGrid fine = grid.fine();
  return {grid, loads(a, in, fine),
          d.columns.time.empty() ? Loads{} : sampled(d.columns, fine, Interpolation::cubic)};
}

/// So many steps between rows that straight lines between them follow formulas, tables and splines.
Driven followed(const ReduceArguments& a, const Input& in, const RightSide& d, TimeGrid grid,
                int modes, Output& out) {
  // a step costs a few products for each mode, or a matrix where damping couples them
  const double work = a.damping.empty() ? 50.0 * modes : 8.0 * modes * modes;
  const double most_steps = std::min(4e6, most_work / std::max(work, 1.0));
  grid.within = 2;  // bends are seen from the middle of each way
  Driven found = driven(a, in, d, grid);
  const auto bend = [&] {
    return std::max(bend_between(found.Z), bend_between(found.support)) / 4;
  };
  if (bend() <= straight) {
    grid.within = 1;
    return driven(a, in, d, grid);
  }
  while (bend() > bend_wanted && 2.0 * grid.within * grid.steps <= most_steps) {
    grid.within *= 2;
    found = driven(a, in, d, grid);
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

std::vector<int> chosen_outputs(const ReduceArguments& a, const Input& in) {
  std::vector<int> found;
  if (!a.outputs.empty()) {
    for (const std::string& name : words(a.outputs, ','))
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

std::vector<double> frequency_range(const ReduceArguments& a) {
  const std::vector<double> f = numbers("--frequencies", a.frequencies, ':');
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

/// One load case by --harmonic, or a unit force at each coordinate that Z loads.
void respond(const ReduceArguments& a, const Input& in, const Reduction& r,
             const LinearModes& modes, const ResponseOptions& o, OutputFolder& folder,
             Output& out) {
  const std::vector<double> omega = frequency_range(a);
  const std::vector<int> outputs = chosen_outputs(a, in);
  const std::vector<double> Z = amplitudes("--harmonic", a.harmonic, in.coordinates),
                            d = amplitudes("--harmonic-right-side", a.harmonic_right_side,
                                           in.constraints);
  if (!d.empty()) {
    const auto wrong = contradictions(in.system, r.basis.rows, d);
    if (!wrong.empty()) throw Error(Fault::physics, wrong);
  }
  std::vector<std::pair<std::string, std::vector<double>>> cases;
  if (!Z.empty() || !d.empty()) {
    cases.push_back({"frequency_response.csv", Z});
  } else if (!a.force.empty() || !a.loads.empty()) {
    std::vector<int> loaded;
    if (!a.force.empty()) loaded = read_named_columns(a.force, in.coordinates, true).where;
    for (const std::string& text : a.loads)
      loaded.push_back(index_of("--load", assignment("--load", text).first, in.coordinates));
    for (const int i : loaded) {
      std::vector<double> unit(in.coordinates.size(), 0.0);
      unit[i] = 1;
      cases.push_back({fmt::format("frequency_response_{}.csv", in.coordinates[i]), unit});
    }
  } else {
    throw usage_error(
        "no-load", "--frequencies", "no harmonic force is given",
        "--harmonic NAME=AMPLITUDE, --harmonic-right-side ROW=AMPLITUDE, or forces by --force");
  }
  for (auto& [file, force] : cases) {
    for (char& c : file)
      if (c == '/') c = '_';
    const FrequencyResponse f =
        frequency_response(in.system, r, modes, omega, force, d, outputs, o);
    out.notes(f.notes);
    write_response(folder, file, in.system, f);
  }
}

int run_reduce(const ReduceArguments& a, Output& out) {
  const Input in = read_input(a, out);
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
  ResponseOptions response;
  if (!a.ratios.empty()) response.ratios = numbers("--damping-ratio", a.ratios);
  response.reactions = a.reactions;
  if (r.freedoms() > 0) {
    const Start start = initial_state(a, in, r, d, out);
    if (grid) {
      const Driven by = followed(a, in, d, *grid, modes.size(), out);
      check_right_side(in, r, by.support);
      const TimeHistory h = time_history(in.system, r, modes, by.grid, by.Z, by.support, start.q,
                                         start.qdot, chosen_outputs(a, in), response);
      out.notes(h.notes);
      write_history(folder, in.system, r, h);
      report_history(in.system, h, out);
    }
    if (!a.frequencies.empty()) respond(a, in, r, modes, response, folder, out);
  }
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
