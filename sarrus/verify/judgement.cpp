#include "sarrus/verify/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/verify/departure.hpp"
#include "sarrus/verify/judged_rows.hpp"

namespace sarrus {
namespace {

constexpr double decisive = 10;         // times farther from a witness
constexpr double chaotic_growth = 1e4;  // of a change of the start, until the end

/// From runs that have been compared to a verdict.
class Judge {
 public:
  Judge(const Comparison& c, const VerifyOptions& options) : c_(c), options_(options) {
    out_.asked = options.digits;
    out_.start = c.plan().start, out_.until = out_.horizon = c.reached();
    out_.growth = c.growth();
  }

  Verification pass() {
    compare();
    audit();
    report();
    judge();
    if (options_.run) judge_rows(c_, *options_.run, options_.rows_digits, out_);
    return std::move(out_);
  }

 private:
  const Comparison& c_;
  const VerifyOptions& options_;
  std::vector<std::string> parting_;    // the two of the earliest departure
  std::optional<Departure> unsettled_;  // time was up before it was clear why two differ
  bool passes_singular_ = false;
  Verification out_;

  // ── differences ──

  struct Pair {
    const Attempt *a, *b;
    Differences d;
  };
  std::vector<Pair> pairs() const {
    std::vector<Pair> all;
    for (size_t i = 0; i < c_.attempts().size(); ++i)
      for (size_t j = i + 1; j < c_.attempts().size(); ++j) {
        const Attempt &a = c_.attempts()[i], &b = c_.attempts()[j];
        all.push_back({&a, &b, c_.apart(a, b)});
      }
    return all;
  }

  void compare() {
    if (c_.families() < 2) return;
    const std::vector<Pair> all = pairs();
    for (size_t q = 0; q < c_.quantities().size(); ++q) {
      const ComparedQuantity& quantity = c_.quantities()[q];
      if (c_.is_zero(quantity)) continue;
      Agreement g;
      g.name = quantity.name, g.unit = quantity.unit, g.size = quantity.size;
      double closest = HUGE_VAL, farthest = -1;
      for (const auto& [first, second, d] : all) {
        const Attempt &a = *first, &b = *second;
        if (c_.is_excused(a, b, q)) continue;
        const double largest = d.largest(q);
        const std::string names = a.name() + " – " + b.name();
        if (const double open = c_.left_open(a, b, d, q); c_.vouch(a, b) && open < closest)
          closest = open, g.confirmed_by = names;  // (2)
        const int r = c_.first_unexplained(a, b, d, q);
        if (r >= 0 && largest > c_.tolerance()) depart(a, b, quantity, a.rows().row(r)[0]);
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

  /// Keeps the earliest departure.
  void depart(const Attempt& a, const Attempt& b, const ComparedQuantity& q, double t) {
    std::optional<Departure>& first = c_.is_unsettled(a, b) ? unsettled_ : out_.departure;
    if (first && first->t <= t) return;
    first = Departure{"", a.name() + " and " + b.name(), q.name, t, "", ""};
    if (&first == &out_.departure) parting_ = {a.name(), b.name()};
  }

  // ── audits and reports ──

  void audit() {
    const Scales scales = scales_of(c_.mechanism(), c_.plan().until - c_.plan().start);
    for (const Attempt& a : c_.attempts()) {
      for (Audit& found :
           audit_run(c_.mechanism(), a.name(), a.finest(), a.summary(), a.worst_error(), scales)) {
        // the work of a kick over a jump is of first order, and part of it stays in the joints
        if (c_.is_discrete(a) && !c_.plan().jumps.empty() && found.name == "energy account")
          found.informs = true;
        out_.audits.push_back(std::move(found));
      }
      audit_order(a);
    }
    if (!c_.attempts().empty())
      for (Audit& found : audit_instants(c_.mechanism(), c_.attempts().front().finest(), scales))
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
    for (const Contender& c : c_.contenders()) {
      ContenderReport r;
      r.name = c.name, r.family = c.family, r.lacks = c.lacks;
      r.failed = std::find(c_.failed().begin(), c_.failed().end(), c.name) != c_.failed().end();
      for (const Attempt& a : c_.attempts())
        if (a.name() == c.name) fill(r, a);
      out_.contenders.push_back(std::move(r));
    }
    out_.digits = c_.attempts().size() < 2 || out_.quantities.empty() ? 0 : 16;
    for (const Agreement& g : out_.quantities) out_.digits = std::min(out_.digits, g.digits);
  }

  void fill(ContenderReport& r, const Attempt& a) const {
    r.method = a.method(), r.setting = a.setting();
    r.runs = a.runs(), r.seconds = a.spent();
    r.error = a.worst_error();
    for (size_t q = 0; q < c_.quantities().size(); ++q)
      if (a.error().largest(q) == r.error) r.worst = c_.quantities()[q].name;
    for (const Attempt& b : c_.attempts()) {
      if (!c_.vouch(a, b)) continue;
      const double digits =
          digits_of(c_.is_discrete(a) ? c_.positions_apart(a, b) : c_.apart(a, b).largest());
      if (r.with.empty() || digits > r.digits) r.digits = digits, r.with = b.name();
    }
    r.order = a.order(), r.nominal_order = a.nominal_order();
    r.limit = a.worst_error() > c_.target(a) ? a.limit() : "";
    r.summary = a.summary();
  }

  // ── verdict ──

  /// "recursive, hamiltonian and discrete"
  static std::string listed(const std::vector<std::string>& all) {
    std::string text;
    for (size_t i = 0; i < all.size(); ++i)
      text += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
    return text;
  }
  std::string names() const {
    std::vector<std::string> all;
    for (const Attempt& a : c_.attempts()) all.push_back(a.name());
    return listed(all);
  }
  /// Those that confirm so many digits.
  std::string names_with(double digits) const {
    std::vector<std::string> all;
    for (const ContenderReport& r : out_.contenders)
      if (r.lacks.empty() && r.digits >= digits) all.push_back(r.name);
    return listed(all);
  }

  void judge() {
    const auto failed = std::find_if(out_.audits.begin(), out_.audits.end(),
                                     [](const Audit& a) { return !a.passed && !a.informs; });
    if (c_.families() < 2) return judge_alone();
    if (!out_.departure && unsettled_ && instant_departure())
      out_.departure = unsettled_, parting_ = {"", ""};  // one instant shows it without any run
    if (out_.departure && !is_due_to_singular_positions()) return judge_departure();
    if (failed != out_.audits.end()) return judge_audit(*failed);
    if (const std::string more = seen_more(); !more.empty()) return judge_missed(more);
    if (out_.digits >= out_.asked) return judge_agreement();
    judge_undecided();
  }

  std::optional<InstantDeparture> instant_departure() const {
    return find_departure(c_.mechanism(), c_.contenders(), c_.attempts().front().finest(),
                          c_.plan().jumps);
  }

  void judge_alone() {
    out_.verdict = Verdict::undecided;
    out_.digits = 0;
    out_.sentence =
        c_.attempts().empty()
            ? "cannot be verified: no formulation runs this model"
            : fmt::format(
                  "cannot be verified: {} {} this model, and a comparison needs two", names(),
                  c_.attempts().size() == 1 ? "alone runs" : "share their equations and alone run");
  }

  void judge_agreement() {
    out_.verdict = Verdict::agrees;
    std::string others;
    for (const std::string& name : c_.failed()) others += fmt::format("; {} broke off", name);
    for (const ContenderReport& r : out_.contenders)
      if (r.lacks.empty() && std::floor(r.digits) < std::floor(out_.digits))
        others += fmt::format("; {} confirms {}", r.name, static_cast<int>(std::floor(r.digits)));
    out_.sentence = fmt::format("agrees to {} digits up to {:g} s ({}){}",
                                static_cast<int>(std::floor(out_.digits)), out_.until,
                                names_with(out_.asked), others);
  }

  // ── what one has seen and others have not ──

  /// Events, the end of the run, the first digit: where a contender differs in these, the others may
  /// have stepped over something. In words; empty where there is nothing of the kind.
  std::string seen_more() const {
    for (const Attempt& a : c_.attempts())
      for (const Attempt& b : c_.attempts())
        if (std::string text = more_events(a, b); !text.empty()) return text;
    if (out_.growth > chaotic_growth) return "";  // first digits are lost for another reason
    for (const Attempt& a : c_.attempts())
      if (const Attempt* other = c_.best_witness(a))
        if (std::string text = no_digit(a, *other); !text.empty()) return text;
    return "";
  }

  std::string more_events(const Attempt& a, const Attempt& b) const {
    const auto count = [&](const Attempt& x, const std::string& name) {
      const double edge = c_.plan().spacing() / 2;  // what lies so near the ends may slip out
      return std::count_if(
          x.summary().events.begin(), x.summary().events.end(), [&](const LocatedEvent& e) {
            return e.name == name && e.t > out_.start + edge && e.t < out_.until - edge;
          });
    };
    if (a.summary().t + c_.plan().spacing() / 2 < b.summary().t)
      return fmt::format("{} is stopped by an event at {:.6g} s, {} goes on to {:.6g} s", a.name(),
                         a.summary().t, b.name(), b.summary().t);
    for (const Event& e : c_.mechanism().events)
      if (const auto more = count(a, e.name), fewer = count(b, e.name); more > fewer)
        return fmt::format("{} finds the event '{}' {} times, {} finds it {} times", a.name(),
                           e.name, more, b.name(), fewer);
    return "";
  }

  /// Where the two differ in the first digit of a position, a velocity or an energy; joints that are
  /// springs ring in velocities.
  std::string no_digit(const Attempt& a, const Attempt& b) const {
    const Differences d = c_.apart(a, b);
    const bool rings = c_.is_discrete(a) || c_.is_discrete(b);
    for (int r = 0; r < d.rows(); ++r)
      for (size_t i = 0; i < c_.quantities().size(); ++i) {
        const ComparedQuantity& q = c_.quantities()[i];
        const bool counts = q.is_position() || (q.is_motion() && !rings);
        if (q.is_tiny() || !counts || c_.is_excused(a, b, i)) continue;
        if (!(d.at(r, i) > first_digit)) continue;
        const double mine = a.summary().energy_scale, its = b.summary().energy_scale;
        return fmt::format("{} and {} differ by {:.1g} of {} from {:.6g} s on{}", a.name(),
                           b.name(), d.at(r, i), q.name, a.rows().row(r)[0],
                           std::fabs(mine - its) > first_digit * std::max(mine, its)
                               ? fmt::format(": {} sees {:.3g} J exchanged, {} {:.3g} J", a.name(),
                                             mine, b.name(), its)
                               : "");
      }
    return "";
  }

  void judge_missed(const std::string& what) {
    out_.verdict = Verdict::undecided;
    out_.digits = 0;
    out_.horizon = last_good_time();
    out_.sentence = fmt::format(
        "not decidable: {}; a short input, an event or a contact may have been stepped over: give "
        "max_step, or more --budget",
        what);
  }

  void judge_audit(const Audit& a) {
    out_.verdict = Verdict::disagrees;
    out_.sentence = fmt::format(
        "disagrees with itself: the audit '{}' of {} finds {:.1e}; the limit is {:.0e}{}", a.name,
        a.subject, a.value, a.limit, a.detail.empty() ? "" : ": " + a.detail);
  }

  /// Where loops lose independence, rounding is felt as ε/δ² in speeds, whatever the tolerance.
  bool is_due_to_singular_positions() {
    passes_singular_ =
        std::any_of(c_.attempts().begin(), c_.attempts().end(), [](const Attempt& a) {
          return std::any_of(a.summary().notes.begin(), a.summary().notes.end(),
                             [](const Diagnostic& d) { return d.code == "singular-position"; });
        });
    if (!passes_singular_ || instant_departure()) return false;
    out_.departure.reset();
    return true;
  }

  void judge_departure() {
    Departure& d = *out_.departure;
    out_.verdict = Verdict::disagrees;
    if (const auto found = instant_departure()) {
      parting_ = {found->first, found->second};
      d.formulation = found->formulation;
      d.element = found->element;
      d.what = fmt::format(
          "from the same state at {:.4g} s accelerations differ by {:.1e} of their size, through "
          "{}",
          found->t, found->relative, found->part);
    } else {
      d.formulation = odd_one();
      d.what = "at the same states the formulations of trees give the same accelerations";
    }
    if (const std::string seen = seen_by_discrete(); !seen.empty()) d.formulation = seen;
    if (d.formulation == parting_[0])
      d.others = parting_[1];
    else if (d.formulation == parting_[1])
      d.others = parting_[0];
    else
      d.formulation.clear(), d.others = parting_[0] + " and " + parting_[1];
    out_.sentence = fmt::format(
        "disagrees: {} from {:.4g} s on, first in {}{}; {}",
        d.formulation.empty() ? d.others + " part" : d.formulation + " leaves " + d.others, d.t,
        d.quantity, d.element.empty() ? "" : ", at " + d.element, d.what);
  }

  /// Which of the two that part the discrete run contradicts: it shares least with any of them, and
  /// what it knows roughly is enough where they are far apart.
  std::string seen_by_discrete() const {
    const Attempt *witness = nullptr, *a = nullptr, *b = nullptr;
    for (const Attempt& x : c_.attempts()) {
      if (c_.is_discrete(x)) witness = &x;
      if (x.name() == parting_[0]) a = &x;
      if (x.name() == parting_[1]) b = &x;
    }
    if (!witness || !a || !b || witness == a || witness == b) return "";
    const double from_a = c_.positions_apart(*witness, *a),
                 from_b = c_.positions_apart(*witness, *b);
    if (from_a > decisive * from_b) return a->name();
    return from_b > decisive * from_a ? b->name() : "";
  }

  /// The contender that is farthest from its nearest neighbour; empty with two only.
  std::string odd_one() const {
    if (c_.attempts().size() < 3) return "";
    double worst = -1;
    std::string name;
    for (const Attempt& a : c_.attempts()) {
      double nearest = HUGE_VAL;
      for (const Attempt& b : c_.attempts())
        if (&a != &b) nearest = std::min(nearest, c_.apart(a, b).largest());
      if (nearest > worst) worst = nearest, name = a.name();
    }
    return name;
  }

  /// The last row up to which some two contenders of different families agree in all quantities to
  /// the digits asked for.
  double last_good_time() const {
    double best = c_.plan().start;
    for (size_t i = 0; i < c_.attempts().size(); ++i)
      for (size_t j = i + 1; j < c_.attempts().size(); ++j) {
        if (c_.attempts()[i].contender().family == c_.attempts()[j].contender().family) continue;
        const Differences d = c_.apart(c_.attempts()[i], c_.attempts()[j]);
        int r = 0;
        const auto good = [&](int row) {
          for (size_t q = 0; q < c_.quantities().size(); ++q)
            if (d.at(row, q) > c_.tolerance()) return false;
          return true;
        };
        while (r < d.rows() && good(r)) ++r;
        if (r > 0) best = std::max(best, c_.attempts()[i].rows().row(r - 1)[0]);
      }
    return best;
  }

  /// The contenders that are not known well enough, and why.
  std::string weak_runs() const {
    std::string why;
    for (const ContenderReport& r : out_.contenders)
      if (r.lacks.empty() && !r.limit.empty() && r.error > c_.tolerance())
        why += fmt::format("{}{} is only known to {:.0e} ({})", why.empty() ? "" : ", ", r.name,
                           r.error, r.limit);
    return why;
  }

  void judge_undecided() {
    out_.verdict = Verdict::undecided;
    out_.horizon = last_good_time();
    const int digits = static_cast<int>(std::floor(out_.digits));
    const std::string asked = fmt::format("not decidable to {:g} digits: ", out_.asked);
    const std::string why = weak_runs();
    // growth loses digits of rounding; where it is too small for that, something else has lost them
    const bool chaotic =
        out_.growth > chaotic_growth && digits_of(run_rounding * out_.growth) < out_.asked;
    if (unsettled_)
      out_.sentence = fmt::format(
          "{}{} differ in {} from {:.4g} s on, and time was up before it was clear why: give more "
          "--budget{}{}",
          asked, unsettled_->others, unsettled_->quantity, unsettled_->t, why.empty() ? "" : "; ",
          why);
    else if (chaotic)
      out_.sentence = fmt::format(
          "{}a small change of the initial state grows {:.0e} times until {:g} s; the digits hold "
          "up to {:.4g} "
          "s, and {} of them at the end",
          asked, out_.growth, out_.until, out_.horizon, digits);
    else if (passes_singular_)
      out_.sentence = fmt::format(
          "{}the motion passes positions where its loops lose independence, which amplifies "
          "rounding; {} digits are confirmed up to {:g} s, {:g} up to {:.4g} s",
          asked, digits, out_.until, out_.asked, out_.horizon);
    else
      out_.sentence = fmt::format("{}nothing disagrees, but only {} digits are confirmed{}", asked,
                                  digits, why.empty() ? "" : "; " + why);
  }
};

}  // namespace

Verification judge(const Comparison& comparison, const VerifyOptions& options) {
  return Judge(comparison, options).pass();
}

}  // namespace sarrus
