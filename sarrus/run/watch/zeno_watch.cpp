#include "sarrus/run/watch/zeno_watch.hpp"

#include <fmt/format.h>

namespace sarrus {
namespace {

constexpr int many = 100, too_many = 10000;

}  // namespace

std::optional<Diagnostic> ZenoWatch::look(const Mechanism& m, const std::vector<int>& events,
                                          double t) {
  for (const int e : events) {
    if (count_[e] == 0 || t - since_[e] > short_) since_[e] = t, count_[e] = 0;
    ++count_[e];
    const bool fails = count_[e] >= too_many;
    if (!fails && (warned_ || count_[e] < many)) continue;
    warned_ = true;
    const Event& event = m.events[e];
    return Diagnostic{
        .severity = fails ? Severity::error : Severity::warning,
        .code = "chattering",
        .where = m.formula_sources[event.formula].where,
        .element = "event/" + event.name,
        .message = fmt::format("it acts {} times between t = {:.9g} s and {:.9g} s{}", count_[e],
                               since_[e], t, fails ? ": the run does not go on" : ""),
        .hint = "give the event a hysteresis, or let it act on samples (`every`)"};
  }
  return std::nullopt;
}

}  // namespace sarrus
