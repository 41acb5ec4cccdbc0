// A mechanism and its derivatives along any direction, at one point: what linearize() is made of.
//
// Prescribed motions are opened: their coordinates are given like all others, so that they can be
// perturbed too.
#pragma once

#include <string>
#include <vector>

#include "sarrus/linear/linearize.hpp"

namespace sarrus {

/// Of r (all velocities), ṡ and the outputs along one direction.
struct Derivative {
  std::vector<double> r, state_rate, outputs;
  std::vector<double> closure, closing_speed;  // φ of the loops' rows, and G u
};

struct Input {
  std::string name;
  Derivative derivative;
  int motion = -1;  // prescribed velocity whose position (0), rate (1), second rate (2) it is
  int derivative_order = 0;
};

/// δξ̇ = N δu + E δξ over all entries.
struct ChartRates {
  Matrix N, E;
};

class Neighbourhood {
 public:
  Neighbourhood(const Mechanism& mechanism, const OperatingPoint& point);

  const std::vector<std::string>& output_names() const { return output_names_; }
  const std::vector<Diagnostic>& notes() const { return notes_; }

  Derivative value();  // not a derivative: r, ṡ and the outputs themselves
  Derivative along_position(int x);
  Derivative along_velocity(int u);
  Derivative along_acceleration(int u);
  Derivative along_state(int s);
  Derivative along_parameter(int parameter);
  std::vector<Input> inputs();
  ChartRates chart_rates() const;
  /// G by rows (rows of loops × nu), at the point.
  Matrix loop_rows();
  double loop_length() const;
  /// The largest single contribution to r: forces, gravity, inertia of what is prescribed.
  double force_scale();

  /// Derivatives along a whole direction of the chart of the joint forces of single elements.
  std::vector<std::pair<std::string, std::vector<double>>> element_forces(
      const std::vector<double>& delta);
  /// r alone, along a whole direction of the chart.
  std::vector<double> forces_along(const std::vector<double>& delta);

 private:
  using D = Dual<double>;
  void reset();
  void move(const std::vector<double>& delta);
  Derivative evaluate(bool derivative);
  struct Evaluation {
    const Kinematics<D>* k = nullptr;
    const Forces<D>* f = nullptr;
    const BodyAccelerations<D>* a = nullptr;
  };
  void add_loops(bool derivative, Derivative& found);
  std::vector<double> outputs(bool derivative);
  Derivative by_formula(int formula, bool rate);
  void list_outputs();

  const Mechanism* whole_;
  Mechanism open_;  // without prescribed motions
  OperatingPoint p_;
  std::vector<double> udot_;
  Workspace<D> w_;
  Evaluation at_;  // of q_, u_, a_, s_
  std::vector<D> q_, u_, a_, s_, tau_;
  std::vector<std::string> output_names_;
  std::vector<int> formula_outputs_;
  std::vector<Diagnostic> notes_;
};

}  // namespace sarrus
