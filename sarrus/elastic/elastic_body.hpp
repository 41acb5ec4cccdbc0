// An elastic body as numbers: how its mass moves with n elastic coordinates, and how the places do
// that carry a joint, a force or a sensor.
//
// A point of the body at x, in a frame B that is fixed to the body at its inboard joint, goes to
//
//   r(q) = x + Σ φₖ qₖ + ½ Σ gₖₗ qₖ qₗ            ∂r/∂qₖ = φₖ + Σ gₖₗ qₗ =: Φₖ(q)       (1)
//
// g is the displacement of second order that comes with the first: a beam that bends becomes
// shorter. Without it a spinning beam would lose stiffness instead of gaining it.
//
// Mass is given as samples. A sample moves with c v + ω × r + Φ q̇, where c is 1 for a mass point.
// Samples with another c have no place of their own: they are the parts into which the integrals
// of (1) over a body fall (rotary inertia of a section, a factored matrix of integrals), and every
// sum over mass points is the same sum over them. The kinetic energy is a sum of squares, positive
// at any deformation.
#pragma once

#include <string>
#include <vector>

#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

/// ½ along qᵀ g q: one direction of the displacement of second order.
struct SecondOrder {
  Vec3 along{};
  std::vector<double> g;  // n × n, symmetric
};

struct MassSample {
  double mass = 0;         // [kg]
  double c = 1;            // how far it follows the frame's own displacement
  Vec3 x{};                // [m] in B
  int begin = 0, end = 0;  // coordinates with φ ≠ 0
  std::vector<Vec3> phi;   // of these
  int reach = 0;           // coordinates below it have g ≠ 0
  std::vector<SecondOrder> second;
};

/// A place on the body that carries a joint, a force or a sensor.
struct ElasticPlace {
  Vec3 x{};
  std::vector<Vec3> phi, psi;  // displacement and rotation per coordinate
  std::vector<SecondOrder> second;
};

/// Sums over samples that do not depend on q (form I). Sig_kl = ∫ φₖ φₗᵀ dm.
struct ElasticInvariants {
  double mass = 0;
  Vec3 s{};
  Mat3 Sig_00{};
  std::vector<Vec3> S;                // ∫ φₖ dm
  std::vector<Mat3> Sig_0, Sig;       // ∫ x φₖᵀ dm;  n × n by rows
  std::vector<double> A[3], B[3][3];  // ∫ g_b dm,  ∫ x_a g_b dm
};

enum class ElasticForm { samples, invariants };

struct ElasticBody {
  int n = 0;
  ElasticForm form = ElasticForm::samples;
  std::vector<MassSample> samples;
  ElasticInvariants invariants;   // filled for that form
  std::vector<double> K, D;       // [N/m …] n × n: stiffness and damping of the coordinates
  std::vector<std::string> says;  // what each coordinate is, for people: "bending y 1"
  std::vector<char> angle;        // whether it is an angle; empty: none is
  bool turns(int k) const { return !angle.empty() && angle[k]; }
  double span = 1;  // [m] largest extent, to judge deflections by
};

/// The inertia at q: rigid part about B's origin, coupling to it, elastic part (n × n).
template <class T>
struct ElasticInertia {
  BodyInertia<T> rigid;
  Wrench<T>* coupling;
  T* elastic;
};

/// All in the axes of B, with V the twist of B at its origin. `scratch` holds n vectors.
template <class T>
void elastic_inertia(const ElasticBody& body, const T* q, ElasticInertia<T>& out,
                     Vector3<T>* scratch);
/// The forces that the motion needs without accelerations: wrench on the frame and on the
/// coordinates (not those of stiffness and damping, which are forces of the model).
template <class T>
void elastic_bias(const ElasticBody& body, const T* q, const T* qdot, const Twist<T>& V,
                  Wrench<T>& wrench, T* force, Vector3<T>* scratch);
/// ∂T/∂q at constant V and q̇.
template <class T>
void elastic_gradient(const ElasticBody& body, const T* q, const T* qdot, const Twist<T>& V,
                      T* gradient, Vector3<T>* scratch);

/// Where a place is: r from B's origin, its rotation, and the twist per unit of each q̇.
template <class T>
void place_elastic(const ElasticPlace& place, int n, const T* q, Vector3<T>& r, Matrix3<T>& E,
                   Twist<T>* columns);
/// Rates of these columns as seen in B.
template <class T>
void elastic_column_rates(const ElasticPlace& place, int n, const T* q, const T* qdot,
                          Twist<T>* rates);

/// Largest displacement of its points from their undeformed places [m].
double largest_deflection(const ElasticBody& body, const double* q);
/// Natural frequencies of the body with its frame held [rad/s], rising.
std::vector<double> elastic_frequencies(const ElasticBody& body);

/// Fills `invariants` from the samples.
void find_invariants(ElasticBody& body);
/// The same integrals with as few samples as possible, for bodies given by many points.
std::vector<MassSample> compressed(const std::vector<MassSample>& samples, int n);
/// The body seen from a frame B in which its own frame C is X_BC.
ElasticBody seen_from(const ElasticBody& body, const Pose<double>& X_BC);
ElasticPlace seen_from(const ElasticPlace& place, const Pose<double>& X_BC);

}  // namespace sarrus
