#include "reports/modes_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/mesh/matrix_market.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/linear/state_space_files.hpp"
#include "sarrus/results/kept_model.hpp"
#include "sarrus/results/result_writer.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/run/recorder.hpp"

namespace sarrus::app {
namespace {

constexpr int frames = 60;  // of one period

void write_table(OutputFolder& out, const ModelModes& found) {
  std::string text =
      "mode,real[1/s],imaginary[rad/s],omega[rad/"
      "s],frequency[Hz],damping_ratio,free,effective_mass_x[kg],effective_mass_y[kg],"
      "effective_mass_z[kg],error[1/s]\n";
  for (size_t i = 0; i < found.modes.size(); ++i) {
    const Mode& m = found.modes[i];
    const Vec3& e = m.energy.effective_mass;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{:.2g}\n", i + 1, m.value.re, m.value.im,
                        m.value.omega, m.value.im / (2 * M_PI), m.value.ratio, m.zero ? 1 : 0, e.x,
                        e.y, e.z, m.error);
  }
  out.write("modes.csv", text);
}

void write_shapes(OutputFolder& out, const ModelModes& found) {
  std::string text = "coordinate";
  for (size_t i = 0; i < found.modes.size(); ++i)
    text += fmt::format(",mode{0}.re,mode{0}.im", i + 1);
  text += "\n";
  for (size_t k = 0; k < found.model.x.size(); ++k) {
    text += found.model.tree_position_names[k];
    const auto at = static_cast<size_t>(found.model.x[k]);
    for (const Mode& m : found.modes) text += fmt::format(",{},{}", m.re[at], m.im[at]);
    text += "\n";
  }
  out.write("shapes.csv", text);
}

void write_energies(OutputFolder& out, const ModelModes& found) {
  std::string text = "mode,energy,part,share\n";
  for (size_t i = 0; i < found.modes.size(); ++i)
    for (const auto& [kind, shares] : {std::pair{"kinetic", &found.modes[i].energy.kinetic},
                                       std::pair{"potential", &found.modes[i].energy.potential}})
      for (const auto& [part, share] : *shares)
        text += fmt::format("{},{},{},{}\n", i + 1, kind, part, share);
  out.write("energies.csv", text);
}

Matrix half(const Matrix& D, double sign) {
  Matrix H(D.rows, D.cols);
  for (int i = 0; i < D.rows; ++i)
    for (int j = 0; j < D.cols; ++j) H(i, j) = 0.5 * (D(i, j) + sign * D(j, i));
  return H;
}

/// What the page of a mode says about it.
std::string mode_summary(const ModelModes& found, int index, double amplitude) {
  const Mode& m = found.modes[index];
  const Json mode = {{"number", index + 1},
                     {"of", found.modes.size()},
                     {"frequency [Hz]", m.value.im / (2 * M_PI)},
                     {"omega [rad/s]", m.value.omega},
                     {"damping ratio", m.value.ratio},
                     {"largest coordinate in it", amplitude}};
  return Json{{"mode", mode}}.dump();
}

}  // namespace

void write_modes(OutputFolder& out, const Mechanism&, const ModelModes& found) {
  write_table(out, found);
  write_shapes(out, found);
  write_energies(out, found);
  const LinearModel& l = found.model;
  out.write("mass.mtx", to_matrix_market(l.M, "M"));
  out.write("damping.mtx", to_matrix_market(half(l.D, 1), "symmetric part of D"));
  out.write("gyroscopic.mtx", to_matrix_market(half(l.D, -1), "skew part of D"));
  out.write("stiffness.mtx", to_matrix_market(l.K, "K"));
  const StateSpace& s = found.space;
  out.write("A.mtx", to_matrix_market(s.A)), out.write("B.mtx", to_matrix_market(s.B));
  out.write("C.mtx", to_matrix_market(s.C)), out.write("D.mtx", to_matrix_market(s.D));
  out.write("linear_model.json", to_json(s));
  out.write("linear_model.mat", to_mat(s));
  out.write("linear_model.npz", to_npz(s));
}

/// Large enough to be visible, while elastic bodies stay within the range of their equations.
static double chosen_amplitude(const Mechanism& m, const std::vector<double>& rest,
                               const Mode& mode) {
  double amplitude = 0.2;
  const std::vector<double> q = moved(m, rest, mode.re);
  for (const ElasticInfo& e : m.elastic) {
    std::vector<double> bent(e.n);
    for (size_t k = 0; k < bent.size(); ++k) bent[k] = q[e.q0 + k] - rest[e.q0 + k];
    double size = 0;  // of the coordinates: metres of the farthest point, about
    for (const double x : bent) size = std::max(size, std::fabs(x));
    if (size > 0) amplitude = std::min(amplitude, 0.08 * e.numbers->span / size);
  }
  return amplitude;
}

void animate_mode(const std::string& folder, const std::string& model_path, const Model& model,
                  const Mechanism& m, const ModelModes& found, int index, double amplitude,
                  bool replace) {
  const Mode& mode = found.modes[index];
  if (!(amplitude > 0)) amplitude = chosen_amplitude(m, found.point.q, mode);
  const double period = mode.value.im > 0 ? 2 * M_PI / mode.value.im : 1;
  RunFolder run(join_path(folder, fmt::format("mode_{}", index + 1)),
                replace ? FolderUse::replace : FolderUse::fresh);
  run.start(sarrus::model_text(model_path), pack_parts(model));
  ResultHeader header;
  header.model_name = fmt::format("{}, mode {}", m.name, index + 1);
  ResultWriter writer(run.result_path(), header);
  Recorder recorder(m, {});
  writer.begin(recorder.columns());
  std::vector<double> row(recorder.columns().size());
  // prescribed joints stand still too: the shape alone is shown
  Mechanism still = m;
  still.motions.clear();
  double start = 0;
  for (int i = 0; i <= frames; ++i) {
    const double phase = 2 * M_PI * i / frames;
    std::vector<double> delta(mode.re.size()), u(mode.u_re.size());
    for (size_t k = 0; k < delta.size(); ++k)
      delta[k] = amplitude * (mode.re[k] * std::cos(phase) - mode.im[k] * std::sin(phase));
    for (size_t k = 0; k < u.size(); ++k) u[k] = 0;
    const Snapshot now = snapshot_at(
        still, {period * i / frames, moved(m, found.point.q, delta), u, found.point.state});
    if (i == 0) start = now.energy();
    recorder.row(now, start, row);
    writer.row(row);
  }
  writer.finish(ResultStatus::done, mode_summary(found, index, amplitude));
}

}  // namespace sarrus::app
