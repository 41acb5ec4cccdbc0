#include "sarrus/core/near_match.hpp"

#include <algorithm>
#include <limits>

namespace sarrus {

static constexpr size_t most_listed = 20;  // names in a hint

int edit_distance(std::string_view a, std::string_view b) {
  const size_t n = a.size(), m = b.size();
  std::vector<std::vector<int>> d(n + 1, std::vector<int>(m + 1));
  for (size_t i = 0; i <= n; ++i) d[i][0] = static_cast<int>(i);
  for (size_t j = 0; j <= m; ++j) d[0][j] = static_cast<int>(j);
  for (size_t i = 1; i <= n; ++i)
    for (size_t j = 1; j <= m; ++j) {
      const int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[n][m];
}

std::string near_match(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr size_t longest = 64;  // beyond this a word is not a typing error
  if (word.size() > longest) return "";
  int best = std::numeric_limits<int>::max();
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const int d = edit_distance(word, candidate);
    if (d < best) best = d, found = candidate;
  }
  const int allowed = std::max(1, static_cast<int>(word.size()) / 3);
  return best <= allowed ? found : "";
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  if (const std::string near = near_match(word, candidates); !near.empty())
    return "did you mean '" + near + "'?";
  if (candidates.empty()) return "";
  std::string text = "one of: ";
  const size_t shown = std::min(candidates.size(), most_listed);
  for (size_t i = 0; i < shown; ++i) text += (i ? ", " : "") + candidates[i];
  if (candidates.size() > shown) text += ", …";
  return text;
}

}  // namespace sarrus
