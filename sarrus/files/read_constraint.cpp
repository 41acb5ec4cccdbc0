// [[constraint]]: which keys each type takes, and what they become.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

using Type = ConstraintType;

bool is_coupling(Type type) { return type == Type::gear || type == Type::coupling; }
bool rolls(Type type) {
  return type == Type::rolling_sphere || type == Type::rolling_disk || type == Type::wheel;
}

/// The keys that a type needs, then those that it may have, beside name and type.
struct Keys {
  std::vector<std::string_view> needed, optional;
};
Keys keys_of(Type type) {
  switch (type) {
    case Type::distance: return {{"to", "length"}, {"from"}};
    case Type::point_on_line:
    case Type::point_on_plane: return {{"to"}, {"from", "axis"}};
    case Type::gear: return {{"joints", "ratio"}, {"offset"}};
    case Type::coupling: return {{"joints", "coefficients"}, {"offset"}};
    case Type::knife_edge: return {{"to"}, {"from", "direction"}};
    case Type::rolling_sphere: return {{"to", "radius"}, {"from", "axis"}};
    case Type::rolling_disk:
    case Type::wheel: return {{"to", "radius"}, {"from", "axis", "direction"}};
  }
  return {};
}

void check_keys(Fields& f, Type type) {
  const Keys keys = keys_of(type);
  for (const std::string_view key : keys.needed)
    if (!f.has(key))
      f.error("type", "missing-key", fmt::format("a {} constraint needs '{}'", to_text(type), key));
  const auto lists = [](const std::vector<std::string_view>& list, std::string_view key) {
    return std::find(list.begin(), list.end(), key) != list.end();
  };
  for (const Key& key : grammar("constraint").keys)
    if (key.name != "name" && key.name != "type" && f.has(key.name) &&
        !lists(keys.needed, key.name) && !lists(keys.optional, key.name))
      f.error(key.name, "unused-key",
              fmt::format("a {} constraint has no '{}'", to_text(type), key.name));
}

void read_coupling(Reading& r, Fields& f, ConstraintSpec& c) {
  for (const std::string& joint : f.words("joints"))
    c.joints.push_back({r.scope.prefix + joint, f.place("joints")});
  c.offset = f.number("offset");
  if (c.type == Type::gear) {
    c.coefficients = {1, -f.number("ratio", 1)};
    if (!c.joints.empty() && c.joints.size() != 2)
      f.error("joints", "wrong-length",
              fmt::format("{} joints are given, a gear has 2", c.joints.size()),
              "use a coupling for more");
    return;
  }
  const std::vector<Dimension> plain(c.joints.size(), dimensions::none);
  if (auto numbers = f.numbers_as("coefficients", plain)) c.coefficients = std::move(*numbers);
}

}  // namespace

ConstraintSpec read_constraint(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "constraint", element);
  ConstraintSpec c;
  c.name = f.name().value_or("");
  c.where = f.place();
  const auto type = f.choice("type");
  if (!type) return c;
  c.type = static_cast<Type>(*type);
  check_keys(f, c.type);
  if (is_coupling(c.type)) {
    read_coupling(r, f, c);
    return c;
  }
  c.from = read_point(r, f.node("from"), f.path("from"));
  c.to = read_point(r, f.node("to"), f.path("to"));
  if (const auto axis = f.axis("axis")) c.axis = unit_axis(f, "axis", *axis);
  if (const auto axis = f.axis("direction")) c.direction = unit_axis(f, "direction", *axis);
  c.length = f.number("length", 0);
  if (rolls(c.type)) c.radius = f.number("radius", 0);
  return c;
}

}  // namespace sarrus
