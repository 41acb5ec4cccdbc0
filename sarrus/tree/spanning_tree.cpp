#include "sarrus/tree/spanning_tree.hpp"

#include <algorithm>
#include <numeric>

namespace sarrus {
namespace {

/// Sets that are joined as edges are accepted.
class Islands {
 public:
  explicit Islands(int n) : root_(static_cast<size_t>(n)) {
    std::iota(root_.begin(), root_.end(), 0);
  }

  /// False if a and b were already connected.
  bool join(int a, int b) {
    a = find(a), b = find(b);
    root_[static_cast<size_t>(a)] = b;
    return a != b;
  }

 private:
  int find(int a) {
    while (root_[static_cast<size_t>(a)] != a) {
      root_[static_cast<size_t>(a)] = root_[static_cast<size_t>(root_[static_cast<size_t>(a)])];
      a = root_[static_cast<size_t>(a)];
    }
    return a;
  }
  std::vector<int> root_;
};

struct Neighbour {
  int joint, body;
  bool reversed;
};

}  // namespace

int freedoms(const JointSpec& joint) {
  switch (joint.type) {
    case JointType::fixed: return 0;
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw: return 1;
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::knife_edge: return 2;
    case JointType::spherical:
    case JointType::planar:
    case JointType::rolling_disk: return 3;
    case JointType::free: return 6;
    case JointType::sequence: return static_cast<int>(joint.sequence.size());
  }
  return 0;
}

SpanningTree spanning_tree(const Model& model, const std::vector<int>& parent,
                           const std::vector<int>& child) {
  const int bodies = static_cast<int>(model.bodies.size());
  const int joints = static_cast<int>(model.joints.size());

  // tightest joints first; among equals those written first
  std::vector<int> order(static_cast<size_t>(joints));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return freedoms(model.joints[static_cast<size_t>(a)]) <
           freedoms(model.joints[static_cast<size_t>(b)]);
  });

  // bodies count from 1 here, 0 is the world
  Islands islands(bodies + 1);
  std::vector<std::vector<Neighbour>> neighbours(static_cast<size_t>(bodies) + 1);
  SpanningTree tree;
  std::vector<char> kept(static_cast<size_t>(joints), 0);
  for (const int j : order) {
    if (model.joints[static_cast<size_t>(j)].active) continue;  // not always there
    const int a = parent[static_cast<size_t>(j)] + 1, b = child[static_cast<size_t>(j)] + 1;
    kept[static_cast<size_t>(j)] = islands.join(a, b);
  }
  for (int j = 0; j < joints; ++j) {
    const int a = parent[static_cast<size_t>(j)] + 1, b = child[static_cast<size_t>(j)] + 1;
    if (!kept[static_cast<size_t>(j)]) {
      tree.cut.push_back(j);
      continue;
    }
    neighbours[static_cast<size_t>(a)].push_back({j, b, false});
    neighbours[static_cast<size_t>(b)].push_back({j, a, true});
  }
  for (int b = 1; b <= bodies; ++b)
    if (islands.join(0, b)) neighbours[0].push_back({-1, b, false});

  // depth first from the world, without recursion
  std::vector<char> seen(static_cast<size_t>(bodies) + 1, 0);
  std::vector<std::pair<int, TreeEdge>> stack;
  const auto push_children = [&](int body) {
    seen[static_cast<size_t>(body)] = 1;
    const auto& list = neighbours[static_cast<size_t>(body)];
    for (auto n = list.rbegin(); n != list.rend(); ++n)
      if (!seen[static_cast<size_t>(n->body)])
        stack.push_back({n->body, {n->joint, body - 1, n->body - 1, n->reversed}});
  };
  push_children(0);
  while (!stack.empty()) {
    const auto [body, edge] = stack.back();
    stack.pop_back();
    tree.edges.push_back(edge);
    push_children(body);
  }
  return tree;
}

}  // namespace sarrus
