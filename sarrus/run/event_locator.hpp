// Where the events of a model happen inside the steps of a motion.
//
// A step is a few points and the cells between them. Over a cell each quantity q of the state lies
// in
//
//   [min qᵢ − δ, max qᵢ + δ]     δ = |q₀ − 2 q₁ + q₂|, at both ends and in the middle           (1)
//
// (a parabola stays within δ/8), and the formula of an event within the bounds that follow
// (core/course.hpp); of one that depends on time alone they are exact. A cell whose bounds leave
// out zero has no passage. Another is halved, until its bounds are those of a formula that rises or
// falls all the way and so passes zero once: a parabola does where
//
//   2 δ ≤ |q₂ − q₀|     that is, where its bounds (1) are within twice its change              (2)
//
// and a formula of time where its bounds are its values at both ends; or until it is so small that
// what is in it only touches zero.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sarrus/core/course.hpp"
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
  /// Looks into the last step, from `from` on, and at each passage to the last bit. True where one
  /// of the events ends the run or acts on it: it is the last of `found`, and its time is
  /// stopped_at().
  bool look(Motion& motion, double from, std::vector<Diagnostic>& notes);
  const std::vector<LocatedEvent>& found() const { return found_; }
  double stopped_at() const { return stop_; }
  /// The events at stopped_at(), in the order of the model.
  const std::vector<int>& happening() const { return happening_; }

  /// For checkpoints: values of the events, then number and time of each one located so far.
  void store(std::vector<double>& into) const;
  void restore(std::span<const double> from);

 private:
  /// An instant: what formulas can name, and the values of the events looked for.
  struct Point {
    double t = 0;
    std::vector<double> slots, value;
  };
  /// Events that are searched together: those of time alone need no look at the motion.
  struct Group {
    std::vector<size_t> events;
    bool sees_motion = false;
    int most_looks = 0;  // in one step
    double one_way = 1;  // bounds of a formula that rises or falls, relative to its change
  };
  struct Passage {
    size_t event;
    double t;
  };
  /// One search through a step.
  struct Search {
    Motion& motion;
    const Group& group;
    std::vector<Diagnostic>& notes;
    std::vector<Passage> passed;
    int looks = 0;
  };

  void see(Search& search, double t, Point& out);
  Course bounds(size_t event, const Point& a, const Point& middle, const Point& b);
  void look_at(Search& search, double from, double end);
  void look_at(Search& search, const Point& a, const Point& middle, const Point& b,
               std::span<const size_t> events, int depth);
  double root(Search& search, size_t event, double low, double high, double before);
  bool keep(std::vector<Passage>& passed);
  void warn(size_t event, double t, double value, std::vector<Diagnostic>& notes) const;
  void warn_of_missed(size_t event, double t, std::vector<Diagnostic>& notes) const;

  const Mechanism* m_;
  const std::vector<Event>* events_;
  Group timed_, sensed_;
  std::vector<int> sampled_, formulas_;  // signals that events read: seen, and found from others
  std::vector<Course> ranges_;           // of all slots over a cell
  Snapshot seen_;
  Point trial_;
  std::vector<double> before_;  // values at the end of the last step
  std::vector<LocatedEvent> found_;
  std::vector<int> found_index_;
  std::vector<int> happening_;
  double stop_ = 0;
};

}  // namespace sarrus
