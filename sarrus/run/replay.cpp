#include "sarrus/run/replay.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

namespace sarrus {

Replay::Replay(const Mechanism& mechanism, const std::vector<Column>& columns)
    : m_(&mechanism),
      w_(mechanism),
      now_(mechanism),
      q_(mechanism.start.q),
      u_(mechanism.start.u),
      wrench_(static_cast<size_t>(mechanism.nb)) {
  std::unordered_map<std::string, int> index;
  for (size_t i = 0; i < columns.size(); ++i) index[columns[i].name] = static_cast<int>(i);
  const auto column = [&](const std::string& name) {
    const auto found = index.find(name);
    return found == index.end() ? -1 : found->second;
  };
  for (int i = 0; i < mechanism.nq; ++i) {
    q_columns_.push_back(column(mechanism.coordinate_name(i)));
    if (q_columns_.back() < 0)
      throw Error(Fault::io,
                  Diagnostic{.code = "other-model",
                             .element = mechanism.coordinate_name(i),
                             .message = "the result has no column for this coordinate of the model",
                             .hint = "the model beside the result is not the one that was run"});
  }
  for (int i = 0; i < mechanism.nu; ++i) u_columns_.push_back(column(mechanism.velocity_name(i)));
}

void Replay::set(std::span<const double> row) {
  for (size_t i = 0; i < q_columns_.size(); ++i) q_[i] = row[q_columns_[i]];
  for (size_t i = 0; i < u_columns_.size(); ++i) u_[i] = u_columns_[i] < 0 ? 0 : row[u_columns_[i]];
  move_to(row[0], q_, u_);
}

void Replay::set_start(double t) { move_to(t, m_->start.q, m_->start.u); }

void Replay::move_to(double t, const std::vector<double>& q, const std::vector<double>& u) {
  const Kinematics<double>& k = move(w_, t, q.data(), u.data(), m_->start_state.data());
  take(now_, k, load(w_, k));
}

Pose<double> Replay::body_pose(size_t i) const {
  const BodyInfo& info = m_->bodies[i];
  const BodyMotion<double>& b = now_.body[info.body];
  return Pose<double>{b.R, b.o} * info.X_BC;
}

/// The wrenches of one element, as if there were no other.
template <class Element>
const std::vector<Wrench<double>>& Replay::alone(const Element& element) {
  EnergyFlow<double> flow;
  ForceContext<double> context = now_.force_context();
  context.wrench = wrench_.data();
  context.flow = &flow;
  element.apply(context);
  return wrench_;
}

double Replay::tension(size_t spring) {
  const PointSpring<double>& s = m_->numbers.forces.point_springs[spring];
  const Vec3 from = point_motion(now_.body[s.a], s.at_a).position;
  const Vec3 to = point_motion(now_.body[s.b], s.at_b).position;
  wrench_[s.a] = wrench_[s.b] = {};
  // both ends on one body add to nothing; they are at rest to each other
  const Vec3 force = alone(s)[s.a].f;
  const Vec3 d = to - from;
  const double L = std::sqrt(dot(d, d));
  return L > 0 ? dot(force, d) / L : 0;
}

Load Replay::applied(size_t force) {
  const AppliedForce<double>& f = m_->numbers.forces.applied[force];
  wrench_[f.body] = {};
  const Wrench<double> w = alone(f)[f.body];
  const Vec3 lever = point_motion(now_.body[f.body], f.at).lever;
  return {w.f, w.n - cross(lever, w.f)};
}

}  // namespace sarrus
