#include "sarrus/formulations/assembly/contradiction.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/assembly/closing.hpp"
#include "sarrus/numerics/dense/qr.hpp"

namespace sarrus {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double depends = 1e-3;  // part of a row independent of the others, relative

void add(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

}  // namespace

std::string Opponents::words() const {
  std::vector<std::string> all = closures;
  for (const std::string& m : motions) all.push_back("the motion of " + m);
  std::string text;
  for (size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
  return text;
}

Opponents opponents(const Places<double>& k, const LoopRows<double>& loops, int row) {
  const Mechanism& m = *k.mechanism;
  const auto rows = static_cast<size_t>(loops.size()), nu = static_cast<size_t>(m.nu);
  if (rows * nu > most_row_entries) return {};
  RowMatrix G(rows, nu);
  loop_jacobian(k, loops, G.data());
  std::vector<int> free, given, others;
  for (int b = 1; b < m.nb; ++b)
    for (int u = m.u0[b]; u < m.u0[b + 1]; ++u) (m.prescribed[b] ? given : free).push_back(u);
  for (int r = 0; r < loops.size(); ++r)
    if (r != row) others.push_back(r);

  Opponents found;
  Eigen::VectorXd rest = G.row(row);  // (1)
  if (!others.empty() && !free.empty()) {
    const RowMatrix A = G(others, free).transpose();
    const Eigen::VectorXd g = G(row, free).transpose();
    const Eigen::VectorXd y = least_squares(A, g);
    if ((A * y - g).norm() > depends * (g.norm() + 1e-300)) return {};
    for (size_t i = 0; i < others.size(); ++i) {
      const double part = y[static_cast<Eigen::Index>(i)];
      rest -= part * G.row(others[i]).transpose();
      const int own = m.closure_rows[row].closure, closure = m.closure_rows[others[i]].closure;
      if (closure != own &&
          std::fabs(part) * G.row(others[i]).norm() > named_share * (G.row(row).norm() + 1e-300))
        add(found.closures, called(m.closures[closure]));
    }
  }
  for (const int u : given)
    if (std::fabs(rest[u]) > named_share * G.row(row).norm())
      for (int b = 1; b < m.nb; ++b)
        if (u >= m.u0[b] && u < m.u0[b + 1])
          if (const JointInfo* j = m.joint_of_body(b))
            add(found.motions, "joint '" + j->name + "'");
  return found;
}

}  // namespace sarrus
