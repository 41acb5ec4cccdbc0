#include "sarrus/mechanism/scales.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sarrus {
namespace {

constexpr double small_share = 1e-3;  // of what is typical: less is nearly zero

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

}  // namespace

Scales scales_of(const Mechanism& m, double duration) {
  Scales s;
  double length = length_of_geometry(m), mass = 0;
  if (length == 0) length = length_of_start(m, duration);
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

}  // namespace sarrus
