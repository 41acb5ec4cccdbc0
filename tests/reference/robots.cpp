// Imported robots beside the program whose files they are: mass matrix, inverse and forward dynamics.
//
// robots/NAME.json has the numbers, made by robots/mujoco_numbers.mjs with the MuJoCo that it names.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "instant.hpp"
#include "near.hpp"
#include "places.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/run/simulate.hpp"

namespace sarrus::testing {
namespace {

using Numbers = nlohmann::json;

std::string robot_path(const std::string& name) {
  return std::string(source_folder) + "/tests/reference/robots/" + name;
}

/// A name as an import writes it where it may stand in formulas.
std::string written_name(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) ? "n" + name : name;
}

/// Without what the reference leaves out: stops and dry friction.
Model smooth_robot(const std::string& name) {
  Model model = read_model(name);
  for (JointSpec& j : model.joints) j.limits.reset(), j.friction.reset();
  return model;
}

/// The same as a tree: joints of equality constraints and couplings are gone.
Model opened(Model model, const Numbers& reference) {
  std::erase_if(model.joints, [&](const JointSpec& j) {
    const auto is_this = [&](const Numbers& name) {
      return written_name(name) == written_name(j.name);
    };
    const Numbers& order = reference["order"];
    return j.type != JointType::fixed ? std::none_of(order.begin(), order.end(), is_this)
                                      : model.file.ends_with(".xml") && !j.name.ends_with("_fixed");
  });
  model.constraints.clear();
  return model;
}

/// Where the speeds of the reference's joints stand in u, in its order.
std::vector<int> speeds_in_order(const Mechanism& m, const Numbers& reference) {
  std::map<std::string, const JointInfo*> by_name;
  for (const JointInfo& j : m.joints) by_name[written_name(j.name)] = &j;
  std::vector<int> at;
  for (const std::string said : reference["order"]) {
    const std::string name = written_name(said);
    if (!by_name.count(name)) throw std::runtime_error("no joint " + name);
    for (int i = 0; i < by_name[name]->nu; ++i) at.push_back(by_name[name]->u0 + i);
  }
  return at;
}

/// Largest difference of an entry, as a share of the largest entry, over all states.
struct Differences {
  int freedoms = 0;
  double mass_matrix = 0, inverse = 0, forward = 0;
};

double share(const std::vector<double>& found, const std::vector<double>& expected) {
  double off = 0, size = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    off = std::max(off, std::fabs(found[i] - expected[i]));
    size = std::max(size, std::fabs(expected[i]));
  }
  return std::isnan(off) ? off : size > 0 ? off / size : off;
}

Differences robot_differences(const Model& model, const Numbers& reference) {
  const Mechanism m = compile(opened(model, reference));
  const std::vector<int> at = speeds_in_order(m, reference);
  Differences d;
  d.freedoms = m.nu;
  if (static_cast<int>(at.size()) != m.nu)
    throw std::runtime_error(fmt::format("{} degrees of freedom, not {}", m.nu, at.size()));
  for (const Numbers& state : reference["states"]) {
    std::vector<double> q(m.nq), u(m.nu), a(m.nu), tau(m.nu), free(m.nu), M(m.nu * m.nu);
    for (const auto& [name, one] : state["joints"].items())
      for (const JointInfo& j : m.joints) {
        if (written_name(j.name) != written_name(name)) continue;
        for (int i = 0; i < j.nq; ++i) q[j.q0 + i] = one["q"][i];
        for (int i = 0; i < j.nu; ++i) {
          u[j.u0 + i] = one["u"][i], a[j.u0 + i] = one["a"][i];
          tau[j.u0 + i] = one["tau"][i], free[j.u0 + i] = one["free"][i];
        }
      }
    Instant<double> now(m, 0.0, q.data(), u.data(), m.start_state.data());
    now.mass_matrix(M.data());
    std::vector<double> found, expected, forces(m.nu);
    for (size_t i = 0; i < at.size(); ++i)
      for (size_t k = 0; k < at.size(); ++k) {
        found.push_back(M[at[i] * m.nu + at[k]]);
        expected.push_back(state["M"][i][k]);
      }
    d.mass_matrix = std::max(d.mass_matrix, share(found, expected));
    now.inverse_dynamics(a.data(), forces.data());
    d.inverse = std::max(d.inverse, share(forces, tau));
    d.forward = std::max(d.forward, share(now.udot(), free));
  }
  return d;
}

Numbers read_numbers(const std::string& path) {
  std::ifstream file(path);
  return Numbers::parse(file);
}

// two programs round differently: digits beyond 1e-9 of the largest entry are not asked for
constexpr double digits_of_two_programs = 1e-9;

void compare_with_reference(const std::string& robot, const std::string& numbers) {
  const Differences d =
      robot_differences(smooth_robot(robot_path(robot)), read_numbers(robot_path(numbers)));
  CAPTURE(robot);
  CHECK(d.mass_matrix < digits_of_two_programs);
  CHECK(d.inverse < digits_of_two_programs);
  CHECK(d.forward < digits_of_two_programs);
}

/// Loops that are held exactly, at rest where they were written.
void compare_held(const std::string& robot, const std::string& numbers) {
  const Numbers reference = read_numbers(robot_path(numbers))["held"];
  const Mechanism m = compile(smooth_robot(robot_path(robot)));
  REQUIRE(m.has_loops());
  const StartState start = start_state(m, 0);
  const Snapshot now = snapshot_at(m, start);
  std::vector<double> found, expected;
  for (const JointInfo& j : m.joints)
    if (!j.cut && reference.contains(j.name))
      for (int i = 0; i < j.nu; ++i) {
        found.push_back(now.udot[j.u0 + i]);
        expected.push_back(reference[j.name][i]);
      }
  REQUIRE(found.size() >= 5);
  CHECK(near(found, expected, digits_of_two_programs));
}

}  // namespace

TEST_CASE("robots: an arm in URDF moves as in MuJoCo, to nine digits") {
  compare_with_reference("arm.urdf", "arm.json");
}

TEST_CASE("robots: the same arm in SDF, with its links' frames elsewhere, has the same numbers") {
  compare_with_reference("arm.sdf", "arm.json");
}

TEST_CASE("robots: a floating URDF moves as in MuJoCo, to nine digits") {
  compare_with_reference("float.urdf", "float.json");
}

TEST_CASE("robots: a quadruped in MJCF, with classes, tendon and servos, moves as in MuJoCo") {
  compare_with_reference("quadruped.xml", "quadruped.json");
}

TEST_CASE("robots: a five-bar leg in MJCF moves as in MuJoCo, open and with its loops held") {
  compare_with_reference("leg.xml", "leg.json");
  compare_held("leg.xml", "leg.json");
}

// SARRUS_ROBOTS=FOLDER names a collection: FOLDER/list has lines "ROBOT NUMBERS", made by mujoco_numbers.mjs.
TEST_CASE("robots: a collection beside MuJoCo, where one is named") {
  const char* folder = std::getenv("SARRUS_ROBOTS");
  if (!folder) {
    MESSAGE("skipped: SARRUS_ROBOTS names no collection");
    return;
  }
  std::ifstream list(std::string(folder) + "/list");
  for (std::string robot, numbers; list >> robot >> numbers;) {
    std::string said;
    try {
      const Model model = smooth_robot(robot);
      const Differences d = robot_differences(model, read_numbers(numbers));
      int warnings = 0;
      for (const Diagnostic& n : model.notes)
        warnings += n.code == "left-out" && n.severity == Severity::warning;
      said = fmt::format("{:>4} {:.0e} {:.0e} {:.0e} {} left out", d.freedoms, d.mass_matrix,
                         d.inverse, d.forward, warnings);
      for (const Diagnostic& n : model.notes)
        if (n.code == "left-out" && n.severity == Severity::warning) said += "; " + n.element;
    } catch (const std::exception& e) {
      said = std::string("refused: ") + std::string(e.what()).substr(0, 300);
    }
    fmt::print("{} {}\n", robot, said);
  }
}

}  // namespace sarrus::testing
