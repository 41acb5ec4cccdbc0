#include "sarrus/linear/linear_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/MatrixFunctions>

#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/dense/triangular.hpp"
#include "sarrus/numerics/eigen_maps.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;

constexpr int most_coupled = 600;  // modes whose exponential is formed

Error no_response(const char* code, const std::string& message, const std::string& hint) {
  return {Fault::usage,
          Diagnostic{.code = code, .element = "response", .message = message, .hint = hint}};
}

/// VᵀDV with the ratios of the user on its diagonal.
Mat modal_damping(const LinearModes& m, const ResponseOptions& o) {
  const int k = m.size();
  Mat D = m.D.rows == k ? Mat(map(m.D)) : Mat::Zero(k, k);
  for (int i = 0; i < k && !o.ratios.empty(); ++i) {
    const double ratio = o.ratios[std::min(static_cast<size_t>(i), o.ratios.size() - 1)];
    if (o.ratios.size() > 1 && static_cast<size_t>(i) >= o.ratios.size()) break;
    D(i, i) += 2 * ratio * m.omega(i);
  }
  return D;
}

bool is_uncoupled(const Mat& D) {
  Mat off = D;
  off.diagonal().setZero();
  return off.cwiseAbs().maxCoeff() <= 1e-12 * divisor(D.diagonal().cwiseAbs().maxCoeff());
}

/// The rows of T V that are wanted.
Mat output_rows(const LinearModes& m, const std::vector<int>& outputs) {
  Mat Phi(static_cast<Eigen::Index>(outputs.size()), m.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    for (int j = 0; j < m.size(); ++j)
      Phi(static_cast<Eigen::Index>(i), j) = m.shapes(outputs[i], j);
  return Phi;
}

/// (5) for unit loads at single coordinates: columns of outputs. Empty where it does not apply.
Mat correction(const Reduction& r, const LinearModes& m, const std::vector<int>& loaded,
               const std::vector<int>& outputs, std::vector<Diagnostic>& notes) {
  if (m.all || loaded.empty()) return {};
  const auto none = [&](const std::string& why) {
    notes.push_back({.severity = Severity::note,
                     .code = "no-static-correction",
                     .element = "response",
                     .message = "what the modes left out add statically is not there: " + why});
    return Mat();
  };
  if (m.rigid > 0) return none("there are motions without stiffness");
  if (r.freedoms() > most_dense_columns) return none(fmt::format("{} freedoms", r.freedoms()));
  const Mat T = map(r.T), V = map(m.vectors);
  Mat Tl(static_cast<Eigen::Index>(loaded.size()), T.cols());
  for (size_t i = 0; i < loaded.size(); ++i)
    Tl.row(static_cast<Eigen::Index>(i)) = T.row(loaded[i]);
  Mat q = Lu(map(r.K)).solve(Tl.transpose());
  Vec inverse(m.size());
  for (int i = 0; i < m.size(); ++i) inverse[i] = 1 / m.lambda[i];
  q -= V * (inverse.asDiagonal() * (V.transpose() * Tl.transpose()));
  Mat z = T * q, out(static_cast<Eigen::Index>(outputs.size()), z.cols());
  for (size_t i = 0; i < outputs.size(); ++i)
    out.row(static_cast<Eigen::Index>(i)) = z.row(outputs[i]);
  return out;
}

/// One step of length h for uncoupled modes. (2)
class Uncoupled {
 public:
  Uncoupled(const LinearModes& m, const Mat& D, double h) : h_(h) {
    for (int i = 0; i < m.size(); ++i) mode_.push_back(coefficients(m.lambda[i], D(i, i), h));
  }
  void step(const Vec& p0, const Vec& p1, Vec& y, Vec& v) const {
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      const Mode& c = mode_[i];
      const double y0 = y[i], v0 = v[i], a = (p1[i] - p0[i]) / h_;
      y[i] = c.yy * y0 + c.yv * v0 + c.yp * p0[i] + c.ya * a;
      v[i] = c.vy * y0 + c.vv * v0 + c.vp * p0[i] + c.va * a;
    }
  }

 private:
  struct Mode {
    double yy, yv, yp, ya, vy, vv, vp, va;
  };
  /// The exponential of the one mode with its load: exact for every k and d, from the series of its
  /// own scale.
  static Mode coefficients(double k, double d, double h) {
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();  // y, v, p, a
    A(0, 1) = 1;
    A(1, 0) = -k, A(1, 1) = -d, A(1, 2) = 1;
    A(2, 3) = 1;
    if (k > 0 && d * d < 3.96 * k) return oscillation(std::sqrt(k), d, h);
    const Eigen::Matrix4d E = (A * h).exp();
    return {E(0, 0), E(0, 1), E(0, 2), E(0, 3), E(1, 0), E(1, 1), E(1, 2), E(1, 3)};
  }
  static Mode oscillation(double w, double d, double h) {
    const double z = d / (2 * w), wd = w * std::sqrt(1 - z * z), e = std::exp(-z * w * h);
    const double c = std::cos(wd * h), s = std::sin(wd * h);
    const auto at = [&](double y0, double v0, double p0, double a, double& y1, double& v1) {
      const double B1 = a / (w * w), B0 = p0 / (w * w) - 2 * z * a / (w * w * w);
      const double c1 = y0 - B0, c2 = (v0 - B1 + z * w * c1) / wd;  // (2)
      y1 = e * (c1 * c + c2 * s) + B0 + B1 * h;
      v1 = e * (wd * (-c1 * s + c2 * c) - z * w * (c1 * c + c2 * s)) + B1;
    };
    Mode m{};
    at(1, 0, 0, 0, m.yy, m.vy), at(0, 1, 0, 0, m.yv, m.vv);
    at(0, 0, 1, 0, m.yp, m.vp), at(0, 0, 0, 1, m.ya, m.va);
    return m;
  }
  double h_;
  std::vector<Mode> mode_;
};

/// (3): one step as a matrix on [y; ẏ; p₀; a].
class Coupled {
 public:
  Coupled(const LinearModes& m, const Mat& D, double h) : h_(h) {
    const Eigen::Index k = m.size();
    Mat A = Mat::Zero(4 * k, 4 * k);
    A.block(0, k, k, k).setIdentity();
    for (Eigen::Index i = 0; i < k; ++i) A(k + i, i) = -m.lambda[i];
    A.block(k, k, k, k) = -D;
    A.block(k, 2 * k, k, k).setIdentity();
    A.block(2 * k, 3 * k, k, k).setIdentity();
    E_ = Mat((A * h).exp()).topRows(2 * k);
  }
  void step(const Vec& p0, const Vec& p1, Vec& y, Vec& v) const {
    const Eigen::Index k = y.size();
    Vec x(4 * k);
    x << y, v, p0, (p1 - p0) / h_;
    const Vec next = E_ * x;
    y = next.head(k), v = next.tail(k);
  }

 private:
  double h_;
  Mat E_;
};

/// z_p and its effect on the right-hand side of (1), for unit values of single right-hand sides d.
struct Supports {
  Mat z, Mz, Dz, Kz;  // P × columns
};

Supports supports(const LinearSystem& s, const Reduction& r, const std::vector<int>& rows) {
  Supports found;
  const auto P = static_cast<Eigen::Index>(s.size()), n = static_cast<Eigen::Index>(rows.size());
  found.z = found.Mz = found.Dz = found.Kz = Mat::Zero(P, n);
  std::vector<double> d(s.C.rows, 0.0);
  for (Eigen::Index j = 0; j < n; ++j) {
    d[rows[j]] = 1;
    // a redundant row alone contradicts the others; their common motion is what counts, and the
    // particular solution reads the rows kept only
    std::vector<double> z = particular_solution(s, r, d);
    d[rows[j]] = 0;
    found.z.col(j) = map(z);
    found.Mz.col(j) = map(s.M) * map(z);
    found.Kz.col(j) = map(s.K) * map(z);
    if (!s.D.empty()) found.Dz.col(j) = map(s.D) * map(z);
  }
  return found;
}

/// Row i of a table.
Vec row_of(const Matrix& A, int i) {
  Vec x(A.cols);
  for (int j = 0; j < A.cols; ++j) x[j] = A(i, j);
  return x;
}

struct ModalState {
  Vec y, v, a;  // positions, velocities and accelerations of the modes
};

/// The right side of (1) at every step.
class ModalLoads {
 public:
  ModalLoads(const LinearSystem& s, const Reduction& r, const LinearModes& m, const Loads& forces,
             const Loads& right_sides)
      : Z(forces), d(right_sides), base(supports(s, r, right_sides.where)), n_(m.size()) {
    const Mat Phi = map(m.shapes);
    shape_.resize(static_cast<Eigen::Index>(Z.where.size()), n_);
    for (size_t i = 0; i < Z.where.size(); ++i)
      shape_.row(static_cast<Eigen::Index>(i)) = Phi.row(Z.where[i]);
    M_ = Phi.transpose() * base.Mz, D_ = Phi.transpose() * base.Dz, K_ = Phi.transpose() * base.Kz;
  }
  Vec at(int step) const {
    Vec p = Vec::Zero(n_);
    if (!Z.where.empty()) p += shape_.transpose() * row_of(Z.value, step);
    if (!d.where.empty())
      p -= M_ * row_of(d.second, step) + D_ * row_of(d.rate, step) + K_ * row_of(d.value, step);
    return p;
  }

  const Loads &Z, &d;
  const Supports base;

 private:
  Eigen::Index n_;
  Mat shape_;      // rows of T V at the forces
  Mat M_, D_, K_;  // what moving supports exert on the modes
};

/// The rows of a history, in the coordinates as given.
class History {
 public:
  History(const LinearSystem& s, const Reduction& r, const LinearModes& m, const TimeGrid& grid,
          const ModalLoads& loads, const std::vector<int>& outputs, const ResponseOptions& o)
      : s_(s),
        r_(r),
        loads_(loads),
        Phi_(output_rows(m, outputs)),
        Phi_all_(map(m.shapes)),
        keeps_Q_(r.freedoms() <= most_full_modes) {
    const int rows = grid.steps + 1;
    h_.grid = grid, h_.outputs = outputs;
    if (o.static_correction) static_ = correction(r, m, loads.Z.where, outputs, h_.notes);
    h_.z = Matrix(rows, static_cast<int>(outputs.size())), h_.zdot = h_.z, h_.zddot = h_.z;
    if (keeps_Q_) h_.Q = Matrix(rows, r.freedoms());
    if (o.reactions) h_.lambda = Matrix(rows, s.C.rows);
    if (o.reactions && s.C.rows > 0) multipliers_.emplace(Mat(map(s.C)).transpose());
  }

  /// Row i, at a step of the loads.
  void add(int i, int step, const ModalState& now) {
    const Vec load = loads_.Z.where.empty() ? Vec() : row_of(loads_.Z.value, step);
    add_motion(i, step, now, load);
    Vec force = Vec::Zero(s_.size());
    for (size_t c = 0; c < loads_.Z.where.size(); ++c)
      force[loads_.Z.where[c]] += load[static_cast<Eigen::Index>(c)];
    if (keeps_Q_) {
      const Vec Q = map(r_.T).transpose() * force;
      for (int c = 0; c < r_.freedoms(); ++c) h_.Q(i, c) = Q[c];
    }
    if (multipliers_) add_multipliers(i, step, now, force);
  }
  TimeHistory take() { return std::move(h_); }

 private:
  void add_motion(int i, int step, const ModalState& now, const Vec& load) {
    Vec z = Phi_ * now.y, zd = Phi_ * now.v, zdd = Phi_ * now.a;
    if (static_.size() > 0) z += static_ * load;
    const Loads& d = loads_.d;
    for (size_t c = 0; c < h_.outputs.size(); ++c) {
      const auto at = static_cast<Eigen::Index>(c);
      if (!d.where.empty()) {
        const Eigen::RowVectorXd zp = loads_.base.z.row(h_.outputs[c]);
        z[at] += zp * row_of(d.value, step), zd[at] += zp * row_of(d.rate, step),
            zdd[at] += zp * row_of(d.second, step);
      }
      h_.z(i, static_cast<int>(c)) = z[at], h_.zdot(i, static_cast<int>(c)) = zd[at],
              h_.zddot(i, static_cast<int>(c)) = zdd[at];
    }
  }

  /// λ of Cᵀ λ = M̄ z̈ + D̄ ż + K̄ z − Z.
  void add_multipliers(int i, int step, const ModalState& now, const Vec& force) {
    const Loads& d = loads_.d;
    Vec z = Phi_all_ * now.y, zd = Phi_all_ * now.v, zdd = Phi_all_ * now.a;
    if (!d.where.empty())
      z += loads_.base.z * row_of(d.value, step), zd += loads_.base.z * row_of(d.rate, step),
          zdd += loads_.base.z * row_of(d.second, step);
    Vec f = map(s_.M) * zdd + map(s_.K) * z - force;
    if (!s_.D.empty()) f += map(s_.D) * zd;
    const Vec lambda = multipliers_->solve(f);
    for (int c = 0; c < s_.C.rows; ++c) h_.lambda(i, c) = lambda[c];
  }

  const LinearSystem& s_;
  const Reduction& r_;
  const ModalLoads& loads_;
  Mat Phi_, Phi_all_;  // shapes at the outputs, and at all coordinates
  Mat static_;         // (5)
  bool keeps_Q_;
  std::optional<LeastSquares> multipliers_;
  TimeHistory h_;
};

void check_damping(const LinearSystem&, const LinearModes& m, const Mat& D) {
  if (!is_uncoupled(D) && m.size() > most_coupled)
    throw no_response("too-many-coupled-modes",
                      fmt::format("{} modes coupled by damping; at most {} are integrated together",
                                  m.size(), most_coupled),
                      "ask for fewer with --modes");
}

}  // namespace

double bend_between(const Loads& loads) {
  double worst = 0;
  for (const Matrix* part : {&loads.value, &loads.rate, &loads.second})
    for (int j = 0; j < part->cols; ++j) {
      double sum = 0, largest = 0;
      for (int i = 0; i < part->rows; ++i) largest = std::max(largest, std::fabs((*part)(i, j)));
      for (int i = 1; i + 1 < part->rows; i += 2)
        sum += std::fabs((*part)(i, j) - 0.5 * ((*part)(i - 1, j) + (*part)(i + 1, j)));
      if (largest > 0) worst = std::max(worst, 2 * sum / (largest * part->rows));
    }
  return worst;
}

TimeHistory time_history(const LinearSystem& s, const Reduction& r, const LinearModes& m,
                         const TimeGrid& grid, const Loads& Z, const Loads& d,
                         std::span<const double> q0, std::span<const double> qdot0,
                         const std::vector<int>& outputs, const ResponseOptions& o) {
  const Mat D = modal_damping(m, o);
  check_damping(s, m, D);
  if (o.reactions && s.size() > most_dense_columns)
    throw no_response("reactions-too-large", fmt::format("reactions of {} coordinates", s.size()),
                      "they are computed for smaller systems");
  const ModalLoads loads(s, r, m, Z, d);
  History history(s, r, m, grid, loads, outputs, o);

  ModalState now{Vec::Zero(m.size()), Vec::Zero(m.size()), Vec()};
  const auto modal_start = [&](std::span<const double> q, Vec& to) {
    if (!q.empty()) to = Mat(map(m.vectors)).transpose() * (map(r.M) * map(q));
  };
  modal_start(q0, now.y), modal_start(qdot0, now.v);

  std::optional<Uncoupled> apart;
  std::optional<Coupled> together;
  if (is_uncoupled(D))
    apart.emplace(m, D, grid.fine().step);
  else
    together.emplace(m, D, grid.fine().step);
  Vec omega2(m.size());
  for (Eigen::Index i = 0; i < omega2.size(); ++i) omega2[i] = m.lambda[i];

  Vec p = loads.at(0);
  for (int i = 0; i <= grid.steps; ++i) {
    const int step = i * grid.within;
    now.a = p - D * now.v - omega2.cwiseProduct(now.y);
    history.add(i, step, now);
    for (int k = step + 1; i < grid.steps && k <= step + grid.within; ++k) {
      const Vec next = loads.at(k);
      if (apart)
        apart->step(p, next, now.y, now.v);
      else
        together->step(p, next, now.y, now.v);
      p = next;
    }
  }
  return history.take();
}

FrequencyResponse frequency_response(const LinearSystem& s, const Reduction& r,
                                     const LinearModes& m, std::span<const double> omega,
                                     std::span<const double> Z, std::span<const double> d,
                                     const std::vector<int>& outputs, const ResponseOptions& o) {
  using Complex = std::complex<double>;
  FrequencyResponse f;
  f.omega.assign(omega.begin(), omega.end());
  f.outputs = outputs;
  const Mat D = modal_damping(m, o), Phi = output_rows(m, outputs), Phi_all = map(m.shapes);
  const bool uncoupled = is_uncoupled(D);
  f.re = Matrix(static_cast<int>(omega.size()), static_cast<int>(outputs.size())), f.im = f.re;

  std::vector<int> loaded;
  Vec sizes(0);
  for (size_t i = 0; i < Z.size(); ++i)
    if (Z[i] != 0) loaded.push_back(static_cast<int>(i));
  sizes.resize(static_cast<Eigen::Index>(loaded.size()));
  for (size_t i = 0; i < loaded.size(); ++i) sizes[static_cast<Eigen::Index>(i)] = Z[loaded[i]];
  const Mat residual = o.static_correction ? correction(r, m, loaded, outputs, f.notes) : Mat();

  Vec pZ = Vec::Zero(m.size());
  if (!Z.empty()) pZ = Phi_all.transpose() * map(Z);
  Vec zp = Vec::Zero(s.size()), pM = Vec::Zero(m.size()), pD = pM, pK = pM;
  if (!d.empty() && max_abs(d) > 0) {
    const std::vector<double> z = particular_solution(s, r, d);
    zp = map(std::span<const double>(z));
    pM = Phi_all.transpose() * (map(s.M) * zp), pK = Phi_all.transpose() * (map(s.K) * zp);
    if (!s.D.empty()) pD = Phi_all.transpose() * (map(s.D) * zp);
  }
  for (size_t i = 0; i < omega.size(); ++i) {
    const double w = omega[i];
    Eigen::VectorXcd p =
        (pZ - pK + w * w * pM).cast<Complex>() - Complex(0, w) * pD.cast<Complex>();
    Eigen::VectorXcd y(m.size());
    if (uncoupled) {
      for (Eigen::Index j = 0; j < y.size(); ++j)
        y[j] = p[j] / Complex(m.lambda[j] - w * w, w * D(j, j));  // (4)
    } else {
      Eigen::MatrixXcd A = Complex(0, w) * D.cast<Complex>();
      for (Eigen::Index j = 0; j < y.size(); ++j) A(j, j) += m.lambda[j] - w * w;
      y = solve_lu(A, p);
    }
    Eigen::VectorXcd z = Phi.cast<Complex>() * y;
    if (residual.size() > 0) z += (residual * sizes).cast<Complex>();
    for (size_t c = 0; c < outputs.size(); ++c) {
      const Complex value = z[static_cast<Eigen::Index>(c)] + zp[outputs[c]];
      f.re(static_cast<int>(i), static_cast<int>(c)) = value.real();
      f.im(static_cast<int>(i), static_cast<int>(c)) = value.imag();
    }
  }
  return f;
}

}  // namespace sarrus
