#include "sarrus/markers/marker_motion.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "sarrus/core/random.hpp"

using namespace sarrus;
using sarrus::testing::near;

namespace {

double normal(Random& random) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += random.uniform(-0.5, 0.5);
  return sum;
}

/// The coupler of a slider-crank, crank 0.08 m at 9 rad/s, rod 0.35 m.
struct Coupler {
  static constexpr double r = 0.08, l = 0.35, w = 9;
  static double angle(double t) { return -std::asin(r / l * std::sin(w * t)); }
  static Pose<double> pose(double t) {
    return {rotation(Vec3{0, 0, 1}, angle(t)), {r * std::cos(w * t), r * std::sin(w * t), 0}};
  }
};

MarkerTracks coupler_tracks(double rate, double noise, std::uint64_t seed = 3) {
  Random random(seed);
  MarkerTracks tracks;
  tracks.plane = true;
  tracks.on_body = {{0.02, 0.01, 0}, {0.18, -0.02, 0}, {0.33, 0.015, 0}};
  tracks.p.resize(3);
  for (double t = 0; t < 1.4; t += 1 / rate) {
    tracks.t.push_back(t);
    for (size_t i = 0; i < 3; ++i)
      tracks.p[i].push_back(Coupler::pose(t) * tracks.on_body[i] +
                            Vec3{noise * normal(random), noise * normal(random), 0});
  }
  return tracks;
}

/// Relative root mean squares of the errors of velocity, acceleration of the origin, and of the
/// angle's derivatives.
std::array<double, 4> errors(const MarkerMotion& m) {
  constexpr double r = Coupler::r, w = Coupler::w;
  std::array<double, 4> error{}, size{};
  for (double t = m.from; t < m.to; t += 1e-3) {
    const double h = 1e-4;
    const Vec3 v{-r * w * std::sin(w * t), r * w * std::cos(w * t), 0};
    const Vec3 a{-r * w * w * std::cos(w * t), -r * w * w * std::sin(w * t), 0};
    const double a0 = Coupler::angle(t), ap = Coupler::angle(t + h), am = Coupler::angle(t - h);
    const double exact[4][2] = {
        {v.x, v.y}, {a.x, a.y}, {(ap - am) / (2 * h), 0}, {(ap - 2 * a0 + am) / (h * h), 0}};
    const double found[4][2] = {{m.coordinate[0](t, 1), m.coordinate[1](t, 1)},
                                {m.coordinate[0](t, 2), m.coordinate[1](t, 2)},
                                {m.coordinate[2](t, 1), 0},
                                {m.coordinate[2](t, 2), 0}};
    for (size_t k = 0; k < 4; ++k)
      for (size_t i = 0; i < 2; ++i) {
        error[k] += std::pow(found[k][i] - exact[k][i], 2);
        size[k] += std::pow(exact[k][i], 2);
      }
  }
  for (size_t k = 0; k < 4; ++k) error[k] = std::sqrt(error[k] / size[k]);
  return error;
}

}  // namespace

TEST_CASE("markers: noise of 0.05 mm leaves accelerations right to a percent") {
  const MarkerTracks tracks = coupler_tracks(200, 5e-5);
  CHECK(problem_of(tracks) == "");
  const MarkerMotion m = motion_from(tracks, 5e-5);
  // independent fits of such data have 2.3e-3, 7.9e-3, 2.5e-3, 8.7e-3, within a factor of two
  const std::array<double, 4> found = errors(m);
  const double expected[] = {2.3e-3, 7.9e-3, 2.5e-3, 8.7e-3};
  for (size_t k = 0; k < 4; ++k) CHECK(found[k] < 2 * expected[k]);
  // and what is promised is what is there
  const double promised[] = {m.expected.velocity, m.expected.acceleration,
                             m.expected.angular_velocity, m.expected.angular_acceleration};
  for (size_t k = 0; k < 4; ++k) {
    CHECK(found[k] < 2 * promised[k]);
    CHECK(found[k] > 0.4 * promised[k]);
  }
  CHECK(near(m.residual, 5e-5, 0.1));  // of 1200 numbers, less what the splines follow
  const MarkerMotion guessed = motion_from(tracks, {});
  CHECK(guessed.noise_estimated);
  CHECK(near(guessed.noise, 5e-5, 0.1));  // sixth differences of 200 samples
}

TEST_CASE("markers: without noise the motion comes back") {
  const MarkerMotion m = motion_from(coupler_tracks(500, 0), 0.0);
  const std::array<double, 4> found = errors(m);
  CHECK(found[0] < 1e-6);  // a thousandth of what noise of 0.05 mm leaves
  CHECK(found[1] < 1e-6);
  CHECK(found[2] < 1e-6);
}

TEST_CASE("markers: a body that tumbles in space is followed") {
  MarkerTracks tracks;
  tracks.on_body = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.3, 0}, {0.1, 0.1, 0.2}};
  tracks.p.resize(4);
  const auto pose = [](double t) {
    return Pose<double>{rotation(Vec3{0, 0, 1}, 4 * t) *
                            rotation(Vec3{0, 1, 0}, 0.5 * std::sin(3 * t)) *
                            rotation(Vec3{1, 0, 0}, 7 * t),
                        {t, std::sin(t), 1 - t * t}};
  };
  for (int i = 0; i < 300; ++i) {
    tracks.t.push_back(i * 0.01);
    for (size_t k = 0; k < 4; ++k) tracks.p[k].push_back(pose(i * 0.01) * tracks.on_body[k]);
  }
  CHECK(problem_of(tracks) == "");
  const MarkerMotion m = motion_from(tracks, 0.0);
  for (const double t : {0.5, 1.37, 2.4}) {
    // polynomials of up to the fifth degree are exact
    CHECK(near(m.coordinate[2](t), 1 - t * t, 1e-12));
    CHECK(near(m.coordinate[3](t), 4 * t, 1e-12));
    CHECK(near(m.coordinate[4](t, 1), 1.5 * std::cos(3 * t),
               1e-10));  // sin 3t between samples of 0.01 s: (0.03)⁵/100
    CHECK(near(m.coordinate[5](t, 1), 7, 1e-10));
  }
  CHECK(near(m.nearest_lock, std::cos(0.5),
             1e-4));  // the sample next to the largest angle: 0.5 · 0.015²/2
}

TEST_CASE("markers: tracks that tell no motion are refused with the reason") {
  MarkerTracks tracks = coupler_tracks(100, 0);
  MarkerTracks one = tracks;
  one.p.resize(1), one.on_body.resize(1);
  CHECK(problem_of(one).find("at least 2") != std::string::npos);
  MarkerTracks gap = tracks;
  gap.t[40] += 0.004;
  CHECK(problem_of(gap).find("sample 41") != std::string::npos);
  MarkerTracks line = tracks;
  line.plane = false;
  line.on_body = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  CHECK(problem_of(line).find("one line") != std::string::npos);
  MarkerTracks two = tracks;
  two.plane = false, two.p.resize(2), two.on_body.resize(2);
  CHECK(problem_of(two).find("at least 3") != std::string::npos);
}
