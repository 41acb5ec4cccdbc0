// Hamilton's equations ż = B(z) ∇H(z) in the charts of plain coordinates and of groups.
//
//   ξ̇ = N v,   ṗ = −Nᵀ ∂H/∂ξ + Γ(p) v,   v = ∂H/∂p           B = [0 N; −Nᵀ Γ], skew
//
//   plain      N = 1,                             Γ = 0
//   rotation   N = J⁻¹(ξ)                         Γ(n) ω = n × ω
//   rigid      N = diag(J⁻¹(ξ), exp [ξ]×)         Γ(n, f) (ω, v) = (n × ω + f × v, f × ω)
//   planar     N = diag(1, rot ξ₁)                Γ of the plane
//
// Γ is what the group adds (Euler's gyroscopic terms). [Marsden, Ratiu 1999, ch. 13]
#pragma once

#include <cmath>
#include <span>

#include "sarrus/numerics/ode.hpp"
#include "sarrus/spatial/rotation.hpp"

namespace sarrus {

inline Vec3 three(std::span<const double> y, int at) {
  const size_t i = static_cast<size_t>(at);
  return {y[i], y[i + 1], y[i + 2]};
}
inline void put(const Vec3& v, std::span<double> y, int at) {
  for (int i = 0; i < 3; ++i) y[at + i] = v[i];
}
/// (x, y) of a vector turned by an angle, z left alone.
inline Vec3 turned_in_plane(const Vec3& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

/// The entries (1, 2) of a planar block as a vector in its plane.
inline Vec3 in_plane(std::span<const double> y, int at) { return {y[at + 1], y[at + 2], 0}; }
inline void put_in_plane(const Vec3& v, std::span<double> y, int at) {
  y[at + 1] = v.x, y[at + 2] = v.y;
}

/// Γ(p) v of one block; `p` and `v` are full vectors, `out` gains the result at g.p.
inline void add_gyroscopic(const GroupBlock& g, std::span<const double> p,
                           std::span<const double> v, int v_at, double sign,
                           std::span<double> out) {
  if (g.kind == GroupBlock::Kind::planar) {
    const Vec3 f = in_plane(p, g.p), w = in_plane(v, v_at);
    const double omega = v[v_at];
    const size_t i = static_cast<size_t>(g.p);
    out[i] += sign * (f.x * w.y - f.y * w.x);
    out[i + 1] += sign * f.y * omega;
    out[i + 2] -= sign * f.x * omega;
    return;
  }
  const Vec3 n = three(p, g.p), omega = three(v, v_at);
  Vec3 moment = cross(n, omega);
  if (g.kind == GroupBlock::Kind::rigid) {
    const Vec3 f = three(p, g.p + 3);
    moment += cross(f, three(v, v_at + 3));
    put(three(out, g.p + 3) + cross(f, omega) * sign, out, g.p + 3);
  }
  put(three(out, g.p) + moment * sign, out, g.p);
}

/// N v of one block at its positions ξ in y: from entries at `from` to entries at g.x.
inline void chart_rates(const GroupBlock& g, std::span<const double> y, std::span<const double> v,
                        int from, std::span<double> out) {
  const Vec3 xi = three(y, g.x);
  if (g.kind == GroupBlock::Kind::planar) {
    out[g.x] = v[from];
    put_in_plane(turned_in_plane(in_plane(v, from), xi.x), out, g.x);
    return;
  }
  put(rotation_vector_rate(xi, three(v, from)), out, g.x);
  if (g.kind == GroupBlock::Kind::rigid) put(rotation_exp(xi) * three(v, from + 3), out, g.x + 3);
}

/// N⁻¹ ξ̇: from entries at g.x to entries at `to`.
inline void group_velocity(const GroupBlock& g, std::span<const double> y,
                           std::span<const double> rate, std::span<double> out, int to) {
  const Vec3 xi = three(y, g.x);
  if (g.kind == GroupBlock::Kind::planar) {
    out[to] = rate[g.x];
    put_in_plane(turned_in_plane(in_plane(rate, g.x), -xi.x), out, to);
    return;
  }
  put(angular_velocity_of_rate(xi, three(rate, g.x)), out, to);
  if (g.kind == GroupBlock::Kind::rigid) put(rotation_exp(-xi) * three(rate, g.x + 3), out, to + 3);
}

/// Nᵀ a: from entries at g.x to entries at g.p. With J⁻ᵀ(ξ) = J⁻¹(−ξ).
inline void chart_transposed(const GroupBlock& g, std::span<const double> y,
                             std::span<const double> a, std::span<double> out) {
  const Vec3 xi = three(y, g.x);
  if (g.kind == GroupBlock::Kind::planar) {
    out[g.p] = a[g.x];
    put_in_plane(turned_in_plane(in_plane(a, g.x), -xi.x), out, g.p);
    return;
  }
  put(rotation_vector_rate(-xi, three(a, g.x)), out, g.p);
  if (g.kind == GroupBlock::Kind::rigid) put(rotation_exp(-xi) * three(a, g.x + 3), out, g.p + 3);
}

/// N⁻ᵀ b: from entries at g.p of b to entries at g.x. With J⁻ᵀ(ξ)⁻¹ = J(−ξ).
inline void chart_transposed_inverse(const GroupBlock& g, std::span<const double> y,
                                     std::span<const double> b, std::span<double> out) {
  const Vec3 xi = three(y, g.x);
  if (g.kind == GroupBlock::Kind::planar) {
    out[g.x] = b[g.p];
    put_in_plane(turned_in_plane(in_plane(b, g.p), xi.x), out, g.x);
    return;
  }
  put(angular_velocity_of_rate(-xi, three(b, g.p)), out, g.x);
  if (g.kind == GroupBlock::Kind::rigid) put(rotation_exp(xi) * three(b, g.p + 3), out, g.x + 3);
}

}  // namespace sarrus
