#include "sarrus/formulations/loops/loop_rows.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/mechanism/scales.hpp"

namespace sarrus {
namespace {

/// Root mean square of the distances between joints; where all are in one place, the mechanism's own.
double model_length(const Mechanism& m) {
  double sum = 0;
  int count = 0;
  const auto add = [&](const Vec3& r) {
    if (const double d = dot(r, r); d > 0) sum += d, ++count;
  };
  for (size_t i = 1; i < m.numbers.body.size(); ++i) add(m.numbers.body[i].X_PF.p);
  for (const Closure& c : m.closures) add(c.X_A.p), add(c.X_B.p);
  return count > 0 ? std::sqrt(sum / count) : scales_of(m, 0).length;
}

}  // namespace

template <class T>
LoopRows<T>::LoopRows(const Mechanism& mechanism)
    : m_(&mechanism), row_(mechanism.closure_rows.size()) {
  if (!row_.empty()) length_ = model_length(mechanism);
}

template <class T>
void LoopRows<T>::place(const BodyMotion<T>* motion, const T* q, const T* u) {
  for (const Closure& c : m_->closures) {
    const BodyMotion<T>&a = motion[c.a], &b = motion[c.b];
    const ClosureFrames<T> frames = closure_frames(c, a, b);
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      const ClosureRow& row = m_->closure_rows[r];
      PlacedRow<T>& out = row_[r];
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
double LoopRows<T>::largest_residual() const {
  double largest = 0;
  for (int r = 0; r < size(); ++r) {
    const double unit = is_length(m_->closure_rows[r].kind) ? length_ : 1;
    const double residual = std::fabs(value(row_[r].residual)) / unit;
    if (!(residual <= largest)) largest = residual;  // one that is no number is the largest
  }
  return largest;
}

template <class T>
double LoopRows<T>::largest_rate() const {
  double largest = 0;
  for (int r = 0; r < size(); ++r) {
    const double unit = is_length(m_->closure_rows[r].kind) ? length_ : 1;
    largest = std::max(largest, std::fabs(value(row_[r].rate)) / unit);
  }
  return largest;
}

template <class T>
T LoopRows<T>::acceleration(int r, const Twist<T>* A, const T* udot) const {
  const ClosureRow& row = m_->closure_rows[r];
  const Closure& c = m_->closures[row.closure];
  T sum = row_[r].bias;
  if (row.kind == RowKind::coupling)
    for (const CoupledCoordinate& k : c.of) sum += T(k.coefficient) * udot[k.u];
  else  // gravity, which the world's acceleration stands for, is the same on both sides
    sum += dot(A[c.a], row_[r].on_a) + dot(A[c.b], row_[r].on_b);
  return sum;
}

template <class T>
void LoopRows<T>::add(std::span<const T> x, const T& s, Wrench<T>* wrench, T* tau) const {
  for (const Closure& c : m_->closures)
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      const T size = x[r] * s;
      if (c.of.empty()) {
        wrench[c.a] += row_[r].on_a * size;
        wrench[c.b] += row_[r].on_b * size;
      }
      for (const CoupledCoordinate& k : c.of) tau[k.u] += T(k.coefficient) * size;
    }
}

template <class T>
void LoopRows<T>::add_rates(std::span<const T> x, Wrench<T>* wrench) const {
  for (const Closure& c : m_->closures)
    for (int r = c.row0; r < c.row0 + c.rows && c.of.empty(); ++r) {
      wrench[c.a] += row_[r].rate_on_a * x[r];
      wrench[c.b] += row_[r].rate_on_b * x[r];
    }
}

template class LoopRows<double>;
template class LoopRows<Dual<double>>;
template class LoopRows<std::complex<double>>;

}  // namespace sarrus
