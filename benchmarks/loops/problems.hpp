// Mechanisms with closed loops from the IFToMM library of benchmarks and from the literature on
// solvers, as plain numbers, and the search that every contestant makes:
//
//   bench_loops_NAME PROBLEM [--budget SECONDS]
//
// finds the coarsest setting whose energy stays within the problem's target, measures it, and
// prints
//   contestant,problem,bodies,setting,ms,energy_error,met
//
//   four_bars_N  N parallelograms in a row through their flat positions (A02), 10 s
//   squeezer     Andrews' mechanism, seven bodies, three loops, 0.03 s
//   bricard      rectangular Bricard mechanism, every reaction redundant (A04), 10 s
//
// Frames of bars are parallel to the world's where all angles are zero, at the bar's first hinge.
#pragma once

#include "benchmarks/measure.hpp"

namespace bench {

constexpr double thin = 1e-6;  // [kg m²] of slender rods about themselves: some engines refuse 0

struct Bar {
  int parent = -1;  // −1: the world
  Triple at{};      // [m] the hinge, in the parent's frame
  Triple axis{0, 0, 1};
  double mass = 1;  // [kg]
  Triple com{};
  Triple inertia{};     // [kg m²]
  double q = 0, u = 0;  // at the start
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
  double k = 0, length = 0;
};

struct LoopProblem {
  std::string name;
  Triple gravity{};
  std::vector<Bar> bars;
  std::vector<ClosingHinge> closing;
  std::vector<Pull> pulls;
  double torque = 0;   // [N m] on the first hinge
  double seconds = 1;  // of motion
  double target = 0;   // [J] largest error of energy allowed: 1e-5 of what is exchanged
};

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
  if (name == "squeezer") return squeezer();
  if (name == "bricard") return bricard();
  if (name.rfind("four_bars_", 0) == 0) return four_bars(std::atoi(name.c_str() + 10));
  if (name.rfind("grow_", 0) == 0) {  // how the time grows with N, away from flat positions
    LoopProblem p = four_bars(std::atoi(name.c_str() + 5));
    p.name = name, p.seconds = 0.5;
    return p;
  }
  throw std::invalid_argument("problems are four_bars_N, squeezer and bricard, not " + name);
}

constexpr int energy_samples = 100;  // over the motion

/// run(setting) simulates and gives the largest error of energy [J], not finite where it failed.
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
