#include "sarrus/motion/singular_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sarrus {
namespace {

constexpr double near_singular = 0.02;  // independence below which steps are looked at
constexpr int looks = 8;                // in a step
constexpr int most_notes = 3;
constexpr double turned = 0.2;  // of the velocities, from look to look: not straight on
constexpr const char* straight = "and went straight on";

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

std::string closures_in(const Mechanism& m, const std::vector<double>& y) {
  std::string names;
  for (const Closure& c : m.closures) {
    double part = 0;
    for (int r = c.row0; r < c.row0 + c.rows; ++r) part += y[r] * y[r];
    if (part > 0.05) names += (names.empty() ? "'" : ", '") + c.name + "'";
  }
  return names;
}

std::string weak_closures(const Mechanism& mechanism, const LoopFactors<double>& factors) {
  std::vector<double> y(mechanism.closure_rows.size(), 1.0);
  factors.turn_to_weakest(y);
  return closures_in(mechanism, y);
}

void SingularWatch::look(double independence,
                         const std::function<const Snapshot&(double)>& inside) {
  if (independence > near_singular) {
    if (near_ && passed_ && turn_ > turned) tell_of_turn();
    near_ = false;
    return;
  }
  if (!near_) {
    first_here_ = notes_.size();
    passed_ = false, turn_ = 0;
  }
  for (int k = near_ ? 1 : 0; k <= looks; ++k) look_at(inside(static_cast<double>(k) / looks));
}

/// How far velocities are from those of the last look, in the metric of the masses, relative.
double SingularWatch::turn_since(const Kinematics<double>& k, const std::vector<double>& u) {
  const size_t n = u.size();
  std::vector<double> M(n * n);
  mass_matrix(w_, k, M.data());
  double change = 0, size = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      change += M[i * n + j] * (u[i] - u_before_[i]) * (u[j] - u_before_[j]);
      size += M[i * n + j] * u[i] * u[j];
    }
  return size > 0 ? std::sqrt(change / size) : 0;
}

void SingularWatch::look_at(const Snapshot& now) {
  const Kinematics<double>& k = move(w_, now.t, now.q.data(), now.u.data(), now.state.data());
  const ClosedLoops<double> loops = factor_loops(w_, k, true);
  y_before_ = y_, g_before_ = g_;
  if (y_.empty()) y_.assign(loops.rows->size(), 1), g_.assign(now.u.size(), 0);
  loops.factors->turn_to_weakest(y_);
  loop_response(w_, loops, y_, g_.data());
  if (near_ && product(y_, y_before_) > 0.5 &&
      product(g_, g_before_) < -0.5 * std::sqrt(product(g_, g_) * product(g_before_, g_before_)))
    note(now.t);
  if (near_) turn_ = std::max(turn_, turn_since(k, now.u));
  u_before_ = now.u;
  near_ = true;
  t_ = now.t;
}

/// Velocities that turn from one look to the next tell of another way.
void SingularWatch::tell_of_turn() {
  const std::string way =
      fmt::format("and its velocities turned by {:.0f} % at once: it may not have gone straight on",
                  100 * turn_);
  for (size_t i = first_here_; i < notes_.size(); ++i) {
    std::string& text = notes_[i].message;
    if (const size_t at = text.find(straight); at != std::string::npos)
      text.replace(at, std::string_view(straight).size(), way);
    notes_[i].hint = "compare with loops = \"multipliers\" and rtol = 1e-9, and verify";
  }
}

void SingularWatch::note(double t) {
  passed_ = true;
  if (++passages_ > most_notes) return;
  const std::string names = closures_in(w_.mechanism(), y_);
  notes_.push_back(
      {.severity = Severity::warning,
       .code = "singular-position",
       .element = "simulate",
       .message = fmt::format("between t = {:.9g} s and {:.9g} s the mechanism passed a position "
                              "where its loops lose independence (closed by {}): it could have "
                              "continued in another way, {}{}",
                              t_, t, names, straight,
                              passages_ == most_notes ? "; further passages are not listed" : ""),
       .hint = "if one way is intended, change a length slightly or add a spring"});
}

}  // namespace sarrus
