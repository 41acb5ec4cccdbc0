#include "sarrus/run/watch/row_watch.hpp"

#include <cmath>

namespace sarrus {

void RowWatch::look(std::span<const double> row) {
  ++rows_;
  double sum = 0;  // 0 · x is 0 for every number, and not for inf and nan
  for (const double x : row) sum += 0 * x;
  if (sum == 0) return;
  lacks_.resize(row.size());
  for (size_t i = 0; i < row.size(); ++i)
    if (!std::isfinite(row[i]) && lacks_[i].rows++ == 0) lacks_[i].t = row[0];
}

}  // namespace sarrus
