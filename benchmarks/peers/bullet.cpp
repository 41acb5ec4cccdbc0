// Bullet in double precision: forward dynamics of btMultiBody.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <memory>

#include "benchmarks/measure.hpp"

using namespace bench;

namespace {

btVector3 vector(const Triple& a) { return {a[0], a[1], a[2]}; }

/// Bullet places joints relative to the parent's centre of mass, and gives a fixed base no link.
std::unique_ptr<btMultiBody> build(const Tree& tree) {
  const int first = tree.floats() ? 1 : 0;
  const Link& base = tree.links.front();
  auto body = std::make_unique<btMultiBody>(
      tree.hinges(), tree.floats() ? base.mass : 0,
      tree.floats() ? vector(base.inertia) : btVector3(0, 0, 0), !tree.floats(), false);
  for (int i = 0; i < tree.hinges(); ++i) {
    const Link& link = tree.links[i + first];
    const btVector3 from =
        link.parent < 0 ? btVector3(0, 0, 0) : vector(tree.links[link.parent].com);
    const btVector3 axis(link.axis == 0, link.axis == 1, link.axis == 2);
    body->setupRevolute(i, link.mass, vector(link.inertia), link.parent - first,
                        btQuaternion(0, 0, 0, 1), axis, vector(link.at) - from, vector(link.com),
                        true);
  }
  body->finalizeMultiDof();
  body->setLinearDamping(0);
  body->setAngularDamping(0);
  body->setMaxCoordinateVelocity(1e6);
  return body;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (arguments.task != "fd") return 0;
  const Tree tree = arguments.tree();
  const Instant x = random_instant(tree);
  const int n = tree.hinges();
  const auto body = build(tree);

  btAlignedObjectArray<btScalar> scalars;
  btAlignedObjectArray<btVector3> vectors;
  btAlignedObjectArray<btMatrix3x3> matrices;
  const auto work = [&] {
    // gravity is a force on each link here, as btMultiBodyDynamicsWorld applies it
    body->clearForcesAndTorques();
    if (tree.floats()) body->addBaseForce(btVector3(0, 0, -gravity * body->getBaseMass()));
    for (int i = 0; i < n; ++i) {
      body->setJointPos(i, x.q[i]);
      body->setJointVel(i, x.u[i]);
      body->addLinkForce(i, btVector3(0, 0, -gravity * body->getLinkMass(i)));
    }
    body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, scalars, vectors, matrices, false,
                                                               false, false);
  };
  work();
  // accelerations of the hinges stand behind n scratch values and the base's six
  std::vector<double> udot(x.q.size());
  for (int i = 0; i < n; ++i) udot[i] = scalars[body->getNumDofs() + 6 + i];
  const std::string version =
      std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
  report(arguments, "Bullet " + version, tree, "btMultiBody double",
         relative_difference(udot, expected_udot(tree, x)), work);
}
