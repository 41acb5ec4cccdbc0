#include <fmt/format.h>

#include "sarrus/control/block_kinds.hpp"

namespace sarrus {

std::string text_piece(double x) { return x < 0 ? fmt::format("({})", x) : fmt::format("{}", x); }

BlockMaker::BlockMaker(const BlockBase& block, ControlParts& parts, Diagnostics& faults)
    : block_(block), parts_(parts), faults_(faults), in_(part("in")) {
  parts_.signals.push_back({.name = in_,
                            .where = block.where,
                            .value = block.input,
                            .clock = block.clock,
                            .shown = false});
}

Formula BlockMaker::formula(const std::string& text) const {
  Expression::Parsed parsed = Expression::parse(text);
  if (!parsed.problem.empty())
    faults_.error("too-long", block_.where, "block/" + block_.name,
                  "its formula cannot be made: " + parsed.problem, "a block of lower order");
  return {std::move(parsed.expression), block_.where};
}

void BlockMaker::output(const std::string& text, double start, NoiseSpec noise) {
  parts_.signals.push_back({.name = block_.name,
                            .where = block_.where,
                            .value = formula(text),
                            .unit = block_.unit,
                            .clock = block_.clock,
                            .start = start,
                            .noise = noise});
}

void BlockMaker::signal(const std::string& word, const std::string& text) {
  parts_.signals.push_back({.name = part(word),
                            .where = block_.where,
                            .value = formula(text),
                            .clock = block_.clock,
                            .shown = false});
}

void BlockMaker::state(const std::string& word, double start, const std::string& text,
                       ValueLimits limits) {
  parts_.states.push_back({.name = part(word),
                           .where = block_.where,
                           .rate = formula(text),
                           .start = start,
                           .limits = limits,
                           .clock = block_.clock,
                           .shown = false});
}

void expand(const BlockSpec& block, ControlParts& parts, Diagnostics& faults) {
  BlockMaker make(block, parts, faults);
  std::visit([&](const auto& kind) { kind.expand(make); }, block.kind);
}

}  // namespace sarrus
