#include "sarrus/formulations/assembly/closing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {

std::string called(const Closure& c) {
  return fmt::format("{} '{}'", c.element.substr(0, c.element.find('/')), c.name);
}

std::vector<OpenClosure> by_residual(const Mechanism& m, const LoopRows<double>& rows) {
  std::vector<OpenClosure> list;
  for (size_t k = 0; k < m.closures.size(); ++k) {
    const Closure& c = m.closures[k];
    OpenClosure open{static_cast<int>(k), 0, 0};
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      double& worst = is_length(m.closure_rows[r].kind) ? open.distance : open.angle;
      worst = std::max(worst, std::fabs(rows[r].residual));
    }
    list.push_back(open);
  }
  const auto size = [&](const OpenClosure& o) {
    return std::max(o.distance / rows.length(), o.angle);
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const OpenClosure& a, const OpenClosure& b) { return size(a) > size(b); });
  return list;
}

std::string open_closures(const Mechanism& m, const LoopRows<double>& rows) {
  constexpr size_t most = 5;
  std::string text;
  const std::vector<OpenClosure> list = by_residual(m, rows);
  for (size_t i = 0; i < std::min(most, list.size()); ++i) {
    const Closure& c = m.closures[list[i].closure];
    std::string by;
    if (list[i].distance > 0) by = fmt::format("{:.2e} m", list[i].distance);
    if (list[i].angle > 0)
      by += fmt::format("{}{:.2e} rad", by.empty() ? "" : " and ", list[i].angle);
    if (by.empty()) continue;
    text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", called(c), by);
  }
  return text;
}

}  // namespace sarrus
