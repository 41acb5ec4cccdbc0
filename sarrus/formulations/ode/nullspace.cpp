#include "sarrus/formulations/ode/nullspace.hpp"

#include "sarrus/numerics/dense/svd.hpp"
#include "sarrus/numerics/dense/triangular.hpp"

namespace sarrus {
namespace {

// relative to the largest singular value, the sine of an angle: where LoopFactors leaves a row out,
// and not nearer to a singular position, where rounding would decide which way the motion goes on
constexpr double rank_tolerance = 3e-6;

}  // namespace

struct Nullspace::Room {
  std::vector<int> free;  // velocities that no motion prescribes
  std::vector<double> given, tau, jacobian, mass;
  Eigen::MatrixXd G, M, T;
  Eigen::VectorXd gamma, force, scale, particular;
  int freedoms = 0;
};

Nullspace::Nullspace(const Mechanism& m) : room_(std::make_unique<Room>()) {
  const auto nu = static_cast<size_t>(m.nu);
  for (int u = 0; u < m.nu; ++u)
    if (!m.prescribed[m.body_of_velocity(u)]) room_->free.push_back(u);
  room_->given.assign(nu, 0), room_->tau.assign(nu, 0);
  room_->jacobian.assign(m.closure_rows.size() * nu, 0);
  room_->mass.assign(nu * nu, 0);
}

Nullspace::~Nullspace() = default;

int Nullspace::freedoms() const { return room_->freedoms; }

void Nullspace::accelerations(Workspace<double>& workspace, const Kinematics<double>& k,
                              const Forces<double>& f, double* udot) {
  Room& w = *room_;
  const Mechanism& m = *k.mechanism;
  const auto n = static_cast<Eigen::Index>(w.free.size());
  const auto rows = static_cast<Eigen::Index>(m.closure_rows.size());
  const auto nu = static_cast<size_t>(m.nu);

  // h − τ and Ġ u with the free joints standing still and the prescribed ones as they move
  w.given = k.given;
  for (const int u : w.free) w.given[u] = 0;
  const BodyAccelerations<double>& still =
      inverse_dynamics(workspace, k, f, w.given.data(), w.tau.data());
  const LoopRows<double>& placed = place_loops(workspace, k);
  w.gamma.resize(rows);
  for (Eigen::Index r = 0; r < rows; ++r)
    w.gamma[r] = -placed.acceleration(static_cast<int>(r), still.A.data(), w.given.data());
  loop_jacobian(k, placed, w.jacobian.data());
  mass_matrix(workspace, k, w.mass.data());

  w.G.resize(rows, n), w.M.resize(n, n), w.force.resize(n), w.scale.resize(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto u = static_cast<size_t>(w.free[j]);
    for (Eigen::Index r = 0; r < rows; ++r) w.G(r, j) = w.jacobian[static_cast<size_t>(r) * nu + u];
    for (Eigen::Index i = 0; i < n; ++i)
      w.M(i, j) = w.mass[u * nu + static_cast<size_t>(w.free[i])];
    w.force[j] = -w.tau[u];
    w.scale[j] = 1 / std::sqrt(w.M(j, j));
  }
  // velocities scaled by their masses, so that metres and radians compare
  w.G = w.G * w.scale.asDiagonal();
  w.M = w.scale.asDiagonal() * w.M * w.scale.asDiagonal();
  w.force = w.scale.cwiseProduct(w.force);

  const Svd svd = jacobi_svd(w.G, Eigen::ComputeThinU | Eigen::ComputeFullV);
  w.particular = svd.solve(w.gamma, rank_tolerance);
  w.freedoms = static_cast<int>(n - svd.rank(rank_tolerance));
  w.T = svd.V.rightCols(w.freedoms);
  const Eigen::VectorXd reduced =
      solve_ldlt(w.T.transpose() * w.M * w.T, w.T.transpose() * (w.force - w.M * w.particular));
  const Eigen::VectorXd x = w.scale.cwiseProduct(w.particular + w.T * reduced);  // (1)
  std::copy(w.given.begin(), w.given.end(), udot);
  for (Eigen::Index j = 0; j < n; ++j) udot[w.free[j]] = x[j];
}

}  // namespace sarrus
