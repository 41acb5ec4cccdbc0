// Identities that every Runge–Kutta tableau must fulfil; a mistyped digit breaks one of them.
#include <doctest/doctest.h>

#include <cmath>

#include "sarrus/integrators/adaptive_runge_kutta.hpp"

using namespace sarrus;

namespace {

/// Σ wⱼ cⱼ^power
double moment(const EmbeddedTableau& m, Weights weights, int power) {
  double sum = 0;
  for (const auto& [s, w] : weights) sum += w * std::pow(m.c[s], power);
  return sum;
}

}  // namespace

TEST_CASE("tableau: every node is the sum of its row, and the last stage stands at the end") {
  for (const EmbeddedTableau* m : {&dopri5_tableau(), &dop853_tableau()}) {
    CAPTURE(std::string(m->name));
    REQUIRE(m->a.size() + 1 == m->c.size());
    for (size_t s = 1; s < m->c.size(); ++s) {
      CAPTURE(s);
      // rows of dop853 hold entries up to 43, so that 1e-13 is rounding
      CHECK(std::fabs(moment(*m, m->a[s - 1], 0) - m->c[s]) < 1e-13);
    }
    CHECK(m->c[m->main - 1] == 1);
  }
}

TEST_CASE(
    "tableau: weights integrate powers of t exactly up to the order, error weights give zero") {
  struct Expected {
    const EmbeddedTableau* m;
    int error_order;  // powers below it cancel in the error estimate
  };
  for (const auto& [m, error_order] :
       {Expected{&dopri5_tableau(), 4}, Expected{&dop853_tableau(), 5}}) {
    CAPTURE(std::string(m->name));
    const Weights b = m->a[m->main - 2];
    // sums of twelve products of size 1
    for (int k = 0; k < m->order; ++k) CHECK(std::fabs(moment(*m, b, k) - 1.0 / (k + 1)) < 1e-14);
    for (int k = 0; k < error_order; ++k) CHECK(std::fabs(moment(*m, m->error, k)) < 1e-14);
    for (int k = 0; k < 3; ++k) CHECK(std::fabs(moment(*m, m->error_low, k)) < 1e-14);
    CHECK(std::fabs(moment(*m, m->error, error_order)) > 1e-5);  // it does see the next power
  }
}

TEST_CASE("tableau: rows of the dense output reproduce powers of t inside the step") {
  // y = t^p on [0, 1]: F₀ = 1, F₁ = [p = 1] − 1, F₂ = 2 − [p = 1] − p, further rows from the stages
  for (const auto& [m, order] :
       {std::pair{&dopri5_tableau(), 4}, std::pair{&dop853_tableau(), 7}}) {
    CAPTURE(std::string(m->name));
    for (int p = 1; p <= order; ++p) {
      const double start = p == 1 ? 1 : 0;
      std::vector<double> F = {1, start - 1, 2 - start - p};
      for (const Weights& d : m->dense) F.push_back(p * moment(*m, d, p - 1));
      for (const double theta : {0.1, 0.35, 0.5, 0.8}) {
        double y = 0;
        for (size_t j = F.size(); j-- > 0;) y = (y + F[j]) * (j % 2 == 0 ? theta : 1 - theta);
        CAPTURE(p);
        CHECK(std::fabs(y - std::pow(theta, p)) < 1e-12);  // rows of dop853 hold entries up to 1e3
      }
    }
  }
}
