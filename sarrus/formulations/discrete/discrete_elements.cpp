#include "sarrus/formulations/discrete/discrete_elements.hpp"

#include <algorithm>

namespace sarrus {

void place_bodies(const DiscreteGraph& graph, const std::vector<MotionRecord>& motion,
                  std::vector<BodyMotion<double>>& placed) {
  for (size_t s = 1; s < graph.bodies.size(); ++s) {
    const GraphBody& body = graph.bodies[s];
    const MotionRecord& C = motion[s];
    const Mat3 R = C.R * transpose(body.X_BC.R);
    const Vec3 lever = R * body.X_BC.p;
    placed[body.inside] = {R, C.P - lever, {C.w, C.V - cross(C.w, lever)}};
  }
}

DiscreteElements::DiscreteElements(const Mechanism& m, const DiscreteGraph& graph,
                                   const DiscreteScheme& scheme)
    : m_(&m),
      g_(&graph),
      extrapolates_(scheme.second_order_damping && scheme.leapfrog),
      state_(m.start_state),
      rate_(state_.size()),
      rate_before_(state_.size()),
      normal_(m.nb),
      V_before_(graph.bodies.size()),
      L_before_(graph.bodies.size()),
      placed_(m.nb),
      tau_(m.start.u.size()),
      pull_(m.nb) {
  placed_[0].R = Mat3::identity();
  exist_ = m.ns > 0;
  std::vector<char> driven(graph.joints.size(), 0);
  const auto own = [&](int u) { return owner_of_velocity(m, graph, u).joint; };
  ForceSet<double>::each(m.numbers.forces, [&](const auto& list) {
    for (const auto& element : list) {
      exist_ = true;
      if constexpr (requires { element.u; }) driven[own(element.u)] = 1;
    }
  });
  for (size_t j = 0; j < driven.size(); ++j)
    if (driven[j]) driven_.push_back(static_cast<int>(j));
  for (const JointFriction<double>& f : m.numbers.forces.frictions)
    if (f.coefficient > 0) rubbing_.push_back({own(f.u), f.body});
}

void DiscreteElements::begin(const std::vector<double>& state, const DiscreteBodies& bodies) {
  state_ = state;
  for (int s = 1; s < bodies.slots(); ++s) {
    V_before_[s] = bodies[s].V;
    L_before_[s] = bodies.L(s);
  }
}

const std::vector<double>& DiscreteElements::formulas(Workspace<double>& w,
                                                      const DiscreteClock& clock,
                                                      const DiscreteCoordinates& at,
                                                      const DiscreteBodies& bodies) {
  place_bodies(*g_, bodies.motion(), placed_);
  return load_at(w, clock.time(), at).formula;
}

void DiscreteElements::keep_velocities(const DiscreteBodies& bodies) {
  if (!extrapolates_) return;
  for (int s = 1; s < bodies.slots(); ++s) {
    V_before_[s] = bodies.V(s);
    L_before_[s] = bodies.L(s);
  }
}

void DiscreteElements::move(double h) {
  for (size_t i = 0; i < state_.size(); ++i)
    state_[i] += h * (1.5 * rate_[i] - 0.5 * rate_before_[i]);
  rate_before_ = rate_;
}

const Forces<double>& DiscreteElements::apply(Workspace<double>& w, const DiscreteClock& clock,
                                              DiscreteCoordinates& at, DiscreteBodies& bodies,
                                              EnergyFlow<double>& flow) {
  extrapolate(bodies);
  at.read_measured(seen_);
  place_bodies(*g_, seen_, placed_);
  read_reactions(bodies);
  const Forces<double>& forces = load_over_kick(w, clock, at, flow);
  own_flow_ = flow;
  push_joints(at, bodies);
  push_bodies(bodies);
  return forces;
}

/// Velocities at this instant from those of half a step and one and a half steps ago: dampers stay
/// of second order. Where they are strong the half-step velocities serve, which are stable longer.
void DiscreteElements::extrapolate(const DiscreteBodies& bodies) {
  seen_ = bodies.motion();
  if (!extrapolates_) return;
  for (int s = 1; s < bodies.slots(); ++s) {
    const Vec3 V = bodies.V(s), L = bodies.L(s);
    seen_[s].V = V + (V - V_before_[s]) * 0.5;
    seen_[s].w = bodies.angular_velocity(s, seen_[s].R, L + (L - L_before_[s]) * 0.5);
  }
}

/// What friction rubs on: the force in the joint's block, across its axis.
void DiscreteElements::read_reactions(const DiscreteBodies& bodies) {
  for (const Rubbing& r : rubbing_) {
    const GraphJoint& j = g_->joints[r.joint];
    const Vec3 force = bodies.on_a(r.joint).f, axis = bodies[j.a].R * j.X_a.R.z;
    normal_[r.body] = norm(force - axis * dot(axis, force));
  }
}

// ── over a kick ─────────────────────────────────────────────────────────────────────────────────
//
// A kick by F_k stands for the time from t_k − h/2 to t_k + h/2; the first one, half of which is
// turned back, for that from the start on. Where inputs break in it, at b₁, b₂ … in units of h,
//
//   F_k = Σ_i (b_i+1 − b_i) F(middle of b_i and b_i+1) / Σ_i (b_i+1 − b_i)                 (12)
//
// so that no impulse is lost, however short it is, and the second order stays where forces jump.

const Forces<double>& DiscreteElements::load_at(Workspace<double>& w, double t,
                                                const DiscreteCoordinates& at) {
  return load(w, take_bodies(w, t, at.q.data(), at.u.data(), state_.data(), placed_.data()),
              normal_.data());
}

/// Leaves τ, pulls and rates over the kick; formulas are those at its middle.
const Forces<double>& DiscreteElements::load_over_kick(Workspace<double>& w,
                                                       const DiscreteClock& clock,
                                                       const DiscreteCoordinates& at,
                                                       EnergyFlow<double>& flow) {
  const auto k = static_cast<double>(clock.count);
  const double from = clock.count == 0 ? k : k - 0.5, to = k + 0.5;
  const bool breaks = clock.breaks_within(from, to);
  if (breaks) average_over_kick(w, clock, from, to, at, flow);
  const Forces<double>& f = load_at(w, clock.time(), at);
  if (breaks) return f;
  flow = f.flow;
  std::copy(f.tau.begin(), f.tau.end(), tau_.begin());
  std::copy(f.wrench.begin(), f.wrench.end(), pull_.begin());
  std::copy_n(f.state_rate.begin(), state_.size(), rate_.begin());
  return f;
}

/// The bodies have been pushed by the kick as it was: what is missing is the difference.
void DiscreteElements::change_over(Workspace<double>& w, const DiscreteClock& clock,
                                   const DiscreteCoordinates& at, DiscreteBodies& bodies,
                                   EnergyFlow<double>& flow) {
  const Forces<double>& f = load_at(w, clock.time(), at);
  for (size_t i = 0; i < tau_.size(); ++i) tau_[i] = f.tau[i] - tau_[i];
  for (size_t i = 0; i < pull_.size(); ++i) pull_[i] = f.wrench[i] - pull_[i];
  for (size_t i = 0; i < rate_.size(); ++i) rate_[i] = (f.state_rate[i] + rate_[i]) / 2;
  push_joints(at, bodies);
  push_bodies(bodies);
  flow.dissipated += f.flow.dissipated - own_flow_.dissipated;
  flow.drive += f.flow.drive - own_flow_.drive;
  flow.external += f.flow.external - own_flow_.external;
}

void DiscreteElements::take_back_half(const DiscreteCoordinates& at, DiscreteBodies& bodies) {
  for (double& x : tau_) x *= -0.5;
  for (Wrench<double>& x : pull_) x = x * -0.5;
  push_joints(at, bodies);
  push_bodies(bodies);
}

/// (12)
void DiscreteElements::average_over_kick(Workspace<double>& w, const DiscreteClock& clock,
                                         double from, double to, const DiscreteCoordinates& at,
                                         EnergyFlow<double>& flow) {
  std::fill(tau_.begin(), tau_.end(), 0.0);
  std::fill(pull_.begin(), pull_.end(), Wrench<double>{});
  std::fill(rate_.begin(), rate_.end(), 0.0);
  double begin = from;
  const auto add = [&](double end) {
    const double share = (end - begin) / (to - from);
    const Forces<double>& f = load_at(w, clock.at((begin + end) / 2), at);
    for (size_t i = 0; i < tau_.size(); ++i) tau_[i] += share * f.tau[i];
    for (size_t i = 0; i < pull_.size(); ++i) pull_[i] += f.wrench[i] * share;
    for (size_t i = 0; i < rate_.size(); ++i) rate_[i] += share * f.state_rate[i];
    flow.dissipated += share * f.flow.dissipated;
    flow.drive += share * f.flow.drive;
    flow.external += share * f.flow.external;
    begin = end;
  };
  for (const double b : clock.breaks)
    if (b > begin && b < to) add(b);
  add(to);
}

/// Forces of elements on joints.
void DiscreteElements::push_joints(const DiscreteCoordinates& at, DiscreteBodies& bodies) const {
  for (const int index : driven_) {
    const GraphJoint& j = g_->joints[index];
    const JointPose pose = joint_pose(j, bodies[j.a], bodies[j.b]);
    bodies.push_pair(index, pose, joint_force(j, pose, at.q_of(j), tau_.data() + m_->u0[j.body]));
  }
}

/// Forces of elements on bodies, from their origins to their centres of mass.
void DiscreteElements::push_bodies(DiscreteBodies& bodies) const {
  if (!m_->numbers.forces.has_spatial()) return;
  for (int s = 1; s < bodies.slots(); ++s) {
    const int b = g_->bodies[s].inside;
    bodies.push(s, pull_[b].f, pull_[b].n + cross(placed_[b].o - bodies[s].P, pull_[b].f));
  }
}

}  // namespace sarrus
