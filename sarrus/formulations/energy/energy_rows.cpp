#include "sarrus/formulations/energy/energy_rows.hpp"

#include <algorithm>
#include <complex>

#include "sarrus/core/series.hpp"

namespace sarrus {
namespace {

/// (x)[H]
template <class T>
Vector3<T> times(const Vector3<T>& x, const Matrix3<T>& H) {
  return transposed_times(H, x);
}

/// Tr{[B]ᵀ [C]}
template <class T>
T trace_product(const Matrix3<T>& B, const Matrix3<T>& C) {
  return dot(B.x, C.x) + dot(B.y, C.y) + dot(B.z, C.z);
}

/// (24) from the inertia about the origin of the frame.
Mat3 second_moment(const BodyInertia<double>& body, const Vec3& x) {
  Mat3 I = body.I.full();
  const Mat3 s = skew(x);
  I = I - (s * transpose(s)) * body.m;  // about the centre of gravity
  const double half = 0.5 * trace(I);
  return Mat3{{half, 0, 0}, {0, half, 0}, {0, 0, half}} - I;
}

}  // namespace

template <class T>
EnergyRows<T>::EnergyRows(const Mechanism& m) : gravity_(cast<T>(m.numbers.gravity)) {
  const auto nb = static_cast<size_t>(m.nb);
  segment_.resize(nb), H_.resize(nb), Hdot_.resize(nb), R_.resize(nb);
  segment_[0].dummy = true;
  int rows = 0;
  for (size_t b = 1; b < nb; ++b) {
    const BodyNumbers<double>& number = m.numbers.body[b];
    const double mass = number.inertia.m;
    const Vec3 x = mass > 0 ? number.inertia.mc * (1 / mass) : Vec3{};
    const Mat3 J = second_moment(number.inertia, x);
    Segment& k = segment_[b];
    k.R_PF = cast<T>(number.X_PF.R);
    k.p_PF = cast<T>(number.X_PF.p);
    k.x = cast<T>(x);
    k.J = cast<T>(J);
    k.M = T(mass);
    k.dummy = mass == 0 && trace(J) == 0;
    k.joint = {cast<T>(number.joint.axis), T(number.joint.size)};
    k.kind = m.kind[b];
    k.P = m.parent[b];
    k.q0 = m.q0[b], k.u0 = m.u0[b], k.nu = m.u0[b + 1] - m.u0[b];
    k.first = rows;
    k.count = segment_[k.P].count + k.nu;
    rows += k.count;
  }
  rows_.resize(rows);
  for (const double a : m.numbers.armature) armature_.push_back(T(a));
}

template <class T>
void EnergyRows<T>::turn(const Segment& k, const T* q) {
  with_joint(k.kind, [&](auto joint) {
    using J = decltype(joint);
    T sine[J::nq + 1], cosine[J::nq + 1];
    for (int i = 0; i < J::nq; ++i) {
      const SinCos<T> s = sincos(q[k.q0 + i]);
      sine[i] = s.sin, cosine[i] = s.cos;
    }
    // the joint with the parent's axes in the place of the world's
    Matrix3<T> R;
    Vector3<T> slide;
    Twist<T> S[J::nu + 1];
    J::place(k.joint, q + k.q0, Angles<T>{sine, cosine}, k.R_PF, R, slide);
    J::columns(k.joint, q + k.q0, k.R_PF, R, S);
    hinge_.a = transpose(R);
    hinge_.e = k.p_PF + slide;
    for (int i = 0; i < J::nu; ++i) {
      hinge_.da[i] = hinge_.a * skew(-S[i].w);
      hinge_.de[i] = S[i].v;
    }
  });
}

/// The rows of segment k from those of its parent.
template <class T>
void EnergyRows<T>::extend(size_t b, const T* q) {
  const Segment& k = segment_[b];
  const auto P = static_cast<size_t>(k.P);
  const Segment& parent = segment_[P];
  turn(k, q);
  H_[b] = hinge_.a * H_[P];  // (25)

  const Rows* of_parent = rows_.data() + parent.first;
  Rows* own = rows_.data() + k.first;
  const Vector3<T> from_centre = hinge_.e - parent.x;
  for (int n = 0; n < parent.count; ++n) {
    own[n].i = of_parent[n].i;
    own[n].dH = hinge_.a * of_parent[n].dH;                // (27)
    own[n].dR = of_parent[n].dR + times(k.x, own[n].dH) +  //
                times(from_centre, of_parent[n].dH);       // (32)
  }
  for (int c = 0; c < k.nu; ++c) {
    Rows& row = own[parent.count + c];
    row.i = k.u0 + c;
    row.dH = hinge_.da[c] * H_[P];                             // (28)
    row.dR = times(k.x, row.dH) + times(hinge_.de[c], H_[P]);  // (33)
  }
}

/// What segment k adds to the lower triangle; the freedoms on the way to the world rise.
template <class T>
void EnergyRows<T>::add(const Segment& k, T* A) const {
  const size_t n = armature_.size();
  const Rows* row = rows_.data() + k.first;
  for (int i = 0; i < k.count; ++i) {
    const Matrix3<T> JH = k.J * row[i].dH;
    const Vector3<T> MR = row[i].dR * k.M;
    for (int j = 0; j <= i; ++j)
      A[static_cast<size_t>(row[i].i) + static_cast<size_t>(row[j].i) * n] +=
          dot(MR, row[j].dR) + trace_product(JH, row[j].dH);  // (18) (23)
  }
}

template <class T>
void EnergyRows<T>::matrix(const T* q, T* A) {
  const size_t n = armature_.size();
  std::fill(A, A + n * n, T(0.0));
  H_[0] = Matrix3<T>::identity();  // (26)
  for (size_t k = 1; k < segment_.size(); ++k) {
    extend(k, q);
    if (!segment_[k].dummy) add(segment_[k], A);
  }
  for (size_t i = 0; i < n; ++i) {
    A[i + i * n] += armature_[i];
    for (size_t j = 0; j < i; ++j) A[j + i * n] = A[i + j * n];  // (30) (35)
  }
}

template <class T>
T EnergyRows<T>::kinetic_energy(const T* q, const T* u) {
  const Vector3<T> zero = zero3<T>();
  H_[0] = Matrix3<T>::identity();
  Hdot_[0] = {zero, zero, zero};
  R_[0] = zero;
  T twice(0.0);
  for (size_t i = 0; i < armature_.size(); ++i) twice += armature_[i] * u[i] * u[i];
  for (size_t b = 1; b < segment_.size(); ++b) {
    const Segment& k = segment_[b];
    const auto P = static_cast<size_t>(k.P);
    turn(k, q);
    H_[b] = hinge_.a * H_[P];
    Hdot_[b] = hinge_.a * Hdot_[P];
    Vector3<T> edot = zero;
    for (int c = 0; c < k.nu; ++c) {
      Hdot_[b] = Hdot_[b] + (hinge_.da[c] * H_[P]) * u[k.u0 + c];  // (22)
      edot += hinge_.de[c] * u[k.u0 + c];
    }
    R_[b] = R_[P] + times(k.x, Hdot_[b]) + times(hinge_.e - segment_[P].x, Hdot_[P]) +
            times(edot, H_[P]);  // (17)
    twice += k.M * dot(R_[b], R_[b]) + trace_product(Hdot_[b], k.J * Hdot_[b]);
  }
  return T(0.5) * twice;
}

template <class T>
T EnergyRows<T>::gravity_energy(const T* q) {
  H_[0] = Matrix3<T>::identity();
  R_[0] = zero3<T>();
  T sum(0.0);
  for (size_t b = 1; b < segment_.size(); ++b) {
    const Segment& k = segment_[b];
    const auto P = static_cast<size_t>(k.P);
    turn(k, q);
    H_[b] = hinge_.a * H_[P];
    R_[b] = R_[P] + times(k.x, H_[b]) + times(hinge_.e - segment_[P].x, H_[P]);  // (15)
    sum -= k.M * dot(gravity_, R_[b]);
  }
  return sum;
}

template class EnergyRows<double>;
template class EnergyRows<std::complex<double>>;
template class EnergyRows<Series<double>>;
template class EnergyRows<Series<std::complex<double>>>;

}  // namespace sarrus
