// What `equilibrium` and `modes` share: the point about which a mechanism is looked at.
#pragma once

#include <optional>

#include "options.hpp"
#include "sarrus/linear/modes.hpp"

namespace sarrus::app {

struct PointOptions {
  std::string about = "equilibrium", time = "0";
  std::vector<std::string> rotate;  // JOINT=SPEED
};

void add_point_options(Command& command, PointOptions& options, bool with_about);

/// The mechanism's start at the given time, with the joints of --rotate at their speeds, held.
OperatingPoint point_of(const Mechanism& mechanism, const PointOptions& options);
/// Warns where another angle of a held joint changes the balance: the motion is not steady.
void check_steady(const Mechanism& mechanism, const OperatingPoint& point, Output& out);

/// "NAME=FROM:TO:COUNT".
struct SweepRange {
  std::string name;
  std::vector<double> values;
};
/// Throws Error(usage) where there is none, with the reason.
const JointInfo& one_freedom_joint(const Mechanism& mechanism, const char* flag,
                                   const std::string& name);
SweepRange parse_range(const char* flag, const std::string& text);

Json coordinates_json(const Mechanism& mechanism, const OperatingPoint& point);
/// Names and values below each other; the first of many.
void print_values(const std::vector<std::pair<std::string, double>>& values, Output& out);
void print_coordinates(const Mechanism& mechanism, const OperatingPoint& point, Output& out);

}  // namespace sarrus::app
