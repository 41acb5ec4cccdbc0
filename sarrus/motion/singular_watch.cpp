#include "sarrus/motion/singular_watch.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sarrus {
namespace {

constexpr double near_singular = 0.02;  // independence below which steps are looked at
constexpr int looks = 8;                // in a step
constexpr int most_notes = 3;

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
    near_ = false;
    return;
  }
  for (int k = near_ ? 1 : 0; k <= looks; ++k) look_at(inside(static_cast<double>(k) / looks));
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
  near_ = true;
  t_ = now.t;
}

void SingularWatch::note(double t) {
  if (++passages_ > most_notes) return;
  const std::string names = closures_in(w_.mechanism(), y_);
  notes_.push_back(
      {.severity = Severity::warning,
       .code = "singular-position",
       .element = "simulate",
       .message = fmt::format("between t = {:.9g} s and {:.9g} s the mechanism passed a position "
                              "where its loops lose independence (closed by {}): it could have "
                              "continued in another way, and went straight on{}",
                              t_, t, names,
                              passages_ == most_notes ? "; further passages are not listed" : ""),
       .hint = "if one way is intended, change a length slightly or add a spring"});
}

}  // namespace sarrus
