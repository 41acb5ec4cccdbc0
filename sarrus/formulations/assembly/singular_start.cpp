// Starts at which rows of loops depend on each other: reported, and left along a motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/assembly/assembler.hpp"

namespace sarrus {
namespace {

constexpr int looks = 3;  // beside the start, for its rank
// [rad] or [m] from a singular start, δ: rounding is felt there as ε/δ², and the way as δ. Speeds
// that fit no motion lead to one from farther off, which is then followed back.
constexpr double beside_singular[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-5};

}  // namespace

std::vector<double> Assembler::step_aside(double size, Random& random) {
  for (double& u : u_) u = random.uniform(-1, 1);
  close_velocities();
  const double largest = speed();
  if (!(largest > 0)) return {};
  const std::vector<double> from = q_;
  displace(m_, from, u_, size / largest, q_);
  return close_positions() ? q_ : std::vector<double>{};
}

bool Assembler::is_singular() {
  release();  // of what was held for the user
  set();
  const int here = loops_.factors->rank();
  if (here == loops_.rows->size()) return false;
  const Coordinates kept{q_, u_};
  Random random(3);
  int highest = here;
  for (int k = 0; k < looks; ++k) {
    q_ = kept.q;
    set();
    if (!step_aside(0.05, random).empty()) highest = std::max(highest, loops_.factors->rank());
  }
  q_ = kept.q, u_ = kept.u;
  set();
  rank_beside_ = highest;
  if (highest == here) return false;
  notes_.push_back(
      {.severity = Severity::warning,
       .code = "singular-start",
       .element = "start",
       .message = fmt::format("the start is a singular position: {} of its loop equations are "
                              "independent, {} nearby; it can continue in more than one way: give "
                              "speeds of all joints that belong to one of them",
                              here, highest),
       .hint = "start a little away from this position"});
  return true;
}

void Assembler::leave_singular() {
  if (!m_.motions.empty()) return;  // the time says where they are
  const Coordinates kept{q_, u_};
  std::vector<double> along = u_;
  if (!(speed() > 0)) {
    along = accelerate(w_, *k_, load(w_, *k_)).udot;
  }
  for (const double distance : beside_singular) {
    const double largest = *std::max_element(
        along.begin(), along.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    u_ = kept.u;
    if (largest != 0) displace(m_, kept.q, along, distance / std::fabs(largest), q_);
    if (largest == 0 || !close_positions() || loops_.factors->rank() < rank_beside_) {
      q_ = kept.q, u_ = kept.u;
      return set();
    }
    close_velocities();
    if (speed() > 0) along = u_;
  }
  notes_.push_back({.severity = Severity::note,
                    .code = "left-singular",
                    .element = "start",
                    .message = fmt::format("the run starts {:g} rad or m further on, where the "
                                           "possible motions can be distinguished; at q: {}",
                                           std::end(beside_singular)[-1], configuration())});
  note_velocities(kept.u);
}

}  // namespace sarrus
