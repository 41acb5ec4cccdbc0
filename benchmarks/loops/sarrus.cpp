// Sarrus on mechanisms with loops: the closing hinges are hinges, rods are distances.
#include "benchmarks/loops/problems.hpp"
#include "sarrus/run/simulate.hpp"

using namespace bench;

namespace {

sarrus::Vec3 vec(const Triple& x) { return {x[0], x[1], x[2]}; }
std::string name_of(int bar) { return bar < 0 ? "world" : "b" + std::to_string(bar); }

sarrus::Model build(const LoopProblem& p) {
  sarrus::Model model;
  model.gravity = vec(p.gravity);
  const auto joint = [](const std::string& name, int parent, int child, const Triple& at_parent,
                        const Triple& at_child, const Triple& axis, Freedom freedom) {
    sarrus::JointSpec j;
    j.name = name;
    j.type = freedom == Freedom::hinge   ? sarrus::JointType::revolute
             : freedom == Freedom::slide ? sarrus::JointType::prismatic
                                         : sarrus::JointType::sequence;
    if (freedom == Freedom::point)
      j.sequence = {{true, {1, 0, 0}}, {true, {0, 1, 0}}, {true, {0, 0, 1}}};
    j.parent = name_of(parent), j.child = name_of(child);
    j.on_parent.at = vec(at_parent), j.on_child.at = vec(at_child);
    j.axis = vec(axis);
    return j;
  };
  for (size_t i = 0; i < p.bars.size(); ++i) {
    const Bar& bar = p.bars[i];
    sarrus::BodySpec body;
    body.name = name_of(static_cast<int>(i));
    body.mass = bar.mass;
    body.com = vec(bar.com);
    if (bar.freedom != Freedom::point)
      body.inertia =
          sarrus::Mat3{{bar.inertia[0], 0, 0}, {0, bar.inertia[1], 0}, {0, 0, bar.inertia[2]}};
    model.bodies.push_back(body);
    model.joints.push_back(joint("j" + std::to_string(i), bar.parent, static_cast<int>(i), bar.at,
                                 {}, bar.axis, bar.freedom));
    if (bar.freedom == Freedom::point) {
      model.joints.back().q = std::vector<double>(bar.from.begin(), bar.from.end());
      continue;
    }
    model.joints.back().q = std::vector<double>{bar.q};
    model.joints.back().u = std::vector<double>{bar.u};
  }
  if (p.torque != 0)
    model.joints[0].force = {{sarrus::Expression::parse(std::to_string(p.torque)).expression, {}}};
  for (size_t k = 0; k < p.closing.size(); ++k) {
    const ClosingHinge& c = p.closing[k];
    model.joints.push_back(
        joint("c" + std::to_string(k), c.a, c.b, c.at_a, c.at_b, c.axis, Freedom::hinge));
  }
  for (const Pull& pull : p.pulls) {
    sarrus::SpringSpec spring;
    spring.name = "spring" + std::to_string(model.springs.size());
    spring.from = {name_of(pull.a), {}, vec(pull.at_a)};
    spring.to = {name_of(pull.b), {}, vec(pull.at_b)};
    spring.k = pull.k, spring.length = pull.length, spring.damping = pull.damping;
    model.springs.push_back(spring);
  }
  for (const Rod& rod : p.rods) {
    sarrus::ConstraintSpec distance;
    distance.name = "rod" + std::to_string(model.constraints.size());
    distance.from = {name_of(rod.a), {}, vec(rod.at_a)};
    distance.to = {name_of(rod.b), {}, vec(rod.at_b)};
    distance.length = rod.length;
    model.constraints.push_back(distance);
  }
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const LoopProblem p = loop_problem(arguments.task);
  const sarrus::Model model = build(p);
  const sarrus::Mechanism mechanism = sarrus::compile(model);
  if (p.name.rfind("grow_", 0) == 0) {
    const auto run = [&](double step) {
      sarrus::SimulateSpec settings = model.simulate;
      settings.integrator = "rk4";
      settings.step = step;
      settings.until = p.seconds;
      settings.output_step = p.seconds;
      return sarrus::simulate(mechanism, settings).summary.closure;
    };
    report_loops(arguments, "Sarrus recursive", p, {5e-3}, run,
                 [](double h) { return in_text("rk4 %g ms", 1e3 * h); });
    return 0;
  }
  for (const std::string formulation : {"recursive", "hamiltonian"})
    for (const std::string& integrator : p.stiff() ? std::vector<std::string>{"cvode", "dop853"}
                                                   : std::vector<std::string>{"dop853"}) {
      const auto run = [&](double rtol) {
        sarrus::SimulateSpec settings = model.simulate;
        settings.formulation = formulation;
        settings.integrator = integrator;
        settings.until = p.seconds;
        settings.output_step = p.seconds / samples;
        settings.rtol = rtol;
        settings.atol = rtol;
        const sarrus::Run done = sarrus::simulate(mechanism, settings);
        if (done.summary.status != sarrus::RunStatus::done) return 1e300;
        if (!p.stiff()) return done.summary.closure;
        Judge judge(p);
        const std::string watched = "j" + std::to_string(p.reference.bar) + ".q";
        for (int k = 0; k < done.trajectory.rows(); ++k)
          judge.take(k, 0, done.trajectory.at(k, watched));
        return judge.worst();
      };
      report_loops(arguments, "Sarrus " + formulation, p, tolerances(1e-2, 1e-10), run,
                   [&](double rtol) { return integrator + in_text(" rtol %.1e", rtol); });
    }
}
