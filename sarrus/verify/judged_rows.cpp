#include "sarrus/verify/judged_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sarrus/verify/jumps.hpp"

namespace sarrus {
namespace {

/// The most accurate of the contenders that another one confirms.
const Attempt* most_trusted(const Comparison& c) {
  const Attempt* found = nullptr;
  for (const Attempt& a : c.attempts())
    if (c.best_witness(a) && (!found || a.worst_error() < found->worst_error())) found = &a;
  return found;
}

/// The values of `run` in the order of `like`, and which quantities it shows.
std::vector<char> take_columns(const Comparison& comparison, const Trajectory& run,
                               Trajectory& like) {
  const size_t width = like.columns.size();
  std::vector<char> has(width, 0), shows;
  like.values.resize(std::min(like.values.size(), width * static_cast<size_t>(run.rows())));
  for (size_t c = 0; c < width; ++c) {
    const int from = run.column(like.columns[c].name);
    has[c] = from >= 0;
    for (int r = 0; r < like.rows() && from >= 0; ++r)
      like.values[static_cast<size_t>(r) * width + c] = run.row(r)[static_cast<size_t>(from)];
  }
  for (const ComparedQuantity& q : comparison.quantities())
    shows.push_back(std::all_of(q.columns.begin(), q.columns.end(), [&](int c) { return has[c]; }));
  return shows;
}

}  // namespace

void judge_rows(const Comparison& c, const Trajectory& run, double wanted, Verification& out) {
  const Attempt* best = most_trusted(c);
  if (!best) return;
  Trajectory own = best->rows(), judged = run;
  leave_out_jumps(judged, c.plan().jumps);
  const std::vector<char> shows = take_columns(c, judged, own);
  const Differences d(c.quantities(), own, best->rows());
  JudgedRows rows{16, "", d.rows()};
  for (size_t q = 0; q < c.quantities().size(); ++q)
    for (Agreement& g : out.quantities) {
      if (!shows[q] || g.name != c.quantities()[q].name || g.unit != c.quantities()[q].unit)
        continue;
      g.rows_digits = std::min(g.digits, digits_of(d.largest(q)));
      if (g.rows_digits < rows.digits) rows.digits = g.rows_digits, rows.worst = g.name;
    }
  const int digits = static_cast<int>(rows.digits);
  out.sentence = fmt::format("the rows have {} digit{}{}; the formulations: {}", digits,
                             digits == 1 ? "" : "s",
                             rows.worst.empty() ? "" : ", least in " + rows.worst, out.sentence);
  if (out.verdict == Verdict::agrees && rows.digits < wanted) out.verdict = Verdict::disagrees;
  out.rows = std::move(rows);
}

}  // namespace sarrus
