// MuJoCo on mechanisms with loops: equality constraints, which it holds by stiff springs (solref
// twice the step, the stiffest that it takes, impedance 0.9999). Bars start turned, so that all its
// angles are zero where the loops are closed. Rods are tendons of constant length.
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
    const Bar& bar = p_.bars[i];
    const bool turns = bar.freedom == Freedom::hinge;
    const double s = turns ? std::sin(bar.q / 2) : 0, c = turns ? std::cos(bar.q / 2) : 1;
    Triple at = bar.at, inertia = bar.inertia;
    for (size_t k = 0; k < 3; ++k) {
      at[k] += bar.from[k] + (bar.freedom == Freedom::slide ? bar.q * bar.axis[k] : 0);
      inertia[k] = std::max(inertia[k], thin);  // it refuses points
    }
    std::string text = "<body name=\"b" + std::to_string(i) + "\"" + triple("pos", at) +
                       numbers("quat", {c, s * bar.axis[0], s * bar.axis[1], s * bar.axis[2]}) +
                       ">" + joints(bar) + "<inertial" + triple("pos", bar.com) +
                       numbers("mass", {bar.mass}) + triple("diaginertia", inertia) + "/>" +
                       sites(i);
    for (size_t k = 0; k < p_.bars.size(); ++k)
      if (p_.bars[k].parent == i) text += element(static_cast<int>(k));
    return text + "</body>";
  }
  static std::string joints(const Bar& bar) {
    const auto one = [](const char* type, const Triple& axis) {
      return std::string("<joint type=\"") + type + "\"" + triple("axis", axis) + "/>";
    };
    if (bar.freedom == Freedom::hinge) return one("hinge", bar.axis);
    if (bar.freedom == Freedom::slide) return one("slide", bar.axis);
    return one("slide", {1, 0, 0}) + one("slide", {0, 1, 0}) + one("slide", {0, 0, 1});
  }
  std::string sites(int body) const {
    std::string text;
    for (size_t k = 0; k < p_.rods.size(); ++k) {
      const Rod& rod = p_.rods[k];
      if (rod.a == body)
        text += "<site name=\"ra" + std::to_string(k) + "\"" + triple("pos", rod.at_a) + "/>";
      if (rod.b == body)
        text += "<site name=\"rz" + std::to_string(k) + "\"" + triple("pos", rod.at_b) + "/>";
    }
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
    for (size_t k = 0; k < p_.rods.size(); ++k)
      text +=
          "<tendon tendon1=\"rod" + std::to_string(k) + "\" solimp=\"0.9999 0.9999 0.001 0.5 2\"/>";
    return text;
  }
  std::string tendons() const {
    std::string text;
    for (size_t k = 0; k < p_.pulls.size(); ++k)
      text += "<spatial" + numbers("stiffness", {p_.pulls[k].k}) +
              numbers("springlength", {p_.pulls[k].length}) +
              numbers("damping", {p_.pulls[k].damping}) + "><site site=\"a" + std::to_string(k) +
              "\"/><site site=\"z" + std::to_string(k) + "\"/></spatial>";
    for (size_t k = 0; k < p_.rods.size(); ++k)
      text += "<spatial name=\"rod" + std::to_string(k) + "\"><site site=\"ra" + std::to_string(k) +
              "\"/><site site=\"rz" + std::to_string(k) + "\"/></spatial>";
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
    const int driven = freedom(m, 0), watched = freedom(m, std::max(0, p.reference.bar));
    const double offset = p.bars[std::max(0, p.reference.bar)].q;
    d->qfrc_applied[driven] = p.torque;
    mj_forward(m, d);
    Judge judge(p);
    const long steps = std::lround(p.seconds / h), every = std::max(1L, steps / samples);
    for (long i = 0; i <= steps; ++i) {
      if (i > 0) mj_step(m, d);
      if (i % every != 0) continue;
      mj_forward(m, d);
      judge.take(static_cast<int>(i / every),
                 d->energy[0] + d->energy[1] - p.torque * d->qpos[driven],
                 d->qpos[watched] + offset);
      if (judge.worst() >= 1e300) break;
    }
    return judge.worst();
  };
  // from 1000 to 128,000 steps for the whole motion
  std::vector<double> steps;
  for (double h = p.seconds / 1000; h > p.seconds / 1.4e5; h /= 2) steps.push_back(h);
  const std::string name = "MuJoCo " + std::string(mj_versionString());
  report_loops(arguments, name, p, steps, run,
               [](double h) { return in_text("RK4 %.3g us", 1e6 * h); });
  if (!p.stiff()) return 0;
  m->opt.integrator = mjINT_IMPLICIT;  // in velocities, which is where the dampers are
  report_loops(arguments, name, p, steps, run,
               [](double h) { return in_text("implicit %.3g us", 1e6 * h); });
}
