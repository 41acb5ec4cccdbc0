// Mechanisms with closed loops from the IFToMM library of benchmarks and from the literature on
// solvers, as plain numbers, and the search that every contestant makes:
//
//   bench_loops_NAME PROBLEM [--budget SECONDS]
//
// finds the coarsest setting whose error stays within the problem's target, measures it, and prints
//   contestant,problem,bodies,setting,ms,error,met
//
// The error is that of the energy, less the work of the motor [J]; where dampers take energy away,
// which not every engine counts, it is that of one coordinate [m] against the reference solution.
//
//   pendulum     a point mass in Cartesian coordinates on a rod of fixed length (A01), 10 s
//   four_bars_N  N parallelograms in a row through their flat positions (A02), 10 s
//   squeezer     Andrews' mechanism, seven bodies, three loops, 0.03 s
//   bricard      rectangular Bricard mechanism, every reaction redundant (A04), 10 s
//   governor     flyball governor: no loop, but links so stiff that 40 µs count (A05), 2 s
//
// Frames of bars are parallel to the world's where all angles are zero, at the bar's first hinge.
#pragma once

#include "benchmarks/measure.hpp"

namespace bench {

constexpr double thin = 1e-6;  // [kg m²] of slender rods about themselves: some engines refuse 0

enum class Freedom { hinge, slide, point };  // about the axis, along it, three translations

struct Bar {
  int parent = -1;  // −1: the world
  Triple at{};      // [m] the joint, in the parent's frame
  Triple axis{0, 0, 1};
  double mass = 1;  // [kg]
  Triple com{};
  Triple inertia{};     // [kg m²]
  double q = 0, u = 0;  // at the start
  Freedom freedom = Freedom::hinge;
  Triple from{};  // [m] where a point starts
};

/// A hinge that closes a loop between bars a and b.
struct ClosingHinge {
  int a = -1, b = -1;
  Triple at_a{}, at_b{};
  Triple axis{0, 0, 1};
  bool planar = true;  // the axis is held by all other hinges: the point is enough
};

struct Pull {
  int a = -1, b = -1;
  Triple at_a{}, at_b{};
  double k = 0, length = 0, damping = 0;
};

/// Two points at a fixed distance.
struct Rod {
  int a = -1, b = -1;
  Triple at_a{}, at_b{};
  double length = 0;
};

/// A coordinate against a reference, in place of the energy.
struct Reference {
  int bar = -1;
  std::vector<std::pair<double, double>> values;  // [s], q
};

struct LoopProblem {
  std::string name;
  Triple gravity{};
  std::vector<Bar> bars;
  std::vector<ClosingHinge> closing;
  std::vector<Pull> pulls;
  double torque = 0;   // [N m] on the first hinge
  double seconds = 1;  // of motion
  double target = 0;   // largest error allowed: 1e-5 of the energy that is exchanged, or of the way
  std::vector<Rod> rods{};
  Reference reference{};

  bool stiff() const { return !reference.values.empty(); }
};

inline LoopProblem pendulum() {
  LoopProblem p{"pendulum", {0, -9.81, 0}, {}, {}, {}, 0, 10, 1e-5 * 9.81};
  Bar bob;
  bob.freedom = Freedom::point;
  bob.from = {-1, 0, 0};
  p.bars = {bob};
  p.rods = {{-1, 0, {}, {}, 1}};
  return p;
}

/// The reference: Lagrange's equations in three coordinates, examples/flyball_governor.
inline LoopProblem governor() {
  LoopProblem p{"governor", {0, 0, -9.81}, {}, {}, {}, 0, 2, 2.4e-6};
  const double rod = 0.3, ball = 5, mass = rod + ball, sleeve = 3, thin_rod = rod * 2e-4 / 12;
  const double slender = rod * 1.0001 / 12, centre = (rod * 0.5 + ball) / mass;
  const double across =
      slender + rod * (centre - 0.5) * (centre - 0.5) + ball * (1 - centre) * (1 - centre);
  const double pi = 3.141592653589793;
  p.bars.push_back({-1, {}, {0, 0, 1}, rod, {0, 0, 0.5}, {slender, slender, thin_rod}, 0, 2 * pi});
  for (const double side : {1.0, -1.0})
    p.bars.push_back({0,
                      {0.05 * side, 0, 1},
                      {0, side, 0},
                      mass,
                      {centre * side, 0, 0},
                      {thin_rod, across, across},
                      pi / 6,
                      0});
  const double cube = sleeve * 0.02 / 12;
  p.bars.push_back({0, {}, {0, 0, 1}, sleeve, {}, {cube, cube, cube}, 0.5, 0, Freedom::slide});
  for (const int side : {1, -1})
    p.pulls.push_back(
        {3, side > 0 ? 1 : 2, {0.05 * side, 0, 0}, {0.5 * side, 0, 0}, 8e5, 0.5, 4e4});
  p.reference = {3,
                 {{0.1, 0.5238364755695},
                  {0.25, 0.6220927215961},
                  {0.5, 0.7432494247862},
                  {0.75, 0.6403967116095},
                  {1, 0.5014209223795},
                  {1.5, 0.7406845959686},
                  {2, 0.5059092942967}}};
  return p;
}

inline LoopProblem four_bars(int N) {
  LoopProblem p{"four_bars_" + std::to_string(N), {0, -9.81, 0}, {}, {}, {}, 0, 10, 0};
  const double I = 1.0 / 12;
  for (int i = 0; i <= N; ++i)
    p.bars.push_back({-1, {double(i), 0, 0}, {0, 0, 1}, 1, {0, 0.5, 0}, {I, thin, I}, 0, -1});
  for (int i = 1; i <= N; ++i) {
    p.bars.push_back({i - 1, {0, 1, 0}, {0, 0, 1}, 1, {0.5, 0, 0}, {thin, I, I}, 0, 1});
    p.closing.push_back({N + i, i, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, true});
  }
  p.target = 1e-5 * 9.81 * (N + 1 + 2 * N);  // the weight of posts and beams through 1 m and 2 m
  return p;
}

inline LoopProblem squeezer() {
  LoopProblem p{"squeezer", {0, 0, 0}, {}, {}, {}, 0.033, 0.03, 2e-5};
  const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072,
               rr = 0.007, ra = 0.00092, d = 0.028, da = 0.0115, ss = 0.035, sa = 0.01874,
               sb = 0.01043, sc = 0.018, sd = 0.02, e = 0.02, ea = 0.01421, zt = 0.04, ta = 0.02308,
               tb = 0.00916, zf = 0.02, fa = 0.01421, u = 0.04, ua = 0.01228, ub = 0.00449;
  const auto add = [&](int parent, Triple at, double m, Triple com, double I, double q) {
    p.bars.push_back({parent, at, {0, 0, 1}, m, com, {I, I, I}, q, 0});
  };
  add(-1, {}, 0.04325, {ra, 0, 0}, 2.194e-6, -0.06171389001427645);              // k1
  add(0, {rr, 0, 0}, 0.00365, {-da, 0, 0}, 4.41e-7, 0);                          // k2
  add(-1, {xb, yb, 0}, 0.02373, {sb, -sa, 0}, 5.255e-6, 0.45527981916307037);    // k3
  add(-1, {xa, ya, 0}, 0.0705, {ta, tb, 0}, 1.169e-5, 0.48736497954384256);      // k5
  add(3, {zt, 0, 0}, 0.00706, {0, ea - e, 0}, 5.667e-7, 0.22266839016588588);    // k4
  add(-1, {xa, ya, 0}, 0.05498, {ub, -ua, 0}, 1.912e-5, 1.2305474445498212);     // k7
  add(5, {0, -u, 0}, 0.00706, {zf - fa, 0, 0}, 5.667e-7, -0.22266839016588588);  // k6
  const Triple E{0, -ss, 0};
  p.closing = {{1, 2, {-d, 0, 0}, E, {0, 0, 1}, true},
               {2, 4, E, {0, -e, 0}, {0, 0, 1}, true},
               {2, 6, E, {zf, 0, 0}, {0, 0, 1}, true}};
  p.pulls = {{-1, 2, {xc, yc, 0}, {sd, -sc, 0}, 4530, 0.07785}};
  return p;
}

inline LoopProblem bricard() {
  LoopProblem p{"bricard", {0, -9.81, 0}, {}, {}, {}, 0, 10, 1.5e-4};
  const double along = 0.02 / 12, across = 1.01 / 12;
  const Triple bars[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
  const Triple axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 5; ++i) {
    Bar bar{i - 1, i == 0 ? Triple{} : bars[i - 1], axes[i], 1, {}, {}, 0, 0};
    for (size_t k = 0; k < 3; ++k) {
      bar.com[k] = bars[i][k] / 2;
      bar.inertia[k] = bars[i][k] != 0 ? along : across;
    }
    p.bars.push_back(bar);
  }
  p.closing = {{-1, 4, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, false}};
  return p;
}

inline LoopProblem loop_problem(const std::string& name) {
  if (name == "pendulum") return pendulum();
  if (name == "governor") return governor();
  if (name == "squeezer") return squeezer();
  if (name == "bricard") return bricard();
  if (name.rfind("four_bars_", 0) == 0) return four_bars(std::atoi(name.c_str() + 10));
  if (name.rfind("grow_", 0) == 0) {  // how the time grows with N, away from flat positions
    LoopProblem p = four_bars(std::atoi(name.c_str() + 5));
    p.name = name, p.seconds = 0.5;
    return p;
  }
  throw std::invalid_argument(
      "problems are pendulum, four_bars_N, squeezer, bricard and governor, not " + name);
}

constexpr int samples = 100;  // over the motion

/// Takes what an engine finds at samples 0 … 100 and keeps the largest error.
class Judge {
 public:
  explicit Judge(const LoopProblem& p) : p_(p) {}

  double time(int sample) const { return p_.seconds * sample / samples; }
  /// The energy less the work of the motor; the coordinate of the reference.
  void take(int sample, double energy, double q) {
    if (p_.stiff()) {
      for (const auto& [t, expected] : p_.reference.values)
        if (std::fabs(t - time(sample)) < 1e-9) add(q - expected);
    } else if (sample == 0) {
      start_ = energy;
    } else {
      add(energy - start_);
    }
  }
  double worst() const { return worst_; }

 private:
  void add(double error) {
    if (!(std::fabs(error) <= worst_)) worst_ = std::fabs(error) < 1e300 ? std::fabs(error) : 1e300;
  }
  const LoopProblem& p_;
  double start_ = 0, worst_ = 0;
};

/// run(setting) simulates and gives the largest error, 1e300 where it failed.
/// Settings from coarse to fine; a setting counts where the next finer one meets the target too.
template <class Run, class Label>
void report_loops(const Arguments& arguments, const std::string& contestant, const LoopProblem& p,
                  const std::vector<double>& settings, const Run& run, const Label& label) {
  std::vector<double> error;
  size_t chosen = settings.size(), least = 0;
  for (size_t i = 0; i < settings.size() && chosen == settings.size(); ++i) {
    error.push_back(run(settings[i]));
    if (error[i] < error[least] || !(error[least] < 1e300)) least = i;
    if (i > 0 && error[i] <= p.target && error[i - 1] <= p.target) chosen = i - 1;
  }
  const bool met = chosen < settings.size();
  if (!met) chosen = least;
  double best = 1e300;
  const double end = cpu_seconds() + arguments.number("--budget", 1);
  do {
    const double before = cpu_seconds();
    run(settings[chosen]);
    best = std::min(best, cpu_seconds() - before);
  } while (cpu_seconds() < end);
  std::printf("%s,%s,%zu,%s,%.4g,%.3g,%s\n", contestant.c_str(), p.name.c_str(), p.bars.size(),
              label(settings[chosen]).c_str(), 1e3 * best, error[chosen], met ? "yes" : "no");
}

/// From coarse to fine, by half decades.
inline std::vector<double> tolerances(double coarse, double fine) {
  std::vector<double> list;
  for (double x = coarse; x > 0.99 * fine; x /= std::sqrt(10.0)) list.push_back(x);
  return list;
}

}  // namespace bench
