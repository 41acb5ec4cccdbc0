// A straight Euler–Bernoulli beam along x of its body's frame, from x = 0 to its length: bending in
// y and z, torsion, stretch, by Ritz functions or by finite elements.
//
//   point (x, y, z) of a section:  u − y v′ − z w′,   v − z ϑ,   w + y ϑ                   (1)
//   second order:                  −½ ∫ (v′² + w′²) dx along x                              (2)
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sarrus/elastic/elastic_body.hpp"

namespace sarrus {

struct BeamSection {
  double area = 0;        // [m²]
  double Iy = 0, Iz = 0;  // [m⁴] ∫ z² dA, ∫ y² dA
  double J = 0;           // [m⁴] torsion constant
  double y = 0, z = 0;    // [m] half sizes, for stresses and pictures; 0: unknown
};

struct ElasticMaterial {
  double E = 0, G = 0;  // [Pa]
  double density = 0;   // [kg/m³]
};

enum class BeamBasis { polynomial, cantilever, fe };
enum class Deflection { y, z, torsion, axial };

/// D = b K + a M (of the coordinates, relative to the frame) + modal ratios ζ.
struct ElasticDamping {
  double stiffness = 0;        // b [s]
  double mass = 0;             // a [1/s]
  std::vector<double> ratios;  // ζ per coordinate, or one for all
};

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

class Beam {
 public:
  /// Clamped to its frame at x = clamp, where its inboard joint is.
  Beam(const BeamSpec& spec, double clamp);

  int size() const { return static_cast<int>(coordinates_.size()); }
  const BeamSpec& spec() const { return spec_; }
  /// In the beam's own axes, about the clamped point.
  ElasticBody body() const;
  ElasticPlace place(double x) const;
  /// Section forces N, Qy, Qz, Mx, My, Mz at x per unit of each coordinate, from the deformation.
  std::vector<std::array<double, 6>> section_forces(double x) const;

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
  std::vector<double> shortening(double from, double to) const;  // −∫ (v′v′ᵀ + w′w′ᵀ)
  void add_station(ElasticBody& body, double x, double weight, const std::vector<double>& g) const;
  void add_damping(ElasticBody& body) const;
  double stiffness_of(Deflection kind) const;

  BeamSpec spec_;
  double clamp_ = 0;
  bool all_nodes_ = false;
  std::vector<Coordinate> coordinates_;
};

const char* to_text(Deflection kind);

}  // namespace sarrus
