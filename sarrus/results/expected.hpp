// Numbers that a model has to meet, from outside Sarrus: expected.json beside a model.
//
//   source           where they come from
//   models           the model files that have to meet them, by default model.toml
//   columns, rows    a table whose first column is the time
//   tolerance        of the table, absolute: one for all, or one for each column after the time
//   checks           single ones: a column at a time, a column that always has a value or never
//                    exceeds one, the moment of an event; "model" restricts one to one model
//   verify           digits to which formulations must agree, and up to when, with the reason if
//                    that is less than the suite asks for
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sarrus/run/simulate.hpp"

namespace sarrus {

struct ExpectedNumber {
  enum class Kind { at_time, at_all_times, event };
  Kind kind = Kind::at_time;
  std::string name;  // of the column or the event
  int index = 0;     // of the event, from 0
  double time = 0;   // [s]; of an event: what is expected
  double value = 0, tolerance = 0;
  std::string model;  // empty: all models
};

struct Expected {
  std::string source;
  std::vector<std::string> models;
  std::vector<ExpectedNumber> numbers;
  std::optional<double> digits, until;  // of verify
  std::string reason;
};

/// Throws Error(model) naming the file where it is not such a file.
Expected read_expected(const std::string& path);

/// How a run meets one number.
struct Met {
  ExpectedNumber number;
  double found = 0;
  double share = 0;      // of the tolerance that is used: at most 1 where it is met
  std::string mismatch;  // in words; empty where it is met
};
std::vector<Met> check_expected(const Expected& expected, const std::string& model, const Run& run);

}  // namespace sarrus
