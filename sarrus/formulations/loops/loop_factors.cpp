#include "sarrus/formulations/loops/loop_factors.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/tree/tree_response.hpp"

namespace sarrus {
namespace {

constexpr double dependent = 1e-11;  // pivot, relative: about the square of a sine
constexpr double idle = 1e-8;        // of the largest row: a closure that moves nothing at all
constexpr double rounding = 1e-13;   // of what moves the mechanism as one lump: the same

/// The bodies that a closure acts on.
std::vector<int> bodies_of(const Closure& c) {
  if (c.of.empty()) return {c.a, c.b};
  std::vector<int> bodies;
  for (const CoupledCoordinate& k : c.of) bodies.push_back(k.body);
  return bodies;
}

void add_ancestors(const Mechanism& m, int body, std::vector<int>& to) {
  for (; body > 0; body = m.parent[body]) to.push_back(body);
}

void sort_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

template <class T>
LoopFactors<T>::LoopFactors(const Mechanism& mechanism) : m_(&mechanism) {
  const size_t rows = mechanism.closure_rows.size();
  if (rows == 0) return;
  choice_.keep.assign(rows, 1);
  choice_.scale.assign(rows, 1), floor_.assign(rows, 0);
  for (const auto& body : mechanism.numbers.body) mass_ += body.inertia.m;
  p_.assign(mechanism.nb, {zero3<T>(), zero3<T>()}),
      a_.assign(mechanism.nb, {zero3<T>(), zero3<T>()});
  w_.assign(mechanism.nu, T(0.0)), x_ = w_, b_ = w_;
  find_paths();
  find_pattern();
}

/// Which bodies a row can move, and on which of them it can be felt: closures that share a body.
template <class T>
void LoopFactors<T>::find_paths() {
  const std::vector<Closure>& closures = m_->closures;
  std::vector<std::vector<int>> users(m_->nb);  // closures above each body
  for (size_t k = 0; k < closures.size(); ++k) {
    std::vector<int> path;
    for (const int body : bodies_of(closures[k])) add_ancestors(*m_, body, path);
    sort_unique(path);
    for (const int body : path) users[body].push_back(static_cast<int>(k));
    inward_.emplace_back(path.rbegin(), path.rend());
  }
  felt_.resize(choice_.keep.size());
  for (size_t k = 0; k < closures.size(); ++k) {
    std::vector<int> feels, path;
    for (const int body : inward_[k])
      for (const int other : users[body])
        if (other >= static_cast<int>(k)) feels.push_back(other);
    sort_unique(feels);
    for (const int other : feels) {
      const std::vector<int>& theirs = inward_[other];
      path.insert(path.end(), theirs.begin(), theirs.end());
      const Closure& c = closures[other];
      for (int r = closures[k].row0; r < closures[k].row0 + closures[k].rows; ++r)
        for (int s = std::max(r, c.row0); s < c.row0 + c.rows; ++s) felt_[r].push_back({s, -1});
    }
    sort_unique(path);
    outward_.push_back(std::move(path));
  }
}

template <class T>
void LoopFactors<T>::find_pattern() {
  std::vector<std::vector<int>> pairs(choice_.keep.size());
  for (size_t r = 0; r < felt_.size(); ++r)
    for (const Felt& f : felt_[r])
      if (f.row != static_cast<int>(r)) pairs[f.row].push_back(static_cast<int>(r));
  auto pattern = std::make_shared<const SparsePattern>(pairs);
  for (size_t r = 0; r < felt_.size(); ++r)
    for (Felt& f : felt_[r])
      if (f.row != static_cast<int>(r)) f.entry = pattern->entry(static_cast<int>(r), f.row);
  ldl_ = SparseLdl<T>(std::move(pattern));
}

template <class T>
int LoopFactors<T>::rank() const {
  return static_cast<int>(std::count(choice_.keep.begin(), choice_.keep.end(), 1));
}

// ── G M⁻¹ Gᵀ ────────────────────────────────────────────────────────────────────────────────────

/// The open tree's acceleration under the wrenches of row r, at all bodies where it may be felt.
template <class T>
void LoopFactors<T>::respond(const TreeView<T>& v, const LoopRows<T>& rows, int r) {
  const int k = m_->closure_rows[r].closure;
  const Closure& c = m_->closures[k];
  const std::vector<int>&inward = inward_[k], &outward = outward_[k];
  for (const int i : outward) {
    p_[i] = {zero3<T>(), zero3<T>()};
    for (int f = v.u0[i]; f < v.u0[i + 1]; ++f) w_[f] = b_[f] = T(0.0);
  }
  // forces enter like a bias, with a minus sign
  const PlacedRow<T>& row = rows[r];
  if (c.of.empty()) {
    p_[c.a] -= row.on_a;
    p_[c.b] -= row.on_b;
  } else {
    for (const CoupledCoordinate& q : c.of) b_[q.u] = T(q.coefficient);
  }
  for (const int i : inward) p_[v.parent[i]] += absorbed(v, i, p_[i], b_.data(), w_.data());
  p_[0] = {zero3<T>(), zero3<T>()};
  for (const int i : outward) a_[i] = answered(v, i, a_[v.parent[i]], w_.data(), x_.data());
}

template <class T>
T LoopFactors<T>::felt_by(const LoopRows<T>& rows, int r) const {
  const ClosureRow& row = m_->closure_rows[r];
  const Closure& c = m_->closures[row.closure];
  T sum(0.0);
  if (row.kind == RowKind::coupling) {
    for (const CoupledCoordinate& k : c.of) sum += T(k.coefficient) * x_[k.u];
    return sum;
  }
  const PlacedRow<T>& placed = rows[r];
  if (c.a > 0) sum += dot(a_[c.a], placed.on_a);
  if (c.b > 0) sum += dot(a_[c.b], placed.on_b);
  return sum;
}

template <class T>
void LoopFactors<T>::assemble(const TreeView<T>& v, const LoopRows<T>& rows, bool all) {
  for (size_t r = 0; r < choice_.keep.size(); ++r) {
    if (!all && !choice_.keep[r]) continue;
    respond(v, rows, static_cast<int>(r));
    for (const Felt& f : felt_[r]) {
      if (!all && !choice_.keep[f.row]) continue;
      const T x = felt_by(rows, f.row);
      if (f.row == static_cast<int>(r))
        ldl_.diagonal()[r] = x;
      else
        ldl_.values()[f.entry] = x;
    }
  }
}

/// Below which pivot a row counts as dependent: relative to the largest row of its closure, lengths
/// made angles by length(). A row at right angles to all that can move is rounding alone, and to
/// divide by it would turn rounding into motion: such rows are found by the mechanism as one lump,
/// 1/(m ℓ²).
template <class T>
void LoopFactors<T>::set_floors(double length) {
  double largest = 0;
  const double least = mass_ > 0 ? rounding / (mass_ * length * length) : 0;
  std::vector<double> of_closure(m_->closures.size(), 0);
  const auto unit2 = [&](size_t r) {
    return is_length(m_->closure_rows[r].kind) ? length * length : 1;
  };
  for (size_t r = 0; r < choice_.keep.size(); ++r) {
    const double size = std::fabs(value(ldl_.diagonal()[r])) / unit2(r);
    double& own = of_closure[m_->closure_rows[r].closure];
    own = std::max(own, size), largest = std::max(largest, size);
  }
  for (size_t r = 0; r < choice_.keep.size(); ++r) {
    const double own = of_closure[m_->closure_rows[r].closure];
    choice_.scale[r] = std::max({own, idle * largest, least, 1e-300}) * unit2(r);
    floor_[r] = dependent * choice_.scale[r];
  }
}

template <class T>
void LoopFactors<T>::factor(const TreeView<T>& v, const LoopRows<T>& rows, bool choose) {
  if (choice_.keep.empty()) return;
  if (choose || !chosen_) {
    assemble(v, rows, true);
    set_floors(rows.length());
    ldl_.factor_and_choose(floor_, choice_.keep);
    // derivatives are taken once at a place: every place chooses
    chosen_ = std::is_same_v<T, double>;
  } else {
    assemble(v, rows, false);
    ldl_.factor(choice_.keep);
  }
  independence_ = ldl_.smallest_pivot(choice_.scale, choice_.keep);
}

/// Inverse iteration with the factors at hand.
template <class T>
void LoopFactors<T>::turn_to_weakest(std::vector<T>& y) const {
  constexpr int iterations = 4;
  for (int k = 0; k < iterations; ++k) {
    ldl_.solve(y.data());
    double size = 0;
    for (const T& x : y) size += value(x) * value(x);
    if (!(size > 0)) return;
    for (T& x : y) x = x * T(1 / std::sqrt(size));
  }
}

template class LoopFactors<double>;
template class LoopFactors<Dual<double>>;
template class LoopFactors<std::complex<double>>;

}  // namespace sarrus
