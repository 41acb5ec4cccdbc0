#include "sarrus/results/expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/files/text/file.hpp"
#include "sarrus/results/result_json.hpp"

namespace sarrus {
namespace {

constexpr double same_time = 1e-9;  // [s] between a row and the time that is asked for

ExpectedNumber one_check(const Json& c) {
  ExpectedNumber n;
  const auto number = [&](const char* key) { return c.at(key).get<double>(); };
  n.model = c.value("model", "");
  if (c.contains("event")) {
    n.kind = ExpectedNumber::Kind::event;
    n.name = c.at("event");
    n.index = c.at("index");
    n.time = n.value = number("time");
    n.tolerance = number("tolerance");
    return n;
  }
  n.name = c.at("column");
  if (c.contains("max_abs") || c.contains("always")) {
    n.kind = ExpectedNumber::Kind::at_all_times;
    n.value = c.contains("always") ? number("always") : 0;
    n.tolerance = c.contains("always") ? number("tolerance") : number("max_abs");
    return n;
  }
  n.time = number("time"), n.value = number("value"), n.tolerance = number("tolerance");
  return n;
}

void add_table(const Json& file, std::vector<ExpectedNumber>& numbers) {
  if (!file.contains("rows")) return;
  const auto columns = file.at("columns").get<std::vector<std::string>>();
  const Json& tolerance = file.at("tolerance");
  for (const Json& row : file.at("rows"))
    for (size_t i = 1; i < columns.size(); ++i)
      numbers.push_back({ExpectedNumber::Kind::at_time, columns[i], 0, row.at(0), row.at(i),
                         tolerance.is_array() ? tolerance.at(i - 1) : tolerance, ""});
}

/// The row at a time, −1 where the run wrote none.
int row_at(const Trajectory& run, double time) {
  for (int i = 0; i < run.rows(); ++i)
    if (std::fabs(run.row(i)[0] - time) < same_time) return i;
  return -1;
}

Met compare(const ExpectedNumber& n, const std::string& what, double found) {
  Met met{n, found, 0, ""};
  const double off = std::fabs(found - n.value);
  met.share = n.tolerance > 0 ? off / n.tolerance : off > 0 ? HUGE_VAL : 0;
  if (!(off <= n.tolerance))
    met.mismatch = fmt::format("{} is {:.15g}, expected {:.15g} within {:g}, off by {:.2e}", what,
                               found, n.value, n.tolerance, found - n.value);
  return met;
}

Met missing(const ExpectedNumber& n, std::string why) {
  return {n, std::nan(""), HUGE_VAL, std::move(why)};
}

Met check_event(const ExpectedNumber& n, const RunSummary& run) {
  int count = 0;
  for (const LocatedEvent& event : run.events)
    if (event.name == n.name && count++ == n.index)
      return compare(n, fmt::format("event {} {}", n.name, n.index), event.t);
  return missing(n, fmt::format("event {} happened only {} times", n.name, count));
}

Met check_column(const ExpectedNumber& n, const Trajectory& run) {
  const int column = run.column(n.name);
  if (column < 0) return missing(n, "there is no column " + n.name);
  const auto at = [&](int row) {
    return compare(n, fmt::format("{} at {:g} s", n.name, run.row(row)[0]), run.row(row)[column]);
  };
  if (n.kind == ExpectedNumber::Kind::at_time) {
    const int row = row_at(run, n.time);
    return row < 0 ? missing(n, fmt::format("there is no row at {} s", n.time)) : at(row);
  }
  Met worst = at(0);
  for (int i = 1; i < run.rows(); ++i)
    if (const Met next = at(i); !(next.share <= worst.share)) worst = next;
  return worst;
}

}  // namespace

Expected read_expected(const std::string& path) try {
  const Json file = parse_json(read_file(path, 1ull << 28));
  Expected e;
  e.source = file.at("source");
  e.models = file.value("models", std::vector<std::string>{"model.toml"});
  add_table(file, e.numbers);
  for (const Json& c : file.value("checks", Json::array())) e.numbers.push_back(one_check(c));
  if (file.contains("verify")) {
    const Json& v = file.at("verify");
    if (v.contains("digits")) e.digits = v.at("digits").get<double>();
    if (v.contains("until")) e.until = v.at("until").get<double>();
    e.reason = v.value("reason", "");
  }
  return e;
} catch (const Json::exception& problem) {
  throw Error(Fault::model, Diagnostic{.code = "bad-expected",
                                       .where = {path, 0, 0},
                                       .message = fmt::format("not a list of expected numbers: {}",
                                                              problem.what()),
                                       .hint = "docs/trust.md shows what such a file holds"});
}

std::vector<Met> check_expected(const Expected& expected, const std::string& model,
                                const Run& run) {
  std::vector<Met> all;
  for (const ExpectedNumber& n : expected.numbers) {
    if (!n.model.empty() && n.model != model) continue;
    all.push_back(n.kind == ExpectedNumber::Kind::event ? check_event(n, run.summary)
                                                        : check_column(n, run.trajectory));
  }
  return all;
}

}  // namespace sarrus
