// A straight Euler–Bernoulli beam along x of its body's frame, from x = 0 to its length: bending in
// y and z, torsion, stretch, by Ritz functions or by finite elements.
//
//   point (x, y, z) of a section:  u − y v′ − z w′,   v − z ϑ,   w + y ϑ                   (1)
//   second order:  −½ ∫ (v′² + w′²) dx along x;  −∫∫ ϑ w″ dx dx along y,  ∫∫ ϑ v″ dx dx along z (2)
//
// The beam becomes shorter as it bends. v″ and w″ are the curvatures of the section's own axes,
// which torsion turns: what bends one way then bends the other way too.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sarrus/elastic/elastic_shape.hpp"
#include "sarrus/elastic/material.hpp"

namespace sarrus {

struct BeamSection {
  double area = 0;        // [m²]
  double Iy = 0, Iz = 0;  // [m⁴] ∫ z² dA, ∫ y² dA
  double J = 0;           // [m⁴] torsion constant
  double y = 0, z = 0;    // [m] half sizes, for stresses and pictures; 0: unknown
};

enum class BeamBasis { polynomial, cantilever, fe };
enum class Deflection { y, z, torsion, axial };

struct BeamSpec {
  double length = 0;  // [m]
  BeamSection section;
  ElasticMaterial material;
  std::vector<Deflection> deforms{Deflection::y, Deflection::z};
  BeamBasis basis = BeamBasis::polynomial;
  int modes = 4;        // functions per deflection; with finite elements 0: all nodes are kept
  int elements = 10;    // of the basis fe
  double tip_mass = 0;  // [kg] at x = length
  ElasticDamping damping;
  bool stiffening = true;
  char form =
      'Q';  // 'Q' samples, 'X' their integrals factored anew, 'I' invariants to second order
};

/// Value and three derivatives by x.
using BeamJet = std::array<double, 4>;

class Beam final : public ElasticShape {
 public:
  /// Clamped to its frame at x = clamp, where its inboard joint is.
  Beam(const BeamSpec& spec, double clamp);

  int size() const { return static_cast<int>(coordinates_.size()); }
  const BeamSpec& spec() const { return spec_; }
  ElasticPlace place(double x) const;
  std::vector<std::array<double, 6>> section_forces(double x) const;

  ElasticBody body() const override;
  Vec3 clamp() const override { return {clamp_, 0, 0}; }
  std::optional<Vec3> carrier(const Vec3& point) const override;
  ElasticPlace place(const Vec3& at) const override { return place(at.x); }
  std::vector<std::array<double, 6>> section_forces(const Vec3& at) const override {
    return section_forces(at.x);
  }
  std::vector<std::array<double, 6>> stresses(const Vec3&) const override { return {}; }
  std::string carriers() const override;

 private:
  struct Coordinate {
    Deflection kind;
    int base = 0;                 // of all_nodes: the function itself
    std::vector<double> weights;  // otherwise: combination of the base functions
  };
  int base_count(Deflection kind) const;
  BeamJet base(Deflection kind, int k, double x) const;     // admissible at x = 0
  BeamJet clamped(Deflection kind, int k, double x) const;  // at the clamp
  BeamJet value(const Coordinate& c, double x) const;
  void choose_coordinates();
  void add_modes(Deflection kind);
  std::vector<double> breaks(double from, double to) const;
  /// (2) at a point on the way outward from the clamp, n × n each.
  struct SecondFields {
    std::vector<double> x, y, z, y_slope, z_slope;
    std::vector<SecondOrder> directions() const;  // those that are not zero
  };
  SecondFields at_clamp() const;
  void go_on(SecondFields& fields, double from, double to) const;
  void add_station(ElasticBody& body, double x, double weight, const SecondFields& fields) const;
  double stiffness_of(Deflection kind) const;

  BeamSpec spec_;
  double clamp_ = 0;
  bool all_nodes_ = false;
  std::vector<Coordinate> coordinates_;
};

const char* to_text(Deflection kind);

}  // namespace sarrus
