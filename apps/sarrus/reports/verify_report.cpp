#include "reports/verify_report.hpp"
#include "sarrus/core/json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace sarrus::app {
namespace {

constexpr size_t most_quantities = 40;  // shown; --json has them all

int whole(double digits) { return static_cast<int>(std::floor(digits)); }

Style style_of(Verdict v) {
  return v == Verdict::agrees ? Style::good : v == Verdict::disagrees ? Style::bad : Style::warning;
}

/// Width of a text as a terminal shows it: bytes that continue a character take no place.
size_t width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}
std::string padded(const std::string& text, size_t to) {
  return text + std::string(to > width(text) ? to - width(text) : 0, ' ');
}

void print_contenders(const Verification& v, Output& out) {
  size_t name = 12, setting = 16;
  for (const ContenderReport& c : v.contenders) {
    name = std::max(name, width(c.name));
    setting = std::max(setting, width(c.setting));
  }
  for (const ContenderReport& c : v.contenders) {
    if (!c.lacks.empty()) {
      out.line(fmt::format("  {}  {}", padded(c.name, name),
                           out.styled("not run: " + c.lacks, Style::faint)));
      continue;
    }
    std::string order = std::isfinite(c.order) ? fmt::format(", order {:.1f}", c.order) : "";
    const std::string agrees =
        c.with.empty() ? "" : fmt::format("{:2} digits with {}, ", whole(c.digits), c.with);
    out.line(fmt::format("  {}  {:8} {} {}own error {:.0e} in {}{}{}", padded(c.name, name),
                         c.method, padded(c.setting, setting), agrees, c.error, c.worst, order,
                         c.limit.empty() ? "" : "; no finer run: " + c.limit));
  }
}

void print_quantities(const Verification& v, Output& out) {
  if (v.quantities.empty() || v.contenders.empty()) return;
  size_t name = 8;
  for (const Agreement& g : v.quantities) name = std::max(name, width(g.name));
  out.line();
  const bool resolved = v.discretisation && v.discretisation->lacks.empty();
  out.line(out.styled(
      fmt::format("  {}  {:>9} {:7}  digits  {}{}largest difference", padded("quantity", name),
                  "size", "", v.rows ? "rows  " : "", resolved ? "resolved  " : ""),
      Style::strong));
  std::vector<const Agreement*> shown;
  for (const Agreement& g : v.quantities) shown.push_back(&g);
  if (shown.size() > most_quantities)
    std::stable_sort(shown.begin(), shown.end(),
                     [](const Agreement* a, const Agreement* b) { return a->digits < b->digits; });
  for (size_t i = 0; i < std::min(shown.size(), most_quantities); ++i) {
    const Agreement& g = *shown[i];
    const std::string from =
        std::isfinite(g.from) ? fmt::format(", beyond their errors from {:.4g} s", g.from) : "";
    const auto digits = [](double x) {
      return std::isfinite(x) ? fmt::format("{}", whole(x)) : std::string("–");
    };
    const std::string rows = v.rows ? fmt::format("{:>4}  ", digits(g.rows_digits)) : "";
    const std::string functions = resolved ? fmt::format("{:>8}  ", digits(g.resolved_digits)) : "";
    out.line(fmt::format("  {}  {:9.3g} {:7}  {:6}  {}{}{:.1e} {}{}", padded(g.name, name), g.size,
                         g.unit == "1" ? "" : g.unit, whole(g.digits), rows, functions, g.largest,
                         g.between, from));
  }
  if (shown.size() > most_quantities)
    out.line(fmt::format("  … and {} more that agree better", shown.size() - most_quantities));
}

/// What was doubled, and by how much that changed what.
void print_discretisation(const Verification& v, Output& out) {
  if (!v.discretisation) return;
  const Discretisation& d = *v.discretisation;
  out.line();
  if (!d.changes.empty())
    out.line(fmt::format("  resolved twice as finely ({}), {} with {}, {}",
                         fmt::join(d.changes, "; "), d.formulation, d.method, d.setting));
  if (!d.lacks.empty())
    out.line("  " + out.styled("not known: " + d.lacks, Style::faint));
  else if (!d.worst.empty())
    out.line(fmt::format("  {} changes by {:.1e} of its size, and nothing by more", d.worst,
                         d.relative));
}

void print_audits(const Verification& v, Output& out) {
  if (v.audits.empty()) return;
  out.line();
  const auto failed =
      std::count_if(v.audits.begin(), v.audits.end(), [](const Audit& a) { return !a.passed; });
  out.line(fmt::format("  {} audits{}", v.audits.size(), failed == 0 ? ", all passed" : ":"));
  for (const Audit& a : v.audits) {
    if (a.passed) continue;
    out.line(fmt::format(
        "  {} {} ({}): {:.1e}, limit {:.0e}{}",
        out.styled(a.informs ? "note" : "FAILED", a.informs ? Style::warning : Style::bad), a.name,
        a.subject, a.value, a.limit, a.detail.empty() ? "" : "; " + a.detail));
  }
}

}  // namespace

void print_verification(const std::string& model, const Verification& v, Output& out) {
  out.line(out.styled(model, Style::strong) + fmt::format(", {:g} to {:g} s", v.start, v.until));
  print_contenders(v, out);
  print_quantities(v, out);
  print_discretisation(v, out);
  print_audits(v, out);
  out.line();
  out.line(out.styled(v.sentence, style_of(v.verdict)));
}

Json to_json(const Verification& v) {
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  Json j = {{"verdict", to_text(v.verdict)},
            {"sentence", v.sentence},
            {"digits", whole(v.digits)},
            {"asked", v.asked},
            {"start", v.start},
            {"until", v.until},
            {"horizon", v.horizon},
            {"growth", number(v.growth)}};
  Json& contenders = j["formulations"] = Json::array();
  for (const ContenderReport& c : v.contenders) {
    Json row = {{"name", c.name}};
    if (!c.lacks.empty()) {
      row["lacks"] = c.lacks;
    } else {
      row.update({{"integrator", c.method},
                  {"setting", c.setting},
                  {"digits", whole(c.digits)},
                  {"with", c.with},
                  {"own_error", number(c.error)},
                  {"worst", c.worst},
                  {"order", number(c.order)},
                  {"runs", c.runs},
                  {"seconds", c.seconds},
                  {"limit", c.limit}});
    }
    contenders.push_back(row);
  }
  if (v.rows)
    j["rows"] = {
        {"digits", whole(v.rows->digits)}, {"worst", v.rows->worst}, {"compared", v.rows->rows}};
  Json& quantities = j["quantities"] = Json::array();
  for (const Agreement& g : v.quantities) {
    Json row = {{"quantity", g.name},
                {"unit", g.unit},
                {"size", number(g.size)},
                {"digits", whole(g.digits)},
                {"confirmed_by", g.confirmed_by},
                {"largest_difference", number(g.largest)},
                {"between", g.between},
                {"from", number(g.from)}};
    if (v.rows) {  // the page shows the digits of what it draws
      row["confirmed_digits"] = row["digits"];
      row["digits"] = std::isfinite(g.rows_digits) ? Json(whole(g.rows_digits)) : Json(nullptr);
    }
    quantities.push_back(std::move(row));
  }
  if (v.discretisation) {
    const Discretisation& d = *v.discretisation;
    Json& own = j["discretisation"] = {{"doubled", d.changes}, {"lacks", d.lacks}};
    if (d.lacks.empty()) {
      own.update({{"formulation", d.formulation},
                  {"integrator", d.method},
                  {"setting", d.setting},
                  {"digits", whole(d.digits)},
                  {"worst", d.worst},
                  {"change", number(d.relative)}});
      for (const ResolvedQuantity& q : d.quantities)
        own["quantities"].push_back({{"quantity", q.name},
                                     {"unit", q.unit},
                                     {"digits", whole(q.digits)},
                                     {"difference", number(q.difference)}});
    }
  }
  Json& audits = j["audits"] = Json::array();
  for (const Audit& a : v.audits)
    audits.push_back({{"audit", a.name},
                      {"of", a.subject},
                      {"value", number(a.value)},
                      {"limit", number(a.limit)},
                      {"passed", a.passed || a.informs},
                      {"noted", a.informs && !a.passed},
                      {"detail", a.detail}});
  if (v.departure)
    j["departure"] = {{"formulation", v.departure->formulation}, {"others", v.departure->others},
                      {"quantity", v.departure->quantity},       {"time", v.departure->t},
                      {"element", v.departure->element},         {"what", v.departure->what}};
  return j;
}

int exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return 0;
    case Verdict::disagrees: return static_cast<int>(Fault::disagreement);
    case Verdict::undecided: return static_cast<int>(Fault::undecided);
  }
  return static_cast<int>(Fault::internal);
}

}  // namespace sarrus::app
