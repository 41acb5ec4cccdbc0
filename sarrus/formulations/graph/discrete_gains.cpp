#include "sarrus/formulations/graph/discrete_gains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

/// 1/m and I⁻¹ along one direction at a point: a force along d at r, or a torque about d.
double force_mobility(const GraphBody& b, const Vec3& r, const Vec3& d) {
  const Vec3 c = cross(r, d);
  return b.inverse_mass + b.inverse_I.x * c.x * c.x + b.inverse_I.y * c.y * c.y +
         b.inverse_I.z * c.z * c.z;
}
double torque_mobility(const GraphBody& b, const Vec3& d) {
  return b.inverse_I.x * d.x * d.x + b.inverse_I.y * d.y * d.y + b.inverse_I.z * d.z * d.z;
}

}  // namespace

OwnedFreedom owner_of_velocity(const Mechanism& m, const DiscreteGraph& g, int u) {
  const int body = m.body_of_velocity(u);
  for (size_t j = 0; j < g.joints.size(); ++j)
    if (g.joints[j].body == body) return {static_cast<int>(j), u - m.u0[body]};
  return {};
}

DiscreteGains::DiscreteGains(const Mechanism& m, const DiscreteGraph& g, const GainOptions& options)
    : m_(m), g_(g), o_(options) {
  for (const GraphJoint& j : g_.joints) {
    const GraphBody &a = g_.bodies[j.a], &b = g_.bodies[j.b];
    lambda_t_.push_back(translation_mobility(a, j.X_a.p) + translation_mobility(b, j.X_b.p));
    lambda_r_.push_back(a.largest_inverse_I() + b.largest_inverse_I());
  }
  list_rows();
  count_blocks();
  list_loads();
}

double DiscreteGains::freedom_mobility(const GraphJoint& j, int k) const {
  const GraphBody &a = g_.bodies[j.a], &b = g_.bodies[j.b];
  const Vec3 z_a = j.X_a.R.z, z_b = j.X_b.R.z;
  const double turning = torque_mobility(a, z_a) + torque_mobility(b, z_b);
  const double sliding = force_mobility(a, j.X_a.p, z_a) + force_mobility(b, j.X_b.p, z_b);
  if (!slides(j.kind, k)) {
    const bool about_z = facts_of(j.kind).turn == HeldTurn::across;
    return about_z ? turning : a.largest_inverse_I() + b.largest_inverse_I();
  }
  if (j.slides_along()) return sliding;
  return translation_mobility(a, j.X_a.p) + translation_mobility(b, j.X_b.p);
}

void DiscreteGains::list_rows() {
  for (size_t i = 0; i < g_.joints.size(); ++i) {
    const GraphJoint& j = g_.joints[i];
    if (j.kind != JointKind::screw) continue;
    const GraphBody &a = g_.bodies[j.a], &b = g_.bodies[j.b];
    const double slide =
        force_mobility(a, j.X_a.p, j.X_a.R.z) + force_mobility(b, j.X_b.p, j.X_b.R.z);
    const double turn = torque_mobility(a, j.X_a.R.z) + torque_mobility(b, j.X_b.R.z);
    const double h = j.numbers.size;
    rows_.push_back({RowBlock::Kind::screw, static_cast<int>(i), 0, 0, 2 * (slide + h * h * turn)});
  }
  for (size_t i = 0; i < m_.motions.size(); ++i) {
    const OwnedFreedom f = owner_of_velocity(m_, g_, m_.motions[i].u);
    rows_.push_back({RowBlock::Kind::motion, f.joint, f.freedom, static_cast<int>(i),
                     freedom_mobility(g_.joints[f.joint], f.freedom)});
  }
  for (size_t u = 0; u < m_.numbers.armature.size(); ++u) {
    const double inertia = m_.numbers.armature[u];
    const int body = m_.body_of_velocity(static_cast<int>(u));
    if (!(inertia > 0) || m_.prescribed[body]) continue;
    const OwnedFreedom f = owner_of_velocity(m_, g_, static_cast<int>(u));
    rows_.push_back({RowBlock::Kind::rotor, f.joint, f.freedom, static_cast<int>(rotors.size()),
                     freedom_mobility(g_.joints[f.joint], f.freedom) + 1 / inertia});
    rotors.push_back(inertia);
  }
}

void DiscreteGains::count_blocks() {
  on_body_.assign(g_.bodies.size(), 0);
  const auto put = [&](const GraphJoint& j, int blocks) {
    on_body_[j.a] += blocks;
    on_body_[j.b] += blocks;
  };
  for (const GraphJoint& j : g_.joints) put(j, j.holds_translation() + j.holds_rotation());
  for (const RowBlock& r : rows_) put(g_.joints[r.joint], 1);
  for (const GraphCondition& c : g_.conditions)
    for (const int s : c.slots) ++on_body_[s];
  on_body_[0] = 0;
  const auto of = [&](const GraphJoint& j) { return std::max({1, on_body_[j.a], on_body_[j.b]}); };
  for (const GraphJoint& j : g_.joints) count_.push_back(of(j));
  for (const RowBlock& r : rows_) row_count_.push_back(of(g_.joints[r.joint]));
  for (const GraphCondition& c : g_.conditions) {
    int n = 1;
    for (const int s : c.slots) n = std::max(n, on_body_[s]);
    condition_count_.push_back(n);
  }
}

void DiscreteGains::set_step(double h) {
  h_ = h;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const double n = row_count_[i] * rows_[i].lambda;
    rows_[i].k = o_.stiffness / (n * h * h);  // (1)
    rows_[i].c = o_.damping / (n * h);
  }
}

JointGains DiscreteGains::joint(int index) const {
  const auto i = static_cast<size_t>(index);
  const GraphJoint& j = g_.joints[i];
  const double n = count_[i], k = o_.stiffness / (n * h_ * h_), c = o_.damping / (n * h_);
  JointGains gains;
  if (j.holds_translation()) {
    const double scale = j.slides() ? 1 : lambda_t_[i];
    gains.kt = k / scale;  // (1)
    gains.ct = c / scale;
  }
  if (j.holds_rotation()) {
    gains.kr = k / lambda_r_[i];
    gains.cr = c / lambda_r_[i];
  }
  if (j.slides()) {
    const GraphBody &a = g_.bodies[j.a], &b = g_.bodies[j.b];
    gains.lambda = a.inverse_mass + translation_mobility(b, j.X_b.p);
    gains.inverse_I = a.largest_inverse_I();
  }
  return gains;
}

// ── elements of the user's ──────────────────────────────────────────────────────────────────────

void DiscreteGains::add_load(const std::string& name, const Resistance& r) {
  if (r.along == Resistance::Along::velocity) {
    const OwnedFreedom o = owner_of_velocity(m_, g_, r.u);
    const GraphJoint& j = g_.joints[o.joint];
    loads_.push_back({name, j.a, j.b, r.k, r.damping, freedom_mobility(j, o.freedom)});
    return;
  }
  const int a = g_.slot[r.a], b = g_.slot[r.b];
  const GraphBody &A = g_.bodies[a], &B = g_.bodies[b];
  const double mobility = r.along == Resistance::Along::turn
                              ? A.largest_inverse_I() + B.largest_inverse_I()
                              : translation_mobility(A, inverse(A.X_BC) * r.at_a) +
                                    translation_mobility(B, inverse(B.X_BC) * r.at_b);
  loads_.push_back({name, a, b, r.k, r.damping, mobility});
}

void DiscreteGains::list_loads() {
  ForceSet<double>::each(m_.numbers.forces, [&](const auto& list) {
    for (size_t i = 0; i < list.size(); ++i)
      list[i].resistances([&](const Resistance& r) { add_load(m_.describe(list[i], i), r); });
  });
  add_contact_loads();
}

/// A contact as if it were always closed, at the farthest point of its shape: a face of a box by
/// four corners, a lying capsule by two ends, with the stick beside the push.
void DiscreteGains::add_contact_loads() {
  for (const ContactPair& pair : m_.contact_pairs) {
    const Solid &first = m_.solids[pair.first], &second = m_.solids[pair.second];
    const ContactLaw& law = m_.contact_laws[pair.law];
    const double reach = std::min(first.extent(), second.extent());
    const auto mobility = [&](const Solid& s) {
      const GraphBody& b = g_.bodies[g_.slot[s.body]];
      const double own = s.kind == SolidKind::plane ? reach : s.extent();
      const double lever = norm(s.X_BS.p - b.X_BC.p) + own;
      return b.inverse_mass == 0 ? 0 : b.inverse_mass + lever * lever * b.largest_inverse_I();
    };
    const bool boxes = first.kind == SolidKind::box && second.kind == SolidKind::box;
    const int points = first.kind == SolidKind::sphere ? 1
                       : boxes                         ? 8
                       : first.kind == SolidKind::box  ? 4
                                                       : 2;
    const double k = law.k * points * (1 + (law.friction > 0 ? ContactLaw::stick : 0));
    loads_.push_back({fmt::format("contact '{}'", law.name), g_.slot[first.body],
                      g_.slot[second.body], k, 0, mobility(first) + mobility(second)});
  }
}

// ── the account (2) ─────────────────────────────────────────────────────────────────────────────

double DiscreteGains::block_share(int body) const {
  const double all = o_.stiffness + 2 * o_.damping;
  double sum = 0;
  const auto add = [&](const GraphJoint& j, int blocks, int n) {
    if (j.a == body || j.b == body) sum += all * blocks / n;
  };
  for (size_t i = 0; i < g_.joints.size(); ++i)
    add(g_.joints[i], g_.joints[i].holds_translation() + g_.joints[i].holds_rotation(), count_[i]);
  for (size_t i = 0; i < rows_.size(); ++i) add(g_.joints[rows_[i].joint], 1, row_count_[i]);
  for (size_t i = 0; i < g_.conditions.size(); ++i) {
    const std::vector<int>& slots = g_.conditions[i].slots;
    if (std::find(slots.begin(), slots.end(), body) != slots.end())
      sum += all / condition_count_[i];
  }
  return sum;
}

double DiscreteGains::room() const {
  double least = 4;
  for (size_t b = 1; b < g_.bodies.size(); ++b)
    least = std::min(least, 4 - block_share(static_cast<int>(b)));
  return least;
}

double DiscreteGains::damping_rate() const {
  std::vector<double> sum(g_.bodies.size(), 0.0);
  for (const ElementLoad& e : loads_)
    for (const int s : {e.a, e.b})
      if (s > 0) sum[s] += e.c * e.lambda;
  return *std::max_element(sum.begin(), sum.end());
}

DiscreteGains::Limit DiscreteGains::limit(double account, double damping_weight) const {
  Limit least;
  for (size_t b = 1; b < g_.bodies.size(); ++b) {
    double K = 0, C = 0, worst = -1;
    std::string element;
    for (const ElementLoad& e : loads_) {
      if (e.a != static_cast<int>(b) && e.b != static_cast<int>(b)) continue;
      K += e.k * e.lambda;
      C += damping_weight * e.c * e.lambda;
      const double rate = std::max(std::sqrt(std::max(0.0, e.k) * e.lambda), e.c * e.lambda);
      if (rate > worst) worst = rate, element = e.name;
    }
    if (!(K > 0 || C > 0)) continue;
    // h² K + h C = account
    const double h = 2 * account / (C + std::sqrt(C * C + 4 * K * account));
    if (least.h == 0 || h < least.h) least = {h, static_cast<int>(b), element};
  }
  return least;
}

}  // namespace sarrus
