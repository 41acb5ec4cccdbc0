// State of assemble() while it closes the loops of a start. Its parts are in assembly.cpp
// (closing), assembly_words.cpp (messages) and singular_start.cpp.
#pragma once

#include <string>
#include <vector>

#include "sarrus/formulations/assembly/asked_speeds.hpp"
#include "sarrus/formulations/assembly/assembly.hpp"
#include "sarrus/formulations/assembly/wishes.hpp"
#include "sarrus/numerics/matrix.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {

class Assembler {
 public:
  Assembler(const Mechanism& m, double t, std::vector<double> q)
      : m_(m),
        t_(t),
        w_(m),
        q_(std::move(q)),
        u_(m.start.u),
        dx_(m.nu),
        multiplier_(m.closure_rows.size()),
        held_(m.prescribed) {}

  Assembly run(bool leaves_singular);
  std::vector<double> step_aside(double size, Random& random);

 private:
  static constexpr double nearly_closed = 1e-10;  // residual at which rounding stops the iteration
  static constexpr Tolerance contradiction{1e-9, 1e-9};  // rate that no motion can take away

  const Mechanism& m_;
  double t_;
  Workspace<double> w_;
  const Kinematics<double>* k_ = nullptr;  // at q_ and u_, with its loops
  ClosedLoops<double> loops_;
  std::vector<double> q_, u_, dx_, multiplier_;
  double residual_ = 0;
  int iterations_ = 0, rank_beside_ = 0;
  bool is_rigid_ = false;   // elastic coordinates stay as they are
  std::vector<char> held_;  // per body
  std::vector<Diagnostic> notes_;

  void set();

  /// Tries with all joints held whose positions the user gave, then with ever fewer of them: those
  /// nearest to the world are released last.
  template <class Close>
  bool close_holding(const std::vector<char>& given, const std::vector<double>& wanted,
                     std::vector<double>& x, Close&& close) {
    for (size_t held = in_tree(given).size();; held = held > 8 ? held / 2 : held - 1) {
      hold_first(in_tree(given), held);
      x = wanted;
      const bool done = close();
      if (done || held == 0) return done;
    }
  }

  // ── closing ──

  std::vector<size_t> in_tree(const std::vector<char>& given) const;
  void hold_first(const std::vector<size_t>& joints, size_t count);
  void release();
  void hold(int b, bool held);
  bool close(const Wishes& wishes, const Coordinates& wanted);
  /// Of all deformations that close the loops the one with the least energy.
  bool relax();
  /// Newton stalls where loops are singular, as in a stretched chain, and goes on from positions
  /// beside it. Leaves the best of all that was found.
  bool close_from_elsewhere(const std::vector<double>& wanted);
  /// Of the assemblies near the initial guesses for closing joints, and the one found without them,
  /// the nearest to all that was given. Joints of the tree keep their positions where they can.
  bool close_as_wished(const Wishes& wishes, const Coordinates& wanted, bool found);
  /// Newton with limited steps; false where the residual stops falling before the loops close.
  bool close_positions();
  /// The fraction of a step that stays within the nearly linear range.
  static double allowed_share(const std::vector<double>& dx);
  /// u −= M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G u; false where a rate is left that held joints do not allow.
  bool close_velocities();
  /// dx = M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ x, with x of every row.
  template <class Value>
  void respond(Value&& x) {
    for (int r = 0; r < loops_.rows->size(); ++r) multiplier_[r] = x((*loops_.rows)[r]);
    loops_.factors->solve(multiplier_);
    loop_response(w_, loops_, multiplier_, dx_.data());
  }
  /// A few random motions that the loops allow beside those that are prescribed. What moves in none
  /// of them cannot move.
  std::vector<std::vector<double>> allowed_motions();
  double speed() const { return max_abs(u_); }

  // ── what is said ──

  void add_notes(std::vector<Diagnostic> notes) {
    for (Diagnostic& n : notes) notes_.push_back(std::move(n));
  }
  Error refused(const std::string& code, const std::string& message, const std::string& hint);
  std::string configuration() const;
  void refuse_positions();
  /// Of all rows the one with the largest residual, or rate, in units of the mechanism's length.
  int worst_row(bool rates) const;
  /// Axes that are kept at right angles are also at right angles when a part is upside down.
  const Closure* upside_down() const;
  void refuse_flip(const Closure& c) const;
  void note_positions(const std::vector<double>& wanted);
  void note_deformations();
  bool speeds_given_changed(const std::vector<double>& wanted) const;
  void note_velocities(const std::vector<double>& wanted);
  /// Given speeds that were missed are fitted to the others, unless no motion has them.
  void refuse_impossible_speeds(const std::vector<double>& wanted);
  /// |a · vⱼ| / |a| of all that is asked of a joint; changes the motion that is set.
  double rate_along(const std::vector<AskedSpeed>& all, int joint, const std::vector<double>& v);
  int moves_most(const std::vector<double>& v) const;
  /// A rate that no speed can cancel: a motion that the loops forbid, or two that contradict.
  void check_contradiction();

  // ── singular starts ──

  /// Where rows depend on each other here and not beside this position, more than one motion may
  /// begin, and the speeds do not say which.
  bool is_singular();
  void leave_singular();
};

}  // namespace sarrus
