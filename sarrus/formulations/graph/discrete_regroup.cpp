#include "sarrus/formulations/graph/discrete_regroup.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "sarrus/joints/joint.hpp"
#include "sarrus/numerics/newton.hpp"

namespace sarrus {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

constexpr double enough = 1e-6;     // of mass and length of the whole: less is none
constexpr double least_aid = 1e-8;  // s at which the search for a start ends
constexpr int most_steps = 60;      // of Newton's method at one s
constexpr double centred = 1e-4;    // decrement: the centre need not be sharp
constexpr double least_share = 1e-12;

Sym3 diagonal(double x, double y, double z) { return {x, y, z, 0, 0, 0}; }

/// What may be moved across a joint (1), in the joint's frame with its axis along z: inertia of the
/// turns that it holds, mass where it holds a point, and moments of mass where both move along.
std::vector<BodyInertia<double>> movable(const SharingJoint& j) {
  std::vector<BodyInertia<double>> all;
  if (!j.may_share) return all;
  const JointFacts& facts = facts_of(j.kind);
  const bool holds_point = facts.point == HeldPoint::all && j.may_move_mass;
  if (facts.turn == HeldTurn::all)
    for (const Sym3& I : {diagonal(1, 0, 0), diagonal(0, 1, 0), diagonal(0, 0, 1),
                          Sym3{0, 0, 0, 1, 0, 0}, Sym3{0, 0, 0, 0, 1, 0}, Sym3{0, 0, 0, 0, 0, 1}})
      all.push_back({0, {}, I});
  if (facts.turn == HeldTurn::across) all.push_back({0, {}, diagonal(1, 1, 0)});
  if (!holds_point) return all;
  if (facts.turn == HeldTurn::all)
    for (const Vec3& c : {Vec3{1, 0, 0}, Vec3{0, 1, 0}}) all.push_back({0, c, {}});
  if (facts.turn == HeldTurn::all || facts.turn == HeldTurn::across)
    all.push_back({0, {0, 0, 1}, {}});
  all.push_back({1, {}, {}});
  return all;
}

Mat6 matrix(const BodyInertia<double>& B) {
  Mat6 M = Mat6::Zero();
  M.topLeftCorner<3, 3>() << B.I.xx, B.I.xy, B.I.xz, B.I.xy, B.I.yy, B.I.yz, B.I.xz, B.I.yz, B.I.zz;
  M.bottomRightCorner<3, 3>().diagonal().setConstant(B.m);
  Eigen::Matrix3d C;
  C << 0, -B.mc.z, B.mc.y, B.mc.z, 0, -B.mc.x, -B.mc.y, B.mc.x, 0;
  M.topRightCorner<3, 3>() = C;
  M.bottomLeftCorner<3, 3>() = C.transpose();
  return M;
}

/// (2), with masses and lengths in units of the whole.
class Centre {
 public:
  Centre(const std::vector<BodyInertia<double>>& bodies, const std::vector<int>& poor,
         std::span<const SharingJoint> joints, std::span<const Vec3> normals)
      : bodies_(bodies), joints_(joints), poor_(bodies.size(), 0), node_(bodies.size(), -1) {
    for (const int s : poor) poor_[s] = 1;
    set_units();
    for (size_t j = 0; j < joints_.size(); ++j)
      if (touches_poor(joints_[j])) add_joint(static_cast<int>(j), normals);
    for (const int s : poor) node_of(s, normals);
  }

  /// The amounts; empty where no start is found. `lacking`: the slots that stay poor.
  Regrouped run() {
    x_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(moves_.size()));
    double s = 1;
    while (s > 0) {
      climb(s);
      const double theta = smallest();
      if (theta > enough) break;
      if (s < least_aid) break;
      s = (s - 3 * std::min(theta, 0.0)) / 4;
    }
    Regrouped out = collected();
    for (size_t n = 0; n < nodes_.size(); ++n)
      if (!(smallest_of(n) > enough) && nodes_[n].slot > 0) out.lacking.push_back(nodes_[n].slot);
    if (!out.lacking.empty()) return out;
    climb(0);
    Regrouped best = collected();
    return best;
  }

 private:
  struct Term {
    int variable;
    Mat6 E;  // with its sign
  };
  struct Node {
    int slot = 0;  // 0: the world's stock at one joint
    Mat6 M;
    std::vector<Term> terms;
  };
  struct Move {
    int joint;
    BodyInertia<double> E;  // in the joint's frame
  };

  bool touches_poor(const SharingJoint& j) const { return poor_[j.a] || poor_[j.b]; }

  void set_units() {
    for (size_t s = 1; s < bodies_.size(); ++s) {
      const BodyInertia<double>& B = bodies_[s];
      mass_ += B.m;
      if (B.m > 0) length_ = std::max(length_, norm(B.mc) / B.m);
      if (B.m > 0) length_ = std::max(length_, std::sqrt((B.I.xx + B.I.yy + B.I.zz) / (2 * B.m)));
    }
    for (const SharingJoint& j : joints_)
      for (const Pose<double>* X : {&j.X_a, &j.X_b})
        if ((X == &j.X_a ? j.a : j.b) > 0) length_ = std::max(length_, norm(X->p));
    mass_ /= static_cast<double>(std::max<size_t>(1, bodies_.size() - 1));
    if (!(length_ > 0)) length_ = 1;
    if (!(mass_ > 0)) mass_ = 1;
  }

  /// Divided by the units.
  BodyInertia<double> scaled(const BodyInertia<double>& B) const {
    const double m = 1 / mass_, c = m / length_, i = c / length_;
    const Sym3& I = B.I;
    return {B.m * m, B.mc * c, {I.xx * i, I.yy * i, I.zz * i, I.xy * i, I.xz * i, I.yz * i}};
  }
  Pose<double> scaled(const Pose<double>& X) const { return {X.R, X.p * (1 / length_)}; }

  int node_of(int slot, std::span<const Vec3> normals) {
    int& n = node_[slot];
    if (n >= 0) return n;
    n = static_cast<int>(nodes_.size());
    BodyInertia<double> B = scaled(bodies_[slot]);
    if (!normals.empty()) {  // nothing turns out of the plane: inertia against it is for nothing
      const Vec3 z = normals[slot];
      B.I += {1 - z.x * z.x, 1 - z.y * z.y, 1 - z.z * z.z, -z.x * z.y, -z.x * z.z, -z.y * z.z};
    }
    nodes_.push_back({slot, matrix(B), {}});
    return n;
  }

  /// The world's stock at one joint: a ball of the mass and the size of the whole.
  int stock() {
    nodes_.push_back({0, matrix({1, {}, diagonal(1, 1, 1)}), {}});
    return static_cast<int>(nodes_.size()) - 1;
  }

  void add_joint(int index, std::span<const Vec3> normals) {
    const SharingJoint& j = joints_[index];
    const std::vector<BodyInertia<double>> all = movable(j);
    if (all.empty()) return;
    const int a = j.a == 0 ? stock() : node_of(j.a, normals),
              b = j.b == 0 ? stock() : node_of(j.b, normals);
    const Pose<double> X_a = j.a == 0 ? Pose<double>{} : scaled(j.X_a),
                       X_b = j.b == 0 ? Pose<double>{} : scaled(j.X_b);
    for (const BodyInertia<double>& E : all) {
      const int v = static_cast<int>(moves_.size());
      moves_.push_back({index, E});
      nodes_[a].terms.push_back({v, -matrix(moved(E, X_a))});
      nodes_[b].terms.push_back({v, matrix(moved(E, X_b))});
    }
  }

  Mat6 at(const Node& n, const Eigen::VectorXd& x) const {
    Mat6 M = n.M;
    for (const Term& t : n.terms) M += x[t.variable] * t.E;
    return M;
  }

  double smallest_of(size_t n) const {
    return Eigen::SelfAdjointEigenSolver<Mat6>(at(nodes_[n], x_), Eigen::EigenvaluesOnly)
        .eigenvalues()[0];
  }
  double smallest() const {
    double least = 1;
    for (size_t n = 0; n < nodes_.size(); ++n) least = std::min(least, smallest_of(n));
    return least;
  }

  /// The sum of (2), −∞ where some M is not positive.
  double value(const Eigen::VectorXd& x, double s) const {
    double sum = 0;
    for (const Node& n : nodes_) {
      const Eigen::LLT<Mat6> llt(at(n, x) + s * Mat6::Identity());
      const auto d = llt.matrixLLT().diagonal();
      if (llt.info() != Eigen::Success || !(d.minCoeff() > 0)) return -INFINITY;
      sum += 2 * d.array().log().sum();
    }
    return sum;
  }

  struct Ascent {
    Eigen::VectorXd dx;
    double decrement = 0;  // square of it; no number where there is no ascent
  };

  /// Newton's step: gradient tr(M⁻¹ E_i), Hessian −tr(M⁻¹ E_i M⁻¹ E_j).
  Ascent ascent(double s) const {
    const auto n = x_.size();
    Eigen::SparseMatrix<double> H(n, n);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(n);
    std::vector<Eigen::Triplet<double>> entries;
    for (const Node& node : nodes_) {
      const Eigen::LLT<Mat6> llt(at(node, x_) + s * Mat6::Identity());
      std::vector<Mat6> W;  // L⁻¹ E L⁻ᵀ
      for (const Term& t : node.terms) {
        const Mat6 half = llt.matrixL().solve(t.E);
        W.push_back(llt.matrixL().solve(half.transpose()));
        gradient[t.variable] += W.back().trace();
      }
      for (size_t i = 0; i < W.size(); ++i)
        for (size_t k = 0; k < W.size(); ++k)
          entries.emplace_back(node.terms[i].variable, node.terms[k].variable,
                               W[i].cwiseProduct(W[k]).sum());
    }
    H.setFromTriplets(entries.begin(), entries.end());
    // directions that move nothing stay where they are
    for (Eigen::Index i = 0; i < n; ++i) H.coeffRef(i, i) *= 1 + 1e-12;
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(H);
    if (solver.info() != Eigen::Success) return {{}, std::nan("")};
    const Eigen::VectorXd dx = solver.solve(gradient);
    return {dx, gradient.dot(dx)};
  }

  void climb(double s) {
    if (moves_.empty()) return;
    Ascent a;
    const auto judge = [&]() -> NewtonResidual {
      a = ascent(s);
      return {a.decrement, centred * centred};
    };
    const auto step = [&] {
      const double now = value(x_, s);
      const double length = halved(1, least_share, [&](double share) {
        return value(x_ + share * a.dx, s) >= now + 0.1 * share * a.decrement;
      });
      if (length == 0) return NewtonStep::uphill;
      x_ += length * a.dx;
      return NewtonStep::taken;
    };
    newton({most_steps}, judge, step);  // wherever it ends, this is the best division found
  }

  Regrouped collected() const {
    Regrouped out{bodies_, std::vector<BodyInertia<double>>(joints_.size()), {}};
    for (size_t v = 0; v < moves_.size(); ++v) {
      const BodyInertia<double>& E = moves_[v].E;
      const double x = x_[static_cast<Eigen::Index>(v)] * mass_;
      const BodyInertia<double> amount{
          E.m * x, E.mc * (x * length_),
          (BodyInertia<double>{0, {}, E.I} * (x * length_ * length_)).I};
      const auto index = static_cast<size_t>(moves_[v].joint);
      out.given[index] = out.given[index] + amount;
    }
    for (size_t i = 0; i < joints_.size(); ++i) {
      const SharingJoint& j = joints_[i];
      const auto a = static_cast<size_t>(j.a), b = static_cast<size_t>(j.b);
      if (j.a > 0) out.bodies[a] = out.bodies[a] + moved(out.given[i] * -1, j.X_a);
      if (j.b > 0) out.bodies[b] = out.bodies[b] + moved(out.given[i], j.X_b);
    }
    return out;
  }

  const std::vector<BodyInertia<double>>& bodies_;
  std::span<const SharingJoint> joints_;
  std::vector<char> poor_;
  std::vector<int> node_;  // of each slot; −1: it takes no part
  double mass_ = 0, length_ = 0;
  std::vector<Node> nodes_;
  std::vector<Move> moves_;
  Eigen::VectorXd x_;
};

}  // namespace

BodyInertia<double> operator+(const BodyInertia<double>& A, const BodyInertia<double>& B) {
  return {A.m + B.m, A.mc + B.mc, A.I + B.I};
}

BodyInertia<double> operator*(const BodyInertia<double>& A, double x) {
  const Sym3& I = A.I;
  return {A.m * x, A.mc * x, {I.xx * x, I.yy * x, I.zz * x, I.xy * x, I.xz * x, I.yz * x}};
}

BodyInertia<double> moved(const BodyInertia<double>& E, const Pose<double>& X) {
  const Vec3 mc = X.R * E.mc, p = X.p;
  const Mat3 I = X.R * E.I.full() * transpose(X.R);
  // −[p]×[mc]× − [mc]×[p]× − m [p]×[p]×
  const double d = 2 * dot(p, mc) + E.m * dot(p, p);
  const auto pair = [&](int i, int k) { return p[i] * mc[k] + mc[i] * p[k] + E.m * p[i] * p[k]; };
  return {E.m, mc + p * E.m,
          Sym3{I.x.x + d - pair(0, 0), I.y.y + d - pair(1, 1), I.z.z + d - pair(2, 2),
               (I.y.x + I.x.y) / 2 - pair(0, 1), (I.z.x + I.x.z) / 2 - pair(0, 2),
               (I.z.y + I.y.z) / 2 - pair(1, 2)}};
}

Regrouped regroup(std::vector<BodyInertia<double>> bodies, const std::vector<int>& poor,
                  std::span<const SharingJoint> joints, std::span<const Vec3> normals) {
  return Centre(bodies, poor, joints, normals).run();
}

}  // namespace sarrus
