#include "sarrus/markers/marker_motion.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "sarrus/core/random.hpp"
#include "sarrus/joints/reading.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {
namespace {

constexpr size_t left_out = 5;      // samples at each end: splines are uncertain there
constexpr size_t fewest = 20;       // samples
constexpr double collinear = 1e-6;  // ratio of extents
constexpr int repetitions = 4;      // of the trial with added noise

Vec3 mean(const std::vector<Vec3>& points) {
  Vec3 sum{};
  for (const Vec3& p : points) sum += p;
  return sum * (1.0 / static_cast<double>(points.size()));
}

/// The best R, r with p ≈ R b + r.
Pose<double> fit(const std::vector<Vec3>& b, const std::vector<Vec3>& p, bool plane) {
  const Vec3 cb = mean(b), cp = mean(p);
  Mat3 R;
  if (plane) {
    double along = 0, across = 0;
    for (size_t i = 0; i < b.size(); ++i) {
      const Vec3 q = b[i] - cb, d = p[i] - cp;
      along += q.x * d.x + q.y * d.y;
      across += q.x * d.y - q.y * d.x;
    }
    R = rotation(Vec3{0, 0, 1}, std::atan2(across, along));
  } else {
    Eigen::Matrix3d H = Eigen::Matrix3d::Zero();
    for (size_t i = 0; i < b.size(); ++i) {
      const Vec3 q = b[i] - cb, d = p[i] - cp;
      H += Eigen::Vector3d(q.x, q.y, q.z) * Eigen::RowVector3d(d.x, d.y, d.z);
    }
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(H, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix3d S = Eigen::Matrix3d::Identity();
    S(2, 2) = (svd.matrixV() * svd.matrixU().transpose()).determinant() < 0 ? -1 : 1;
    const Eigen::Matrix3d E = svd.matrixV() * S * svd.matrixU().transpose();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) R(i, j) = E(i, j);
  }
  return {R, cp - R * cb};
}

/// x, y, z, c, b, a of a pose, angles continued.
std::vector<double> coordinates(const Pose<double>& X, bool plane,
                                const std::vector<double>& before) {
  const double c = std::atan2(X.R(1, 0), X.R(0, 0));
  std::vector<double> q = plane ? std::vector<double>{X.p.x, X.p.y, c}
                                : std::vector<double>{X.p.x,
                                                      X.p.y,
                                                      X.p.z,
                                                      c,
                                                      std::asin(std::clamp(-X.R(2, 0), -1.0, 1.0)),
                                                      std::atan2(X.R(2, 1), X.R(2, 2))};
  for (size_t k = plane ? 2 : 3; k < q.size() && !before.empty(); ++k)
    q[k] = continued(q[k], before[k]);
  return q;
}

Mat3 rotation_of(const std::vector<double>& q, bool plane) {
  if (plane) return rotation(Vec3{0, 0, 1}, q[2]);
  return rotation(Vec3{0, 0, 1}, q[3]) * rotation(Vec3{0, 1, 0}, q[4]) *
         rotation(Vec3{1, 0, 0}, q[5]);
}

std::vector<Vec3> sample(const MarkerTracks& tracks, size_t row) {
  std::vector<Vec3> p;
  for (const std::vector<Vec3>& track : tracks.p) p.push_back(track[row]);
  return p;
}

/// Coordinates of all samples, one list per coordinate.
std::vector<std::vector<double>> fitted(const MarkerTracks& tracks, MarkerMotion* out) {
  std::vector<std::vector<double>> q(tracks.plane ? 3 : 6);
  std::vector<double> before;
  std::vector<double> squares(tracks.p.size(), 0);
  double lock = 1;
  for (size_t row = 0; row < tracks.t.size(); ++row) {
    const std::vector<Vec3> p = sample(tracks, row);
    const Pose<double> X = fit(tracks.on_body, p, tracks.plane);
    before = coordinates(X, tracks.plane, before);
    for (size_t k = 0; k < q.size(); ++k) q[k].push_back(before[k]);
    if (!tracks.plane) lock = std::min(lock, std::cos(before[4]));
    for (size_t i = 0; i < p.size(); ++i) {
      const Vec3 d = p[i] - X * tracks.on_body[i];
      squares[i] += dot(d, d);
    }
  }
  if (!out) return q;
  const auto rows = static_cast<double>(tracks.t.size());
  double sum = 0;
  for (size_t i = 0; i < squares.size(); ++i) {
    sum += squares[i];
    const double own = std::sqrt(squares[i] / rows);
    if (own > out->worst_residual)
      out->worst_residual = own, out->worst_marker = static_cast<int>(i);
  }
  out->residual = std::sqrt(sum / (rows * static_cast<double>(squares.size())));
  out->nearest_lock = lock;
  return q;
}

double noise_of(const MarkerTracks& tracks) {
  double sum = 0;
  int count = 0;
  for (const std::vector<Vec3>& track : tracks.p)
    for (int axis = 0; axis < (tracks.plane ? 2 : 3); ++axis, ++count) {
      std::vector<double> y;
      for (const Vec3& p : track) y.push_back(p[axis]);
      sum += std::pow(estimated_noise(y), 2);
    }
  return std::sqrt(sum / count);
}

/// Variances of the coordinates of one sample from that of the markers.
///   of the origin σ² (1/n + |c|²/J), of an angle σ²/J,  J = Σ |b − c|² (per plane of turning)
std::vector<double> variances(const MarkerTracks& tracks, double noise) {
  const Vec3 c = mean(tracks.on_body);
  double J = 0;
  for (const Vec3& b : tracks.on_body) J += dot(b - c, b - c);
  if (!tracks.plane) J *= 2.0 / 3;  // two of three directions count for each axis, on the average
  const double s2 = noise * noise, n = static_cast<double>(tracks.on_body.size());
  const double place = s2 * (1 / n + dot(c, c) / J), angle = s2 / J;
  std::vector<double> v(tracks.plane ? 2 : 3, place);
  v.resize(tracks.plane ? 3 : 6, angle);
  return v;
}

std::vector<SmoothingSpline> splines(const MarkerTracks& tracks,
                                     const std::vector<std::vector<double>>& q, double noise) {
  const std::vector<double> variance = variances(tracks, noise);
  std::vector<SmoothingSpline> out;
  for (size_t k = 0; k < q.size(); ++k) out.emplace_back(tracks.t, q[k], variance[k]);
  return out;
}

/// Sum of twelve uniform numbers, near enough to normal.
double normal(Random& random) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += random.uniform(-0.5, 0.5);
  return sum;
}

MotionAccuracy tried(const MarkerTracks& tracks, const MarkerMotion& found) {
  Random random(20210601);
  // [velocity, acceleration, angular velocity, angular acceleration]: errors and sizes
  double error[4] = {}, size[4] = {};
  const size_t places = tracks.plane ? 2 : 3;
  for (int k = 0; k < repetitions; ++k) {
    MarkerTracks again = tracks;
    for (size_t row = 0; row < tracks.t.size(); ++row) {
      std::vector<double> q;
      for (const SmoothingSpline& f : found.coordinate) q.push_back(f(tracks.t[row]));
      const Pose<double> X{rotation_of(q, tracks.plane), {q[0], q[1], tracks.plane ? 0 : q[2]}};
      for (size_t i = 0; i < again.p.size(); ++i) {
        const Vec3 off{normal(random), normal(random), tracks.plane ? 0 : normal(random)};
        again.p[i][row] = X * tracks.on_body[i] + off * found.noise;
      }
    }
    const std::vector<SmoothingSpline> repeated =
        splines(again, fitted(again, nullptr), found.noise);
    for (size_t row = left_out; row + left_out < tracks.t.size(); ++row)
      for (size_t c = 0; c < repeated.size(); ++c)
        for (int d = 1; d <= 2; ++d) {
          const size_t at = (c < places ? 0u : 2u) + static_cast<size_t>(d - 1);
          const double t = tracks.t[row], is = found.coordinate[c](t, d);
          error[at] += std::pow(repeated[c](t, d) - is, 2);
          size[at] += is * is;
        }
  }
  const auto share = [&](size_t i) { return size[i] > 0 ? std::sqrt(error[i] / size[i]) : 0; };
  return {share(0), share(1), share(2), share(3)};
}

}  // namespace

std::string problem_of(const MarkerTracks& tracks) {
  const size_t needed = tracks.plane ? 2 : 3;
  if (tracks.p.size() < needed)
    return fmt::format("{} markers are given; a body in {} needs at least {}", tracks.p.size(),
                       tracks.plane ? "the plane" : "space", needed);
  if (tracks.p.size() != tracks.on_body.size())
    return fmt::format("the tracks have {} markers, the body has {}", tracks.p.size(),
                       tracks.on_body.size());
  if (tracks.t.size() < fewest)
    return fmt::format("{} samples are given; at least {} are needed", tracks.t.size(), fewest);
  const double step =
      (tracks.t.back() - tracks.t.front()) / static_cast<double>(tracks.t.size() - 1);
  for (size_t i = 1; i < tracks.t.size(); ++i)
    if (const double h = tracks.t[i] - tracks.t[i - 1]; !(std::fabs(h - step) < 1e-3 * step))
      return fmt::format(
          "the times are not equally spaced: {} s follows {} s, where steps of {:.6g} "
          "s are the rule (sample {}); a gap has to be filled or cut off",
          tracks.t[i], tracks.t[i - 1], step, i + 1);
  // extents of the markers on the body
  const Vec3 c = mean(tracks.on_body);
  Eigen::Matrix3d H = Eigen::Matrix3d::Zero();
  for (const Vec3& b : tracks.on_body) {
    const Eigen::Vector3d d(b.x - c.x, b.y - c.y, b.z - c.z);
    H += d * d.transpose();
  }
  const Eigen::Vector3d extent = symmetric_eigenvalues(H);
  if (!(extent[2] > 0)) return "all markers sit at one point of the body";
  if (!tracks.plane && !(extent[1] > collinear * extent[2]))
    return "all markers sit on one line of the body: its rotation about that line is not seen";
  return {};
}

MarkerMotion motion_from(const MarkerTracks& tracks, std::optional<double> noise) {
  MarkerMotion found;
  found.names = tracks.plane ? std::vector<std::string>{"x", "y", "c"}
                             : std::vector<std::string>{"x", "y", "z", "c", "b", "a"};
  found.noise_estimated = !noise.has_value();
  found.noise = noise.value_or(found.noise_estimated ? noise_of(tracks) : 0);
  const std::vector<std::vector<double>> q = fitted(tracks, &found);
  found.coordinate = splines(tracks, q, found.noise);
  found.from = tracks.t[left_out];
  found.to = tracks.t[tracks.t.size() - 1 - left_out];
  found.expected = tried(tracks, found);
  return found;
}

}  // namespace sarrus
