// Reactions of elastic bodies, held against what their deformation says.
//
// A beam in two bearings is bent by what the bearings do to it. Its section forces follow from its
// elastic coordinates, reactions from the rows of loops and from how redundant ones were shared: two
// ways to the same forces. Over each function k of the body
//
//   Σ F_s · Y_sk = (K q + D q̇)_k + (M q̈ + h)_k                                              (1)
//
// on the left the work of all that sits on it, forces and the reactions of joints as the rows show
// them, on the right that of its section forces and of its inertia. Reactions that were shared among
// joints as if the body were rigid do not satisfy (1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/index.hpp"
#include "sarrus/formulations/snapshot.hpp"
#include "sarrus/verify/audit.hpp"

namespace sarrus {
namespace {

constexpr double reaction_limit = 1e-7;  // relative: rows have all digits of their state
constexpr int rows_looked_at = 9;

double work_of(const Twist<double>& V, const Wrench<double>& F) {
  return dot(V.w, F.n) + dot(V.v, F.f);
}

/// One row of a run: what sits on the seats of elastic bodies, in world axes.
class SeatedForces {
 public:
  SeatedForces(const Mechanism& m, const Trajectory& rows, int row)
      : m_(m),
        rows_(rows),
        row_(row),
        state_(state_in_row(m, rows, row)),
        w_(m),
        now_(snapshot_at(m, state_)) {
    const Kinematics<double>& k =
        move(w_, state_.t, state_.q.data(), state_.u.data(), state_.state.data());
    wrench_ = load(w_, k).wrench;
    if (wrench_.empty()) wrench_.assign(at(m.nb), {});
  }

  /// Whether the rows have the reactions of all joints.
  bool is_known() {
    for (const JointInfo& j : m_.joints) {
      Wrench<double> W{};
      if (!reaction_of(j, W)) return false;
      const BodyMotion<double>& child = now_.body[j.child];
      const Vec3 point = child.o + child.R * j.X_child.p;
      put(j.child, point, W, 1), put(j.parent, point, W, -1);
    }
    for (size_t i = 0; i < m_.closures.size(); ++i) {
      const Closure& c = m_.closures[i];
      if (!c.of.empty()) return false;  // couplings act on coordinates
      if (c.joint >= 0) continue;       // in the columns of its joint
      const BodyMotion<double>& b = now_.body[c.b];
      put(c.b, b.o + b.R * c.X_B.p, now_.closing[i], 1);
      put(c.a, b.o + b.R * c.X_B.p, now_.closing[i], -1);
    }
    return true;
  }

  /// What (1) leaves over, of the largest force in it.
  double left_over(const ElasticInfo& e) const {
    const size_t n = at(e.n);
    const double *q = state_.q.data() + e.q0, *qdot = state_.u.data() + e.u0;
    const BodyMotion<double>& frame = now_.body[e.frame];
    const auto inside = [&](const Twist<double>& V) {
      return Twist<double>{transposed_times(frame.R, V.w), transposed_times(frame.R, V.v)};
    };
    std::vector<Wrench<double>> coupling(n);
    std::vector<double> mass(n * n), bias(n);
    std::vector<Vec3> scratch(n);
    ElasticInertia<double> inertia{{}, coupling.data(), mass.data()};
    elastic_inertia(*e.numbers, q, inertia, scratch.data());
    Wrench<double> on_frame{};
    elastic_bias(*e.numbers, q, qdot, inside(frame.V), on_frame, bias.data(), scratch.data());
    const Twist<double> A = inside(now_.acceleration[e.frame]);

    std::vector<double> left(n), size(n);
    const auto add = [&](size_t k, double x) { left[k] += x, size[k] += std::fabs(x); };
    for (size_t k = 0; k < n; ++k) {
      add(k, work_of(A, coupling[k])), add(k, bias[k]);
      for (size_t l = 0; l < n; ++l) {
        add(k, mass[k * n + l] * now_.udot[at(e.u0) + l]);
        add(k, e.numbers->K[k * n + l] * q[l]);
        if (!e.numbers->D.empty()) add(k, e.numbers->D[k * n + l] * qdot[l]);
      }
    }
    std::vector<Twist<double>> column(n);
    for (const SeatInfo& seat : m_.seats) {
      if (&m_.elastic[seat.elastic] != &e) continue;
      Vec3 r{};
      Mat3 E{};
      place_elastic(seat.place, e.n, q, r, E, column.data());
      const Wrench<double>& F = wrench_[seat.body];
      const Wrench<double> in_B{transposed_times(frame.R, F.n), transposed_times(frame.R, F.f)};
      for (size_t k = 0; k < n; ++k) add(k, -work_of(column[k], in_B));
    }
    double most = 0, largest = 0;
    for (size_t k = 0; k < n; ++k)
      most = std::max(most, std::fabs(left[k])), largest = std::max(largest, size[k]);
    return largest > 0 ? most / largest : 0;
  }

 private:
  /// On the child, at the joint's frame there.
  bool reaction_of(const JointInfo& j, Wrench<double>& W) const {
    double six[6];
    const char* parts[] = {".fx", ".fy", ".fz", ".nx", ".ny", ".nz"};
    for (size_t i = 0; i < 6; ++i) {
      const int c = rows_.column(j.name + parts[i]);
      if (c < 0) return false;
      six[i] = rows_.row(row_)[at(c)];
    }
    const Mat3 R = now_.body[j.child].R * j.X_child.R;
    W = {R * Vec3{six[3], six[4], six[5]}, R * Vec3{six[0], six[1], six[2]}};
    return true;
  }
  void put(int body, const Vec3& point, const Wrench<double>& W, double sign) {
    const Wrench<double> moved = shifted_in(W, point - now_.body[body].o);
    wrench_[at(body)] += Wrench<double>{moved.n * sign, moved.f * sign};
  }

  const Mechanism& m_;
  const Trajectory& rows_;
  int row_;
  StartState state_;
  Workspace<double> w_;
  Snapshot now_;
  std::vector<Wrench<double>> wrench_;  // per body, at its origin
};

}  // namespace

std::vector<Audit> audit_reactions(const Mechanism& m, const Trajectory& rows,
                                   const std::string& name) {
  if (m.elastic.empty() || m.seats.empty() || rows.rows() == 0) return {};
  Audit found{"reactions against section forces", name, 0, reaction_limit, true, false, ""};
  for (int i = 0; i < rows_looked_at; ++i) {
    const int r = (rows.rows() - 1) * i / (rows_looked_at - 1);
    SeatedForces forces(m, rows, r);
    if (!forces.is_known()) return {};
    for (const ElasticInfo& e : m.elastic) {
      const double left = forces.left_over(e);
      if (!(left > found.value)) continue;
      found.value = left;
      found.detail = fmt::format("what sits on '{}' does not bend it as it is bent, at {:.4g} s",
                                 e.name, rows.row(r)[0]);
    }
  }
  found.passed = found.value <= found.limit;
  if (found.passed) found.detail.clear();
  return {found};
}

}  // namespace sarrus
