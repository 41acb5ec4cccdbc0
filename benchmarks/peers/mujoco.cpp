// MuJoCo: forward and inverse dynamics, mass matrix, swinging chain. Contacts and constraints are
// off; mj_forward does more than q, u → u̇, so forward dynamics calls just the parts that this
// needs.
#include <mujoco/mujoco.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "benchmarks/measure.hpp"

using namespace bench;

namespace {

constexpr int nesting =
    60;  // the XML parser refuses deeper files; a long chain goes on in the next one

using ModelPointer = std::unique_ptr<mjModel, void (*)(mjModel*)>;
using DataPointer = std::unique_ptr<mjData, void (*)(mjData*)>;

std::string triple(const char* name, const Triple& x) {
  char text[120];
  std::snprintf(text, sizeof text, " %s=\"%.17g %.17g %.17g\"", name, x[0], x[1], x[2]);
  return text;
}

/// Writes a tree as MJCF, a file for every `nesting` levels.
class Writer {
 public:
  explicit Writer(const Tree& tree) : tree_(tree), children_(tree.links.size()) {
    for (int i = 1; i < tree.size(); ++i) children_[tree.links[i].parent].push_back(i);
    std::string pattern = (std::filesystem::temp_directory_path() / "sarrus-bench-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder could be made");
    folder_ = pattern;
  }
  ~Writer() { std::filesystem::remove_all(folder_); }

  ModelPointer load(double h) {
    std::ofstream(folder_ / "model.xml")
        << "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option gravity=\"0 0 -"
        << gravity << "\" timestep=\"" << h << "\" integrator=\"RK4\">"
        << "<flag contact=\"disable\" constraint=\"disable\"/></option>"
        << "<worldbody>" << element(0, 0) << "</worldbody></mujoco>";
    char error[1000] = "";
    ModelPointer model(mj_loadXML((folder_ / "model.xml").c_str(), nullptr, error, sizeof error),
                       mj_deleteModel);
    if (!model) throw std::runtime_error(error);
    return model;
  }

 private:
  std::string element(int i, int depth) {
    if (depth == nesting) {
      const std::string name = "part" + std::to_string(i) + ".xml";
      std::ofstream(folder_ / name) << "<mujocoinclude>" << element(i, 0) << "</mujocoinclude>";
      return "<include file=\"" + name + "\"/>";
    }
    const Link& link = tree_.links[i];
    const Triple axis{double(link.axis == 0), double(link.axis == 1), double(link.axis == 2)};
    char mass[60];
    std::snprintf(mass, sizeof mass, " mass=\"%.17g\"", link.mass);
    std::string text =
        "<body" + triple("pos", link.at) + ">" +
        (link.floats ? "<freejoint/>" : "<joint type=\"hinge\"" + triple("axis", axis) + "/>") +
        "<inertial" + triple("pos", link.com) + mass + triple("diaginertia", link.inertia) + "/>";
    for (const int child : children_[i]) text += element(child, depth + 1);
    return text + "</body>";
  }

  const Tree& tree_;
  std::vector<std::vector<int>> children_;
  std::filesystem::path folder_;
};

void swing(const Arguments& arguments, const std::string& contestant) {
  const Tree tree = arguments.tree();
  const ModelPointer model = Writer(tree).load(1e-3);
  const DataPointer data(mj_makeData(model.get()), mj_deleteData);
  const std::vector<double> start = swing_start(tree.size());
  const auto run = [&](double h) {
    model->opt.timestep = h;
    mj_resetData(model.get(), data.get());
    mju_copy(data->qpos, start.data(), tree.size());
    for (long i = std::lround(swing_seconds / h); i > 0; --i) mj_step(model.get(), data.get());
    return std::vector<double>(data->qpos, data->qpos + tree.size());
  };
  report_swing(arguments, contestant, swing_steps(), run,
               [](double h) { return in_text("RK4 %g ms", 1e3 * h); });
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const std::string contestant = "MuJoCo " + std::string(mj_versionString());
  if (arguments.task == "swing") {
    swing(arguments, contestant);
    return 0;
  }
  const Tree tree = arguments.tree();
  const Instant x = random_instant(tree);
  const ModelPointer model = Writer(tree).load(1e-3);
  const DataPointer data(mj_makeData(model.get()), mj_deleteData);
  const mjModel* m = model.get();
  mjData* d = data.get();
  const int n = tree.hinges(), q0 = tree.floats() ? 7 : 0, u0 = tree.floats() ? 6 : 0;
  const auto set = [&] {
    mju_copy(d->qpos + q0, x.q.data(), n);
    mju_copy(d->qvel + u0, x.u.data(), n);
  };
  set();
  mj_forward(m, d);

  if (arguments.task == "fd") {
    const auto work = [&] {
      set();
      mj_kinematics(m, d);
      mj_comPos(m, d);
      mj_crb(m, d);
      mj_factorM(m, d);
      mj_comVel(m, d);
      mj_rne(m, d, 0, d->qfrc_bias);
      mju_scl(d->qfrc_smooth, d->qfrc_bias, -1, m->nv);
      mj_solveM(m, d, d->qacc, d->qfrc_smooth, 1);
    };
    work();
    const std::vector<double> udot(d->qacc + u0, d->qacc + m->nv);
    report(arguments, contestant, tree, "the parts it needs",
           relative_difference(udot, expected_udot(tree, x)), work);
  }
  if (arguments.task == "id") {
    mju_zero(d->qacc, m->nv);
    mju_copy(d->qacc + u0, x.udot.data(), n);
    std::vector<double> tau(m->nv);
    const auto work = [&] {
      set();
      mj_kinematics(m, d);
      mj_comPos(m, d);
      mj_comVel(m, d);
      mj_rne(m, d, 1, tau.data());
    };
    work();
    report(arguments, contestant, tree, "mj_rne",
           relative_difference({tau.begin() + u0, tau.end()}, expected_tau(tree, x)), work);
  }
  if (arguments.task == "mass") {
    const auto work = [&] {
      set();
      mj_kinematics(m, d);
      mj_comPos(m, d);
      mj_crb(m, d);
    };
    work();
    const auto nv = static_cast<size_t>(m->nv);
    std::vector<double> M(nv * nv);
    mj_fullM(m, M.data(), d->qM);
    const auto entry = [&](int i, int j) {
      return M[static_cast<size_t>(u0 + i) * nv + static_cast<size_t>(u0 + j)];
    };
    report(arguments, contestant, tree, "mj_crb", mass_difference(tree, x, entry), work);
  }
}
