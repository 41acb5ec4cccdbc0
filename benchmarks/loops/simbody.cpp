// Simbody on mechanisms with loops. It has no closing hinge: a ball constraint, and where the axis
// has to be held a second one on it. Repeated equations are left to its least-squares solver.
#include <Simbody.h>

#include "benchmarks/loops/problems.hpp"

namespace {

using namespace SimTK;
using bench::LoopProblem;
using bench::Triple;

Vec3 vector(const Triple& a) { return {a[0], a[1], a[2]}; }

struct Machine {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  MobilizedBody ground = matter.updGround();
  std::vector<MobilizedBody> bodies;
  State state;

  explicit Machine(const LoopProblem& p) {
    Force::UniformGravity(forces, matter, vector(p.gravity));
    for (const bench::Bar& bar : p.bars) {
      const Vec3 com = vector(bar.com);
      const Inertia about_com(bar.inertia[0], bar.inertia[1], bar.inertia[2]);
      const Body::Rigid rigid(
          MassProperties(bar.mass, com, about_com.shiftFromMassCenter(com, bar.mass)));
      const Rotation R(UnitVec3(vector(bar.axis)), ZAxis);
      const Transform in(R, vector(bar.at)), out(R, Vec3(0));
      if (bar.freedom == bench::Freedom::hinge) {
        bodies.push_back(MobilizedBody::Pin(body(bar.parent), in, rigid, out));
      } else if (bar.freedom == bench::Freedom::slide) {  // along x of its frames
        const Rotation along(UnitVec3(vector(bar.axis)), XAxis);
        bodies.push_back(MobilizedBody::Slider(body(bar.parent), Transform(along, vector(bar.at)),
                                               rigid, Transform(along, Vec3(0))));
      } else {
        bodies.push_back(MobilizedBody::Translation(body(bar.parent), Transform(vector(bar.at)),
                                                    rigid, Transform()));
      }
    }
    for (const bench::ClosingHinge& c : p.closing) {
      const Vec3 a = vector(c.at_a), b = vector(c.at_b), along = vector(c.axis);
      Constraint::Ball(body(c.a), a, body(c.b), b);
      if (!c.planar) Constraint::Ball(body(c.a), a + 0.5 * along, body(c.b), b + 0.5 * along);
    }
    for (const bench::Rod& rod : p.rods)
      Constraint::Rod(body(rod.a), vector(rod.at_a), body(rod.b), vector(rod.at_b), rod.length);
    for (const bench::Pull& pull : p.pulls) {
      Force::TwoPointLinearSpring(forces, body(pull.a), vector(pull.at_a), body(pull.b),
                                  vector(pull.at_b), pull.k, pull.length);
      if (pull.damping > 0)
        Force::TwoPointLinearDamper(forces, body(pull.a), vector(pull.at_a), body(pull.b),
                                    vector(pull.at_b), pull.damping);
    }
    if (p.torque != 0)
      Force::MobilityConstantForce(forces, bodies[0], MobilizerQIndex(0), p.torque);
    state = system.realizeTopology();
    system.realizeModel(state);
    for (size_t i = 0; i < p.bars.size(); ++i) {
      if (p.bars[i].freedom == bench::Freedom::point) {
        for (int k = 0; k < 3; ++k) bodies[i].setOneQ(state, k, p.bars[i].from[k]);
        continue;
      }
      bodies[i].setOneQ(state, 0, p.bars[i].q);
      bodies[i].setOneU(state, 0, p.bars[i].u);
    }
  }
  MobilizedBody& body(int i) { return i < 0 ? ground : bodies[i]; }
};

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments(argc, argv);
  const LoopProblem p = bench::loop_problem(arguments.task);
  Machine machine(p);
  const auto simulate = [&](Integrator& integrator, double accuracy) {
    try {
      integrator.setAccuracy(accuracy);
      integrator.setConstraintTolerance(std::min(1e-3, accuracy));
      integrator.initialize(machine.state);
      bench::Judge judge(p);
      for (int k = 0; k <= bench::samples; ++k) {
        const double t = judge.time(k);
        while (k > 0 && integrator.stepTo(t, t) != Integrator::ReachedReportTime) {
        }
        const State& s = integrator.getState();
        machine.system.realize(s, Stage::Dynamics);
        const double work = p.torque * (machine.bodies[0].getOneQ(s, 0) - p.bars[0].q);
        const int watched = std::max(0, p.reference.bar);
        judge.take(k, machine.system.calcEnergy(s) - work, machine.bodies[watched].getOneQ(s, 0));
      }
      return judge.worst();
    } catch (const std::exception&) {
      return 1e300;
    }
  };
  bench::report_loops(
      arguments, "Simbody 3.7", p, bench::tolerances(1e-1, 1e-9),
      [&](double accuracy) {
        RungeKuttaMersonIntegrator integrator(machine.system);
        return simulate(integrator, accuracy);
      },
      [](double a) { return bench::in_text("RK-Merson accuracy %.1e", a); });
  if (p.stiff())
    bench::report_loops(
        arguments, "Simbody 3.7", p, bench::tolerances(1e-1, 1e-9),
        [&](double accuracy) {
          CPodesIntegrator integrator(machine.system, CPodes::BDF, CPodes::Newton);
          return simulate(integrator, accuracy);
        },
        [](double a) { return bench::in_text("CPODES accuracy %.1e", a); });
}
