// Every key that a model file may hold, listed once: the reader asks for keys through this list,
// and the schema and the reference pages are printed from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/units.hpp"

namespace sarrus {

/// The shape of a key's value.
enum class Kind {
  integer,
  number,  // plain, "30 deg", or an expression of parameters
  boolean,
  text,
  name,              // of this element
  reference,         // name of a body, or "world"
  choice,            // one of `words`
  file,              // path, relative to the file that holds it
  column,            // header or number of a column
  axis,              // "x", "y", "z", "-x", … or three numbers
  vector,            // three numbers
  numbers,           // one number, or a list
  pair,              // two numbers
  quaternion,        // four numbers
  matrix,            // three rows of three
  transform,         // four rows of four: rotation and place of a frame
  inertia,           // 3, 6 or 3 × 3 numbers
  points,            // list of pairs
  rows,              // a matrix of any size, by rows
  words,             // list of texts
  formula,           // number or expression of t, parameters, signals
  formulas,          // one formula, or a list
  vector_formula,    // three formulas
  start,             // start position of a joint: number, list or table `table`
  table,             // one table of kind `table`
  tables,            // a list of them: [[key]]
  numbers_by_name,   // a table whose keys the user chooses
  formulas_by_name,  // likewise, with formulas
  indices,           // a table of names, each with a count, a range or a list
};

/// Where the unit of a number comes from: the key itself, the freedoms of the joint it stands on, or
/// the key `unit` of the same element.
enum class Quantified {
  by_key,
  position,
  speed,
  stiffness,
  damping,
  force,
  inertia,
  integral,
  own,
  own_rate
};

struct Key {
  std::string_view name;
  Kind kind = Kind::number;
  Dimension dimension = {};
  Quantified quantified = Quantified::by_key;
  bool required = false;
  std::string_view fallback = {};            // what holds where the key is absent, for people
  std::vector<std::string_view> words = {};  // of a choice
  std::string_view table = {};               // of Kind::table, tables, start
  std::string_view help = {};
  std::string_view example = {};  // the value, as TOML
  // an earlier name of this key, still read with a warning until the release that drops it
  std::string_view earlier = {};
  std::string_view dropped_in = {};
};

struct TableGrammar {
  std::string_view name;
  std::string_view help;
  std::vector<Key> keys;

  bool is_repeatable = false;  // stands in a list at the top, and so has the keys of "repeat" too

  const Key* find(std::string_view key) const;
  const Key* find_earlier(std::string_view key) const;
};

/// All tables, the top of the file ("model") first.
const std::vector<TableGrammar>& grammar();
/// One of them; throws std::logic_error for a name that is not in the list.
const TableGrammar& grammar(std::string_view table);

}  // namespace sarrus
