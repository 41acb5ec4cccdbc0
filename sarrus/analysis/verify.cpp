#include "sarrus/analysis/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/analysis/departure.hpp"
#include "sarrus/analysis/growth.hpp"

namespace sarrus {
namespace {

constexpr double margin = 10;             // between a difference and the errors that may explain it
constexpr double rounding = 2e-14;        // ε of (1): a hundred units in the last place
constexpr double tiny_share = 1e-3;       // rounding of what is large is felt in what is tiny
constexpr double discrete_target = 1e-6;  // relative: digits that extrapolation is asked for
constexpr double chaotic_growth = 1e4;    // of a change of the start, until the end
constexpr int most_rounds = 12;

/// Joints whose reactions are not unique, as the start shows them.
std::vector<std::string> shared_reactions(const Mechanism& m, double t) {
  if (!m.has_loops()) return {};
  const auto f = make_formulation("recursive", m);
  std::vector<double> y(static_cast<size_t>(f->size()));
  f->begin(start_state(m, t), y);
  Recorder recorder(m, {true, false});
  std::vector<double> row(recorder.columns().size());
  recorder.row(f->observe(t, y), std::span<const double>(y).last(Ledger::size), 0, row);
  return recorder.shared_reactions();
}

/// All runs, and what is found between them.
class Comparison {
 public:
  Comparison(const Mechanism& m, const SimulateSpec& settings, const VerifyOptions& o,
             std::vector<Contender> all)
      : m_(m), o_(o), all_(std::move(all)) {
    plan_.start = settings.start, plan_.until = settings.until;
    plan_.rows = o.rows, plan_.budget = o.budget;
    for (Contender& c : all_) {
      if (c.family == "discrete" && !o.discrete && c.lacks.empty()) c.lacks = "left out";
      if (c.lacks.empty()) attempts_.emplace_back(m, c, plan_);
    }
  }

  Verification run() {
    out_.asked = o_.digits;
    out_.start = plan_.start, out_.until = out_.horizon = plan_.until;
    prepare();
    refine();
    measure_growth();
    confirm();
    compare();
    audit();
    report();
    judge();
    return std::move(out_);
  }

 private:
  const Mechanism& m_;
  const VerifyOptions& o_;
  RunPlan plan_;
  std::vector<Contender> all_;
  std::vector<Attempt> attempts_;
  std::vector<Quantity> quantities_;
  Differences growth_;
  std::vector<std::string> parting_;  // the two of the earliest departure
  std::vector<std::string> failed_;   // took the model, and broke off
  Verification out_;

  double tolerance() const { return std::pow(10.0, -o_.digits); }
  static bool is_discrete(const Attempt& a) { return a.contender().family == "discrete"; }
  double target(const Attempt& a) const {
    return std::max(is_discrete(a) ? discrete_target : tolerance() / 100, 2 * a.contender().noise);
  }
  Differences apart(const Attempt& a, const Attempt& b) const {
    return {quantities_, a.rows(), b.rows(), !is_discrete(a) && !is_discrete(b)};
  }

  // ── runs ──

  /// Every contender gets as far as an estimate of its error, or is out with the reason.
  void prepare() {
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

  bool make_ready(Attempt& a) {
    while (!a.is_ready()) {
      if (!a.refine(quantities_)) return false;
      if (quantities_.empty()) list_quantities(a);
    }
    return true;
  }

  void list_quantities(const Attempt& a) {
    quantities_ = quantities_of(a.rows(), scales_of(m_, plan_.until - plan_.start));
    for (const std::string& joint : shared_reactions(m_, plan_.start))
      for (Quantity& q : quantities_)
        if (q.name == joint + ".f" || q.name == joint + ".n") q.is_shared = true;
  }

  void refuse(const std::string& name, const std::string& why) {
    for (Contender& c : all_)
      if (c.name == name) c.lacks = why;
  }

  /// Until every own error is ten times below the differences it judges, or below the target, or
  /// nothing finer is possible.
  void refine() {
    for (int round = 0; round < most_rounds; ++round) {
      bool changed = false;
      for (Attempt& a : attempts_)
        if (needs_refinement(a)) changed = refine_one(a) || changed;
      if (!changed) return;
    }
  }

  bool refine_one(Attempt& a) {
    if (!a.limit().empty()) return false;
    const double before = a.worst_error();
    const bool finer = a.refine(quantities_);
    // a step that does not pay: another method may follow what this one cannot
    const bool stuck = !finer || (a.worst_error() > before / 2 && a.worst_error() > tolerance());
    if (stuck && a.worst_error() > tolerance() && change(a)) return true;
    return finer;
  }

  /// Goes over to the next method if that one gets anywhere nearer.
  bool change(Attempt& a) {
    Attempt other = a;
    if (!other.change_method() || !make_ready(other)) return false;
    while (other.worst_error() > a.worst_error() && other.refine(quantities_)) {
    }
    if (other.worst_error() > a.worst_error()) return false;
    a = std::move(other);
    return true;
  }

  bool needs_refinement(const Attempt& a) const {
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

  void measure_growth() {
    for (const Attempt& a : attempts_) {
      growth_ = growth_of(m_, a.contender(), plan_, quantities_);
      if (growth_.rows() == 0) continue;
      out_.growth = std::max(1.0, growth_.largest());
      return;
    }
  }

  // ── differences ──

  double grown(int row, size_t q) const {
    if (growth_.rows() == 0) return 1;
    return std::max(1.0, growth_.at(std::min(row, growth_.rows() - 1), q));
  }

  /// The first row at which (1) does not hold, −1 where it always does.
  int first_unexplained(const Attempt& a, const Attempt& b, const Differences& d, size_t q) const {
    const auto own = [&](const Attempt& x, int r) {
      if (x.error().rows() == 0) return 0.0;
      // what rings does so from the start
      if (is_discrete(x) && !quantities_[q].is_smooth) return x.error().largest(q);
      return x.error().at(std::min(r, x.error().rows() - 1), q);
    };
    const double e = quantities_[q].is_tiny() ? rounding / tiny_share : rounding;
    for (int r = 1; r < d.rows(); ++r)
      if (!(d.at(r, q) <= margin * (own(a, r) + own(b, r)) + e * grown(r, q))) return r;
    return -1;
  }

  /// Nothing but zero in every run: not worth a line.
  bool is_zero(const Quantity& q) const {
    for (const Attempt& a : attempts_)
      for (int r = 0; r < a.rows().rows(); ++r)
        for (const int c : q.columns)
          if (a.rows().row(r)[static_cast<size_t>(c)] != 0) return false;
    return true;
  }

  /// The pair that departs most from (1) where it matters, and by how much; none: 0.
  double worst_departure(size_t& first, size_t& second) const {
    double worst = 0;
    for (size_t i = 0; i < attempts_.size(); ++i)
      for (size_t j = i + 1; j < attempts_.size(); ++j) {
        const Differences d = apart(attempts_[i], attempts_[j]);
        for (size_t q = 0; q < quantities_.size(); ++q) {
          const double largest = d.largest(q);
          if (largest <= std::max(worst, tolerance()) || is_excused(attempts_[i], attempts_[j], q))
            continue;
          if (first_unexplained(attempts_[i], attempts_[j], d, q) >= 0)
            worst = largest, first = i, second = j;
        }
      }
    return worst;
  }

  /// Joints that are springs share reactions in their own way.
  bool is_excused(const Attempt& a, const Attempt& b, size_t q) const {
    return quantities_[q].is_shared && (is_discrete(a) || is_discrete(b));
  }

  /// What separates two formulations stays when their runs become finer; what does not stay was an
  /// error of integration, larger than it had been taken for.
  void confirm() {
    for (int round = 0; round < most_rounds; ++round) {
      size_t i = 0, j = 0;
      const double before = worst_departure(i, j);
      if (before == 0) return;
      const bool first = refine_one(attempts_[i]), second = refine_one(attempts_[j]);
      if (!first && !second) return;
      if (apart(attempts_[i], attempts_[j]).largest() > 0.5 * before) return;
    }
  }

  void compare() {
    if (families() < 2) return;
    for (size_t q = 0; q < quantities_.size(); ++q) {
      const Quantity& quantity = quantities_[q];
      if (is_zero(quantity)) continue;
      Agreement g;
      g.name = quantity.name, g.unit = quantity.unit, g.size = quantity.size;
      double closest = HUGE_VAL, farthest = -1;
      for (size_t i = 0; i < attempts_.size(); ++i)
        for (size_t j = i + 1; j < attempts_.size(); ++j) {
          const Attempt &a = attempts_[i], &b = attempts_[j];
          const Differences d = apart(a, b);
          const double largest = d.largest(q);
          if (is_excused(a, b, q)) continue;
          const std::string names = a.name() + " – " + b.name();
          if (a.contender().family != b.contender().family && largest < closest)
            closest = largest, g.confirmed_by = names;
          const int r = first_unexplained(a, b, d, q);
          if (r >= 0) depart(a, b, quantity, a.rows().row(r)[0], d.at(r, q), largest);
          if (largest > farthest) {
            farthest = largest, g.between = names;
            g.largest = largest * quantity.size;
            g.from = r >= 0 ? a.rows().row(r)[0] : std::numeric_limits<double>::quiet_NaN();
          }
        }
      g.digits = std::isfinite(closest) ? digits_of(closest) : 0;
      out_.quantities.push_back(g);
    }
  }

  /// Keeps the earliest departure that matters at the digits asked for.
  void depart(const Attempt& a, const Attempt& b, const Quantity& q, double t, double now,
              double largest) {
    (void)now;
    if (largest <= tolerance()) return;
    if (out_.departure && out_.departure->t <= t) return;
    out_.departure = Departure{"", a.name() + " and " + b.name(), q.name, t, "", ""};
    parting_ = {a.name(), b.name()};
  }

  // ── audits and reports ──

  void audit() {
    for (const Attempt& a : attempts_) {
      for (Audit& found : audit_run(m_, a.name(), a.finest(), a.summary(), a.worst_error(),
                                    scales_of(m_, plan_.until - plan_.start)))
        out_.audits.push_back(std::move(found));
      audit_order(a);
    }
    if (!attempts_.empty())
      for (Audit& found : audit_instants(m_, attempts_.front().rows()))
        out_.audits.push_back(std::move(found));
  }

  void audit_order(const Attempt& a) {
    if (!std::isfinite(a.order())) return;
    Audit found{"order of convergence",
                a.name(),
                a.order(),
                static_cast<double>(a.nominal_order()),
                a.order() > a.nominal_order() - 0.5,
                true,
                ""};
    found.detail = fmt::format("{:.2f} seen of {} in {}", a.order(), a.nominal_order(), a.method());
    out_.audits.push_back(std::move(found));
  }

  void report() {
    for (const Contender& c : all_) {
      ContenderReport r;
      r.name = c.name, r.family = c.family, r.lacks = c.lacks;
      r.failed = std::find(failed_.begin(), failed_.end(), c.name) != failed_.end();
      for (const Attempt& a : attempts_)
        if (a.name() == c.name) fill(r, a);
      out_.contenders.push_back(std::move(r));
    }
    out_.digits = attempts_.size() < 2 || out_.quantities.empty() ? 0 : 16;
    for (const Agreement& g : out_.quantities) out_.digits = std::min(out_.digits, g.digits);
  }

  void fill(ContenderReport& r, const Attempt& a) const {
    r.method = a.method(), r.setting = a.setting();
    r.runs = a.runs(), r.wall = a.wall();
    r.error = a.worst_error();
    for (size_t q = 0; q < quantities_.size(); ++q)
      if (a.error().largest(q) == r.error) r.worst = quantities_[q].name;
    if (const Attempt* best = most_accurate(a.contender().family)) {
      const Differences d = apart(a, *best);
      r.digits = digits_of(is_discrete(a) ? d.largest_position(quantities_) : d.largest());
      r.with = best->name();
    }
    r.order = a.order(), r.nominal_order = a.nominal_order();
    r.limit = a.worst_error() > target(a) ? a.limit() : "";
    r.summary = a.summary();
  }

  /// Of another family.
  const Attempt* most_accurate(const std::string& family) const {
    const Attempt* best = nullptr;
    for (const Attempt& b : attempts_)
      if (b.contender().family != family && (!best || b.worst_error() < best->worst_error()))
        best = &b;
    return best;
  }

  // ── verdict ──

  std::string names() const {
    std::string text;
    for (size_t i = 0; i < attempts_.size(); ++i)
      text += (i == 0 ? "" : i + 1 == attempts_.size() ? " and " : ", ") + attempts_[i].name();
    return text;
  }

  int families() const {
    std::vector<std::string> seen;
    for (const Attempt& a : attempts_)
      if (std::find(seen.begin(), seen.end(), a.contender().family) == seen.end())
        seen.push_back(a.contender().family);
    return static_cast<int>(seen.size());
  }

  void judge() {
    const auto failed = std::find_if(out_.audits.begin(), out_.audits.end(),
                                     [](const Audit& a) { return !a.passed && !a.informs; });
    if (families() < 2) return judge_alone();
    if (out_.departure) return judge_departure();
    if (failed != out_.audits.end()) return judge_audit(*failed);
    if (out_.digits >= o_.digits) return judge_agreement();
    judge_undecided();
  }

  void judge_alone() {
    out_.verdict = Verdict::undecided;
    out_.digits = 0;
    out_.sentence =
        attempts_.empty()
            ? "cannot be verified: no formulation runs this model"
            : fmt::format(
                  "cannot be verified: {} {} this model, and an opinion needs a second one",
                  names(),
                  attempts_.size() == 1 ? "alone runs" : "share their equations and alone run");
  }

  void judge_agreement() {
    out_.verdict = Verdict::agrees;
    std::string others;
    for (const std::string& name : failed_) others += fmt::format("; {} broke off", name);
    for (const ContenderReport& r : out_.contenders)
      if (r.lacks.empty() && std::floor(r.digits) < std::floor(out_.digits))
        others += fmt::format("; {} confirms {}", r.name, static_cast<int>(std::floor(r.digits)));
    out_.sentence =
        fmt::format("agrees to {} digits up to {:g} s ({}){}",
                    static_cast<int>(std::floor(out_.digits)), plan_.until, names(), others);
  }

  void judge_audit(const Audit& a) {
    out_.verdict = Verdict::disagrees;
    out_.sentence = fmt::format(
        "disagrees with itself: the audit '{}' of {} finds {:.1e}, at most {:.0e} is "
        "right{}",
        a.name, a.subject, a.value, a.limit, a.detail.empty() ? "" : ": " + a.detail);
  }

  void judge_departure() {
    Departure& d = *out_.departure;
    out_.verdict = Verdict::disagrees;
    if (const auto found = find_departure(m_, all_, attempts_.front().rows())) {
      d.formulation = found->formulation, d.others = found->others;
      d.element = found->element;
      d.what = fmt::format(
          "from the same state at {:.4g} s accelerations differ by {:.1e} of their size, through "
          "{}",
          found->t, found->relative, found->part);
    } else {
      d.formulation = odd_one();
      if (d.formulation == parting_[0])
        d.others = parting_[1];
      else if (d.formulation == parting_[1])
        d.others = parting_[0];
      else
        d.formulation.clear();
      d.what = "at the same states the formulations of trees give the same accelerations";
    }
    out_.sentence = fmt::format(
        "disagrees: {} from {:.4g} s on, first in {}{}; {}",
        d.formulation.empty() ? d.others + " part" : d.formulation + " leaves " + d.others, d.t,
        d.quantity, d.element.empty() ? "" : ", at " + d.element, d.what);
  }

  /// The contender that is farthest from its nearest neighbour; empty with two only.
  std::string odd_one() const {
    if (attempts_.size() < 3) return "";
    double worst = -1;
    std::string name;
    for (const Attempt& a : attempts_) {
      double nearest = HUGE_VAL;
      for (const Attempt& b : attempts_)
        if (&a != &b) nearest = std::min(nearest, apart(a, b).largest());
      if (nearest > worst) worst = nearest, name = a.name();
    }
    return name;
  }

  /// The last row up to which some two contenders of different families agree in all quantities to
  /// the digits asked for.
  double last_good_time() const {
    double best = plan_.start;
    for (size_t i = 0; i < attempts_.size(); ++i)
      for (size_t j = i + 1; j < attempts_.size(); ++j) {
        if (attempts_[i].contender().family == attempts_[j].contender().family) continue;
        const Differences d = apart(attempts_[i], attempts_[j]);
        int r = 0;
        const auto good = [&](int row) {
          for (size_t q = 0; q < quantities_.size(); ++q)
            if (d.at(row, q) > tolerance()) return false;
          return true;
        };
        while (r < d.rows() && good(r)) ++r;
        if (r > 0) best = std::max(best, attempts_[i].rows().row(r - 1)[0]);
      }
    return best;
  }

  void judge_undecided() {
    out_.verdict = Verdict::undecided;
    out_.horizon = last_good_time();
    const bool chaotic = out_.growth > chaotic_growth;
    std::string why;
    for (const ContenderReport& r : out_.contenders)
      if (r.lacks.empty() && !r.limit.empty() && r.error > tolerance())
        why += fmt::format("{}{} is known to {:.0e} only ({})", why.empty() ? "" : ", ", r.name,
                           r.error, r.limit);
    if (chaotic)
      out_.sentence = fmt::format(
          "not decidable to {:g} digits: a change of the start grows {:.0e} times until {:g} s; "
          "the digits hold up to {:.4g} s, and {} of them at the end",
          o_.digits, out_.growth, plan_.until, out_.horizon,
          static_cast<int>(std::floor(out_.digits)));
    else
      out_.sentence = fmt::format(
          "not decidable to {:g} digits: nothing disagrees, but only {} digits are confirmed{}",
          o_.digits, static_cast<int>(std::floor(out_.digits)), why.empty() ? "" : "; " + why);
  }
};

}  // namespace

Verification verify(const Mechanism& mechanism, const SimulateSpec& settings,
                    const VerifyOptions& options) {
  return verify(mechanism, settings, options, contenders(mechanism, settings));
}

Verification verify(const Mechanism& mechanism, const SimulateSpec& settings,
                    const VerifyOptions& options, std::vector<Contender> contenders) {
  return Comparison(mechanism, settings, options, std::move(contenders)).run();
}

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::disagrees: return "disagrees";
    case Verdict::undecided: return "undecided";
  }
  return "";
}

}  // namespace sarrus
