#include "reports/mobility_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sarrus/show/mobility_json.hpp"

namespace sarrus::app {
namespace {

std::string name_of(const std::string& element) { return element.substr(element.find('/') + 1); }

/// Joints that take part in a redundant set.
void print_reactions(const Mobility& m, Output& out) {
  constexpr size_t most = 40;
  std::vector<const JointReactions*> shared;
  for (const JointReactions& j : m.reactions)
    if (std::count(j.components.begin(), j.components.end(), Reaction::shared) > 0)
      shared.push_back(&j);
  if (shared.empty()) return;
  out.line();
  out.line(
      "  reactions in the joint's frame: unique ones follow from the motion; shared ones depend");
  out.line("  on the stiffness of the joints, and are given with the smallest sum of squares");
  out.line(fmt::format("  {:<20} {:>7} {:>7} {:>7}   {:>7} {:>7} {:>7}", "joint", "force x", "y",
                       "z", "moment x", "y", "z"));
  for (size_t i = 0; i < std::min(most, shared.size()); ++i) {
    const auto& c = shared[i]->components;
    const auto cell = [&](size_t k) {  // the dot is two bytes wide
      const std::string text = to_text(c[k]);
      return c[k] == Reaction::not_carried ? "      " + text : fmt::format("{:>7}", text);
    };
    out.line(fmt::format("  {:<20} {} {} {}   {} {} {}", name_of(shared[i]->element), cell(0),
                         cell(1), cell(2), " " + cell(3), cell(4), cell(5)));
  }
  if (shared.size() > most) out.line(fmt::format("  … and {} more", shared.size() - most));
}

}  // namespace

void print_mobility(const Mobility& m, const Mechanism& mechanism, Output& out) {
  std::string closing;
  int loops = 0;
  for (const Closure& c : mechanism.closures)
    if (++loops <= 8) closing += (closing.empty() ? "" : ", ") + c.name;
  if (loops > 8) closing += fmt::format(" and {} more", loops - 8);
  out.line(fmt::format(
      "  degrees of freedom {}{}{}", m.freedoms,
      m.position_freedoms > m.freedoms
          ? fmt::format(" in velocity, {} in position", m.position_freedoms)
          : "",
      m.elastic > 0 ? fmt::format(", deformations included ({} elastic coordinates)", m.elastic)
                    : ""));
  out.line(fmt::format("  closed by {}", closing));
  if (!m.analysed) {
    out.line(fmt::format(
        "  {} of {} loop equations are independent; redundant joints are named for up to {} "
        "bodies, and this mechanism has {}: check a part of it as a model of its own",
        m.rank, m.rows, most_bodies_reported, mechanism.nb - 1));
    return;
  }
  out.line(fmt::format(
      "  {} velocities of free bodies{}, {} constraint equations, rank {} (singular values "
      "{:.1e} | {:.1e} of the largest)",
      m.velocities, m.elastic > 0 ? " and deformations" : "", m.rows, m.rank, m.last, m.next));
  if (!m.clear_gap)
    out.line("  the rank is not clear: the mechanism is near a position where it changes");
  if (m.counted != m.freedoms)
    out.line(fmt::format("  counting bodies and joints (Kutzbach) would give {}", m.counted));
  if (m.singular_here)
    out.line(
        fmt::format("  {}: near this position the rank is {}, and {} degrees of freedom remain",
                    out.styled("singular position", Style::strong), m.generic_rank,
                    m.velocities - m.generic_rank));
  if (m.redundant == 0) return;
  out.line();
  out.line(fmt::format(
      "  {} {} {}, {}", m.redundant,
      m.redundant == 1 ? "constraint equation is" : "constraint equations are", "redundant",
      m.singular_here ? "some of them only at this position" : "here and along the motion"));
  for (const RedundantSet& s : m.sets) out.line("    " + s.words);
  if (!m.changes.empty()) {
    std::string text;
    for (const std::string& c : m.changes) text += (text.empty() ? "" : "; ") + c;
    out.line("  to make them independent: " + text);
  }
  print_reactions(m, out);
}

}  // namespace sarrus::app
