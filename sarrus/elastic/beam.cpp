#include "sarrus/elastic/beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "sarrus/elastic/beam_functions.hpp"
#include "sarrus/elastic/quadrature.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {
namespace {

constexpr int fine_points = 48;  // of integrals over smooth functions
constexpr int gap_points = 12;   // between two stations
constexpr int element_points = 4;

/// Whether a beam is clamped between its ends.
bool is_inside(double clamp, double length) {
  return clamp > same_place * length && clamp < (1 - same_place) * length;
}

bool is_bending(Deflection kind) { return kind == Deflection::y || kind == Deflection::z; }

/// K = ∫ EI φₖ″ φₗ″ dx and likewise of torsion and stretch, over the pieces between breaks.
template <class Coordinates, class Derivative, class Rigidity>
std::vector<double> stiffness_matrix(const Coordinates& coordinates,
                                     const std::vector<double>& breaks, int points,
                                     Derivative&& derivative, Rigidity&& rigidity) {
  const size_t n = coordinates.size();
  std::vector<double> K(n * n, 0), strain(n);
  for (size_t i = 0; i + 1 < breaks.size(); ++i)
    for (const QuadraturePoint& p : gauss_points(points, breaks[i], breaks[i + 1])) {
      for (size_t k = 0; k < n; ++k) strain[k] = derivative(coordinates[k], p.x);
      for (size_t k = 0; k < n; ++k)
        for (size_t l = 0; l < n; ++l)
          if (coordinates[k].kind == coordinates[l].kind)
            K[k * n + l] += p.weight * rigidity(coordinates[k].kind) * strain[k] * strain[l];
    }
  return K;
}

/// What each coordinate is, for people, and whether it is an angle.
template <class Coordinates>
void name_coordinates(const Coordinates& coordinates, bool all_nodes, ElasticBody& body) {
  int number = 0;
  for (size_t k = 0; k < coordinates.size(); ++k) {
    const auto& c = coordinates[k];
    number = k > 0 && coordinates[k - 1].kind == c.kind ? number + 1 : 1;
    const bool is_slope = all_nodes && is_bending(c.kind) && c.base % 2 == 1;
    body.angle.push_back(is_slope || c.kind == Deflection::torsion);
    if (!all_nodes)
      body.says.push_back(fmt::format("{} {}", to_text(c.kind), number));
    else if (is_bending(c.kind))
      body.says.push_back(fmt::format("{} of node {}",
                                      c.base % 2 ? (c.kind == Deflection::y ? "slope y" : "slope z")
                                                 : (c.kind == Deflection::y ? "y" : "z"),
                                      c.base / 2 + 1));
    else
      body.says.push_back(fmt::format("{} of node {}", to_text(c.kind), c.base + 1));
  }
}

}  // namespace

const char* to_text(Deflection kind) {
  switch (kind) {
    case Deflection::y: return "bending y";
    case Deflection::z: return "bending z";
    case Deflection::torsion: return "torsion";
    case Deflection::axial: return "stretch";
  }
  return "";
}

Beam::Beam(const BeamSpec& spec, double clamp) : spec_(spec), clamp_(clamp) {
  all_nodes_ = spec.basis == BeamBasis::fe && spec.modes == 0;
  choose_coordinates();
}

// ── functions ───────────────────────────────────────────────────────────────────────────────────

int Beam::base_count(Deflection kind) const {
  if (spec_.basis == BeamBasis::fe) return is_bending(kind) ? 2 * spec_.elements : spec_.elements;
  return is_inside(clamp_, spec_.length) ? 2 * spec_.modes : spec_.modes;
}

BeamJet Beam::base(Deflection kind, int k, double x) const {
  const double L = spec_.length;
  FunctionJet f{};
  double unit = L;
  if (spec_.basis != BeamBasis::fe) {
    // functions of one side, counted from the clamp: each side bends independently of the other
    const bool inside = is_inside(clamp_, L);
    const bool left = inside ? k >= spec_.modes : clamp_ > 0.5 * L;
    if (inside && left != (x < clamp_)) return {};
    unit = left ? -clamp_ : L - clamp_;
    if (inside && left) k -= spec_.modes;
    const double s = (x - clamp_) / unit;
    if (spec_.basis == BeamBasis::polynomial)
      f = is_bending(kind) ? bending_polynomial(k, s) : axial_polynomial(k, s);
    else
      f = is_bending(kind) ? cantilever_function(k, s) : bar_function(k, s);
  } else {
    // node 1 … elements; node 0 is clamped
    unit = L / spec_.elements;
    const int element = std::clamp(static_cast<int>(x / unit), 0, spec_.elements - 1);
    const double local = x / unit - element;
    const int node = is_bending(kind) ? k / 2 + 1 : k + 1, at_end = node - element;
    if (at_end != 0 && at_end != 1) return {};
    if (is_bending(kind)) {
      const bool slope = k % 2 == 1;
      f = hermite(2 * at_end + slope, local);
      if (slope)
        for (double& d : f) d *= unit;  // the coordinate is the slope itself
    } else {
      f = at_end == 1 ? FunctionJet{local, 1, 0, 0} : FunctionJet{1 - local, -1, 0, 0};
    }
  }
  return {f[0], f[1] / unit, f[2] / (unit * unit), f[3] / (unit * unit * unit)};
}

/// The same deformation, seen from the clamped point: without its displacement and slope there.
BeamJet Beam::clamped(Deflection kind, int k, double x) const {
  BeamJet f = base(kind, k, x);
  if (clamp_ == 0 || spec_.basis != BeamBasis::fe) return f;
  const BeamJet at = base(kind, k, clamp_);
  f[0] -= at[0];
  if (is_bending(kind)) {
    f[0] -= at[1] * (x - clamp_);
    f[1] -= at[1];
  }
  return f;
}

BeamJet Beam::value(const Coordinate& c, double x) const {
  if (c.weights.empty()) return clamped(c.kind, c.base, x);
  BeamJet sum{};
  for (size_t k = 0; k < c.weights.size(); ++k) {
    const BeamJet f = clamped(c.kind, static_cast<int>(k), x);
    for (size_t d = 0; d < 4; ++d) sum[d] += c.weights[k] * f[d];
  }
  return sum;
}

/// Ends of the pieces over which functions are smooth, from `from` to `to` (either order).
std::vector<double> Beam::breaks(double from, double to) const {
  std::vector<double> at{from};
  if (spec_.basis == BeamBasis::fe)
    for (int i = 1; i < spec_.elements; ++i) {
      const double x = spec_.length * i / spec_.elements;
      if (x > std::min(from, to) && x < std::max(from, to)) at.push_back(x);
    }
  else if (clamp_ > std::min(from, to) && clamp_ < std::max(from, to))
    at.push_back(clamp_);
  at.push_back(to);
  std::sort(at.begin(), at.end());
  if (from > to) std::reverse(at.begin(), at.end());
  return at;
}

double Beam::stiffness_of(Deflection kind) const {
  switch (kind) {
    case Deflection::y: return spec_.material.E * spec_.section.Iz;
    case Deflection::z: return spec_.material.E * spec_.section.Iy;
    case Deflection::torsion: return spec_.material.G * spec_.section.J;
    case Deflection::axial: return spec_.material.E * spec_.section.area;
  }
  return 0;
}

// ── coordinates ─────────────────────────────────────────────────────────────────────────────────

void Beam::choose_coordinates() {
  if (!all_nodes_) {
    for (const Deflection kind : spec_.deforms) add_modes(kind);
    return;
  }
  // node by node, so that an element touches neighbours in the list
  for (int node = 0; node < spec_.elements; ++node)
    for (const Deflection kind : spec_.deforms) {
      if (is_bending(kind)) {
        coordinates_.push_back({kind, 2 * node, {}});
        coordinates_.push_back({kind, 2 * node + 1, {}});
      } else {
        coordinates_.push_back({kind, node, {}});
      }
    }
}

/// The base functions, turned into the eigenfunctions of the beam at rest; the largest deflection
/// of each is 1, positive at the end.
void Beam::add_modes(Deflection kind) {
  const int n = base_count(kind),
            kept = spec_.basis == BeamBasis::fe ? std::min(spec_.modes, n) : n;
  const double rho = spec_.material.density;
  const BeamSection& S = spec_.section;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), K = M;
  Eigen::VectorXd f(n), slope(n), bent(n);
  const auto evaluate = [&](double x) {
    for (int k = 0; k < n; ++k) {
      const BeamJet j = clamped(kind, k, x);
      f[k] = j[0], slope[k] = j[1], bent[k] = j[2];
    }
  };
  const std::vector<double> at = breaks(0, spec_.length);
  const int points = spec_.basis == BeamBasis::fe ? element_points : fine_points;
  for (size_t i = 0; i + 1 < at.size(); ++i)
    for (const QuadraturePoint& p : gauss_points(points, at[i], at[i + 1])) {
      evaluate(p.x);
      const double mass = kind == Deflection::torsion ? rho * (S.Iy + S.Iz) : rho * S.area;
      M += p.weight * mass * f * f.transpose();
      if (is_bending(kind)) {
        const double rotary = rho * (kind == Deflection::y ? S.Iz : S.Iy);
        M += p.weight * rotary * slope * slope.transpose();
        K += p.weight * stiffness_of(kind) * bent * bent.transpose();
      } else {
        K += p.weight * stiffness_of(kind) * slope * slope.transpose();
      }
    }
  if (spec_.tip_mass > 0 && kind != Deflection::torsion) {
    evaluate(spec_.length);
    M += spec_.tip_mass * f * f.transpose();
  }
  const EigenPairs found = symmetric_eigen(K, M);
  for (int j = 0; j < kept; ++j) {
    Coordinate c{kind, 0, {}};
    for (int k = 0; k < n; ++k) c.weights.push_back(found.vectors(k, j));
    const double at_0 = value(c, 0)[0], at_L = value(c, spec_.length)[0];
    const double end = std::fabs(at_0) > std::fabs(at_L) ? at_0 : at_L;
    double largest = 0;
    for (int i = 0; i <= 200; ++i)
      largest = std::max(largest, std::fabs(value(c, spec_.length * i / 200)[0]));
    const double size = end < 0 ? -largest : largest;
    for (double& w : c.weights) w /= size;
    coordinates_.push_back(std::move(c));
  }
}

// ── the body ────────────────────────────────────────────────────────────────────────────────────

Beam::SecondFields Beam::at_clamp() const {
  const std::vector<double> zero(coordinates_.size() * coordinates_.size(), 0);
  return {zero, zero, zero, zero, zero};
}

void Beam::go_on(SecondFields& fields, double from, double to) const {
  if (!spec_.stiffening || from == to) return;
  const size_t n = coordinates_.size();
  for (size_t i = 0; i < n * n; ++i) {
    fields.y[i] += (to - from) * fields.y_slope[i];
    fields.z[i] += (to - from) * fields.z_slope[i];
  }
  const std::vector<double> at = breaks(from, to);
  const int points = spec_.basis == BeamBasis::fe ? element_points : gap_points;
  std::vector<BeamJet> f(n);
  for (size_t i = 0; i + 1 < at.size(); ++i)
    for (const QuadraturePoint& p : gauss_points(points, at[i], at[i + 1])) {
      for (size_t k = 0; k < n; ++k) f[k] = value(coordinates_[k], p.x);
      for (size_t k = 0; k < n; ++k)
        for (size_t l = 0; l < n; ++l) {
          const Deflection a = coordinates_[k].kind, b = coordinates_[l].kind;
          if (a == b && is_bending(a)) fields.x[k * n + l] -= p.weight * f[k][1] * f[l][1];
          // what a twist moves in this way is of fourth order in T, but not small beside ρI:
          // truncated after the second order (form I) the mass matrix would be indefinite
          if (a != Deflection::torsion || !is_bending(b) || spec_.form == 'I') continue;
          const double more = p.weight * f[k][0] * f[l][2];
          for (const size_t entry : {k * n + l, l * n + k}) {
            if (b == Deflection::z)
              fields.y_slope[entry] -= more, fields.y[entry] -= (to - p.x) * more;
            else
              fields.z_slope[entry] += more, fields.z[entry] += (to - p.x) * more;
          }
        }
    }
}

std::vector<SecondOrder> Beam::SecondFields::directions() const {
  std::vector<SecondOrder> out;
  const auto add = [&](const Vec3& along, const std::vector<double>& g) {
    if (std::any_of(g.begin(), g.end(), [](double v) { return v != 0; })) out.push_back({along, g});
  };
  add({1, 0, 0}, x), add({0, 1, 0}, y), add({0, 0, 1}, z);
  return out;
}

/// Displacement of the axis per unit of a coordinate with this function.
Vec3 displacement_of(Deflection kind, const BeamJet& f) {
  switch (kind) {
    case Deflection::y: return {0, f[0], 0};
    case Deflection::z: return {0, 0, f[0]};
    case Deflection::axial: return {f[0], 0, 0};
    case Deflection::torsion: return {};
  }
  return {};
}

/// θ of (3) per unit of a coordinate with this function.
Vec3 rotation_of(Deflection kind, const BeamJet& f) {
  switch (kind) {
    case Deflection::y: return {0, 0, f[1]};
    case Deflection::z: return {0, -f[1], 0};
    case Deflection::torsion: return {f[0], 0, 0};
    case Deflection::axial: return {};
  }
  return {};
}

/// Displacement of a point of the axis, and how the section's y and z go with it (1).
struct SectionShapes {
  std::vector<Vec3> axis, y, z;
};

void Beam::add_station(ElasticBody& body, double x, double weight,
                       const SecondFields& fields) const {
  SectionShapes shapes;
  for (const Coordinate& c : coordinates_) {
    const BeamJet f = value(c, x);
    const Vec3 theta = rotation_of(c.kind, f);
    shapes.axis.push_back(displacement_of(c.kind, f));
    shapes.y.push_back(cross(theta, {0, 1, 0})), shapes.z.push_back(cross(theta, {0, 0, 1}));
  }
  const auto add = [&](double mass, double follows, const Vec3& at, std::vector<Vec3>& phi) {
    MassSample s;
    s.mass = mass, s.c = follows, s.x = at;
    const auto nonzero = [](const Vec3& v) { return dot(v, v) > 0; };
    const auto first = std::find_if(phi.begin(), phi.end(), nonzero);
    const auto last = std::find_if(phi.rbegin(), phi.rend(), nonzero).base();
    if (first != phi.end()) {
      s.begin = static_cast<int>(first - phi.begin());
      s.end = static_cast<int>(last - phi.begin());
      s.phi.assign(first, last);
    }
    body.samples.push_back(std::move(s));
  };
  const double rho = spec_.material.density * weight;
  add(rho * spec_.section.area, 1, {x - clamp_, 0, 0}, shapes.axis);
  MassSample& mid = body.samples.back();
  mid.second = fields.directions();
  const size_t n = coordinates_.size();
  for (const SecondOrder& s : mid.second)
    for (size_t k = 0; k < n; ++k)
      for (size_t l = 0; l < n; ++l)
        if (s.g[k * n + l] != 0) mid.reach = std::max(mid.reach, static_cast<int>(k) + 1);
  if (spec_.section.Iz > 0) add(rho * spec_.section.Iz, 0, {0, 1, 0}, shapes.y);
  if (spec_.section.Iy > 0) add(rho * spec_.section.Iy, 0, {0, 0, 1}, shapes.z);
}

/// Axes e of a section turn by θ = (ϑ, −w′, v′) and stay as long as they are:
///
///   e + θ × e + ½ θ × (θ × e)                                                             (3)
///
/// Without the last term a shaft softens as it spins about itself. It is felt, to second order in T,
/// through ∫ e gᵀ dm alone, in which e is the same for all sections, so that their mean has all of it:
///
///   Σ m (e + φ q)² − m̄ (e + φ̄ q)² + m̄ (e + φ̄ q + ½ qᵀ ḡ q)²      m̄ = Σ m,  φ̄, ḡ = Σ m φ, g / m̄   (4)
///
/// The first two squares are a variance: the sum stays positive, and sections keep their few functions.
/// `moment`: ∫ y² dA or ∫ z² dA, the one of e; `rotation` fills θ per coordinate at a station.
void turn_sections(ElasticBody& body, const Vec3& e, double moment,
                   const std::vector<QuadraturePoint>& stations,
                   const std::function<void(double x, std::vector<Vec3>&)>& rotation) {
  const auto n = static_cast<size_t>(body.n);
  MassSample mean;
  mean.c = 0, mean.x = e;
  mean.end = mean.reach = body.n;
  mean.phi.assign(n, {});
  std::array<std::vector<double>, 3> g;
  for (auto& along : g) along.assign(n * n, 0);
  std::vector<Vec3> theta(n);
  for (const QuadraturePoint& p : stations) {
    const double mass = moment * p.weight;
    mean.mass += mass;
    rotation(p.x, theta);
    for (size_t k = 0; k < n; ++k) {
      mean.phi[k] += cross(theta[k], e) * mass;
      for (size_t l = 0; l < n; ++l) {
        const Vec3 twice =
            cross(theta[k], cross(theta[l], e)) + cross(theta[l], cross(theta[k], e));
        for (int a = 0; a < 3; ++a) g[a][k * n + l] += mass / 2 * twice[a];  // (3)
      }
    }
  }
  for (Vec3& phi : mean.phi) phi = phi * (1 / mean.mass);
  for (int a = 0; a < 3; ++a) {
    for (double& x : g[a]) x /= mean.mass;
    if (std::any_of(g[a].begin(), g[a].end(), [](double x) { return x != 0; }))
      mean.second.push_back({{a == 0 ? 1.0 : 0, a == 1 ? 1.0 : 0, a == 2 ? 1.0 : 0}, g[a]});
  }
  MassSample without = mean;  // (4)
  without.mass = -mean.mass, without.reach = 0, without.second.clear();
  body.samples.push_back(std::move(without));
  body.samples.push_back(std::move(mean));
}

ElasticBody Beam::body() const {
  ElasticBody body;
  body.n = size();
  body.span = spec_.length;
  // stations outward from the clamp, both ways, as the second order accumulates
  std::vector<QuadraturePoint> stations;
  const std::vector<double> at = breaks(0, spec_.length);
  const int points = spec_.basis == BeamBasis::fe           ? element_points
                     : spec_.basis == BeamBasis::polynomial ? spec_.modes + 6
                                                            : 2 * spec_.modes + 8;
  for (size_t i = 0; i + 1 < at.size(); ++i) {
    const std::vector<QuadraturePoint> piece = gauss_points(points, at[i], at[i + 1]);
    stations.insert(stations.end(), piece.begin(), piece.end());
  }
  const auto add_outward = [&](auto begin, auto end) {
    SecondFields fields = at_clamp();
    double x = clamp_;
    for (auto p = begin; p != end; ++p) {
      go_on(fields, x, p->x);
      add_station(body, p->x, p->weight, fields);
      x = p->x;
    }
  };
  const auto outer = std::find_if(stations.begin(), stations.end(),
                                  [&](const QuadraturePoint& p) { return p.x >= clamp_; });
  add_outward(outer, stations.end());
  add_outward(std::make_reverse_iterator(outer), stations.rend());
  const auto rotation = [this](double at_x, std::vector<Vec3>& theta) {
    for (size_t k = 0; k < theta.size(); ++k)
      theta[k] = rotation_of(coordinates_[k].kind, value(coordinates_[k], at_x));
  };
  const double Iy = spec_.material.density * spec_.section.Iy,
               Iz = spec_.material.density * spec_.section.Iz;
  if (spec_.stiffening && Iz > 0) turn_sections(body, {0, 1, 0}, Iz, stations, rotation);
  if (spec_.stiffening && Iy > 0) turn_sections(body, {0, 0, 1}, Iy, stations, rotation);
  if (spec_.tip_mass > 0) {
    const ElasticPlace tip = place(spec_.length);
    MassSample s;
    s.mass = spec_.tip_mass;
    s.x = tip.x, s.phi = tip.phi, s.second = tip.second;
    s.end = body.n, s.reach = tip.second.empty() ? 0 : body.n;
    body.samples.push_back(std::move(s));
  }
  const auto derivative = [&](const Coordinate& c, double x) {
    return value(c, x)[is_bending(c.kind) ? 2 : 1];
  };
  body.K = stiffness_matrix(coordinates_, at,
                            spec_.basis == BeamBasis::fe ? element_points : fine_points, derivative,
                            [&](Deflection kind) { return stiffness_of(kind); });
  name_coordinates(coordinates_, all_nodes_, body);
  add_damping(body, spec_.damping);
  if (spec_.form == 'X') {
    body.samples = compressed(body.samples, body.n);
    // parts of integrals have no place: massless ends show how far the beam is deformed
    if (clamp_ < spec_.length) add_station(body, spec_.length, 0, at_clamp());
    if (clamp_ > 0) add_station(body, 0, 0, at_clamp());
  }
  if (spec_.form == 'I') {
    body.form = ElasticForm::invariants;
    find_invariants(body);
  }
  return body;
}

ElasticPlace Beam::place(double x) const {
  ElasticPlace p;
  p.x = {x - clamp_, 0, 0};
  for (const Coordinate& c : coordinates_) {
    const BeamJet f = value(c, x);
    p.phi.push_back(displacement_of(c.kind, f)), p.psi.push_back(rotation_of(c.kind, f));
  }
  SecondFields fields = at_clamp();
  go_on(fields, clamp_, x);
  p.second = fields.directions();
  return p;
}

std::optional<Vec3> Beam::carrier(const Vec3& point) const {
  const double slack = same_place * spec_.length;
  if (!(point.x >= -slack && point.x <= spec_.length + slack)) return {};
  return Vec3{std::clamp(point.x, 0.0, spec_.length), 0, 0};
}

std::string Beam::carriers() const {
  return fmt::format("the beam reaches from 0 to {:.6g} m along its x axis", spec_.length);
}

std::vector<std::array<double, 6>> Beam::section_forces(double x) const {
  std::vector<std::array<double, 6>> rows;
  for (const Coordinate& c : coordinates_) {
    const BeamJet f = value(c, x);
    const double k = stiffness_of(c.kind);
    std::array<double, 6> r{};
    switch (c.kind) {
      case Deflection::axial: r[0] = k * f[1]; break;
      case Deflection::y: r[1] = -k * f[3], r[5] = k * f[2]; break;
      case Deflection::z: r[2] = -k * f[3], r[4] = -k * f[2]; break;
      case Deflection::torsion: r[3] = k * f[1]; break;
    }
    rows.push_back(r);
  }
  return rows;
}

}  // namespace sarrus
