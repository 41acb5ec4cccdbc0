// Models grown from the bytes: trees of every joint, with springs, bushings, dampers, forces, rods
// that close loops, sensors. Each is valid by its making, so that what is asked is physics:
//
//   a run ends in words or in rows that are numbers, the account of energy closes or a warning says
//   so, and velocities and momenta, two formulations that share no equations of motion, agree.
#include <cmath>

#include "fuzz/target.hpp"
#include "random_tree.hpp"
#include "sarrus/model/freedoms.hpp"
#include "sarrus/run/simulate.hpp"

namespace sarrus::fuzz {
namespace {

using testing::random_vector;

std::uint64_t seed_of(std::string_view bytes) {
  std::uint64_t seed = 14695981039346656037u;  // FNV-1a
  for (const char c : bytes) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return seed;
}

std::string body_name(Random& r, const Model& m) {
  return m.bodies[static_cast<size_t>(r.below(static_cast<int>(m.bodies.size())))].name;
}

Formula formula(const std::string& text) { return {Expression::parse(text).expression, {}}; }

void add_spring(Random& r, Model& m) {
  SpringSpec s;
  s.name = "spring" + std::to_string(m.springs.size());
  s.from = {"world", {}, random_vector(r, 2)};
  s.to = {body_name(r, m), {}, random_vector(r)};
  s.k = r.uniform(1, 1000), s.length = r.uniform(0.1, 2), s.damping = r.uniform(0, 5);
  m.springs.push_back(s);
}

void add_bushing(Random& r, Model& m) {
  BushingSpec b;
  b.name = "bushing" + std::to_string(m.bushings.size());
  b.from = "world", b.to = body_name(r, m);
  b.on_from.at = random_vector(r), b.on_to.at = random_vector(r);
  b.k = {r.uniform(1, 100), r.uniform(1, 100), r.uniform(1, 100)};
  b.damping = {r.uniform(0, 1), r.uniform(0, 1), r.uniform(0, 1)};
  m.bushings.push_back(b);
}

void add_force(Random& r, Model& m) {
  ForceSpec f;
  f.name = "force" + std::to_string(m.forces.size());
  f.at = {body_name(r, m), {}, random_vector(r)};
  f.body_axes = r.below(2) == 1;
  f.force = {formula("3*sin(5*t)"), formula("exp(-t)"), formula("1")};
  f.moment = {formula("0"), formula("cos(t)"), formula("0.1*t")};
  m.forces.push_back(f);
}

/// A rod of the length that the assembly finds near to: it closes a loop.
void add_rod(Random& r, Model& m) {
  ConstraintSpec c;
  c.name = "rod" + std::to_string(m.constraints.size());
  c.from = {"world", {}, random_vector(r, 2)};
  c.to = {body_name(r, m), {}, random_vector(r)};
  c.length = r.uniform(1, 3);
  m.constraints.push_back(c);
}

void add_damper(Random& r, Model& m) {
  JointSpec& j = m.joints[static_cast<size_t>(r.below(static_cast<int>(m.joints.size())))];
  j.damper.assign(freedoms_of(j).size(), r.uniform(0, 2));
}

Model grown(std::string_view bytes) {
  Random r(seed_of(bytes));
  Model m = testing::random_tree(r, 1 + r.below(5));
  m.name = "grown";
  for (const char c : bytes.substr(0, 6)) {  // one byte, one element
    constexpr void (*add[])(Random&, Model&) = {add_spring, add_bushing, add_force, add_rod,
                                                add_damper};
    add[static_cast<unsigned char>(c) % 5](r, m);
  }
  for (const BodySpec& b : m.bodies) {
    SensorSpec s;
    s.name = "at_" + b.name;
    s.point = PointSpec{b.name, {}, {0.1, 0.2, 0.3}};
    m.sensors.push_back(s);
  }
  m.simulate.until = 0.02, m.simulate.output_step = 0.01, m.simulate.rtol = 1e-9;
  m.simulate.max_steps = 3000;  // one that crawls says so elsewhere
  return m;
}

bool is_told(const RunSummary& s, std::string_view code) {
  for (const Diagnostic& d : s.notes)
    if (d.code == code) return true;
  return false;
}

void check_run(const Run& run) {
  if (run.summary.status != RunStatus::done) return;
  for (const double x : run.trajectory.values)
    require(std::isfinite(x) || is_told(run.summary, "no-number"),
            "a row without numbers or words");
  require(run.summary.closure <= 1e-5 * std::max(1.0, run.summary.energy_scale) ||
              is_told(run.summary, "energy-not-closed"),
          "energy is lost without a word");
}

}  // namespace

void take(std::string_view bytes) {
  Model model = grown(bytes);
  may_refuse([&] {
    const Run first = simulate(compile(model), model.simulate);
    check_run(first);
    model.simulate.formulation = "hamiltonian";
    const Run second = simulate(compile(model), model.simulate);
    check_run(second);
    if (first.summary.status != RunStatus::done || second.summary.status != RunStatus::done) return;
    for (const BodySpec& b : model.bodies)
      for (const char* axis : {".x", ".y", ".z"}) {
        const std::string column = "at_" + b.name + axis;
        const int last = first.trajectory.rows() - 1;
        // rtol 1e-9, and what hundreds of steps and speeds of 100 m/s make of it
        require(std::fabs(first.trajectory.at(last, column) - second.trajectory.at(last, column)) <
                    1e-5,
                "formulations disagree");
      }
  });
}

}  // namespace sarrus::fuzz
