// One instant of a motion as plain data, whichever motion made it. Rows, the energy account,
// conserved momenta, events, pictures and programs that step a simulation from outside read this
// and nothing else.
#pragma once

#include <vector>

#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

/// Energy since the start.
struct Ledger {
  double dissipated = 0, drive = 0, external = 0;  // [J]
  static constexpr int size = 3;
};

/// What a motion starts from.
struct StartState {
  double t = 0;
  std::vector<double> q, u, state;
  std::vector<Diagnostic> notes = {};  // how it was found
};

struct Snapshot {
  Snapshot() = default;
  explicit Snapshot(const Mechanism& mechanism);

  const Mechanism* mechanism = nullptr;
  double t = 0;  // [s]

  // positions and velocities
  std::vector<double> q, u, state;
  std::vector<BodyMotion<double>> body;
  std::vector<Twist<double>> column;  // per velocity: the twist of its body

  // forces
  std::vector<double> slots;         // what formulas can name
  std::vector<double> formula;       // values of what force elements read
  std::vector<double> formula_rate;  // their rates, where references of servos need them
  std::vector<double> normal;        // per body: the reaction that friction rubs on
  std::vector<double> tau;           // per velocity, of force elements

  // accelerations and the forces in joints
  std::vector<double> udot;
  std::vector<Twist<double>> acceleration;  // spatial, in world axes at the body's origin
  std::vector<Wrench<double>> reaction;     // of the parent on the body, there
  std::vector<Wrench<double>> closing;      // per closure: on its second body, at its frame
  std::vector<double> drive;                // per velocity: what a prescribed motion needs
  std::vector<double> multiplier;           // of the rows of loops
  std::vector<char> kept;                   // the rows that are independent of the others

  std::vector<double> momentum;       // p = M u per velocity
  double kinetic = 0, potential = 0;  // [J]
  double element_energy = 0;          // [J] the part of it that springs and other elements hold
  Ledger ledger;
  double residual = 0, residual_rate = 0;  // of the rows of loops [m], [m/s]

  /// Bodies that were moved one by one: q and u are measured between them.
  bool is_measured = false;
  /// False where accelerations do not exist; the parts above from `udot` on then mean nothing.
  bool is_complete = true;

  int rank() const;  // of the rows of loops
  double energy() const { return kinetic + potential; }
  /// The value of a formula of the mechanism.
  double formula_value(int formula) const;
  PointMotion<double> sensor_motion(int sensor) const;
  Vec3 sensor_acceleration(int sensor) const;
  /// What an accelerometer reads, in sensor axes.
  Vec3 sensor_accelerometer(int sensor) const;
  /// For reading single elements: servo.force(context). Nothing can be added to it.
  ForceContext<double> force_context() const;
};

/// What the rows of a closure exert on its second body, at the origin of its frame there, with the
/// multipliers of the snapshot.
Wrench<double> closing_wrench(const Snapshot& now, const LoopRows<double>& rows, int closure);

/// Everything at a state, as the tree gives it.
Snapshot snapshot_at(const Mechanism& mechanism, const StartState& at);

/// Copies what the stages of an instant hold, those that are given.
void take(Snapshot& out, const Places<double>& k);
void take(Snapshot& out, const Places<double>& k, const Forces<double>& f);
void take(Snapshot& out, Workspace<double>& w, const Kinematics<double>& k, const Forces<double>& f,
          const Accelerations<double>& a);
/// Energies and momenta only.
void take_energies(Snapshot& out, Workspace<double>& w, const Places<double>& k,
                   const Forces<double>& f);

}  // namespace sarrus
