// The closed set of joints, once: its kinds, the types that models name, and the step from a kind
// to its code (joint.hpp) are made from these lists.
#pragma once

#include <cstdint>

/// The joints of models: word in model files, struct.
#define SARRUS_JOINTS(joint)                                                                    \
  joint(fixed, Fixed) joint(revolute, Revolute) joint(prismatic, Prismatic) joint(screw, Screw) \
      joint(cylindrical, Cylindrical) joint(universal, Universal) joint(spherical, Spherical)   \
          joint(planar, Planar) joint(free, Free) joint(knife_edge, KnifeEdge)                  \
              joint(rolling_disk, RollingDisk) joint(translational, Translational)

/// Joints inside an elastic body: its coordinates, and places on it.
#define SARRUS_ELASTIC_JOINTS(joint) joint(elastic, ElasticCoordinate) joint(seat, ElasticSeat)

namespace sarrus {

#define SARRUS_WORD(word, type) word,

enum class JointKind : std::uint8_t {
  SARRUS_JOINTS(SARRUS_WORD) SARRUS_ELASTIC_JOINTS(SARRUS_WORD)
};

/// As models name them: a kind, or a sequence of hinges and slides.
enum class JointType : std::uint8_t { SARRUS_JOINTS(SARRUS_WORD) sequence };

#undef SARRUS_WORD

/// Of a type that is no sequence.
constexpr JointKind kind_of(JointType type) { return static_cast<JointKind>(type); }
static_assert(kind_of(JointType::revolute) == JointKind::revolute);

}  // namespace sarrus
