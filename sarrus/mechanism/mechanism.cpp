#include "sarrus/mechanism/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sarrus {
namespace {

std::string numbered(const std::string& joint, const char* letter, int index, int count) {
  return count == 1 ? fmt::format("{}.{}", joint, letter)
                    : fmt::format("{}.{}{}", joint, letter, index + 1);
}

/// The last body that starts at or before an entry: bodies without entries start where the next
/// does. An entry that does not exist belongs to the world.
int owner(const std::vector<int>& start, int entry) {
  if (entry < 0 || entry >= start.back()) return 0;
  return static_cast<int>(std::upper_bound(start.begin(), start.end(), entry) - start.begin()) - 1;
}

}  // namespace

int Mechanism::body_of_coordinate(int q) const { return owner(q0, q); }
int Mechanism::body_of_velocity(int u) const { return owner(u0, u); }
int Mechanism::body_of_chart_entry(int x) const { return owner(x0, x); }

std::string Mechanism::coordinate_name(int q) const {
  for (const ElasticInfo& e : elastic)
    if (q >= e.q0 && q < e.q0 + e.n) return fmt::format("{}.e{}", e.name, q - e.q0 + 1);
  const JointInfo* j = joint_of_body(body_of_coordinate(q));
  return j ? numbered(j->name, "q", q - j->q0, j->nq) : fmt::format("q[{}]", q);
}

std::string Mechanism::velocity_name(int u) const {
  if (const ElasticInfo* e = elastic_of_velocity(u))
    return fmt::format("{}.de{}", e->name, u - e->u0 + 1);
  const JointInfo* j = joint_of_body(body_of_velocity(u));
  return j ? numbered(j->name, "u", u - j->u0, j->nu) : fmt::format("u[{}]", u);
}

Freedom Mechanism::freedom(int u) const {
  const int body = body_of_velocity(u);
  return facts_of(kind[body]).freedoms[u - u0[body]];
}

const ElasticInfo* Mechanism::elastic_of_velocity(int u) const {
  for (const ElasticInfo& e : elastic)
    if (u >= e.u0 && u < e.u0 + e.n) return &e;
  return nullptr;
}

const JointInfo* Mechanism::joint_of_body(int i) const {
  const int j = joint_at[i];
  return j < 0 ? nullptr : &joints[j];
}

std::string Mechanism::owner_of_velocity(int u) const {
  if (const ElasticInfo* body = elastic_of_velocity(u)) return body->name;
  const JointInfo* joint = joint_of_body(body_of_velocity(u));
  return joint ? joint->name : "?";
}

std::string Mechanism::own_name(ForceKind of, const char* word, size_t i) const {
  const std::vector<std::string>& names = force_names[static_cast<size_t>(of)];
  return i < names.size() ? names[i] : word + std::to_string(i + 1);
}

}  // namespace sarrus
