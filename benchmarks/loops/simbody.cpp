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
      bodies.push_back(MobilizedBody::Pin(body(bar.parent), Transform(R, vector(bar.at)), rigid,
                                          Transform(R, Vec3(0))));
    }
    for (const bench::ClosingHinge& c : p.closing) {
      const Vec3 a = vector(c.at_a), b = vector(c.at_b), along = vector(c.axis);
      Constraint::Ball(body(c.a), a, body(c.b), b);
      if (!c.planar) Constraint::Ball(body(c.a), a + 0.5 * along, body(c.b), b + 0.5 * along);
    }
    for (const bench::Pull& pull : p.pulls)
      Force::TwoPointLinearSpring(forces, body(pull.a), vector(pull.at_a), body(pull.b),
                                  vector(pull.at_b), pull.k, pull.length);
    if (p.torque != 0)
      Force::MobilityConstantForce(forces, bodies[0], MobilizerQIndex(0), p.torque);
    state = system.realizeTopology();
    system.realizeModel(state);
    for (size_t i = 0; i < p.bars.size(); ++i) {
      bodies[i].setOneQ(state, 0, p.bars[i].q);
      bodies[i].setOneU(state, 0, p.bars[i].u);
    }
  }
  MobilizedBody& body(int i) { return i < 0 ? ground : bodies[static_cast<size_t>(i)]; }
};

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments(argc, argv);
  const LoopProblem p = bench::loop_problem(arguments.task);
  Machine machine(p);
  const auto run = [&](double accuracy) {
    try {
      RungeKuttaMersonIntegrator integrator(machine.system);
      integrator.setAccuracy(accuracy);
      integrator.setConstraintTolerance(std::min(1e-3, accuracy));
      integrator.initialize(machine.state);
      double worst = 0, start = 0;
      for (int k = 0; k <= bench::energy_samples; ++k) {
        const double t = p.seconds * k / bench::energy_samples;
        while (k > 0 && integrator.stepTo(t, t) != Integrator::ReachedReportTime) {
        }
        const State& s = integrator.getState();
        machine.system.realize(s, Stage::Dynamics);
        const double work = p.torque * (machine.bodies[0].getOneQ(s, 0) - p.bars[0].q);
        const double energy = machine.system.calcEnergy(s) - work;
        if (k == 0) start = energy;
        worst = std::max(worst, std::fabs(energy - start));
      }
      return worst;
    } catch (const std::exception&) {
      return 1e300;
    }
  };
  bench::report_loops(arguments, "Simbody 3.7", p, bench::tolerances(1e-1, 1e-9), run,
                      [](double a) { return bench::in_text("RK-Merson accuracy %.1e", a); });
}
