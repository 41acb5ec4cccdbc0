// A solid body from a mesh, reduced to few coordinates.
//
//   displacements of the nodes  d = T z: free nodes, and rigid patches by six numbers each   (1)
//   Craig–Bampton   z = [X Ψ] (η, z_b):  X modes with all patches held, Ψ = −K_ii⁻¹ K_ib     (2)
//   modes           z = X η, of the body clamped at one patch                                (3)
//
// then turned into the modes of the reduced body: M and K of the coordinates are diagonal; or z
// itself, with all nodes kept. The clamped patch is where the inboard joint sits; it carries the
// frame. Everything else sits on another patch or on the elements themselves (solid_field.hpp).
// Displacements of second order follow from the linear body:
//
//   K g_kl = −∫ Bᵀ D sym(∇φₖᵀ ∇φₗ) dV                                                        (4)
//
// which makes the integrals ∫ g dm those of the geometric stiffness under the body's own inertia
// forces. [Craig, Bampton 1968], docs/theory/elastic-solids.md
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sarrus/elastic/elastic_shape.hpp"
#include "sarrus/elastic/material.hpp"
#include "sarrus/elastic/solid_mesh.hpp"

namespace sarrus {

/// Nodes that move as one rigid patch.
struct SolidInterface {
  std::string name, group;
};

enum class SolidReduction { craig_bampton, modes, nodes };

inline constexpr int most_extended =
    24;  // coordinates of form X: its cost grows with their fourth power
inline constexpr int most_nodal = 150;  // with all nodes kept

struct SolidSpec {
  std::shared_ptr<const SolidMesh> mesh;  // [m] in the user's frame
  ElasticMaterial material;
  std::vector<SolidInterface> interfaces;
  SolidReduction reduction = SolidReduction::craig_bampton;
  int modes = 6;  // with the patches held, or of the clamped body; not with all nodes kept
  ElasticDamping damping;
  bool stiffening = true;
  char form = 'X';  // 'X' integrals of all fields, 'I' cut after the second order
};

/// What is wrong with it before anything is computed.
std::vector<SolidProblem> solid_problems(const SolidSpec& spec);

/// Coordinates that the reduction will have.
int coordinate_count(const SolidSpec& spec);

class ElasticSolid final : public ElasticShape {
 public:
  /// Clamped at the interface that carries `inboard`. Throws ElasticFault where none does, and
  /// where the stiffness or its modes cannot be found.
  ElasticSolid(const SolidSpec& spec, const Vec3& inboard);
  ~ElasticSolid() override;

  ElasticBody body() const override;
  Vec3 clamp() const override;
  std::optional<Vec3> carrier(const Vec3& point) const override;
  ElasticPlace place(const Vec3& carrier) const override;
  std::vector<std::array<double, 6>> section_forces(const Vec3&) const override { return {}; }
  std::vector<std::array<double, 6>> stresses(const Vec3& point) const override;
  std::string carriers() const override;

  /// Natural frequencies of the reduced body, clamped [rad/s].
  const std::vector<double>& frequencies() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;

  std::string interface_list() const;
};

}  // namespace sarrus
