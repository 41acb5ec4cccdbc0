// Which joints carry the tree, which close loops, and in what order bodies are counted.
//
// The tree keeps the joints whose coordinates are needed, then those that remove most freedoms (a
// maximum spanning tree by constraint rows), so that loops are closed by the loosest ones; of equal
// ones those come last that would turn a mass point about itself, so that a slider that only slides
// needs no inertia, in whatever order its joints are written. A body or island without a path to
// the world is attached to it by a free joint. Bodies are numbered depth first: a parent comes
// before its children.
#pragma once

#include <vector>

#include "sarrus/model/model.hpp"

namespace sarrus {

/// One edge of the tree, in the order of counting.
struct TreeEdge {
  int joint = -1;  // index in Model::joints; −1: a free joint that nobody wrote
  int inner = -1;  // body (index in Model::bodies) on the side of the world; −1: the world
  int outer = 0;
  bool reversed = false;  // the user's child is the inner body
};

struct SpanningTree {
  std::vector<TreeEdge> edges;  // one per body
  std::vector<int> cut;         // joints that close loops, in the order of the file
};

/// Per joint: whether its coordinates are needed, because a force, a motion or a coupling acts on
/// them or because no row can stand for it. Such a joint stays in the tree even where it closes a
/// loop.
std::vector<char> needed_coordinates(const Model& model);

/// `parent[j]`, `child[j]`: bodies of joint j, −1 for the world.
SpanningTree spanning_tree(const Model& model, const std::vector<int>& parent,
                           const std::vector<int>& child);

}  // namespace sarrus
