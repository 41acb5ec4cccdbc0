#include "sarrus/mechanism/spanning_tree.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "sarrus/mechanism/closures.hpp"
#include "sarrus/model/freedoms.hpp"

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
    root_[a] = b;
    return a != b;
  }

 private:
  int find(int a) {
    while (root_[a] != a) {
      root_[a] = root_[root_[a]];
      a = root_[a];
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

std::vector<char> needed_coordinates(const Model& model) {
  std::set<std::string> coupled;
  for (const ConstraintSpec& c : model.constraints)
    for (const CoordinateName& of : c.joints)
      coupled.insert(of.name), coupled.insert(of.name.substr(0, of.name.rfind(".q")));
  std::vector<char> needed;
  for (const JointSpec& j : model.joints)
    needed.push_back(j.spring || !j.damper.empty() || j.limits || j.friction || j.armature > 0 ||
                     !j.force.empty() || j.servo || j.motor || !j.motion.empty() ||
                     !j.speed.empty() || !has_rows(j.type) || coupled.count(j.name) > 0);
  return needed;
}

namespace {

/// Whether a body has no inertia about a point of its own: a mass in that very point.
bool is_point_at(const BodySpec& body, const Vec3& at) {
  const Vec3 apart = body.com.value_or(Vec3{}) - at;
  if (body.elastic || !(body.mass.value_or(0) > 0) || dot(apart, apart) > 0) return false;
  for (const Shape& shape : body.shapes)
    if (shape.density > 0) return false;
  for (int i = 0; body.inertia && i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if ((*body.inertia)(i, k) != 0) return false;
  return true;
}

/// Whether a joint may turn a body that has nothing to turn; another joint may keep it from turning.
bool turns_a_point(const Model& model, const JointSpec& joint, int parent, int child) {
  const std::vector<Freedom> freedoms = freedoms_of(joint);
  if (std::none_of(freedoms.begin(), freedoms.end(), [](Freedom f) { return f == Freedom::turns; }))
    return false;
  return (parent >= 0 && is_point_at(model.bodies[parent], joint.on_parent.at)) ||
         (child >= 0 && is_point_at(model.bodies[child], joint.on_child.at));
}

/// `last`: joints that are kept only where nothing else connects the tree.
SpanningTree grow(const Model& model, const std::vector<int>& parent, const std::vector<int>& child,
                  const std::vector<char>& last) {
  const int bodies = static_cast<int>(model.bodies.size());
  const int joints = static_cast<int>(model.joints.size());

  // joints whose coordinates are needed first, then the tightest; among equals those that turn
  // bodies with inertia, those whose start is given, then those written first
  const std::vector<char> needed = needed_coordinates(model);
  const auto rank = [&](int j) {
    const JointSpec& joint = model.joints[j];
    return std::tuple(last[j], !needed[j], freedoms_of(joint).size(),
                      turns_a_point(model, joint, parent[j], child[j]), !joint.q && !joint.u);
  };
  std::vector<int> order(joints);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });

  // bodies count from 1 here, 0 is the world
  Islands islands(bodies + 1);
  std::vector<std::vector<Neighbour>> neighbours(static_cast<size_t>(bodies) + 1);
  SpanningTree tree;
  std::vector<char> kept(joints, 0);
  for (const int j : order) {
    if (model.joints[j].active) continue;  // not always there
    const int a = parent[j] + 1, b = child[j] + 1;
    kept[j] = islands.join(a, b);
  }
  for (int j = 0; j < joints; ++j) {
    const int a = parent[j] + 1, b = child[j] + 1;
    if (!kept[j]) {
      tree.cut.push_back(j);
      continue;
    }
    neighbours[a].push_back({j, b, false});
    neighbours[b].push_back({j, a, true});
  }
  for (int b = 1; b <= bodies; ++b)
    if (islands.join(0, b)) neighbours[0].push_back({-1, b, false});

  // depth first from the world, without recursion
  std::vector<char> seen(static_cast<size_t>(bodies) + 1, 0);
  std::vector<std::pair<int, TreeEdge>> stack;
  const auto push_children = [&](int body) {
    seen[body] = 1;
    const auto& list = neighbours[body];
    for (auto n = list.rbegin(); n != list.rend(); ++n)
      if (!seen[n->body])
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

}  // namespace

/// A joint that would stand on its child, and cannot, closes its loop instead.
SpanningTree spanning_tree(const Model& model, const std::vector<int>& parent,
                           const std::vector<int>& child) {
  std::vector<char> last(model.joints.size(), 0);
  for (;;) {
    SpanningTree tree = grow(model, parent, child, last);
    bool changed = false;
    for (const TreeEdge& edge : tree.edges) {
      if (edge.joint < 0 || !edge.reversed) continue;
      char& put_last = last[edge.joint];
      if (put_last || reverses(model.joints[edge.joint].type)) continue;
      put_last = 1, changed = true;
    }
    if (!changed) return tree;
  }
}

}  // namespace sarrus
