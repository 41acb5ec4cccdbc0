#include "sarrus/formulations/discrete/discrete_rows.hpp"

#include "sarrus/formulations/assembly/measured_joint.hpp"

namespace sarrus {

DiscreteRows::DiscreteRows(const Mechanism& m, const DiscreteGraph& graph,
                           const DiscreteGains& gains, bool leapfrog)
    : m_(&m),
      g_(&graph),
      gains_(&gains),
      leapfrog_(leapfrog),
      rotors_(gains.rotors.size()),
      way_(m.motions.size()) {}

void DiscreteRows::begin(const DiscreteCoordinates& at) {
  for (const RowBlock& r : gains_->rows()) {
    const GraphJoint& j = g_->joints[r.joint];
    if (r.kind == RowBlock::Kind::rotor)
      rotors_[r.source] = {at.q_of(j)[r.freedom], at.u_of(j)[r.freedom], 0};
  }
  for (size_t i = 0; i < way_.size(); ++i)
    way_[i] = m_->motions[i].is_speed ? at.q[m_->motions[i].q] : 0;
}

void DiscreteRows::turn_back_half_a_kick(double h) {
  for (size_t i = 0; i < rotors_.size(); ++i)
    rotors_[i].v += rotors_[i].force / gains_->rotors[i] * (h / 2);
}

/// Places by Simpson's rule over the step.
void DiscreteRows::move(Workspace<double>& w, const DiscreteClock& clock) {
  const double h = clock.h, t = clock.time();
  for (size_t i = 0; i < way_.size(); ++i) {
    const PrescribedMotion& motion = m_->motions[i];
    if (!motion.is_speed) continue;
    const auto speed = [&](double at) { return motion_at(w, motion, at).d; };
    way_[i] += h / 6 * (speed(t) + 4 * speed(t + h / 2) + speed(t + h));
  }
  for (size_t i = 0; i < rotors_.size(); ++i) {
    rotors_[i].v -= h * rotors_[i].force / gains_->rotors[i];
    rotors_[i].x += h * rotors_[i].v;
  }
}

DiscreteRows::Target DiscreteRows::target(Workspace<double>& w, const RowBlock& row,
                                          const DiscreteClock& clock) const {
  if (row.kind == RowBlock::Kind::rotor) return {rotors_[row.source].x, rotors_[row.source].v, 0};
  const PrescribedMotion& motion = m_->motions[row.source];
  const Jet<double> f = motion_at(w, motion, clock.time());
  const auto k = static_cast<double>(clock.count);
  if (motion.is_speed) return {way_[row.source], leapfrog_ ? f.d - f.dd * (clock.h / 2) : f.d, f.d};
  if (clock.breaks_within(k - 1, k + 0x1p-24))
    return {f.v, (f.v - motion_at(w, motion, clock.time() - clock.h).v) / clock.h, f.d};
  return {f.v, leapfrog_ ? f.d - f.dd * (clock.h / 2) : f.d, f.d};
}

/// φ and its rate at the half step before, as the theorem of the gains requires:
///   motion   φ = q − f(t)        τ = −k φ − c φ̇
///   rotor    φ = q − x           the same, and its opposite on the rotor
///   screw    φ = z·d − p q       force −μ z at o_M, torque p μ z on B;  μ = k φ + c φ̇
void DiscreteRows::apply(Workspace<double>& w, const DiscreteClock& clock,
                         const DiscreteCoordinates& at, DiscreteBodies& bodies,
                         EnergyFlow<double>& flow) {
  for (const RowBlock& row : gains_->rows()) {
    const GraphJoint& j = g_->joints[row.joint];
    const JointPose pose = joint_pose(j, bodies[j.a], bodies[j.b]);
    double q_last[7] = {}, u_lag[6] = {}, tau[6] = {};
    const double* q = q_last;
    if (j.body > 0)
      q = at.q_of(j);
    else
      read_coordinates(j.kind, j.numbers, pose, q_last);
    read_velocities(j.kind, j.numbers, pose, q, u_lag);
    if (row.kind == RowBlock::Kind::screw) {
      const Vec3 z = pose.R_F.z;
      const double p = j.numbers.size;
      const double phi = dot(z, pose.o_M - pose.o_F) - p * q[0];
      const double mu = row.k * phi + row.c * (dot(z, pose.v) - p * dot(z, pose.w));
      bodies.push_pair(row.joint, pose, {z * (p * mu), z * -mu});
      continue;
    }
    const Target wanted = target(w, row, clock);
    const int k = row.freedom;
    const double force = -row.k * (q[k] - wanted.place) - row.c * (u_lag[k] - wanted.speed);
    tau[k] = force;
    bodies.push_pair(row.joint, pose, joint_force(j, pose, q, tau));
    if (row.kind == RowBlock::Kind::rotor)
      rotors_[row.source].force = force;
    else
      flow.drive += force * wanted.power_speed;
  }
}

}  // namespace sarrus
