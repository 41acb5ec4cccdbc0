#include "sarrus/verify/jumps.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/motion/breakpoints.hpp"

namespace sarrus {
namespace {

constexpr double before_start = 1e-9;  // of a run: from where the start itself is seen
constexpr double row_time = 1e-9;      // of a run: as near as times of rows are
constexpr size_t most_jumps = 20000;

}  // namespace

std::vector<double> jump_times(const Mechanism& m, double start, double until) {
  Breakpoints breakpoints(m);
  std::vector<double> found;
  if (breakpoints.empty()) return found;
  double t = start - before_start * (until - start);
  while (t < until && found.size() < most_jumps) {
    const Breakpoint next = breakpoints.next(t, until, m.numbers.parameters);
    if (!next.exists()) break;
    // zero is known to all its digits: a breakpoint there has no width, and is not told as a jump
    const bool is_start = next.before - t <= 2 * (start - t) && found.empty();
    if (next.restarts || next.moves || is_start) found.push_back(is_start ? start : next.after);
    t = std::max(next.after, std::nextafter(t, until));
  }
  return found;
}

bool is_at_jump(const std::vector<double>& jumps, double t, double within) {
  const auto next = std::lower_bound(jumps.begin(), jumps.end(), t - within);
  return next != jumps.end() && *next <= t + within;
}

void leave_out_jumps(Trajectory& rows, const std::vector<double>& jumps) {
  if (jumps.empty() || rows.rows() < 2) return;
  const size_t width = rows.columns.size();
  const double near = row_time * (rows.row(rows.rows() - 1)[0] - rows.row(0)[0]);
  std::vector<double> kept;
  for (int r = 0; r < rows.rows(); ++r)
    if (r == 0 || !is_at_jump(jumps, rows.row(r)[0], near))
      kept.insert(kept.end(), rows.row(r).begin(), rows.row(r).end());
  if (kept.size() > width) rows.values = std::move(kept);
}

}  // namespace sarrus
