#include "sarrus/mobility/mobility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sarrus/core/random.hpp"
#include "sarrus/formulations/assembly/assembly.hpp"
#include "sarrus/mobility/constraint_matrix.hpp"
#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/dense/svd.hpp"

namespace sarrus {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr double rank_tolerance = 1e-9;  // relative to the largest singular value
constexpr double clear = 1e4;            // ratio of the singular values at the rank
constexpr double takes_part = 1e-9;      // of the projector onto repeated rows
constexpr int looks = 6;                 // positions beside this one
constexpr double aside = 0.05;           // [rad] or lengths: how far beside

struct Decomposition {
  int rank = 0;
  double last = 0, next = 0;  // relative
  Matrix Y;                   // columns: combinations of rows that vanish
};

Decomposition decompose(const ConstraintMatrix& c, bool holonomic_only = false) {
  std::vector<Eigen::Index> kept;
  for (size_t r = 0; r < c.rows.size(); ++r)
    if (!holonomic_only || c.rows[r].holonomic) kept.push_back(static_cast<Eigen::Index>(r));
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
      all(c.G.data(), static_cast<Eigen::Index>(c.rows.size()), c.columns());
  const Matrix G = all(kept, Eigen::all);
  Decomposition d;
  if (G.rows() == 0) return d;
  const Svd svd = divide_and_conquer_svd(G, Eigen::ComputeFullU);
  const Eigen::VectorXd& s = svd.sigma;
  const double largest = s.size() > 0 ? s[0] : 0;
  while (d.rank < s.size() && s[d.rank] > rank_tolerance * largest) ++d.rank;
  if (d.rank > 0) d.last = s[d.rank - 1] / largest;
  if (d.rank < s.size()) d.next = s[d.rank] / largest;
  d.Y = svd.U.rightCols(G.rows() - d.rank);
  return d;
}

// ── words ───────────────────────────────────────────────────────────────────────────────────────

std::string direction_words(const Vec3& v) {
  Vec3 u = v * (1 / norm(v));
  const char* names[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i)
    if (std::fabs(std::fabs(u[i]) - 1) < 1e-6) return names[i];
  int first = 0;  // a direction without sign: its first component is made positive
  while (first < 2 && std::fabs(u[first]) < 1e-6) ++first;
  if (u[first] < 0) u = -u;
  const auto rounded = [](double x) { return std::fabs(x) < 1e-6 ? 0.0 : x; };
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", rounded(u.x), rounded(u.y), rounded(u.z));
}

/// A share as a fraction where it is a simple one: 1/6, 2/3, 3.
std::string share_words(double share) {
  for (int below = 1; below <= 24; ++below)
    if (const double above = share * below; std::fabs(above - std::round(above)) < 1e-6 * below)
      return below == 1 ? fmt::format("{:.0f}", above) : fmt::format("{:.0f}/{}", above, below);
  return fmt::format("{:.3g}", share);
}

struct SpanWords {
  int rank = 0;
  std::string text;
};

/// What a list of vectors spans: "the moment about z", "moments across z".
SpanWords span_words(const std::vector<Vec3>& list, const char* one, const char* many,
                     const char* along) {
  Matrix M(3, static_cast<Eigen::Index>(list.size()));
  for (size_t i = 0; i < list.size(); ++i)
    for (int k = 0; k < 3; ++k) M(k, static_cast<Eigen::Index>(i)) = list[i][k];
  if (M.cols() == 0) return {};
  const Svd svd = jacobi_svd(M, Eigen::ComputeFullU);
  int rank = 0;
  while (rank < svd.sigma.size() && svd.sigma[rank] > 1e-6) ++rank;
  const auto axis = [&](int k) { return direction_words({svd.U(0, k), svd.U(1, k), svd.U(2, k)}); };
  switch (rank) {
    case 0: return {};
    case 1: return {rank, fmt::format("the {} {} {}", one, along, axis(0))};
    case 2: return {rank, fmt::format("{} across {}", many, axis(2))};
    default: return {rank, fmt::format("{} in all directions", many)};
  }
}

struct CarriedWords {
  std::string text;
  bool is_one = false;  // a single force or moment
};

/// What the rows of a set carry against each other: the wrenches of its combinations, joint by
/// joint.
CarriedWords carried_words(const std::vector<int>& rows, const ConstraintMatrix& c,
                           const Matrix& Y) {
  std::map<std::string, std::vector<int>> of_element;
  for (const int r : rows) of_element[c.rows[r].element].push_back(r);
  std::vector<Vec3> forces, moments;
  for (const auto& [element, own] : of_element)
    for (Eigen::Index k = 0; k < Y.cols(); ++k) {
      Vec3 force{}, moment{};
      for (const int r : own) {
        force += c.rows[r].force * Y(r, k);
        moment += c.rows[r].moment * Y(r, k);
      }
      forces.push_back(force), moments.push_back(moment);
    }
  const SpanWords f = span_words(forces, "force", "forces", "along"),
                  m = span_words(moments, "moment", "moments", "about");
  const bool both = f.rank > 0 && m.rank > 0;
  return {f.text + (both ? " and " : "") + m.text, f.rank + m.rank == 1};
}

std::string short_name(const std::string& element) { return element.substr(element.find('/') + 1); }

/// "hinges" where all elements are, else "joints", "constraints", or both.
std::string kind_words(const Mechanism& m, const std::vector<int>& rows,
                       const ConstraintMatrix& c) {
  bool joints = false, constraints = false, hinges = true;
  for (const int r : rows) {
    const ConstraintLine& row = c.rows[r];
    joints = joints || row.is_joint, constraints = constraints || !row.is_joint;
    if (row.joint >= 0) hinges = hinges && m.joints[row.joint].type == JointType::revolute;
  }
  if (joints && constraints) return "joints and constraints";
  return constraints ? "constraints" : hinges ? "hinges" : "joints";
}

std::string set_words(const RedundantSet& set, bool carries_one, const std::string& kinds) {
  std::string names;
  const bool alike = std::all_of(set.share.begin(), set.share.end(),
                                 [&](double s) { return std::fabs(s - set.share.front()) < 1e-6; });
  constexpr size_t most = 24;
  const size_t shown = std::min(most, set.elements.size());
  for (size_t i = 0; i < shown; ++i) {
    names += (i == 0 ? "" : ", ") + short_name(set.elements[i]);
    if (!alike) names += fmt::format(" ({})", share_words(set.share[i]));
  }
  if (set.elements.size() > shown) names += fmt::format(" … {} more", set.elements.size() - shown);
  const std::string each =
      alike ? fmt::format(", {} each", share_words(set.share.front())) : std::string();
  return fmt::format("{} {} carried by {} {}, {} redundant: {}{}", set.carries,
                     carries_one ? "is" : "are", set.elements.size(), kinds, set.times, names,
                     each);
}

// ── sets, uniqueness, changes ───────────────────────────────────────────────────────────────────

/// Rows that are connected through the projector PL = Y Yᵀ.
std::vector<std::vector<int>> groups(const Matrix& PL) {
  const auto n = PL.rows();
  std::vector<int> group(n, -1);
  std::vector<std::vector<int>> found;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (group[i] >= 0 || PL(i, i) <= takes_part) continue;
    std::vector<int> rows, stack{static_cast<int>(i)};
    group[i] = static_cast<int>(found.size());
    while (!stack.empty()) {
      const int r = stack.back();
      stack.pop_back();
      rows.push_back(r);
      for (Eigen::Index j = 0; j < n; ++j)
        if (group[j] < 0 && std::fabs(PL(r, j)) > takes_part)
          group[j] = static_cast<int>(found.size()), stack.push_back(static_cast<int>(j));
    }
    std::sort(rows.begin(), rows.end());
    found.push_back(std::move(rows));
  }
  return found;
}

RedundantSet describe(const Mechanism& m, const std::vector<int>& rows, const ConstraintMatrix& c,
                      const Matrix& PL, const Matrix& Y) {
  RedundantSet set;
  double times = 0;
  for (const int r : rows) {
    const ConstraintLine& row = c.rows[r];
    times += PL(r, r);
    const auto known = std::find(set.elements.begin(), set.elements.end(), row.element);
    const auto at = static_cast<size_t>(known - set.elements.begin());
    if (known == set.elements.end()) set.elements.push_back(row.element), set.share.push_back(0);
    set.share[at] += PL(r, r);
  }
  set.times = static_cast<int>(std::lround(times));
  const CarriedWords carried = carried_words(rows, c, Y);
  set.carries = carried.text;
  set.words = set_words(set, carried.is_one, kind_words(m, rows, c));
  return set;
}

std::vector<JointReactions> reactions_of(const ConstraintMatrix& c, const Matrix& PL) {
  std::vector<JointReactions> list;
  for (size_t r = 0; r < c.rows.size(); ++r) {
    const ConstraintLine& row = c.rows[r];
    if (row.carries == Carried::drive) continue;
    if (list.empty() || list.back().element != row.element) {
      list.push_back({row.element, {}});
      list.back().components.fill(Reaction::not_carried);
    }
    const auto i = static_cast<Eigen::Index>(r);
    const Reaction state =
        PL.size() > 0 && PL(i, i) > takes_part ? Reaction::shared : Reaction::unique;
    if (row.carries != Carried::mixed)
      list.back().components[static_cast<size_t>(row.carries)] = state;
  }
  return list;
}

/// What a joint turns into when it stops carrying some of its rows.
std::string change_words(const Mechanism& m, const ConstraintMatrix& c,
                         const std::vector<int>& released) {
  const ConstraintLine& first = c.rows[released.front()];
  std::string freed;
  int forces = 0, moments = 0;
  for (const int r : released) {
    const Carried carries = c.rows[r].carries;
    forces += carries <= Carried::force_z;
    moments += carries >= Carried::moment_x && carries <= Carried::moment_z;
    freed += (freed.empty() ? "" : ", ") + std::string(to_text(carries));
  }
  if (first.joint >= 0 && m.joints[first.joint].type == JointType::revolute &&
      forces + moments == static_cast<int>(released.size())) {
    const std::string name = short_name(first.element);
    if (forces == 0 && moments == 2) return fmt::format("turn hinge '{}' into a ball joint", name);
    if (forces == 1 && moments == 0)
      return fmt::format("let hinge '{}' slide along its axis (cylindrical)", name);
    if (forces == 0 && moments == 1)
      return fmt::format("turn hinge '{}' into a universal joint (free its {})", name, freed);
    if (forces == 1 && moments == 2)
      return fmt::format("let hinge '{}' be a ball joint that slides along its axis", name);
  }
  return fmt::format("release {} of {}", freed, first.element);
}

/// As few joints as possible: each time the joint that can release most rows, the last in the file.
std::vector<std::string> changes_for(const Mechanism& m, const ConstraintMatrix& c, Matrix Y) {
  std::vector<std::string> list;
  while (Y.cols() > 0) {
    std::vector<int> best;
    std::map<std::string, std::vector<int>> of_element;
    for (size_t r = 0; r < c.rows.size(); ++r)
      if (c.rows[r].carries != Carried::drive &&
          Y.row(static_cast<Eigen::Index>(r)).norm() > std::sqrt(takes_part))
        of_element[c.rows[r].element].push_back(static_cast<int>(r));
    for (const auto& [element, rows] : of_element) {
      // moments are released before forces
      std::vector<int> order = rows, taken;
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return c.rows[a].carries > c.rows[b].carries; });
      for (const int r : order) {
        taken.push_back(r);
        Matrix part(static_cast<Eigen::Index>(taken.size()), Y.cols());
        for (size_t i = 0; i < taken.size(); ++i)
          part.row(static_cast<Eigen::Index>(i)) = Y.row(taken[i]);
        if (PivotedQr(part).rank(1e-6) < static_cast<Eigen::Index>(taken.size())) taken.pop_back();
      }
      if (taken.size() >= best.size()) best = taken;
    }
    if (best.empty()) break;
    list.push_back(change_words(m, c, best));
    Matrix part(static_cast<Eigen::Index>(best.size()), Y.cols());
    for (size_t i = 0; i < best.size(); ++i)
      part.row(static_cast<Eigen::Index>(i)) = Y.row(best[i]);
    // combinations in which the released rows take no part
    Qr(part.transpose()).multiply_from_right(Y);
    Y = Y.rightCols(Y.cols() - part.rows()).eval();
  }
  return list;
}

// ── beside this position ────────────────────────────────────────────────────────────────────────

/// How much higher the rank is there. Joints of the tree are never redundant, so that the rows
/// that close loops tell it, at a cost that follows their pattern.
int gained_beside(const Mechanism& m, const StartState& start, int closing_rank) {
  if (!m.has_loops() || closing_rank == static_cast<int>(m.closure_rows.size())) return 0;
  Random random(7);
  int highest = closing_rank;
  Workspace<double> w(m);
  for (int i = 0; i < looks; ++i) {
    const std::vector<double> q = beside(m, start.t, start.q, aside, random);
    if (q.empty()) continue;
    const Kinematics<double>& k = move(w, start.t, q.data(), start.u.data(), start.state.data());
    highest = std::max(highest, factor_loops(w, k, true).factors->rank());
  }
  return highest - closing_rank;
}

}  // namespace

Mobility mobility(const Mechanism& m, const StartState& start) {
  const Snapshot now = snapshot_at(m, start);
  const int closing_rank = m.has_loops() ? now.rank() : 0;
  Mobility out;
  for (const ElasticInfo& e : m.elastic) out.elastic += e.n;
  if (m.nb - 1 > most_bodies_reported) {
    out.analysed = false;
    out.rank = closing_rank;
    out.rows = static_cast<int>(m.closure_rows.size());
    out.redundant = out.rows - out.rank;
    out.freedoms = m.nu - static_cast<int>(m.motions.size()) - out.rank;
    return out;
  }
  const ConstraintMatrix c = constraint_matrix(now);
  const Decomposition s = decompose(c);
  out.velocities = c.columns();
  out.rows = static_cast<int>(c.rows.size());
  out.rank = s.rank, out.last = s.last, out.next = s.next;
  out.freedoms = out.velocities - out.rank;
  const bool rolls = std::any_of(c.rows.begin(), c.rows.end(),
                                 [](const ConstraintLine& row) { return !row.holonomic; });
  out.position_freedoms = out.velocities - (rolls ? decompose(c, true).rank : out.rank);
  out.counted = out.velocities - out.rows;
  out.redundant = out.rows - out.rank;
  out.clear_gap = out.next == 0 || out.last / out.next > clear;
  const int gained = gained_beside(m, start, closing_rank);
  out.generic_rank = out.rank + gained;
  out.singular_here = gained > 0;
  const Matrix PL = s.Y * s.Y.transpose();
  for (const std::vector<int>& rows : groups(PL)) out.sets.push_back(describe(m, rows, c, PL, s.Y));
  out.changes = changes_for(m, c, s.Y);
  out.reactions = reactions_of(c, PL);
  return out;
}

}  // namespace sarrus
