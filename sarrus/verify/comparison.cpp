#include "sarrus/verify/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/verify/growth.hpp"

namespace sarrus {
namespace {

constexpr double margin = 10;             // between a difference and the errors that may explain it
constexpr double obvious = 1e3;           // … for which no finer run is needed
constexpr double discrete_target = 1e-6;  // relative: digits that extrapolation is asked for
constexpr int most_rounds = 12;

/// What is not unique of reactions, as the start shows it.
struct NotUnique {
  std::vector<std::string> joints;
  bool constraints = false;  // some rows are redundant: those of constraints are not shared fairly
};

NotUnique not_unique(const Mechanism& m, double t) try {
  if (!m.has_loops()) return {};
  const auto f = make_formulation("recursive", m);
  std::vector<double> y(f->size());
  f->begin(start_state(m, t), y);
  Recorder recorder(m, {true, false});
  std::vector<double> row(recorder.columns().size());
  Snapshot now(m);
  f->observe(t, y, now);
  recorder.row(now, 0, row);
  return {recorder.shared_reactions(), now.rank() < static_cast<int>(m.closure_rows.size())};
} catch (const Error&) {  // what this formulation cannot run, it cannot tell
  return {};
}

}  // namespace

Comparison::Comparison(const Mechanism& mechanism, const RunPlan& plan, double digits,
                       std::vector<Contender> all)
    : m_(mechanism), plan_(plan), tolerance_(std::pow(10.0, -digits)), all_(std::move(all)) {
  for (const Contender& c : all_)
    if (c.lacks.empty()) attempts_.emplace_back(m_, c, plan_);
}

void Comparison::run() {
  prepare();
  refine();
  measure_growth();
  confirm();
}

int Comparison::families() const {
  std::vector<std::string> seen;
  for (const Attempt& a : attempts_)
    if (std::find(seen.begin(), seen.end(), a.contender().family) == seen.end())
      seen.push_back(a.contender().family);
  return static_cast<int>(seen.size());
}

double Comparison::growth() const {
  return std::max(1.0, growth_.rows() > 0 ? growth_.largest_motion(quantities_) : 0);
}

double Comparison::reached() const {
  double t = plan_.until;
  for (const Attempt& a : attempts_) t = std::min(t, a.summary().t);
  return t;
}

double Comparison::target(const Attempt& a) const {
  return std::max(is_discrete(a) ? discrete_target : tolerance() / 100, 2 * a.contender().noise);
}

Differences Comparison::apart(const Attempt& a, const Attempt& b) const {
  return {quantities_, a.rows(), b.rows(), !is_discrete(a) && !is_discrete(b)};
}

// ── runs ────────────────────────────────────────────────────────────────────────────────────────

/// Every contender gets as far as an estimate of its error, or is out with the reason.
void Comparison::prepare() {
  std::vector<Attempt> ready;
  for (Attempt& a : attempts_) {
    while (!make_ready(a) && a.change_method()) {
    }
    if (a.is_ready()) {
      enlarge(quantities_, a.rows());
      ready.push_back(std::move(a));
    } else {
      refuse(a.name(), "no result: " + a.limit());
      if (!a.ran_out_of_time()) failed_.push_back(a.name());
    }
  }
  attempts_ = std::move(ready);
}

bool Comparison::make_ready(Attempt& a) {
  while (!a.is_ready()) {
    if (!a.refine(quantities_)) return false;
    if (quantities_.empty()) list_quantities(a);
  }
  return true;
}

void Comparison::list_quantities(const Attempt& a) {
  quantities_ = quantities_of(a.rows(), scales_of(m_, plan_.until - plan_.start));
  const NotUnique found = not_unique(m_, plan_.start);
  for (const std::string& joint : found.joints)
    for (ComparedQuantity& q : quantities_)
      if (q.name == joint + ".f" || q.name == joint + ".n") q.is_shared = true;
  for (const Closure& c : m_.closures)
    if (found.constraints && c.is_written())
      std::erase_if(quantities_, [&](const ComparedQuantity& q) {
        return q.name == c.name + ".f" || q.name == c.name + ".n" || q.name == c.name + ".force";
      });
}

void Comparison::refuse(const std::string& name, const std::string& why) {
  for (Contender& c : all_)
    if (c.name == name) c.lacks = why;
}

/// Until every own error is ten times below the differences it judges, or below the target, or
/// nothing finer is possible.
void Comparison::refine() {
  for (int round = 0; round < most_rounds; ++round) {
    bool changed = false;
    for (Attempt& a : attempts_)
      if (needs_refinement(a)) changed = refine_one(a) || changed;
    if (!changed) return;
  }
}

bool Comparison::refine_one(Attempt& a) {
  if (!a.limit().empty()) return false;
  const double before = a.worst_error();
  const bool finer = a.refine(quantities_);
  // a step that does not pay: another method may follow what this one cannot
  const bool stuck = !finer || (a.worst_error() > before / 2 && a.worst_error() > tolerance());
  if (stuck && a.worst_error() > tolerance() && change(a)) return true;
  return finer;
}

/// Goes over to the next method if that one gets anywhere nearer.
bool Comparison::change(Attempt& a) {
  Attempt other = a;
  if (!other.change_method() || !make_ready(other)) return false;
  while (other.worst_error() > a.worst_error() && other.refine(quantities_)) {
  }
  if (other.worst_error() > a.worst_error()) return false;
  a = std::move(other);
  return true;
}

bool Comparison::needs_refinement(const Attempt& a) const {
  for (const Attempt& b : attempts_) {
    if (&a == &b) continue;
    const Differences d = apart(a, b);
    for (size_t q = 0; q < quantities_.size(); ++q) {
      if (is_discrete(a) && !quantities_[q].is_smooth) continue;
      const double own = a.error().largest(q);
      if (own > target(a) && own > d.largest(q) / margin) return true;
    }
  }
  return false;
}

void Comparison::measure_growth() {
  for (const Attempt& a : attempts_) {
    growth_ = growth_of(m_, a.contender(), plan_, quantities_);
    if (growth_.rows() > 0) return;
  }
}

// ── differences ─────────────────────────────────────────────────────────────────────────────────

double Comparison::grown(int row, size_t q) const {
  if (growth_.rows() == 0) return 1;
  return std::max(1.0, growth_.at(std::min(row, growth_.rows() - 1), q));
}

/// The first row at which (1) does not hold, −1 where it always does.
int Comparison::first_unexplained(const Attempt& a, const Attempt& b, const Differences& d,
                                  size_t q) const {
  const auto own = [&](const Attempt& x, int r) {
    if (x.error().rows() == 0) return 0.0;
    // blocks ring from the start, before errors that gather have grown
    if (is_discrete(x)) return x.error().largest(q);
    return x.error().at(std::min(r, x.error().rows() - 1), q);
  };
  const double e = quantities_[q].is_tiny() ? run_rounding / tiny_share : run_rounding;
  for (int r = 1; r < d.rows(); ++r)
    if (!(d.at(r, q) <= margin * (own(a, r) + own(b, r)) + e * grown(r, q))) return r;
  return -1;
}

const Attempt* Comparison::best_witness(const Attempt& a) const {
  const Attempt* best = nullptr;
  for (const Attempt& b : attempts_)
    if (vouch(a, b) && (!best || b.worst_error() < best->worst_error())) best = &b;
  return best;
}

double Comparison::left_open(const Attempt& a, const Attempt& b, const Differences& d,
                             size_t q) const {
  const auto own = [&](const Attempt& x) {
    return std::max(0.0, x.error().largest(q) - x.contender().noise);
  };
  return std::max(d.largest(q), std::min(own(a), own(b)));
}

bool Comparison::has_lasting_difference() const {
  return std::any_of(followed_.begin(), followed_.end(), [](const Parting& p) { return p.stays; });
}

bool Comparison::is_unsettled(const Attempt& a, const Attempt& b) const {
  return std::any_of(followed_.begin(), followed_.end(), [&](const Parting& p) {
    const Attempt *first = &attempts_[p.first], *second = &attempts_[p.second];
    return !p.stays && ((first == &a && second == &b) || (first == &b && second == &a));
  });
}

/// Nothing but zero in every run: not worth a line.
bool Comparison::is_zero(const ComparedQuantity& q) const {
  for (const Attempt& a : attempts_)
    for (int r = 0; r < a.rows().rows(); ++r)
      for (const int c : q.columns)
        if (a.rows().row(r)[c] != 0) return false;
  return true;
}

/// Joints that are springs share reactions in their own way. A kick over a jump has the right impulse
/// and, of first order in its step, the work; where a prescribed speed jumps, part of that work stays in
/// the springs.
bool Comparison::is_excused(const Attempt& a, const Attempt& b, size_t q) const {
  if (!is_discrete(a) && !is_discrete(b)) return false;
  const std::string& name = quantities_[q].name;
  const bool is_work =
      name == "energy.drive" || name == "energy.external" || name == "energy.dissipated";
  return quantities_[q].is_shared || (is_work && !plan_.jumps.empty());
}

double Comparison::positions_apart(const Attempt& a, const Attempt& b) const {
  const Differences d = apart(a, b);
  double most = 0;
  for (size_t q = 0; q < quantities_.size(); ++q)
    if (quantities_[q].is_position() && !quantities_[q].is_tiny() && !is_excused(a, b, q))
      most = std::max(most, d.largest(q));
  return most;
}

/// The largest departure from (1) that matters at the digits asked for.
Comparison::Parting Comparison::worst_parting() const {
  Parting worst;
  for (size_t i = 0; i < attempts_.size(); ++i)
    for (size_t j = i + 1; j < attempts_.size(); ++j) {
      if (is_followed(i, j)) continue;
      const Attempt &a = attempts_[i], &b = attempts_[j];
      const Differences d = apart(a, b);
      for (size_t q = 0; q < quantities_.size(); ++q) {
        const double largest = d.largest(q);
        if (largest <= std::max(worst.size, tolerance()) || is_excused(a, b, q)) continue;
        if (first_unexplained(a, b, d, q) >= 0) worst = {i, j, q, largest};
      }
    }
  return worst;
}

bool Comparison::is_followed(size_t i, size_t j) const {
  return std::any_of(followed_.begin(), followed_.end(),
                     [&](const Parting& p) { return p.first == i && p.second == j; });
}

/// Refines the two and notes whether their difference stays. That is not known where time is up for
/// the coarser one, unless nothing that it could gain would be enough.
void Comparison::follow(const Parting& p) {
  Attempt &a = attempts_[p.first], &b = attempts_[p.second];
  const double e_a = a.error().largest(p.quantity), e_b = b.error().largest(p.quantity);
  Attempt &coarse = e_a > e_b ? a : b, &fine = e_a > e_b ? b : a;
  const bool finer = refine_one(coarse);
  const bool any = refine_one(fine) || finer;
  const bool same = apart(a, b).largest(p.quantity) > 0.5 * p.size;
  if (any && !same) return;  // looked at again
  Parting seen = p;
  seen.stays = same && (finer || !coarse.ran_out_of_time() || p.size > obvious * (e_a + e_b));
  followed_.push_back(seen);
}

/// What separates two formulations stays when their runs become finer; what does not stay was an
/// error of integration, larger than it had been taken for.
void Comparison::confirm() {
  for (int round = 0; round < 4 * most_rounds && !has_lasting_difference(); ++round) {
    const Parting p = worst_parting();
    if (p.size == 0) return;
    follow(p);
  }
}

}  // namespace sarrus
