// The closed set of blocks, once: model files, their checks and their construction are made from it.
#pragma once

#include <variant>

#include "sarrus/control/delay.hpp"
#include "sarrus/control/filter.hpp"
#include "sarrus/control/hysteresis.hpp"
#include "sarrus/control/lookup.hpp"
#include "sarrus/control/noise.hpp"
#include "sarrus/control/pid.hpp"
#include "sarrus/control/rate_limit.hpp"
#include "sarrus/control/relay.hpp"
#include "sarrus/control/sample.hpp"
#include "sarrus/control/saturation.hpp"
#include "sarrus/control/state_space.hpp"
#include "sarrus/control/transfer_function.hpp"

namespace sarrus {

template <SignalBlock... Kinds>
struct BlockList {
  using Any = std::variant<Kinds...>;
  /// Calls f with one of each.
  template <class F>
  static void each(F&& f) {
    (f(Kinds{}), ...);
  }
};
using BlockKinds = BlockList<Pid, TransferFunction, StateSpaceBlock, Filter, RateLimit, Saturation,
                             Hysteresis, Relay, Lookup, Delay, Noise, Sample>;

struct BlockSpec : BlockBase {
  BlockKinds::Any kind;
};

/// Adds the states and signals of a block.
void expand(const BlockSpec& block, ControlParts& parts, Diagnostics& faults);

}  // namespace sarrus
