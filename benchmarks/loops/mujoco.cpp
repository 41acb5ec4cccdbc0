// MuJoCo on mechanisms with loops: equality constraints, which it holds by stiff springs (solref
// twice the step, the stiffest that it takes, impedance 0.9999). Bars start turned, so that all its
// angles are zero where the loops are closed.
#include <mujoco/mujoco.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "benchmarks/loops/problems.hpp"

using namespace bench;

namespace {

std::string numbers(const char* name, const std::vector<double>& x) {
  std::string text = std::string(" ") + name + "=\"";
  for (const double value : x) text += in_text("%.17g ", value);
  return text + "\"";
}
std::string triple(const char* name, const Triple& x) { return numbers(name, {x[0], x[1], x[2]}); }

class Writer {
 public:
  explicit Writer(const LoopProblem& p) : p_(p) {}

  std::string text() const {
    std::string text =
        "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>"
        "<option integrator=\"RK4\"" +
        triple("gravity", p_.gravity) +
        "><flag contact=\"disable\" energy=\"enable\"/></option><size njmax=\"4000\"/><worldbody>" +
        sites(-1);
    for (size_t i = 0; i < p_.bars.size(); ++i)
      if (p_.bars[i].parent < 0) text += element(static_cast<int>(i));
    return text + "</worldbody><equality>" + closings() + "</equality><tendon>" + tendons() +
           "</tendon></mujoco>";
  }

 private:
  const LoopProblem& p_;

  std::string element(int i) const {
    const Bar& bar = p_.bars[static_cast<size_t>(i)];
    const double s = std::sin(bar.q / 2);
    std::string text =
        "<body name=\"b" + std::to_string(i) + "\"" + triple("pos", bar.at) +
        numbers("quat", {std::cos(bar.q / 2), s * bar.axis[0], s * bar.axis[1], s * bar.axis[2]}) +
        "><joint type=\"hinge\"" + triple("axis", bar.axis) + "/><inertial" +
        triple("pos", bar.com) + numbers("mass", {bar.mass}) + triple("diaginertia", bar.inertia) +
        "/>" + sites(i);
    for (size_t k = 0; k < p_.bars.size(); ++k)
      if (p_.bars[k].parent == i) text += element(static_cast<int>(k));
    return text + "</body>";
  }
  std::string sites(int body) const {
    std::string text;
    for (size_t k = 0; k < p_.pulls.size(); ++k) {
      const Pull& pull = p_.pulls[k];
      if (pull.a == body)
        text += "<site name=\"a" + std::to_string(k) + "\"" + triple("pos", pull.at_a) + "/>";
      if (pull.b == body)
        text += "<site name=\"z" + std::to_string(k) + "\"" + triple("pos", pull.at_b) + "/>";
    }
    return text;
  }
  std::string closings() const {
    std::string text;
    const auto connect = [&](const ClosingHinge& c, double along) {
      Triple at = c.at_b;  // on b, which is never the world
      for (size_t k = 0; k < 3; ++k) at[k] += along * c.axis[k];
      text += "<connect body1=\"b" + std::to_string(c.b) + "\"" +
              (c.a < 0 ? "" : " body2=\"b" + std::to_string(c.a) + "\"") + triple("anchor", at) +
              " solimp=\"0.9999 0.9999 0.001 0.5 2\"/>";
    };
    for (const ClosingHinge& c : p_.closing) {
      connect(c, 0);
      if (!c.planar) connect(c, 0.5);
    }
    return text;
  }
  std::string tendons() const {
    std::string text;
    for (size_t k = 0; k < p_.pulls.size(); ++k)
      text += "<spatial" + numbers("stiffness", {p_.pulls[k].k}) +
              numbers("springlength", {p_.pulls[k].length}) + "><site site=\"a" +
              std::to_string(k) + "\"/><site site=\"z" + std::to_string(k) + "\"/></spatial>";
    return text;
  }
};

mjModel* load(const LoopProblem& p) {
  std::string pattern = (std::filesystem::temp_directory_path() / "sarrus-bench-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder could be made");
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / "model.xml") << Writer(p).text();
  char error[1000] = "";
  mjModel* model = mj_loadXML((folder / "model.xml").c_str(), nullptr, error, sizeof error);
  std::filesystem::remove_all(folder);
  if (!model) throw std::runtime_error(error);
  return model;
}

/// Which freedom a bar has: bodies are numbered depth first.
int freedom(const mjModel* m, int bar) {
  const int body = mj_name2id(m, mjOBJ_BODY, ("b" + std::to_string(bar)).c_str());
  return m->jnt_dofadr[m->body_jntadr[body]];
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const LoopProblem p = loop_problem(arguments.task);
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(load(p), mj_deleteModel);
  mjModel* m = model.get();
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(m), mj_deleteData);
  mjData* d = data.get();
  const auto run = [&](double h) {
    m->opt.timestep = h;
    for (int k = 0; k < m->neq; ++k) {
      m->eq_solref[mjNREF * k] = 2 * h;
      m->eq_solref[mjNREF * k + 1] = 1;
    }
    mj_resetData(m, d);
    for (size_t i = 0; i < p.bars.size(); ++i)
      d->qvel[freedom(m, static_cast<int>(i))] = p.bars[i].u;
    const int driven = freedom(m, 0);
    d->qfrc_applied[driven] = p.torque;
    mj_forward(m, d);
    const double start = d->energy[0] + d->energy[1];
    const long steps = std::lround(p.seconds / h), every = std::max(1L, steps / energy_samples);
    double worst = 0;
    for (long i = 1; i <= steps; ++i) {
      mj_step(m, d);
      if (i % every != 0) continue;
      mj_forward(m, d);
      const double energy = d->energy[0] + d->energy[1] - p.torque * d->qpos[driven];
      if (!(std::fabs(energy - start) < 1e300)) return 1e300;
      worst = std::max(worst, std::fabs(energy - start));
    }
    return worst;
  };
  // from 1000 to 100,000 steps for the whole motion and, where that is coarse, on to 1e6
  std::vector<double> steps;
  for (double h = p.seconds / 1000; h > p.seconds / 1.1e5; h /= 2) steps.push_back(h);
  report_loops(arguments, "MuJoCo " + std::string(mj_versionString()), p, steps, run,
               [](double h) { return in_text("RK4 %.3g us", 1e6 * h); });
}
