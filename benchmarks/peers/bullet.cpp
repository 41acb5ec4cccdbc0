// Bullet in double precision: forward dynamics of btMultiBody; steps of hinged rigid bodies in
// maximal coordinates, with sequential impulses.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "benchmarks/maximal.hpp"

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

std::string contestant() {
  return "Bullet " + std::to_string(btGetVersion() / 100) + "." +
         std::to_string(btGetVersion() % 100);
}

/// Hinged bodies that collide with nothing, ten iterations per step as is Bullet's custom.
struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  btSphereShape shape{0.01};
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<std::unique_ptr<btTypedConstraint>> hinges;
  const Tree& tree;

  explicit World(const Tree& t) : tree(t) {
    world.setGravity(btVector3(0, 0, -gravity));
    const std::vector<Placed> places = placed(tree, swing_start(tree.size()));
    for (size_t i = 0; i < places.size(); ++i) add(tree.links[i], places[i]);
  }
  ~World() {
    for (auto& hinge : hinges) world.removeConstraint(hinge.get());
    for (auto& body : bodies) world.removeRigidBody(body.get());
  }

  void add(const Link& link, const Placed& p) {
    btMatrix3x3 R;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) R[r][c] = p.R[r][c];
    btRigidBody::btRigidBodyConstructionInfo info(link.mass, nullptr, &shape, vector(link.inertia));
    info.m_startWorldTransform = btTransform(R, vector(p.com));
    bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& body = *bodies.back();
    body.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(&body, 1, 0);
    const btVector3 axis(link.axis == 0, link.axis == 1, link.axis == 2);
    if (link.parent < 0)
      hinges.push_back(std::make_unique<btHingeConstraint>(body, -vector(link.com), axis));
    else
      hinges.push_back(std::make_unique<btHingeConstraint>(
          *bodies[link.parent], body, vector(link.at) - vector(tree.links[link.parent].com),
          -vector(link.com), axis, axis));
    world.addConstraint(hinges.back().get(), true);
  }

  Energy energy() const {
    Energy sum;
    for (size_t i = 0; i < bodies.size(); ++i) {
      const Link& link = tree.links[i];
      const btVector3 v = bodies[i]->getLinearVelocity(),
                      w = bodies[i]->getWorldTransform().getBasis().transpose() *
                          bodies[i]->getAngularVelocity();
      sum.kinetic += link.mass * v.dot(v) / 2;
      for (int k = 0; k < 3; ++k) sum.kinetic += link.inertia[k] * w[k] * w[k] / 2;
      sum.potential += link.mass * gravity * bodies[i]->getWorldTransform().getOrigin().z();
    }
    return sum;
  }
};

void steps(const Arguments& arguments, const Tree& tree) {
  World world(tree);
  const Energy before = world.energy();
  const auto work = [&] { world.world.stepSimulation(small_step, 0); };
  for (int i = 0; i < trial_steps; ++i) work();
  report(arguments, contestant(), tree, "sequential impulses double",
         energy_error(before, world.energy()), work);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Tree tree = arguments.tree();
  if (arguments.task == "steps") steps(arguments, tree);
  if (arguments.task != "fd") return 0;
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
  report(arguments, contestant(), tree, "btMultiBody double",
         relative_difference(udot, expected_udot(tree, x)), work);
}
