// Where the events of a model happen inside the steps of a motion.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sarrus/motion/motion.hpp"

namespace sarrus {

struct LocatedEvent {
  std::string name;
  double t = 0;
};

class EventLocator {
 public:
  explicit EventLocator(const Mechanism& mechanism);

  bool empty() const { return events_->empty(); }
  /// The values from which the first step goes on.
  void begin(const Snapshot& now);
  /// Looks at a few points of the last step, from `from` on, then halves to the last bit. True
  /// where one of the events ends the run: it is the last of `found`, and its time is stopped_at().
  bool look(Motion& motion, double from, std::vector<Diagnostic>& notes);
  const std::vector<LocatedEvent>& found() const { return found_; }
  double stopped_at() const { return stop_; }

  /// For checkpoints: values of the events, then number and time of each one located so far.
  void store(std::vector<double>& into) const;
  void restore(std::span<const double> from);

 private:
  double value(const Snapshot& now, size_t event) const;
  double root(Motion& motion, size_t event, double low, double high, double before);
  void warn(size_t event, double t, double value, std::vector<Diagnostic>& notes) const;

  const std::vector<Event>* events_;
  const std::vector<Formula>* sources_;
  Snapshot seen_;
  std::vector<double> before_, after_;  // values at the ends of a piece of the step
  std::vector<LocatedEvent> found_;
  std::vector<int> found_index_;
  double stop_ = 0;
};

}  // namespace sarrus
