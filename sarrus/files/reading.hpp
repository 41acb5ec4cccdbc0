// The parts of the model reader, one per element. Each reads one table into its struct and says
// what is wrong with it; validate() judges the whole model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sarrus/files/fields.hpp"
#include "sarrus/files/text/paths.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus {

/// One file being read.
struct Reading {
  Scope scope;
  Diagnostics* physics = nullptr;  // faults of a model that is readable
  std::string folder;              // of this file
  AllowedRoots roots;
  std::vector<std::string>* files = nullptr;       // every file that was read
  std::map<std::string, int>* segments = nullptr;  // of beams, by the body's name
};

/// The entries of [[kind]], one after the other, until there are too many faults.
template <class Spec, class Read>
void read_list(Reading& r, Fields& top, std::string_view kind, std::vector<Spec>& into,
               Read read_one) {
  const std::vector<const Node*> nodes = top.tables(kind);
  into.reserve(into.size() + nodes.size());
  for (size_t i = 0; i < nodes.size() && !r.scope.faults->full(); ++i)
    into.push_back(read_one(r, *nodes[i], element_path(kind, *nodes[i], i, r.scope.prefix)));
}

BodySpec read_body(Reading& r, const Node& node, const std::string& element);
/// `segments`: into how many bodies a beam is cut.
ElasticSpec read_elastic(Reading& r, const Node& node, const std::string& element, int& segments);
JointSpec read_joint(Reading& r, const Node& node, const std::string& element);
/// Every table of a force element.
void read_force_elements(Reading& r, Fields& top, Model& into);
ConstraintSpec read_constraint(Reading& r, const Node& node, const std::string& element);
ContactSpec read_contact(Reading& r, const Node& node, const std::string& element);
SensorSpec read_sensor(Reading& r, const Node& node, const std::string& element);
EventSpec read_event(Reading& r, const Node& node, const std::string& element);
InputSpec read_input(Reading& r, const Node& node, const std::string& element);
SignalSpec read_output(Reading& r, const Node& node, const std::string& element);
StateSpec read_state(Reading& r, const Node& node, const std::string& element);
BlockSpec read_block(Reading& r, const Node& node, const std::string& element);
std::shared_ptr<const Table> read_table(Reading& r, const Node& node, const std::string& element);
SimulateSpec read_simulate(Reading& r, const Node& node);

/// { axis, angle }, { quaternion }, { rpy } or { matrix } as a unit quaternion, from fields that
/// hold these keys. The identity where there is none; beyond repair: as given, with a fault.
Quat read_rotation(Reading& r, Fields& f);
Quat read_rotation(Reading& r, const Node* node, const std::string& element);
PointSpec read_point(Reading& r, const Node* node, const std::string& element);
FrameSpec read_frame(Reading& r, const Node* node, const std::string& element);
/// Makes an axis a unit vector, with a note where it was none; zero stays zero for validate() to
/// refuse.
Vec3 unit_axis(Fields& f, std::string_view key, const Vec3& axis);

/// What plain numbers of the file mean.
BaseUnits read_units(Scope& scope, const Node* node);
/// The parameters of one file in any order, `overrides` first; cycles and unknown names are faults.
/// Returns the overrides that this file does not know.
std::vector<std::string> read_parameters(Scope& scope, const Node* node,
                                         const std::map<std::string, double>& overrides);

/// The value of one parameter in SI: a number without a unit, "30 mm" or an expression.
std::optional<double> read_parameter(Scope& scope, const Node& node, const std::string& element);

/// A CSV file: columns of numbers, an optional row of headers, comments after #.
struct Csv {
  std::vector<std::string> headers;  // may be empty
  std::vector<std::vector<double>> columns;
  std::string problem;  // empty: read; otherwise what is wrong, with the line
};
Csv parse_csv(std::string_view text);

}  // namespace sarrus
