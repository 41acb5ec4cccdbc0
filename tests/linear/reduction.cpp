// Linear systems under constraints, against closed forms and hand eliminations.
#include "sarrus/linear/reduction.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "sarrus/linear/linear_response.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::printed;
using sarrus::testing::rounding;

namespace {

Matrix diagonal(std::initializer_list<double> values) {
  Matrix A(static_cast<int>(values.size()), static_cast<int>(values.size()));
  int i = 0;
  for (const double x : values) A(i, i) = x, ++i;
  return A;
}

void add_spring(Matrix& K, int a, int b, double k) {
  K(a, a) += k, K(b, b) += k, K(a, b) -= k, K(b, a) -= k;
}

Matrix rows(std::initializer_list<std::initializer_list<double>> values) {
  Matrix A(static_cast<int>(values.size()), static_cast<int>(values.begin()->size()));
  int i = 0;
  for (const auto& row : values) {
    int j = 0;
    for (const double x : row) A(i, j) = x, ++j;
    ++i;
  }
  return A;
}

LinearSystem system_of(const Matrix& M, const Matrix& K, const Matrix& C) {
  LinearSystem s;
  s.M = to_sparse(M), s.K = to_sparse(K), s.C = to_sparse(C);
  return s;
}

/// The chain of refs: x1 x2 x3 | y1 y2 y3 | z, each spring k = 1000, masses 2 (1 where halved).
LinearSystem assembled_chain() {
  Matrix K(7, 7);
  for (const auto& [a, b] : {std::pair{6, 0}, {0, 1}, {1, 2}, {3, 4}, {4, 5}})
    add_spring(K, a, b, 1000);
  return system_of(diagonal({2, 2, 1, 1, 2, 2, 1}), K,
                   rows({{0, 0, 1, -1, 0, 0, 0}, {0, 0, 2, -2, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 1}}));
}

/// Four masses of 1 in a row, springs of 100, damping 0.002 K; the first is moved.
LinearSystem moved_chain() {
  Matrix K(4, 4), D(4, 4);
  for (int i = 0; i < 3; ++i) add_spring(K, i, i + 1, 100), add_spring(D, i, i + 1, 0.2);
  LinearSystem s = system_of(diagonal({1, 1, 1, 1}), K, rows({{1, 0, 0, 0}}));
  s.D = to_sparse(D);
  return s;
}

LinearModes modes_of(const LinearSystem& s, Route route = Route::automatic) {
  ReductionOptions o;
  o.null_space.route = route;
  return linear_modes(s, reduce(s, o));
}

}  // namespace

TEST_CASE("reduction: a chain put together by constraints has the frequencies of the chain") {
  for (const Route route : {Route::jacobi, Route::svd, Route::qr, Route::sparse}) {
    CAPTURE(to_text(route));
    const LinearModes m = modes_of(assembled_chain(), route);
    REQUIRE(m.size() == 5);
    for (int j = 0; j < 5; ++j)  // fixed at one end: 2√(k/m) sin((2j−1)π/(2(2n+1)))
      CHECK(near(m.omega(j), 2 * std::sqrt(500) * std::sin((2 * j + 1) * M_PI / 22), 1e-13));
    for (int j = 0; j < 5; ++j) {  // shapes satisfy the constraints
      CHECK(std::fabs(m.shapes(2, j) - m.shapes(3, j)) < 1e-14);
      CHECK(std::fabs(m.shapes(6, j)) < 1e-14);
    }
  }
}

TEST_CASE("reduction: coordinates that the user names come first, and the others follow") {
  const LinearSystem s = assembled_chain();
  ReductionOptions o;
  o.chosen = to_sparse(rows({{0, 0, 0, 1, 0, 0, 0}, {1, -1, 0, 0, 0, 0, 0}}));
  o.chosen_names = {"y1", "stretch"};
  const Reduction r = reduce(s, o);
  const Matrix ST = multiply(to_dense(o.chosen), to_dense(r.T));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 5; ++j) CHECK(std::fabs(ST(i, j) - (i == j)) < rounding(20));
  CHECK(r.coordinates == std::vector<std::string>{"y1", "stretch", "rest1", "rest2", "rest3"});
  CHECK(near(linear_modes(s, r).omega(0), 6.364513051719087,
             rounding(100)));  // eigenvalues of a matrix of five

  // x3 and y1 are the same under the constraints
  o.chosen = to_sparse(rows({{0, 0, 0, 1, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0}}));
  o.chosen_names = {"y1", "x3"};
  CHECK_THROWS_AS(reduce(s, o), Error);
}

TEST_CASE("reduction: T H is as good as T, and Tᵀz is no longer q") {
  const LinearSystem s = assembled_chain();
  ReductionOptions o;
  Matrix H = Matrix::identity(5);
  H(0, 0) = 3, H(1, 0) = -2, H(4, 2) = 0.5;
  o.H = to_sparse(H);
  const Reduction r = reduce(s, o);
  CHECK_FALSE(r.orthonormal);
  CHECK(near(linear_modes(s, r).omega(4), 42.90983025870857, rounding(100)));
  const std::vector<double> z{1, -2, 3, 3, 0.5, 4, 0};  // satisfies the constraints
  const std::vector<double> q = coordinates_of(r, z), back = multiply(r.T, q);
  CHECK(near(back, z, rounding(40)));
  const std::vector<double> wrong = multiply(r.T, transposed_multiply(r.T, z));
  CHECK(std::fabs(wrong[0] - z[0]) > 0.1);

  H = Matrix(5, 5);
  o.H = to_sparse(H);
  CHECK_THROWS_AS(reduce(s, o), Error);
}

TEST_CASE("reduction: a right-hand side that contradicts itself names the rows") {
  const LinearSystem s = assembled_chain();
  ReductionOptions o;
  o.right_side = {0.5, 1, 0.25};  // the second row is twice the first
  const Reduction r = reduce(s, o);
  const std::vector<double> Cz = multiply(s.C, r.z_particular);
  for (size_t i = 0; i < 3; ++i) CHECK(near(Cz[i], o.right_side[i], rounding(20)));
  o.right_side = {0.5, 0.75, 0.25};
  try {
    reduce(s, o);
    FAIL("was taken");
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::physics);
    CHECK(e.diagnostics().front().message == "c2 = 2 c1, but the right-hand sides differ by -0.25");
  }
}

TEST_CASE("reduction: a direction without mass follows the others statically") {
  // two masses joined through a massless point by springs 2 and 3: as one spring of 6/5
  Matrix K(3, 3);
  add_spring(K, 0, 1, 2), add_spring(K, 1, 2, 3);
  const LinearSystem s = system_of(diagonal({1, 0, 4}), K, Matrix(0, 3));
  const Reduction r = reduce(s);
  CHECK(r.massless == 1);
  const LinearModes m = linear_modes(s, r);
  REQUIRE(m.size() == 2);
  CHECK(m.lambda[0] == 0);
  CHECK(near(m.lambda[1], 1.2 * (1 + 0.25), rounding(8)));
  // the point divides the stretch as the springs do
  CHECK(near((m.shapes(1, 1) - m.shapes(0, 1)) / (m.shapes(2, 1) - m.shapes(0, 1)), 0.6, 1e-13));
}

TEST_CASE("reduction: a mass that is negative in some direction is refused") {
  Matrix M = diagonal({1, 1});
  M(0, 1) = M(1, 0) = 2;
  Matrix K(2, 2);
  add_spring(K, 0, 1, 1);
  CHECK_THROWS_AS(reduce(system_of(M, K, Matrix(0, 2))), Error);
  // unless a constraint forbids that direction: z1 = z2 leaves 1 + 1 + 2·2
  CHECK(near(to_dense(reduce(system_of(M, K, rows({{1, -1}}))).M)(0, 0), 3, 1e-14));
}

TEST_CASE("damping: one mass has the λ of its quadratic equation") {
  LinearSystem s = system_of(diagonal({2}), diagonal({50}), Matrix(0, 1));
  s.D = to_sparse(diagonal({3}));
  const LinearModes m = modes_of(s);
  REQUIRE(m.damped.size() == 1);
  CHECK(near(m.damped[0].re, -0.75, rounding(20)));
  CHECK(near(m.damped[0].im, std::sqrt(25 - 0.5625), rounding(20)));
  CHECK(near(m.damped[0].ratio, 0.15, rounding(20)));
}

TEST_CASE("frequency response: a chain whose end is moved answers as the partitioned system") {
  const LinearSystem s = moved_chain();
  const Reduction r = reduce(s);
  const LinearModes m = linear_modes(s, r);
  const double w[] = {5};
  const std::vector<double> d{0.01};
  const FrequencyResponse f = frequency_response(s, r, m, w, {}, d, {0, 1, 2, 3});
  const double due[] = {0.01, 0.01537959, 0.03689844, 0.04919601};  // by NumPy, eliminated by hand
  for (int j = 0; j < 4; ++j) CHECK(near(std::hypot(f.re(0, j), f.im(0, j)), due[j], printed(7)));
}

TEST_CASE("time history: a harmonic force leaves the amplitude of the frequency response") {
  LinearSystem s = moved_chain();
  const Reduction r = reduce(s);
  const LinearModes m = linear_modes(s, r);
  const double w = 7;
  const ResponseOptions o{.ratios = {0.1}};
  const TimeGrid grid{0, 1e-3, 60000};  // the free vibration is down by e⁻²⁷
  Loads Z{{3}, Matrix(grid.steps + 1, 1), {}, {}};
  for (int i = 0; i <= grid.steps; ++i) Z.value(i, 0) = std::cos(w * grid.at(i));
  const TimeHistory h = time_history(s, r, m, grid, Z, {}, {}, {}, {3}, o);
  const std::vector<double> force{0, 0, 0, 1};
  const double omega[] = {w};
  const FrequencyResponse f = frequency_response(s, r, m, omega, force, {}, {3}, o);
  double most = 0;
  for (int i = grid.steps - 2000; i <= grid.steps; ++i) most = std::max(most, std::fabs(h.z(i, 0)));
  // the force is linear over a step: an error of (wh)²/12
  CHECK(near(most, std::hypot(f.re(0, 0), f.im(0, 0)), 1e-5));
}

TEST_CASE("time history: steps of any length agree where the load is linear") {
  LinearSystem s = moved_chain();
  for (const bool damped : {true, false}) {
    if (!damped) s.D = {};
    const Reduction r = reduce(s);
    const LinearModes m = linear_modes(s, r);
    const auto end = [&](int steps) {
      const TimeGrid grid{0, 2.0 / steps, steps};
      Loads Z{{1}, Matrix(steps + 1, 1), {}, {}};
      for (int i = 0; i <= steps; ++i) Z.value(i, 0) = 3 - grid.at(i);
      const std::vector<double> q0 = coordinates_of(r, std::vector<double>{0, 0.1, -0.2, 0.3}),
                                v0 = coordinates_of(r, std::vector<double>{0, 1, 0, -1});
      return time_history(s, r, m, grid, Z, {}, q0, v0, {3}).z(steps, 0);
    };
    // sines of angles up to 100
    CHECK(near(end(1), end(64), 1e-12));
    CHECK(near(end(7), end(64), 1e-12));
  }
}

TEST_CASE("time history: damping that couples modes gives the same by exponential and by modes") {
  LinearSystem s = moved_chain();
  const Reduction r = reduce(s);
  LinearModes m = linear_modes(s, r);
  const TimeGrid grid{0, 0.05, 100};
  Loads Z{{2}, Matrix(101, 1), {}, {}};
  for (int i = 0; i <= 100; ++i) Z.value(i, 0) = std::sin(0.3 * i);
  const TimeHistory apart = time_history(s, r, m, grid, Z, {}, {}, {}, {1, 2, 3});
  // an entry beyond rounding makes the modes count as coupled, and changes nothing else
  m.D(0, 1) += 1e-9;
  const TimeHistory together = time_history(s, r, m, grid, Z, {}, {}, {}, {1, 2, 3});
  for (int j = 0; j < 3; ++j)
    CHECK(near(together.z(100, j), apart.z(100, j), 1e-9));  // what the entry of 1e-9 changes
}

TEST_CASE("time history: without stiffness a force gives p t²/2") {
  const LinearSystem s = system_of(diagonal({1, 3}), Matrix(2, 2), rows({{1, -1}}));
  const Reduction r = reduce(s);
  const LinearModes m = linear_modes(s, r);
  CHECK(m.rigid == 1);
  const TimeGrid grid{0, 0.5, 8};
  Loads Z{{0}, Matrix(9, 1), {}, {}};
  for (int i = 0; i < 9; ++i) Z.value(i, 0) = 2;
  const TimeHistory h = time_history(s, r, m, grid, Z, {}, {}, {}, {1});
  for (int i = 0; i < 9; ++i) CHECK(near(h.z(i, 0), 0.25 * grid.at(i) * grid.at(i), rounding(20)));
}

TEST_CASE("time history: what modes left out add statically is added") {
  const int n = 12;
  Matrix K(n, n), M = Matrix::identity(n);
  for (int i = 0; i + 1 < n; ++i) add_spring(K, i, i + 1, 1);
  K(0, 0) += 1;
  const LinearSystem s = system_of(M, K, Matrix(0, n));
  const Reduction r = reduce(s);
  const LinearModes all = linear_modes(s, r), some = linear_modes(s, r, {.modes = 4});
  const double w[] = {0.05};
  std::vector<double> force(n, 0.0);
  force[7] = 1;
  std::vector<int> outputs;
  for (int i = 0; i < n; ++i) outputs.push_back(i);
  const auto error = [&](bool corrected) {
    const FrequencyResponse a = frequency_response(s, r, all, w, force, {}, outputs),
                            b = frequency_response(s, r, some, w, force, {}, outputs,
                                                   {.ratios = {}, .static_correction = corrected});
    double most = 0;
    for (int j = 0; j < n; ++j) most = std::max(most, std::fabs(a.re(0, j) - b.re(0, j)));
    return most;
  };
  CHECK(error(false) > 0.1);
  CHECK(error(true) < 1e-3);  // what remains is (ω/ω₅)² of it
}

TEST_CASE("reactions: what a constraint transmits holds a hanging load") {
  // two equal masses tied together; one is pulled by 6: the tie carries half
  LinearSystem s = system_of(diagonal({1, 1}), Matrix(2, 2), rows({{1, -1}}));
  const Reduction r = reduce(s);
  const LinearModes m = linear_modes(s, r);
  Loads Z{{0}, Matrix(3, 1), {}, {}};
  for (int i = 0; i < 3; ++i) Z.value(i, 0) = 6;
  const TimeHistory h = time_history(s, r, m, {0, 0.1, 2}, Z, {}, {}, {}, {0},
                                     {.ratios = {}, .static_correction = true, .reactions = true});
  for (int i = 0; i < 3; ++i) CHECK(near(h.lambda(i, 0), -3, rounding(20)));
}

TEST_CASE("closed forms: chains, free and fixed, to 1e-12") {
  for (const int n : {5, 40, 200}) {
    Matrix K(n, n);
    for (int i = 0; i + 1 < n; ++i) add_spring(K, i, i + 1, 1000);
    Matrix M(n, n);
    for (int i = 0; i < n; ++i) M(i, i) = 2;
    const auto check = [&](const Matrix& stiffness, const auto& angle) {
      const LinearModes m = modes_of(system_of(M, stiffness, Matrix(0, n)));
      for (int j = 1; j <= n; ++j) {
        const double due = 2 * std::sqrt(500) * std::sin(angle(j));
        CHECK(std::fabs(m.omega(j - 1) - due) <=
              1e-11 * due);  // 1e-16 of the largest eigenvalue beside the smallest
      }
    };
    check(K, [&](int j) { return (j - 1) * M_PI / (2 * n); });
    Matrix fixed = K;
    fixed(0, 0) += 1000;
    check(fixed, [&](int j) { return (2 * j - 1) * M_PI / (2 * (2 * n + 1)); });
    fixed(n - 1, n - 1) += 1000;
    check(fixed, [&](int j) { return j * M_PI / (2 * (n + 1)); });
  }
}

TEST_CASE("closed forms: beams from Legendre polynomials under end constraints, to 1e-10") {
  // w = Σ a_j P_j(x) on −1 … 1, EI = ρA = 1, length 2: M = 2/(2j+1), K = ∫ P″ P″ exactly
  const int n = 17;
  // coefficients of P″ in Legendre polynomials: P′_j = Σ (2k+1) P_k, k = j−1, j−3, …
  Matrix dP(n, n);
  for (int j = 0; j < n; ++j)
    for (int k = j - 1; k >= 0; k -= 2) dP(k, j) = 2 * k + 1;
  const Matrix ddP = multiply(dP, dP);
  Matrix M(n, n), K(n, n);
  for (int j = 0; j < n; ++j) M(j, j) = 2.0 / (2 * j + 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) K(i, j) += ddP(k, i) * M(k, k) * ddP(k, j);
  const auto end = [&](bool left, bool slope) {  // P_j(±1) = (±1)^j, P′_j(±1) = (±1)^(j+1) j(j+1)/2
    std::vector<double> row;
    for (int j = 0; j < n; ++j) {
      const double sign = left && (j + slope) % 2 != 0 ? -1 : 1;
      row.push_back(sign * (slope ? j * (j + 1) / 2.0 : 1));
    }
    return row;
  };
  const auto betas = [&](const std::vector<std::vector<double>>& constraints) {
    Matrix C(static_cast<int>(constraints.size()), n);
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < n; ++j) C(i, j) = constraints[i][j];
    const LinearModes m = modes_of(system_of(M, K, C));
    std::vector<double> found;
    for (int i = m.rigid; i < m.size(); ++i)
      found.push_back(2 * std::sqrt(m.omega(i)));  // β L, L = 2
    return found;
  };
  // roots of cos βL cosh βL = −1, = 1, tan βL = tanh βL, sin βL = 0
  const double clamped[] = {1.8751040687119611, 4.694091132974175, 7.854757438237613};
  const double free[] = {4.730040744862704, 7.853204624095838, 10.995607838001671};
  const double propped[] = {3.926602312047919, 7.068582745628732, 10.21017612281303};
  const double pinned[] = {M_PI, 2 * M_PI, 3 * M_PI};
  const auto meets = [](const std::vector<double>& found, const double* due) {
    for (size_t i = 0; i < 3; ++i)
      CHECK(near(found[i], due[i], 1e-11));  // fourth powers of ten functions' eigenvalues
  };
  meets(betas({end(true, false), end(true, true)}), clamped);
  meets(betas({}), free);
  meets(betas({end(true, false), end(true, true), end(false, false), end(false, true)}), free);
  meets(betas({end(true, false), end(true, true), end(false, false)}), propped);
  meets(betas({end(true, false), end(false, false)}), pinned);
  // said twice, the clamp is the same clamp
  meets(betas({end(true, false), end(true, true), end(true, false), end(true, true)}), clamped);
}
