// MuJoCo: pieces on hinges with springs. It has no prescribed motion: the hub gets an inertia
// beside which the beam's does not count (1e9 to 400 kg m²), and the torque that turns it.
//
//   bench_spin_up_mujoco spin_up --n PARTS --step SECONDS
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "benchmarks/elastic/spin_up.hpp"

namespace {

using bench::in_text;
using bench::SpinUp;
constexpr double hub = 1e9;

std::string model(int n, double step) {
  std::string text =
      "<mujoco><compiler inertiafromgeom=\"false\" angle=\"radian\"/><option integrator=\"RK4\" "
      "gravity=\"0 0 0\"" +
      in_text(" timestep=\"%.17g\"", step) + "><flag contact=\"disable\"/></option><worldbody>";
  double outboard = 0;
  std::string closing;
  for (const bench::Piece& p : bench::pieces(n)) {
    const bool first = closing.empty();
    text += "<body" + in_text(" pos=\"%.17g 0 0\"", outboard) +
            "><joint type=\"hinge\" axis=\"0 0 1\"" +
            (first ? in_text(" armature=\"%.17g\"", hub)
                   : in_text(" stiffness=\"%.17g\"", SpinUp::bending * n / SpinUp::length)) +
            "/><inertial" + in_text(" pos=\"%.17g 0 0\"", p.length / 2) +
            in_text(" mass=\"%.17g\"", p.mass) + in_text(" diaginertia=\"%.17g ", p.inertia) +
            in_text("%.17g ", p.inertia) + in_text("%.17g\"/>", p.inertia);
    closing += "</body>";
    outboard = p.length;
  }
  return text + "<site name=\"tip\"" + in_text(" pos=\"%.17g 0 0\"/>", outboard) + closing +
         "</worldbody></mujoco>";
}

void push(const mjModel*, mjData* d) { d->qfrc_applied[0] = hub * SpinUp::acceleration(d->time); }

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments(argc, argv);
  const int n = static_cast<int>(arguments.number("--n", 16));
  const double step = arguments.number("--step", 1e-3);

  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("spin_up_" + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << model(n, step);
  char error[500] = "";
  mjModel* m = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  std::filesystem::remove(file);
  if (!m) throw std::runtime_error(error);
  mjData* d = mj_makeData(m);
  mjcb_control = push;
  std::array<double, 3> lag;
  const double begin = bench::cpu_seconds();
  for (size_t i = 0; i < lag.size(); ++i) {
    while (d->time < bench::lag_times[i] - 0.5 * step) {
      mj_step(m, d);
      if (d->warning[mjWARN_BADQACC].number > 0) throw std::runtime_error("the step is too large");
    }
    mj_kinematics(m, d);
    const double* tip = d->site_xpos;
    lag[i] = std::cos(d->qpos[0]) * tip[1] - std::sin(d->qpos[0]) * tip[0];
  }
  bench::print_lags("MuJoCo", in_text("%g parts", n) + in_text(" step %g s", step),
                    1e3 * (bench::cpu_seconds() - begin), lag);
  mj_deleteData(d);
  mj_deleteModel(m);
}
