// What the kernels of derivatives read and write: plain pointers, as in tree_view.hpp.
#pragma once

#include "sarrus/formulations/tree/tree_view.hpp"

namespace sarrus {

/// Entries that stand side by side, of velocities or of the chart.
struct Run {
  int begin, end;
};

/// A list of runs per body or per velocity: those of entry i are from[i] … from[i + 1].
struct Runs {
  const Run* run;
  const int* from;
};

/// How a joint's own parts change, at the fixed point O; of joints with several velocities.
struct JointBending {
  const Twist<double>* E;  // per chart entry: displacement of the child
  const Twist<double>* C;  // per chart entry, per velocity: change of its column
  const Twist<double>* r;  // per chart entry: change of Σ Ṡ u
  const Twist<double>* s;  // per velocity: change of Σ Ṡ u
};

struct DerivativeView {
  // the tree
  int nb, nu, nx;
  const int *parent, *u0, *x0;
  const BodyNumbers<double>* number;
  const double* armature;
  const char* held;  // per body: its velocities do not answer to forces
  Vec3 gravity;
  Runs ancestors_u, ancestors_x;  // per body: of its strict ancestors
  Runs above, below;              // per velocity: those it depends on in the elimination, and back
  // Kinematics
  const BodyMotion<double>* motion;
  const Arm<double>* arm;
  const Twist<double>* S;
  const double *u, *udot;
  const JointBending* bending;  // per body; E is null where a joint has one velocity

  // per body, at O
  BodyInertia<double>* I;      // of the body and all it carries, as all that follow
  Symmetric3<double>* I_rate;  // İ
  Wrench<double>*momentum, *force;
  Twist<double>*V, *A;
  // components of twists and wrenches, each an array of nu or nx entries
  int stride;         // from one component to the next
  double *J, *b, *a;  // 6
  double* psi;        // 3: angular parts

  // results, by rows
  int width;                      // of a row of each
  double *by_x, *by_u, *M, *tau;  // ∂τ/∂ξ, ∂τ/∂u, M, and τ itself
  double* answer;  // nu rows: −∂τ/∂ξ, −∂τ/∂u, 1 → ∂u̇/∂ξ, ∂u̇/∂u, M⁻¹
  int answer_width;  // a multiple of 8
};

struct DerivativeKernels {
  /// Kinematics, u̇ → τ, ∂τ/∂ξ, ∂τ/∂u, M.
  void (*inverse_dynamics)(const DerivativeView&);
  /// These → ∂u̇/∂ξ, ∂u̇/∂u, M⁻¹ with the forces as they are; M is overwritten by its factors.
  void (*forward_dynamics)(const DerivativeView&);
};

/// The kernels for this machine.
const DerivativeKernels& derivative_kernels();

}  // namespace sarrus
