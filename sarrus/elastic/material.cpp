#include "sarrus/elastic/material.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {

void add_damping(ElasticBody& body, const ElasticDamping& d) {
  const Eigen::Index n = body.n;
  body.D.assign(body.K.size(), 0);
  if (d.stiffness == 0 && d.mass == 0 && d.ratios.empty()) return;
  std::vector<double> q(n, 0), ee(body.K.size());
  std::vector<Wrench<double>> coupling(n);
  std::vector<Vec3> scratch(n);
  ElasticInertia<double> inertia{{}, coupling.data(), ee.data()};
  elastic_inertia(body, q.data(), inertia, scratch.data());
  const Eigen::Map<const Eigen::MatrixXd> M(ee.data(), n, n), K(body.K.data(), n, n);
  Eigen::Map<Eigen::MatrixXd> D(body.D.data(), n, n);
  D = d.stiffness * K + d.mass * M;
  if (d.ratios.empty()) return;
  const EigenPairs found = symmetric_eigen(K, M);
  Eigen::VectorXd rate(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const size_t k = std::min(static_cast<size_t>(i), d.ratios.size() - 1);
    rate[i] = 2 * d.ratios[k] * std::sqrt(std::max(0.0, found.values[i]));
  }
  const Eigen::MatrixXd MV = M * found.vectors;
  D += MV * rate.asDiagonal() * MV.transpose();
}

}  // namespace sarrus
