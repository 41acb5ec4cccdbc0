// Elements that are written once and stand for several copies.
//
//   for = { i = 3 }       a copy for i = 0, 1, 2; also "1..n", "n", or a list of numbers or words
//   if = "i > 0"          only where this is not zero
//
// In every text of an element {…} is replaced by its value: name = "link{i}",
// parent = "link{i - 1}", at = ["{0.1*i}", 0, 0]. A text that is nothing but {…} becomes a plain
// number, so that units of the file hold for it too; {{ and }} are braces. Parameters that are lists
// are read here alone: {lengths[i]} is one entry, com = "{centre}" the whole list. A range among the
// entries of a list gives several: bodies = ["link{1..n}"].
#pragma once

#include "sarrus/files/fields.hpp"

namespace sarrus {

/// Replaces every element of the file's lists that has `for`, `if` or braces by its copies; faults
/// go to the scope, and an element with a fault is left out.
void repeat_elements(Scope& scope, Node& root);

}  // namespace sarrus
