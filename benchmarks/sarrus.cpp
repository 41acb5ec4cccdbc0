// Sarrus itself: forward and inverse dynamics, mass matrix, batches, right-hand sides of all
// formulations, swinging chain.
#include "benchmarks/maximal.hpp"
#include "sarrus/formulations/discrete/discrete.hpp"
#include "sarrus/formulations/formulation.hpp"
#include "sarrus/formulations/stages/derivatives.hpp"
#include "sarrus/integrators/integrator.hpp"

using namespace bench;

namespace {

using sarrus::Mechanism;
using sarrus::Workspace;
using Pack = sarrus::Pack<4>;

constexpr int instances = 4096;       // of a batch
constexpr int longest_literal = 100;  // freedoms; its cost grows with the fourth power
constexpr int longest_complex = 300;  // with the third

Mechanism build(const Tree& tree) {
  sarrus::Model model;
  model.gravity = {0, 0, -gravity};
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    const Triple& I = link.inertia;
    sarrus::BodySpec body;
    body.name = "b" + std::to_string(i);
    body.mass = link.mass;
    body.com = sarrus::Vec3{link.com[0], link.com[1], link.com[2]};
    body.inertia = sarrus::Mat3{{I[0], 0, 0}, {0, I[1], 0}, {0, 0, I[2]}};
    model.bodies.push_back(body);
    sarrus::JointSpec joint;
    joint.name = "j" + std::to_string(i);
    joint.type = link.floats ? sarrus::JointType::free : sarrus::JointType::revolute;
    if (link.parent >= 0) joint.parent = "b" + std::to_string(link.parent);
    joint.child = body.name;
    joint.axis = {double(link.axis == 0), double(link.axis == 1), double(link.axis == 2)};
    joint.on_parent.at = {link.at[0], link.at[1], link.at[2]};
    model.joints.push_back(joint);
  }
  return sarrus::compile(model);
}

/// Where the hinges of a tree are found in q and u; the compiled order may be another.
struct Layout {
  std::vector<int> q, u;

  explicit Layout(const Mechanism& m) {
    for (const sarrus::JointInfo& joint : m.joints)
      if (joint.nu == 1) q.push_back(joint.q0), u.push_back(joint.u0);
  }
  static std::vector<double> spread(const std::vector<int>& places,
                                    const std::vector<double>& hinges, std::vector<double> into) {
    for (size_t i = 0; i < hinges.size(); ++i) into[places[i]] = hinges[i];
    return into;
  }
  std::vector<double> gather(const std::vector<double>& all) const {
    std::vector<double> hinges;
    for (const int i : u) hinges.push_back(all[i]);
    return hinges;
  }
};

/// u̇ as a simulation asks for it: forces are evaluated too, though here there are none.
template <class T>
const std::vector<T>& accelerations(Workspace<T>& w, const T* q, const T* u) {
  const sarrus::Kinematics<T>& k = sarrus::move<T>(w, T(0.0), q, u, nullptr);
  return sarrus::accelerate(w, k, sarrus::load<T>(w, k)).udot;
}

struct Bench {
  explicit Bench(const Arguments& given)
      : arguments(given),
        tree(given.tree()),
        x(random_instant(tree)),
        m(build(tree)),
        layout(m),
        nu(static_cast<size_t>(m.nu)),
        q(Layout::spread(layout.q, x.q, m.start.q)),
        u(Layout::spread(layout.u, x.u, std::vector<double>(nu))),
        udot(Layout::spread(layout.u, x.udot, std::vector<double>(nu))),
        workspace(m) {}

  void forward_dynamics() {
    const auto work = [&] { accelerations(workspace, q.data(), u.data()); };
    const double difference = relative_difference(
        layout.gather(accelerations(workspace, q.data(), u.data())), expected_udot(tree, x));
    report(arguments, "Sarrus", tree, "move + load + accelerate", difference, work);
  }

  void inverse_dynamics() {
    std::vector<double> tau(nu);
    const auto work = [&] {
      sarrus::inverse_dynamics_at(workspace, q.data(), u.data(), udot.data(), tau.data());
    };
    work();
    report(arguments, "Sarrus", tree, "inverse_dynamics_at",
           relative_difference(layout.gather(tau), expected_tau(tree, x)), work);
  }

  void mass_matrix() {
    std::vector<double> M(nu * nu);
    const auto work = [&] { sarrus::mass_matrix_at(workspace, q.data(), M.data()); };
    work();
    const auto entry = [&](int i, int j) {
      return M[static_cast<size_t>(layout.u[i]) + static_cast<size_t>(layout.u[j]) * nu];
    };
    report(arguments, "Sarrus", tree, "mass_matrix_at", mass_difference(tree, x, entry), work);
  }

  /// ∂τ/∂(ξ, u) with M, and ∂u̇/∂(ξ, u, τ), the kinematics of the instant included; held against
  /// dual numbers along the direction in which all velocities grow alike.
  void derivatives() {
    sarrus::Derivatives derivatives(m);
    const auto moved = [&]() -> const sarrus::Kinematics<double>& {
      return sarrus::move(workspace, 0.0, q.data(), u.data(), static_cast<double*>(nullptr));
    };
    using Dual = sarrus::Dual<double>;
    Workspace<Dual> dual(m);
    const std::vector<Dual> dual_q(q.begin(), q.end()), dual_udot(udot.begin(), udot.end());
    std::vector<Dual> dual_u(u.begin(), u.end()), dual_tau(nu);
    for (Dual& v : dual_u) v.d = 1;
    sarrus::inverse_dynamics_at(dual, dual_q.data(), dual_u.data(), dual_udot.data(),
                                dual_tau.data());
    std::vector<double> expected, found(nu), answered(nu);
    for (const Dual& f : dual_tau) expected.push_back(f.d);
    const auto sum = [&](const sarrus::RowsView& rows, std::vector<double>& to) {
      for (int i = 0; i < rows.rows; ++i) {
        to[i] = 0;
        for (int j = 0; j < rows.columns; ++j) to[i] += rows(i, j);
      }
    };
    const auto inverse = [&] {
      return derivatives.of_inverse_dynamics(workspace, moved(), udot.data());
    };
    sum(inverse().by_u, found);
    report(arguments, "Sarrus", tree, "d tau/d(q, u), M", relative_difference(found, expected),
           [&] { inverse(); });
    const auto forward = [&] {
      return derivatives.of_forward_dynamics(workspace, moved(), udot.data());
    };
    sum(forward().by_u, answered);
    std::vector<double> M(nu * nu), back(nu);
    sarrus::mass_matrix_at(workspace, q.data(), M.data());
    for (size_t i = 0; i < nu; ++i)
      for (size_t j = 0; j < nu; ++j) back[i] -= M[i + j * nu] * answered[j];
    report(arguments, "Sarrus", tree, "d udot/d(q, u, tau)", relative_difference(back, expected),
           [&] { forward(); });
  }

  /// Forward dynamics of many instances of one mechanism, each in a state of its own, four to a
  /// pack; and of the same states one after the other.
  void batch() {
    const auto nq = static_cast<size_t>(m.nq);
    std::vector<double> one_q, one_u;
    std::vector<Pack> pack_q(instances / 4 * nq), pack_u(instances / 4 * nu);
    for (size_t k = 0; k < instances; ++k) {
      const Instant y = random_instant(tree, 100 + k);
      const std::vector<double> qk = Layout::spread(layout.q, y.q, m.start.q),
                                uk = Layout::spread(layout.u, y.u, std::vector<double>(nu));
      const size_t group = k / 4;
      const int lane = static_cast<int>(k % 4);
      for (size_t i = 0; i < nq; ++i) pack_q[group * nq + i].v[lane] = qk[i];
      for (size_t i = 0; i < nu; ++i) pack_u[group * nu + i].v[lane] = uk[i];
      one_q.insert(one_q.end(), qk.begin(), qk.end());
      one_u.insert(one_u.end(), uk.begin(), uk.end());
    }
    Workspace<Pack> packed(m);
    double difference = 0;
    for (int lane = 0; lane < 4; ++lane) {
      const std::vector<Pack>& answer = accelerations(packed, pack_q.data(), pack_u.data());
      std::vector<double> found;
      for (const int i : layout.u) found.push_back(answer[i][lane]);
      const Instant y = random_instant(tree, 100 + static_cast<std::uint64_t>(lane));
      difference = std::max(difference, relative_difference(found, expected_udot(tree, y)));
    }
    report(
        arguments, "Sarrus", tree, "4096 in packs of 4", difference,
        [&] {
          for (size_t g = 0; g < instances / 4; ++g)
            accelerations(packed, pack_q.data() + g * nq, pack_u.data() + g * nu);
        },
        instances);
    report(
        arguments, "Sarrus", tree, "4096 one by one", difference,
        [&] {
          for (size_t k = 0; k < instances; ++k)
            accelerations(workspace, one_q.data() + k * nq, one_u.data() + k * nu);
        },
        instances);
  }

  /// ẏ = f(t, y) of every formulation that can run this mechanism, and of the source's own scheme
  /// as far as its growth lets it.
  void right_hand_sides() {
    for (const char* name : {"recursive", "hamiltonian"}) right_hand_side(name, name, {});
    if (m.nu <= longest_complex)
      right_hand_side("complex steps", "hamiltonian", {"literal", "complex", {}, {}});
    if (m.nu <= longest_literal)
      right_hand_side("literal", "hamiltonian", {"literal", "literal", {}, {}});
  }

  void right_hand_side(const std::string& setting, const std::string& name,
                       const sarrus::FormulationOptions& options) {
    const auto formulation = sarrus::make_formulation(name, m, options);
    std::vector<double> y(formulation->size()), ydot(y.size());
    formulation->begin({0, q, u, {}}, y);
    sarrus::Snapshot now(m);
    formulation->observe(0, y, now);
    const double difference = relative_difference(layout.gather(now.udot), expected_udot(tree, x));
    report(arguments, "Sarrus", tree, setting, difference,
           [&] { formulation->derivative(0, y, ydot); });
  }

  /// Steps of the discrete formulation; those of a chain whose links stand in another order too,
  /// and those of a graph in which every link hangs on a random one.
  void steps() {
    measure_steps(m, swing_start(tree.size()), "discrete");
    Tree graph = tree;
    sarrus::Random random(5);
    for (int i = 1; i < graph.size(); ++i) graph.links[i].parent = random.below(i + 1) - 1;
    measure_steps(build(graph), swing_start(tree.size()), "discrete on a random graph");
  }

  void measure_steps(const Mechanism& mechanism, const std::vector<double>& angles,
                     const std::string& setting) {
    sarrus::SimulateSpec settings;
    settings.formulation = "discrete";
    settings.step = small_step;
    sarrus::Discrete d(mechanism, settings);
    std::vector<double> y(d.size());
    const auto energy = [&] {
      sarrus::Snapshot now(mechanism);
      d.record(y);
      d.observe(d.time(), y, now);
      return Energy{now.kinetic, now.potential};
    };
    d.begin({0,
             Layout::spread(Layout(mechanism).q, angles, mechanism.start.q),
             std::vector<double>(nu),
             {}});
    const Energy before = energy();
    d.advance(trial_steps);
    constexpr int at_once = 100;
    report(
        arguments, "Sarrus", tree, setting, energy_error(before, energy()),
        [&] { d.advance(at_once); }, at_once);
  }

  void swing(const std::string& method) {
    const bool adaptive = sarrus::make_integrator(method, {.step = 1e-3})->is_adaptive();
    const auto formulation = sarrus::make_formulation("recursive", m);
    std::vector<double> y(formulation->size());
    const sarrus::StartState start{0,
                                   Layout::spread(layout.q, swing_start(tree.size()), m.start.q),
                                   std::vector<double>(nu),
                                   {}};
    const auto run = [&](double setting) {
      // only steps may not allocate: what is allocated before and after them is taken out again
      const long before = allocations;
      const auto integrator =
          adaptive ? sarrus::make_integrator(method, {.rtol = setting, .atol = setting})
                   : sarrus::make_integrator(method, {.step = setting});
      formulation->begin(start, y);
      integrator->start(*formulation, 0, y);
      integrator->expect_output(swing_seconds);
      allocations = before;
      advance(*formulation, *integrator, y);
      const long after = allocations;
      std::vector<double> angles = layout.gather(formulation->configuration(swing_seconds, y));
      allocations = after;
      return angles;
    };
    report_swing(
        arguments, "Sarrus", adaptive ? swing_tolerances() : swing_steps(), run, [&](double s) {
          return method + (adaptive ? in_text(" rtol %.1e", s) : in_text(" %g ms", 1e3 * s));
        });
  }

  static void advance(sarrus::Formulation& formulation, sarrus::Integrator& integrator,
                      std::vector<double>& y) {
    for (double t = 0; t < swing_seconds;) {
      const sarrus::StepResult result = integrator.step(formulation, t, swing_seconds, y);
      if (result.status != sarrus::StepStatus::accepted) throw std::runtime_error("a step failed");
      t = result.h == swing_seconds - t ? swing_seconds : t + result.h;
      if (integrator.wants_rebase(y)) formulation.rebase(t, y, integrator.end_derivative());
    }
  }

  const Arguments& arguments;
  const Tree tree;
  const Instant x;
  const Mechanism m;
  const Layout layout;
  const size_t nu;
  const std::vector<double> q, u, udot;
  Workspace<double> workspace;
};

}  // namespace

int main(int argc, char** argv) {
  counts_allocations = true;
  const Arguments arguments(argc, argv);
  Bench bench(arguments);
  const std::string& task = arguments.task;
  if (task == "fd") bench.forward_dynamics();
  if (task == "id") bench.inverse_dynamics();
  if (task == "mass") bench.mass_matrix();
  if (task == "derivatives") bench.derivatives();
  if (task == "batch") bench.batch();
  if (task == "rhs") bench.right_hand_sides();
  if (task == "steps") bench.steps();
  if (task == "swing")
    for (const char* method : {"rk4", "dop853"}) bench.swing(method);
}
