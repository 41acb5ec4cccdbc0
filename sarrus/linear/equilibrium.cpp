#include "sarrus/linear/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/random.hpp"
#include "sarrus/formulations/formulation.hpp"
#include "sarrus/linear/neighbourhood.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"
#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/eigen_maps.hpp"
#include "sarrus/numerics/newton.hpp"
#include "sarrus/numerics/tolerance.hpp"
#include "sarrus/run/recorder.hpp"
#include "sarrus/run/watch/deflection_watch.hpp"

namespace sarrus {
namespace {

using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;

constexpr double singular = 1e-11;    // pivots against the largest: a motion that costs no energy
constexpr double longest_turn = 0.8;  // [rad], [m] of one step
constexpr double shortest_share = 1e-5;
constexpr double left_by_rounding = 1e3;  // of the tolerance
constexpr double same_place = 1e-6;

class Search {
 public:
  Search(const Mechanism& m, const OperatingPoint& start, const EquilibriumOptions& o)
      : m_(m), o_(o), p_(start) {
    // what is free stands still
    const LinearModel lists = open_model(m, p_);
    for (const int u : lists.u) p_.u[u] = 0;
    x_ = lists.x, u_ = lists.u;
    length_ = Neighbourhood(m, p_).loop_length();
    hold_best(p_);
    for (const std::string& name : lists.velocity_names) names_.push_back(name);
    for (const std::string& name : lists.state_names) names_.push_back(name);
    for (const ClosureRow& row : m.closure_rows)
      names_.push_back("closure of " + m.closures[row.closure].name);
  }

  Equilibrium run() {
    target_ = Vec::Zero(rows());
    const OperatingPoint start = p_;
    status_ = iterate(o_.most_iterations);
    if (!is_solved(status_)) {
      p_ = start;
      follow();
    }
    return finish();
  }

 private:
  Eigen::Index rows() const { return static_cast<Eigen::Index>(u_.size()) + m_.ns + loops(); }
  Eigen::Index loops() const { return static_cast<Eigen::Index>(m_.closure_rows.size()); }
  /// Weight with which a gap as large as the mechanism counts like the largest force.
  double gap_weight() const { return divisor(scale_) / length_; }

  /// The multipliers with which loops hold a point best: those that leave least of r.
  void hold_best(OperatingPoint& p) const {
    p.lambda.assign(m_.closure_rows.size(), 0.0);
    if (p.lambda.empty()) return;
    const LinearModel l = open_model(m_, p);
    const Mat Gt = Mat(map(l.G)).transpose();
    const Vec best = least_squares(Gt, map(std::span<const double>(l.out_of_balance)));
    if (best.allFinite()) std::copy_n(best.data(), p.lambda.size(), p.lambda.begin());
  }

  /// r and ṡ at a point.
  Vec residual(const OperatingPoint& p) {
    const Balance b = balance(m_, p);
    scale_ = std::max(scale_, b.force_scale);
    Vec r(rows());
    for (size_t i = 0; i < b.r.size(); ++i) r[static_cast<Eigen::Index>(i)] = b.r[i];
    for (size_t i = 0; i < b.state_rate.size(); ++i)
      r[static_cast<Eigen::Index>(b.r.size() + i)] = b.state_rate[i];
    for (size_t i = 0; i < b.closure.size(); ++i)
      r[static_cast<Eigen::Index>(b.r.size() + b.state_rate.size() + i)] =
          gap_weight() * b.closure[i];
    return r;
  }

  OperatingPoint stepped(const Vec& step, double share) const {
    OperatingPoint p = p_;
    std::vector<double> delta(m_.nx, 0.0);
    for (size_t i = 0; i < x_.size(); ++i)
      delta[x_[i]] = share * step[static_cast<Eigen::Index>(i)];
    p.q = moved(m_, p_.q, delta);
    for (int i = 0; i < m_.ns; ++i)
      p.state[i] += share * step[static_cast<Eigen::Index>(x_.size()) + i];
    for (size_t i = 0; i < p.lambda.size(); ++i)
      p.lambda[i] += share * step[static_cast<Eigen::Index>(x_.size() + i) + m_.ns];
    return p;
  }

  /// Root of the mass per free velocity, 1 for states: what makes metres and radians alike.
  static Vec weights(const LinearModel& l) {
    Vec w = Vec::Ones(l.M.rows + l.s_s.rows + l.G.rows);
    for (int i = 0; i < l.M.rows; ++i) w[i] = l.M(i, i) > 0 ? std::sqrt(l.M(i, i)) : 1;
    return w;
  }

  /// The stiffness per mass, κ, that rows and columns of elastic mechanisms are scaled to: the
  /// largest of a joint, or the least of an elastic coordinate where joints have none.
  double common_stiffness(const LinearModel& l) const {
    double joints = 0, elastic = HUGE_VAL;
    for (int i = 0; i < l.M.rows; ++i) {
      const double k = l.M(i, i) > 0 ? std::fabs(l.K(i, i)) / l.M(i, i) : 0;
      if (!m_.elastic_of_velocity(u_[i]))
        joints = std::max(joints, k);
      else if (k > 0)
        elastic = std::min(elastic, k);
    }
    return joints > 0 ? joints : std::isfinite(elastic) ? elastic : 1;
  }

  /// (2): the stiffness of elastic coordinates exceeds that of joints by ten and more orders of
  /// size, and would let what holds the loops look like nothing.
  void weigh_elastic(const LinearModel& l, Vec& across) {
    const double kappa = common_stiffness(l);
    for (int i = 0; i < l.M.rows; ++i)
      if (m_.elastic_of_velocity(u_[i]) && l.K(i, i) > 0)
        across[i] = weight_[i] = std::sqrt(l.K(i, i) / kappa);
    const Eigen::Index nu = l.M.rows, ns = l.s_s.rows;
    for (Eigen::Index r = 0; r < loops(); ++r) {
      double square = 0;
      for (Eigen::Index i = 0; i < nu; ++i)
        square += std::pow(l.G(static_cast<int>(r), static_cast<int>(i)) / weight_[i], 2);
      if (!(square > 0)) continue;
      across[nu + ns + r] = std::sqrt(square) / kappa;
      weight_[nu + ns + r] = gap_weight() * across[nu + ns + r];
    }
  }

  Vec newton_step(const Vec& r) {
    const LinearModel l = open_model(m_, p_);
    const Eigen::Index nx = l.N.rows, nu = l.M.rows, ns = l.s_s.rows, m = loops();
    Mat J = Mat::Zero(nu + ns + m, nx + ns + m);
    J.topLeftCorner(nu, nx) = map(l.K);
    J.block(0, nx, nu, ns) = map(l.S);
    J.block(nu, 0, ns, nx) = map(l.s_x);
    J.block(nu, nx, ns, ns) = map(l.s_s);
    if (m > 0) {
      J.block(0, nx + ns, nu, m) = -Mat(map(l.G)).transpose();
      J.bottomLeftCorner(m, nx) = gap_weight() * Mat(map(l.G));
    }
    weight_ = weights(l);
    // columns of the chart weigh as the velocities that move them
    Vec across = Vec::Ones(nx + ns + m);
    for (Eigen::Index i = 0; i < nx; ++i) across[i] = nx == nu ? weight_[i] : 1;
    if (!m_.elastic.empty() && nx == nu) weigh_elastic(l, across);
    const Mat scaled = weight_.cwiseInverse().asDiagonal() * J * across.cwiseInverse().asDiagonal();
    Vec step = across.cwiseInverse().asDiagonal() *
               LeastSquares(scaled, singular).solve(-(weight_.cwiseInverse().asDiagonal() * r));
    downhill_.resize(0);
    if (shorten(step) && nx == nu && ns == 0 && m == 0)
      downhill_ = across.cwiseInverse().asDiagonal() *
                  against_stiffness(scaled, weight_.cwiseInverse().asDiagonal() * r);
    return step;
  }

  /// True if a step exceeds the range in which Newton can be trusted.
  bool shorten(Vec& step) const {
    const auto nx = static_cast<Eigen::Index>(x_.size());
    const double longest = nx > 0 ? step.head(nx).cwiseAbs().maxCoeff() : 0;
    if (longest <= longest_turn) return false;
    step *= longest_turn / longest;
    return true;
  }

  /// The direction of the forces: −|K|⁻¹ r with the magnitudes of the stiffnesses, so that far from
  /// any equilibrium those are found in which the mechanism would come to rest.
  static Vec against_stiffness(const Mat& K, const Vec& r) {
    const EigenPairs eigen = symmetric_eigen(0.5 * (K + K.transpose()));
    const Vec size = eigen.values.cwiseAbs();
    const double least = divisor(1e-3 * size.maxCoeff());
    return -(eigen.vectors * (eigen.vectors.transpose() * r).cwiseQuotient(size.cwiseMax(least)));
  }

  double merit(const Vec& r) const {
    return weight_.size() == r.size() ? r.cwiseQuotient(weight_).norm() : r.norm();
  }

  /// Newton on r = target_.
  NewtonStatus iterate(int most) {
    if (rows() == 0) return NewtonStatus::converged;
    Vec r;
    const auto judge = [&]() -> NewtonResidual {
      r = residual(p_) - target_;
      history_.push_back(r.cwiseAbs().maxCoeff() / divisor(scale_));
      return {history_.back(), o_.tolerance};
    };
    const auto step = [&] {
      const Vec dx = newton_step(r);
      ++iterations_;
      if (!dx.allFinite()) return NewtonStep::not_finite;
      const double before = merit(r);
      if (downhill_.size() > 0) {
        Vec along = downhill_;
        shorten(along);
        if (take(along, before, 0.1)) return NewtonStep::taken;
      }
      return take(dx, before, shortest_share) ? NewtonStep::taken : NewtonStep::uphill;
    };
    const NewtonStatus status =
        newton({.most_steps = most, .nearly = left_by_rounding * o_.tolerance}, judge, step).status;
    if (status == NewtonStatus::converged) polish();
    return status;
  }
  static bool is_solved(NewtonStatus status) { return NewtonResult{status}.is_solved(); }

  /// Moves by the largest share of a step, halved down to `least`, that reduces the residual.
  bool take(const Vec& step, double before, double least) {
    return halved(1, least, [&](double share) {
             const OperatingPoint next = stepped(step, share);
             const Vec after = residual(next) - target_;
             if (!after.allFinite() || !(merit(after) < (1 - 1e-4 * share) * before)) return false;
             p_ = next;
             return true;
           }) > 0;
  }

  /// One more step, kept where it is better: the last digits.
  void polish() {
    const Vec r = residual(p_) - target_;
    const Vec step = newton_step(r);
    const OperatingPoint next = stepped(step, 1);
    const Vec after = residual(next) - target_;
    if (after.allFinite() && merit(after) < merit(r)) p_ = next;
  }

  /// (1)
  void follow() {
    const Vec r0 = residual(p_);
    double s = 0, step = 0.1;
    while (s < 1 && step > 1e-4 && continuation_ < 500) {
      const OperatingPoint before = p_;
      const double next = std::min(1.0, s + step);
      target_ = (1 - next) * r0;
      ++continuation_;
      if (is_solved(iterate(12))) {
        s = next, step *= 1.5;
      } else {
        p_ = before, step /= 2;
      }
    }
    target_ = Vec::Zero(rows());
    if (s >= 1) iterate(10);
  }

  Equilibrium finish() {
    Equilibrium e;
    e.point = p_;
    const Vec r = residual(p_);
    e.scale = scale_;
    e.residual = r.size() > 0 ? r.cwiseAbs().maxCoeff() : 0;
    e.found = std::isfinite(e.residual) && e.residual <= left_by_rounding * o_.tolerance * scale_;
    if (rows() == 0) e.found = true;
    if (DeflectionWatch watch(m_); !watch.look_at(p_.t, p_.q)) {
      e.found = false;
      e.refusal = watch.refusal();
    }
    e.status = status_;
    e.iterations = iterations_, e.continuation = continuation_, e.history = history_;
    std::vector<Eigen::Index> order(r.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
    std::sort(order.begin(), order.end(),
              [&](Eigen::Index a, Eigen::Index b) { return std::fabs(r[a]) > std::fabs(r[b]); });
    for (size_t i = 0; i < std::min<size_t>(5, order.size()); ++i)
      e.worst.emplace_back(names_[order[i]], r[order[i]]);
    return e;
  }

  const Mechanism& m_;
  EquilibriumOptions o_;
  OperatingPoint p_;
  std::vector<int> x_, u_;
  std::vector<std::string> names_;
  Vec target_, weight_, downhill_;
  std::vector<double> history_;
  NewtonStatus status_ = NewtonStatus::exhausted;  // without continuation
  int iterations_ = 0, continuation_ = 0;
  double scale_ = 0, length_ = 1;
};

/// Places and axes of all bodies: the same for angles that differ by whole turns.
std::vector<double> places(const Mechanism& m, const OperatingPoint& p) {
  Workspace<double> w(m);
  const Kinematics<double>& k = move(w, p.t, p.q.data(), p.u.data(), p.state.data());
  std::vector<double> all;
  for (int b = 1; b < m.nb; ++b) {
    const BodyMotion<double>& B = k.body[b];
    for (const Vec3& v : {B.o, B.R.x, B.R.y, B.R.z}) all.insert(all.end(), {v.x, v.y, v.z});
  }
  return all;
}

bool is_same(const std::vector<double>& a, const std::vector<double>& b) {
  double size = 1;
  for (const double x : a) size = std::max(size, std::fabs(x));
  for (size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > same_place * size) return false;
  return true;
}

/// Angles anywhere, lengths within the reach of the mechanism, or a share of that.
OperatingPoint scattered(const Mechanism& m, const OperatingPoint& start, Random& random,
                         double share = 1) {
  double reach = 0.1;
  const std::vector<double> here = places(m, start);
  for (size_t b = 0; b + 12 <= here.size(); b += 12)
    for (size_t k = 0; k < 3; ++k) reach = std::max(reach, std::fabs(here[b + k]));
  std::vector<double> delta(m.nx, 0.0);
  const LinearModel lists = open_model(m, start);
  for (const int x : lists.x) {
    const auto b = static_cast<size_t>(m.body_of_chart_entry(x));
    const int k = x - m.x0[b];
    const double most = share * (is_chart_length(m.kind[b], k) ? reach : M_PI);
    delta[x] = random.uniform(-most, most);
  }
  OperatingPoint p = start;
  p.q = moved(m, start.q, delta);
  return p;
}

}  // namespace

Equilibrium find_equilibrium(const Mechanism& m, const OperatingPoint& start,
                             const EquilibriumOptions& o) {
  const Equilibrium found = Search(m, start, o).run();
  // symmetric starts, such as arms stretched out level, may fail: try a little beside them
  Random random(1788);
  double share = 0.01;
  for (int i = 0; i < o.others && !found.found; ++i, share *= 5) {
    const Equilibrium other = Search(m, scattered(m, start, random, share), o).run();
    if (other.found) return other;
  }
  return found;
}

std::vector<Equilibrium> find_equilibria(const Mechanism& m, const OperatingPoint& start,
                                         int others, const EquilibriumOptions& o) {
  std::vector<Equilibrium> found{find_equilibrium(m, start, o)};
  std::vector<std::vector<double>> known;
  if (found[0].found) known.push_back(places(m, found[0].point));
  Random random(1969);
  for (int i = 0; i < others; ++i) {
    Equilibrium e = Search(m, scattered(m, start, random), o).run();
    if (!e.found) continue;
    std::vector<double> place = places(m, e.point);
    if (std::any_of(known.begin(), known.end(), [&](const auto& k) { return is_same(k, place); }))
      continue;
    known.push_back(std::move(place));
    found.push_back(std::move(e));
  }
  if (!found[0].found && found.size() > 1) found.erase(found.begin());
  return found;
}

Trajectory recorded_at(const Mechanism& m, const OperatingPoint& point) {
  const auto f = make_formulation("recursive", m);
  std::vector<double> y(f->size());
  f->begin({point.t, point.q, point.u, point.state}, y);
  Recorder recorder(m, {true, false});
  Trajectory row{recorder.columns(), std::vector<double>(recorder.columns().size())};
  Snapshot now(m);
  f->observe(point.t, y, now);
  recorder.row(now, 0, row.values);
  return row;
}

Diagnostic no_equilibrium(const Equilibrium& e) {
  if (e.refusal) return *e.refusal;
  std::string worst, history;
  for (const auto& [name, r] : e.worst)
    worst += fmt::format("{}{} {:.3g}", worst.empty() ? "" : ", ", name, r);
  const size_t shown = std::min<size_t>(6, e.history.size());
  for (size_t i = e.history.size() - shown; i < e.history.size(); ++i)
    history += fmt::format("{}{:.1e}", history.empty() ? "" : ", ", e.history[i]);
  Diagnostic d{
      .code = "no-equilibrium",
      .element = "equilibrium",
      .message = fmt::format(
          "Newton's method does not converge, {}: {} iterations, {} steps of continuation, out of "
          "balance by {:.3g} of {:.3g}; last residuals {} of it; worst equations {}",
          words(e.status), e.iterations, e.continuation, e.residual, e.scale, history, worst),
      .hint =
          "start nearer to it (q of the joints), or try several initial guesses; a mechanism "
          "that falls or slides for ever has none"};
  return d;
}

}  // namespace sarrus
