// The equations of motion of one mechanism in one choice of coordinates. Integrators see ẏ = f(t,
// y); analyses see q, u and everything that follows from them, so that any formulation can be
// compared with any other.
//
//   y = [ξ: chart of the configuration | velocities or momenta | states of elements | ledger]
//   ledger = energy dissipated, work of drives, work of external forces [J] since the start
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sarrus/formulations/snapshot.hpp"
#include "sarrus/numerics/ode.hpp"

namespace sarrus {

class Formulation : public Ode {
 public:
  virtual std::string name() const = 0;
  virtual const Mechanism& mechanism() const = 0;

  /// Puts the base of the chart at the start and fills y (size() entries).
  virtual void begin(const StartState& start, std::span<double> y) = 0;

  /// Everything at (t, y). Where it does not exist `out` is not complete, and failure() says why.
  virtual void observe(double t, std::span<const double> y, Snapshot& out) = 0;

  /// How far the rows of loops are from depending on each other, the least that was met since
  /// rebase(): 1 far, 0 at a singular position.
  virtual double independence() const { return 1; }

  /// Value of a parameter from now on, for formulas that read it.
  virtual void set_parameter(int parameter, double value) = 0;
  virtual const std::vector<double>& parameters() const = 0;

  /// The configuration at y, and the base of the chart from which positions in y count.
  virtual std::vector<double> configuration(double t, std::span<const double> y) = 0;
  virtual std::vector<double> base() const { return {}; }
  /// Puts the base at q; the rest of the state is y beyond split().
  virtual void set_configuration(std::span<const double> q) = 0;
  /// What the next step depends on beside t, y and the base, for checkpoints. What is observed
  /// between two steps does not change it.
  virtual std::vector<double> memory() const { return {}; }
  virtual void set_memory(std::span<const double> memory) { (void)memory; }

  /// Time goes from `before` to `after` at once, and the velocities of prescribed motions with it:
  /// the others follow by impulses, whose work goes to the ledger. False where a position would
  /// jump; failure() then says which.
  virtual bool jump(double before, double after, std::span<double> y) {
    return (void)before, (void)after, (void)y, true;
  }

  /// Notes on all instants that were observed.
  virtual std::vector<Diagnostic> notes() const { return {}; }
};

/// How `hamiltonian` computes velocities and ∂T/∂q. Empty: the gradient like the matrix; the matrix
/// recursively, or literally where coordinates are marked small.
struct FormulationOptions {
  std::string energy_matrix;           // recursive, literal
  std::string energy_gradient;         // recursive, complex, literal
  std::map<std::string, Place> where;  // of what was said in a file, for messages
  std::string loops;                   // of recursive: multipliers (empty), nullspace
};

/// By name: recursive, hamiltonian. Throws Error(usage) for another name or options that do not
/// fit, Error(physics) where the mechanism cannot be run: a joint that moves no mass, loops that
/// this formulation cannot close.
std::unique_ptr<Formulation> make_formulation(const std::string& name, const Mechanism& mechanism,
                                              const FormulationOptions& options = {});
/// All that a user may choose from, "discrete" (motion/) among them.
std::vector<std::string> formulation_names();

}  // namespace sarrus
