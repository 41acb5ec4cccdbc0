// What a model says of a force element, and the descriptor of each of its keys: the reader, the
// grammar, the schema and the checks of validate() are made from the descriptors.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/expression.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

/// A formula as written, with its place, so that a fault in it can be pointed at.
struct Formula {
  Expression expression;
  Place where;  // of the first character of the text
};

/// A frame placed on a body.
struct FrameSpec {
  Vec3 at{};                  // [m] in the body's frame
  Quat rotation{1, 0, 0, 0};  // of the frame in the body's frame
  Pose<double> pose() const { return {sarrus::rotation(rotation), at}; }
};

/// A point on a body.
struct PointSpec {
  std::string body = "world";
  Place where;
  Vec3 at{};
};

/// How an element is drawn.
enum class ElementMark : std::uint8_t {
  coil,  // between its two points
  line,  // likewise
  arrow  // at its point
};

/// The table [[table]] of an element.
struct ElementTable {
  const char *table, *summary;  // summary: in the list of tables
  const char *help, *example;   // example: of a name
  ElementMark mark;
};

/// What validate() asks of a number, or of each of three.
enum class Judged : std::uint8_t {
  freely,
  length,        // not below 0
  stiffness,     // below 0: a warning, since some models mean it
  not_negative,  // below 0: refused
  axis           // three numbers with a direction; model files may say "x"
};

/// Which part of a point a key gives.
enum class PointPart : std::uint8_t { table, body, at };

template <class Spec>
struct ElementKey {
  using Member = std::variant<double Spec::*, Vec3 Spec::*, std::string Spec::*, PointSpec Spec::*,
                              FrameSpec Spec::*, bool Spec::*, Formula Spec::*,
                              std::array<Formula, 3> Spec::*>;
  std::string_view name;
  Member member;  // a text is the name of a body, a truth the second of `words`
  Dimension dimension = {};
  Judged judged = Judged::freely;
  PointPart part = PointPart::table;
  bool required = false;
  std::string_view fallback = {};  // what holds where the key is absent, for people
  std::array<std::string_view, 2> words = {};
  std::string_view help = {}, example = {};
};

}  // namespace sarrus
