#include "sarrus/formulations/stages/derivatives.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sarrus/formulations/stages/rooms.hpp"
#include "sarrus/formulations/tree/derivative_view.hpp"
#include "sarrus/joints/chart.hpp"

namespace sarrus {
namespace {

using D = Dual<double>;

Vector3<D> constant(const Vec3& a) { return {D(a.x), D(a.y), D(a.z)}; }
Matrix3<D> constant(const Mat3& A) { return {constant(A.x), constant(A.y), constant(A.z)}; }
Vec3 slope(const Vector3<D>& a) { return {a.x.d, a.y.d, a.z.d}; }
Vec3 value(const Vector3<D>& a) { return {a.x.v, a.y.v, a.z.v}; }
Twist<double> slope(const Twist<D>& t) { return {slope(t.w), slope(t.v)}; }

}  // namespace

/// Runs of entries, entry after entry.
class RunList {
 public:
  void add(int begin, int end) {
    if (begin == end) return;
    if (from_.back() < static_cast<int>(runs_.size()) && runs_.back().end == begin)
      runs_.back().end = end;
    else
      runs_.push_back({begin, end});
  }
  void close() { from_.push_back(static_cast<int>(runs_.size())); }
  Runs view() const { return {runs_.data(), from_.data()}; }

 private:
  std::vector<Run> runs_;
  std::vector<int> from_{0};
};

namespace {

/// Strict ancestors of a body, the world left out, from the base on.
std::vector<int> ancestors(const Mechanism& m, int body) {
  std::vector<int> found;
  for (int i = m.parent[body]; i > 0; i = m.parent[i]) found.push_back(i);
  std::reverse(found.begin(), found.end());
  return found;
}

/// One joint at one instant, with its own coordinates as duals; at the point O.
template <class J>
struct BentJoint {
  const BodyMotion<double>& P;
  const BodyNumbers<double>& number;
  Vec3 O;
  D q[J::nq > 0 ? J::nq : 1], u[J::nu > 0 ? J::nu : 1];

  struct Motion {
    Twist<D> E, column[J::nu > 0 ? J::nu : 1], rate;
  };

  Motion move() const {
    const JointNumbers<D> j{constant(number.joint.axis), D(number.joint.size)};
    const Matrix3<D> R_F = constant(P.R * number.X_PF.R);
    D sin[J::nq > 0 ? J::nq : 1], cos[J::nq > 0 ? J::nq : 1];
    for (int i = 0; i < J::nq; ++i) {
      const SinCos<D> a = sincos(q[i]);
      sin[i] = a.sin, cos[i] = a.cos;
    }
    Matrix3<D> R;
    Vector3<D> d;
    J::place(j, q, Angles<D>{sin, cos}, R_F, R, d);
    const Vector3<D> r = constant(P.o - O + P.R * number.X_PF.p) + d;

    // [w]× = δR Rᵀ
    Motion found;
    const Mat3 turn = Mat3{slope(R.x), slope(R.y), slope(R.z)} *
                      transpose(Mat3{value(R.x), value(R.y), value(R.z)});
    const Vec3 w{turn(2, 1), turn(0, 2), turn(1, 0)};
    found.E = {constant(w), constant(slope(r) - cross(w, value(r)))};
    J::columns(j, q, R_F, R, found.column);
    found.rate = {zero3<D>(), zero3<D>()};
    if constexpr (BiasedJoint<J>) {
      Twist<D> rates[J::nu];
      J::column_rates(j, R_F, R, u, rates);
      for (int k = 0; k < J::nu; ++k) found.rate += rates[k] * u[k];
    }
    found.rate = shifted_out(found.rate, -r);
    for (int k = 0; k < J::nu; ++k) found.column[k] = shifted_out(found.column[k], -r);
    return found;
  }
};

}  // namespace

/// Zeros that begin where a line of the cache does.
class Aligned {
 public:
  void resize(size_t n) { room_.assign(n + line, 0.0); }
  double* data() {
    void* at = room_.data();
    size_t space = room_.size() * sizeof(double);
    return static_cast<double*>(std::align(line * sizeof(double), 1, at, space));
  }

 private:
  static constexpr size_t line = 8;  // doubles
  std::vector<double> room_;
};

struct Derivatives::Room {
  explicit Room(const Mechanism& mechanism);
  void bend(Workspace<double>& w, const Kinematics<double>& k);
  DerivativeView view(Workspace<double>& w, const Kinematics<double>& k, const double* udot);

  const Mechanism& m;
  RunList ancestors_u, ancestors_x, above, below;
  std::vector<BodyInertia<double>> I;
  std::vector<Symmetric3<double>> I_rate;
  std::vector<Wrench<double>> momentum, force;
  std::vector<Twist<double>> V, A;
  std::vector<JointBending> bending;
  std::vector<Twist<double>> bent;  // what `bending` points into,
  std::vector<size_t> bent_from;    // from here on for each body
  int stride = 0, width = 0, answer_width = 0;
  Aligned components, by_x, by_u, M, answer;
  std::vector<double> tau;
};

Derivatives::Room::Room(const Mechanism& mechanism)
    : m(mechanism),
      I(m.nb),
      I_rate(m.nb),
      momentum(m.nb),
      force(m.nb),
      V(m.nb),
      A(m.nb),
      bending(m.nb) {
  ancestors_u.close(), ancestors_x.close();  // of the world
  size_t twists = 0;
  for (int i = 1; i < m.nb; ++i) {
    for (const int a : ancestors(m, i)) {
      ancestors_u.add(m.u0[a], m.u0[a + 1]);
      ancestors_x.add(m.x0[a], m.x0[a + 1]);
    }
    ancestors_u.close(), ancestors_x.close();
    for (int k = m.u0[i]; k < m.u0[i + 1]; ++k) {
      for (const int a : ancestors(m, i)) above.add(m.u0[a], m.u0[a + 1]);
      above.add(m.u0[i], k);
      above.close();
    }
    const int nu = m.u0[i + 1] - m.u0[i], nx = m.x0[i + 1] - m.x0[i];
    if (nu > 1) twists += static_cast<size_t>(2 * nx + nx * nu + nu);
  }
  // a velocity carries the later ones of its joint, and those of all bodies further out
  for (int i = 1; i < m.nb; ++i) {
    std::vector<char> carried(m.nb, 0);
    carried[i] = 1;
    for (int j = i + 1; j < m.nb; ++j) carried[j] = carried[m.parent[j]];
    for (int k = m.u0[i]; k < m.u0[i + 1]; ++k) {
      below.add(k + 1, m.u0[i + 1]);
      for (int j = i + 1; j < m.nb; ++j)
        if (carried[j]) below.add(m.u0[j], m.u0[j + 1]);
      below.close();
    }
  }

  bent.resize(twists), bent_from.resize(m.nb);
  Twist<double>* next = bent.data();
  for (int i = 1; i < m.nb; ++i) {
    const int nu = m.u0[i + 1] - m.u0[i], nx = m.x0[i + 1] - m.x0[i];
    if (nu < 2) continue;
    bent_from[i] = static_cast<size_t>(next - bent.data());
    bending[i] = {next, next + nx, next + nx + nx * nu, next + 2 * nx + nx * nu};
    next += 2 * nx + nx * nu + nu;
  }

  const auto padded = [](int n, int to) { return (n + to - 1) / to * to; };
  stride = padded(std::max(m.nu, m.nx), 8);
  width = stride;
  answer_width = padded(m.nx + 2 * m.nu, 8);
  const size_t rows = m.nu;
  components.resize(static_cast<size_t>(stride) * 21);
  for (Aligned* to : {&by_x, &by_u, &M}) to->resize(rows * width);
  tau.resize(rows);
  answer.resize(rows * answer_width);
}

void Derivatives::Room::bend(Workspace<double>& w, const Kinematics<double>& k) {
  const Vec3 O = k.body[1].o;
  for (int i = 1; i < m.nb; ++i) {
    if (!bending[i].E) continue;
    with_joint(m.kind[i], [&](auto joint) {
      using J = decltype(joint);
      if constexpr (J::nu > 1) {
        Twist<double>* E = bent.data() + bent_from[i];
        Twist<double>*C = E + J::nx, *r = C + J::nx * J::nu, *s = r + J::nx;
        BentJoint<J> at{k.body[m.parent[i]], w.numbers().body[i], O, {}, {}};
        D q0[J::nq], xi[J::nx];
        for (int j = 0; j < J::nq; ++j) at.q[j] = q0[j] = D(k.q[m.q0[i] + j]);
        for (int j = 0; j < J::nu; ++j) at.u[j] = D(k.u[m.u0[i] + j]);
        for (int x = 0; x < J::nx; ++x) {
          for (int j = 0; j < J::nx; ++j) xi[j] = D(0.0, j == x ? 1 : 0);
          retract(J::kind, q0, xi, at.q);
          const auto bent_joint = at.move();
          E[x] = {value(bent_joint.E.w), value(bent_joint.E.v)};
          for (int j = 0; j < J::nu; ++j) C[x * J::nu + j] = slope(bent_joint.column[j]);
          r[x] = slope(bent_joint.rate);
        }
        for (int j = 0; j < J::nq; ++j) at.q[j] = q0[j];
        for (int j = 0; j < J::nu; ++j) {
          s[j] = Twist<double>{};
          if constexpr (BiasedJoint<J>) {
            at.u[j].d = 1;
            s[j] = slope(at.move().rate);
            at.u[j].d = 0;
          }
        }
      }
    });
  }
}

DerivativeView Derivatives::Room::view(Workspace<double>& w, const Kinematics<double>& k,
                                       const double* udot) {
  double* next = components.data();
  const auto take = [&](int rows) { return std::exchange(next, next + rows * stride); };
  DerivativeView v{};
  v.nb = m.nb, v.nu = m.nu, v.nx = m.nx;
  v.parent = m.parent.data(), v.u0 = m.u0.data(), v.x0 = m.x0.data();
  v.number = w.numbers().body.data(), v.armature = w.numbers().armature.data();
  v.held = rooms_of(w).held.data();
  v.gravity = w.numbers().gravity;
  v.ancestors_u = ancestors_u.view(), v.ancestors_x = ancestors_x.view();
  v.above = above.view(), v.below = below.view();
  v.motion = k.body.data(), v.arm = k.arm.data(), v.S = k.S.data();
  v.u = k.u.data(), v.udot = udot;
  v.bending = bending.data();
  v.I = I.data(), v.I_rate = I_rate.data();
  v.momentum = momentum.data(), v.force = force.data();
  v.V = V.data(), v.A = A.data();
  v.stride = stride;
  v.J = take(6), v.b = take(6), v.a = take(6), v.psi = take(3);
  v.width = width, v.answer_width = answer_width;
  v.by_x = by_x.data(), v.by_u = by_u.data(), v.M = M.data(), v.tau = tau.data();
  v.answer = answer.data();
  return v;
}

Derivatives::Derivatives(const Mechanism& mechanism) : room_(std::make_unique<Room>(mechanism)) {
  assert(cover(mechanism));
}
Derivatives::Derivatives(Derivatives&&) noexcept = default;
Derivatives::~Derivatives() = default;

bool Derivatives::cover(const Mechanism& m) { return m.elastic.empty(); }

InverseDerivatives Derivatives::of_inverse_dynamics(Workspace<double>& w,
                                                    const Kinematics<double>& k,
                                                    const double* udot) {
  Room& r = *room_;
  if (r.m.nb > 1) r.bend(w, k);
  derivative_kernels().inverse_dynamics(r.view(w, k, udot));
  const int nu = r.m.nu;
  return {r.tau,
          {r.by_x.data(), nu, r.m.nx, r.width},
          {r.by_u.data(), nu, nu, r.width},
          {r.M.data(), nu, nu, r.width}};
}

ForwardDerivatives Derivatives::of_forward_dynamics(Workspace<double>& w,
                                                    const Kinematics<double>& k,
                                                    const double* udot) {
  of_inverse_dynamics(w, k, udot);
  Room& r = *room_;
  derivative_kernels().forward_dynamics(r.view(w, k, udot));
  const int nu = r.m.nu, nx = r.m.nx;
  const auto part = [&](int column, int columns) {
    return RowsView{r.answer.data() + column, nu, columns, r.answer_width};
  };
  return {part(0, nx), part(nx, nu), part(nx + nu, nu)};
}

}  // namespace sarrus
