// Steps take no memory: operator new of this program counts.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "integrators/odes.hpp"

namespace {
std::atomic<long> allocations = 0;
}

// not inlined: g++ 12 would compare malloc with delete and warn
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
// the address sanitizer brings one of its own, which does not call the one above
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size ? size : 1);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace sarrus;
using namespace sarrus::test;

TEST_CASE("allocation: a step takes no memory after start()") {
  for (const std::string method :
       {"rk4", "dopri5", "dop853", "semi_implicit_euler", "midpoint", "gauss4", "gauss6",
        "stormer_verlet", "discrete_gradient", "lie_midpoint", "generalized_alpha"}) {
    CAPTURE(method);
    FreeTop ode({1, 2, 3}, {0.3, 1.5, 0.2});
    State y = ode.start(), inside(y.size());
    const auto integrator = make_integrator(method, {.step = 0.01, .rtol = 1e-8, .atol = 1e-8});
    integrator->start(ode, 0, y);

    const long before = allocations;
    double t = 0;
    for (int k = 0; k < 20; ++k) {
      t += integrator->step(ode, t, 100, y).h;
      integrator->interpolate(0.5, inside);
      ode.rebase(t, y, integrator->end_derivative());
    }
    const long after = allocations;
    CHECK(t > 0);
    CHECK(after == before);
  }
}

TEST_CASE("allocation: the counter counts") {
  const long before = allocations;
  const std::vector<double> some(100);
  CHECK(some.size() == 100);
  CHECK(allocations > before);
}
