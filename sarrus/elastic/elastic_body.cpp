#include "sarrus/elastic/elastic_body.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/elastic/elastic_modes.hpp"
#include "sarrus/elastic/gram.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {
namespace {

Mat3 outer(const Vec3& a, const Vec3& b) { return {a * b.x, a * b.y, a * b.z}; }

/// φₖ of a sample, zero outside its range.
Vec3 phi_of(const MassSample& s, int k) {
  return k >= s.begin && k < s.end ? s.phi[k - s.begin] : Vec3{};
}

/// g of a sample along the axis `a` of B, between two coordinates.
double second_of(const MassSample& s, int n, int a, int k, int l) {
  double sum = 0;
  for (const SecondOrder& g : s.second)
    sum +=
        g.along[a] * g.g[static_cast<size_t>(k) * static_cast<size_t>(n) + static_cast<size_t>(l)];
  return sum;
}

Vec3 axis(int a) { return {a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0}; }

/// All scalar functions of a sample: c, x, φ, and g for k ≤ l.
Eigen::VectorXd functions_of(const MassSample& s, int n) {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(GramLayout{n}.size());
  z[0] = s.c;
  int i = 1;
  for (int a = 0; a < 3; ++a) z[i++] = s.x[a];
  for (int k = 0; k < n; ++k)
    for (int a = 0; a < 3; ++a) z[i++] = phi_of(s, k)[a];
  for (int k = 0; k < n; ++k)
    for (int l = k; l < n; ++l)
      for (int a = 0; a < 3; ++a) z[i++] = second_of(s, n, a, k, l);
  return z;
}

MassSample sample_of(const Eigen::VectorXd& z, int n) {
  MassSample s;
  s.mass = 1;
  s.c = z[0];
  s.x = {z[1], z[2], z[3]};
  s.end = s.reach = n;
  int i = 4;
  for (int k = 0; k < n; ++k, i += 3) s.phi.push_back({z[i], z[i + 1], z[i + 2]});
  const size_t size = static_cast<size_t>(n) * static_cast<size_t>(n);
  for (int a = 0; a < 3; ++a) s.second.push_back({axis(a), std::vector<double>(size, 0)});
  for (int k = 0; k < n; ++k)
    for (int l = k; l < n; ++l)
      for (int a = 0; a < 3; ++a, ++i)
        for (const int at : {k * n + l, l * n + k}) s.second[a].g[at] = z[i];
  std::erase_if(s.second, [](const SecondOrder& g) {
    return std::all_of(g.g.begin(), g.g.end(), [](double x) { return x == 0; });
  });
  return s;
}

}  // namespace

/// Parts of integrals have no place. If a body has only these, the mean square is used instead: the
/// tip of a cantilever moves by twice its root in every mode, since ∫φ² ds = φ(L)²/4.
double largest_deflection(const ElasticBody& body, const double* q) {
  double largest = 0, squares = 0, mass = 0;
  for (const MassSample& s : body.samples) {
    Vec3 moved{};
    for (int k = s.begin; k < s.end; ++k) moved += phi_of(s, k) * q[k];
    squares += s.mass * dot(moved, moved), mass += s.mass * s.c * s.c;
    if (s.c == 1) largest = std::max(largest, norm(moved));
  }
  return largest > 0 || mass == 0 ? largest : 2 * std::sqrt(squares / mass);
}

std::vector<ElasticMode> elastic_modes(const ElasticBody& body) {
  const auto n = static_cast<size_t>(body.n);
  std::vector<double> q(n, 0), elastic(n * n);
  std::vector<Wrench<double>> coupling(n);
  std::vector<Vec3> scratch(n);
  ElasticInertia<double> inertia{{}, coupling.data(), elastic.data()};
  elastic_inertia(body, q.data(), inertia, scratch.data());
  const Eigen::Map<const Eigen::MatrixXd> M(elastic.data(), body.n, body.n);
  const Eigen::Map<const Eigen::MatrixXd> K(body.K.data(), body.n, body.n);
  const EigenPairs found = symmetric_eigen(K, M);
  std::vector<ElasticMode> modes(n);
  for (Eigen::Index i = 0; i < body.n; ++i) {
    Eigen::Index most = 0;
    (found.vectors.col(i).array().square() * M.diagonal().array()).maxCoeff(&most);
    modes[i] = {std::sqrt(std::max(0.0, found.values[i])), static_cast<int>(most)};
  }
  return modes;
}

std::vector<double> elastic_frequencies(const ElasticBody& body) {
  std::vector<double> frequencies;
  for (const ElasticMode& mode : elastic_modes(body)) frequencies.push_back(mode.frequency);
  return frequencies;
}

void find_invariants(ElasticBody& body) {
  const auto n = static_cast<size_t>(body.n);
  ElasticInvariants v;
  v.S.resize(n), v.Sig_0.resize(n), v.Sig.resize(n * n);
  for (int a = 0; a < 3; ++a) {
    v.A[a].assign(n * n, 0);
    for (int b = 0; b < 3; ++b) v.B[a][b].assign(n * n, 0);
  }
  for (const MassSample& s : body.samples) {
    v.mass += s.mass * s.c * s.c;
    v.s += s.x * (s.mass * s.c);
    v.Sig_00 = v.Sig_00 + outer(s.x, s.x) * s.mass;
    for (int k = s.begin; k < s.end; ++k) {
      const auto K = static_cast<size_t>(k);
      v.S[K] += phi_of(s, k) * (s.mass * s.c);
      v.Sig_0[K] = v.Sig_0[K] + outer(s.x, phi_of(s, k)) * s.mass;
      for (int l = s.begin; l < s.end; ++l) {
        Mat3& S = v.Sig[K * n + static_cast<size_t>(l)];
        S = S + outer(phi_of(s, k), phi_of(s, l)) * s.mass;
      }
    }
    for (const SecondOrder& g : s.second)
      for (int b = 0; b < 3; ++b) {
        if (g.along[b] == 0) continue;
        for (size_t i = 0; i < n * n; ++i) {
          v.A[b][i] += s.mass * s.c * g.along[b] * g.g[i];
          for (int a = 0; a < 3; ++a) v.B[a][b][i] += s.mass * s.x[a] * g.along[b] * g.g[i];
        }
      }
  }
  body.invariants = std::move(v);
}

std::vector<MassSample> compressed(const std::vector<MassSample>& samples, int n) {
  const int size = GramLayout{n}.size();
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(size, size);
  for (const MassSample& s : samples)
    Z.selfadjointView<Eigen::Lower>().rankUpdate(functions_of(s, n), s.mass);
  return samples_of_gram(Z.selfadjointView<Eigen::Lower>(), n);
}

namespace {

/// Z = Σ λ y yᵀ of a matrix that is scaled to a diagonal of ones, so that small functions keep
/// their digits.
struct Factored {
  Eigen::VectorXd scale, lambda;
  Eigen::MatrixXd y;
  double rounding = 0;

  explicit Factored(const Eigen::MatrixXd& Z) : scale(Z.diagonal().cwiseSqrt()) {
    for (double& s : scale)
      if (!(s > 0)) s = 1;
    const EigenPairs found =
        symmetric_eigen(scale.cwiseInverse().asDiagonal() * Z * scale.cwiseInverse().asDiagonal());
    lambda = found.values, y = found.vectors;
    rounding = 1e-15 * static_cast<double>(Z.rows()) * lambda.maxCoeff();
  }
};

}  // namespace

std::vector<MassSample> samples_of_gram(const Eigen::MatrixXd& Z, int n) {
  const Factored f(Z);
  std::vector<MassSample> out;
  for (Eigen::Index j = 0; j < f.lambda.size(); ++j)
    if (f.lambda[j] > f.rounding)
      out.push_back(sample_of(f.scale.asDiagonal() * f.y.col(j) * std::sqrt(f.lambda[j]), n));
  return out;
}

std::vector<MassSample> samples_to_second_order(const Eigen::MatrixXd& Z, int n) {
  const Eigen::Index first = GramLayout{n}.first_order(), rest = Z.rows() - first;
  const Factored f(Z.topLeftCorner(first, first));
  std::vector<MassSample> out;
  for (Eigen::Index j = 0; j < first; ++j) {
    if (!(f.lambda[j] > f.rounding)) continue;
    const double root = std::sqrt(f.lambda[j]);
    Eigen::VectorXd z(Z.rows());
    z.head(first) = f.scale.asDiagonal() * f.y.col(j) * root;
    // g projected on the fields of first order
    z.tail(rest) =
        Z.bottomLeftCorner(rest, first) * f.scale.cwiseInverse().asDiagonal() * f.y.col(j) / root;
    out.push_back(sample_of(z, n));
  }
  return out;
}

namespace {

void turn(std::vector<Vec3>& list, const Mat3& R) {
  for (Vec3& v : list) v = R * v;
}
void turn(std::vector<SecondOrder>& list, const Mat3& R) {
  for (SecondOrder& g : list) g.along = R * g.along;
}

}  // namespace

ElasticBody seen_from(const ElasticBody& body, const Pose<double>& X_BC) {
  ElasticBody out = body;
  for (MassSample& s : out.samples) {
    s.x = X_BC.R * s.x + X_BC.p * s.c;  // a part that does not follow the frame has no place
    turn(s.phi, X_BC.R), turn(s.second, X_BC.R);
  }
  if (out.form == ElasticForm::invariants) find_invariants(out);
  return out;
}

ElasticPlace seen_from(const ElasticPlace& place, const Pose<double>& X_BC) {
  ElasticPlace out = place;
  out.x = X_BC * place.x;
  turn(out.phi, X_BC.R), turn(out.psi, X_BC.R), turn(out.second, X_BC.R);
  return out;
}

}  // namespace sarrus
