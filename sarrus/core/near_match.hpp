// "Did you mean": the candidates nearest to a mistyped name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sarrus {

/// Number of single-letter insertions, deletions, changes and swaps between two words.
int edit_distance(std::string_view a, std::string_view b);

/// The nearest candidate, or "" where none is near enough to be meant.
std::string near_match(std::string_view word, const std::vector<std::string>& candidates);

/// "did you mean 'mass'?" or, where nothing is near, "one of: a, b, c" (at most eight), or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace sarrus
