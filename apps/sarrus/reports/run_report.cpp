#include "reports/run_report.hpp"
#include "sarrus/core/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sarrus::app {
namespace {

constexpr size_t event_times_shown = 5;
constexpr size_t conserved_shown = 8;

/// 1234567 as 1,234,567.
std::string grouped(std::int64_t n) {
  std::string text = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<size_t>(at), ",");
  return text;
}

std::string duration(double seconds) {
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  return fmt::format("{:.4g} min", seconds / 60);
}

/// 1e-9, without a zero before the nine.
std::string short_number(double x) {
  std::string text = fmt::format("{}", x);
  const size_t zero = text.find("e-0");
  return zero == std::string::npos ? text : text.erase(zero + 2, 1);
}

std::string method(const RunReport& r) {
  const SimulateSpec& s = r.settings;
  if (s.formulation == "discrete")
    return fmt::format("discrete, {} and {} with steps of {} s", s.scheme,
                       s.scheme == "paper" ? "paper" : s.rotation,
                       fmt::format("{:.6g}", r.summary.largest_step));
  std::string text = s.formulation;
  if (!s.energy_matrix.empty()) text += ", energy matrix " + s.energy_matrix;
  if (!s.energy_gradient.empty()) text += ", energy gradient " + s.energy_gradient;
  text += ", " + s.integrator;
  if (!r.adaptive)
    return text + fmt::format(" with steps of {} s", short_number(s.step.value_or(0)));
  return text + " with rtol " + short_number(s.rtol);
}

void print_time(const RunReport& r, Output& out) {
  const RunSummary& s = r.summary;
  const char* how = s.status == RunStatus::done      ? ""
                    : s.status == RunStatus::stopped ? ", stopped by an event"
                                                     : ", not finished";
  std::string line = fmt::format("  {:<11}{:g} → {:.10g} s in {}{}", "time", r.settings.start, s.t,
                                 duration(s.wall), how);
  out.line(line);
  for (const Diagnostic& d : s.notes)
    if (d.code == "integrator-chosen") out.line(fmt::format("  {:<11}{}", "method", d.message));
  if (s.steps > 0) {
    out.line(fmt::format("  {:<11}{}, {} rejected, from {:.2e} to {:.2e} s", "steps",
                         grouped(s.steps), grouped(s.rejected), s.smallest_step, s.largest_step));
    out.line(
        fmt::format("  {:<11}{} of the equations of motion", "evaluated", grouped(s.evaluations)));
  }
  out.line(fmt::format("  {:<11}{} of {} columns", "rows", grouped(s.rows), r.columns));
  if (s.pace.deadlines > 0) {
    out.line(fmt::format("  {:<11}{} of {} rows late; lateness p50 {}, p99 {}, largest {}",
                         "real time", grouped(s.pace.misses), grouped(s.pace.deadlines),
                         duration(s.pace.p50), duration(s.pace.p99), duration(s.pace.worst)));
    if (s.pace.skipped > 0)
      out.line(fmt::format("  {:<11}{} rows left out, to catch up", "", grouped(s.pace.skipped)));
  }
}

/// Energies one under the other, with about nine digits of the largest.
std::vector<std::string> aligned(const std::vector<double>& energies) {
  double largest = 0;
  for (const double x : energies) largest = std::max(largest, std::fabs(x));
  const int size = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) : 0;
  const bool plain = size > -4 && size < 9;
  std::vector<std::string> texts;
  for (const double x : energies) {
    std::string text = plain ? fmt::format("{:.{}f}", x, 8 - size) : fmt::format("{:.8e}", x);
    if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

void print_energy(const RunSummary& s, Output& out) {
  const std::vector<std::string> numbers =
      aligned({s.kinetic, s.potential, s.kinetic + s.potential, s.energy_start, s.dissipated,
               s.drive, s.external});
  const char* names[] = {"kinetic",    "potential", "total",   "at start",
                         "dissipated", "drives",    "external"};
  const char* more[] = {
      "", "", "", "", "", "  work done by drives", "  work done by external forces"};
  out.line();
  for (size_t i = 0; i < numbers.size(); ++i)
    out.line(fmt::format("  {:<11}{:>18} J{}", names[i], numbers[i], more[i]));
  const std::string share = s.energy_scale > 0 ? fmt::format(", {:.1e} of the energy exchanged",
                                                             s.closure / s.energy_scale)
                                               : "";
  out.line(fmt::format("  {:<11}{:>18.1e} J  largest gap in this account{}", "ledger", s.closure,
                       share));
}

/// What stays constant in an exact motion, and how far it has moved.
void print_conserved(const RunSummary& s, Output& out) {
  for (size_t i = 0; i < s.conserved.size() && i < conserved_shown; ++i) {
    const Drift& d = s.conserved[i];
    const std::string share = d.size > 0 ? fmt::format(", {:.1e} of it", d.largest / d.size) : "";
    out.line(fmt::format("  {:<11}{:>18.1e} {}  largest drift of {}{}", i == 0 ? "conserved" : "",
                         d.largest, d.unit, d.name, share));
  }
  if (s.conserved.size() > conserved_shown)
    out.line(fmt::format("  {:<11}and {} more, in the summary of the results", "",
                         s.conserved.size() - conserved_shown));
}

void print_events(const RunSummary& s, Output& out) {
  std::map<std::string, std::vector<double>> times;
  for (const LocatedEvent& e : s.events) times[e.name].push_back(e.t);
  for (const auto& [name, at] : times) {
    std::string text;
    for (size_t i = 0; i < std::min(at.size(), event_times_shown); ++i)
      text += fmt::format("{}{:.9g}", i ? ", " : "", at[i]);
    const bool more = at.size() > event_times_shown;
    out.line(fmt::format("  {:<11}{} at {} s{}", "event", name, text,
                         more ? fmt::format(", … {} times in all", at.size()) : ""));
  }
}

}  // namespace

Json summary_json(const RunReport& r) {
  return sarrus::summary_json(r.mechanism, r.settings, r.summary, r.columns);
}

Json pace_json(const Pace& p) {
  return {{"deadlines", p.deadlines},
          {"misses", p.misses},
          {"skipped", p.skipped},
          {"p50", p.p50},
          {"p99", p.p99},
          {"worst", p.worst}};
}

void print_convergence(const Convergence& c, Output& out) {
  for (size_t i = 0; i < c.steps.size(); ++i)
    out.line(fmt::format("  {:<11}{:.6g} s in {}", i == 0 ? "steps" : "", c.steps[i],
                         duration(c.wall[i])));
  out.line();
  size_t width = 6;
  for (const ColumnConvergence& x : c.columns) width = std::max(width, x.column.header().size());
  out.line(fmt::format("  {:<{}}  {:>6}  {:>12}  {:>12}  {:>10}", "column", width, "order",
                       "first error", "last error", "largest"));
  for (const ColumnConvergence& x : c.columns)
    out.line(fmt::format("  {:<{}}  {:>6}  {:>12.2e}  {:>12.2e}  {:>10.3g}", x.column.header(),
                         width, std::isfinite(x.order) ? fmt::format("{:.2f}", x.order) : "–",
                         x.coarsest, x.error, x.size));
}

Json convergence_json(const Convergence& c) {
  Json columns = Json::array();
  for (const ColumnConvergence& x : c.columns) {
    Json order = std::isfinite(x.order) ? Json(x.order) : Json();
    columns.push_back({{"column", x.column.name},
                       {"unit", x.column.unit},
                       {"order", order},
                       {"first_error", x.coarsest},
                       {"last_error", x.error},
                       {"largest", x.size}});
  }
  return {{"steps", c.steps}, {"columns", columns}};
}

void print_summary(const RunReport& r, Output& out) {
  out.line(fmt::format("{} — {}", out.styled(r.mechanism.name, Style::strong), method(r)));
  if (r.mechanism.nu == 0) out.line("  nothing to integrate: nothing is free to move");
  print_time(r, out);
  if (r.summary.status != RunStatus::failed) {
    print_energy(r.summary, out);
    print_conserved(r.summary, out);
  }
  if (r.mechanism.has_loops())
    out.line(fmt::format("  {:<11}{:.2e} m, largest gap in a closed loop", "loops",
                         r.summary.constraint));
  print_events(r.summary, out);
}

}  // namespace sarrus::app
