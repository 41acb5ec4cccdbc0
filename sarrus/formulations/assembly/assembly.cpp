#include "sarrus/formulations/assembly/assembly.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/assembly/assembler.hpp"
#include "sarrus/formulations/assembly/relaxation.hpp"
#include "sarrus/numerics/newton.hpp"

namespace sarrus {
namespace {

constexpr int most_iterations = 200;
constexpr double closed = 1e-13;      // residual, in units of the mechanism's length
constexpr double longest_turn = 0.3;  // [rad] or lengths of the mechanism, in one iteration
constexpr double shortest_share = 1.0 / 4096;  // of a step, where the whole does not help
constexpr double least_gain = 1e-6;            // of the residual: less is standing still
constexpr double at_rest = 1e-9;               // [rad] or [m]: the last step towards least energy
constexpr int tries = 8;                       // from other positions, where the given ones fail
constexpr double tried_aside = 0.1, tried_far = 0.8;  // [rad] or [m]: how far they lie
constexpr size_t motions_tried = 4;                   // to see whether a joint can move
constexpr double nearer = 1e-6;  // to the wishes than another assembly: told from it

}  // namespace

Assembly Assembler::run(bool leaves_singular) {
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

void Assembler::set() {
  k_ = &move(w_, t_, q_.data(), u_.data(), m_.start_state.data());
  loops_ = factor_loops(w_, *k_, true);
  residual_ = loops_.rows->largest_residual();
}

std::vector<size_t> Assembler::in_tree(const std::vector<char>& given) const {
  std::vector<size_t> named;
  for (size_t j = 0; j < m_.joints.size(); ++j)
    if (!m_.joints[j].cut && given[j]) named.push_back(j);
  return named;
}

void Assembler::hold_first(const std::vector<size_t>& joints, size_t count) {
  release();
  for (size_t k = 0; k < count; ++k) {
    const JointInfo& joint = m_.joints[joints[k]];
    for (int b = joint.first_body; b <= joint.body; ++b) hold(b, true);
  }
}

void Assembler::release() {
  for (int b = 1; b < m_.nb; ++b)
    hold(b, m_.prescribed[b] || (is_rigid_ && m_.kind[b] == JointKind::elastic));
}

void Assembler::hold(int b, bool held) {
  w_.hold(b, held);
  held_[b] = held;
}

bool Assembler::close(const Wishes& wishes, const Coordinates& wanted) {
  const bool found = close_holding(m_.q_given, wanted.q, q_, [&] { return close_positions(); }) ||
                     close_from_elsewhere(wanted.q);
  return wishes.has_positions() && wishes.are_sought() ? close_as_wished(wishes, wanted, found)
                                                       : found;
}

bool Assembler::relax() {
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

bool Assembler::close_from_elsewhere(const std::vector<double>& wanted) {
  Random random(5);
  std::vector<double> best = q_;
  double least = residual_;
  for (int k = 0; k < tries; ++k) {
    const double size = k < tries / 2 ? tried_aside : tried_far;
    for (size_t b = 1; b < static_cast<size_t>(m_.nb); ++b)
      for (int u = m_.u0[b]; u < m_.u0[b + 1]; ++u)
        dx_[u] =
            m_.prescribed[b] || m_.kind[b] == JointKind::elastic ? 0 : random.uniform(-size, size);
    displace(m_, wanted, dx_, 1, q_);
    if (close_positions()) return true;
    if (residual_ < least) least = residual_, best = q_;
  }
  q_ = best;
  set();
  return false;
}

bool Assembler::close_as_wished(const Wishes& wishes, const Coordinates& wanted, bool found) {
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
    if (!done || upside_down() || wishes.distance(*k_) > least - nearer) continue;
    least = wishes.distance(*k_), best = q_, found = true;
  }
  q_ = best;
  set();
  return found;
}

bool Assembler::close_positions() {
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

double Assembler::allowed_share(const std::vector<double>& dx) {
  return std::min(1.0, longest_turn / divisor(max_abs(dx)));
}

bool Assembler::close_velocities() {
  for (int k = 0; k < 2; ++k) {  // the second pass removes what rounding left
    set();
    respond([](const PlacedRow<double>& row) { return row.rate; });
    for (size_t i = 0; i < u_.size(); ++i) u_[i] -= dx_[i];
  }
  set();
  return loops_.rows->largest_rate() <= contradiction.of(speed());
}

std::vector<std::vector<double>> Assembler::allowed_motions() {
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
