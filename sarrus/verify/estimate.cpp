#include "sarrus/verify/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/discrete/discrete.hpp"
#include "sarrus/numerics/tolerance.hpp"
#include "sarrus/run/kept_rows.hpp"
#include "sarrus/run/run_start.hpp"

namespace sarrus {
namespace {

constexpr double looser = 100;      // times the tolerance
constexpr double falls = 1.0 / 40;  // of an error, when the tolerance is so much smaller
constexpr double loosest = 1e-3;    // relative tolerance
constexpr double even = 1e-6;       // of the spacing of rows

/// The coarser run: its settings, in words, and r of (1).
struct Coarser {
  SimulateSpec settings;
  std::string how;
  double r = 0;
};

Coarser coarser_than(const Mechanism& m, const SimulateSpec& s) {
  Coarser c{s, "", 0.25};
  const bool discrete = s.formulation == "discrete";
  if (!discrete && is_adaptive(s.integrator)) {
    c.settings.rtol = std::min(loosest, looser * s.rtol);
    if (s.atol) c.settings.atol = *s.atol * c.settings.rtol / s.rtol;
    if (s.max_step) c.settings.max_step = 2 * *s.max_step;  // it may be what decides
    c.r = falls;
    c.how = fmt::format("by a second run at rtol {:.3g}", c.settings.rtol);
    return c;
  }
  const double h = s.step ? *s.step : discrete ? Discrete(m, s).step() : 0;
  c.settings.step = 2 * h;
  if (!discrete) c.r = std::exp2(-make_integrator(s.integrator, integrator_options(s))->order());
  c.how = fmt::format("by a second run with steps of {:.3g} s", 2 * h);
  return c;
}

Trajectory run_coarse(const Mechanism& m, const SimulateSpec& s, const Trajectory& rows,
                      double budget) {
  SimulateOptions o;
  o.start = rows.row(0)[0], o.until = rows.row(rows.rows() - 1)[0];
  o.output_step = (o.until - o.start) / (rows.rows() - 1);
  o.reactions = s.reactions, o.momenta = records_momenta(s), o.accelerations = s.accelerations;
  o.max_wall = budget;
  KeptRows sink;
  const auto motion = make_motion(m, s);
  simulate(*motion, run_start(m, o.start), o, sink);
  return std::move(sink.rows);
}

DigitsEstimate none(std::string why) {
  DigitsEstimate e;
  e.why_not = std::move(why);
  return e;
}

}  // namespace

Trajectory even_rows(const Trajectory& rows, int most) {
  int n = std::min(rows.rows(), 1);
  const double step = rows.rows() > 1 ? rows.row(1)[0] - rows.row(0)[0] : 0;
  while (n < rows.rows() && std::fabs(rows.row(n)[0] - rows.row(0)[0] - n * step) <= even * step)
    ++n;
  int stride = std::max(1, (n + most - 1) / most);
  for (int k = stride; k <= 4 * stride; ++k)  // one that meets the last row
    if ((n - 1) % k == 0) {
      stride = k;
      break;
    }
  Trajectory out;
  out.columns = rows.columns;
  for (int r = 0; r < n; r += stride)
    out.values.insert(out.values.end(), rows.row(r).begin(), rows.row(r).end());
  return out;
}

DigitsEstimate estimate_digits(const Mechanism& m, const SimulateSpec& settings,
                               const Trajectory& rows, double budget) try {
  if (m.nu == 0) return none("nothing can move");
  if (rows.rows() < 2) return none("there are fewer than two rows at even times");
  const Coarser coarse = coarser_than(m, settings);
  const Trajectory other = run_coarse(m, coarse.settings, rows, budget);
  const double duration = rows.row(rows.rows() - 1)[0] - rows.row(0)[0];
  const std::vector<ComparedQuantity> quantities = quantities_of(rows, scales_of(m, duration));
  const Differences d(quantities, rows, other);
  if (d.rows() < 2) return none("the second run made no progress in its time");

  DigitsEstimate e;
  double largest = 0;
  for (size_t q = 0; q < quantities.size(); ++q)
    if (const double x = d.largest(q); !(x <= largest)) largest = x, e.worst = quantities[q].name;
  e.digits = digits_of(std::max(ulps(1), largest * coarse.r / (1 - coarse.r)));  // (1)
  e.at_most = !(largest < first_digit);
  e.until = rows.row(d.rows() - 1)[0];
  e.how = coarse.how;
  return e;
} catch (const Error& error) {
  return none(error.diagnostics().front().message);
}

}  // namespace sarrus
