#include "commands/reduce_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "options.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/files/mesh/matrix_market.hpp"

namespace sarrus::app {
namespace {

std::vector<std::string> split_at(const std::string& list, char separator) {
  std::vector<std::string> found;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(separator, at), list.size());
    if (end > at) found.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

void add_rayleigh(LinearSystem& s, const std::string& text) {
  const std::vector<double> c = numbers_in("--rayleigh", text);
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

}  // namespace

std::vector<std::string> names_in(const std::string& list) { return split_at(list, ','); }

std::vector<double> numbers_in(const char* flag, const std::string& list, char separator) {
  std::vector<double> found;
  for (const std::string& word : split_at(list, separator)) found.push_back(number(flag, word));
  return found;
}

std::pair<std::string, std::string> assignment(const char* flag, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw usage_error("bad-value", flag, fmt::format("'{}' is not of the form NAME=VALUE", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

int index_of(const char* flag, const std::string& name, const std::vector<std::string>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    throw usage_error("unknown-name", flag, fmt::format("nothing is called '{}'", name),
                      did_you_mean(name, names));
  return static_cast<int>(at - names.begin());
}

ReduceInput read_input(const ReduceArguments& a, Output& out) {
  ReduceInput in;
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

RightSide read_right_side(const ReduceArguments& a, const ReduceInput& in,
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

ReductionOptions reduction_options(const ReduceArguments& a, const ReduceInput& in,
                                   const RightSide& d) {
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
    for (const std::string& name : names_in(a.keep)) {
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

}  // namespace sarrus::app
