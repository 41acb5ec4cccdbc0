// Initial speeds that a model prescribes for joints, and whether any motion has them.
//
// A motion that the loops allow, G v = 0, has the speeds a asked of joint j as far as its part vⱼ
// points along them. Where the loops lock the joint, or nearly so as at a dead centre, the
// share
//
//   s = max |a · vⱼ| / (|a| max |vₖ|)   over the allowed motions v                     (1)
//
// is next to zero, and other joints would have to move 1/s times as fast as was asked for.
#pragma once

#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

/// The limit of 1/s: how many times as fast other joints may have to move.
constexpr double most_amplified = 1e6;

/// One speed that the file gives: of a joint of the tree, or of one that closes a loop.
struct AskedSpeed {
  int joint = 0;      // entry of Mechanism::joints
  int component = 0;  // of its speeds
  int u = -1;         // velocity of the tree; −1 where the joint closes a loop
  int closure = -1;   // entry of Mechanism::closures; −1 where it is in the tree
  double wanted = 0;
  double unit = 1;  // lengths are measured by that of the mechanism
};

/// All that are not zero, where nothing else prescribes them. `u`: the start as the file says it.
std::vector<AskedSpeed> asked_speeds(const Mechanism& m, const std::vector<double>& u,
                                     double length);
/// What it is in a motion.
double speed_of(const AskedSpeed& asked, const Places<double>& k);

/// The largest speed of the tree, lengths measured by that of the mechanism.
double fastest(const Mechanism& m, const std::vector<double>& u, double length);

/// A speed that the loops do not let a joint have, with the closures that hold it. `instead`: the
/// velocity that moves most where the mechanism moves at all, or −1. k, rows: at the start.
Diagnostic impossible_speed(const AskedSpeed& asked, double share, int instead,
                            const Places<double>& k, const LoopRows<double>& rows);

}  // namespace sarrus
