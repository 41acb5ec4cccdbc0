// What `sarrus reduce` is given: arguments, matrices, right-hand sides, settings of the reduction.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output.hpp"
#include "sarrus/linear/linear_files.hpp"

namespace sarrus::app {

struct ReduceArguments {
  std::string mass, stiffness, damping, constraints, force, right_side, initial;
  std::string coordinate_names, constraint_names;
  std::string route = "auto", tolerance, scale_columns, rayleigh, ratios;
  std::string keep, keep_matrix, transform, outputs, frequencies;
  std::string start = "0", until, step;
  std::vector<std::string> loads, harmonic, harmonic_right_side;
  int modes = 0;
  bool keep_marginal = false, second_opinion = false, raw_rows = false, scale_rows = false;
  bool count = false, project = false, reactions = false, replace = false, hertz = false;
  std::string out = "reduced";
};

/// The matrices, and the names of their rows.
struct ReduceInput {
  LinearSystem system;
  std::vector<std::string> coordinates, constraints;  // every name, given or made
};
ReduceInput read_input(const ReduceArguments& a, Output& out);

/// The right-hand side d: constant from .mtx, a function of time from .csv.
struct RightSide {
  std::vector<double> at_start, rate_at_start;
  NamedColumns columns;
};
RightSide read_right_side(const ReduceArguments& a, const ReduceInput& in,
                          const std::optional<TimeGrid>& grid);

ReductionOptions reduction_options(const ReduceArguments& a, const ReduceInput& in,
                                   const RightSide& d);
/// The times of a history, where --until asks for one.
std::optional<TimeGrid> time_grid(const ReduceArguments& a);

std::vector<std::string> names_in(const std::string& list);
std::vector<double> numbers_in(const char* flag, const std::string& list, char separator = ',');
/// "NAME=VALUE" or "NAME=FORMULA".
std::pair<std::string, std::string> assignment(const char* flag, const std::string& text);
/// The place of a name that a flag gives; throws Error(usage) where there is none.
int index_of(const char* flag, const std::string& name, const std::vector<std::string>& names);

}  // namespace sarrus::app
