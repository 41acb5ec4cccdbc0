// Simbody: pieces on pins with springs, the hub's motion prescribed, Runge–Kutta–Merson.
//
//   bench_spin_up_simbody spin_up --n PARTS --accuracy A
#include <Simbody.h>

#include "benchmarks/elastic/spin_up.hpp"

namespace {

using namespace SimTK;
using bench::SpinUp;

class Turning : public Motion::Custom::Implementation {
 public:
  Implementation* clone() const override { return new Turning(*this); }
  Motion::Level getLevel(const State&) const override { return Motion::Position; }
  void calcPrescribedPosition(const State& s, int, Real* q) const override {
    q[0] = SpinUp::angle(s.getTime());
  }
  void calcPrescribedPositionDot(const State& s, int, Real* qdot) const override {
    qdot[0] = SpinUp::rate(s.getTime());
  }
  void calcPrescribedPositionDotDot(const State& s, int, Real* qdotdot) const override {
    qdotdot[0] = SpinUp::acceleration(s.getTime());
  }
};

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments(argc, argv);
  const int n = static_cast<int>(arguments.number("--n", 16));
  const double accuracy = arguments.number("--accuracy", 1e-5);

  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  std::vector<MobilizedBody> chain;
  double outboard = 0;  // length of the piece before
  for (const bench::Piece& p : bench::pieces(n)) {
    const Vec3 com(p.length / 2, 0, 0);
    const Inertia about_com(1e-3 * p.inertia, p.inertia, p.inertia);
    const Body::Rigid rigid(
        MassProperties(p.mass, com, about_com.shiftFromMassCenter(com, p.mass)));
    MobilizedBody before = chain.empty() ? matter.updGround() : chain.back();
    chain.push_back(
        MobilizedBody::Pin(before, Transform(Vec3(outboard, 0, 0)), rigid, Transform()));
    if (chain.size() > 1)
      Force::MobilityLinearSpring(forces, chain.back(), MobilizerQIndex(0),
                                  SpinUp::bending * n / SpinUp::length, 0);
    outboard = p.length;
  }
  Motion::Custom(chain.front(), new Turning);

  State state = system.realizeTopology();
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  TimeStepper stepper(system, integrator);
  std::array<double, 3> lag;
  const double begin = bench::cpu_seconds();
  stepper.initialize(state);
  for (size_t i = 0; i < lag.size(); ++i) {
    stepper.stepTo(bench::lag_times[i]);
    const State& now = integrator.getState();
    system.realize(now, Stage::Position);
    const Vec3 tip = chain.back().findStationLocationInGround(now, Vec3(outboard, 0, 0));
    lag[i] = (~chain.front().getBodyRotation(now) * tip)[1];
  }
  bench::print_lags("Simbody",
                    bench::in_text("%g parts", n) + bench::in_text(" accuracy %g", accuracy),
                    1e3 * (bench::cpu_seconds() - begin), lag);
}
