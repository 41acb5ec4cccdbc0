#include "sarrus/formulations/discrete/discrete_loans.hpp"

#include <algorithm>

#include "sarrus/formulations/stages/workspace.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {
namespace {

constexpr double quickest = 0.1;          // α where the blocks would allow more
constexpr double part_of_limit = 0.4;     // α against κ/2
constexpr double is_free = 1e-8;          // κ below which nothing holds a direction
constexpr double near_lock = 0.02;        // κ against that of the start: hardly guided any more
constexpr double small = 1e-6;            // of the whole inertia, beside the part on loan
constexpr std::int64_t pace_every = 256;  // [steps] between two looks at the blocks

Vec3 axis(int k) { return {k % 3 == 0 ? 1.0 : 0, k % 3 == 1 ? 1.0 : 0, k % 3 == 2 ? 1.0 : 0}; }

/// Of a body that moves faster along an axis (k < 3), or turns faster about one.
DiscreteBodies::Speeds hastened(DiscreteBodies::Speeds s, const Mat3& R, const Vec3& I, int k,
                                double size) {
  if (k < 3) {
    s.V_seen += axis(k) * size;
    s.V = s.V + axis(k) * size;
  } else {
    const Vec3 w = transposed_times(R, axis(k));
    s.w_seen += axis(k) * size;
    s.L = s.L + R * Vec3{w.x * I.x, w.y * I.y, w.z * I.z} * size;
  }
  return s;
}

/// The inertia that a body has on loan, and a little of its own.
Eigen::Matrix<double, 6, 6> lent_inertia(const GraphBody& body, const Mat3& R) {
  const Vec3 l = R * body.lent.at;
  Eigen::Matrix<double, 3, 6> v;  // velocity of the ball's centre
  v << 1, 0, 0, 0, l.z, -l.y, 0, 1, 0, -l.z, 0, l.x, 0, 0, 1, l.y, -l.x, 0;
  Eigen::Matrix<double, 6, 6> J = body.lent.mass * v.transpose() * v;
  J.diagonal().head<3>().array() += small / body.inverse_mass;
  J.diagonal().tail<3>().array() += body.lent.inertia + small / body.largest_inverse_I();
  return J;
}

}  // namespace

/// Bodies with loans that joints connect, directly or through other such bodies, form a group.
DiscreteLoans::DiscreteLoans(const DiscreteGraph& graph) : g_(&graph) {
  std::vector<int> group(graph.bodies.size(), -1);
  for (size_t s = 1; s < graph.bodies.size(); ++s)
    if (graph.bodies[s].lent.is_there()) {
      group[s] = static_cast<int>(loans_.size());
      loans_.push_back({.slot = static_cast<int>(s)});
    }
  for (bool again = true; again;) {
    again = false;
    for (const GraphJoint& j : graph.joints) {
      int &a = group[j.a], &b = group[j.b];
      if (a < 0 || b < 0 || a == b) continue;
      a = b = std::min(a, b);
      again = true;
    }
  }
  for (Loan& loan : loans_) loan.group = group[loan.slot];
}

/// κ of a group whose neighbours rest: the smallest eigenvalue of h² J^(−½) K J^(−½), with J the
/// inertia on loan and K the stiffness of the blocks. That is β²/(δ h) times their damping,
/// which forces at other velocities show without what loads do to a stiffness.
double DiscreteLoans::least_stiffness(const std::vector<int>& slots, double stiffness_per_damping,
                                      double h, DiscreteBodies& bodies,
                                      const std::function<void()>& hold) const {
  const auto n = static_cast<Eigen::Index>(6 * slots.size());
  Eigen::MatrixXd C(n, n), J = Eigen::MatrixXd::Zero(n, n);
  const auto forces = [&](int slot, int k, double size) {
    const DiscreteBodies::Speeds kept = bodies.speeds(slot);
    bodies.set_speeds(slot, hastened(kept, bodies[slot].R, g_->bodies[slot].I, k, size));
    hold();
    Eigen::VectorXd out(n);
    for (size_t i = 0; i < slots.size(); ++i) {
      const Wrench<double> w = bodies.pulled(slots[i]);
      out.segment<6>(static_cast<Eigen::Index>(6 * i)) << w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z;
    }
    bodies.set_speeds(slot, kept);
    return out;
  };
  for (size_t i = 0; i < slots.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    for (int k = 0; k < 6; ++k)
      C.col(at + k) = (forces(slots[i], k, -1) - forces(slots[i], k, 1)) / 2;
    J.block<6, 6>(at, at) = lent_inertia(g_->bodies[slots[i]], bodies[slots[i]].R);
  }
  const EigenPairs modes =
      symmetric_eigenvalues(h * stiffness_per_damping * (C + C.transpose()) / 2, J);
  double least = 1;
  for (Eigen::Index i = 0; i < n; ++i)
    if (modes.values[i] > is_free) least = std::min(least, modes.values[i]);
  return least;
}

bool DiscreteLoans::are_due(const DiscreteClock& clock) const {
  return !loans_.empty() && clock.count % pace_every == 0;
}

/// A held direction with the stiffness κ is stable if α < κ/2 (docs/theory/discrete.md).
void DiscreteLoans::pace(const DiscreteClock& clock, double stiffness_per_damping,
                         DiscreteBodies& bodies, const std::function<void()>& hold) {
  for (Loan& first : loans_) {
    if (loans_[first.group].slot != first.slot) continue;
    std::vector<int> slots;
    for (const Loan& l : loans_)
      if (l.group == first.group) slots.push_back(l.slot);
    const double kappa = least_stiffness(slots, stiffness_per_damping, clock.h, bodies, hold);
    if (clock.count == 0) first.kappa = kappa;
    if (kappa < near_lock * first.kappa) unled_ = first.slot;
    const double alpha = std::min(quickest, part_of_limit / 2 * kappa);
    for (Loan& l : loans_)
      if (l.group == first.group) l.alpha = alpha;
  }
}

/// Of the half step before: orientations of both ends of that step.
Wrench<double> DiscreteLoans::momentum(const Loan& loan, const DiscreteBodies& bodies) const {
  const Ball& ball = g_->bodies[loan.slot].lent;
  const Mat3& R = bodies[loan.slot].R;
  const Vec3 V = bodies.V(loan.slot), L = bodies.L(loan.slot);
  const Vec3 w =
      (bodies.angular_velocity(loan.slot, R, L) + bodies.angular_velocity(loan.slot, loan.R, L)) *
      0.5;
  const Vec3 lever = (R * ball.at + loan.R * ball.at) * 0.5;
  return {w * ball.inertia, (V + cross(w, lever)) * ball.mass};
}

void DiscreteLoans::open(const Mechanism& m, const StartState& start) {
  unled_ = 0;
  if (loans_.empty()) return;
  Workspace<double> tree(m);
  const Kinematics<double>& k =
      move(tree, start.t, start.q.data(), start.u.data(), start.state.data());
  const Accelerations<double>& a = accelerate(tree, k, load(tree, k));
  for (Loan& loan : loans_) {
    const GraphBody& body = g_->bodies[loan.slot];
    const Twist<double> A = a.exist ? acceleration(tree, a, body.inside) : Twist<double>{};
    const Twist<double>& V = k.body[body.inside].V;
    loan.once = {A.w * body.lent.inertia, (A.v + cross(V.w, V.v)) * body.lent.mass};
    loan.twice = loan.once;
  }
}

void DiscreteLoans::begin(const DiscreteBodies& bodies) {
  for (Loan& loan : loans_) {
    loan.R = bodies[loan.slot].R;
    loan.momentum = momentum(loan, bodies);
  }
}

void DiscreteLoans::follow(const DiscreteBodies& bodies, double h) {
  for (Loan& loan : loans_) {
    const Wrench<double> before = loan.momentum;
    loan.momentum = momentum(loan, bodies);
    loan.R = bodies[loan.slot].R;
    const Wrench<double> rate = (loan.momentum + before * -1.0) * (1 / h);  // (1)
    loan.twice += (loan.once + loan.twice * -1.0) * loan.alpha;             // (2)
    loan.once += (rate + loan.once * -1.0) * loan.alpha;
  }
}

void DiscreteLoans::give_back(DiscreteBodies& bodies) const {
  for (const Loan& loan : loans_) {
    const Ball& ball = g_->bodies[loan.slot].lent;
    const Vec3 f = loan.once.f * 2.0 - loan.twice.f - bodies.gravity() * ball.mass;  // (3)
    const Vec3 n = loan.once.n * 2.0 - loan.twice.n;
    bodies.push(loan.slot, f, n + cross(bodies[loan.slot].R * ball.at, f));
  }
}

}  // namespace sarrus
