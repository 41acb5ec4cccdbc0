#include "sarrus/run/conditioning.hpp"

#include <cmath>

namespace sarrus {
namespace {

constexpr int iterations = 30;  // the estimate is used to one digit

/// Inertia of all that each body carries, about the world's origin in world axes.
std::vector<BodyInertia<double>> composites(Dynamics<double>& d) {
  const Mechanism& m = d.mechanism();
  std::vector<BodyInertia<double>> sum(static_cast<size_t>(m.nb));
  for (int i = m.nb - 1; i > 0; --i) {
    const auto b = static_cast<size_t>(i);
    const BodyMotion<double>& B = d.motion(i);
    const BodyInertia<double>& own = d.numbers().body[b].inertia;
    BodyInertia<double>& c = sum[b];
    const Vec3 mc = B.R * own.mc, o = B.o;
    // Steiner: I − [o]ₓ[mc]ₓ − [mc]ₓ[o]ₓ − m [o]ₓ²
    const double across = 2 * dot(o, mc) + own.m * dot(o, o);
    const auto mixed = [&](int r, int s) {
      return o[r] * mc[s] + o[s] * mc[r] + own.m * o[r] * o[s];
    };
    c.m += own.m;
    c.mc += mc + o * own.m;
    c.I += rotated(B.R, own.I);
    c.I += Sym3{across - mixed(0, 0), across - mixed(1, 1), across - mixed(2, 2),
                -mixed(0, 1),         -mixed(0, 2),         -mixed(1, 2)};
    BodyInertia<double>& parent = sum[static_cast<size_t>(m.parent[b])];
    parent.m += c.m, parent.mc += c.mc, parent.I += c.I;
  }
  return sum;
}

/// diag M; 0 for prescribed velocities.
std::vector<double> mass_diagonal(Dynamics<double>& d) {
  const Mechanism& m = d.mechanism();
  if (!m.elastic.empty()) {  // few coordinates: the whole matrix is at hand
    const auto n = static_cast<size_t>(m.nu);
    std::vector<double> M(n * n), diagonal(n, 0.0);
    d.mass_matrix(M.data());
    for (size_t u = 0; u < n; ++u)
      if (!m.prescribed[static_cast<size_t>(m.body_of_velocity(static_cast<int>(u)))])
        diagonal[u] = M[u * n + u];
    return diagonal;
  }
  const std::vector<BodyInertia<double>> carried = composites(d);
  std::vector<double> D(static_cast<size_t>(m.nu), 0.0);
  for (int i = 1; i < m.nb; ++i) {
    const auto b = static_cast<size_t>(i);
    if (m.prescribed[b]) continue;
    const BodyNumbers<double>& number = d.numbers().body[b];
    const Mat3 R_F = d.motion(m.parent[b]).R * number.X_PF.R;
    with_joint(m.kind[b], [&](auto joint) {
      Twist<double> S[6];
      joint.columns(number.joint, d.q().data() + m.q0[b], R_F, d.motion(i).R, S);
      for (int k = 0; k < joint.nu; ++k) {
        const auto u = static_cast<size_t>(m.u0[b] + k);
        const Twist<double> at_origin = shifted_out(S[k], -d.motion(i).o);
        D[u] = dot(at_origin, carried[b] * at_origin) + d.numbers().armature[u];
      }
    });
  }
  return D;
}

}  // namespace

MassCondition mass_condition(Dynamics<double>& d) {
  const std::vector<double> D = mass_diagonal(d);
  const size_t n = D.size();
  std::vector<double> x(n), b(n), y(n, 0.0);
  int free = 0;
  for (size_t i = 0; i < n; ++i) {
    // no symmetry of the mechanism hides the weakest direction from this start
    x[i] = D[i] > 0 ? std::sin(1 + 0.7 * static_cast<double>(i)) : 0;
    if (D[i] > 0) ++free;
  }
  MassCondition found;
  if (free == 0) return found;
  double growth = 1;
  for (int k = 0; k < iterations; ++k) {
    double size = 0;
    for (size_t i = 0; i < n; ++i) size += x[i] * x[i];
    size = std::sqrt(size);
    for (size_t i = 0; i < n; ++i) b[i] = x[i] / size * std::sqrt(D[i]);
    d.solve(b.data(), y.data());
    growth = 0;
    for (size_t i = 0; i < n; ++i) {
      x[i] = D[i] > 0 ? y[i] * std::sqrt(D[i]) : 0;
      growth += x[i] * x[i];
    }
    growth = std::sqrt(growth);
    if (!std::isfinite(growth)) break;
  }
  found.number = free * growth;
  double most = -1;
  for (size_t i = 0; i < n; ++i)
    if (std::fabs(x[i]) > most) most = std::fabs(x[i]), found.u = static_cast<int>(i);
  return found;
}

}  // namespace sarrus
