// Linear models A, B, C, D for other programs: MATLAB .mat (level 5), NumPy .npz, JSON.
//
// All hold the matrices A, B, C, D and the names of states, inputs and outputs. Numbers are
// doubles, byte for byte those computed.
#pragma once

#include <string>

#include "sarrus/linear/linearize.hpp"

namespace sarrus {

/// Level 5 MAT-file, not compressed; names as cell arrays of text.
std::string to_mat(const StateSpace& space);
/// A zip archive, not compressed, of .npy arrays; names as arrays of text.
std::string to_npz(const StateSpace& space);
std::string to_json(const StateSpace& space);

}  // namespace sarrus
