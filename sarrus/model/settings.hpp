// Settings of a run: the values, and one descriptor for each. Keys of [simulate], flags of the
// program, the schema, the JSON beside results, ranges and notes on what is not used are made from
// the descriptors: a new setting is one member and one line of every_setting() below.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/numerics/integrator_list.hpp"

namespace sarrus {

struct SimulateSpec {
  double until = 10;                  // [s]
  double start = 0;                   // [s]
  std::optional<double> output_step;  // [s]
  std::optional<long long> rows;      // after the first, where output_step is not given
  std::string formulation = "recursive";
  std::string energy_matrix, energy_gradient;  // of the formulation hamiltonian; empty: chosen
  std::string integrator = "dop853";
  std::string loops = "multipliers";
  std::optional<double> step;  // [s] of a fixed-step method
  double rtol = 1e-9;
  std::optional<double> atol;      // in SI; default: rtol in the mechanism's own units
  std::optional<double> max_step;  // [s]
  std::optional<double> max_wall;  // [s] budget of wall time
  std::optional<long long> max_steps;
  bool reactions = false;              // record forces of joints and constraints
  bool accelerations = false;          // record accelerations of joints and of turning
  bool momenta = false;                // record momenta of joints and H
  std::optional<double> binding;       // [1/s] of integrator tao; default 20
  std::optional<double> rho_infinity;  // of integrator generalized_alpha; default 0.8
  // formulation "discrete"
  std::string scheme = "leapfrog";  // or "paper"
  std::string rotation = "dlm";     // or "lie2", "exp", "paper"
  std::string plane;                // "xy", "xz", "yz": bodies stay in it; empty: space
  double joint_gap = 1e-6;          // [m] wanted, where the step is chosen
  double joint_stiffness = 1;       // β² of the blocks
  double joint_damping = 1;         // δ of the blocks
  // pace
  std::optional<double> real_time_factor;  // simulated seconds per second of a clock
  std::string overrun = "slow_down";       // or "skip_output", "stop"
  std::map<std::string, Place> where;      // of the keys that were given

  /// Between two rows [s].
  double spacing() const {
    return output_step.value_or((until - start) / static_cast<double>(rows.value_or(1000)));
  }
};

/// What a number may be.
enum class Range : std::uint8_t { any, finite, positive, tolerance, share };

/// Which runs use a setting.
enum class UsedBy : std::uint8_t { all, no_output_step, discrete, tao, generalized_alpha };

/// Why a run with these settings does not use one that only some runs use; empty where it does.
inline std::string why_unused(UsedBy who, const SimulateSpec& s) {
  const bool discrete = s.formulation == "discrete";
  const std::string& method = discrete ? s.formulation : s.integrator;
  switch (who) {
    case UsedBy::all: break;
    case UsedBy::no_output_step:
      if (s.output_step) return "output_step says where the rows are";
      break;
    case UsedBy::discrete:
      if (!discrete) return "it belongs to the formulation discrete, this is " + s.formulation;
      break;
    case UsedBy::tao:
      if (discrete || s.integrator != "tao") return method + " has no second copy to bind";
      break;
    case UsedBy::generalized_alpha:
      if (discrete || s.integrator != "generalized_alpha")
        return method + " has no damping of its own to choose";
      break;
  }
  return "";
}

struct Setting {
  using Member = std::variant<double SimulateSpec::*, std::optional<double> SimulateSpec::*,
                              std::optional<long long> SimulateSpec::*, bool SimulateSpec::*,
                              std::string SimulateSpec::*>;
  std::string_view name;
  Member member;
  Dimension dimension = {};
  Range range = Range::any;
  std::vector<std::string_view> words = {};  // of a choice
  UsedBy used_by = UsedBy::all;
  bool shapes_rows = true;         // a resumed run needs the same; false: pace and budgets
  std::string_view fallback = {};  // what holds where the key is absent, for people
  std::string_view help = {}, example = {};

  /// The value in s where it is given or has a default; monostate where it has none.
  using Value = std::variant<std::monostate, double, long long, bool, std::string>;
  Value value(const SimulateSpec& s) const;
  void set(SimulateSpec& s, const Value& value) const;
  /// What is wrong with the value in s: "−1 s is not above 0"; empty where nothing is.
  std::string problem(const SimulateSpec& s) const;
  /// Whether a run with the settings s uses it.
  bool is_used(const SimulateSpec& s) const { return why_unused(used_by, s).empty(); }
};

/// All of them, in the order of pages and help.
const std::vector<Setting>& settings();
const Setting& setting(std::string_view name);

inline std::vector<std::string_view> integrator_words() {
#define SARRUS_NAME(name, steps, kind) #name,
  return {SARRUS_INTEGRATORS(SARRUS_NAME)};
#undef SARRUS_NAME
}

// One line per setting, so that the list reads like the page it makes.
// clang-format off
inline std::vector<Setting> every_setting() {
  namespace d = dimensions;
  using S = SimulateSpec;
  return {
      {.name = "until", .member = &S::until, .dimension = d::time, .range = Range::finite, .fallback = "10 s", .help = "End of the run.", .example = "10"},
      {.name = "start", .member = &S::start, .dimension = d::time, .range = Range::finite, .fallback = "0", .help = "Start of the run.", .example = "0"},
      {.name = "output_step", .member = &S::output_step, .dimension = d::time, .range = Range::positive, .fallback = "a thousandth of the run", .help = "Spacing of the rows.", .example = "0.01"},
      {.name = "rows", .member = &S::rows, .range = Range::positive, .used_by = UsedBy::no_output_step, .fallback = "1000", .help = "Number of rows after that of the start, where `output_step` is not given.", .example = "200"},
      {.name = "formulation", .member = &S::formulation, .words = {"recursive", "hamiltonian", "discrete"}, .fallback = "\"recursive\"", .help = "Which equations of motion are used.", .example = "\"recursive\""},
      {.name = "energy_matrix", .member = &S::energy_matrix, .words = {"recursive", "literal"}, .fallback = "\"recursive\"; with `small` joints \"literal\"", .help = "Hamiltonian: velocities from momenta by recursion over the tree, or by the energy matrix of the source.", .example = "\"literal\""},
      {.name = "energy_gradient", .member = &S::energy_gradient, .words = {"recursive", "complex", "literal"}, .fallback = "as energy_matrix", .help = "Hamiltonian: ∂T/∂q by recursion, by complex steps, or by central differences as in the source.", .example = "\"complex\""},
      {.name = "integrator", .member = &S::integrator, .words = integrator_words(), .fallback = "\"dop853\"", .help = "Which method integrates them in time.", .example = "\"dop853\""},
      {.name = "loops", .member = &S::loops, .words = {"multipliers", "nullspace"}, .fallback = "\"multipliers\"", .help = "How closed loops are solved; the null space is for formulation recursive only.", .example = "\"nullspace\""},
      {.name = "step", .member = &S::step, .dimension = d::time, .range = Range::positive, .fallback = "chosen", .help = "Step of a fixed-step method, or of the discrete formulation.", .example = "1e-3"},
      {.name = "rtol", .member = &S::rtol, .range = Range::tolerance, .fallback = "1e-9", .help = "Relative tolerance of an adaptive method.", .example = "1e-9"},
      {.name = "atol", .member = &S::atol, .range = Range::tolerance, .fallback = "rtol, in the mechanism's own units", .help = "Absolute tolerance in SI units; by default it counts in lengths, times and masses of the mechanism itself.", .example = "1e-9"},
      {.name = "max_step", .member = &S::max_step, .dimension = d::time, .range = Range::positive, .fallback = "no limit", .help = "Largest step of an adaptive method.", .example = "0.1"},
      {.name = "max_wall", .member = &S::max_wall, .dimension = d::time, .range = Range::positive, .shapes_rows = false, .fallback = "no limit", .help = "Limit on wall time.", .example = "\"10 min\""},
      {.name = "max_steps", .member = &S::max_steps, .range = Range::positive, .shapes_rows = false, .fallback = "no limit", .help = "Limit on the number of steps.", .example = "1000000"},
      {.name = "reactions", .member = &S::reactions, .fallback = "false", .help = "Records forces and moments of joints and constraints.", .example = "true"},
      {.name = "accelerations", .member = &S::accelerations, .fallback = "false", .help = "Records accelerations of joints, and angular ones at point sensors.", .example = "true"},
      {.name = "momenta", .member = &S::momenta, .fallback = "false; true with formulation `hamiltonian`", .help = "Records the momenta of the joints and the Hamiltonian.", .example = "true"},
      {.name = "binding", .member = &S::binding, .range = Range::positive, .used_by = UsedBy::tao, .fallback = "20", .help = "How fast the two copies of integrator `tao` turn about each other, in 1/s.", .example = "20"},
      {.name = "rho_infinity", .member = &S::rho_infinity, .range = Range::share, .used_by = UsedBy::generalized_alpha, .fallback = "0.8", .help = "What a step of integrator `generalized_alpha` leaves of the fastest vibrations, from 0 to 1.", .example = "0.9"},
      {.name = "scheme", .member = &S::scheme, .words = {"leapfrog", "paper"}, .used_by = UsedBy::discrete, .fallback = "\"leapfrog\"", .help = "Discrete formulation: order of operations in a step; `paper` is the one of its source, of first order.", .example = "\"leapfrog\""},
      {.name = "rotation", .member = &S::rotation, .words = {"dlm", "lie2", "exp", "paper"}, .used_by = UsedBy::discrete, .fallback = "\"dlm\"", .help = "Discrete formulation: how a body is turned.", .example = "\"dlm\""},
      {.name = "plane", .member = &S::plane, .words = {"xy", "xz", "yz"}, .used_by = UsedBy::discrete, .fallback = "none: bodies move in space", .help = "Discrete formulation: bodies stay in planes parallel to this one.", .example = "\"xz\""},
      {.name = "joint_gap", .member = &S::joint_gap, .dimension = d::length, .range = Range::positive, .used_by = UsedBy::discrete, .fallback = "1e-6 m", .help = "Discrete formulation: how far joints may open, from which the step is chosen.", .example = "1e-6"},
      {.name = "joint_stiffness", .member = &S::joint_stiffness, .range = Range::positive, .used_by = UsedBy::discrete, .fallback = "1", .help = "Discrete formulation: β² of the joint blocks.", .example = "1"},
      {.name = "joint_damping", .member = &S::joint_damping, .range = Range::positive, .used_by = UsedBy::discrete, .fallback = "1", .help = "Discrete formulation: δ of the joint blocks; β² + 2δ stays below 4.", .example = "1"},
      {.name = "real_time_factor", .member = &S::real_time_factor, .range = Range::positive, .shapes_rows = false, .fallback = "as fast as possible", .help = "Rows come at the pace of a clock: simulated seconds per second.", .example = "1"},
      {.name = "overrun", .member = &S::overrun, .words = {"slow_down", "skip_output", "stop"}, .shapes_rows = false, .fallback = "\"slow_down\"", .help = "With a real-time factor: what happens when the computation is late.", .example = "\"slow_down\""},
  };
}
// clang-format on

}  // namespace sarrus
