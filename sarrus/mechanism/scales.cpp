#include "sarrus/mechanism/scales.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sarrus {
namespace {

constexpr double small_share = 1e-3;     // of what is typical: less is nearly zero
constexpr double farthest_share = 1e-6;  // of a length: metres are rounding beside what is larger

double length_of_geometry(const Mechanism& m) {
  double length = 0;
  for (int b = 1; b < m.nb; ++b) {
    const BodyNumbers<double>& body = m.numbers.body[b];
    length = std::max({length, norm(body.X_PF.p), std::fabs(body.joint.size)});
    if (body.inertia.m > 0) length = std::max(length, norm(body.inertia.mc) / body.inertia.m);
  }
  for (const PointSensor& p : m.point_sensors) length = std::max(length, norm(p.at));
  return length;
}

/// How far slides stand from zero at the start, or come within `duration` at their speed.
double length_of_start(const Mechanism& m, double duration) {
  double length = 0;
  for (int b = 1; b < m.nb; ++b)
    for (int q = m.q0[b]; q < m.q0[b + 1]; ++q)
      if (coordinate_unit(m.kind[b], q - m.q0[b]) == std::string_view("m"))
        length = std::max(length, std::fabs(m.start.q[q]));
  for (int u = 0; u < m.nu && length == 0; ++u)
    if (m.freedom(u) == Freedom::slides)
      length = std::max(length, std::fabs(m.start.u[u]) * duration);
  return length;
}

/// The largest radius of gyration of a body that turns: where its centre is in its joint it is all
/// there is.
double length_of_inertia(const Mechanism& m) {
  double length = 0;
  for (int u = 0; u < m.nu; ++u) {
    const BodyInertia<double>& body = m.numbers.body[m.body_of_velocity(u)].inertia;
    if (m.freedom(u) != Freedom::slides && body.m > 0)
      length = std::max(length, std::sqrt((body.I.xx + body.I.yy + body.I.zz) / (2 * body.m)));
  }
  return length;
}

}  // namespace

Scales scales_of(const Mechanism& m, double duration) {
  Scales s;
  double length = length_of_geometry(m), mass = 0;
  if (length == 0) length = length_of_start(m, duration);
  if (length == 0) length = length_of_inertia(m);
  for (int b = 1; b < m.nb; ++b) mass = std::max(mass, m.numbers.body[b].inertia.m);
  if (length > 0 && std::isfinite(length)) s.length = length;
  if (mass > 0) s.mass = mass;
  if (duration > 0) s.time = duration;
  s.acceleration = norm(m.numbers.gravity);
  return s;
}

double own_unit(double typical) {
  return typical > 0 ? std::clamp(1.0, small_share * typical, typical) : 1;
}

double typical_rate(const Mechanism& m) {
  const Scales s = scales_of(m, 0);
  double mass = 0, rate = std::sqrt(s.acceleration / s.length);
  for (int b = 1; b < m.nb; ++b) mass += m.numbers.body[b].inertia.m;
  if (!(mass > 0)) mass = 1;
  for (int u = 0; u < m.nu; ++u) {
    const double one = m.freedom(u) == Freedom::slides ? s.length : 1;
    rate = std::max(rate, std::fabs(m.start.u[u]) / one);
  }
  const auto spring = [&](double k, bool slides) {  // ω² = k/m, or k/(m l²)
    const double inertia = slides ? mass : mass * s.length * s.length;
    rate = std::max(rate, std::sqrt(std::max(0.0, k) / inertia));
  };
  for (const auto& x : m.numbers.forces.joint_springs)
    spring(x.k, m.freedom(x.u) == Freedom::slides);
  for (const auto& x : m.numbers.forces.point_springs) spring(x.k, true);
  return std::isfinite(rate) ? rate : 0;
}

std::vector<double> state_units(const Mechanism& m, bool momenta) {
  const Scales s = scales_of(m, 0);
  const double length = std::clamp(1.0, farthest_share * s.length, s.length);
  const double typical = typical_rate(m), rate = typical > 0 ? std::min(1.0, typical) : 1;
  // an unknown rate does not lower a unit
  const double speed = typical > 0 ? std::min(1.0, s.length * typical) : 1;
  const double push = std::min(1.0, s.mass * (typical > 0 ? s.length * typical : 1.0));
  std::vector<double> units(static_cast<size_t>(m.nx + m.nu + m.ns), 1.0);
  for (int b = 1; b < m.nb; ++b)
    for (int x = m.x0[b]; x < m.x0[b + 1]; ++x)
      if (is_chart_length(m.kind[b], x - m.x0[b])) units[x] = length;
  for (int u = 0; u < m.nu; ++u) {
    const bool slides = m.freedom(u) == Freedom::slides;
    units[m.nx + u] =
        momenta ? (slides ? push : std::min(1.0, push * s.length)) : (slides ? speed : rate);
  }
  return units;
}

}  // namespace sarrus
