#include "sarrus/files/import/import_report.hpp"

#include <fmt/format.h>

#include "sarrus/files/text/document.hpp"

namespace sarrus {
namespace {

void add_remark(std::vector<ImportRemark>& into, std::string_view what, std::string_view why,
                Effect effect, const Place& where) {
  for (ImportRemark& r : into)
    if (r.what == what && r.why == why && r.effect == effect) {
      ++r.count;
      return;
    }
  into.push_back({std::string(what), std::string(why), effect, where, 1});
}

std::string place_text(const Place& p) {
  return p.line > 0 ? fmt::format("{}:{}", shown(p.file, 300), p.line) : shown(p.file, 300);
}

std::string remark_line(const ImportRemark& r) {
  return fmt::format("{}{}: {}; {} ({})", r.what, r.count > 1 ? fmt::format(" × {}", r.count) : "",
                     r.why, to_text(r.effect), place_text(r.first));
}

}  // namespace

const char* to_text(Effect effect) {
  switch (effect) {
    case Effect::none: return "the motion does not depend on it";
    case Effect::decided: return "decided by the import";
    case Effect::changes: return "the motion differs";
    case Effect::unknown: return "the motion may differ";
  }
  return "";
}

void ImportReport::count(std::string_view what, int n) {
  for (auto& [name, number] : read)
    if (name == what) {
      number += n;
      return;
    }
  read.emplace_back(what, n);
}

void ImportReport::approximate(std::string_view what, std::string_view why, const Place& where,
                               Effect effect) {
  add_remark(approximated, what, why, effect, where);
}

void ImportReport::leave_out(std::string_view what, std::string_view why, Effect effect,
                             const Place& where) {
  add_remark(left_out, what, why, effect, where);
}

std::vector<Diagnostic> ImportReport::notes() const {
  std::vector<Diagnostic> found;
  int harmless = 0;
  const auto say = [&](const ImportRemark& r, const char* code) {
    if (r.effect == Effect::none || r.effect == Effect::decided) {
      ++harmless;
      return;
    }
    found.push_back({.severity = Severity::warning,
                     .code = code,
                     .where = r.first,
                     .element = r.what,
                     .message = fmt::format("{}{}; {}", r.why,
                                            r.count > 1 ? fmt::format(", {} times", r.count) : "",
                                            to_text(r.effect))});
  };
  for (const ImportRemark& r : approximated) say(r, "approximated");
  for (const ImportRemark& r : left_out) say(r, "left-out");
  if (harmless > 0)
    found.push_back(
        {.severity = Severity::note,
         .code = "left-out",
         .message = fmt::format(
             "{} further remarks on the {} file, on which the motion does not depend or which "
             "were decisions",
             harmless, format),
         .hint = "sarrus import lists them"});
  return found;
}

std::vector<std::string> ImportReport::lines() const {
  std::vector<std::string> all;
  std::string counts;
  for (const auto& [what, n] : read)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", what, n);
  all.push_back(fmt::format("read: {}", counts));
  for (const ImportRemark& r : approximated) all.push_back("approximated: " + remark_line(r));
  for (const ImportRemark& r : left_out) all.push_back("left out: " + remark_line(r));
  return all;
}

}  // namespace sarrus
