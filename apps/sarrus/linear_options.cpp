#include "linear_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/json.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus::app {
namespace {

constexpr size_t most_values = 40;

/// A speed: plain numbers in SI, or with a unit such as rpm.
double speed(const std::string& text, bool turns) {
  if (const auto x = parse_number(text)) return *x;
  const Quantity q = parse_quantity(text, turns ? dimensions::angular_speed : dimensions::speed);
  if (!q.problem.empty()) throw usage_error("bad-value", "--rotate", q.problem, q.hint);
  return q.value;
}

}  // namespace

void add_point_options(Command& c, PointOptions& o, bool with_about) {
  if (with_about)
    c.add_option("--about", o.about,
                 "equilibrium (found first), or start: the model's q and u as they are");
  c.add_option("--time", o.time,
               "Time at which prescribed motions and formulas of t are evaluated [s]");
  c.add_option("--rotate", o.rotate, "Holds a joint at a speed [rad/s or m/s]; may be repeated")
      .type_name("JOINT=SPEED")
      .repeatable();
}

OperatingPoint point_of(const Mechanism& m, const PointOptions& o) {
  OperatingPoint p = start_point(m, number("--time", o.time));
  for (const std::string& text : o.rotate) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw usage_error("bad-value", "--rotate",
                        fmt::format("'{}' is not of the form JOINT=SPEED", text));
    const JointInfo& joint = one_freedom_joint(m, "--rotate", text.substr(0, equals));
    p.u[joint.u0] = speed(text.substr(equals + 1), !slides(m.kind[joint.body], 0));
    p.held.push_back(joint.u0);
  }
  return p;
}

const JointInfo& one_freedom_joint(const Mechanism& m, const char* flag, const std::string& name) {
  std::vector<std::string> names;
  for (const JointInfo& j : m.joints) {
    const bool serves = j.nu == 1 && !j.cut && !j.prescribed;
    if (serves && j.name == name) return j;
    if (serves) names.push_back(j.name);
    if (j.prescribed && j.name == name)
      throw usage_error("unknown-joint", flag, fmt::format("'{}' follows a motion already", name),
                        "set or sweep a parameter of its formula: --set, --campbell");
  }
  throw usage_error("unknown-joint", flag,
                    fmt::format("no free joint with one degree of freedom is called '{}'", name),
                    names.empty() ? "the model has none" : did_you_mean(name, names));
}

void check_steady(const Mechanism& m, const OperatingPoint& p, Output& out) {
  std::vector<int> turning = p.held;
  for (const PrescribedMotion& motion : m.motions)
    if (p.u[motion.u] != 0) turning.push_back(motion.u);
  for (const int u : turning) {
    if (std::find(p.held.begin(), p.held.end(), u) == p.held.end())
      continue;  // its angle is a formula's
    OperatingPoint later = p;
    const auto b = static_cast<size_t>(m.body_of_velocity(u));
    later.q[m.q0[b]] += 1;
    const Balance here = balance(m, p), there = balance(m, later);
    double change = 0;
    for (size_t i = 0; i < here.r.size(); ++i)
      change = std::max(change, std::fabs(here.r[i] - there.r[i]));
    if (change > 1e-7 * divisor(here.force_scale))
      out.note({.severity = Severity::warning,
                .code = "not-steady",
                .element = "--rotate",
                .message = fmt::format(
                    "moving '{}' by 1 rad or m changes the forces by {:.3g}: the motion is not "
                    "steady, and the linear model holds only for one instant",
                    m.joint_of_body(static_cast<int>(b))->name, change),
                .hint = "a rotation is steady about an axis along gravity, or without gravity"});
  }
}

SweepRange parse_range(const char* flag, const std::string& text) {
  const size_t equals = text.find('=');
  std::vector<std::string> parts;
  if (equals != std::string::npos)
    for (size_t at = equals + 1; at <= text.size();) {
      const size_t end = std::min(text.find(':', at), text.size());
      parts.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  const auto refuse = [&] {
    throw usage_error("bad-value", flag, fmt::format("'{}' is not NAME=FROM:TO:COUNT", text),
                      "for example speed=0:300:61");
  };
  if (equals == std::string::npos || equals == 0 || parts.size() != 3) refuse();
  const double from = number(flag, parts[0]), to = number(flag, parts[1]),
               count = number(flag, parts[2]);
  if (!(count >= 2 && count <= 1e5) || count != std::floor(count) || !(from < to)) refuse();
  SweepRange range{text.substr(0, equals), {}};
  for (int i = 0; i < static_cast<int>(count); ++i)
    range.values.push_back(from + (to - from) * i / (count - 1));
  return range;
}

Json coordinates_json(const Mechanism& m, const OperatingPoint& p) {
  Json q = Json::object();
  for (int i = 0; i < m.nq; ++i) q[m.coordinate_name(i)] = p.q[i];
  return q;
}

void print_values(const std::vector<std::pair<std::string, double>>& values, Output& out) {
  for (size_t i = 0; i < std::min(values.size(), most_values); ++i)
    out.line(fmt::format("  {:<24} {:>18.12g}", values[i].first, values[i].second));
  if (values.size() > most_values)
    out.line(fmt::format("  … and {} more", values.size() - most_values));
}

void print_coordinates(const Mechanism& m, const OperatingPoint& p, Output& out) {
  std::vector<std::pair<std::string, double>> values;
  for (int i = 0; i < m.nq; ++i) values.emplace_back(m.coordinate_name(i), p.q[i]);
  print_values(values, out);
}

}  // namespace sarrus::app
