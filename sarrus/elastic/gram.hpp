// Bodies that are given by the integrals of their fields.
//
// With z = (1, x, φₖ, gₖₗ for k ≤ l), each vector by its three components, all that the kinetic
// energy needs is in
//
//   Z = ∫ z zᵀ dm = Σ y yᵀ                                                                  (1)
//
// and every y is a sample.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "sarrus/elastic/elastic_body.hpp"

namespace sarrus {

/// Where the fields lie in z.
struct GramLayout {
  int n = 0;
  int first_order() const { return 4 + 3 * n; }
  int pairs() const { return n * (n + 1) / 2; }
  int size() const { return first_order() + 3 * pairs(); }
  int phi(int k) const { return 4 + 3 * k; }
  int pair(int k, int l) const { return k * n - k * (k - 1) / 2 + l - k; }  // k ≤ l
  int second(int k, int l) const { return first_order() + 3 * pair(k, l); }
};

/// As many samples as Z has rank.
std::vector<MassSample> samples_of_gram(const Eigen::MatrixXd& Z, int n);

/// As many as the rank of the first-order fields. Integrals of g with these are kept, those of g
/// with g are not: for the invariants to second order, which do not need them. Only the first
/// columns of Z are read.
std::vector<MassSample> samples_to_second_order(const Eigen::MatrixXd& Z, int n);

}  // namespace sarrus
