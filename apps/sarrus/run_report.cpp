#include "run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sarrus::app {
namespace {

constexpr size_t event_times_shown = 5;

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

std::string method(const SimulateSpec& s, const RunSummary&) {
  std::string text = fmt::format("{}, {}", s.formulation, s.integrator);
  if (s.step) return text + fmt::format(" with steps of {:g} s", *s.step);
  return text + fmt::format(" with rtol {:g}", s.rtol);
}

void print_time(const RunReport& r, Output& out) {
  const RunSummary& s = r.summary;
  const char* how = s.status == RunStatus::done      ? ""
                    : s.status == RunStatus::stopped ? ", stopped by an event"
                                                     : ", not finished";
  std::string line = fmt::format("  {:<11}{:g} → {:.10g} s in {}{}", "time", r.settings.start, s.t,
                                 duration(s.wall), how);
  out.line(line);
  if (s.steps > 0) {
    out.line(fmt::format("  {:<11}{}, {} rejected, from {:.2e} to {:.2e} s", "steps",
                         grouped(s.steps), grouped(s.rejected), s.smallest_step, s.largest_step));
    out.line(
        fmt::format("  {:<11}{} of the equations of motion", "evaluated", grouped(s.evaluations)));
  }
  out.line(fmt::format("  {:<11}{} of {} columns", "rows", grouped(s.rows), r.columns));
}

void print_energy(const RunSummary& s, Output& out) {
  const auto entry = [&](const char* name, double value, const char* more = "") {
    out.line(fmt::format("  {:<11}{:>18.9g} J{}", name, value == 0 ? 0.0 : value, more));
  };
  const double end = s.kinetic + s.potential;
  out.line();
  entry("kinetic", s.kinetic);
  entry("potential", s.potential);
  entry("total", end);
  entry("at start", s.energy_start);
  entry("dissipated", s.dissipated);
  entry("drives", s.drive, "  work done by drives");
  entry("outside", s.external, "  work done by outer forces");
  const std::string share = s.energy_scale > 0 ? fmt::format(", {:.1e} of the energy exchanged",
                                                             s.closure / s.energy_scale)
                                               : "";
  out.line(fmt::format("  {:<11}{:>18.1e} J{}", "ledger", s.closure,
                       "  largest gap in this account" + share));
}

void print_events(const RunSummary& s, Output& out) {
  std::map<std::string, std::vector<double>> times;
  for (const LocatedEvent& e : s.events) times[e.name].push_back(e.t);
  for (const auto& [name, at] : times) {
    std::string text;
    for (size_t i = 0; i < std::min(at.size(), event_times_shown); ++i)
      text += fmt::format("{}{:.9g}", i ? ", " : "", at[i]);
    if (at.size() > event_times_shown) text += fmt::format(", … {} in all", at.size());
    out.line(fmt::format("  {:<11}{} at {} s", "event", name, text));
  }
}

}  // namespace

Json settings_json(const SimulateSpec& s) {
  Json json = {{"until", s.until}, {"start", s.start}};
  if (s.output_step) json["output_step"] = *s.output_step;
  json["formulation"] = s.formulation;
  json["integrator"] = s.integrator;
  if (s.step) json["step"] = *s.step;
  json["rtol"] = s.rtol;
  json["atol"] = s.atol.value_or(s.rtol);
  if (s.max_step) json["max_step"] = *s.max_step;
  json["reactions"] = s.reactions;
  return json;
}

Json summary_json(const RunReport& r) {
  const RunSummary& s = r.summary;
  Json events = Json::array();
  for (const LocatedEvent& e : s.events) events.push_back({{"name", e.name}, {"t", e.t}});
  return {{"status", to_text(s.status)},
          {"model", r.mechanism.name},
          {"formulation", r.settings.formulation},
          {"integrator", r.settings.integrator},
          {"t", s.t},
          {"steps", s.steps},
          {"rejected", s.rejected},
          {"evaluations", s.evaluations},
          {"smallest_step", s.smallest_step},
          {"largest_step", s.largest_step},
          {"rows", s.rows},
          {"columns", r.columns},
          {"energy",
           {{"start", s.energy_start},
            {"kinetic", s.kinetic},
            {"potential", s.potential},
            {"dissipated", s.dissipated},
            {"drive", s.drive},
            {"external", s.external},
            {"closure", s.closure},
            {"exchanged", s.energy_scale}}},
          {"constraint", s.constraint},
          {"events", events}};
}

void print_summary(const RunReport& r, Output& out) {
  out.line(fmt::format("{} — {}", out.styled(r.mechanism.name, Style::strong),
                       method(r.settings, r.summary)));
  if (r.mechanism.nu == 0) out.line("  nothing to integrate: nothing is free to move");
  print_time(r, out);
  print_energy(r.summary, out);
  if (r.mechanism.has_loops())
    out.line(fmt::format("  {:<11}{:.2e} m, largest gap in a closed loop", "loops",
                         r.summary.constraint));
  print_events(r.summary, out);
}

}  // namespace sarrus::app
