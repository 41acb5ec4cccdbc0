// What is wrong with controllers in a model file is said with what to do.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "sarrus/files/read_model.hpp"
#include "sarrus/mechanism/compile.hpp"

using namespace sarrus;

namespace {

/// All that is said of a model with these controllers.
std::string said_of_control(const std::string& more) {
  try {
    compile(parse_model(fmt::format(R"toml(
sarrus = 1
[[body]]
name = "block"
mass = 1
[[joint]]
name = "rail"
type = "prismatic"
child = "block"
{}
)toml",
                                    more),
                        "m.toml"));
  } catch (const Error& e) {
    std::string all;
    for (const Diagnostic& d : e.diagnostics())
      all += d.code + " " + d.element + ": " + d.message + "; " + d.hint + "\n";
    return all;
  }
  return "nothing";
}

bool refused_with(const std::string& all, std::initializer_list<const char*> words) {
  INFO(all);
  bool found = true;
  for (const char* word : words) found = found && all.find(word) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("control: signals that read each other in a cycle are refused with the cycle") {
  refused_with(said_of_control(R"toml(
[[block]]
name = "a"
type = "saturation"
input = "b + rail.q"
limits = [-1, 1]
[[block]]
name = "b"
type = "saturation"
input = "2*a"
limits = [-1, 1]
)toml"),
               {"circular-formula", "a → a.in → b → b.in → a", "state"});
  refused_with(said_of_control(R"toml(
[[block]]
name = "a"
type = "pid"
kp = 1
input = "b + rail.q"
every = 0.1
[[block]]
name = "b"
type = "sample"
input = "2*a"
every = 0.1
)toml"),
               {"circular-formula", "→ b →", "delay"});
}

TEST_CASE("control: a delay or a filter in a circle is no circle") {
  CHECK(said_of_control(R"toml(
[[block]]
name = "a"
type = "pid"
kp = 1
input = "b + rail.q"
every = 0.1
[[block]]
name = "b"
type = "delay"
input = "2*a"
every = 0.1
time = 0.1
[[block]]
name = "c"
type = "filter"
input = "1 - c"
time_constant = 0.1
)toml") == "nothing");
}

TEST_CASE("control: improper functions, clocks that are none and keys of other blocks") {
  refused_with(
      said_of_control("[[block]]\nname = \"a\"\ntype = \"transfer_function\"\ninput = \"t\"\n"
                      "num = [1, 0, 0]\nden = [1, 1]\n"),
      {"improper-function block/a/num", "order 2", "order 1", "add poles"});
  refused_with(said_of_control("[[block]]\nname = \"a\"\ntype = \"pid\"\ninput = \"t\"\nkd = 1\n"),
               {"improper-function block/a/filter", "needs one"});
  refused_with(
      said_of_control("[[block]]\nname = \"a\"\ntype = \"delay\"\ninput = \"t\"\ntime = 1\n"),
      {"missing-key block/a/every", "1 ms"});
  refused_with(
      said_of_control("[[block]]\nname = \"a\"\ntype = \"delay\"\ninput = \"t\"\ntime = 0.25\n"
                      "every = 0.1\n"),
      {"bad-delay block/a/time", "0.25 s", "0.1 s"});
  refused_with(
      said_of_control("[[block]]\nname = \"a\"\ntype = \"sample\"\ninput = \"t\"\nevery = 0\n"),
      {"bad-sampling block/a/every"});
  refused_with(said_of_control("[[block]]\nname = \"a\"\ntype = \"sample\"\ninput = \"t\"\n"
                               "every = \"1e-15 s\"\n"),
               {"bad-sampling block/a/every", "longer"});
  refused_with(said_of_control("[[block]]\nname = \"a\"\ntype = \"filter\"\ninput = \"t\"\n"
                               "time_constant = \"3 m\"\n"),
               {"block/a/time_constant", "m"});
  refused_with(said_of_control("[[block]]\nname = \"a\"\ntype = \"filter\"\ninput = \"t\"\nkp = 3\n"
                               "time_constant = 1\n"),
               {"unused-key block/a/kp", "time_constant, start"});
  refused_with(said_of_control("[[block]]\nname = \"a\"\ntype = \"state_space\"\ninput = \"t\"\n"
                               "A = [[1, 2]]\nB = [1]\nC = [1]\n"),
               {"wrong-length block/a/A"});
  refused_with(
      said_of_control("[[block]]\nname = \"a\"\ntype = \"lookup\"\ninput = \"t\"\ntable = \"f\"\n"),
      {"unknown-function"});
}

TEST_CASE(
    "control: units that do not fit, values beyond limits and names that formulas cannot use") {
  refused_with(said_of_control("[[state]]\nname = \"s\"\nrate = \"1 kg/s\"\nunit = \"m\"\n"),
               {"state/s/rate", "kg/s"});
  refused_with(said_of_control("[[state]]\nname = \"s\"\nrate = 1\nunit = \"mm\"\n"),
               {"not-si state/s/unit", "write m"});
  refused_with(said_of_control("[[state]]\nname = \"s\"\nrate = 1\nstart = 3\nlimits = [0, 1]\n"),
               {"beyond-limits state/s/start"});
  refused_with(said_of_control("[[state]]\nname = \"s\"\nrate = 1\nlimits = [1, 0]\n"),
               {"bad-limits state/s/limits"});
  refused_with(said_of_control("[[state]]\nname = \"s-t\"\nrate = 1\n"),
               {"bad-name", "difference"});
  refused_with(said_of_control("[[state]]\nname = \"s\"\nrate = 1\nevery = 0.1\n"),
               {"missing-key state/s/next", "unused-key state/s/rate"});
  refused_with(said_of_control("[[state]]\nname = \"rail\"\nrate = 1\n"), {"doubled-name"});
  refused_with(said_of_control("[parameters]\nk = 1\n[[state]]\nname = \"k\"\nrate = 1\n"),
               {"doubled-name state/k", "parameter"});
  refused_with(said_of_control("[[state]]\nname = \"s\"\nrate = \"rail.udot\"\n"),
               {"force-of-acceleration"});
  refused_with(said_of_control("[[input]]\nname = \"i\"\nvalue = 2\nlimits = [0, 1]\n"),
               {"beyond-limits input/i/value"});
}
