// Initial guesses for joints that close loops: they choose the assembly, and what is missed
// is told.
#include <doctest/doctest.h>

#include "loop_models.hpp"
#include "near.hpp"
#include "sarrus/formulations/assembly/assembly.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double knee = 1.150303495601;  // the angle between coupler and rocker, F.5: c − a − b

/// The four-bar with only its crank given and a closing joint that the tree does not take.
Model bent(JointType closing, const std::vector<double>& wish) {
  Model m = four_bar(closing);
  for (JointSpec& j : m.joints) j.q.reset(), j.u.reset();
  m.joints[0].q = std::vector<double>{1};
  m.joints[3].q = wish;
  return m;
}

struct Assembled {
  double a, b, c;
  std::string notes;
};

Assembled put_together(const Model& model) {
  const Mechanism m = compile(model);
  const Assembly found = assemble(m, 0);
  Assembled out{found.start.q[0], found.start.q[1], found.start.q[2], ""};
  for (const Diagnostic& d : found.notes) out.notes += to_text(d) + "\n";
  // where the assembly ends: 1e-13 of each row
  CHECK(found.residual < 1e-12);
  return out;
}

double turns_apart(double a, double b) { return std::remainder(a - b, 6.283185307179586); }

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("four-bar: an initial guess for the closing joint chooses between both assemblies") {
  // the second is the first, mirrored at the line from the rocker's bearing to the crank's end
  const double line = std::atan2(std::sin(1.0), std::cos(1.0) - 4);
  const double c1 = 1.789251403388, c2 = 2 * line - c1;
  for (const double side : {1.0, -1.0}) {
    CAPTURE(side);
    const double rough = side * (knee + 0.1);
    for (const Model& model :
         {bent(JointType::cylindrical, {rough, 0}),
          bent(JointType::spherical, {std::cos(rough / 2), 0, 0, std::sin(rough / 2)})}) {
      const Assembled found = put_together(model);
      // the initial guess is kept; the others follow from loops closed to 1e-13
      CHECK(near(found.a, 1, 1e-14));
      CHECK(std::fabs(turns_apart(found.c, side > 0 ? c1 : c2)) < 1e-10);
      CHECK(std::fabs(turns_apart(found.c - found.a - found.b, side * knee)) < 1e-10);
      CHECK(says(found.notes, "note[wish-missed]: joint/d"));
      CHECK(says(found.notes, "0.1 away"));
    }
  }
}

TEST_CASE("four-bar: an initial guess that is met is not mentioned") {
  CHECK_FALSE(says(put_together(bent(JointType::cylindrical, {-knee, 0})).notes, "wish-missed"));
}

TEST_CASE(
    "four-bar: an initial guess that contradicts given positions is reported, with their names") {
  Model model = four_bar();
  model.joints[3].q = std::vector<double>{-knee};
  const Assembled found = put_together(model);
  // given with twelve decimals
  CHECK(near(found.c, 1.789251403388, 1e-10));
  CHECK(says(found.notes, "warning[wish-missed]: joint/d"));
  CHECK(says(found.notes, "the initial guess was q = -1.1503"));
  CHECK(says(found.notes, "is 1.1503, 2.3 away"));
  CHECK(says(found.notes, "contradicts the positions given for 'a', 'b', 'c'"));
}

TEST_CASE("four-bar: a speed of the closing joint alone moves the whole") {
  Model model = bent(JointType::cylindrical, {knee, 0});
  model.joints[3].u = std::vector<double>{0.702299559168, 0};  // F.5: ċ − ȧ − ḃ
  const Mechanism m = compile(model);
  const Assembly found = assemble(m, 0);
  // given with twelve decimals
  CHECK(std::fabs(found.start.u[0] - 2) < 1e-10);
  CHECK(std::fabs(found.start.u[1] + 2.444320678020) < 1e-10);
  CHECK(std::fabs(found.start.u[2] - 0.257978881148) < 1e-10);
}
