#include "sarrus/linear/branch.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/numerics/dense/eigenvalues.hpp"
#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {
namespace {

constexpr double shortest_way = 1.0 / 256;  // of the whole
constexpr int unknown = -1;

/// Unknown where loops are open: a length of theirs has changed.
int signature(const Mechanism& m, const OperatingPoint& p) {
  try {
    return negative_stiffnesses(m, p);
  } catch (const Error&) {
    return unknown;
  }
}

}  // namespace

int negative_stiffnesses(const Mechanism& m, const OperatingPoint& p) {
  const LinearModel l = m.has_loops() ? linearize(m, p) : open_model(m, p);
  if (l.K.rows != l.K.cols || l.K.rows == 0) return 0;
  const Eigen::MatrixXd K = map(l.K), M = map(l.M);
  const EigenPairs eigen =
      symmetric_eigenvalues(0.5 * (K + K.transpose()), 0.5 * (M + M.transpose()));
  if (!eigen.ok) return 0;
  const double largest = eigen.values.cwiseAbs().maxCoeff();
  return static_cast<int>((eigen.values.array() < -1e-12 * largest).count());
}

std::optional<OperatingPoint> follow_equilibrium(const Family& family, double from,
                                                 const OperatingPoint& point, double to) {
  OperatingPoint here = point;
  int sign = signature(family.mechanism(from), here);
  double done = 0, way = 1;
  while (done < 1) {
    const double next = std::min(1.0, done + way), value = from + (to - from) * next;
    const Mechanism m = family.mechanism(value);
    OperatingPoint start = family.start(m, value);
    start.q = here.q;
    const int before = signature(m, start);
    const Equilibrium e = find_equilibrium(m, start, {.others = 0});
    const int after = e.found ? signature(m, e.point) : unknown;
    const bool same = e.found && after == sign && (before == sign || before == unknown);
    if (!same && way > shortest_way) {
      way /= 2;
      continue;
    }
    if (!e.found) return {};
    here = e.point, sign = after, done = next, way *= 2;
  }
  return here;
}

}  // namespace sarrus
