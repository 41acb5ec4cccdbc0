// What comes and goes during a run of the discrete formulation: joints that engage and release,
// bodies that touch.
//
// Nothing is solved from step to step, so that anything may change between two of them; the error
// of a switch is of the order of the step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/discrete/discrete.hpp"

namespace sarrus {
namespace {

constexpr double closing_speed = 0.1;  // [m/s]
constexpr double closing_turn = 1;     // [rad/s]
constexpr double closed = 1e-6;        // [m], [rad]: such a joint need not be captured
constexpr double deep = 0.05;          // of the smaller solid: an overlap that is no touching

/// `from` moved towards `to`, by no more than that.
Pose<double> towards(const Pose<double>& from, const Pose<double>& to, double way, double turn) {
  Pose<double> next = to;
  const Vec3 d = to.p - from.p;
  if (const double n = norm(d); n > way) next.p = from.p + d * (way / n);
  const Vec3 xi = rotation_log(quaternion(transpose(from.R) * to.R));
  if (const double n = norm(xi); n > turn) next.R = from.R * rotation_exp(xi * (turn / n));
  return next;
}

bool same(const Pose<double>& a, const Pose<double>& b) {
  const Mat3 D = a.R - b.R;
  return norm(a.p - b.p) == 0 && dot(D.x, D.x) + dot(D.y, D.y) + dot(D.z, D.z) == 0;
}

}  // namespace

// ── joints ──────────────────────────────────────────────────────────────────────────────────────

/// Engages and releases as the formulas say. On engaging, the frame on A is put where B is, so that
/// the joint is not open; one that closes then carries it to its own place.
void Discrete::work_switches(const std::vector<double>& formula) {
  for (Switch& s : switches_) {
    GraphJoint& j = g_.joints[s.joint];
    const JointInfo& info = m_->joints[j.joint];
    const bool wanted = formula[info.active] > 0;
    if (wanted && !s.holds) {
      const MotionRecord &A = motion_[j.a], &B = motion_[j.b];
      j.X_a = inverse(Pose<double>{A.R, A.P}) * Pose<double>{B.R, B.P} * j.X_b;
    } else if (wanted == s.holds && (!s.holds || info.captures || same(j.X_a, s.X_a))) {
      continue;
    } else if (wanted) {
      j.X_a = towards(j.X_a, s.X_a, closing_speed * h_, closing_turn * h_);
    }
    s.holds = wanted;
    fill_lane(s.joint, wanted);
  }
}

/// At the start a joint that holds and is closed stays in its own place.
void Discrete::set_switches() {
  if (switches_.empty()) return;
  put_bodies(motion_);
  const Bodies<double>& bodies =
      take_bodies(w_, start_, q_.data(), u_.data(), state_.data(), placed_.data());
  const Forces<double>& forces = load(w_, bodies, normal_.data());
  for (Switch& s : switches_) {
    GraphJoint& j = g_.joints[s.joint];
    j.X_a = s.X_a;
    const JointPose pose = joint_pose(j, motion_[j.a], motion_[j.b]);
    s.holds = joint_gap(j, pose) < closed && joint_misalignment(j, pose) < closed;
    fill_lane(s.joint, s.holds);
  }
  work_switches(forces.formula);
}

/// A joint that takes hold of moving bodies is a blow that takes energy: the work of its block is
/// booked, F · h (V_k−½ + V_k+½)/2 for a kick by F.
void Discrete::keep_grips() {
  for (size_t i = 0; i < switches_.size(); ++i) {
    const auto index = static_cast<size_t>(switches_[i].joint);
    const GraphJoint& j = g_.joints[index];
    const MotionRecord &A = motion_[j.a], &B = motion_[j.b];
    grips_[i] = {wrench_[2 * index], wrench_[2 * index + 1], A.V, A.w, B.V, B.w};
  }
}

void Discrete::book_grips() {
  for (size_t i = 0; i < switches_.size(); ++i) {
    const GraphJoint& j = g_.joints[switches_[i].joint];
    const MotionRecord &A = motion_[j.a], &B = motion_[j.b];
    const Grip& g = grips_[i];
    ledger_.dissipated -= h_ / 2 *
                          (dot(g.on_a.f, g.V_a + A.V) + dot(g.on_a.n, g.w_a + A.w) +
                           dot(g.on_b.f, g.V_b + B.V) + dot(g.on_b.n, g.w_b + B.w));
  }
}

// ── contact ─────────────────────────────────────────────────────────────────────────────────────

Pose<double> Discrete::solid_pose(const Solid& s) const {
  const BodyMotion<double>& b = placed_[s.body];
  return Pose<double>{b.R, b.o} * s.X_BS;
}

void Discrete::apply_contacts() {
  std::array<Touch, most_points> touches;
  const size_t first = 2 * g_.joints.size();
  const double h = count_ == 0 ? 0 : h_;
  for (size_t i = 0; i < m_->contact_pairs.size(); ++i) {
    const ContactPair& pair = m_->contact_pairs[i];
    const Solid &one = m_->solids[pair.first], &two = m_->solids[pair.second];
    const int n = find_touches(one, solid_pose(one), two, solid_pose(two), touches);
    std::array<bool, most_points> touched{};
    for (int k = 0; k < n; ++k) {
      const Touch& t = touches[k];
      const auto speed = [&](int body) {
        const BodyMotion<double>& b = placed_[body];
        return b.V.v + cross(b.V.w, t.at - b.o);
      };
      const ContactForce f =
          contact_force(m_->contact_laws[pair.law], t, speed(one.body) - speed(two.body), h,
                        sticks_[first_stick_[i] + t.point]);
      touched[t.point] = true;
      power_.dissipated += f.absorbed;
      const auto push = [&](int body, const Vec3& force) {
        const auto s = static_cast<size_t>(g_.slot[body]);
        wrench_[first + s].f += force;
        wrench_[first + s].n += cross(t.at - motion_[s].P, force);
      };
      push(one.body, f.force);
      push(two.body, -f.force);
    }
    for (int k = 0; k < pair.points; ++k)
      if (!touched[k]) sticks_[first_stick_[i] + k] = {};
  }
}

void Discrete::warn_of_overlaps() {
  std::array<Touch, most_points> touches;
  for (const ContactPair& pair : m_->contact_pairs) {
    const Solid &one = m_->solids[pair.first], &two = m_->solids[pair.second];
    const int n = find_touches(one, solid_pose(one), two, solid_pose(two), touches);
    double depth = 0;
    for (int k = 0; k < n; ++k) depth = std::max(depth, touches[k].depth);
    const double limit = deep * std::min(one.extent(), two.extent());
    if (!(depth > limit)) continue;
    const ContactLaw& law = m_->contact_laws[pair.law];
    const auto name = [&](const Solid& s) { return g_.bodies[g_.slot[s.body]].name; };
    notes_.push_back(
        {.severity = Severity::warning,
         .code = "overlap",
         .where = law.where,
         .element = "contact/" + law.name,
         .message = fmt::format("'{}' and '{}' overlap by {:.3g} m at the start, and will be "
                                "thrown apart",
                                name(one), name(two), depth),
         .hint = "move them apart",
         .value = fmt::format("{:.3g}", depth),
         .limit = fmt::format("{:.3g}", limit)});
  }
}

/// Elements may push out of the plane that bodies stay in.
void Discrete::keep_in_plane() {
  if (!(norm(g_.normal) > 0)) return;
  const size_t first = 2 * g_.joints.size();
  for (size_t s = 1; s < g_.bodies.size(); ++s) {
    Vec3& f = wrench_[first + s].f;
    f -= g_.normal * dot(g_.normal, f);
  }
}

}  // namespace sarrus
