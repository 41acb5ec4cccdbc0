// A simulation that is stepped from outside: a program, a controller, a co-simulation drives it.
//
//   Simulation s = Simulation::load("crane.toml");
//   s.set("pull", 120);          // a parameter that formulas of the model read
//   s.advance(2.5);              // exactly to 2.5 s
//   s.value("load.z");           // any column of a result
//
// What is read is what a run would have written at that time.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sarrus/model/model.hpp"
#include "sarrus/motion/motion.hpp"
#include "sarrus/run/recorder.hpp"

namespace sarrus {

class ValidModel;

/// Everything that the rest of a simulation depends on.
struct SimulationState {
  MotionState motion;
  double energy_at_start = 0;
};

class Simulation {
 public:
  /// Starts where the model says, with its loops closed. Throws Error.
  explicit Simulation(const Model& model);
  explicit Simulation(const ValidModel& model);
  static Simulation load(const std::string& path);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  const Mechanism& mechanism() const;
  double time() const;  // [s]

  /// Advances to exactly t, or to the end of the step after which `stop` is true. Throws
  /// Error(numerics) where it cannot; the simulation is then at the end of the last good step.
  void advance(double t, const std::function<bool()>& stop = {});
  /// One step of the method, as long as it chooses but not beyond `until`; the new time.
  double step(double until = std::numeric_limits<double>::max());

  /// Everything at time().
  const Snapshot& now() const;
  /// The columns that a result of this model has, and their values at time().
  const std::vector<Column>& columns() const;
  std::span<const double> row() const;
  /// One of them by name. Throws std::invalid_argument with near matches.
  double value(const std::string& column) const;

  /// The value of a parameter from now on. Throws std::invalid_argument for names that formulas of
  /// the running model do not read, and for values that are no numbers.
  void set(const std::string& parameter, double value);
  /// The names that set() takes.
  std::vector<std::string> inputs() const;

  /// The outputs that the model names, which are columns.
  const std::vector<std::string>& outputs() const;
  /// The value of an input from now on. Throws std::invalid_argument for other names, for inputs whose
  /// course the model gives, and for values beyond the limits.
  void set_input(const std::string& input, double value);
  double input(const std::string& input) const;

  SimulationState save();
  void restore(const SimulationState& state);
  /// Back to the start, with the parameters of the model.
  void reset();

 private:
  struct Parts;
  std::unique_ptr<Parts> p_;
};

}  // namespace sarrus
