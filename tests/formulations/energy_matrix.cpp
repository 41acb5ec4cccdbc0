// The source's own scheme: the energy matrix by its recurrences, ∂T/∂q by differences and by
// complex steps, held against other ways to the same numbers.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "instant.hpp"
#include "near.hpp"
#include "random_tree.hpp"
#include "sarrus/formulations/energy/energy.hpp"
#include "sarrus/formulations/formulation.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

double largest_entry(const std::vector<double>& x) {
  double size = 0;
  for (const double a : x) size = std::max(size, std::fabs(a));
  return size;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double size = 0;
  for (size_t i = 0; i < a.size(); ++i) size = std::max(size, std::fabs(a[i] - b[i]));
  return size;
}

std::vector<double> literal(const Mechanism& m, const std::vector<double>& q) {
  std::vector<double> A(m.nu * m.nu);
  Energy(m).matrix(q.data(), A.data());
  return A;
}

/// The composite-rigid-body algorithm.
std::vector<double> by_composites(const Mechanism& m, const std::vector<double>& q) {
  std::vector<double> M(m.nu * m.nu);
  Workspace<double> w(m);
  mass_matrix_at(w, q.data(), M.data());
  return M;
}

/// Σ m Jvᵀ Jv + Jwᵀ Ic Jw, with the columns of J read from the motion that unit velocities make.
std::vector<double> by_jacobians(const Mechanism& m, const std::vector<double>& q) {
  const auto n = static_cast<size_t>(m.nu);
  std::vector<double> M(n * n, 0.0), u(n, 0.0);
  std::vector<std::vector<Twist<double>>> J(n);
  Instant<double> d(m);
  for (size_t i = 0; i < n; ++i) {
    u.assign(n, 0.0);
    u[i] = 1;
    d.set(0, q.data(), u.data(), m.start_state.data());
    for (int b = 0; b < m.nb; ++b) J[i].push_back(d.k().body[b].V);
  }
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
    const BodyInertia<double>& I = m.numbers.body[b].inertia;
    if (I.m == 0) continue;
    const Mat3 R = d.k().body[static_cast<int>(b)].R;
    const Vec3 c = R * I.mc * (1 / I.m);
    Mat3 Ic = rotated(R, I.I).full();
    Ic = Ic - (skew(c) * transpose(skew(c))) * I.m;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) {
        const Vec3 vi = J[i][b].v + cross(J[i][b].w, c), vj = J[j][b].v + cross(J[j][b].w, c);
        M[i + j * n] += I.m * dot(vi, vj) + dot(J[i][b].w, Ic * J[j][b].w);
      }
  }
  return M;
}

/// Hinges and slides on a tree, a third of the bodies dummies; leaves have mass.
Model tree_with_dummies(Random& r, int bodies) {
  Model model = random_tree(r, bodies);
  std::vector<char> carries(bodies, 0);
  for (JointSpec& j : model.joints) {
    j.type = r.below(3) == 0 ? JointType::prismatic : JointType::revolute;
    if (j.parent != "world") carries[std::stoi(j.parent.substr(1))] = 1;
  }
  for (size_t i = 0; i < model.bodies.size(); ++i)
    if (carries[i] && r.below(3) == 0) {
      model.bodies[i].mass = 0;
      model.bodies[i].com = Vec3{};
      model.bodies[i].inertia = Mat3{};
    }
  return model;
}

/// ∂T/∂q (with Hamel's terms) at the velocities of the start: ṗ without gravity and forces.
std::vector<double> kinetic_rates(const Mechanism& m, const Coordinates& c,
                                  const FormulationOptions& options) {
  const auto f = make_formulation("hamiltonian", m, options);
  std::vector<double> y(f->size()), rate = y;
  f->begin({0, c.q, c.u, m.start_state}, y);
  REQUIRE(f->derivative(0, y, rate));
  return {rate.begin() + m.nx, rate.begin() + m.nx + m.nu};
}

}  // namespace

TEST_CASE("the source's recurrences, composites and Jacobians give one energy matrix") {
  for (int seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    const Mechanism m = compile(tree_with_dummies(r, 3 + seed % 12));
    const Coordinates c = random_state(r, m);
    const std::vector<double> A = literal(m, c.q), M = by_composites(m, c.q);
    const double scale = largest_entry(M);
    // some hundred products and sums
    CHECK(largest_difference(A, M) < 1e-13 * scale);
    CHECK(largest_difference(A, by_jacobians(m, c.q)) < 1e-13 * scale);
  }
}

TEST_CASE("B1: the energy matrix at the start") {
  const Mechanism m = compile(chain_b1());
  const std::vector<double> A = literal(m, m.start.q);
  const double row1[] = {27.125138898982, 6.006330823201, -6.065247544420, 3.141464938543,
                         -0.613720822679};
  for (size_t j = 0; j < 5; ++j) {
    CHECK(near(A[5 * j], row1[j], 1e-12));  // given with 12 decimals
    CHECK(A[j] == A[5 * j]);
  }
  // given exactly
  CHECK(near(A[24], 0.29125, 1e-13));
}

TEST_CASE("B2: with every joint the rows give the matrix of the composites") {
  const Mechanism m = compile(tree_b2());
  const std::vector<double> A = literal(m, m.start.q), M = by_composites(m, m.start.q);
  // some hundred products and sums
  CHECK(largest_difference(A, M) < 1e-12 * largest_entry(M));
  double trace = 0;
  for (size_t i = 0; i < 19; ++i) trace += A[i * 20];
  // given with twelve decimals
  CHECK(near(trace, 194.071534245547, 1e-13));
}

TEST_CASE("the inertia tensor in the place of the second moments gives another matrix") {
  // the classical error: for a rod along x, Tr{H,ᵀ J H,} is the inertia across it, with I it is not
  Model model = chain_b1();
  const Mechanism right = compile(model);
  for (BodySpec& b : model.bodies) {
    const double t = trace(*b.inertia);
    b.inertia = Mat3{{t, 0, 0}, {0, t, 0}, {0, 0, t}} - *b.inertia;  // as if J were I
  }
  const Mechanism wrong = compile(model);
  CHECK(largest_difference(literal(right, right.start.q), literal(wrong, wrong.start.q)) > 0.05);
}

TEST_CASE("T by summed rows is half the square of the velocities in the energy matrix") {
  for (int seed = 1; seed <= 20; ++seed) {
    Random r(static_cast<std::uint64_t>(seed));
    Model model = random_tree(r, 2 + seed % 9);
    for (JointSpec& j : model.joints)
      if (j.type == JointType::revolute) j.armature = 0.3;
    const Mechanism m = compile(model);
    const Coordinates c = random_state(r, m);
    const std::vector<double> A = literal(m, c.q);
    const auto n = static_cast<size_t>(m.nu);
    double T = 0;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) T += 0.5 * A[i + j * n] * c.u[i] * c.u[j];
    Energy energy(m);
    // some hundred products and sums
    CHECK(near(energy.kinetic(c.q.data(), c.u.data()), T, 1e-13));
    Instant<double> d(m);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    CHECK(near(energy.kinetic(c.q.data(), c.u.data()), d.kinetic_energy(), 1e-13));
    // sums of heights, which may nearly cancel
    CHECK(near(energy.gravity(c.q.data()), d.potential_energy(), 1e-11));
  }
}

TEST_CASE("B1: ∂T/∂q at the start, by complex step to rounding") {
  const Mechanism m = compile(chain_b1());
  const double expected[] = {0, 0.232981555861, 0.144358321837, 0.159341986111, -0.177968518699};
  std::vector<double> dT(5);
  Energy energy(m);
  energy.gradient_by_complex_step(m.start.q.data(), m.start.u.data(), dT.data());
  for (size_t i = 0; i < 5; ++i) CHECK(std::fabs(dT[i] - expected[i]) < 1e-12);  // 12 decimals
}

TEST_CASE(
    "B1: the error of differences falls with the square of the step, then rounding takes over") {
  const Mechanism m = compile(chain_b1());
  std::vector<double> exact(5), dT(5);
  Energy energy(m);
  energy.gradient_by_complex_step(m.start.q.data(), m.start.u.data(), exact.data());
  const auto error = [&](double h) {
    energy.difference_step = h;
    energy.gradient_by_differences(m.start.q.data(), m.start.u.data(), dT.data());
    return largest_difference(dT, exact) / largest_entry(exact);
  };
  CHECK(near(error(1e-3) / error(1e-4), 100, 0.02));  // next term: h⁴
  // known from other chains: 1.1e-9 at 1e-4, 2e-11 at 1e-5 as the best, 2.7e-10 at 1e-6
  CHECK(error(1e-4) > 0.5e-9);
  CHECK(error(1e-4) < 4e-9);
  CHECK(error(1e-5) < 2e-10);
  CHECK(error(1e-5) < 0.1 * error(1e-4));  // still falling
  CHECK(error(1e-6) > 3 * error(1e-5));    // rounding over the step
  CHECK(error(1e-6) < 2e-9);
}

TEST_CASE("B1: differences to one side never come near, whatever the step") {
  const Mechanism m = compile(chain_b1());
  std::vector<double> exact(5);
  Energy energy(m);
  const double* u = m.start.u.data();
  energy.gradient_by_complex_step(m.start.q.data(), u, exact.data());
  double best = 1;
  for (double h = 1e-4; h > 1e-11; h /= 2) {
    double worst = 0;
    for (size_t i = 0; i < 5; ++i) {
      std::vector<double> q = m.start.q;
      const double at = energy.kinetic(q.data(), u);
      q[i] += h;
      worst = std::max(worst, std::fabs((energy.kinetic(q.data(), u) - at) / h - exact[i]));
    }
    best = std::min(best, worst / largest_entry(exact));
  }
  CHECK(best > 5e-9);  // known: 4e-8; rounding of T over the best step, √ε
}

TEST_CASE("∂T/∂q: differences, complex steps and the recursion agree on every holonomic joint") {
  for (int seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    Model model = random_tree(r, 2 + seed % 9);
    for (JointSpec& j : model.joints)
      if (j.type == JointType::knife_edge || j.type == JointType::rolling_disk)
        j.type = JointType::planar;
    const Mechanism m = compile(model);
    if (m.nu == 0) continue;
    const Coordinates c = random_state(r, m);
    const auto recursion = kinetic_rates(m, c, {}),
               complex = kinetic_rates(m, c, {"recursive", "complex", {}, ""}),
               differences = kinetic_rates(m, c, {"literal", "literal", {}, ""}),
               mixed = kinetic_rates(m, c, {"literal", "recursive", {}, ""});
    const double scale = 1 + largest_entry(recursion);
    // exact but for rounding, as recursion is
    CHECK(largest_difference(complex, recursion) < 1e-12 * scale);
    CHECK(largest_difference(mixed, recursion) < 1e-11 * scale);  // velocities by another solution
    CHECK(largest_difference(differences, recursion) < 1e-8 * scale);  // 2e-11 and conditioning
  }
}

TEST_CASE("prescribed joints: the energy matrix gives the same momenta and rates") {
  Model model = chain_b1();
  model.joints[1].motion = {formula("0.1 + 0.5*sin(3*t)")};
  model.joints[1].q.reset(), model.joints[1].u.reset();
  const Mechanism m = compile(model);
  const auto rate_at = [&](const FormulationOptions& options) {
    const auto f = make_formulation("hamiltonian", m, options);
    std::vector<double> y(f->size()), rate = y;
    f->begin({0.2, m.start.q, m.start.u, {}}, y);
    REQUIRE(f->derivative(0.2, y, rate));
    return rate;
  };
  const auto expected = rate_at({});
  // twelve decimals are given, of numbers up to 50; differences of energies leave eight
  CHECK(largest_difference(rate_at({"literal", "complex", {}, ""}), expected) < 1e-12 * 50);
  CHECK(largest_difference(rate_at({"literal", "literal", {}, ""}), expected) < 1e-8);
}

TEST_CASE("options that do not fit are refused, with the joint or the word and what to do") {
  const Mechanism b1 = compile(chain_b1());
  CHECK_THROWS_WITH_AS(make_formulation("recursive", b1, {"literal", "", {}, ""}),
                       doctest::Contains("hamiltonian"), Error);
  CHECK_THROWS_WITH_AS(make_formulation("hamiltonian", b1, {"literl", "", {}, ""}),
                       doctest::Contains("literal"), Error);
  Model sleigh;
  sleigh.bodies = {reference_body(1)};
  JointSpec edge;
  edge.name = "edge";
  edge.type = JointType::knife_edge;
  edge.child = "b1";
  edge.axis2 = {1, 0, 0};
  sleigh.joints = {edge};
  const Mechanism m = compile(sleigh);
  CHECK_THROWS_WITH_AS(make_formulation("hamiltonian", m, {"literal", "", {}, ""}),
                       doctest::Contains("edge"), Error);
  CHECK_NOTHROW(make_formulation("hamiltonian", m, {"literal", "recursive", {}, ""}));
}
