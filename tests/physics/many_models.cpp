// A13: models that come and go leave nothing behind.
#include <doctest/doctest.h>

#include <cstdio>
#include <memory>
#include <string>

#include "builders.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/run/simulate.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// Pages of memory that this process holds, times their size [kB].
long resident() {
  long size = 0, pages = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"),
                                                             std::fclose);
  if (!file || std::fscanf(file.get(), "%ld %ld", &size, &pages) != 2) return -1;
  return pages * 4;
}

constexpr const char* text = R"model(
sarrus = 1
[[body]]
name = "bob"
shape = { type = "sphere", radius = 0.1, density = 1000 }
[[joint]]
name = "hinge"
type = "revolute"
child = "bob"
axis = "y"
on_child = { at = [0, 0, 1] }
force = "0.1*sin(t)"
[simulate]
until = 0.01
output_step = 0.01
)model";

void load_and_run() {
  const Model model = parse_model(text, "bob.toml");
  const Run run = simulate(compile(model), model.simulate);
  REQUIRE(run.summary.status == RunStatus::done);
}

}  // namespace

TEST_CASE("A13: a thousand models loaded, run and destroyed leave memory flat") {
  for (int i = 0; i < 200; ++i) load_and_run();  // warm-up
  const long before = resident();
  if (before < 0) return;  // no /proc here
  for (int i = 0; i < 1000; ++i) load_and_run();
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(resident() - before <= 1024);  // kB
#endif
}

TEST_CASE("A03: an empty model compiles, and says that nothing moves") {
  const Mechanism nothing = compile(Model{});
  CHECK(nothing.nb == 1);
  CHECK(nothing.nu == 0);
}

TEST_CASE("A05: a column with a typing error is refused by name") {
  Model model = chain_b1();
  model.simulate.until = 0.01;
  const Run run = simulate(compile(model), model.simulate);
  CHECK_THROWS_WITH(run.trajectory.at(0, "j1.w"), "no column is called 'j1.w'");
  CHECK_THROWS_AS(run.trajectory.at(100000, "j1.q"), std::out_of_range);
}
