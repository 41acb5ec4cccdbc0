#include "sarrus/formulations/assembly/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/assembly/asked_speeds.hpp"
#include "sarrus/formulations/assembly/closing.hpp"
#include "sarrus/formulations/assembly/contradiction.hpp"
#include "sarrus/formulations/assembly/relaxation.hpp"
#include "sarrus/formulations/assembly/wishes.hpp"
#include "sarrus/numerics/matrix.hpp"
#include "sarrus/numerics/newton.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr int most_iterations = 200;
constexpr double closed = 1e-13;         // residual, in units of the mechanism's length
constexpr double nearly_closed = 1e-10;  // where rounding stops the iteration
constexpr double longest_turn = 0.3;     // [rad] or lengths of the mechanism, in one iteration
constexpr double shortest_share = 1.0 / 4096;   // of a step, where the whole does not help
constexpr double least_gain = 1e-6;             // of the residual: less is standing still
constexpr double said = 1e-6;                   // changes above it are noted
constexpr Tolerance said_of_given{1e-3, 1e-3};  // changes of speeds that the file gives: warned of
constexpr Tolerance contradiction{1e-9, 1e-9};  // rate that no motion can take away, of speeds
constexpr double least_motion = 1e-9;           // of speeds of 1 rad/s, or 1 m/s: beyond rounding
constexpr double at_rest = 1e-9;                // [rad] or [m]: the last step towards least energy
constexpr int tries = 8;  // from other positions, where the given ones lead nowhere
constexpr double tried_aside = 0.1, tried_far = 0.8;  // [rad] or [m]: how far they lie
constexpr int looks = 3;                              // beside the start, for its rank
constexpr size_t motions_tried = 4;                   // to see whether a joint can move
// [rad] or [m] from a singular start, δ: rounding is felt there as ε/δ², and the way as δ. Speeds
// that fit no motion lead to one from farther off, which is then followed back.
constexpr double beside_singular[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-5};

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

  Assembly run(bool leaves_singular) {
    // prescribed joints are where their motion puts them
    k_ = &move(w_, t_, q_.data(), u_.data(), m_.start_state.data());
    std::copy_n(k_->q.begin(), m_.nq, q_.begin());
    std::copy_n(k_->u.begin(), m_.nu, u_.begin());
    const Coordinates wanted{q_, u_};

    const Wishes wishes(m_, t_, wanted);
    is_rigid_ = !m_.elastic.empty();
    bool found = close(wishes, wanted);
    if (!found && is_rigid_) {  // joints alone do not close it
      is_rigid_ = false;
      found = close(wishes, wanted) && relax();
    }
    if (!found) refuse_positions();
    if (const Closure* flipped = upside_down()) refuse_flip(*flipped);
    note_positions(wanted.q);
    add_notes(wishes.missed_positions(*k_));

    const double length = loops_.rows->length();
    const double asked = fastest(m_, wanted.u, length);
    const auto close_speeds = [&] {
      return close_holding(m_.u_given, wanted.u, u_, [&] {
        return close_velocities() && fastest(m_, u_, length) <= most_amplified * asked;
      });
    };
    is_rigid_ = !m_.elastic.empty();
    if (!close_speeds() && is_rigid_) is_rigid_ = false, close_speeds();
    if (wishes.has_speeds() && wishes.are_sought()) {
      wishes.bring_near(w_, q_, u_);
      close_velocities();
    }
    is_rigid_ = false;
    check_contradiction();
    refuse_impossible_speeds(wanted.u);
    note_velocities(wanted.u);
    add_notes(wishes.missed_speeds(*k_));
    if (is_singular() && leaves_singular) leave_singular();
    return {{q_, u_}, residual_, iterations_, std::move(notes_)};
  }

  std::vector<double> step_aside(double size, Random& random) {
    for (double& u : u_) u = random.uniform(-1, 1);
    close_velocities();
    const double largest = speed();
    if (!(largest > 0)) return {};
    const std::vector<double> from = q_;
    displace(m_, from, u_, size / largest, q_);
    return close_positions() ? q_ : std::vector<double>{};
  }

 private:
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

  void set() {
    k_ = &move(w_, t_, q_.data(), u_.data(), m_.start_state.data());
    loops_ = factor_loops(w_, *k_, true);
    residual_ = loops_.rows->largest_residual();
  }

  /// Tries with all joints held that the user gave, then with ever fewer of them: those nearest to
  /// the world stay longest.
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
  std::vector<size_t> in_tree(const std::vector<char>& given) const {
    std::vector<size_t> named;
    for (size_t j = 0; j < m_.joints.size(); ++j)
      if (!m_.joints[j].cut && given[j]) named.push_back(j);
    return named;
  }
  void hold_first(const std::vector<size_t>& joints, size_t count) {
    release();
    for (size_t k = 0; k < count; ++k) {
      const JointInfo& joint = m_.joints[joints[k]];
      for (int b = joint.first_body; b <= joint.body; ++b) hold(b, true);
    }
  }
  void release() {
    for (int b = 1; b < m_.nb; ++b)
      hold(b, m_.prescribed[b] || (is_rigid_ && m_.kind[b] == JointKind::elastic));
  }
  void hold(int b, bool held) {
    w_.hold(b, held);
    held_[b] = held;
  }

  bool close(const Wishes& wishes, const Coordinates& wanted) {
    const bool found = close_holding(m_.q_given, wanted.q, q_, [&] { return close_positions(); }) ||
                       close_from_elsewhere(wanted.q);
    return wishes.has_positions() && wishes.are_sought() ? close_as_wished(wishes, wanted, found)
                                                         : found;
  }

  /// Of all deformations that close the loops the one with the least energy.
  bool relax() {
    const std::vector<double> from = q_;
    const double before = strain_energy(m_, q_);
    std::vector<double> dx;
    const auto judge = [&]() -> NewtonResidual {
      dx = towards_rest(w_, *k_, loops_, held_);
      return {max_abs(dx), at_rest};
    };
    const auto step = [&] {
      const std::vector<double> here = q_;
      displace(m_, here, dx, allowed_share(dx), q_);
      set();
      return std::isfinite(residual_) ? NewtonStep::taken : NewtonStep::not_finite;
    };
    if (newton({most_iterations - 1}, judge, step).status != NewtonStatus::not_finite) step();
    if (!close_positions() || strain_energy(m_, q_) > before) {
      q_ = from;
      set();
    }
    note_deformations();
    return true;
  }

  /// Newton stands still where loops are singular, a stretched chain for instance: from positions
  /// beside it goes on. Leaves the best of all that was found.
  bool close_from_elsewhere(const std::vector<double>& wanted) {
    Random random(5);
    std::vector<double> best = q_;
    double least = residual_;
    for (int k = 0; k < tries; ++k) {
      const double size = k < tries / 2 ? tried_aside : tried_far;
      for (size_t b = 1; b < static_cast<size_t>(m_.nb); ++b)
        for (int u = m_.u0[b]; u < m_.u0[b + 1]; ++u)
          dx_[u] = m_.prescribed[b] || m_.kind[b] == JointKind::elastic
                       ? 0
                       : random.uniform(-size, size);
      displace(m_, wanted, dx_, 1, q_);
      if (close_positions()) return true;
      if (residual_ < least) least = residual_, best = q_;
    }
    q_ = best;
    set();
    return false;
  }

  /// Of the assemblies near the wishes for closing joints, and the one found without them, the
  /// nearest to all that was given. Joints of the tree keep their given positions where they can.
  bool close_as_wished(const Wishes& wishes, const Coordinates& wanted, bool found) {
    std::vector<double> best = q_;
    double least = found && !upside_down() ? wishes.distance(*k_) : 1e300;
    for (const std::vector<double>& near : wishes.candidates(w_)) {
      q_ = near;
      const std::vector<size_t> given = in_tree(m_.q_given);
      hold_first(given, given.size());
      for (const size_t j : given)
        std::copy_n(wanted.q.begin() + m_.joints[j].q0, m_.joints[j].nq,
                    q_.begin() + m_.joints[j].q0);
      bool done = close_positions();
      if (!done) release(), q_ = near, done = close_positions();
      if (!done || upside_down() || wishes.distance(*k_) > least - said) continue;
      least = wishes.distance(*k_), best = q_, found = true;
    }
    q_ = best;
    set();
    return found;
  }

  /// Newton with limited steps; false where the residual stops falling before the loops close.
  bool close_positions() {
    set();
    const auto step = [&] {
      const double before = residual_;
      const std::vector<double> from = q_;
      respond([](const PlacedRow<double>& row) { return row.residual; });
      if (!std::isfinite(max_abs(dx_))) return NewtonStep::not_finite;
      halved(allowed_share(dx_), shortest_share, [&](double share) {
        displace(m_, from, dx_, -share, q_);
        set();
        return residual_ < before;
      });
      if (residual_ < before * (1 - least_gain)) return NewtonStep::taken;
      q_ = from;
      set();
      return NewtonStep::uphill;
    };
    const NewtonResult found = newton(
        {most_iterations},
        [&] {
          return NewtonResidual{residual_, closed};
        },
        step);
    iterations_ += found.steps;
    return found.status != NewtonStatus::not_finite && found.residual <= nearly_closed;
  }
  /// So much of a step as stays within what is nearly linear.
  static double allowed_share(const std::vector<double>& dx) {
    return std::min(1.0, longest_turn / divisor(max_abs(dx)));
  }

  /// dx = M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ x, with x of every row.
  template <class Value>
  void respond(Value&& x) {
    for (int r = 0; r < loops_.rows->size(); ++r) multiplier_[r] = x((*loops_.rows)[r]);
    loops_.factors->solve(multiplier_);
    loop_response(w_, loops_, multiplier_, dx_.data());
  }

  /// u −= M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G u; false where a rate is left that held joints do not allow.
  bool close_velocities() {
    for (int k = 0; k < 2; ++k) {  // the second time takes away what rounding left
      set();
      respond([](const PlacedRow<double>& row) { return row.rate; });
      for (size_t i = 0; i < u_.size(); ++i) u_[i] -= dx_[i];
    }
    set();
    return loops_.rows->largest_rate() <= contradiction.of(speed());
  }
  /// Motions that the loops allow beside those that are prescribed: a few, at random. What moves in
  /// none of them does not move.
  std::vector<std::vector<double>> allowed_motions() {
    release();
    const auto projected = [&](double size) {
      Random random(7);
      std::vector<std::vector<double>> list(size > 0 ? motions_tried : 1);
      for (std::vector<double>& v : list) {
        for (double& u : u_) u = random.uniform(-size, size);
        close_velocities();
        v = u_;
      }
      return list;
    };
    const std::vector<double> kept = u_, prescribed = projected(0).front();
    std::vector<std::vector<double>> list = projected(1);
    for (std::vector<double>& v : list)
      for (size_t i = 0; i < v.size(); ++i) v[i] -= prescribed[i];
    u_ = kept;
    set();
    return list;
  }
  double speed() const { return max_abs(u_); }

  // ── words ──

  Error refused(const std::string& code, const std::string& message, const std::string& hint) {
    const Closure& worst =
        m_.closures[static_cast<size_t>(by_residual(m_, *loops_.rows).front().closure)];
    return Error(Fault::physics, Diagnostic{.code = code,
                                            .where = worst.where,
                                            .element = worst.element,
                                            .message = message,
                                            .hint = hint,
                                            .value = fmt::format("{:.3g}", residual_),
                                            .limit = fmt::format("{:.0e}", nearly_closed)});
  }

  std::string configuration() const {
    std::string text;
    for (const JointInfo& j : m_.joints) {
      if (j.cut || j.nq == 0) continue;
      text += (text.empty() ? "" : ", ") + j.name + " = ";
      if (j.nq > 1) text += "[";
      for (int i = 0; i < j.nq; ++i) text += fmt::format("{}{:.6g}", i ? ", " : "", q_[j.q0 + i]);
      if (j.nq > 1) text += "]";
      if (text.size() > 400) return text + ", …";
    }
    return text;
  }

  void refuse_positions() {
    const Opponents against = opponents(*k_, *loops_.rows, worst_row(false));
    const std::string where = fmt::format("open at best: {}; found at q: {}",
                                          open_closures(m_, *loops_.rows), configuration());
    if (against.empty())
      throw refused("open-loop", "the loops cannot be closed; " + where,
                    "check lengths and positions of the joints named first, or give starting "
                    "positions nearer to a closed mechanism");
    throw refused(
        "open-loop",
        fmt::format("the loops cannot be closed: it contradicts {}; {}", against.words(), where),
        against.motions.size() > 1
            ? "two motions drive the same degree of freedom: leave one of them free"
            : "change or remove one of these");
  }

  /// Of all rows the one with the largest residual, or rate, in units of the mechanism's length.
  int worst_row(bool rates) const {
    int worst = 0;
    double largest = -1;
    for (int r = 0; r < loops_.rows->size(); ++r) {
      const double unit = is_length(m_.closure_rows[r].kind) ? loops_.rows->length() : 1;
      const double size =
          std::fabs(rates ? (*loops_.rows)[r].rate : (*loops_.rows)[r].residual) / unit;
      if (size > largest) largest = size, worst = r;
    }
    return worst;
  }

  /// Directions that are held at right angles are also at right angles when a part is upside down.
  const Closure* upside_down() const {
    for (const Closure& c : m_.closures) {
      const ClosureFrames<double> F = closure_frames(c, k_->body[c.a], k_->body[c.b]);
      int parallel = 0, cross = 0;
      for (int r = c.row0; r < c.row0 + c.rows; ++r) {
        const ClosureRow& row = m_.closure_rows[r];
        if (row.kind != RowKind::direction) continue;
        parallel += row.j == 2 && row.i != 2;
        cross += (row.i == 0 && row.j == 1) || (row.i == 2 && row.j == 0);
      }
      const bool z_flipped = parallel == 2 && dot(F.A.z, F.B.z) < 0;
      const bool x_flipped =
          (parallel == 2 && cross > 0 && dot(F.A.x, F.B.x) < 0) ||
          (parallel == 1 && cross == 2 && (dot(F.A.x, F.B.x) < 0 || dot(F.A.z, F.B.z) < 0));
      if (z_flipped || x_flipped) return &c;
    }
    return nullptr;
  }
  void refuse_flip(const Closure& c) const {
    throw Error(
        Fault::physics,
        Diagnostic{.code = "flipped",
                   .where = c.where,
                   .element = c.element,
                   .message = fmt::format("the loop closes with this joint upside down; at q: {}",
                                          configuration()),
                   .hint = "give starting positions nearer to the intended assembly"});
  }

  void add_notes(std::vector<Diagnostic> notes) {
    for (Diagnostic& n : notes) notes_.push_back(std::move(n));
  }

  template <class Name>
  std::string changes(const std::vector<double>& from, const std::vector<double>& to, Name name) {
    std::string text;
    int count = 0;
    for (size_t i = 0; i < to.size(); ++i) {
      if (std::fabs(to[i] - from[i]) <= said) continue;
      if (++count <= 6)
        text += fmt::format("{}{} from {:.6g} to {:.6g}", text.empty() ? "" : ", ",
                            name(static_cast<int>(i)), from[i], to[i]);
    }
    if (count > 6) text += fmt::format(", and {} more", count - 6);
    return text;
  }

  void note_positions(const std::vector<double>& wanted) {
    const std::string text = changes(wanted, q_, [&](int i) { return m_.coordinate_name(i); });
    if (text.empty()) return;
    notes_.push_back({.severity = Severity::note,
                      .code = "assembled",
                      .element = "start",
                      .message = "the loops were closed by moving " + text});
  }
  void note_deformations() {
    for (const ElasticInfo& e : m_.elastic) {
      const double bent = largest_deflection(*e.numbers, q_.data() + e.q0);
      if (bent > said * e.numbers->span)
        notes_.push_back(
            {.severity = Severity::warning,
             .code = "deformed-start",
             .element = "body/" + e.name + "/elastic",
             .message = fmt::format("the joints alone cannot close the loops: at the start it is "
                                    "deformed by {:.3g} m, with {:.3g} J",
                                    bent, strain_energy(e, q_)),
             .hint = "if no prestress is intended, give lengths and positions that fit",
             .value = fmt::format("{:.3g}", bent)});
    }
  }
  bool speeds_given_changed(const std::vector<double>& wanted) const {
    for (size_t j = 0; j < m_.joints.size(); ++j) {
      const JointInfo& joint = m_.joints[j];
      if (joint.cut || !m_.u_given[j]) continue;
      for (auto i = static_cast<size_t>(joint.u0); i < static_cast<size_t>(joint.u0 + joint.nu);
           ++i)
        if (std::fabs(u_[i] - wanted[i]) > said_of_given.of(wanted[i])) return true;
    }
    return false;
  }
  void note_velocities(const std::vector<double>& wanted) {
    const std::string text = changes(wanted, u_, [&](int i) { return m_.velocity_name(i); });
    if (text.empty()) return;
    notes_.push_back({.severity = speeds_given_changed(wanted) ? Severity::warning : Severity::note,
                      .code = "projected",
                      .element = "start",
                      .message = "the speeds were adjusted to the loops: " + text});
  }

  /// Given speeds that were not reached are fitted to the others, unless no motion has them.
  void refuse_impossible_speeds(const std::vector<double>& wanted) {
    const double length = loops_.rows->length();
    const std::vector<AskedSpeed> all = asked_speeds(m_, wanted, length);
    std::vector<AskedSpeed> missed;
    for (const AskedSpeed& asked : all)
      if (std::fabs(speed_of(asked, *k_) - asked.wanted) >
          said_of_given.relative * std::fabs(asked.wanted))
        missed.push_back(asked);
    if (missed.empty()) return;
    const std::vector<double> found = u_;
    std::vector<double> share(missed.size(), 0);
    int instead = -1;
    for (const std::vector<double>& v : allowed_motions()) {
      const double largest = fastest(m_, v, length);
      if (!(largest > least_motion)) continue;
      for (size_t k = 0; k < missed.size(); ++k)
        share[k] = std::max(share[k], rate_along(all, missed[k].joint, v) / largest);  // (1)
      instead = moves_most(v);
    }
    u_ = found;
    set();
    std::vector<Diagnostic> impossible;
    for (size_t k = 0; k < missed.size(); ++k)
      if (share[k] * most_amplified < 1)
        impossible.push_back(impossible_speed(missed[k], share[k], instead, *k_, *loops_.rows));
    if (!impossible.empty()) throw Error(Fault::physics, std::move(impossible));
  }
  /// |a · vⱼ| / |a| of all that is asked of a joint; leaves the motion to be set again.
  double rate_along(const std::vector<AskedSpeed>& all, int joint, const std::vector<double>& v) {
    double along = 0, size = 0;
    const auto add = [&](const std::vector<double>& u, double sign) {
      u_ = u;
      set();
      for (const AskedSpeed& a : all)
        if (a.joint == joint) along += sign * a.wanted * speed_of(a, *k_) / (a.unit * a.unit);
    };
    add(v, 1), add(std::vector<double>(v.size(), 0), -1);
    for (const AskedSpeed& a : all)
      if (a.joint == joint) size += a.wanted * a.wanted / (a.unit * a.unit);
    return std::fabs(along) / std::sqrt(size);
  }
  int moves_most(const std::vector<double>& v) const {
    int most = -1;
    for (size_t j = 0; j < m_.joints.size(); ++j)
      for (int u = m_.joints[j].u0; !m_.joints[j].cut && u < m_.joints[j].u0 + m_.joints[j].nu; ++u)
        if (most < 0 || std::fabs(v[u]) > std::fabs(v[most])) most = u;
    return most;
  }

  /// A rate that no speed can take away: a motion that the loops forbid, or two that disagree.
  void check_contradiction() {
    const double rate = loops_.rows->largest_rate();
    if (rate <= contradiction.of(speed())) return;
    const int row = worst_row(true);
    const Closure& c = m_.closures[m_.closure_rows[row].closure];
    const Opponents against = opponents(*k_, *loops_.rows, row);
    const bool driven = against.closures.empty() && !against.motions.empty();
    throw Error(
        Fault::physics,
        Diagnostic{
            .code = "contradiction",
            .where = c.where,
            .element = c.element,
            .message = fmt::format("its rate is {:.3g}, and no speed of the mechanism can make it "
                                   "zero: it contradicts {}",
                                   rate, against.empty() ? "other constraints" : against.words()),
            .hint = driven && against.motions.size() > 1
                        ? "two motions drive the same degree of freedom: leave one of them free"
                        : "change or remove one of these",
            .value = fmt::format("{:.3g}", rate),
            .limit = "0"});
  }

  /// Where rows depend on each other here and not beside this position, more than one motion may
  /// begin, and the speeds do not say which.
  bool is_singular() {
    release();  // of what was held for the user
    set();
    const int here = loops_.factors->rank();
    if (here == loops_.rows->size()) return false;
    const Coordinates kept{q_, u_};
    Random random(3);
    int highest = here;
    for (int k = 0; k < looks; ++k) {
      q_ = kept.q;
      set();
      if (!step_aside(0.05, random).empty()) highest = std::max(highest, loops_.factors->rank());
    }
    q_ = kept.q, u_ = kept.u;
    set();
    rank_beside_ = highest;
    if (highest == here) return false;
    notes_.push_back(
        {.severity = Severity::warning,
         .code = "singular-start",
         .element = "start",
         .message = fmt::format("the start is a singular position: {} of its loop equations are "
                                "independent, {} nearby; it can continue in more than one way: "
                                "give speeds of all joints that belong to one of them",
                                here, highest),
         .hint = "start a little away from this position"});
    return true;
  }

  void leave_singular() {
    if (!m_.motions.empty()) return;  // the time says where they are
    const Coordinates kept{q_, u_};
    std::vector<double> along = u_;
    if (!(speed() > 0)) {
      along = accelerate(w_, *k_, load(w_, *k_)).udot;
    }
    for (const double distance : beside_singular) {
      const double largest = *std::max_element(along.begin(), along.end(), [](double a, double b) {
        return std::fabs(a) < std::fabs(b);
      });
      u_ = kept.u;
      if (largest != 0) displace(m_, kept.q, along, distance / std::fabs(largest), q_);
      if (largest == 0 || !close_positions() || loops_.factors->rank() < rank_beside_) {
        q_ = kept.q, u_ = kept.u;
        return set();
      }
      close_velocities();
      if (speed() > 0) along = u_;
    }
    notes_.push_back({.severity = Severity::note,
                      .code = "left-singular",
                      .element = "start",
                      .message = fmt::format("the run starts {:g} rad or m further on, where the "
                                             "possible motions can be distinguished; at q: {}",
                                             std::end(beside_singular)[-1], configuration())});
    note_velocities(kept.u);
  }
};

}  // namespace

Assembly assemble(const Mechanism& mechanism, double t) {
  if (!mechanism.has_loops()) return {mechanism.start, 0, 0, {}};
  return Assembler(mechanism, t, mechanism.start.q).run(false);
}

Assembly assemble_to_run(const Mechanism& mechanism, double t) {
  if (!mechanism.has_loops()) return {mechanism.start, 0, 0, {}};
  return Assembler(mechanism, t, mechanism.start.q).run(true);
}

std::vector<double> beside(const Mechanism& mechanism, double t, const std::vector<double>& q,
                           double size, Random& random) {
  return Assembler(mechanism, t, q).step_aside(size, random);
}

}  // namespace sarrus
