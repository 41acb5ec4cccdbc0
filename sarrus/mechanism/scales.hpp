// Scales of a mechanism: a length, a mass and a time of its own, so that floors, tolerances and
// differences mean the same at a micrometre as at a kilometre.
#pragma once

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

struct Scales {
  double length = 1, mass = 1, time = 1;  // [m], [kg], [s]
  double acceleration = 0;                // [m/s²] of gravity
};

/// The length is the largest of the geometry; where a mechanism has none, how far its start lies
/// from zero, or how far the start's speed carries it, or how far its mass is spread; 1 m where
/// there is none of these.
Scales scales_of(const Mechanism& mechanism, double duration);

/// The SI unit itself where it lies between a thousandth of what is typical and that; otherwise the
/// nearer end. Ordinary mechanisms are thus measured in metres and seconds, others by themselves.
double own_unit(double typical);

/// [rad/s] The fastest motion that gravity, springs and the start can cause, of all mass together;
/// 0 where there are none.
double typical_rate(const Mechanism& mechanism);

/// Natural unit of each entry of a state [chart; velocities or momenta; currents]: the SI unit, or
/// less where the mechanism's length, rate or mass make it smaller.
std::vector<double> state_units(const Mechanism& mechanism, bool momenta);

}  // namespace sarrus
