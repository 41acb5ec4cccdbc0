// A08: models in several threads share nothing. Also run under the thread sanitizer.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "builders.hpp"
#include "sarrus/run/simulate.hpp"

using namespace sarrus;
using namespace sarrus::testing;

TEST_CASE("A08: two runs in two threads have the bits that each has alone") {
  Model chain = chain_b1(), tree = tree_b2();
  chain.simulate.until = tree.simulate.until = 0.2;
  const auto rows = [](const Model& model) {
    return simulate(compile(model), model.simulate).trajectory.values;
  };
  const std::vector<double> a = rows(chain), b = rows(tree);
  for (int i = 0; i < 10; ++i) {
    std::vector<double> first, second;
    std::thread other([&] { first = rows(chain); });
    second = rows(tree);
    other.join();
    const bool same = first == a && second == b;
    CHECK(same);
  }
}
