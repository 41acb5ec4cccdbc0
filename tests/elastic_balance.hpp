// An elastic body at a random state, and the balance of its momenta.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "near.hpp"
#include "sarrus/core/random.hpp"
#include "sarrus/elastic/elastic_body.hpp"

namespace sarrus::testing {

using D = Dual<double>;

struct State {
  std::vector<double> q, qdot, qddot;
  Twist<double> V, A;

  State(int n, std::uint64_t seed, double deflection = 0.05) {
    Random random(seed);
    const auto vector = [&] {
      return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    };
    for (int k = 0; k < n; ++k) {
      q.push_back(random.uniform(-deflection, deflection));
      qdot.push_back(random.uniform(-1, 1));
      qddot.push_back(random.uniform(-1, 1));
    }
    V = {vector(), vector()}, A = {vector(), vector()};
  }
};

template <class T>
struct Evaluated {
  std::vector<Wrench<T>> coupling;
  std::vector<T> elastic, force;
  std::vector<Vector3<T>> scratch;
  ElasticInertia<T> inertia;

  Evaluated(const ElasticBody& b, const std::vector<T>& q)
      : coupling(static_cast<size_t>(b.n)),
        elastic(static_cast<size_t>(b.n * b.n)),
        force(static_cast<size_t>(b.n)),
        scratch(static_cast<size_t>(b.n)),
        inertia{{}, coupling.data(), elastic.data()} {
    elastic_inertia(b, q.data(), inertia, scratch.data());
  }
  Wrench<T> momentum(const Twist<T>& V, const std::vector<T>& qdot) const {
    Wrench<T> h = inertia.rigid * V;
    for (size_t k = 0; k < qdot.size(); ++k) h += coupling[k] * qdot[k];
    return h;
  }
  std::vector<T> momenta(const Twist<T>& V, const std::vector<T>& qdot) const {
    std::vector<T> p;
    const size_t n = qdot.size();
    for (size_t k = 0; k < n; ++k) {
      p.push_back(dot(V, coupling[k]));
      for (size_t l = 0; l < n; ++l) p.back() += elastic[k * n + l] * qdot[l];
    }
    return p;
  }
};

inline Vector3<D> moving(const Vec3& v, const Vec3& rate) {
  return {D(v.x, rate.x), D(v.y, rate.y), D(v.z, rate.z)};
}
inline Vec3 rate(const Vector3<D>& v) { return {v.x.d, v.y.d, v.z.d}; }

/// The forces that this motion of the frame and the coordinates requires: M ẏ + bias, and the same
/// from the momenta: Ṗ + V ×* P and ṗ − ∂T/∂q.
inline void check_momentum_balance(const ElasticBody& b, double tolerance) {
  const State s(b.n, 7);
  const auto n = static_cast<size_t>(b.n);
  Evaluated<double> at(b, s.q);
  Wrench<double> bias;
  elastic_bias(b, s.q.data(), s.qdot.data(), s.V, bias, at.force.data(), at.scratch.data());
  Wrench<double> needed = at.momentum(s.A, s.qddot) + bias;
  const std::vector<double> elastic = at.momenta(s.A, s.qddot);

  std::vector<D> q, qdot;
  for (size_t k = 0; k < n; ++k)
    q.push_back(D(s.q[k], s.qdot[k])), qdot.push_back(D(s.qdot[k], s.qddot[k]));
  const Twist<D> V{moving(s.V.w, s.A.w), moving(s.V.v, s.A.v)};
  const Evaluated<D> moved(b, q);
  const Wrench<D> h = moved.momentum(V, qdot);
  const Wrench<double> P = at.momentum(s.V, s.qdot);
  const Wrench<double> balance = Wrench<double>{rate(h.n), rate(h.f)} + cross_force(s.V, P);
  for (int i = 0; i < 3; ++i) {
    CHECK(near(needed.n[i], balance.n[i], tolerance));
    CHECK(near(needed.f[i], balance.f[i], tolerance));
  }
  std::vector<double> gradient(n);
  elastic_gradient(b, s.q.data(), s.qdot.data(), s.V, gradient.data(), at.scratch.data());
  const std::vector<D> p = moved.momenta(V, qdot);
  for (size_t k = 0; k < n; ++k)
    CHECK(near(elastic[k] + at.force[k], p[k].d - gradient[k], tolerance));
}

}  // namespace sarrus::testing
