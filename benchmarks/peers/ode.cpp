// ODE in double precision: hinged bodies in maximal coordinates, dWorldStep (exact) and
// dWorldQuickStep.
#include <ode/ode.h>

#include "benchmarks/maximal.hpp"

using namespace bench;

namespace {

struct World {
  dWorldID world = dWorldCreate();
  std::vector<dBodyID> bodies;
  const Tree& tree;

  explicit World(const Tree& t) : tree(t) {
    dWorldSetGravity(world, 0, 0, -gravity);
    dWorldSetERP(world, 0.2);
    dWorldSetCFM(world, 1e-10);
    const std::vector<Placed> places = placed(tree, swing_start(tree.size()));
    for (size_t i = 0; i < places.size(); ++i) add(tree.links[i], places[i]);
  }
  World(const World&) = delete;
  ~World() { dWorldDestroy(world); }

  void add(const Link& link, const Placed& p) {
    const dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, link.mass, 0, 0, 0, link.inertia[0], link.inertia[1], link.inertia[2],
                       0, 0, 0);
    dBodySetMass(body, &mass);
    dMatrix3 R;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) R[4 * r + c] = c < 3 ? p.R[r][c] : 0;
    dBodySetRotation(body, R);
    dBodySetPosition(body, p.com[0], p.com[1], p.com[2]);
    const dJointID hinge = dJointCreateHinge(world, nullptr);
    dJointAttach(hinge, body, bodies.empty() ? nullptr : bodies[link.parent]);
    dJointSetHingeAnchor(hinge, p.origin[0], p.origin[1], p.origin[2]);
    dJointSetHingeAxis(hinge, p.R[0][link.axis], p.R[1][link.axis], p.R[2][link.axis]);
    bodies.push_back(body);
  }

  Energy energy() const {
    Energy sum;
    for (size_t i = 0; i < bodies.size(); ++i) {
      const Link& link = tree.links[i];
      const dReal *v = dBodyGetLinearVel(bodies[i]), *w = dBodyGetAngularVel(bodies[i]);
      dVector3 local;
      dBodyVectorFromWorld(bodies[i], w[0], w[1], w[2], local);
      for (size_t k = 0; k < 3; ++k)
        sum.kinetic += (link.mass * v[k] * v[k] + link.inertia[k] * local[k] * local[k]) / 2;
      sum.potential += link.mass * gravity * dBodyGetPosition(bodies[i])[2];
    }
    return sum;
  }
};

template <class Step>
void measure(const Arguments& arguments, const Tree& tree, const char* setting, const Step& step) {
  World world(tree);
  const Energy before = world.energy();
  for (int i = 0; i < trial_steps; ++i) step(world.world);
  report(arguments, "ODE", tree, setting, energy_error(before, world.energy()),
         [&] { step(world.world); });
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (arguments.task != "steps") return 0;
  const Tree tree = arguments.tree();
  dInitODE();
  measure(arguments, tree, "dWorldStep", [](dWorldID w) { dWorldStep(w, small_step); });
  measure(arguments, tree, "dWorldQuickStep", [](dWorldID w) { dWorldQuickStep(w, small_step); });
  dCloseODE();
}
