// What the tree asks of an elastic body, whatever it is made of.
//
// The body is clamped to its frame at one point, where its inboard joint is; everything else sits
// on a carrier: a point of a beam's axis; the centre of a rigid patch, or any point, of a solid.
#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sarrus/elastic/elastic_body.hpp"

namespace sarrus {

inline constexpr double same_place = 1e-9;  // of a body's size: points nearer than this are one

/// Why a body cannot be built, where only building it shows.
struct ElasticFault : std::runtime_error {
  ElasticFault(std::string code_, const std::string& message, std::string hint_)
      : std::runtime_error(message), code(std::move(code_)), hint(std::move(hint_)) {}
  std::string code, hint;
};

class ElasticShape {
 public:
  virtual ~ElasticShape() = default;

  /// In the axes of the user's frame, about the clamped point.
  virtual ElasticBody body() const = 0;
  /// The clamped point in the user's frame.
  virtual Vec3 clamp() const = 0;
  /// The carrier of what sits at a point of the user's frame; none where nothing can.
  virtual std::optional<Vec3> carrier(const Vec3& point) const = 0;
  /// How a carrier moves, likewise about the clamped point.
  virtual ElasticPlace place(const Vec3& carrier) const = 0;
  /// Section forces N, Qy, Qz, Mx, My, Mz at a carrier per unit of each coordinate, from the
  /// deformation; empty where the body has no sections.
  virtual std::vector<std::array<double, 6>> section_forces(const Vec3& carrier) const = 0;
  /// Stresses xx, yy, zz, xy, yz, xz [Pa] at a point of the user's frame per unit of each
  /// coordinate, in the axes of that frame; empty where they are not known.
  virtual std::vector<std::array<double, 6>> stresses(const Vec3& point) const = 0;
  /// Where things can sit, for messages.
  virtual std::string carriers() const = 0;
};

}  // namespace sarrus
