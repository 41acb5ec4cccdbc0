#include "sarrus/run/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/formulations/discrete/discrete.hpp"

namespace sarrus {
namespace {

constexpr double rounding = 1e-13;  // of a column's size: below it no order can be seen

Error refuse(const std::string& message, const std::string& hint) {
  return {
      Fault::usage,
      Diagnostic{
          .code = "no-convergence-study", .element = "--halve", .message = message, .hint = hint}};
}

/// The first step: what is given, or what the discrete formulation chooses.
double first_step(const Mechanism& m, const SimulateSpec& s) {
  if (s.formulation == "discrete") return Discrete(m, s).step();
  if (!s.step || is_adaptive(s.integrator))
    throw refuse(fmt::format("{} chooses its own steps", s.integrator),
                 "use formulation = \"discrete\" or a method with a fixed step");
  return *s.step;
}

/// Positions of joints, and whatever sensors show.
bool is_compared(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::coordinate:
    case ColumnKind::position:
    case ColumnKind::point_velocity:
    case ColumnKind::point_acceleration:
    case ColumnKind::orientation:
    case ColumnKind::angular_velocity:
    case ColumnKind::angular_acceleration:
    case ColumnKind::accelerometer:
    case ColumnKind::formula:
    case ColumnKind::state: return true;
    default: return false;
  }
}

/// Largest difference of two runs in a column. The first row is the start and no result.
double apart(const Trajectory& a, const Trajectory& b, size_t column) {
  double most = 0;
  for (int r = 1; r < std::min(a.rows(), b.rows()); ++r)
    most = std::max(most, std::fabs(a.row(r)[column] - b.row(r)[column]));
  return most;
}

ColumnConvergence judge(const std::vector<Trajectory>& runs, size_t column) {
  ColumnConvergence c;
  c.column = runs[0].columns[column];
  for (int r = 0; r < runs.back().rows(); ++r)
    c.size = std::max(c.size, std::fabs(runs.back().row(r)[column]));
  const size_t n = runs.size();
  const double last = apart(runs[n - 2], runs[n - 1], column),
               before = apart(runs[n - 3], runs[n - 2], column);
  const bool seen = last > rounding * c.size && before > 0;
  c.order = seen ? std::log2(before / last) : std::numeric_limits<double>::quiet_NaN();
  // where no order is seen, second order is the formulation's own
  const double p = seen && c.order > 0.3 ? c.order : 2;
  c.error = last / (std::exp2(p) - 1);
  c.coarsest = apart(runs[0], runs[n - 1], column) + c.error;
  return c;
}

}  // namespace

Convergence converge(const Mechanism& m, const SimulateSpec& settings, int halvings) {
  if (halvings < 2)
    throw refuse(fmt::format("{} halvings show no order", halvings), "at least 2, for example 3");
  if (halvings > 20) throw refuse(fmt::format("{} halvings are too many", halvings), "at most 20");
  Convergence result;
  std::vector<Trajectory> runs;
  SimulateSpec s = settings;
  s.output_step = settings.spacing();
  const double h = first_step(m, settings);
  for (int k = 0; k <= halvings; ++k) {
    s.step = h / std::exp2(k);
    Run run = simulate(m, s);
    if (run.summary.failure) throw Error(Fault::numerics, *run.summary.failure);
    result.steps.push_back(*s.step);
    result.wall.push_back(run.summary.wall);
    runs.push_back(std::move(run.trajectory));
  }
  for (size_t c = 1; c < runs[0].columns.size(); ++c)
    if (is_compared(runs[0].columns[c].kind)) result.columns.push_back(judge(runs, c));
  return result;
}

}  // namespace sarrus
