// Factorisation and lowest modes of clamped solids: Sarrus beside the libraries that are found.
//
//   bench_sparse [SCALE] [MODES]        SCALE 1: about 100,000 coordinates each
//
// Solids of 8-node bricks, clamped at one end: a slender bar, a plate, a cube. Each contestant gets
// the same K and M, one thread, processor time. Factor: ordering, symbolic and numeric parts of K.
// Modes: the lowest of K x = λ M x, the factorisation included; the error is the largest difference
// from Sarrus' frequencies, and that of a solution is |K x − b| / |b|.
#include <Eigen/Sparse>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "sarrus/elastic/solid_matrices.hpp"
#include "sarrus/numerics/sparse/lanczos.hpp"
#include "sarrus/numerics/sparse/sparse_ldlt.hpp"

#ifdef BENCH_CHOLMOD
#include <Eigen/CholmodSupport>
#endif
#ifdef BENCH_SPECTRA
#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymGEigsShiftSolver.h>
#endif
#ifdef BENCH_MUMPS
#include <dmumps_c.h>
#endif

namespace {

using sarrus::SparseMatrix;
using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Solid {
  std::string name;
  SparseMatrix K, M;
};

/// nx × ny × nz bricks of the given size, clamped at x = 0.
Solid block(const std::string& name, int nx, int ny, int nz, const sarrus::Vec3& size) {
  sarrus::SolidMesh mesh;
  const auto node = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k)
        mesh.nodes.push_back({size.x * i / nx, size.y * j / ny, size.z * k / nz});
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        sarrus::SolidElement e;
        e.type = sarrus::SolidElementType::hex8;
        e.node = {node(i, j, k),
                  node(i + 1, j, k),
                  node(i + 1, j + 1, k),
                  node(i, j + 1, k),
                  node(i, j, k + 1),
                  node(i + 1, j, k + 1),
                  node(i + 1, j + 1, k + 1),
                  node(i, j + 1, k + 1),
                  0,
                  0};
        mesh.elements.push_back(e);
      }
  const sarrus::ElasticMaterial steel{.E = 2.1e11, .G = 2.1e11 / 2.6, .density = 7850};
  const int clamped = 3 * (ny + 1) * (nz + 1);  // the first nodes are those of x = 0
  const auto without_clamp = [&](const SparseMatrix& A) {
    std::vector<sarrus::Entry> kept;
    for (int j = clamped; j < A.cols; ++j)
      for (int at = A.start[size_t(j)]; at < A.start[size_t(j) + 1]; ++at)
        if (A.index[size_t(at)] >= clamped)
          kept.push_back({A.index[size_t(at)] - clamped, j - clamped, A.value[size_t(at)]});
    return sarrus::to_sparse(A.rows - clamped, A.cols - clamped, kept);
  };
  return {name, without_clamp(sarrus::solid_stiffness(mesh, steel)),
          without_clamp(sarrus::three_times(sarrus::solid_mass(mesh, steel.density)))};
}

Sparse to_eigen(const SparseMatrix& A) {
  return Eigen::Map<const Sparse>(A.rows, A.cols, A.nonzeros(), A.start.data(), A.index.data(),
                                  A.value.data());
}

void print(const Solid& solid, const char* task, const char* who, double seconds, double error) {
  std::printf("%s,%d,%s,%s,%.3f,%.1e\n", solid.name.c_str(), solid.K.cols, task, who, seconds,
              error);
  std::fflush(stdout);
}

double residual(const Sparse& K, const Vector& x, const Vector& b) {
  return (K * x - b).norm() / b.norm();
}

void factor_sarrus(const Solid& solid, const Sparse& K, const Vector& b) {
  const double start = cpu_seconds();
  const sarrus::SparseLdlt f(solid.K);
  const double seconds = cpu_seconds() - start;
  Vector x = b;
  f.solve(x.data(), 1);
  print(solid, "factor", "sarrus", seconds, residual(K, x, b));
}

#ifdef BENCH_CHOLMOD
void factor_cholmod(const Solid& solid, const Sparse& K, const Vector& b) {
  const double start = cpu_seconds();
  const Eigen::CholmodSupernodalLLT<Sparse> f(K);
  const double seconds = cpu_seconds() - start;
  print(solid, "factor", "cholmod", seconds, residual(K, f.solve(b), b));
}
#endif

#ifdef BENCH_MUMPS
void factor_mumps(const Solid& solid, const Sparse& K, const Vector& b) {
  std::vector<int> rows, cols;
  std::vector<double> values;
  for (int j = 0; j < K.cols(); ++j)
    for (Sparse::InnerIterator it(K, j); it; ++it)
      if (it.row() >= j) {
        rows.push_back(static_cast<int>(it.row()) + 1);
        cols.push_back(j + 1);
        values.push_back(it.value());
      }
  DMUMPS_STRUC_C id{};
  id.par = 1, id.sym = 1, id.comm_fortran = -987654, id.job = -1;  // definite, no MPI
  dmumps_c(&id);
  for (int i = 0; i < 4; ++i) id.icntl[i] = i == 3 ? 0 : -1;  // quiet
  id.icntl[6] = 5;                                            // METIS where it is there
  id.n = static_cast<int>(K.cols()), id.nnz = static_cast<long long>(values.size());
  id.irn = rows.data(), id.jcn = cols.data(), id.a = values.data();
  const double start = cpu_seconds();
  id.job = 4;  // analysis and factorisation
  dmumps_c(&id);
  const double seconds = cpu_seconds() - start;
  Vector x = b;
  id.rhs = x.data(), id.job = 3;
  dmumps_c(&id);
  print(solid, "factor", "mumps", seconds, residual(K, x, b));
  id.job = -2;
  dmumps_c(&id);
}
#endif

std::vector<double> modes_sarrus(const Solid& solid, int count) {
  const double start = cpu_seconds();
  const sarrus::LanczosResult found = sarrus::lowest_modes(solid.M, solid.K, {.modes = count});
  const double seconds = cpu_seconds() - start;
  print(solid, "modes", "sarrus", seconds, found.residual);
  return found.lambda;
}

#if defined(BENCH_SPECTRA) && defined(BENCH_CHOLMOD)
/// K⁻¹ for Spectra; the shift is 0, since K is definite.
class Inverse {
 public:
  using Scalar = double;
  explicit Inverse(const Sparse& K) : K_(K) {}
  Eigen::Index rows() const { return K_.rows(); }
  Eigen::Index cols() const { return K_.cols(); }
  void set_shift(double) { factor_.compute(K_); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Vector>(y, rows()) = factor_.solve(Eigen::Map<const Vector>(x, rows()));
  }

 private:
  const Sparse& K_;
  Eigen::CholmodSupernodalLLT<Sparse> factor_;
};

void modes_spectra(const Solid& solid, const Sparse& K, const Sparse& M, int count,
                   const std::vector<double>& expected) {
  const double start = cpu_seconds();
  Inverse inverse(K);
  Spectra::SparseSymMatProd<double> mass(M);
  Spectra::SymGEigsShiftSolver<Inverse, Spectra::SparseSymMatProd<double>,
                               Spectra::GEigsMode::ShiftInvert>
      solver(inverse, mass, count, 2 * count + 20, 0.0);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-10, Spectra::SortRule::SmallestAlge);
  const double seconds = cpu_seconds() - start;
  double error = 0;
  for (int i = 0; i < count; ++i)
    error = std::max(error, std::abs(std::sqrt(solver.eigenvalues()(i) / expected[size_t(i)]) - 1));
  print(solid, "modes", "spectra+cholmod", seconds, error);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  const double scale = argc > 1 ? std::atof(argv[1]) : 1;
  const int count = argc > 2 ? std::atoi(argv[2]) : 20;
  const auto n = [&](double full) {
    return std::max(2, static_cast<int>(std::lround(full * std::cbrt(scale))));
  };
  std::printf("solid,coordinates,task,contestant,seconds,error\n");
  const std::function<Solid()> solids[] = {
      [&] {
        return block("bar", n(225), n(11), n(11), {2, 0.1, 0.1});
      },
      [&] {
        return block("plate", n(100), n(80), n(3), {1, 0.8, 0.03});
      },
      [&] {
        return block("cube", n(32), n(31), n(31), {1, 1, 1});
      },
  };
  for (const auto& make : solids) {
    const Solid solid = make();
    const Sparse K = to_eigen(solid.K), M = to_eigen(solid.M);
    const Vector b = Vector::LinSpaced(K.cols(), -1, 1);
    factor_sarrus(solid, K, b);
#ifdef BENCH_CHOLMOD
    factor_cholmod(solid, K, b);
#endif
#ifdef BENCH_MUMPS
    factor_mumps(solid, K, b);
#endif
    const std::vector<double> lambda = modes_sarrus(solid, count);
#if defined(BENCH_SPECTRA) && defined(BENCH_CHOLMOD)
    modes_spectra(solid, K, M, count, lambda);
#endif
  }
}
