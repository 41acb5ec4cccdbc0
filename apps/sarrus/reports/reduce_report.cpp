#include "reports/reduce_report.hpp"
#include "sarrus/core/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus::app {
namespace {

constexpr int values_around = 4;  // on each side of the gap
constexpr size_t most_reported = 20;

Json decision_json(const RankDecision& d) {
  Json around = Json::array();
  const int n = static_cast<int>(d.sigma.size());
  for (int i = std::max(0, d.rank - values_around); i < std::min(n, d.rank + values_around); ++i)
    around.push_back(d.sigma[i]);
  return {{"rank", d.rank},
          {"status", to_text(d.status)},
          {"tolerance", d.tolerance},
          {"rounding", d.rounding},
          {"last_kept", d.kept},
          {"first_dropped", d.dropped},
          {"gap_decades", d.gap_decades},
          {"condition", d.condition},
          {"around_the_gap", around}};
}

std::string around_the_gap(const RankDecision& d) {
  const int n = static_cast<int>(d.sigma.size());
  std::string text;
  for (int i = std::max(0, d.rank - values_around); i < d.rank; ++i)
    text += fmt::format("{:.6g} ", d.sigma[i]);
  text += "|";
  for (int i = d.rank; i < std::min(n, d.rank + values_around); ++i)
    text += fmt::format(" {:.3g}", d.sigma[i]);
  if (d.rank == n) text += " (none below)";
  return text;
}

Json redundant_json(const LinearSystem& s, const Redundancy& rows) {
  Json list = Json::array();
  for (const Dependency& d : rows.redundant) {
    Json of = Json::object();
    for (const auto& [row, co] : d.of) of[s.constraint(row)] = co;
    list.push_back({{"row", s.constraint(d.row)}, {"of", of}});
  }
  for (const int i : rows.empty) list.push_back({{"row", s.constraint(i)}, {"of", Json::object()}});
  return list;
}

}  // namespace

void report_rank(const LinearSystem& s, const Reduction& r, Output& out) {
  const RankDecision& d = r.basis.decision;
  const Redundancy& rows = r.basis.rows;
  out.facts()["coordinates"] = s.size();
  out.facts()["constraints"] = s.C.rows;
  out.facts()["freedoms"] = r.freedoms();
  out.facts()["route"] = to_text(r.basis.route);
  out.facts()["route_because"] = r.basis.why;
  out.facts()["rank"] = decision_json(d);
  if (r.basis.second) out.facts()["second_opinion"] = decision_json(*r.basis.second);
  out.facts()["redundant"] = redundant_json(s, rows);
  out.facts()["residual"] = r.basis.residual;
  out.facts()["independent"] = r.freedoms() <= 1000 ? Json(r.coordinates) : Json(nullptr);

  out.line(fmt::format("{} coordinates, {} constraints: {}", s.size(), s.C.rows,
                       out.styled(fmt::format("{} freedoms", r.freedoms()), Style::strong)));
  if (s.C.rows > 0) {
    out.line(fmt::format("  route         {} ({})", to_text(r.basis.route), r.basis.why));
    out.line(fmt::format("  rank          {}, {}: {}", d.rank, to_text(d.status), r.basis.values));
    out.line(fmt::format("  at the gap    {}", around_the_gap(d)));
    out.line(
        fmt::format("  tolerance     {:.2g} of the largest, gap {:.1f} decades, condition {:.3g}",
                    d.tolerance, d.gap_decades, d.condition));
    if (r.basis.second)
      out.line(fmt::format("  second look   rank {}, {} with 32 digits: {}", r.basis.second->rank,
                           to_text(r.basis.second->status), around_the_gap(*r.basis.second)));
    else if (!r.basis.no_second.empty())
      out.line("  second look   none: " + r.basis.no_second);
    out.line(fmt::format("  C T           {:.1e} of C and T", r.basis.residual));
  }
  const size_t redundant = rows.redundant.size() + rows.empty.size();
  if (redundant > 0) out.line(fmt::format("  redundant     {}", redundant));
  for (size_t i = 0; i < std::min(rows.redundant.size(), most_reported); ++i)
    out.line("    " + in_words(s, rows.redundant[i]));
  for (size_t i = 0; i < std::min(rows.empty.size(), most_reported); ++i)
    out.line("    " + s.constraint(rows.empty[i]) + " has no entry");
  if (redundant > 2 * most_reported) out.line("    … all of them in constraints.csv");
  if (r.choice_condition > 1)
    out.line(fmt::format("  chosen        {} (condition {:.3g})", fmt::join(r.coordinates, ", "),
                         r.choice_condition));
  if (r.freedoms() == 0)
    out.line("  no degree of freedom is left: nothing can move, there are no modes");
}

void report_modes(const LinearSystem&, const Reduction& r, const LinearModes& m, Output& out) {
  Json list = Json::array();
  for (int i = 0; i < m.size(); ++i)
    list.push_back({{"omega_squared", m.lambda[i]},
                    {"omega", m.omega(i)},
                    {"frequency", m.omega(i) / (2 * M_PI)}});
  out.facts()["modes"] = list;
  out.facts()["rigid_modes"] = m.rigid;
  Json damped = Json::array();
  for (const ComplexMode& c : m.damped)
    damped.push_back({{"real", c.re}, {"imaginary", c.im}, {"omega", c.omega}, {"ratio", c.ratio}});
  if (!m.damped.empty()) out.facts()["damped_modes"] = damped;
  if (m.lanczos) {
    out.facts()["lanczos"] = {{"shift", m.lanczos->shift},
                              {"solves", m.lanczos->solves},
                              {"restarts", m.lanczos->restarts},
                              {"residual", m.lanczos->residual},
                              {"factor_entries", m.lanczos->factor_entries},
                              {"factor_operations", m.lanczos->factor_operations},
                              {"ordering", m.lanczos->ordering},
                              {"counted", m.lanczos->counted}};
  }
  if (r.freedoms() == 0) return;
  out.line();
  out.line(fmt::format("{} of {} modes, by {}", m.size(), r.freedoms(), m.method));
  if (m.lanczos && m.lanczos->counted >= 0)
    out.line(fmt::format("  counted       {} below {:.9g} rad/s, by the signs of the pivots",
                         m.lanczos->counted, std::sqrt(std::max(0.0, m.lanczos->counted_at))));
  const bool damping = !m.damped.empty();
  out.line(fmt::format("  {:>5} {:>18} {:>18}", "mode", "ω [rad/s]", "frequency [Hz]"));
  for (size_t i = 0; i < std::min(static_cast<size_t>(m.size()), most_reported); ++i) {
    const double x = m.lambda[i];
    out.line(fmt::format("  {:>5} {:>17.12g} {:>18.12g}{}", i + 1, m.omega(static_cast<int>(i)),
                         m.omega(static_cast<int>(i)) / (2 * M_PI),
                         x == 0  ? "  rigid"
                         : x < 0 ? "  unstable: ω² < 0"
                                 : ""));
  }
  if (static_cast<size_t>(m.size()) > most_reported) out.line("  … all of them in frequencies.csv");
  if (!damping) return;
  out.line(fmt::format("  {:>5} {:>18} {:>18} {:>12}", "damped", "|λ| [rad/s]", "frequency [Hz]",
                       "ratio ζ"));
  for (size_t i = 0; i < std::min(m.damped.size(), most_reported); ++i)
    out.line(fmt::format("  {:>5} {:>17.12g} {:>18.12g} {:>12.6g}", i + 1, m.damped[i].omega,
                         m.damped[i].im / (2 * M_PI), m.damped[i].ratio));
}

void report_history(const LinearSystem& s, const TimeHistory& h, Output& out) {
  double most = 0;
  int where = -1, when = 0;
  for (int j = 0; j < h.z.cols; ++j)
    for (int i = 0; i < h.z.rows; ++i)
      if (std::fabs(h.z(i, j)) > most) most = std::fabs(h.z(i, j)), where = j, when = i;
  out.line();
  out.line(fmt::format("history of {} rows from {:g} s to {:g} s", h.z.rows, h.grid.start,
                       h.grid.at(h.grid.steps)));
  if (where >= 0) {
    const std::string name = s.coordinate(h.outputs[where]);
    out.line(fmt::format("  largest       {} = {:.9g} at {:g} s", name, h.z(when, where),
                         h.grid.at(when)));
    out.facts()["largest"] = {
        {"coordinate", name}, {"value", h.z(when, where)}, {"time", h.grid.at(when)}};
  }
}

void report_files(const OutputFolder& folder, Output& out) {
  out.facts()["folder"] = folder.path();
  out.facts()["files"] = folder.files();
  out.line();
  out.line(fmt::format("files in {}: {}", folder.path(), fmt::join(folder.files(), ", ")));
}

}  // namespace sarrus::app
