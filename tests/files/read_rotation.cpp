// Rotations in every order of axes.
#include <doctest/doctest.h>

#include <numbers>

#include "builders.hpp"
#include "files/refused.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Mat3 rotation_read(const std::string& rotation) {
  const Model m = parse_model(
      with_joint("type = \"fixed\"\non_parent = { rotation = { " + rotation + " } }"), "m.toml");
  return m.joints[0].on_parent.pose().R;
}

void check_same(const Mat3& a, const Mat3& b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(within(a(i, j), b(i, j), 1e-15));  // some roundings of 1
}

const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

}  // namespace

TEST_CASE("rotation: axes turn one after the other, each about the axes as they have turned") {
  check_same(rotation_read("axes = \"xyz\", angles = [0.3, -0.5, 0.7]"),
             rot(x, 0.3) * rot(y, -0.5) * rot(z, 0.7));
  check_same(rotation_read("axes = \"zxz\", angles = [\"90 deg\", 0.4, 1]"),
             rot(z, std::numbers::pi / 2) * rot(x, 0.4) * rot(z, 1));
  // roll, pitch and yaw are turns about fixed axes, which is the other way round
  check_same(rotation_read("axes = \"zyx\", angles = [0.7, -0.5, 0.3]"),
             rotation_read("rpy = [0.3, -0.5, 0.7]"));
  check_same(rotation_read("axes = \"y\", angles = [0.2]"),
             rotation_read("axis = \"y\", angle = 0.2"));
}

TEST_CASE("rotation: the start of a ball joint takes them too") {
  const Model m = parse_model(
      with_joint("type = \"spherical\"\nq = { axes = \"xy\", angles = [0.3, -0.5] }"), "m.toml");
  const std::vector<double>& q = m.joints[0].q.value();
  check_same(rotation(Quat{q[0], q[1], q[2], q[3]}), rot(x, 0.3) * rot(y, -0.5));
}

TEST_CASE("rotation: axes and angles that do not belong together are refused") {
  const auto said = [](const std::string& rotation) {
    return refused(with_joint("type = \"fixed\"\non_parent = { rotation = { " + rotation + " } }"));
  };
  CHECK(has(said("axes = \"xyz\", angles = [1, 2]"), "2 angles for 3 axes 'xyz'"));
  CHECK(has(said("axes = \"xw\", angles = [1, 2]"), "'xw' is not a list of one to 9 axes"));
  CHECK(has(said("axes = \"xyz\""), "belong together"));
  CHECK(has(said("angles = [1]"), "belong together"));
  CHECK(has(said("axes = \"x\", angles = [1], rpy = [0, 0, 1]"), "given in one way"));
}
