#include "sarrus/formulations/discrete/discrete_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sarrus {
namespace {

constexpr double deep = 0.05;  // of the smaller solid: an overlap that is no touching

Pose<double> pose_of(const Solid& s, const std::vector<BodyMotion<double>>& placed) {
  const BodyMotion<double>& b = placed[s.body];
  return Pose<double>{b.R, b.o} * s.X_BS;
}

}  // namespace

DiscreteContacts::DiscreteContacts(const Mechanism& m, const DiscreteGraph& graph)
    : m_(&m), g_(&graph) {
  size_t sticks = 0;
  for (const ContactPair& pair : m.contact_pairs) {
    first_stick_.push_back(sticks);
    sticks += static_cast<size_t>(pair.points);
  }
  sticks_.resize(sticks);
}

void DiscreteContacts::begin() { std::fill(sticks_.begin(), sticks_.end(), Vec3{}); }

void DiscreteContacts::apply(const std::vector<BodyMotion<double>>& placed, double h,
                             DiscreteBodies& bodies, EnergyFlow<double>& flow) {
  std::array<Touch, most_points> touches;
  for (size_t i = 0; i < m_->contact_pairs.size(); ++i) {
    const ContactPair& pair = m_->contact_pairs[i];
    const Solid &one = m_->solids[pair.first], &two = m_->solids[pair.second];
    const int n = find_touches(one, pose_of(one, placed), two, pose_of(two, placed), touches);
    std::array<bool, most_points> touched{};
    for (int k = 0; k < n; ++k) {
      const Touch& t = touches[k];
      const auto speed = [&](int body) {
        const BodyMotion<double>& b = placed[body];
        return b.V.v + cross(b.V.w, t.at - b.o);
      };
      const ContactForce f =
          contact_force(m_->contact_laws[pair.law], t, speed(one.body) - speed(two.body), h,
                        sticks_[first_stick_[i] + t.point]);
      touched[t.point] = true;
      flow.dissipated += f.absorbed;
      const auto push = [&](int body, const Vec3& force) {
        const int s = g_->slot[body];
        bodies.push(s, force, cross(t.at - bodies[s].P, force));
      };
      push(one.body, f.force);
      push(two.body, -f.force);
    }
    for (int k = 0; k < pair.points; ++k)
      if (!touched[k]) sticks_[first_stick_[i] + k] = {};
  }
}

std::vector<Diagnostic> DiscreteContacts::overlaps(
    const std::vector<BodyMotion<double>>& placed) const {
  std::vector<Diagnostic> notes;
  std::array<Touch, most_points> touches;
  for (const ContactPair& pair : m_->contact_pairs) {
    const Solid &one = m_->solids[pair.first], &two = m_->solids[pair.second];
    const int n = find_touches(one, pose_of(one, placed), two, pose_of(two, placed), touches);
    double depth = 0;
    for (int k = 0; k < n; ++k) depth = std::max(depth, touches[k].depth);
    const double limit = deep * std::min(one.extent(), two.extent());
    if (!(depth > limit)) continue;
    const ContactLaw& law = m_->contact_laws[pair.law];
    const auto name = [&](const Solid& s) { return g_->bodies[g_->slot[s.body]].name; };
    notes.push_back(
        {.severity = Severity::warning,
         .code = "overlap",
         .where = law.where,
         .element = "contact/" + law.name,
         .message = fmt::format("'{}' and '{}' overlap by {:.3g} m at the start, and will be "
                                "thrown apart",
                                name(one), name(two), depth),
         .hint = "move them apart",
         .value = fmt::format("{:.3g}", depth),
         .limit = fmt::format("{:.3g}", limit)});
  }
  return notes;
}

}  // namespace sarrus
