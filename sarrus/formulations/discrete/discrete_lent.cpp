// Inertia on loan: a body that has none in some direction, and cannot get any across its joints,
// is moved with a ball that is not there.
//
// The ball would need for its motion the wrench d = ṗ − m g, with p its momentum. This is given
// back to the body, so that only the rest of it acts,
//
//   d_k−1 = (p_k−½ − p_k−3/2)/h                                                           (1)
//   y_k = y_k−1 + α (d_k−1 − y_k−1),   z_k = z_k−1 + α (y_k−1 − z_k−1)                    (2)
//   w_k = 2 y_k − z_k − m g                                                               (3)
//
// y lags behind d by h/α, and z by twice that: in (3) the lag cancels, and what is left of the ball
// is of the order of (h/α)², in the motion after a jump too. Without (2) the body would have no
// inertia at all from one step to the next; as it is, its blocks find the ball in what is faster
// than h/α and nothing in what is slower. docs/theory/discrete.md
#include <algorithm>

#include "sarrus/formulations/discrete/discrete.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {
namespace {

constexpr double quickest = 0.1;          // α where the blocks would allow more
constexpr double part_of_limit = 0.4;     // α against κ/2
constexpr double is_free = 1e-8;          // κ below which nothing holds a direction
constexpr double near_lock = 0.02;        // κ against that of the start: hardly led any more
constexpr double small = 1e-6;            // of the whole inertia, beside what is lent
constexpr std::int64_t pace_every = 256;  // [steps] between two looks at the blocks

Vec3 axis(int k) { return {k % 3 == 0 ? 1.0 : 0, k % 3 == 1 ? 1.0 : 0, k % 3 == 2 ? 1.0 : 0}; }

}  // namespace

/// Lent bodies that hang together by joints, directly or by other lent ones, are one group.
void Discrete::list_loans() {
  std::vector<int> group(g_.bodies.size(), -1);
  for (size_t s = 1; s < g_.bodies.size(); ++s)
    if (g_.bodies[s].lent.is_there()) {
      group[s] = static_cast<int>(loans_.size());
      loans_.push_back({static_cast<int>(s), 0, 0, 0, {}, {}, {}, {}});
    }
  for (bool again = true; again;) {
    again = false;
    for (const GraphJoint& j : g_.joints) {
      int &a = group[j.a], &b = group[j.b];
      if (a < 0 || b < 0 || a == b) continue;
      a = b = std::min(a, b);
      again = true;
    }
  }
  for (Loan& loan : loans_) loan.group = group[loan.slot];
}

/// κ of a group whose neighbours rest: the smallest eigenvalue of h² J^(−½) K J^(−½), with J the
/// inertia that is lent and K the stiffness of the blocks. That is β²/(δ h) times their damping,
/// which forces at other velocities show without what loads do to a stiffness.
double Discrete::least_stiffness(const std::vector<int>& slots) {
  const auto n = static_cast<Eigen::Index>(6 * slots.size());
  const size_t first = 2 * g_.joints.size();
  Eigen::MatrixXd C(n, n), J = Eigen::MatrixXd::Zero(n, n);
  const auto forces = [&](int slot, int k, double size) {
    MotionRecord& m = motion_[slot];
    const MotionRecord kept = m;
    const Vec3 V = lane(pack(slot).V, slot), L = lane(pack(slot).L, slot);
    if (k < 3) {
      m.V += axis(k) * size;
      set_lane(pack(slot).V, slot, V + axis(k) * size);
    } else {
      const Vec3 &I = g_.bodies[slot].I, w = transposed_times(m.R, axis(k));
      m.w += axis(k) * size;
      set_lane(pack(slot).L, slot, L + m.R * Vec3{w.x * I.x, w.y * I.y, w.z * I.z} * size);
    }
    kernels_->joints(view_);
    std::fill_n(wrench_.begin() + static_cast<std::ptrdiff_t>(first), g_.bodies.size(),
                WrenchRecord{});
    read_joints(motion_, measured_);
    for (const RowBlock& row : gains_.rows()) apply_row(row);
    apply_conditions();
    Eigen::VectorXd out(n);
    for (size_t i = 0; i < slots.size(); ++i) {
      const Wrench<double> w = pulled(slots[i]);
      out.segment<6>(static_cast<Eigen::Index>(6 * i)) << w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z;
    }
    m = kept;
    set_lane(pack(slot).V, slot, V), set_lane(pack(slot).L, slot, L);
    return out;
  };
  for (size_t i = 0; i < slots.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    for (int k = 0; k < 6; ++k)
      C.col(at + k) = (forces(slots[i], k, -1) - forces(slots[i], k, 1)) / 2;
    const GraphBody& body = g_.bodies[slots[i]];
    const Ball& ball = body.lent;
    const Vec3 l = motion_[slots[i]].R * ball.at;
    Eigen::Matrix<double, 3, 6> v;  // velocity of the ball's centre
    v << 1, 0, 0, 0, l.z, -l.y, 0, 1, 0, -l.z, 0, l.x, 0, 0, 1, l.y, -l.x, 0;
    J.block<6, 6>(at, at) = ball.mass * v.transpose() * v;
    J.diagonal().segment<3>(at).array() += small / body.inverse_mass;
    J.diagonal().segment<3>(at + 3).array() += ball.inertia + small / body.largest_inverse_I();
  }
  const EigenPairs modes =
      symmetric_eigenvalues(h_ * gains_.stiffness_per_damping() * (C + C.transpose()) / 2, J);
  double least = 1;
  for (Eigen::Index i = 0; i < n; ++i)
    if (modes.values[i] > is_free) least = std::min(least, modes.values[i]);
  return least;
}

/// A held direction with the stiffness κ is stable if α < κ/2 (docs/theory/discrete.md).
void Discrete::pace_loans() {
  if (loans_.empty() || count_ % pace_every != 0) return;
  const std::vector<double> q = q_, u = u_;
  const std::vector<Wrench<double>> extra = extra_;
  const std::vector<Rotor> rotors = rotors_;
  const EnergyFlow<double> flow = power_;
  const std::vector<Slip> slips = slips_;
  for (Loan& first : loans_) {
    if (loans_[first.group].slot != first.slot) continue;
    std::vector<int> slots;
    for (const Loan& l : loans_)
      if (l.group == first.group) slots.push_back(l.slot);
    const double kappa = least_stiffness(slots);
    if (count_ == 0) first.kappa = kappa;
    if (kappa < near_lock * first.kappa) unled_ = first.slot;
    const double alpha = std::min(quickest, part_of_limit / 2 * kappa);
    for (Loan& l : loans_)
      if (l.group == first.group) l.alpha = alpha;
  }
  q_ = q, u_ = u, extra_ = extra, rotors_ = rotors, power_ = flow, slips_ = slips;
}

/// Of the half step before: orientations of both ends of that step.
Wrench<double> Discrete::lent_momentum(const Loan& loan) const {
  const Ball& ball = g_.bodies[loan.slot].lent;
  const Mat3& R = motion_[loan.slot].R;
  const Vec3 V = lane(pack(loan.slot).V, loan.slot), L = lane(pack(loan.slot).L, loan.slot);
  const Vec3 w = (angular_velocity(loan.slot, R, L) + angular_velocity(loan.slot, loan.R, L)) * 0.5;
  const Vec3 lever = (R * ball.at + loan.R * ball.at) * 0.5;
  return {w * ball.inertia, (V + cross(w, lever)) * ball.mass};
}

/// What the balls need at the start, from the accelerations of the tree: nothing has to settle.
void Discrete::open_loans(const StartState& start) {
  if (loans_.empty()) return;
  Workspace<double> tree(*m_);
  const Kinematics<double>& k =
      move(tree, start.t, start.q.data(), start.u.data(), start.state.data());
  const Accelerations<double>& a = accelerate(tree, k, load(tree, k));
  for (Loan& loan : loans_) {
    const GraphBody& body = g_.bodies[loan.slot];
    const Twist<double> A = a.exist ? acceleration(tree, a, body.inside) : Twist<double>{};
    const Twist<double>& V = k.body[body.inside].V;
    loan.once = {A.w * body.lent.inertia, (A.v + cross(V.w, V.v)) * body.lent.mass};
    loan.twice = loan.once;
  }
}

void Discrete::begin_loans() {
  for (Loan& loan : loans_) {
    loan.R = motion_[loan.slot].R;
    loan.momentum = lent_momentum(loan);
  }
}

void Discrete::follow_loans() {
  pace_loans();
  for (Loan& loan : loans_) {
    const Wrench<double> before = loan.momentum;
    loan.momentum = lent_momentum(loan);
    loan.R = motion_[loan.slot].R;
    const Wrench<double> rate = (loan.momentum + before * -1.0) * (1 / h_);  // (1)
    loan.twice += (loan.once + loan.twice * -1.0) * loan.alpha;              // (2)
    loan.once += (rate + loan.once * -1.0) * loan.alpha;
  }
}

void Discrete::give_back_loans() {
  for (const Loan& loan : loans_) {
    const auto s = static_cast<size_t>(loan.slot);
    const Ball& ball = g_.bodies[s].lent;
    const Vec3 f = loan.once.f * 2.0 - loan.twice.f - view_.gravity * ball.mass;  // (3)
    const Vec3 n = loan.once.n * 2.0 - loan.twice.n;
    WrenchRecord& w = wrench_[2 * g_.joints.size() + s];
    w.f += f;
    w.n += n + cross(motion_[s].R * ball.at, f);
  }
}

}  // namespace sarrus
