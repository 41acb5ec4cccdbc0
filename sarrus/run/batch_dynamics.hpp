// Forward and inverse dynamics of many states at once: four in lock-step in the lanes of a pack, the
// packs shared among threads. Mechanisms with loops go one by one, on as many threads.
//
// Arrays hold one state after the other. A state gives the same bits whatever its neighbours are and
// on however many threads it runs.
#pragma once

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// States of which a call is made.
struct StateRows {
  int count = 0;
  const double* q = nullptr;    // count × nq
  const double* u = nullptr;    // count × nu
  const double* tau = nullptr;  // count × nu, beside the forces of the model; nullptr: none
  double t = 0;                 // [s]
};

/// u̇ under all forces of the model, count × nu. Returns the first state that has no accelerations
/// (friction and loops may allow none), or −1; its row is NaN.
int forward_dynamics_rows(const Mechanism& mechanism, const StateRows& rows, double* udot,
                          int threads);

/// τ = M u̇ + c under gravity and no other force, count × nu; `udot` is count × nu.
void inverse_dynamics_rows(const Mechanism& mechanism, const StateRows& rows, const double* udot,
                           double* tau, int threads);

}  // namespace sarrus
