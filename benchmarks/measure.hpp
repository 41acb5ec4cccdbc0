// What every contestant shares: its command line, the clock, the line it prints.
//
//   bench_NAME TASK [--model chain|humanoid] [--n N] [--budget SECONDS] [--calls K]
//
// prints  contestant,task,model,freedoms,setting,min_us,median_us,difference,allocations
// where `difference` is the distance from the textbook's answer (relative; for `swing` in rad) and
// `allocations` counts calls of operator new while the clock ran, where the contestant counts them.
// With --calls the work is done K times between the marks of callgrind, and no time is taken.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <stdexcept>

#include "benchmarks/textbook.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

namespace bench {

inline long allocations = 0;             // a contestant that replaces operator new counts here
inline bool counts_allocations = false;  // and says so

class Arguments {
 public:
  Arguments(int argc, char** argv) : task(argc > 1 ? argv[1] : "fd") {
    for (int i = 2; i + 1 < argc; i += 2) values_[argv[i]] = argv[i + 1];
  }
  std::string text(const std::string& key, const std::string& otherwise) const {
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
  }
  double number(const std::string& key, double otherwise) const {
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : std::atof(found->second.c_str());
  }
  Tree tree() const {
    return text("--model", "chain") == "humanoid" ? humanoid()
                                                  : chain(static_cast<int>(number("--n", 30)));
  }

  const std::string task;

 private:
  std::map<std::string, std::string> values_;
};

/// CPU time of this process: on a shared machine, waiting for a core does not count.
inline double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Times {
  double min = 0, median = 0;  // [µs] per call
  long allocations = 0;        // in all calls
};

/// Calls `work` in batches of about 0.2 ms until the budget is spent, at least three.
template <class Work>
Times time_of(const Work& work, double budget) {
  work();
  const double before = cpu_seconds();
  work();
  const double one = std::max(cpu_seconds() - before, 1e-8);
  const long batch = std::max(1L, static_cast<long>(2e-4 / one));
  std::vector<double> samples;
  samples.reserve(static_cast<size_t>(budget / (static_cast<double>(batch) * one) * 4) + 16);
  const double end = cpu_seconds() + budget;
  const long allocated = allocations;
  double now = cpu_seconds();
  while (now < end || samples.size() < 3) {
    const double start = now;
    for (long i = 0; i < batch; ++i) work();
    now = cpu_seconds();
    if (samples.size() < samples.capacity())
      samples.push_back((now - start) / static_cast<double>(batch) * 1e6);
  }
  Times result;
  result.allocations = allocations - allocated;
  std::sort(samples.begin(), samples.end());
  result.min = samples.front();
  result.median = samples[samples.size() / 2];
  return result;
}

inline void print_line(const std::string& contestant, const std::string& task, const Tree& tree,
                       const std::string& setting, const Times& times, double difference) {
  std::printf("%s,%s,%s,%d,%s,%.6g,%.6g,%.3g,", contestant.c_str(), task.c_str(), tree.name.c_str(),
              tree.freedoms(), setting.c_str(), times.min, times.median, difference);
  if (counts_allocations) std::printf("%ld", times.allocations);
  std::printf("\n");
}

/// Measures and prints one line, or runs --calls times for callgrind. `share`: one call of `work`
/// does this many of what is counted.
template <class Work>
void report(const Arguments& arguments, const std::string& contestant, const Tree& tree,
            const std::string& setting, double difference, const Work& work, double share = 1) {
  const long calls = static_cast<long>(arguments.number("--calls", 0));
  if (calls > 0) {
    work();
    CALLGRIND_START_INSTRUMENTATION;
    for (long i = 0; i < calls; ++i) work();
    CALLGRIND_STOP_INSTRUMENTATION;
    return;
  }
  Times times = time_of(work, arguments.number("--budget", 0.2));
  times.min /= share, times.median /= share;
  print_line(contestant, arguments.task, tree, setting, times, difference);
}

// ── answers ─────────────────────────────────────────────────────────────────────────────────────

/// Largest difference relative to the largest entry.
inline double relative_difference(const std::vector<double>& found,
                                  const std::vector<double>& expected) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    // a NaN must not pass as small
    if (!(std::fabs(found[i] - expected[i]) <= difference))
      difference = std::fabs(found[i] - expected[i]);
    size = std::max(size, std::fabs(expected[i]));
  }
  return difference / size;
}

/// The textbook's u̇ under gravity alone.
inline std::vector<double> expected_udot(const Tree& tree, const Instant& x) {
  std::vector<double> none(x.q.size()), udot(x.q.size());
  Textbook(tree).forward_dynamics(x.q.data(), x.u.data(), none.data(), udot.data());
  return udot;
}
inline std::vector<double> expected_tau(const Tree& tree, const Instant& x) {
  std::vector<double> tau(x.q.size());
  Textbook(tree).inverse_dynamics(x.q.data(), x.u.data(), x.udot.data(), tau.data());
  return tau;
}

/// How far M x is from the textbook's, for x = u̇ of the instant; entry(i, j) reads M of the hinges.
template <class Entry>
double mass_difference(const Tree& tree, const Instant& x, const Entry& entry) {
  const size_t n = x.q.size();
  std::vector<double> product(n), rest(n), expected(n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      product[i] += entry(static_cast<int>(i), static_cast<int>(j)) * x.udot[j];
  Textbook(tree).inverse_dynamics(x.q.data(), rest.data(), x.udot.data(), expected.data(), 0);
  return relative_difference(product, expected);
}

// ── the swinging chain ──────────────────────────────────────────────────────────────────────────

constexpr double swing_seconds = 1;
constexpr double swing_target = 3.5e-5;  // [rad] at the end, in the worst hinge

/// Finds the coarsest of `settings` (given from fine to coarse) that meets the target, as do all
/// finer ones, then measures it. run(setting) simulates and returns the final angles;
/// label(setting) is text.
template <class Run, class Label>
void report_swing(const Arguments& arguments, const std::string& contestant,
                  const std::vector<double>& settings, const Run& run, const Label& label) {
  const Tree tree = arguments.tree();
  const std::vector<double> expected = textbook_swing(tree.size(), swing_seconds, 1e-4);
  const auto error = [&](double setting) {
    const std::vector<double> q = run(setting);
    double worst = 0;
    for (size_t i = 0; i < q.size(); ++i) worst = std::max(worst, std::fabs(q[i] - expected[i]));
    return worst;
  };
  double chosen = settings.front(), reached = error(chosen);
  for (size_t i = 1; i < settings.size(); ++i) {
    const double next = error(settings[i]);
    if (!(next <= swing_target)) break;
    chosen = settings[i], reached = next;
  }
  report(arguments, contestant, tree, label(chosen), reached, [&] { run(chosen); });
}

/// Steps [s] of fixed-step methods, and tolerances of adaptive ones, from fine to coarse.
inline std::vector<double> swing_steps() {
  return {1e-3, 2e-3, 2.5e-3, 4e-3, 5e-3, 6.25e-3, 8e-3, 1e-2};
}
inline std::vector<double> swing_tolerances() {
  std::vector<double> list;
  for (int i = 0; i <= 14; ++i) list.push_back(1e-8 * std::pow(10, 0.5 * i));
  return list;
}

inline std::string in_text(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace bench
