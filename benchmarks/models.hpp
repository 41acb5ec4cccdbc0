// The mechanisms that every contestant is measured on, as plain numbers.
//
//   chain     N links of 0.2 m and 1 kg hanging along −z, hinged about x, y, x, y, …
//   humanoid  a floating trunk and 24 hinges: waist, neck, two arms of 5, two legs of 6; 30
//   freedoms
//
// Every body's frame sits at its inboard joint and is parallel to its parent's where all angles are
// zero; the world's gravity points along −z.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "sarrus/core/random.hpp"

namespace bench {

using Triple = std::array<double, 3>;

constexpr double gravity = 9.81;     // [m/s²]
constexpr double link_length = 0.2;  // [m] of the chain

struct Link {
  int parent = -1;      // −1: the world
  bool floats = false;  // six freedoms instead of a hinge; only ever the first
  int axis = 0;         // of the hinge: 0 x, 1 y, 2 z
  Triple at{};          // [m] the hinge, in the parent's frame
  double mass = 1;      // [kg]
  Triple com{};         // [m] in the link's own frame
  Triple inertia{};     // [kg m²] principal, about the centre of mass, along the frame's axes
};

struct Tree {
  std::string name;
  std::vector<Link> links;

  bool floats() const { return links.front().floats; }
  int size() const { return static_cast<int>(links.size()); }
  int hinges() const { return size() - (floats() ? 1 : 0); }
  int freedoms() const { return hinges() + (floats() ? 6 : 0); }
};

/// Of a solid box with edges x, y, z.
inline Triple box_inertia(double mass, double x, double y, double z) {
  const double k = mass / 12;
  return {k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y)};
}

inline Tree chain(int n) {
  Tree tree{"chain", {}};
  for (int i = 0; i < n; ++i)
    tree.links.push_back({i - 1,
                          false,
                          i % 2,
                          {0, 0, i == 0 ? 0 : -link_length},
                          1,
                          {0, 0, -link_length / 2},
                          box_inertia(1, 0.05, 0.05, link_length)});
  return tree;
}

/// One hinge of a limb, from the trunk outward.
struct Segment {
  int axis;
  Triple at;
  double mass, length;
};

/// Hangs a limb of square section `width` on `parent`; side = ±1 mirrors it in the x–z plane.
inline void add_limb(Tree& tree, int parent, int side, double width,
                     const std::vector<Segment>& segments) {
  for (const Segment& s : segments) {
    tree.links.push_back({parent,
                          false,
                          s.axis,
                          {s.at[0], side * s.at[1], s.at[2]},
                          s.mass,
                          {0, 0, -s.length / 2},
                          box_inertia(s.mass, width, width, s.length)});
    parent = tree.size() - 1;
  }
}

inline Tree humanoid() {
  Tree tree{"humanoid", {}};
  tree.links.push_back({-1, true, 0, {}, 12, {0, 0, 0.05}, box_inertia(12, 0.2, 0.3, 0.2)});
  add_limb(tree, 0, 1, 0.3, {{2, {0, 0, 0.15}, 16, 0.1}});
  add_limb(tree, 1, 1, 0.15, {{1, {0, 0, 0.4}, 4, 0.2}});
  const std::vector<Segment> arm = {{1, {0, 0.2, 0.35}, 0.5, 0.05},
                                    {0, {0, 0.03, 0}, 0.5, 0.05},
                                    {2, {0, 0, -0.05}, 2, 0.25},
                                    {1, {0, 0, -0.25}, 1, 0.2},
                                    {2, {0, 0, -0.1}, 0.8, 0.15}};
  const std::vector<Segment> leg = {{2, {0, 0.1, -0.1}, 0.8, 0.05}, {0, {0, 0, -0.02}, 0.8, 0.05},
                                    {1, {0, 0, -0.02}, 7, 0.4},     {1, {0, 0, -0.4}, 4, 0.4},
                                    {1, {0, 0, -0.4}, 0.5, 0.05},   {0, {0, 0, -0.02}, 1.2, 0.08}};
  for (const int side : {-1, 1}) add_limb(tree, 1, side, 0.07, arm);
  for (const int side : {-1, 1}) add_limb(tree, 0, side, 0.09, leg);
  return tree;
}

/// Angles, rates and accelerations of the hinges; a floating trunk stands at the origin, at rest.
struct Instant {
  std::vector<double> q, u, udot;
};

inline Instant random_instant(const Tree& tree, std::uint64_t seed = 7) {
  sarrus::Random random(seed);
  Instant x;
  for (int i = 0; i < tree.hinges(); ++i) {
    x.q.push_back(random.uniform(-0.5, 0.5));
    x.u.push_back(random.uniform(-1, 1));
    x.udot.push_back(random.uniform(-1, 1));
  }
  return x;
}

/// Where the swinging chain is let go, at rest: the first two hinges far out, the others curled.
inline std::vector<double> swing_start(int n) {
  std::vector<double> q;
  for (int i = 0; i < n; ++i) q.push_back(i == 0 ? 1.0 : i == 1 ? 0.5 : 0.05 * std::sin(i));
  return q;
}

}  // namespace bench
