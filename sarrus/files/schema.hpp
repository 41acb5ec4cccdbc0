// The grammar printed for others: a JSON Schema for editors, and the key tables of the reference
// page.
#pragma once

#include <string>
#include <string_view>

#include "sarrus/files/grammar.hpp"

namespace sarrus {

/// What a key holds, in words: "3 numbers".
std::string kind_text(const Key& key);
/// The unit of a number in a file without [units]; "" where it has none.
std::string unit_text(const Key& key);

/// JSON Schema (draft 2020-12) of a model file.
std::string schema_json();

/// The keys of one table of the grammar as a Markdown table.
std::string reference_table(std::string_view table);

/// A page whose parts between `<!-- keys: NAME -->` and `<!-- end -->` are made anew.
std::string with_reference_tables(std::string_view page);

}  // namespace sarrus
