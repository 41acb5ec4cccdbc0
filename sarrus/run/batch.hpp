// Batch: thousands of instances of one mechanism with different numbers and initial states, four
// in lock-step in the lanes of a pack.
//
//   Batch batch(mechanism, 4096);
//   batch.set_start(i, coordinates);             // or other masses, springs, …: set_numbers
//   batch.advance(1.0, 1e-3);                    // classical Runge–Kutta, 1 s in steps of 1 ms
//   batch.coordinates(i).q[0];
//
// An instance has the same bits whatever its neighbours are and however many threads are used.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

class Batch {
 public:
  /// All instances start as the mechanism does. Keeps a reference to it. Throws Error(physics)
  /// where the mechanism has loops.
  Batch(const Mechanism& mechanism, int instances);
  ~Batch();
  Batch(Batch&&) noexcept;

  int instances() const { return instances_; }
  double time() const { return t_; }

  /// q and u of one instance. Sizes are checked.
  void set_start(int instance, const Coordinates& start);
  /// The numbers of another compilation of the same tree, for example with other parameters.
  void set_numbers(int instance, const Numbers<double>& numbers);
  /// One of the model's [parameters], as formulas see it.
  void set_parameter(int instance, const std::string& name, double value);

  /// Moves every instance on by `duration` in equal steps of at most `step`, on `threads` threads.
  void advance(double duration, double step, int threads = 1);

  Coordinates coordinates(int instance) const;
  /// Kinetic and potential energy of every instance [J].
  std::vector<double> energies();

 private:
  struct Group;
  void check(int instance) const;
  Group& group_of(int instance) const;

  const Mechanism* m_;
  int instances_;
  double t_ = 0;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace sarrus
