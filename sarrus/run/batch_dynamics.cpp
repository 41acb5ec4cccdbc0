#include "sarrus/run/batch_dynamics.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <system_error>
#include <thread>

#include "sarrus/formulations/stages/applied.hpp"

namespace sarrus {
namespace {

template <class T>
constexpr int lanes_of() {
  if constexpr (requires { T::lanes; })
    return T::lanes;
  else
    return 1;
}

void put_lane(double& x, int, double value) { x = value; }
void put_lane(Pack<4>& x, int lane, double value) { x.set(lane, value); }
double lane_of(const double& x, int) { return x; }
double lane_of(const Pack<4>& x, int lane) { return x[lane]; }

/// What one thread needs.
template <class T>
struct StatesRoom {
  explicit StatesRoom(const Mechanism& m)
      : w(m),
        q(m.nq),
        u(m.nu),
        given(m.nu),
        out(m.nu),
        states(m.start_state.begin(), m.start_state.end()) {}
  Workspace<T> w;
  std::vector<T> q, u, given, out, states;

  /// Rows of an array into lanes; lanes without a row repeat the last.
  static void take(std::vector<T>& into, const double* from, int first, int count) {
    const auto n = into.size();
    for (int lane = 0; lane < lanes_of<T>(); ++lane) {
      const double* row = from + static_cast<size_t>(first + std::min(lane, count - 1)) * n;
      for (size_t i = 0; i < n; ++i) put_lane(into[i], lane, row[i]);
    }
  }
  static void give(const std::vector<T>& from, double* to, int first, int count) {
    const auto n = from.size();
    for (int lane = 0; lane < count; ++lane)
      for (size_t i = 0; i < n; ++i)
        to[static_cast<size_t>(first + lane) * n + i] = lane_of(from[i], lane);
  }
};

/// Calls work(room, first, count) for every group of states, on several threads.
template <class T, class Work>
void each_group(const Mechanism& m, int count, int threads, Work&& work) {
  constexpr int width = lanes_of<T>(), at_once = 16;  // groups: a thread comes back rarely
  const int groups = (count + width - 1) / width;
  std::deque<StatesRoom<T>> rooms;
  for (int i = 0; i < std::clamp(threads, 1, std::max(1, groups / at_once)); ++i)
    rooms.emplace_back(m);
  std::atomic<int> next{0};
  const auto run = [&](StatesRoom<T>& own) {
    for (int from; (from = next.fetch_add(at_once)) < groups;)
      for (int g = from; g < std::min(from + at_once, groups); ++g)
        work(own, g * width, std::min(width, count - g * width));
  };
  std::vector<std::jthread> others;
  others.reserve(rooms.size());
  try {
    for (size_t i = 1; i < rooms.size(); ++i) others.emplace_back(run, std::ref(rooms[i]));
  } catch (const std::system_error&) {  // the machine gives no more threads: these do it all
  }
  run(rooms[0]);
}

template <class T>
int forward_rows(const Mechanism& m, const StateRows& rows, double* udot, int threads) {
  std::atomic<int> without{std::numeric_limits<int>::max()};
  each_group<T>(m, rows.count, threads, [&](StatesRoom<T>& room, int first, int count) {
    StatesRoom<T>::take(room.q, rows.q, first, count);
    StatesRoom<T>::take(room.u, rows.u, first, count);
    if (rows.tau) {
      StatesRoom<T>::take(room.given, rows.tau, first, count);
      apply_joint_forces(room.w, room.given.data());
    }
    const Kinematics<T>& k =
        move(room.w, T(rows.t), room.q.data(), room.u.data(), room.states.data());
    const Accelerations<T>& a = accelerate(room.w, k, load(room.w, k));
    StatesRoom<T>::give(a.udot, udot, first, count);
    if (a.exist) return;
    std::fill_n(udot + static_cast<size_t>(first) * m.nu, static_cast<size_t>(count) * m.nu,
                std::numeric_limits<double>::quiet_NaN());
    for (int seen = without; first < seen && !without.compare_exchange_weak(seen, first);) {
    }
  });
  return without == std::numeric_limits<int>::max() ? -1 : without.load();
}

}  // namespace

int forward_dynamics_rows(const Mechanism& m, const StateRows& rows, double* udot, int threads) {
  // lanes that are still searching for reactions would hold up their neighbours
  const bool one_by_one = m.has_loops() || !m.numbers.forces.frictions.empty();
  return one_by_one ? forward_rows<double>(m, rows, udot, threads)
                    : forward_rows<Pack<4>>(m, rows, udot, threads);
}

void inverse_dynamics_rows(const Mechanism& m, const StateRows& rows, const double* udot,
                           double* tau, int threads) {
  using Packed = StatesRoom<Pack<4>>;
  each_group<Pack<4>>(m, rows.count, threads, [&](Packed& room, int first, int count) {
    Packed::take(room.q, rows.q, first, count);
    Packed::take(room.u, rows.u, first, count);
    Packed::take(room.given, udot, first, count);
    inverse_dynamics_at(room.w, room.q.data(), room.u.data(), room.given.data(), room.out.data());
    Packed::give(room.out, tau, first, count);
  });
}

}  // namespace sarrus
