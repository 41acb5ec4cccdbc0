// What a block answers for itself, and how it is made of states and signals.
//
// A kind of block is one file: a struct with its numbers, `facts`, a descriptor for each key (reader,
// grammar, schema, pages and checks follow from it), `check` and `expand`. It stands in the list of
// block_kinds.hpp. Its formulas are written as text over the names of its own parts, so that exact
// derivatives, breakpoints and switches come with them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sarrus/control/control_spec.hpp"
#include "sarrus/core/units.hpp"

namespace sarrus {

struct BlockFacts {
  const char *word, *help;
  bool needs_input = true;
  bool needs_clock = false;  // sampled only
};

/// Which numbers of a block make sense; the rest is freely chosen.
enum class BlockRange : std::uint8_t { free, positive, not_negative };

template <class Block>
struct BlockKey {
  using Rows = std::vector<std::vector<double>>;
  using Member = std::variant<double Block::*, long long Block::*, std::vector<double> Block::*,
                              Rows Block::*, std::string Block::*, ValueLimits Block::*>;
  std::string_view name;
  Member member;  // a text is the name of a table
  Dimension dimension = {};
  BlockRange range = BlockRange::free;
  bool required = false;
  std::string_view fallback = {};  // what holds where the key is absent, for people
  std::string_view help = {}, example = {};
};

/// What every block has beside its kind.
struct BlockBase {
  std::string name;
  Place where;
  Formula input;
  std::string unit = "1";
  SampleClock clock = {};
};

/// Pieces one after the other, as a formula or a sentence; numbers with all their digits.
std::string text_piece(double x);
inline const std::string& text_piece(const std::string& text) { return text; }
inline std::string text_piece(const char* text) { return text; }
template <class... Pieces>
std::string text_of(const Pieces&... pieces) {
  std::string text;
  ((text += text_piece(pieces)), ...);
  return text;
}

/// Makes the parts of one block.
class BlockMaker {
 public:
  BlockMaker(const BlockBase& block, ControlParts& parts, Diagnostics& faults);

  bool is_sampled() const { return !block_.clock.is_continuous(); }
  double every() const { return block_.clock.every; }
  /// The name of the input, and of a part of the block.
  const std::string& in() const { return in_; }
  std::string part(const std::string& word) const { return block_.name + "." + word; }
  const std::string& name() const { return block_.name; }

  /// The block's value, under its own name.
  void output(const std::string& text, double start = 0, NoiseSpec noise = {});
  /// A signal of its own.
  void signal(const std::string& word, const std::string& text);
  /// A state of its own, by its rate; of a sampled block by its next value.
  void state(const std::string& word, double start, const std::string& text,
             ValueLimits limits = {});

 private:
  Formula formula(const std::string& text) const;

  const BlockBase& block_;
  ControlParts& parts_;
  Diagnostics& faults_;
  std::string in_;
};

/// What is wrong with a block, in words.
class BlockFaults {
 public:
  BlockFaults(const BlockBase& block, Diagnostics& faults)
      : block_(block), faults_(faults), path_("block/" + block.name) {}
  bool is_sampled() const { return !block_.clock.is_continuous(); }
  double every() const { return block_.clock.every; }
  void refuse(const char* key, const char* code, std::string message, std::string hint) {
    faults_.error(code, block_.where, path_ + "/" + key, std::move(message), std::move(hint));
  }

 private:
  const BlockBase& block_;
  Diagnostics& faults_;
  std::string path_;
};

/// What a kind of block answers.
template <class B>
concept SignalBlock = requires(const B& b, BlockFaults& faults, BlockMaker& make) {
  { B::facts.word } -> std::convertible_to<const char*>;
  B::keys();
  b.check(faults);  // what the ranges of its keys do not say
  b.expand(make);   // its states and signals
};

}  // namespace sarrus
