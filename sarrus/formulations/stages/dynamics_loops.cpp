// Closed loops on top of the open tree, for accelerations and for momenta (loops.hpp).
#include <algorithm>

#include "sarrus/formulations/stages/dynamics.hpp"
#include "sarrus/formulations/tree/tree_response.hpp"
#include "sarrus/joints/joint.hpp"

namespace sarrus {

/// After forward_dynamics() of the open tree: finds λ and moves the tree once more with its
/// wrenches. The forces of elements stay as they are beside them: momenta are driven by those
/// alone.
template <class T>
bool Dynamics<T>::close_accelerations() {
  loops_->place(motion_.data(), q_.data(), u_.data());
  loops_->factor(view());
  const bool found = loops_->find_forces(A_.data(), udot_.data());

  std::copy(wrench_.begin(), wrench_.end(), impulse_.begin());
  std::fill(coupling_.begin(), coupling_.end(), T(0.0));
  loops_->add(loops_->forces(), T(1.0), impulse_.data(), coupling_.data());
  for (size_t j = 0; j < open_.size(); ++j) open_[j] = tau_[j] + coupling_[j];
  TreeView<T> loaded = view();
  loaded.wrench = impulse_.data();
  loaded.tau = open_.data();
  kernels_->kinematics_and_inertia(loaded);
  kernels_->forward_dynamics(loaded);
  return found;
}

/// After velocities() of the open tree: p = M u + Gᵀ σ, where G u = 0 fixes the impulses σ.
template <class T>
void Dynamics<T>::close_velocities(const T* p) {
  loops_->place(motion_.data(), q_.data(), u_.data());
  loops_->factor(view());
  loops_->find_impulses();

  // Gᵀ σ, gathered inward
  std::copy_n(p, m_->nu, open_.begin());
  std::fill(wrench_.begin(), wrench_.end(), Wrench<T>{zero3<T>(), zero3<T>()});
  loops_->add(loops_->impulses(), T(-1.0), wrench_.data(), open_.data());
  for (int i = m_->nb - 1; i > 0; --i) {
    const auto b = static_cast<size_t>(i);
    each_column(
        i, [&](int j, const Twist<T>& S) { open_[static_cast<size_t>(j)] += dot(S, wrench_[b]); });
    wrench_[static_cast<size_t>(m_->parent[b])] += shifted_in(wrench_[b], link_[b].r);
  }
  kernels_->velocities(view(), open_.data(), u_.data(), kinetic_rate_.data());
  loops_->place(motion_.data(), q_.data(), u_.data());
}

/// What the impulses add to ṗ: they are momenta h* = Σ F σ of the bodies, so that
///   ṗ += (Ṡ + V × S)ᵀ h* + Sᵀ Σ Ḟ σ
template <class T>
void Dynamics<T>::add_impulse_rates(T* pdot) {
  const std::vector<T>& sigma = loops_->impulses();
  std::vector<Wrench<T>>& h = impulse_;
  std::vector<Wrench<T>>& f = impulse_rate_;
  std::fill(h.begin(), h.end(), Wrench<T>{zero3<T>(), zero3<T>()});
  std::fill(f.begin(), f.end(), Wrench<T>{zero3<T>(), zero3<T>()});
  std::fill(open_.begin(), open_.end(), T(0.0));  // constant couplings have no rate
  loops_->add(sigma, T(1.0), h.data(), open_.data());
  loops_->add_rates(sigma, f.data());
  for (int i = m_->nb - 1; i > 0; --i) {
    const auto b = static_cast<size_t>(i), parent = static_cast<size_t>(m_->parent[b]);
    if (m_->kind[b] == JointKind::seat) {
      kernels_->seat_rates(view(), i, h[b], pdot);
      each_column(i, [&](int u, const Twist<T>& S) { pdot[u] += dot(S, f[b]); });
    }
    with_joint(m_->kind[b], [&](auto joint) {
      using J = decltype(joint);
      for (int k = 0; k < J::nu; ++k) {
        const Twist<T>& S = freedom_[static_cast<size_t>(m_->u0[b] + k)].S;
        pdot[m_->u0[b] + k] += dot(cross_motion(motion_[b].V, S), h[b]) + dot(S, f[b]);
      }
      if constexpr (BiasedJoint<J>) {
        Twist<T> rates[J::nu];
        J::column_rates(numbers_.body[b].joint, motion_[parent].R * numbers_.body[b].X_PF.R,
                        motion_[b].R, u_.data() + m_->u0[b], rates);
        for (int k = 0; k < J::nu; ++k) pdot[m_->u0[b] + k] += dot(rates[k], h[b]);
      }
    });
    h[parent] += shifted_in(h[b], link_[b].r);
    f[parent] += shifted_in(f[b], link_[b].r);
  }
}

template <class T>
void Dynamics<T>::factor_loops() {
  kernels_->forward_dynamics(view());
  loops_->place(motion_.data(), q_.data(), u_.data());
  loops_->factor(view());
}

template <class T>
void Dynamics<T>::loop_response(const std::vector<T>& y, T* x) {
  const TreeView<T> v = view();
  std::vector<Wrench<T>>& p = impulse_;
  std::fill(p.begin(), p.end(), Wrench<T>{zero3<T>(), zero3<T>()});
  std::fill(open_.begin(), open_.end(), T(0.0));
  loops_->add(y, T(-1.0), p.data(), open_.data());
  for (T& b : open_) b = -b;
  std::fill(kinetic_rate_.begin(), kinetic_rate_.end(), T(0.0));
  for (int i = m_->nb - 1; i > 0; --i)
    p[static_cast<size_t>(m_->parent[static_cast<size_t>(i)])] +=
        absorbed(v, i, p[static_cast<size_t>(i)], open_.data(), kinetic_rate_.data());
  A_[0] = {zero3<T>(), zero3<T>()};
  for (int i = 1; i < m_->nb; ++i)
    A_[static_cast<size_t>(i)] = answered(
        v, i, A_[static_cast<size_t>(m_->parent[static_cast<size_t>(i)])], kinetic_rate_.data(), x);
}

template <class T>
void Dynamics<T>::place_loops() {
  loops_->place(motion_.data(), q_.data(), u_.data());
}

template <class T>
T Dynamics<T>::loop_acceleration(int row, const T* udot) const {
  return loops_->acceleration(row, A_.data(), udot);
}

template <class T>
void Dynamics<T>::loop_jacobian(T* G) const {
  const auto nu = static_cast<size_t>(m_->nu);
  std::fill_n(G, static_cast<size_t>(loops_->size()) * nu, T(0.0));
  for (const Closure& c : m_->closures)
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      T* row = G + static_cast<size_t>(r) * nu;
      for (const CoupledCoordinate& k : c.of) row[k.u] = T(k.coefficient);
      if (!c.of.empty()) continue;
      const auto inward = [&](int body, Wrench<T> F) {
        for (int i = body; i > 0; i = m_->parent[static_cast<size_t>(i)]) {
          const auto b = static_cast<size_t>(i);
          each_column(i, [&](int j, const Twist<T>& S) { row[j] += dot(S, F); });
          F = shifted_in(F, link_[b].r);
        }
      };
      inward(c.a, loops_->row(r).on_a);
      inward(c.b, loops_->row(r).on_b);
    }
}

#define SARRUS_LOOPS_OF(T)                                             \
  template bool Dynamics<T>::close_accelerations();                    \
  template void Dynamics<T>::close_velocities(const T*);               \
  template void Dynamics<T>::add_impulse_rates(T*);                    \
  template void Dynamics<T>::factor_loops();                           \
  template void Dynamics<T>::loop_response(const std::vector<T>&, T*); \
  template void Dynamics<T>::place_loops();                            \
  template T Dynamics<T>::loop_acceleration(int, const T*) const;      \
  template void Dynamics<T>::loop_jacobian(T*) const;

SARRUS_LOOPS_OF(double)
SARRUS_LOOPS_OF(Dual<double>)
SARRUS_LOOPS_OF(std::complex<double>)

}  // namespace sarrus
