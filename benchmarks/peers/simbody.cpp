// Simbody: forward and inverse dynamics, mass matrix, swinging chain.
#include <Simbody.h>

#include "benchmarks/measure.hpp"

namespace {

using bench::Arguments;
using bench::Instant;
using bench::Tree;
using bench::Triple;
using namespace SimTK;

const std::string contestant = "Simbody 3.7";

Vec3 vector(const Triple& a) { return {a[0], a[1], a[2]}; }

/// A pin turns about z of its frames: this brings z onto the wanted axis.
Rotation onto_axis(int axis) {
  return axis == 2 ? Rotation() : axis == 0 ? Rotation(Pi / 2, YAxis) : Rotation(-Pi / 2, XAxis);
}

struct Machine {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::Gravity weight{forces, matter, Vec3(0, 0, -bench::gravity)};
  std::vector<MobilizedBody> bodies;
  State state;

  explicit Machine(const Tree& tree) {
    for (const bench::Link& link : tree.links) {
      const Vec3 com = vector(link.com);
      const Inertia about_com(link.inertia[0], link.inertia[1], link.inertia[2]);
      const Body::Rigid rigid(
          MassProperties(link.mass, com, about_com.shiftFromMassCenter(com, link.mass)));
      MobilizedBody parent = matter.updGround();
      if (link.parent >= 0) parent = bodies[link.parent];
      const Rotation R = onto_axis(link.axis);
      if (link.floats)
        bodies.push_back(
            MobilizedBody::Free(parent, Transform(vector(link.at)), rigid, Transform()));
      else
        bodies.push_back(MobilizedBody::Pin(parent, Transform(R, vector(link.at)), rigid,
                                            Transform(R, Vec3(0))));
    }
    state = system.realizeTopology();
    system.realizeModel(state);
  }
};

void swing(const Arguments& arguments) {
  const Tree tree = arguments.tree();
  Machine machine(tree);
  const std::vector<double> start = bench::swing_start(tree.size());
  for (int i = 0; i < tree.size(); ++i) machine.state.updQ()[i] = start[i];
  const auto run = [&](double accuracy) {
    RungeKuttaMersonIntegrator integrator(machine.system);
    integrator.setAccuracy(accuracy);
    integrator.initialize(machine.state);
    while (integrator.stepTo(bench::swing_seconds, bench::swing_seconds) !=
           Integrator::ReachedReportTime) {
    }
    const Vector& q = integrator.getState().getQ();
    std::vector<double> result;
    for (int i = 0; i < tree.size(); ++i) result.push_back(q[i]);
    return result;
  };
  bench::report_swing(arguments, contestant, bench::swing_tolerances(), run,
                      [](double a) { return bench::in_text("RK-Merson accuracy %.1e", a); });
}

void dynamics(const Arguments& arguments) {
  const Tree tree = arguments.tree();
  const Instant x = bench::random_instant(tree);
  Machine machine(tree);
  State& state = machine.state;
  const int n = tree.hinges(), q0 = tree.floats() ? 7 : 0, u0 = tree.floats() ? 6 : 0;
  const auto set = [&] {
    Vector &q = state.updQ(), &u = state.updU();
    for (int i = 0; i < n; ++i) q[q0 + i] = x.q[i], u[u0 + i] = x.u[i];
  };
  const auto hinge_part = [&](const Vector& v) {
    std::vector<double> part;
    for (int i = 0; i < n; ++i) part.push_back(v[u0 + i]);
    return part;
  };

  if (arguments.task == "fd") {
    const auto work = [&] {
      set();
      machine.system.realize(state, Stage::Acceleration);
    };
    work();
    bench::report(
        arguments, contestant, tree, "realize",
        bench::relative_difference(hinge_part(state.getUDot()), bench::expected_udot(tree, x)),
        work);
  }
  if (arguments.task == "id") {
    Vector given(tree.freedoms(), 0.0), none(tree.freedoms(), 0.0), tau;
    for (int i = 0; i < n; ++i) given[u0 + i] = x.udot[i];
    Vector_<SpatialVec> weights(machine.matter.getNumBodies());
    const auto work = [&] {
      set();
      machine.system.realize(state, Stage::Velocity);
      weights.setToZero();
      for (size_t i = 0; i < tree.links.size(); ++i)
        machine.matter.addInStationForce(state, machine.bodies[i].getMobilizedBodyIndex(),
                                         vector(tree.links[i].com),
                                         Vec3(0, 0, -bench::gravity * tree.links[i].mass), weights);
      machine.matter.calcResidualForceIgnoringConstraints(state, none, weights, given, tau);
    };
    work();
    bench::report(arguments, contestant, tree, "calcResidualForce",
                  bench::relative_difference(hinge_part(tau), bench::expected_tau(tree, x)), work);
  }
  if (arguments.task == "mass") {
    Matrix M;
    const auto work = [&] {
      set();
      machine.system.realize(state, Stage::Position);
      machine.matter.calcM(state, M);
    };
    work();
    const auto entry = [&](int i, int j) { return M(u0 + i, u0 + j); };
    bench::report(arguments, contestant, tree, "calcM", bench::mass_difference(tree, x, entry),
                  work);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  arguments.task == "swing" ? swing(arguments) : dynamics(arguments);
}
