#include "sarrus/formulations/stages/jacobians.hpp"

#include "sarrus/joints/chart.hpp"

namespace sarrus {

template <class T>
PointJacobian<T> point_jacobian(const Places<T>& k, int body, const Vector3<T>& at) {
  const Mechanism& m = *k.mechanism;
  const Vector3<T> none = zero3<T>();
  PointJacobian<T> J{k.body[body].o + k.body[body].R * at, k.body[body].R,
                     std::vector<Vector3<T>>(m.nu, none), std::vector<Vector3<T>>(m.nu, none)};
  for (int i = body; i > 0; i = m.parent[i]) {
    const Vector3<T> arm = J.p - k.body[i].o;
    k.each_column(i, [&](int j, const Twist<T>& S) {
      J.w[j] = S.w;
      J.v[j] = S.v + cross(S.w, arm);
    });
  }
  for (const PrescribedMotion& motion : m.motions) J.w[motion.u] = J.v[motion.u] = none;
  return J;
}

JacobianRate point_jacobian_rate(const Mechanism& m, double t, const double* q, const double* u,
                                 int body, const Vec3& at) {
  using D = Dual<double>;
  Workspace<D> w(m);
  std::vector<D> base(m.nq), moved(m.nq), speed(u, u + m.nu), rate(m.nx);
  for (int i = 0; i < m.nq; ++i) base[i] = D(q[i]);
  for (int b = 1; b < m.nb; ++b) {
    chart_velocity(m.kind[b], w.numbers().body[b].joint, base.data() + m.q0[b],
                   speed.data() + m.u0[b], rate.data() + m.x0[b]);
    for (int x = m.x0[b]; x < m.x0[b + 1]; ++x) rate[x] = D(0.0, rate[x].v);  // ξ = ε v
    retract(m.kind[b], base.data() + m.q0[b], rate.data() + m.x0[b], moved.data() + m.q0[b]);
  }
  const std::vector<D> states(m.start_state.begin(), m.start_state.end());
  const Kinematics<D>& k = move(w, D(t, 1.0), moved.data(), speed.data(), states.data());
  return {point_jacobian<D>(k, body, {D(at.x), D(at.y), D(at.z)})};
}

template PointJacobian<double> point_jacobian(const Places<double>&, int, const Vector3<double>&);

}  // namespace sarrus
