#include "sarrus/tree/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sarrus {
namespace {

std::string numbered(const std::string& joint, const char* letter, int index, int count) {
  return count == 1 ? fmt::format("{}.{}", joint, letter)
                    : fmt::format("{}.{}{}", joint, letter, index + 1);
}

}  // namespace

bool Mechanism::has_loops() const {
  return std::any_of(joints.begin(), joints.end(), [](const JointInfo& j) { return j.cut; });
}

std::string Mechanism::coordinate_name(int q) const {
  for (const JointInfo& j : joints)
    if (!j.cut && q >= j.q0 && q < j.q0 + j.nq) return numbered(j.name, "q", q - j.q0, j.nq);
  return fmt::format("q[{}]", q);
}

std::string Mechanism::velocity_name(int u) const {
  for (const JointInfo& j : joints)
    if (!j.cut && u >= j.u0 && u < j.u0 + j.nu) return numbered(j.name, "u", u - j.u0, j.nu);
  return fmt::format("u[{}]", u);
}

const JointInfo* Mechanism::joint_of_body(int i) const {
  for (const JointInfo& j : joints)
    if (!j.cut && i >= j.first_body && i <= j.body) return &j;
  return nullptr;
}

}  // namespace sarrus
