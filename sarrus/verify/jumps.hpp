// Times at which inputs jump: what is recorded there has two values, one of the course that ends and
// one of the course that begins, and both are right. Which of them a run shows is no matter of
// accuracy, so that rows at such times are not compared.
#pragma once

#include <vector>

#include "sarrus/mechanism/mechanism.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

/// Where accelerations or prescribed velocities jump at a given time, rising; the start included.
std::vector<double> jump_times(const Mechanism& mechanism, double start, double until);

/// Whether one of them is not farther from t than this.
bool is_at_jump(const std::vector<double>& jumps, double t, double within);

/// Without the rows at those times, but with the first, which is the start.
void leave_out_jumps(Trajectory& rows, const std::vector<double>& jumps);

}  // namespace sarrus
