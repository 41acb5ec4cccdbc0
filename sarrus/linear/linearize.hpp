// A mechanism near one of its motions, as a linear model with exact derivatives.
//
//   r(ξ, u, u̇, s, w) = M u̇ + c − forces = 0       equations of motion, s: states of elements,
//   δξ̇ = N δu + E δξ                               w: inputs, y: outputs
//   M δu̇ + D δu + K δξ + S δs + R w = 0,   δṡ = …,   y = Y_ξ δξ + Y_u δu + Y_u̇ δu̇ + Y_s δs + Y_w w
//   (1)
//
// ξ are the chart's coordinates about the point, which moves with the motion: for rotations
// R = R₀(t) exp(ξ) and ω = ω₀ + ξ̇ + ω₀ × ξ, so E = −ad(v₀). The motion must not change in time as
// seen from there: an equilibrium, or a steady rotation. Every derivative comes from dual numbers:
// one evaluation of the mechanism per direction, no step size. Away from equilibrium u̇ is what the
// forces cause, and ∂(M u̇)/∂ξ is part of K.
//
// A disk that rolls is seen from axes that turn with it about the plane's normal k but not with its
// spin σ about its own axis d, since where it touches does not either: ω = Ω k + σ, σ ∥ d, and
// ξ' = exp(σt) ξ, and so u, whose rates become ξ̇ + σ × ξ, u̇ + σ × δu.                      (3)
//
// Constraints: with φ and φ̇ = G u of their rows and multipliers λ, r − Gᵀλ stands for r, so that
// ∂(Gᵀλ)/∂ξ is part of K. Holonomic rows hold positions, all rows hold velocities; with
// F = ∂φ/∂ξ, H = ∂(G u)/∂ξ, y and z as many as there are freedoms of each,
//
//   F δξ = 0                δξ = T y                                                       (2)
//   G δu + H δξ = 0         δu = T_u z + T_uy y
//
// What rolls has fewer z than y. Where nothing in loops moves, T_u = T and T_uy = 0.
//
// Inputs are the drives' formulas (forces, servo references, voltages), the components of applied
// forces, and position, velocity and acceleration of each prescribed motion. Outputs are the
// sensors. docs/theory/linearisation.md
#pragma once

#include <string>
#include <vector>

#include "sarrus/formulations/stages/workspace.hpp"
#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

/// A point of a motion. Prescribed motions are those of time t.
struct OperatingPoint {
  double t = 0;
  std::vector<double> q, u, state;
  std::vector<int> held;  // velocities that stay as they are, with their coordinates: driven shafts
  std::vector<double> lambda;  // multipliers of the loops' rows; empty: found where they are needed
  std::vector<double> udot;    // of velocities that are free; empty: they are steady
};

struct LinearModel {
  // what may move: entries of the chart, of u, and states of elements
  std::vector<int> x, u;
  std::vector<std::string> position_names, velocity_names, state_names, input_names, output_names;
  Matrix M, D, K, S, R;            // (1), rows: free velocities
  Matrix N, E;                     // rows: free chart entries
  Matrix s_x, s_u, s_s, s_w;       // δṡ
  Matrix y_x, y_u, y_a, y_s, y_w;  // outputs; y_a: by accelerations
  // rows of constraints: G by free velocities, F = ∂φ/∂ξ and H = ∂(G u)/∂ξ by free chart entries
  Matrix G, F, H;
  std::vector<double> closure, closing_speed;    // how far each row is from holding, and G u
  Matrix T, T_u, T_uy;                           // (2); empty where there are no constraints
  std::vector<std::string> tree_position_names;  // of every entry in x; others name states
  std::vector<double> out_of_balance;            // r at the point, with u̇ of a steady motion
  double force_scale = 0;  // what r is measured against: the largest part of it
  std::vector<Diagnostic> notes;

  bool second_order() const;  // as many positions as velocities, no states: M, D, K say it all
};

/// Of a mechanism with constraints in as many positions and velocities as it has freedoms of each,
/// chosen among those of its joints. Throws Error(physics) for loops that are open, and where the
/// motion that the point belongs to is not steady.
LinearModel linearize(const Mechanism& mechanism, const OperatingPoint& point);
/// The same of a mechanism without loops.
LinearModel tree_model(const Mechanism& mechanism, const OperatingPoint& point);
/// The same before loops are closed: everything by the velocities of the tree, and G. Disks roll in
/// axes that turn with them.
LinearModel open_model(const Mechanism& mechanism, const OperatingPoint& point);

/// A body that rolls seen from axes that do not turn with it: (3).
struct RollingAxes {
  int body = 0;
  Vec3 spin{};  // σ in the axes of u [rad/s]
};
std::vector<RollingAxes> rolling_axes(const Mechanism& mechanism, const OperatingPoint& point);
void stop_axes(const Mechanism& mechanism, const RollingAxes& axes, LinearModel& model);
/// u̇ of a steady motion, which is zero in such axes: u̇ = −σ × u.
void keep_steady(const Mechanism& mechanism, OperatingPoint& point);

/// ẋ = A x + B w, y = C x + D w with x = [δξ; δu; δs].
struct StateSpace {
  Matrix A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
};
/// Throws Error(physics) where a joint moves no mass.
StateSpace state_space(const LinearModel& model);

/// The point at which a mechanism starts, prescribed motions in place. Throws Error(physics) for
/// contacts and joints that come and go.
OperatingPoint start_point(const Mechanism& mechanism, double t = 0);

/// r and ṡ at a point, with u̇ = 0 for velocities that are free where the point does not say more.
struct Balance {
  std::vector<double> r;              // free velocities
  std::vector<double> state_rate;     // [.. per state]
  std::vector<double> closure;        // φ per row of constraints
  std::vector<double> closing_speed;  // G u
  double force_scale = 0;
};
Balance balance(const Mechanism& mechanism, const OperatingPoint& point);

/// q ⊕ δ for all joints; δ has nx entries.
std::vector<double> moved(const Mechanism& mechanism, const std::vector<double>& q,
                          const std::vector<double>& delta);

/// Energies of a shape δξ = δu = φ (one entry per velocity) about a point, each as a share of the
/// whole.
struct EnergyShares {
  std::vector<std::pair<std::string, double>> kinetic;    // by body
  std::vector<std::pair<std::string, double>> potential;  // by element; gravity last
  Vec3 effective_mass{};                                  // [kg] for motions of the ground
};
EnergyShares energy_shares(const Mechanism& mechanism, const OperatingPoint& point,
                           const std::vector<double>& phi);

}  // namespace sarrus
