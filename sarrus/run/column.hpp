// A column of results: whose it is, what it is, which component, in which unit. Its name is made
// from that and never parsed: code that needs to know what a column holds asks for its kind.
// docs/reference/results.md defines frame, point and sign of each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sarrus {

enum class ColumnKind : std::uint8_t {
  other,  // of a file that does not say
  time,
  // joints
  coordinate,
  velocity,
  acceleration,
  drive,
  current,
  momentum,
  // joints and constraints
  force,
  moment,
  multiplier,
  // elastic bodies
  elastic_coordinate,
  elastic_velocity,
  elastic_momentum,
  normal_force,
  shear_force,
  section_moment,
  stress,
  // points
  position,
  point_velocity,
  point_acceleration,
  orientation,
  angular_velocity,
  angular_acceleration,
  accelerometer,
  // what a model names itself
  formula,
  state,
  input,
  sampled,
  element,
  // the whole
  energy,
  hamiltonian,
  ledger,
  residual
};

struct ColumnFacts {
  std::string_view word;    // in the header of a result
  std::string_view prefix;  // in names, before the component
  bool is_vector = false;   // components of one owner belong together
};
const ColumnFacts& facts_of(ColumnKind kind);
/// `other` for a word that is not known.
ColumnKind column_kind(std::string_view word);

struct Column {
  std::string name;  // "shoulder.q"
  std::string unit;  // "rad"; "1" for a plain number
  ColumnKind kind = ColumnKind::other;
  std::string owner = {};      // "shoulder"
  std::string component = {};  // "x", "2"; empty where there is one only
  /// As headers show it: shoulder.q[rad]; a plain number has no bracket.
  std::string header() const {
    return unit.empty() || unit == "1" ? name : name + "[" + unit + "]";
  }
};

/// "tip", point_velocity, "x", "m/s" → tip.vx[m/s].
Column column(std::string owner, ColumnKind kind, std::string component, std::string unit);

/// Whether two columns are components of one vector.
bool belong_together(const Column& a, const Column& b);

/// What the components together are called: "tip" for its position, "tip.v", "tip.imu".
std::string vector_name(const Column& column);

}  // namespace sarrus
