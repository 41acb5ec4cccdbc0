// The motion of a body from measured tracks of markers on it.
//
// Each sample: the rotation and place that fit all markers best (Kabsch). Over time: quintic
// smoothing splines through the coordinates, as smooth as the noise allows, so that velocities and
// accelerations are usable. The accuracy to be expected is found by experiment: the same noise is
// added to the motion found, which is then fitted again.
//
// Coordinates: place of the body's origin, then angles of R = Rz(c) Ry(b) Rx(a) as c, b, a; in the
// plane x, y and one angle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sarrus/numerics/smoothing_spline.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

struct MarkerTracks {
  bool plane = false;
  std::vector<double> t;             // [s], rising
  std::vector<std::vector<Vec3>> p;  // per marker: its track [m]
  std::vector<Vec3> on_body;         // per marker: where it sits on the body
};

/// Root mean squares over the samples, relative to those of the quantity itself.
struct MotionAccuracy {
  double velocity = 0, acceleration = 0, angular_velocity = 0, angular_acceleration = 0;
};

struct MarkerMotion {
  std::vector<std::string> names;  // x, y, z, c, b, a; in the plane x, y, c
  std::vector<SmoothingSpline> coordinate;
  double from = 0, to = 0;  // [s]: five samples at each end are left out
  double noise = 0;         // [m] of one coordinate of one marker, given or estimated
  bool noise_estimated = false;
  double residual = 0;        // [m] of the rigid fit, root mean square
  int worst_marker = 0;       // with the largest residual of its own
  double worst_residual = 0;  // [m]
  double nearest_lock = 0;    // cos of the middle angle at its smallest: 0 is a gimbal lock
  MotionAccuracy expected;
};

/// What is wrong with the tracks, in words with the row or marker; empty: nothing.
std::string problem_of(const MarkerTracks& tracks);

/// Tracks without a problem → motion. `noise` unset: estimated from the tracks.
MarkerMotion motion_from(const MarkerTracks& tracks, std::optional<double> noise);

}  // namespace sarrus
