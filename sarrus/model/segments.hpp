// A beam cut into a chain of equal beams, each fixed to the one before it: the deflection of each
// is small where that of the whole is not.
//
//   segment k of n, k = 0 …:   from x = k L/n to (k + 1) L/n, its frame at its first end
//
// The first keeps the body's name, its mass and shapes; the others are called name_2, name_3 …, and
// so are the joints that fix them. What sits at x on the beam sits on the segment that has x.
#pragma once

#include "sarrus/model/model.hpp"

namespace sarrus {

/// Does nothing where no body of that name is an elastic beam, or n is 1.
void cut_beam(Model& model, const std::string& body, int n);

}  // namespace sarrus
