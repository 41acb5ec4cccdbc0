#include "sarrus/formulations/loops/loops.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/tree/tree_response.hpp"

namespace sarrus {
namespace {

constexpr double dependent = 1e-11;       // pivot, relative: about the square of a sine
constexpr double idle = 1e-8;             // of the largest row: a closure that moves nothing at all
constexpr double rounding = 1e-13;        // of what moves the mechanism as one lump: the same
constexpr double smallest_length = 1e-3;  // [m]

/// Root mean square of the distances between joints.
double model_length(const Mechanism& m) {
  double sum = 0;
  int count = 0;
  const auto add = [&](const Vec3& r) {
    if (const double d = dot(r, r); d > 0) sum += d, ++count;
  };
  for (size_t i = 1; i < m.numbers.body.size(); ++i) add(m.numbers.body[i].X_PF.p);
  for (const Closure& c : m.closures) add(c.X_A.p), add(c.X_B.p);
  return std::max(smallest_length, count > 0 ? std::sqrt(sum / count) : 1.0);
}

/// The bodies that a closure acts on.
std::vector<int> bodies_of(const Closure& c) {
  if (c.of.empty()) return {c.a, c.b};
  std::vector<int> bodies;
  for (const CoupledCoordinate& k : c.of) bodies.push_back(k.body);
  return bodies;
}

void add_ancestors(const Mechanism& m, int body, std::vector<int>& to) {
  for (; body > 0; body = m.parent[static_cast<size_t>(body)]) to.push_back(body);
}

void sort_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

template <class T>
Loops<T>::Loops(const Mechanism& mechanism) : m_(&mechanism) {
  const size_t rows = mechanism.closure_rows.size();
  if (rows == 0) return;
  length_ = model_length(mechanism);
  for (const auto& body : mechanism.numbers.body) mass_ += body.inertia.m;
  row_.resize(rows);
  force_.assign(rows, T(0.0)), impulse_ = force_, correction_ = force_;
  choice_.keep.assign(rows, 1);
  choice_.scale.assign(rows, 1), floor_.assign(rows, 0);
  const auto nb = static_cast<size_t>(mechanism.nb), nu = static_cast<size_t>(mechanism.nu);
  p_.assign(nb, {zero3<T>(), zero3<T>()}), a_.assign(nb, {zero3<T>(), zero3<T>()});
  w_.assign(nu, T(0.0)), x_ = w_, b_ = w_;
  find_paths();
  find_pattern();
}

/// Which bodies a row can move, and on which of them it can be felt: closures that share a body.
template <class T>
void Loops<T>::find_paths() {
  const std::vector<Closure>& closures = m_->closures;
  std::vector<std::vector<int>> users(static_cast<size_t>(m_->nb));  // closures above each body
  for (size_t k = 0; k < closures.size(); ++k) {
    std::vector<int> path;
    for (const int body : bodies_of(closures[k])) add_ancestors(*m_, body, path);
    sort_unique(path);
    for (const int body : path) users[static_cast<size_t>(body)].push_back(static_cast<int>(k));
    inward_.emplace_back(path.rbegin(), path.rend());
  }
  felt_.resize(row_.size());
  for (size_t k = 0; k < closures.size(); ++k) {
    std::vector<int> feels, path;
    for (const int body : inward_[k])
      for (const int other : users[static_cast<size_t>(body)])
        if (other >= static_cast<int>(k)) feels.push_back(other);
    sort_unique(feels);
    for (const int other : feels) {
      const std::vector<int>& theirs = inward_[static_cast<size_t>(other)];
      path.insert(path.end(), theirs.begin(), theirs.end());
      const Closure& c = closures[static_cast<size_t>(other)];
      for (int r = closures[k].row0; r < closures[k].row0 + closures[k].rows; ++r)
        for (int s = std::max(r, c.row0); s < c.row0 + c.rows; ++s)
          felt_[static_cast<size_t>(r)].push_back({s, -1});
    }
    sort_unique(path);
    outward_.push_back(std::move(path));
  }
}

template <class T>
void Loops<T>::find_pattern() {
  std::vector<std::vector<int>> pairs(row_.size());
  for (size_t r = 0; r < felt_.size(); ++r)
    for (const Felt& f : felt_[r])
      if (f.row != static_cast<int>(r))
        pairs[static_cast<size_t>(f.row)].push_back(static_cast<int>(r));
  auto pattern = std::make_shared<const SparsePattern>(pairs);
  for (size_t r = 0; r < felt_.size(); ++r)
    for (Felt& f : felt_[r])
      if (f.row != static_cast<int>(r)) f.entry = pattern->entry(static_cast<int>(r), f.row);
  ldl_ = SparseLdl<T>(std::move(pattern));
}

// ── rows ────────────────────────────────────────────────────────────────────────────────────────

template <class T>
void Loops<T>::place(const BodyMotion<T>* motion, const T* q, const T* u) {
  for (const Closure& c : m_->closures) {
    const BodyMotion<T>&a = motion[c.a], &b = motion[c.b];
    const ClosureFrames<T> frames = closure_frames(c, a, b);
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      const ClosureRow& row = m_->closure_rows[static_cast<size_t>(r)];
      PlacedRow<T>& out = row_[static_cast<size_t>(r)];
      if (row.kind == RowKind::coupling) {
        out.residual = T(-row.offset), out.rate = T(0.0), out.bias = T(0.0);
        for (const CoupledCoordinate& k : c.of) {
          out.residual += T(k.coefficient) * q[k.q];
          out.rate += T(k.coefficient) * u[k.u];
        }
        continue;
      }
      const RowForce<T> f = row_force(row, c, frames);
      const Vector3<T> turning = f.n_rate + cross(f.p_rate, f.f);
      out.on_b = shifted_in(Wrench<T>{f.n, f.f}, f.p - b.o);
      out.on_a = shifted_in(Wrench<T>{-f.n, -f.f}, f.p - a.o);
      out.rate_on_b = shifted_in(Wrench<T>{turning, f.f_rate}, f.p - b.o);
      out.rate_on_a = shifted_in(Wrench<T>{-turning, -f.f_rate}, f.p - a.o);
      out.residual = f.residual;
      out.rate = dot(a.V, out.on_a) + dot(b.V, out.on_b);
      out.bias = dot(a.V, out.rate_on_a) + dot(b.V, out.rate_on_b);
    }
  }
}

template <class T>
double Loops<T>::largest_residual() const {
  double largest = 0;
  for (size_t r = 0; r < row_.size(); ++r) {
    const double unit = is_length(m_->closure_rows[r].kind) ? length_ : 1;
    const double size = std::fabs(value(row_[r].residual)) / unit;
    if (!(size <= largest)) largest = size;  // a residual that is no number is the largest
  }
  return largest;
}

template <class T>
double Loops<T>::largest_rate() const {
  double largest = 0;
  for (size_t r = 0; r < row_.size(); ++r) {
    const double unit = is_length(m_->closure_rows[r].kind) ? length_ : 1;
    largest = std::max(largest, std::fabs(value(row_[r].rate)) / unit);
  }
  return largest;
}

template <class T>
int Loops<T>::rank() const {
  return static_cast<int>(std::count(choice_.keep.begin(), choice_.keep.end(), 1));
}

// ── G M⁻¹ Gᵀ ────────────────────────────────────────────────────────────────────────────────────

/// The open tree's acceleration under the wrenches of row r, at all bodies where it may be felt.
template <class T>
void Loops<T>::respond(const TreeView<T>& v, int r) {
  const int k = m_->closure_rows[static_cast<size_t>(r)].closure;
  const Closure& c = m_->closures[static_cast<size_t>(k)];
  const std::vector<int>&inward = inward_[static_cast<size_t>(k)],
        &outward = outward_[static_cast<size_t>(k)];
  for (const int i : outward) {
    p_[static_cast<size_t>(i)] = {zero3<T>(), zero3<T>()};
    for (int f = v.u0[i]; f < v.u0[i + 1]; ++f)
      w_[static_cast<size_t>(f)] = b_[static_cast<size_t>(f)] = T(0.0);
  }
  // forces enter like a bias, with a minus sign
  const PlacedRow<T>& row = row_[static_cast<size_t>(r)];
  if (c.of.empty()) {
    p_[static_cast<size_t>(c.a)] -= row.on_a;
    p_[static_cast<size_t>(c.b)] -= row.on_b;
  } else {
    for (const CoupledCoordinate& q : c.of) b_[static_cast<size_t>(q.u)] = T(q.coefficient);
  }
  for (const int i : inward)
    p_[static_cast<size_t>(v.parent[i])] +=
        absorbed(v, i, p_[static_cast<size_t>(i)], b_.data(), w_.data());
  p_[0] = {zero3<T>(), zero3<T>()};
  for (const int i : outward)
    a_[static_cast<size_t>(i)] =
        answered(v, i, a_[static_cast<size_t>(v.parent[i])], w_.data(), x_.data());
}

template <class T>
T Loops<T>::felt_by(int r) const {
  const ClosureRow& row = m_->closure_rows[static_cast<size_t>(r)];
  const Closure& c = m_->closures[static_cast<size_t>(row.closure)];
  T sum(0.0);
  if (row.kind == RowKind::coupling) {
    for (const CoupledCoordinate& k : c.of) sum += T(k.coefficient) * x_[static_cast<size_t>(k.u)];
    return sum;
  }
  const PlacedRow<T>& placed = row_[static_cast<size_t>(r)];
  if (c.a > 0) sum += dot(a_[static_cast<size_t>(c.a)], placed.on_a);
  if (c.b > 0) sum += dot(a_[static_cast<size_t>(c.b)], placed.on_b);
  return sum;
}

template <class T>
void Loops<T>::assemble(const TreeView<T>& v, bool all) {
  for (size_t r = 0; r < row_.size(); ++r) {
    if (!all && !choice_.keep[r]) continue;
    respond(v, static_cast<int>(r));
    for (const Felt& f : felt_[r]) {
      if (!all && !choice_.keep[static_cast<size_t>(f.row)]) continue;
      const T x = felt_by(f.row);
      if (f.row == static_cast<int>(r))
        ldl_.diagonal()[r] = x;
      else
        ldl_.values()[static_cast<size_t>(f.entry)] = x;
    }
  }
}

/// Below which pivot a row counts as dependent: relative to the largest row of its closure, lengths
/// made angles by length(). A row at right angles to all that can move is rounding alone, and to
/// divide by it would turn rounding into motion: such rows are told by the mechanism as one lump,
/// 1/(m ℓ²).
template <class T>
void Loops<T>::set_floors() {
  double largest = 0;
  const double least = mass_ > 0 ? rounding / (mass_ * length_ * length_) : 0;
  std::vector<double> of_closure(m_->closures.size(), 0);
  const auto unit2 = [&](size_t r) {
    return is_length(m_->closure_rows[r].kind) ? length_ * length_ : 1;
  };
  for (size_t r = 0; r < row_.size(); ++r) {
    const double size = std::fabs(value(ldl_.diagonal()[r])) / unit2(r);
    double& own = of_closure[static_cast<size_t>(m_->closure_rows[r].closure)];
    own = std::max(own, size), largest = std::max(largest, size);
  }
  for (size_t r = 0; r < row_.size(); ++r) {
    const double own = of_closure[static_cast<size_t>(m_->closure_rows[r].closure)];
    choice_.scale[r] = std::max({own, idle * largest, least, 1e-300}) * unit2(r);
    floor_[r] = dependent * choice_.scale[r];
  }
}

template <class T>
void Loops<T>::factor(const TreeView<T>& v) {
  if (empty()) return;
  if (!chosen_) {
    assemble(v, true);
    set_floors();
    ldl_.factor_and_choose(floor_, choice_.keep);
    // derivatives are taken once at a place: every place chooses
    chosen_ = std::is_same_v<T, double>;
  } else {
    assemble(v, false);
    ldl_.factor(choice_.keep);
  }
  independence_ = ldl_.smallest_pivot(choice_.scale, choice_.keep);
}

// ── multipliers ─────────────────────────────────────────────────────────────────────────────────

template <class T>
T Loops<T>::acceleration(int r, const Twist<T>* A, const T* udot) const {
  const ClosureRow& row = m_->closure_rows[static_cast<size_t>(r)];
  const Closure& c = m_->closures[static_cast<size_t>(row.closure)];
  const PlacedRow<T>& placed = row_[static_cast<size_t>(r)];
  T sum = placed.bias;
  if (row.kind == RowKind::coupling)
    for (const CoupledCoordinate& k : c.of) sum += T(k.coefficient) * udot[k.u];
  else  // gravity, which the world's acceleration stands for, is the same on both sides
    sum += dot(A[c.a], placed.on_a) + dot(A[c.b], placed.on_b);
  return sum;
}

template <class T>
bool Loops<T>::find_forces(const Twist<T>* A, const T* udot) {
  bool finite = true;
  for (size_t r = 0; r < row_.size(); ++r) {
    force_[r] = -acceleration(static_cast<int>(r), A, udot);
    finite = finite && std::isfinite(value(force_[r]));
  }
  ldl_.solve(force_.data());
  return finite;
}

template <class T>
void Loops<T>::find_impulses() {
  for (size_t r = 0; r < row_.size(); ++r) impulse_[r] = row_[r].rate;
  ldl_.solve(impulse_.data());
}

template <class T>
void Loops<T>::find_corrections() {
  for (size_t r = 0; r < row_.size(); ++r) correction_[r] = row_[r].residual;
  ldl_.solve(correction_.data());
}

/// Inverse iteration with the factors at hand.
template <class T>
void Loops<T>::weakest(std::vector<T>& y) {
  constexpr int iterations = 4;
  for (int k = 0; k < iterations; ++k) {
    ldl_.solve(y.data());
    double size = 0;
    for (const T& x : y) size += value(x) * value(x);
    if (!(size > 0)) return;
    for (T& x : y) x = x * T(1 / std::sqrt(size));
  }
}

template <class T>
void Loops<T>::add(const std::vector<T>& x, const T& s, Wrench<T>* wrench, T* tau) const {
  for (const Closure& c : m_->closures)
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      const T size = x[static_cast<size_t>(r)] * s;
      const PlacedRow<T>& row = row_[static_cast<size_t>(r)];
      if (c.of.empty()) {
        wrench[c.a] += row.on_a * size;
        wrench[c.b] += row.on_b * size;
      }
      for (const CoupledCoordinate& k : c.of) tau[k.u] += T(k.coefficient) * size;
    }
}

template <class T>
void Loops<T>::add_rates(const std::vector<T>& x, Wrench<T>* wrench) const {
  for (const Closure& c : m_->closures)
    for (int r = c.row0; r < c.row0 + c.rows && c.of.empty(); ++r) {
      wrench[c.a] += row_[static_cast<size_t>(r)].rate_on_a * x[static_cast<size_t>(r)];
      wrench[c.b] += row_[static_cast<size_t>(r)].rate_on_b * x[static_cast<size_t>(r)];
    }
}

template class Loops<double>;
template class Loops<Dual<double>>;
template class Loops<std::complex<double>>;

}  // namespace sarrus
