#include "sarrus/verify/growth.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sarrus/core/random.hpp"
#include "sarrus/joints/chart.hpp"
#include "sarrus/run/kept_rows.hpp"
#include "sarrus/verify/jumps.hpp"

namespace sarrus {
namespace {

constexpr double change = 1e-8;     // of positions and velocities, in rad and m
constexpr double saturated = 1e-2;  // relative difference beyond which it cannot grow as before
constexpr double rtol = 1e-12;      // of the runs: well below the change
constexpr double growth_wall = 5;   // [s] of wall time for each
constexpr std::uint64_t seed = 9;

double size_of(const std::vector<ComparedQuantity>& quantities, const std::string& name) {
  for (const ComparedQuantity& q : quantities)
    if (q.name == name || q.name == name + "1") return q.size;
  return 1;
}

/// What is large beside a velocity that may be nearly zero.
double speed_of(const std::vector<ComparedQuantity>& quantities, const std::string& name) {
  for (const ComparedQuantity& q : quantities)
    if (q.name == name) return q.is_tiny() ? q.size / tiny_share : q.size;
  return 1;
}

/// What a change of one is scaled by: slides by the mechanism's own length where it is far from a
/// metre, and speeds likewise. Deflections are rounded in proportion to their own size, and the
/// stiffest of them would answer to 1e-8 m with more than the whole motion.
struct ChangeScale {
  std::vector<double> position, velocity;  // of each chart entry, of each velocity
  ChangeScale(const Mechanism& m, const RunPlan& plan,
              const std::vector<ComparedQuantity>& quantities)
      : position(static_cast<size_t>(m.nx), 1.0), velocity(static_cast<size_t>(m.nu), 1.0) {
    const double length = own_unit(scales_of(m, plan.until - plan.start).length);
    for (int b = 1; b < m.nb; ++b)
      for (int x = m.x0[b]; x < m.x0[b + 1]; ++x)
        if (is_chart_length(m.kind[b], x - m.x0[b])) position[x] = length;
    for (int u = 0; u < m.nu; ++u)
      velocity[u] = own_unit(speed_of(quantities, without_number(m.velocity_name(u))));
    for (const ElasticInfo& e : m.elastic) {
      const double bend = size_of(quantities, e.name + ".e");
      const double rate = size_of(quantities, e.name + ".de");
      std::fill(position.begin() + m.x0[e.first], position.begin() + m.x0[e.last + 1],
                std::min(1.0, bend));
      std::fill_n(velocity.begin() + e.u0, e.n, std::min(1.0, rate));
    }
  }
  /// "ball.u2" → "ball.u"
  static std::string without_number(std::string name) {
    while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back()))) name.pop_back();
    return name;
  }
};

/// The start moved by `change` in every position and velocity, at random.
StartState changed(const Mechanism& m, const ChangeScale& scale, StartState s, Random& random) {
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
    double xi[6] = {}, q[7] = {};
    for (int i = 0; i < m.x0[b + 1] - m.x0[b]; ++i)
      xi[i] = change * scale.position[m.x0[b] + i] * random.uniform(-1, 1);
    retract(m.kind[b], s.q.data() + m.q0[b], xi, q);
    std::copy_n(q, m.q0[b + 1] - m.q0[b], s.q.begin() + m.q0[b]);
  }
  for (size_t i = 0; i < s.u.size(); ++i)
    s.u[i] += change * random.uniform(-1, 1) * std::max(scale.velocity[i], std::fabs(s.u[i]));
  return s;
}

Trajectory run_from(const Mechanism& m, const Contender& c, const RunPlan& plan,
                    const StartState& start, const std::vector<ComparedQuantity>& quantities) {
  SimulateSpec s = c.settings;
  s.rtol = rtol;
  if (!m.elastic.empty()) s.atol = rtol * smallest_deflection(m, quantities);
  s.step.reset();
  s.integrator = "dop853";
  const auto motion = make_motion(m, s);
  SimulateOptions o;
  o.start = plan.start, o.until = plan.until, o.output_step = plan.spacing();
  o.reactions = true, o.momenta = records_momenta(s), o.accelerations = s.accelerations;
  o.max_wall = growth_wall;
  KeptRows sink;
  simulate(*motion, start, o, sink);
  leave_out_jumps(sink.rows, plan.jumps);
  return std::move(sink.rows);
}

}  // namespace

Differences growth_of(const Mechanism& m, const Contender& c, const RunPlan& plan,
                      const std::vector<ComparedQuantity>& quantities) try {
  if (c.family == "discrete" || m.nu == 0) return {};
  Random random(seed);
  const StartState start = start_state(m, plan.start);
  const ChangeScale scale(m, plan, quantities);
  const Trajectory base = run_from(m, c, plan, start, quantities);
  Differences most;
  for (int k = 0; k < 2; ++k) {
    Differences d(quantities, base,
                  run_from(m, c, plan, changed(m, scale, start, random), quantities));
    d.accumulate(1 / change);
    most = k == 0 ? d : Differences::larger(most, d);
  }
  most.grow_on(saturated / change);
  return most;
} catch (const Error&) {  // a start that cannot be moved shows no growth
  return {};
}

}  // namespace sarrus
