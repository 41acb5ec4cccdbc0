#include "sarrus/formulations/assembly/asked_speeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/assembly/closing.hpp"
#include "sarrus/formulations/assembly/measured_joint.hpp"
#include "sarrus/joints/joint.hpp"

namespace sarrus {
namespace {

constexpr double held = 1e-10;  // share of a joint that does not move at all

double unit_of(const Mechanism& m, int u, double length) {
  return m.freedom(u) == Freedom::slides ? length : 1;
}

/// The closures with a row in which a velocity takes part: "constraint 'rod'".
std::string holders(const Places<double>& k, const LoopRows<double>& rows, int u) {
  const Mechanism& m = *k.mechanism;
  const auto nu = static_cast<size_t>(m.nu);
  if (rows.size() * nu > most_row_entries) return "";
  std::vector<double> G(rows.size() * nu);
  loop_jacobian(k, rows, G.data());
  std::string names;
  for (const Closure& c : m.closures) {
    bool holds = false;
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      const double* row = G.data() + r * nu;
      double size = 0;
      for (size_t i = 0; i < nu; ++i) size = std::max(size, std::fabs(row[i]));
      holds = holds || std::fabs(row[u]) > named_share * size;
    }
    if (holds) names += (names.empty() ? "" : " and ") + called(c);
  }
  return names;
}

}  // namespace

std::vector<AskedSpeed> asked_speeds(const Mechanism& m, const std::vector<double>& u,
                                     double length) {
  std::vector<AskedSpeed> list;
  for (size_t j = 0; j < m.joints.size(); ++j) {
    const JointInfo& joint = m.joints[j];
    if (joint.cut || joint.prescribed || !m.u_given[j]) continue;
    for (int k = 0; k < joint.nu; ++k)
      if (const double x = u[joint.u0 + k]; x != 0)
        list.push_back(
            {static_cast<int>(j), k, joint.u0 + k, -1, x, unit_of(m, joint.u0 + k, length)});
  }
  for (size_t c = 0; c < m.closures.size(); ++c) {
    const Closure& closure = m.closures[c];
    if (closure.u_wish.empty()) continue;
    const JointInfo& joint = m.joints[closure.joint];
    for (size_t k = 0; k < closure.u_wish.size(); ++k)
      if (closure.u_wish[k] != 0)
        list.push_back({closure.joint, static_cast<int>(k), -1, static_cast<int>(c),
                        closure.u_wish[k], slides(joint.kind, static_cast<int>(k)) ? length : 1});
  }
  return list;
}

double speed_of(const AskedSpeed& asked, const Places<double>& k) {
  if (asked.u >= 0) return k.u[asked.u];
  const Mechanism& m = *k.mechanism;
  return measure(k.body, m.joints[asked.joint]).u[asked.component];
}

double fastest(const Mechanism& m, const std::vector<double>& u, double length) {
  double largest = 0;
  for (size_t i = 0; i < u.size(); ++i)
    largest = std::max(largest, std::fabs(u[i]) / unit_of(m, static_cast<int>(i), length));
  return largest;
}

Diagnostic impossible_speed(const AskedSpeed& asked, double share, int instead,
                            const Places<double>& k, const LoopRows<double>& rows) {
  const Mechanism& m = *k.mechanism;
  const JointInfo& joint = m.joints[asked.joint];
  const std::string by = asked.u >= 0 ? holders(k, rows, asked.u) : "";
  std::string words =
      fmt::format("the speed {:.6g} {} is given", asked.wanted, asked.unit == 1 ? "rad/s" : "m/s");
  if (share < held)
    words += ", but the loops lock this joint here";
  else
    words += fmt::format(
        ", but so near to a singular position other joints would have to move {:.1e} times as fast",
        1 / share);
  if (!by.empty()) words += ": " + by;
  const bool is_other =
      instead >= 0 && instead != asked.u && m.joint_of_body(m.body_of_velocity(instead));
  std::string hint = "leave this speed out";
  if (is_other)
    hint += fmt::format(", or give one to '{}', which can move",
                        m.joint_of_body(m.body_of_velocity(instead))->name);
  else if (instead < 0)
    hint += "; nothing can move here";
  return {.code = "impossible-speed",
          .where = joint.where,
          .element = fmt::format("joint/{}/u", joint.name),
          .message = words,
          .hint = hint,
          .value = fmt::format("{:.3g}", share > 0 ? 1 / share : HUGE_VAL),
          .limit = fmt::format("{:.0e}", most_amplified)};
}

}  // namespace sarrus
