// Inputs, outputs, states and blocks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

/// The dimension that `unit` gives; SI only, since formulas are.
Dimension read_unit(Fields& f, std::string& unit) {
  const auto text = f.text("unit");
  if (!text || text->empty()) return dimensions::none;
  const std::optional<Unit> found = parse_unit(*text);
  if (!found) {
    f.error("unit", "unknown-unit", fmt::format("'{}' is not a unit", shown(*text)));
    return dimensions::none;
  }
  if (found->factor != 1)
    f.error("unit", "not-si",
            fmt::format("'{}' is no SI unit, and formulas are in SI", shown(*text)),
            fmt::format("write {}, and convert where it is shown", si_name(found->dimension)));
  unit = *text;
  return found->dimension;
}

ValueLimits read_limits(Fields& f, const Dimension& dimension) {
  const auto pair = f.pair_as("limits", dimension);
  if (!pair) return {};
  if (!((*pair)[0] < (*pair)[1]))
    f.error("limits", "bad-limits",
            fmt::format("the lower limit {} is not below the upper one {}", (*pair)[0], (*pair)[1]),
            "[lowest, highest]");
  return {(*pair)[0], (*pair)[1]};
}

SampleClock read_clock(Fields& f) {
  SampleClock clock{f.number("every", 0), f.number("offset", 0)};
  if (f.has("every") && !(clock.every > 0))
    f.error("every", "bad-sampling", fmt::format("{} s is no time between samples", clock.every),
            "a time above 0; without `every` it is continuous");
  if (f.has("offset") && !f.has("every"))
    f.error("offset", "unused-key", "'offset' without 'every'", "set every to sample");
  if (clock.offset < 0)
    f.error("offset", "bad-sampling", fmt::format("the first sample is at {} s", clock.offset),
            "0 or later");
  return clock;
}

Dimension per_second(Dimension d) {
  d.exponent[2] -= 1;
  return d;
}

void check_name(Fields& f, const std::string& name) {
  if (name.find('-') != std::string::npos)
    f.error("name", "bad-name",
            fmt::format("'{}' would be read as a difference in formulas", shown(name)),
            "letters, digits and _");
}

/// Name, place and unit, which all of them have; the dimension of the unit.
template <class Spec>
Dimension read_signal(Fields& f, Spec& signal) {
  signal.name = f.name().value_or("");
  signal.where = f.place();
  check_name(f, signal.name);
  return read_unit(f, signal.unit);
}

void check_within(Fields& f, const char* key, double value, const ValueLimits& limits) {
  if (!limits.contain(value))
    f.error(key, "beyond-limits",
            fmt::format("{} is not within the limits {} and {}", value, limits.low, limits.high));
}

// ── blocks: a key becomes what its member is ──

/// What the reading of a key needs: its descriptor, and where it stands.
template <class Block>
struct KeyReader {
  Fields& f;
  const BlockKey<Block>& key;

  void operator()(double& x) const {
    x = f.number(key.name, x);
    if (f.has(key.name) && ((key.range == BlockRange::positive && !(x > 0)) ||
                            (key.range == BlockRange::not_negative && !(x >= 0))))
      f.error(key.name, "bad-value",
              fmt::format("{} must {}", x,
                          key.range == BlockRange::positive ? "be above 0" : "not be negative"));
  }
  void operator()(long long& x) const { x = f.integer(key.name).value_or(x); }
  void operator()(std::vector<double>& x) const {
    x = f.numbers_of(key.name, key.dimension).value_or(x);
  }
  void operator()(std::vector<std::vector<double>>& x) const { x = f.rows(key.name).value_or(x); }
  void operator()(ValueLimits& x) const { x = read_limits(f, dimensions::none); }
  void operator()(std::string& table) const {
    const auto text = f.text(key.name);
    if (!text) return;
    table = f.scope().prefix + *text;
    f.scope().mentioned->push_back(
        {.name = table, .where = f.place(key.name), .element = f.path(key.name), .is_table = true});
  }
};

template <class Block>
void read_kind(Fields& f, const BlockBase& base, Block& block) {
  const std::vector<BlockKey<Block>> keys = Block::keys();
  std::vector<std::string_view> known;
  for (const BlockKey<Block>& key : keys) {
    known.push_back(key.name);
    if (key.required && !f.has(key.name))
      f.error(key.name, "missing-key",
              fmt::format("'{}' is missing, which a {} needs", key.name, Block::facts.word),
              fmt::format("for example {} = {}", key.name, key.example));
    std::visit([&](auto member) { KeyReader<Block>{f, key}(block.*member); }, key.member);
  }
  constexpr std::string_view common[] = {"name", "type", "input", "every", "offset", "unit"};
  const auto is_in = [](const auto& list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
  };
  for (const Key& key : grammar("block").keys)
    if (f.has(key.name) && !is_in(common, key.name) && !is_in(known, key.name))
      f.error(key.name, "unused-key", fmt::format("a {} has no '{}'", Block::facts.word, key.name),
              fmt::format("it has {}", fmt::join(known, ", ")));
  if (Block::facts.needs_input && !f.has("input"))
    f.error("input", "missing-key", fmt::format("a {} needs an input", Block::facts.word),
            "for example input = \"target - shoulder.q\"");
  if (Block::facts.needs_clock && !f.has("every"))
    f.error(
        "every", "missing-key",
        fmt::format("a {} is sampled: it needs the time between two samples", Block::facts.word),
        "for example every = \"1 ms\"");
  BlockFaults faults(base, *f.scope().faults);
  block.check(faults);
}

}  // namespace

InputSpec read_input(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "input", element);
  InputSpec input;
  const Dimension dimension = read_signal(f, input);
  input.limits = read_limits(f, dimension);
  if (auto value = f.formula_as("value", dimension)) {
    const Expression& e = value->expression;
    if (e.depends_on("t") || !e.table_names().empty())
      input.course = std::move(*value);
    else
      input.value = read_number(r.scope, *f.node("value"), dimension, f.path("value")).value_or(0);
  }
  if (!input.course) check_within(f, "value", input.value, input.limits);
  return input;
}

SignalSpec read_output(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "output", element);
  SignalSpec output;
  const Dimension dimension = read_signal(f, output);
  if (auto value = f.formula_as("value", dimension)) output.value = std::move(*value);
  return output;
}

StateSpec read_state(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "state", element);
  StateSpec state;
  const Dimension dimension = read_signal(f, state);
  state.clock = read_clock(f);
  const char *wanted = f.has("every") ? "next" : "rate", *other = f.has("every") ? "rate" : "next";
  if (f.is_table() && !f.has(wanted))
    f.error(wanted, "missing-key",
            fmt::format("a {} state needs '{}'", f.has("every") ? "sampled" : "continuous", wanted),
            fmt::format("for example {} = \"0.5*shoulder.q\"", wanted));
  if (f.has(other))
    f.error(
        other, "unused-key",
        fmt::format("'{}' belongs to a {} state", other, f.has("every") ? "continuous" : "sampled"),
        f.has("every") ? "leave out every, or give next" : "set every, or give rate");
  if (auto rate = f.formula_as(wanted, f.has("every") ? dimension : per_second(dimension)))
    state.rate = std::move(*rate);
  state.start = f.number_as("start", dimension).value_or(0);
  state.limits = read_limits(f, dimension);
  check_within(f, "start", state.start, state.limits);
  return state;
}

BlockSpec read_block(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "block", element);
  BlockSpec block;
  read_signal(f, block);
  block.clock = read_clock(f);
  if (auto input = f.formula("input")) block.input = std::move(*input);
  const auto type = f.choice("type");
  if (!type) return block;
  int k = 0;
  BlockKinds::each([&]<class Block>(Block kind) {
    if (k++ != *type) return;
    read_kind(f, block, kind);
    block.kind = std::move(kind);
  });
  return block;
}

}  // namespace sarrus
