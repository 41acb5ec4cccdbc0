// For engines that move bodies one by one: where the links of a tree are, and how their energy is
// judged.
//
// The task `steps` lets the chain go from swing_start() and takes steps of 10 µs. Before the clock
// runs, 0.05 s are simulated, and `difference` is by how much the energy is off at their end,
// relative to the kinetic energy.
#pragma once

#include "benchmarks/measure.hpp"

namespace bench {

constexpr double small_step = 1e-5;  // [s]
constexpr int trial_steps = 5000;

struct Placed {
  double R[3][3];  // link → world
  Triple origin, com;
};

inline Triple turned(const double (&R)[3][3], const Triple& v) {
  Triple w{};
  for (size_t i = 0; i < 3; ++i) w[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
  return w;
}

/// World places of all links at the hinge angles q.
inline std::vector<Placed> placed(const Tree& tree, const std::vector<double>& q) {
  std::vector<Placed> all;
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    Placed p{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, link.at, {}};
    const double s = std::sin(q[i]), c = std::cos(q[i]);
    double turn[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int a = (link.axis + 1) % 3, b = (link.axis + 2) % 3;
    turn[a][a] = c, turn[a][b] = -s, turn[b][a] = s, turn[b][b] = c;
    if (link.parent >= 0) {
      const Placed& parent = all[link.parent];
      const Triple at = turned(parent.R, link.at);
      for (size_t k = 0; k < 3; ++k) p.origin[k] = parent.origin[k] + at[k];
      for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k)
          p.R[r][k] = parent.R[r][0] * turn[0][k] + parent.R[r][1] * turn[1][k] +
                      parent.R[r][2] * turn[2][k];
    } else {
      std::copy(&turn[0][0], &turn[0][0] + 9, &p.R[0][0]);
    }
    const Triple com = turned(p.R, link.com);
    for (size_t k = 0; k < 3; ++k) p.com[k] = p.origin[k] + com[k];
    all.push_back(p);
  }
  return all;
}

struct Energy {
  double kinetic = 0, potential = 0;
};
inline double energy_error(const Energy& before, const Energy& after) {
  return std::fabs(after.kinetic + after.potential - before.kinetic - before.potential) /
         after.kinetic;
}

}  // namespace bench
