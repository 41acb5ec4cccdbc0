// What runs of the discrete formulation are held against: the recursion, and themselves.
#pragma once

#include <doctest/doctest.h>

#include "instant.hpp"
#include "near.hpp"
#include "sarrus/formulations/discrete/discrete.hpp"
#include "small_models.hpp"

namespace sarrus::testing {

/// A run whose last row is asked for, with reactions; h: the step of the discrete formulation.
inline Run run_by(Model model, const std::string& formulation, double until, double h = 0) {
  model.simulate.reactions = true;
  if (h > 0) model.simulate.step = h;
  return run_in(model, formulation, until, until, 1e-12);
}

/// How far the ends of two runs are apart in the space of these columns.
inline double distance(const Run& a, const Run& b, const std::vector<std::string>& columns) {
  double sum = 0;
  for (const std::string& c : columns) sum += std::pow(last(a, c) - last(b, c), 2);
  return std::sqrt(sum);
}

inline const std::vector<std::string> tip = {"tip.x", "tip.y", "tip.z"};  // columns of a sensor

/// What is compared, when, and with which step.
struct Approach {
  std::vector<std::string> columns = tip;
  double until = 0.5, h = 1e-4;
  double size = 0;       // more than the difference with the step h
  double spread = 0.05;  // of the order: what the next term leaves
};

/// The difference to the recursion falls by four with half the step.
inline void check_second_order(const Model& model, const Approach& a) {
  CAPTURE(model.name);
  CAPTURE(a.columns.front());
  const Run exact = run_by(model, "recursive", a.until);
  const double coarse = distance(run_by(model, "discrete", a.until, a.h), exact, a.columns),
               fine = distance(run_by(model, "discrete", a.until, a.h / 2), exact, a.columns);
  CHECK(coarse < a.size);
  CHECK(near(std::log2(coarse / fine), 2, a.spread));
}

/// A run that stops after some steps and is continued has every bit of one that does not.
inline void check_continues(Model model, double h, int first_steps, int all_steps) {
  model.simulate.formulation = "discrete";
  model.simulate.step = h;
  model.simulate.until = 1;
  const Mechanism m = compile(model);
  Discrete whole(m, model.simulate), first(m, model.simulate), second(m, model.simulate);
  std::vector<double> y(whole.size()), z = y;
  whole.begin(start_state(m, 0));
  first.begin(start_state(m, 0));
  second.begin(start_state(m, 0));
  whole.advance(all_steps);
  first.advance(first_steps);
  second.set_memory(first.memory());
  second.advance(all_steps - first_steps);
  whole.record(y), second.record(z);
  CHECK(y == z);
}

/// What is seen at the present instant.
inline Snapshot observed(Discrete& d) {
  std::vector<double> record(d.size());
  d.record(record);
  Snapshot now(d.mechanism());
  d.observe(d.time(), record, now);
  return now;
}

/// Two bodies of the reference models, the first of them in flight; `j` joins the second to it, and
/// a sensor sits at the second one's centre of mass.
inline Model two_in_flight(JointSpec j) {
  Model model;
  model.gravity = {0.3, -0.2, -9.81};
  model.bodies = {reference_body(1), reference_body(2)};
  JointSpec base = joint("base", JointType::free, "world", "b1");
  base.q = {1, 0, 0, 0, 0.1, 0.2, 0.3};
  base.u = {0.4, -0.3, 0.5, 0.2, 0.1, -0.1};
  j.on_parent = reference_frame(2, {0.4, 0.06, -0.04});
  model.joints = {base, j};
  model.sensors = {point_sensor("tip", "b2", {0.25, 0.04, -0.03})};
  return model;
}

}  // namespace sarrus::testing
