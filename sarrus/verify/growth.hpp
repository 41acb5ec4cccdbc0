// How fast a small change of the initial state grows: how rounding is amplified, and how far ahead
// a motion can be predicted at all.
//
//   γ(t) = |x(t; x₀ + δ) − x(t; x₀)| / δ        relative to sizes, δ = 1e-8, largest of two tries
//
// δ is in rad and m, in the mechanism's own length and speeds where these are far from one, and that
// part of its size in a deflection of an elastic body.
//
// Where the difference has become as large as the motion itself, γ continues at the rate at which
// it got there: γ(t) = γ(t_s)^(t/t_s).
#pragma once

#include <vector>

#include "sarrus/verify/contender.hpp"

namespace sarrus {

/// γ of every quantity in every row; it does not fall with time. Empty where the formulation is
/// none of a tree.
Differences growth_of(const Mechanism& mechanism, const Contender& contender, const RunPlan& plan,
                      const std::vector<ComparedQuantity>& quantities);

}  // namespace sarrus
