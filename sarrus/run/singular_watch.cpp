#include "sarrus/run/singular_watch.hpp"

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
    for (int r = c.row0; r < c.row0 + c.rows; ++r)
      part += y[static_cast<size_t>(r)] * y[static_cast<size_t>(r)];
    if (part > 0.05) names += (names.empty() ? "'" : ", '") + c.name + "'";
  }
  return names;
}

std::string weak_closures(Dynamics<double>& d) {
  std::vector<double> y(static_cast<size_t>(d.loops().size()), 1.0);
  d.loops().weakest(y);
  return closures_in(d.mechanism(), y);
}

void SingularWatch::look(Formulation& f, double t, double h,
                         const std::function<std::span<const double>(double)>& inside,
                         std::vector<Diagnostic>& notes) {
  if (f.independence() > near_singular) {
    near_ = false;
    return;
  }
  for (int k = near_ ? 1 : 0; k <= looks; ++k) {
    const double part = static_cast<double>(k) / looks;
    look_at(f, t + part * h, inside(part), notes);
  }
}

void SingularWatch::look_at(Formulation& f, double t, std::span<const double> y,
                            std::vector<Diagnostic>& notes) {
  Dynamics<double>& d = f.observe(t, y);
  const Mechanism& m = d.mechanism();
  const auto rows = static_cast<size_t>(d.loops().size()), nu = static_cast<size_t>(m.nu);
  y_before_ = y_, g_before_ = g_;
  if (y_.empty()) y_.assign(rows, 1), g_.assign(nu, 0);
  d.loops().weakest(y_);
  d.loop_response(y_, g_.data());
  if (near_ && product(y_, y_before_) > 0.5 &&
      product(g_, g_before_) < -0.5 * std::sqrt(product(g_, g_) * product(g_before_, g_before_)))
    note(m, t, notes);
  near_ = true;
  t_ = t;
}

void SingularWatch::note(const Mechanism& m, double t, std::vector<Diagnostic>& notes) {
  if (++passages_ > most_notes) return;
  const std::string names = closures_in(m, y_);
  notes.push_back({Severity::warning,
                   "singular-position",
                   {},
                   "simulate",
                   fmt::format("between t = {:.9g} s and {:.9g} s the mechanism passed a position "
                               "where its loops lose independence (closed by {}): it could have "
                               "gone on in another way, and went straight on{}",
                               t_, t, names,
                               passages_ == most_notes ? "; further passages are not listed" : ""),
                   "change a length a little, or add a spring, where one way is meant",
                   "",
                   ""});
}

}  // namespace sarrus
