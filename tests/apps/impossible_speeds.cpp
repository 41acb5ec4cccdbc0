// A start speed that no motion of the mechanism has is refused: by name, with what holds the joint.
#include <cmath>

#include "near.hpp"
#include "program.hpp"

using namespace sarrus::testing;

namespace {

std::string body(const std::string& name, const std::string& com = "[0.2, 0, 0]") {
  return "[[body]]\nname = \"" + name + "\"\nmass = 1\ncom = " + com +
         "\ninertia = [0.05, 0.06, 0.07]\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& more) {
  return "[[joint]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\nchild = \"" + child +
         "\"\n" + (parent.empty() ? "" : "parent = \"" + parent + "\"\n") + more;
}

/// A slider on a turning arm that a rod holds to the arm; axes and places as skew as can be.
std::string held_slider(const std::string& u) {
  return "sarrus = 1\n" + body("arm", "[-0.27, 0.03, 0.26]") + body("slider", "[0, 0, 0]") +
         joint("turn", "revolute", "", "arm", "axis = [0.26, -0.94, -0.21]\nq = 0.543448\n") +
         joint("slide", "prismatic", "arm", "slider",
               "on_parent = { at = [-0.13, 0.13, 0.26] }\naxis = \"y\"\nq = 0.6\n" + u) +
         "[[constraint]]\nname = \"rod\"\ntype = \"distance\"\nlength = 0.74\n"
         "from = { body = \"slider\", at = [0.24, -0.43, -0.45] }\n"
         "to = { body = \"arm\", at = [-0.05, -0.34, 0.12] }\n[simulate]\nuntil = 0.3\n";
}

/// Two bars on a turning base, hinged to each other at their ends: a truss.
std::string truss(const std::string& of_bar, const std::string& of_closing) {
  const std::string axis = "axis = \"y\"\n";
  return "sarrus = 1\n" + body("base") + body("p") + body("q") +
         joint("turn", "revolute", "", "base", "axis = [0.2, -0.9, 0.33]\n") +
         joint("jp", "revolute", "base", "p", axis + "q = -1.0\n" + of_bar) +
         joint("jq", "revolute", "base", "q",
               axis + "on_parent = { at = [0.5, 0, 0] }\nq = -2.1\n") +
         joint("close", "revolute", "p", "q",
               axis + "on_parent = { at = [0.5, 0, 0] }\non_child = { at = [0.5, 0, 0] }\n" +
                   of_closing);
}

/// Two shafts geared to each other by two ratios: both stand still on a base that turns.
std::string locked_gear(const std::string& u) {
  const auto gear = [](const std::string& name, const std::string& ratio) {
    return "[[constraint]]\nname = \"" + name +
           "\"\ntype = \"gear\"\njoints = [\"ja\", \"jb\"]\nratio = " + ratio + "\n";
  };
  return "sarrus = 1\n" + body("a") + body("b") + body("base") +
         joint("turn", "revolute", "", "base", "axis = [0.3, -0.9, 0.2]\n") +
         joint("ja", "revolute", "base", "a", u) +
         joint("jb", "revolute", "base", "b", "on_parent = { at = [0.3, 0, 0] }\n") +
         gear("g1", "2") + gear("g2", "3");
}

std::string digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// Crank 0.15, rod 0.4; the slider is asked for a speed at a crank angle.
std::string slider_crank(double angle, const std::string& u) {
  const double beta = std::asin(0.15 / 0.4 * std::sin(angle));
  const double at = 0.15 * std::cos(angle) + 0.4 * std::cos(beta);
  const auto q = [](double x) { return "q = " + digits(x) + "\n"; };
  return "sarrus = 1\ngravity = [0, -9.81, 0]\n" + body("crank") + body("rod") + body("slider") +
         joint("shaft", "revolute", "", "crank", q(angle)) +
         joint("pin", "revolute", "crank", "rod",
               "on_parent = { at = [0.15, 0, 0] }\n" + q(-angle - beta)) +
         joint("guide", "prismatic", "", "slider", "axis = \"x\"\n" + q(at) + u) +
         joint("wrist", "revolute", "rod", "slider", "on_parent = { at = [0.4, 0, 0] }\n");
}

Ended check(const std::string& model, std::vector<std::string> words = {"check"}) {
  const Folder folder;
  folder.write("m.toml", model);
  words.insert(words.begin() + 1, "m.toml");
  return folder.sarrus(words);
}

}  // namespace

TEST_CASE("P11: a speed that a joint cannot have is refused with what holds it, however small") {
  struct Case {
    std::string model, joint, holder;
  };
  for (const Case& c :
       {Case{held_slider("u = -1\n"), "slide", "constraint 'rod'"},
        Case{held_slider("u = -1e-9\n"), "slide", "constraint 'rod'"},
        Case{truss("u = 0.7\n", ""), "jp", "joint 'close'"},
        Case{truss("", "u = 0.7\n"), "close", ""},
        Case{locked_gear("u = 2\n"), "ja", "constraint 'g1' and constraint 'g2'"}}) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"check"},
          {"run", "--until", "0.1"},
          {"run", "--until", "0.1", "--formulation", "hamiltonian"}}) {
      const Ended ended = check(c.model, words);
      CAPTURE(ended.error);
      CHECK(ended.code == 4);
      CHECK(contains(ended.error, "error[impossible-speed]: joint/" + c.joint + "/u"));
      CHECK(contains(ended.error, "the loops lock this joint"));
      CHECK(contains(ended.error, c.holder));
      CHECK(contains(ended.error, "hint: leave this speed out, or give one to 'turn'"));
      CHECK(contains(ended.error, "m.toml:"));
    }
  }
}

TEST_CASE("P11: without the speed that cannot be, the same mechanisms run") {
  for (const std::string& model : {held_slider(""), truss("", ""), locked_gear("")}) {
    const Ended ended = check(model, {"run", "--until", "0.1"});
    CAPTURE(ended.error);
    CHECK(ended.code == 0);
  }
}

TEST_CASE("P11: at a dead centre and next to it a slider is given no speed, farther off it is") {
  for (const double angle : {0.0, 1e-7}) {
    const Ended ended = check(slider_crank(angle, "u = -1\n"));
    CAPTURE(ended.error);
    CHECK(ended.code == 4);
    CHECK(contains(ended.error, "error[impossible-speed]: joint/guide/u"));
    CHECK(contains(ended.error, "joint 'wrist'"));
  }
  // ẋ = −(r sin α + r sin α cos α r/(l cos β)) α̇
  const double a = 0.1, b = std::asin(0.15 / 0.4 * std::sin(a));
  const double rate = -1 / (-0.15 * std::sin(a) - 0.15 * std::cos(a) * std::tan(b));
  const Ended ended = check(slider_crank(a, "u = -1\n"));
  CAPTURE(ended.error);
  CHECK(ended.code == 0);
  const size_t at = ended.error.find("shaft.u from 0 to ");
  REQUIRE(at != std::string::npos);
  CHECK(near(std::stod(ended.error.substr(at + 18)), rate, 1e-5));  // printed with six digits
}

TEST_CASE("P09: a rod that no motion changes changes no motion") {
  // from a point on the axis to one on the body: its length stays, whatever rounding says
  const std::string pendulum =
      "sarrus = 1\n" + body("bob", "[0.27, 0.03, 0.26]") +
      joint("hinge", "revolute", "", "bob", "axis = [0.26, -0.94, -0.21]\nu = 1\n");
  const auto end_of = [](const std::string& model) {
    const Folder folder;
    folder.write("m.toml", model + "[simulate]\nuntil = 2\noutput_step = 2\nrtol = 1e-11\n");
    const Ended run = folder.sarrus({"run", "m.toml", "--csv", "-", "-q"});
    CAPTURE(run.error);
    CHECK(run.code == 0);
    const size_t last = run.out.rfind('\n', run.out.size() - 2);
    return std::stod(run.out.substr(run.out.find(',', last) + 1));  // hinge.q
  };
  const double length = std::sqrt(0.02 * 0.02 + 0.51 * 0.51 + 0.24 * 0.24);
  const double free = end_of(pendulum);
  const double held = end_of(
      pendulum + "[[constraint]]\nname = \"rod\"\ntype = \"distance\"\nlength = " + digits(length) +
      "\nfrom = { body = \"bob\", at = [0.24, -0.43, -0.45] }\n"
      "to = { body = \"world\", at = [0.26, -0.94, -0.21] }\n");
  CHECK(std::fabs(free) > 0.1);
  CHECK(near(held, free, 1e-8));  // two runs at rtol 1e-11, whose steps differ
}
