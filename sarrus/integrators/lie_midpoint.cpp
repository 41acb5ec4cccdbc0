// The variational midpoint rule on groups: order 2, fixed step, symmetric; symplectic and
// momentum-preserving for rotations as well as for plain coordinates.
//
// Discrete Lagrangian h L(q₀ ⊕ ξ/2, ξ/h): constant velocity v = ξ/h during the step.
// Per plain coordinate, with f at the middle (q₀ ⊕ ξ/2, p_m), it is the implicit midpoint rule:
//
//   ξ = h v,   p_m = p₀ + h/2 ṗ,   p₁ = p_m + h/2 ṗ                                         (1)
//
// Per rotation, F = ṗ − p_m × ω the moment without its gyroscopic part, J the tangent map of exp:
//
//   p_m = J(ξ) [p₀ + h (exp(ξ/2) − ½ J⁻¹(ξ) J(−ξ/2)) F]                                     (2)
//   p₁  = J⁻¹(−ξ) [p_m + h/2 J(−ξ/2) F]                                                     (3)
//
// so that without moments p₁ = exp(−ξ) p₀: the momentum stays in space. The displacements of rigid
// and planar blocks are plain in the axes of the start of the step, their momenta π = exp(ξ) f:
//
//   π̇ = exp(ξ/2) (ḟ + ω × f) at the middle, and (1)                                         (4)
//
// Unknowns are ξ and p_m (π_m). [Marsden, West 2001], [Lee, Leok, McClamroch 2007],
// docs/theory/integrators.md
#include "sarrus/integrators/implicit_step.hpp"
#include "sarrus/integrators/methods.hpp"
#include "sarrus/integrators/poisson.hpp"

namespace sarrus {
namespace {

class LieMidpoint final : public ImplicitStep {
 public:
  using ImplicitStep::ImplicitStep;
  std::string_view name() const override { return "lie_midpoint"; }
  int order() const override { return 2; }
  std::vector<Diagnostic> suits(const Ode& ode) const override { return group_notes(*this, ode); }

  void start(Ode& ode, double t, std::span<const double> y) override {
    check_suits(*this, ode);
    ImplicitStep::start(ode, t, y);
    groups_ = ode.structure().groups;
    unknown_.assign(active_, 0);
    reserve_unknowns(active_);
    for (std::vector<double>* v : {&middle_, &rate_, &force_}) v->assign(y.size(), 0);
  }

 private:
  bool advance_implicit(Ode& ode, double t, double h, StepResult& result) override {
    for (size_t i = 0; i < split_; ++i) unknown_[i] = h * f0_[i];
    for (size_t i = split_; i < active_; ++i) unknown_[i] = y0_[i] + h / 2 * f0_[i];
    const auto map = [&](std::span<const double> x, std::span<double> G) {
      return improve(ode, t, h, x, G, result);
    };
    if (!solve(
            unknown_, map, [](size_t i) { return i; }, result))
      return false;

    for (size_t i = 0; i < split_; ++i) delta_[i] = unknown_[i];
    for (size_t i = split_; i < y0_.size(); ++i) delta_[i] = h * force_[i];  // (1)
    for (const GroupBlock& g : groups_) finish(g, h);
    return true;
  }

  /// From ξ and p_m to better ones; leaves the forces at the middle in force_.
  bool improve(Ode& ode, double t, double h, std::span<const double> x, std::span<double> G,
               StepResult& result) {
    for (size_t i = 0; i < split_; ++i) middle_[i] = y0_[i] + x[i] / 2;
    for (size_t i = split_; i < active_; ++i) middle_[i] = x[i];
    for (const GroupBlock& g : groups_) to_turned_axes(g, middle_);
    if (!evaluate(ode, t + h / 2, middle_, rate_, result)) return false;

    std::copy(rate_.begin(), rate_.end(), force_.begin());
    for (size_t i = 0; i < split_; ++i) G[i] = h * rate_[i];  // (1)
    for (size_t i = split_; i < active_; ++i) G[i] = y0_[i] + h / 2 * rate_[i];
    for (const GroupBlock& g : groups_) improve_block(g, h, G);
    return true;
  }

  /// f = exp(−ξ/2) π for the displacements of a block, at the middle of the step.
  void to_turned_axes(const GroupBlock& g, std::vector<double>& z) const {
    if (g.kind == GroupBlock::Kind::rigid)
      put(rotation_exp(-three(z, g.x)) * three(z, g.p + 3), z, g.p + 3);
    if (g.kind == GroupBlock::Kind::planar)
      put_in_plane(turned_in_plane(in_plane(z, g.p), -z[g.x]), z, g.p);
  }

  void improve_block(const GroupBlock& g, double h, std::span<double> G) {
    if (g.kind == GroupBlock::Kind::planar) {
      const size_t x = static_cast<size_t>(g.x);
      const Vec3 spin{0, 0, rate_[x]}, f = in_plane(middle_, g.p);
      const Vec3 pull = turned_in_plane(in_plane(rate_, g.p) + cross(spin, f), middle_[x]);  // (4)
      put_in_plane(pull, force_, g.p);
      put_in_plane(in_plane(y0_, g.p) + pull * (h / 2), G, g.p);
      return;
    }
    const Vec3 half = three(middle_, g.x);
    const Vec3 w = angular_velocity_of_rate(half, three(rate_, g.x)), xi = w * h;
    const Vec3 F = three(rate_, g.p) - cross(three(middle_, g.p), w);
    put(F, force_, g.p);
    put(xi, G, g.x);
    const Vec3 own = rotation_exp(xi * 0.5) * F -
                     rotation_vector_rate(xi, angular_velocity_of_rate(xi * -0.5, F)) * 0.5;
    put(angular_velocity_of_rate(xi, three(y0_, g.p) + own * h), G, g.p);  // (2)
    if (g.kind == GroupBlock::Kind::rotation) return;
    const Vec3 f = three(middle_, g.p + 3);
    const Vec3 pull = rotation_exp(half) * (three(rate_, g.p + 3) + cross(w, f));  // (4)
    put(pull, force_, g.p + 3);
    put(three(y0_, g.p + 3) + pull * (h / 2), G, g.p + 3);
  }

  /// Momenta at the end of the step, in the axes that have turned by ξ.
  void finish(const GroupBlock& g, double h) {
    if (g.kind == GroupBlock::Kind::planar) {
      const Vec3 f0 = in_plane(y0_, g.p), pi = f0 + in_plane(force_, g.p) * h;
      put_in_plane(turned_in_plane(pi, -unknown_[g.x]) - f0, delta_, g.p);
      return;
    }
    const Vec3 xi = three(unknown_, g.x), p0 = three(y0_, g.p);
    const Vec3 kick = angular_velocity_of_rate(xi * -0.5, three(force_, g.p)) * (h / 2);
    const Vec3 p1 = rotation_vector_rate(-xi, three(unknown_, g.p) + kick);  // (3)
    put(p1 - p0, delta_, g.p);
    if (g.kind == GroupBlock::Kind::rotation) return;
    const Vec3 f0 = three(y0_, g.p + 3), pi = f0 + three(force_, g.p + 3) * h;
    put(rotation_exp(-xi) * pi - f0, delta_, g.p + 3);
  }

  std::vector<GroupBlock> groups_;
  std::vector<double> unknown_;                // ξ, p_m (π_m)
  std::vector<double> middle_, rate_, force_;  // y and its derivative at the middle; F, π̇
};

}  // namespace

std::unique_ptr<Integrator> make_lie_midpoint(const IntegratorOptions& options) {
  return std::make_unique<LieMidpoint>(options);
}

}  // namespace sarrus
