#include "reports/page_report.hpp"

#include <fmt/format.h>

#include "keep_last.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/show/report.hpp"

namespace sarrus::app {
namespace {

std::string size_text(std::uint64_t bytes) {
  return bytes < 1000000 ? fmt::format("{} kB", bytes / 1000)
                         : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

void write_page(const std::string& result, const std::string& file, std::int64_t every,
                bool replace, Output& out) {
  SceneOptions options;
  options.every = every;
  keep_last(file, replace, files_of_run(result), out);
  const PageReport page = write_report(result, file, options, true);
  if (!page.problem.empty())
    out.note({.severity = Severity::warning,
              .code = "not-drawn",
              .message = "the report has no picture of the mechanism: " + page.problem});
  out.line(fmt::format("{} ({}, {} of {} rows); open it in a browser", printable(file),
                       size_text(page.bytes), page.shown, page.rows));
  out.facts()["report"] = {
      {"file", file}, {"bytes", page.bytes}, {"rows", page.rows}, {"shown", page.shown}};
}

}  // namespace sarrus::app
