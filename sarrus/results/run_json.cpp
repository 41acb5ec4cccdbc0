#include "sarrus/results/run_json.hpp"

#include "sarrus/core/json.hpp"
#include "sarrus/model/settings.hpp"

namespace sarrus {

Json settings_json(const SimulateSpec& s) {
  Json json = Json::object();
  for (const Setting& setting : settings()) {
    if (!setting.shapes_rows || !setting.is_used(s)) continue;
    std::visit(
        [&](const auto& x) {
          using T = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<T, std::string>) {
            if (!x.empty()) json[std::string(setting.name)] = x;
          } else if constexpr (!std::is_same_v<T, std::monostate>) {
            json[std::string(setting.name)] = x;
          }
        },
        setting.value(s));
  }
  json["atol"] = s.atol.value_or(s.rtol);
  json["momenta"] = records_momenta(s);
  return json;
}

Json summary_json(const Mechanism& mechanism, const SimulateSpec& settings, const RunSummary& s,
                  size_t columns) {
  Json events = Json::array();
  for (const LocatedEvent& e : s.events) events.push_back({{"name", e.name}, {"t", e.t}});
  Json conserved = Json::array();
  for (const Drift& d : s.conserved)
    conserved.push_back({{"name", d.name},
                         {"unit", d.unit},
                         {"start", d.start},
                         {"drift", d.largest},
                         {"size", d.size}});
  return {{"status", to_text(s.status)},
          {"model", mechanism.name},
          {"formulation", settings.formulation},
          {"integrator", settings.integrator},
          {"t", s.t},
          {"steps", s.steps},
          {"rejected", s.rejected},
          {"evaluations", s.evaluations},
          {"smallest_step", s.smallest_step},
          {"largest_step", s.largest_step},
          {"rows", s.rows},
          {"columns", columns},
          {"energy",
           {{"start", s.energy_start},
            {"kinetic", s.kinetic},
            {"potential", s.potential},
            {"dissipated", s.dissipated},
            {"drive", s.drive},
            {"external", s.external},
            {"closure", s.closure},
            {"exchanged", s.energy_scale}}},
          {"conserved", conserved},
          {"constraint", s.constraint},
          {"events", events}};
}

ResultStatus result_status(RunStatus status) {
  switch (status) {
    case RunStatus::done:
    case RunStatus::stopped: return ResultStatus::done;
    case RunStatus::interrupted: return ResultStatus::interrupted;
    case RunStatus::budget: return ResultStatus::budget;
    case RunStatus::failed: return ResultStatus::diverged;
  }
  return ResultStatus::unfinished;
}

}  // namespace sarrus
