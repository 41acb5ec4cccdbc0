#include "reports/tree_sketch.hpp"

#include <fmt/format.h>

namespace sarrus::app {
namespace {

struct Sketch {
  const Mechanism& m;
  size_t most;
  std::vector<std::string> lines;

  std::string body_name(int body) const {
    if (body == 0) return "world";
    for (const BodyInfo& b : m.bodies)
      if (b.body == body) return b.name;
    for (const SeatInfo& s : m.seats)
      if (s.body == body) return m.elastic[s.elastic].name;
    return "?";
  }

  /// Whether a body is the one asked for, or a seat on it.
  bool is_on(int body, int wanted) const {
    if (body == wanted) return true;
    for (const SeatInfo& s : m.seats)
      if (s.body == body) return m.elastic[s.elastic].frame == wanted;
    return false;
  }

  /// The joints of a body: in the tree, with the bodies that they move, then loops that end here.
  std::vector<const JointInfo*> on(int body) const {
    std::vector<const JointInfo*> found;
    for (const bool cut : {false, true})
      for (const JointInfo& j : m.joints)
        if (j.cut == cut && is_on(j.reversed ? j.child : j.parent, body)) found.push_back(&j);
    return found;
  }

  void draw(int body, const std::string& indent) {
    const std::vector<const JointInfo*> joints = on(body);
    for (size_t i = 0; i < joints.size(); ++i) {
      if (lines.size() >= most) return;
      const JointInfo& j = *joints[i];
      const bool last = i + 1 == joints.size();
      const int moved = j.reversed ? j.parent : j.child;
      lines.push_back(fmt::format("{}{}{} ({}) {} {}", indent, last ? "└─ " : "├─ ", j.name,
                                  to_text(j.type), j.cut ? "closes a loop to" : "─",
                                  body_name(moved)));
      if (!j.cut) draw(moved, indent + (last ? "   " : "│  "));
    }
  }
};

}  // namespace

std::vector<std::string> tree_sketch(const Mechanism& m, size_t most_lines) {
  Sketch sketch{m, most_lines, {"world"}};
  sketch.draw(0, "");
  if (sketch.lines.size() >= most_lines) sketch.lines.push_back("…");
  return sketch.lines;
}

}  // namespace sarrus::app
