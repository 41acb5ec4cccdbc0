#include "sarrus/elastic/beam.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "near.hpp"
#include "sarrus/elastic/beam_functions.hpp"
#include "sarrus/elastic/quadrature.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::printed;
using sarrus::testing::within;

namespace {

/// EI = ρA = L = 1 and no rotary inertia to speak of.
BeamSpec unit_beam(BeamBasis basis, int modes, int elements = 10) {
  BeamSpec b;
  b.length = 1;
  b.section = {1, 1e-14, 1e-14, 2e-14, 0, 0};
  b.material = {1e14, 4e13, 1};
  b.deforms = {Deflection::y};
  b.basis = basis;
  b.modes = modes, b.elements = elements;
  return b;
}

/// Natural frequencies with a geometric stiffness of rotation: K + Ω² (K_g − lag M).
Eigen::VectorXd frequencies(const BeamSpec& spec, double omega, bool lag, double hub = 0) {
  const ElasticBody b = Beam(spec, 0).body();
  const Eigen::Index n = b.n;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), Kg = M;
  const Eigen::Map<const Eigen::MatrixXd> K(b.K.data(), n, n);
  for (const MassSample& s : b.samples) {
    if (s.c == 0) continue;
    for (int k = s.begin; k < s.end; ++k)
      for (int l = s.begin; l < s.end; ++l)
        M(k, l) += s.mass * s.phi[k - s.begin].y * s.phi[l - s.begin].y;
    for (const SecondOrder& g : s.second)  // −∫ (hub + x) g dm
      Kg -= s.mass * (hub + s.x.x) * Eigen::Map<const Eigen::MatrixXd>(g.g.data(), n, n);
  }
  const Eigen::MatrixXd whole = K + omega * omega * (Kg - (lag ? M : 0 * M));
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(whole, M)
      .eigenvalues()
      .cwiseAbs()
      .cwiseSqrt();
}

}  // namespace

TEST_CASE("beam: derivatives of all functions are those of the functions") {
  constexpr double h = 1e-4;
  const auto check = [&](auto&& f) {
    for (const double s : {0.13, 0.5, 0.94})
      for (size_t d = 0; d < 3; ++d) {
        const double slope =
            (f(s - 2 * h)[d] - 8 * f(s - h)[d] + 8 * f(s + h)[d] - f(s + 2 * h)[d]) / (12 * h);
        CHECK(within(f(s)[d + 1], slope, 1e-8));  // h⁴ f⁽⁵⁾/30 ≤ 1e-11, and rounding of second
                                                  // derivatives up to 1e2 over h: 5e-10
      }
  };
  for (int k = 0; k < 4; ++k) {
    check([&](double s) { return bending_polynomial(k, s); });
    check([&](double s) { return axial_polynomial(k, s); });
    check([&](double s) { return cantilever_function(k, s); });
    check([&](double s) { return bar_function(k, s); });
    check([&](double s) { return hermite(k, s); });
  }
}

TEST_CASE("beam: cantilever functions are orthonormal") {
  for (int k = 0; k < 8; ++k)
    for (int l = 0; l <= k; ++l) {
      double sum = 0;
      for (const QuadraturePoint& p : gauss_points(60, 0, 1))
        sum += p.weight * cantilever_function(k, p.x)[0] * cantilever_function(l, p.x)[0];
      CHECK(std::fabs(sum - (k == l ? 1 : 0)) < 1e-13);  // sums of products up to 100
    }
}

TEST_CASE("beam: frequencies of the rotating cantilever are those of the literature") {
  // Wright, Smith, Thresher & Wang 1982, with more digits by a Legendre–Galerkin solution
  const double table[][5] = {{0, 3.51601527, 22.03449156, 61.69721441, 3.516015},
                             {2, 4.13731957, 22.61492196, 62.27318411, 3.621797},
                             {6, 7.36037302, 26.80908168, 66.68391438, 4.263225},
                             {12, 13.17015049, 37.60311233, 79.61447849, 5.427049}};
  for (const auto& row : table) {
    CAPTURE(row[0]);
    const Eigen::VectorXd flap = frequencies(unit_beam(BeamBasis::polynomial, 10), row[0], false);
    for (int i = 0; i < 3; ++i)
      CHECK(near(flap[i], row[i + 1], 2e-8));  // ten functions; the table has nine to ten digits
    const Eigen::VectorXd lag = frequencies(unit_beam(BeamBasis::polynomial, 10), row[0], true);
    CHECK(near(lag[0], row[4], printed(7)));
  }
  // hub radius 1
  const Eigen::VectorXd hub = frequencies(unit_beam(BeamBasis::polynomial, 10), 5, false, 1);
  CHECK(near(hub[0], 8.940358, printed(7)));
  CHECK(near(hub[1], 29.352835, printed(8)));
}

TEST_CASE("beam: a mass at the tip lowers the frequencies as known") {
  BeamSpec spec = unit_beam(BeamBasis::polynomial, 10);
  spec.tip_mass = 1;
  const Eigen::VectorXd rest = frequencies(spec, 0, false), flap = frequencies(spec, 5, false);
  CHECK(near(rest[0], 1.557298, printed(7)));
  CHECK(near(rest[1], 16.250085, printed(8)));
  CHECK(near(flap[0], 5.521853, printed(7)));
  CHECK(near(flap[1], 26.041526, printed(8)));
}

TEST_CASE("beam: all families come to the same frequencies") {
  const double flap[] = {11.20232776, 33.64036585};  // Ω = 10
  for (int i = 0; i < 2; ++i) {
    // as far as each comes: eight polynomials, eight modes of the beam at rest, ten and twenty
    // elements with an error of the fourth order, eight modes of twenty
    CHECK(near(frequencies(unit_beam(BeamBasis::polynomial, 8), 10, false)[i], flap[i], 3e-7));
    CHECK(near(frequencies(unit_beam(BeamBasis::cantilever, 8), 10, false)[i], flap[i], 6e-5));
    CHECK(near(frequencies(unit_beam(BeamBasis::fe, 0, 10), 10, false)[i], flap[i], 6e-5));
    CHECK(near(frequencies(unit_beam(BeamBasis::fe, 0, 20), 10, false)[i], flap[i], 4e-6));
    CHECK(near(frequencies(unit_beam(BeamBasis::fe, 8, 20), 10, false)[i], flap[i], 6e-5));
  }
}

TEST_CASE("beam: without stiffening the lag frequency falls below zero") {
  BeamSpec spec = unit_beam(BeamBasis::polynomial, 6);
  spec.stiffening = false;
  CHECK(near(frequencies(spec, 2, true)[0], 2.89178, printed(6)));
  CHECK(near(frequencies(spec, 10, true)[0], 9.361, 1e-4));  // growth rate
}

TEST_CASE("beam: the stiffness of finite elements carries a tip force as the exact beam") {
  for (const BeamBasis basis : {BeamBasis::fe, BeamBasis::polynomial}) {
    BeamSpec spec = unit_beam(basis, basis == BeamBasis::fe ? 0 : 4, 5);
    const Beam beam(spec, 0);
    const ElasticBody b = beam.body();
    const Eigen::Map<const Eigen::MatrixXd> K(b.K.data(), b.n, b.n);
    const ElasticPlace tip = beam.place(1);
    Eigen::VectorXd f(b.n);
    for (int k = 0; k < b.n; ++k) f[k] = tip.phi[k].y;
    const Eigen::VectorXd q = K.ldlt().solve(f);
    CHECK(near(f.dot(q), 1.0 / 3, 1e-12));  // a matrix of condition 1e3, solved
    // forces in the section halfway: Q = 1, M = 1/2
    double shear = 0, moment = 0;
    const auto rows = beam.section_forces(0.47);
    for (int k = 0; k < b.n; ++k) shear += rows[k][1] * q[k], moment += rows[k][5] * q[k];
    // second and third derivatives of the solution
    CHECK(near(moment, 0.53, 1e-11));
    CHECK(near(shear, 1, 1e-11));
  }
}

TEST_CASE("beam: a column buckles under the load of Euler, and under its own weight") {
  const ElasticBody b = Beam(unit_beam(BeamBasis::fe, 0, 10), 0).body();
  const ElasticPlace tip = Beam(unit_beam(BeamBasis::fe, 0, 10), 0).place(1);
  const Eigen::Map<const Eigen::MatrixXd> K(b.K.data(), b.n, b.n);
  // what a load does along the displacement of second order
  const auto critical = [&](const Eigen::MatrixXd& shortening) {
    return 1 / Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(shortening, K)
                   .eigenvalues()
                   .maxCoeff();
  };
  const auto matrix = [&](const std::vector<SecondOrder>& second) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(b.n, b.n);
    for (const SecondOrder& s : second)
      sum -= s.along.x * Eigen::Map<const Eigen::MatrixXd>(s.g.data(), b.n, b.n);
    return sum;
  };
  // ten elements; exact π²/4 and 7.8373474
  CHECK(near(critical(matrix(tip.second)), 2.46740318, printed(9)));
  Eigen::MatrixXd weight = Eigen::MatrixXd::Zero(b.n, b.n);
  for (const MassSample& s : b.samples)
    if (s.c != 0) weight += s.mass * matrix(s.second);
  CHECK(near(critical(weight), 7.8373903, printed(8)));
}

TEST_CASE("beam: a deep cantilever under a load at its tip gives way sideways and twists") {
  // stiff along z, where the load acts; P L²/√(EI GJ) = 4.0126 for the weak direction y
  const auto critical = [](BeamBasis basis, int modes, double clamp) {
    BeamSpec spec = unit_beam(basis, modes, 12);
    spec.deforms = {Deflection::y, Deflection::torsion};
    spec.section.J = 2.5e-14;  // GJ = EI = 1
    const Beam beam(spec, clamp);
    const ElasticBody b = beam.body();
    Eigen::MatrixXd load = Eigen::MatrixXd::Zero(b.n, b.n);
    for (const SecondOrder& s : beam.place(1 - clamp).second)
      load += s.along.z * Eigen::Map<const Eigen::MatrixXd>(s.g.data(), b.n, b.n);
    const Eigen::Map<const Eigen::MatrixXd> K(b.K.data(), b.n, b.n);
    return 1 / Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(load, K)
                   .eigenvalues()
                   .maxCoeff();
  };
  CHECK(near(critical(BeamBasis::fe, 0, 0), 4.0195, 2e-5));  // twelve elements
  CHECK(near(critical(BeamBasis::polynomial, 6, 0), 4.0126, 2e-5));
  CHECK(near(critical(BeamBasis::polynomial, 6, 1), 4.0126, 2e-5));
}

TEST_CASE("beam: clamped in the middle it is two cantilevers") {
  BeamSpec spec = unit_beam(BeamBasis::fe, 0, 20);
  const ElasticBody b = Beam(spec, 0.5).body();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(b.n, b.n);
  for (const MassSample& s : b.samples)
    for (int k = s.begin; k < s.end; ++k)
      for (int l = s.begin; l < s.end; ++l)
        M(k, l) += s.mass * dot(s.phi[k - s.begin], s.phi[l - s.begin]);
  const Eigen::Map<const Eigen::MatrixXd> K(b.K.data(), b.n, b.n);
  const Eigen::VectorXd w =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues().cwiseSqrt();
  // both halves alike: each frequency twice, of length one half
  CHECK(near(w[0], 4 * 3.51601527, 1e-5));
  CHECK(near(w[1], 4 * 3.51601527, 1e-5));
  CHECK(near(w[2], 4 * 22.03449156, 2e-4));
}
