#include "commands/verify_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "options.hpp"
#include "reports/verify_report.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/read_valid_model.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/results/expected.hpp"

namespace sarrus::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double short_part = 0.1;  // of the horizon
constexpr double short_budget = 4;  // [s] for each formulation; the discrete one half
constexpr int short_rows = 50;
// of positions and energies, where steps are extrapolated; seconds of a short suite give fewer
constexpr double discrete_digits_asked = 5, discrete_digits_in_short = 3;

/// One model of the suite.
struct Case {
  fs::path folder;
  std::string file;
  Expected expected;
  std::string name(const fs::path& root) const {
    const std::string base = fs::relative(folder, root).string();
    return file == "model.toml" ? base : base + "/" + file;
  }
};

std::vector<Case> cases(const SuiteOptions& o) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(o.folder))
    if (entry.path().filename() == "expected.json") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  std::vector<Case> all;
  for (const fs::path& path : found) {
    const std::string relative = fs::relative(path, o.folder).string();
    const bool wanted =
        o.only.empty() || std::any_of(o.only.begin(), o.only.end(), [&](auto& word) {
          return relative.find(word) != std::string::npos;
        });
    if (!wanted) continue;
    const Expected expected = read_expected(path.string());
    for (const std::string& file : expected.models)  // linear systems have no model file
      if (fs::exists(path.parent_path() / file))
        all.push_back({path.parent_path(), file, expected});
  }
  return all;
}

/// The outcome of one case.
struct Line {
  std::string name;
  Verification verification;
  size_t numbers = 0;
  double share = 0;      // largest part of a tolerance that is used
  std::string mismatch;  // of a reference number
  double wall = 0;       // [s]
  int code = 0;
  std::string problem;  // in words; empty where all is well
};

double discrete_digits(const Verification& v) {
  for (const ContenderReport& c : v.contenders)
    if (c.family == "discrete" && c.lacks.empty() && !c.with.empty()) return c.digits;
  return -1;
}

int ran(const Verification& v) {
  return static_cast<int>(std::count_if(v.contenders.begin(), v.contenders.end(),
                                        [](const ContenderReport& c) { return c.lacks.empty(); }));
}

void check_numbers(const Case& c, const Mechanism& m, const SimulateSpec& settings, Line& line) {
  const Run run = simulate(m, settings);
  if (run.summary.failure) line.mismatch = run.summary.failure->message;
  for (const Met& met : check_expected(c.expected, c.file, run)) {
    line.numbers += 1;
    if (!(met.share <= line.share)) line.share = met.share;
    if (!met.mismatch.empty() && line.mismatch.empty()) line.mismatch = met.mismatch;
  }
}

/// The contender that confirms less than is asked of it: one that does not converge has large
/// errors of its own, and would never be at fault otherwise.
const ContenderReport* weakest(const Verification& v, double asked, double of_discrete) {
  for (const ContenderReport& r : v.contenders) {
    const bool discrete = r.family == "discrete";
    if (r.lacks.empty() && !r.with.empty() &&
        r.digits < (discrete ? std::min(asked, of_discrete) : asked))
      return &r;
  }
  return nullptr;
}

void judge(const Case& c, double asked, double of_discrete, Line& line) {
  const Verification& v = line.verification;
  const double digits = c.expected.digits.value_or(asked);
  const std::string missed = line.mismatch.empty() ? "" : "misses its reference: " + line.mismatch;
  if (v.verdict == Verdict::disagrees) {  // says more than a number that is missed
    line.code = exit_code(v.verdict);
    line.problem = v.sentence + (missed.empty() ? "" : "; it " + missed);
  } else if (!missed.empty()) {
    line.code = exit_code(Verdict::disagrees);
    line.problem = missed;
  } else if (const auto broken = std::find_if(v.contenders.begin(), v.contenders.end(),
                                              [](const ContenderReport& r) { return r.failed; });
             broken != v.contenders.end()) {
    line.code = exit_code(Verdict::disagrees);
    line.problem = broken->name + ": " + broken->lacks;
  } else if (ran(v) > 1 && v.digits < digits) {
    line.code = exit_code(Verdict::undecided);
    line.problem = v.sentence;
  } else if (const ContenderReport* weak = weakest(v, digits, of_discrete)) {
    line.code = exit_code(Verdict::undecided);
    line.problem =
        fmt::format("{} confirms only {} digits, with an error of its own of {:.0e} in {}{}",
                    weak->name, std::floor(weak->digits), weak->error, weak->worst,
                    std::isfinite(weak->order)
                        ? fmt::format(" (order {:.1f} of {})", weak->order, weak->nominal_order)
                        : "");
  }
}

Line run_case(const Case& c, const SuiteOptions& o) {
  const auto begin = Clock::now();
  Line line;
  line.name = c.name(o.folder);
  const ValidModel model = read_valid_model((c.folder / c.file).string());
  const Mechanism m = compile(model);
  check_numbers(c, m, model->simulate, line);
  SimulateSpec settings = model->simulate;
  if (c.expected.until) settings.until = *c.expected.until;
  VerifyOptions options = o.verify;
  if (o.is_short) {
    settings.until = settings.start + short_part * (settings.until - settings.start);
    options.rows = short_rows;
    options.budget = std::min(options.budget, short_budget);
  }
  line.verification = verify(m, settings, options);
  line.wall = std::chrono::duration<double>(Clock::now() - begin).count();
  judge(c, o.verify.digits, o.is_short ? discrete_digits_in_short : discrete_digits_asked, line);
  return line;
}

std::string header(size_t name) {
  return fmt::format("  {:{}}  ways  digits  discrete  reference (part of its tolerance)   time",
                     "model", name);
}

std::string text(const Line& l, size_t name) {
  const Verification& v = l.verification;
  const double discrete = discrete_digits(v);
  return fmt::format("  {:{}}  {:4}  {:>6}  {:>8}  {:5} numbers, {:<18} {:6.1f} s", l.name, name,
                     ran(v), ran(v) < 2 ? "–" : fmt::format("{}", std::floor(v.digits)),
                     discrete < 0 ? "–" : fmt::format("{}", std::floor(discrete)), l.numbers,
                     fmt::format("{:.1e}", l.share), l.wall);
}

Json json(const Line& l) {
  return {{"model", l.name},
          {"formulations", ran(l.verification)},
          {"verdict", to_text(l.verification.verdict)},
          {"digits", std::floor(l.verification.digits)},
          {"discrete_digits", std::floor(discrete_digits(l.verification))},
          {"reference_numbers", l.numbers},
          {"part_of_tolerance", l.share},
          {"wall", l.wall},
          {"code", l.code},
          {"problem", l.problem},
          {"sentence", l.verification.sentence}};
}

}  // namespace

int run_suite(const SuiteOptions& o, Output& out) {
  if (!fs::is_directory(o.folder))
    throw usage_error("no-folder", "--suite", fmt::format("'{}' is not a folder", o.folder),
                      "name the folder of examples: sarrus verify --suite path/to/examples");
  const std::vector<Case> all = cases(o);
  if (all.empty())
    throw usage_error("no-cases", "--suite",
                      fmt::format("no folder below '{}' has an expected.json", o.folder));
  size_t name = 5;
  for (const Case& c : all) name = std::max(name, c.name(o.folder).size());
  out.line(out.styled(header(name), Style::strong));
  out.facts()["suite"] = Json::array();
  int worst = 0;
  size_t bad = 0, ran_so_far = 0;
  double wall = 0;
  for (const Case& c : all) {
    const Line line = run_case(c, o);
    out.line(text(line, name));
    if (!line.problem.empty()) out.line("    " + out.styled(line.problem, Style::bad));
    out.facts()["suite"].push_back(json(line));
    bad += line.code != 0;
    wall += line.wall;
    ran_so_far += 1;
    if (line.code == exit_code(Verdict::disagrees) || worst == 0) worst = line.code;
    if (o.fail_fast && worst != 0) break;
  }
  out.line();
  out.line(
      out.styled(fmt::format("{} of {} models pass, {:.0f} s", ran_so_far - bad, all.size(), wall),
                 bad == 0 ? Style::good : Style::bad));
  return worst;
}

}  // namespace sarrus::app
