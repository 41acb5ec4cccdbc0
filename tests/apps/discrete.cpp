// The discrete formulation from the command line: steps, refusals, halves, the pace of a clock.
#include "near.hpp"
#include "program.hpp"

using namespace sarrus::testing;

namespace {

std::string rod(const std::string& more) {
  return "sarrus = 1\n[[body]]\nname = \"rod\"\n"
         "shape = { type = \"box\", size = [0.05, 0.05, 1], at = [0, 0, -0.5], density = 400 }\n"
         "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\naxis = \"y\"\nchild = \"rod\"\nq = "
         "1\n" +
         more;
}

const std::string hard_spring =
    "[[spring]]\nname = \"hard\"\nfrom = { body = \"rod\", at = [0, 0, -1] }\n"
    "to = { body = \"world\", at = [1, 0, 0] }\nlength = 0.5\nk = 1e9\n";

}  // namespace

TEST_CASE(
    "discrete: a run says its step, and a step that is too large is refused with what limits it") {
  const Folder folder;
  folder.write("rod.toml", rod("[simulate]\nuntil = 0.2\noutput_step = 0.01\n"));
  const Ended run = folder.sarrus({"run", "rod.toml", "--formulation", "discrete"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "discrete, leapfrog and dlm with steps of"));

  folder.write("hard.toml", rod(hard_spring + "[simulate]\nuntil = 0.2\n"));
  const Ended large =
      folder.sarrus({"run", "hard.toml", "--formulation", "discrete", "--step", "1e-3"});
  CHECK(large.code == 5);
  for (const char* word : {"step-too-large", "body 'rod'", "spring 'hard'", "largest stable step"})
    CHECK(contains(large.error, word));

  const Ended unused = folder.sarrus(
      {"run", "rod.toml", "--formulation", "discrete", "--integrator", "rk4", "--force"});
  CHECK(unused.code == 0);
  CHECK(contains(unused.error, "not-used"));
  const Ended foreign = folder.sarrus({"run", "rod.toml", "--scheme", "paper", "--force"});
  CHECK(contains(foreign.error, "belongs to the formulation discrete"));
}

TEST_CASE("discrete: impossible words and values of its keys are refused") {
  const Folder folder;
  folder.write("rod.toml", rod("[simulate]\nuntil = 0.1\n"));
  const auto refused = [&](std::vector<std::string> flags, const char* says) {
    std::vector<std::string> words = {"run", "rod.toml", "--formulation", "discrete", "--force"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Ended ended = folder.sarrus(words);
    CAPTURE(says);
    CHECK(ended.code == 2);
    CHECK(contains(ended.error, says));
  };
  refused({"--rotation", "dml"}, "did you mean 'dlm'");
  refused({"--plane", "xw"}, "plane");
  refused({"--joint-gap", "0"}, "0 m is not above 0");
  refused({"--joint-damping", "2"}, "must stay below 4");
  refused({"--real-time-factor", "-1"}, "-1 is not above 0");
  refused({"--overrun", "panic"}, "overrun");
  refused({"--step", "0"}, "0 s is not above 0");
  refused({"--halve", "1"}, "at least 2");
}

TEST_CASE("discrete: --halve prints order and error, for people and for machines") {
  const Folder folder;
  folder.write("rod.toml", rod("[simulate]\nuntil = 0.2\noutput_step = 0.05\nformulation = "
                               "\"discrete\"\nstep = 2e-4\n"));
  const Ended people = folder.sarrus({"run", "rod.toml", "--halve", "2"});
  CHECK(people.code == 0);
  CHECK(contains(people.out, "hinge.q[rad]"));
  const Ended machine = folder.sarrus({"run", "rod.toml", "--halve", "2", "--json"});
  const auto json = nlohmann::json::parse(machine.out);
  CHECK(json["convergence"]["steps"].size() == 3);
  CHECK(near(json["convergence"]["columns"][0]["order"].get<double>(), 2,
             0.05));                               // next term: (h/period)², in whole
  CHECK_FALSE(fs::exists(folder.path() / "rod"));  // nothing is written
}

TEST_CASE("R18: a run that cannot keep up with its clock counts what is late") {
  const Folder folder;
  folder.write("rod.toml", rod("[simulate]\nuntil = 0.2\noutput_step = 0.01\nformulation = "
                               "\"discrete\"\n"));
  const Ended late = folder.sarrus({"run", "rod.toml", "--real-time-factor", "1e9", "--json"});
  CHECK(late.code == 0);
  const auto json = nlohmann::json::parse(late.out);
  CHECK(json["real_time"]["misses"].get<int>() > 0);
  CHECK(json["real_time"]["worst"].get<double>() > 0);
  const Ended stopped = folder.sarrus(
      {"run", "rod.toml", "--real-time-factor", "1e9", "--overrun", "stop", "--force"});
  CHECK(stopped.code == 7);
}

TEST_CASE("P20: contacts that cannot be are refused by name, large ones run") {
  const Folder folder;
  const auto floor = [](const std::string& shape, const std::string& keys) {
    return "sarrus = 1\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nshape "
           "= " +
           shape +
           "\n[[joint]]\nname = \"place\"\ntype = \"free\"\nchild = \"ball\"\nq = { at = "
           "[0, 0, 0.2] }\n[[contact]]\nname = \"floor\"\nbodies = [\"ball\"]\nwith = \"world\"\n" +
           keys + "[simulate]\nformulation = \"discrete\"\nuntil = 0.3\n";
  };
  const std::string sphere = "{ type = \"sphere\", radius = 0.1 }", k = "stiffness = 1e5\n";
  const struct {
    std::string model;
    int code;
    const char* says;
  } cases[] = {
      {floor(sphere, "plane = { normal = [0, 0, 0] }\n" + k), 3, "normal"},
      {floor("{ type = \"sphere\", radius = 0 }", "plane = {}\n" + k), 3, "radius"},
      {floor("{ type = \"cone\", radius = 0.1, length = 0.2 }", "plane = {}\n" + k), 3,
       "no sphere, capsule or box"},
      {floor(sphere, "plane = {}\nstiffness = -1\n"), 3, "stiffness"},
      {floor(sphere, "plane = {}\nfriction = -0.1\n" + k), 3, "friction"},
      {floor(sphere, k), 3, "give a plane"},
      {floor(sphere, "plane = {}\nfriction = 1e6\n" + k), 0, ""},
  };
  for (const auto& c : cases) {
    CAPTURE(c.says);
    folder.write("m.toml", c.model);
    const Ended ended = folder.sarrus({"run", "m.toml", "--force"});
    CHECK_MESSAGE(ended.code == c.code, ended.error);
    CHECK(contains(ended.error, c.says));
  }
}

TEST_CASE("N01: impossible steps are refused, and a run ends where it should") {
  const Folder folder;
  folder.write("rod.toml", rod("[simulate]\nuntil = 0.1\noutput_step = 0.03\nformulation = "
                               "\"discrete\"\n"));
  for (const char* step : {"0", "-1e-4", "nan", "inf", "1", "1e-300"}) {
    CAPTURE(std::string(step));
    CHECK(folder.sarrus({"run", "rod.toml", "--step", step, "--force"}).code == 2);
  }
  CHECK(folder.sarrus({"run", "rod.toml", "--until", "-1", "--force"}).code == 2);
  REQUIRE(
      folder.sarrus({"run", "rod.toml", "--step", "0.7e-4", "--force", "--csv", "rod.csv"}).code ==
      0);
  const std::string csv = folder.read("rod.csv");
  CHECK(csv.substr(csv.rfind('\n', csv.size() - 2) + 1).starts_with("0.1,"));
}

TEST_CASE("P14: masses and springs too far apart are named with the step they would need") {
  const Folder folder;
  const auto chain = [](const std::string& more) {
    return "sarrus = 1\n[[body]]\nname = \"light\"\nmass = 1e-4\ninertia = [1e-7, 1e-7, "
           "1e-7]\n"
           "[[body]]\nname = \"heavy\"\nmass = 1e4\ninertia = [1e3, 1e3, 1e3]\n"
           "[[joint]]\nname = \"a\"\ntype = \"revolute\"\naxis = \"y\"\nchild = \"light\"\n"
           "[[joint]]\nname = \"b\"\ntype = \"revolute\"\naxis = \"y\"\nparent = \"light\"\n"
           "child = \"heavy\"\non_parent = { at = [0.2, 0, 0] }\n" +
           more + "[simulate]\nformulation = \"discrete\"\nuntil = 0.01\n";
  };
  folder.write("ratio.toml", chain(""));
  const Ended ratio = folder.sarrus({"run", "ratio.toml", "--force"});
  CHECK(ratio.code == 5);
  for (const char* word : {"step-too-small", "joint 'b'", "joint_gap"})
    CHECK(contains(ratio.error, word));
  // with a step of its own it runs, softer than wanted
  CHECK(folder.sarrus({"run", "ratio.toml", "--step", "1e-6", "--force"}).code == 0);
  folder.write("springs.toml",
               chain("[[spring]]\nname = \"soft\"\nfrom = { body = \"light\" }\nto = { body = "
                     "\"world\", at = [1, 0, 0] }\nk = 1\nlength = 1\n[[spring]]\nname = "
                     "\"hard\"\nfrom = { body = \"light\", at = [0.2, 0, 0] }\nto = { body = "
                     "\"world\", at = [1, 0, 1] }\nk = 1e12\nlength = 1\n"));
  const Ended springs = folder.sarrus({"run", "springs.toml", "--force"});
  CHECK(springs.code == 5);
  CHECK(contains(springs.error, "body 'light' and the spring 'hard'"));
}

TEST_CASE("P20: a hundred thousand pairs that may touch, and a ball exactly on an edge, run") {
  const Folder folder;
  std::string many = "sarrus = 1\n", names;
  for (int i = 0; i < 450; ++i) {
    const std::string n = std::to_string(i);
    many += "[[body]]\nname = \"b" + n +
            "\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nshape = { type = \"sphere\", radius = "
            "0.1 }\n[[joint]]\nname = \"j" +
            n + "\"\ntype = \"free\"\nchild = \"b" + n + "\"\nq = { at = [" +
            std::to_string(i % 10 * 0.199) + ", " + std::to_string(i / 10 % 10 * 0.199) + ", " +
            std::to_string(i / 100 * 0.199 + 0.0999) + "] }\n";
    names += (i > 0 ? ", \"b" : "\"b") + n + "\"";
  }
  folder.write("many.toml",
               many + "[[contact]]\nname = \"all\"\nbodies = [" + names +
                   "]\nstiffness = 1e5\n[[contact]]\nname = \"floor\"\nbodies = [" + names +
                   "]\nwith = \"world\"\nplane = {}\nstiffness = 1e5\n[simulate]\nformulation = "
                   "\"discrete\"\nuntil = 5e-4\noutput_step = 5e-4\nstep = 1e-4\n");
  CHECK(folder.sarrus({"run", "many.toml", "--force"}).code == 0);

  folder.write(
      "edge.toml",
      "sarrus = 1\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nshape = { "
      "type = \"sphere\", radius = 0.1 }\n[[body]]\nname = \"block\"\nmass = 5\ninertia = "
      "[0.1, 0.1, 0.1]\nshape = { type = \"box\", size = [1, 1, 0.2] }\n[[joint]]\nname = "
      "\"stand\"\ntype = \"fixed\"\nchild = \"block\"\n[[joint]]\nname = \"place\"\ntype = "
      "\"free\"\nchild = \"ball\"\nq = { at = [0.5, 0, 0.199] }\n[[contact]]\nname = "
      "\"top\"\nbodies = [\"ball\"]\nwith = \"block\"\nstiffness = 1e5\ndissipation = "
      "1\n[simulate]\nformulation = \"discrete\"\nuntil = 0.2\n");
  const Ended edge = folder.sarrus({"run", "edge.toml", "--force"});
  CHECK_MESSAGE(edge.code == 0, edge.error);
}
