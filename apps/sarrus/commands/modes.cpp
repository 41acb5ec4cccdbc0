// sarrus modes: small vibrations of a model about a point.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "commands/commands.hpp"
#include "linear_options.hpp"
#include "reports/modes_files.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/linear/branch.hpp"
#include "sarrus/linear/linear_files.hpp"
#include "sarrus/linear/mode_sweep.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/show/plot.hpp"

namespace sarrus::app {
namespace {

struct ModesArguments {
  ModelOptions model;
  PointOptions point;
  std::string out, campbell, campbell_rotate;
  int modes = 20, animate = 0, starts = 0;
  double amplitude = 0;  // 0: chosen
  bool replace = false, modes_given = false;
};

/// The point asked for: the start as it is, the equilibrium found from it, or with several starts
/// the first stable one.
OperatingPoint settled(const Mechanism& m, const OperatingPoint& start, const std::string& about,
                       int starts, Output& out, bool tell) {
  if (about == "start") return start;
  const std::vector<Equilibrium> all = find_equilibria(m, start, starts);
  if (!all.front().found) throw Error(Fault::numerics, no_equilibrium(all.front()));
  size_t chosen = 0;
  for (size_t i = 0; i < all.size() && all.size() > 1; ++i)
    if (modes_about(m, all[i].point).cause < 0) {
      chosen = i;
      break;
    }
  const Equilibrium& e = all[chosen];
  if (!tell) return e.point;
  out.line(fmt::format("equilibrium{} after {} iterations, out of balance by {:.1e} of {:.6g}",
                       all.size() > 1 ? fmt::format(" {} of {}", chosen + 1, all.size()) : "",
                       e.iterations, e.residual, e.scale));
  return e.point;
}

/// The mechanisms of a sweep, and where each starts.
Family swept(const ModesArguments& a, const std::string& name) {
  const bool by_speed = !a.campbell_rotate.empty();
  const auto with = [name](double value) { return fmt::format("{}={}", name, value); };
  return {[=, model = a.model](double value) {
            ModelOptions here = model;
            if (!by_speed) here.set.push_back(with(value));
            return compile(read_model(here));
          },
          [=, point = a.point](const Mechanism& m, double value) {
            PointOptions here = point;
            if (by_speed) here.rotate.push_back(with(value));
            return point_of(m, here);
          }};
}

Json mode_json(const Mode& mode) {
  Json coordinates = Json::object(), kinetic = Json::object(), potential = Json::object();
  for (const auto& [name, share] : mode.coordinates) coordinates[name] = share;
  for (const auto& [name, share] : mode.energy.kinetic) kinetic[name] = share;
  for (const auto& [name, share] : mode.energy.potential) potential[name] = share;
  const Vec3& e = mode.energy.effective_mass;
  return {{"real", mode.value.re},
          {"imaginary", mode.value.im},
          {"omega", mode.value.omega},
          {"frequency", mode.value.im / (2 * M_PI)},
          {"damping_ratio", mode.value.ratio},
          {"error", mode.error},
          {"free", mode.zero},
          {"effective_mass", Json::array({e.x, e.y, e.z})},
          {"coordinates", coordinates},
          {"kinetic_share", kinetic},
          {"potential_share", potential}};
}

std::string largest_share(const std::vector<std::pair<std::string, double>>& shares) {
  std::string name = "";
  double most = 0;
  for (const auto& [part, share] : shares)
    if (std::fabs(share) > most)
      most = std::fabs(share), name = fmt::format("{} {:.0f} %", part, 100 * share);
  return name;
}

/// Rounding is no damping.
double shown_ratio(const Mode& mode) {
  return mode.zero || std::fabs(mode.value.re) <= mode.error ? 0 : mode.value.ratio;
}

void print_modes(const Mechanism& m, const ModelModes& found, int wanted, Output& out) {
  out.line();
  out.line(fmt::format("{} mode{} about the point, {}", found.modes.size(),
                       found.modes.size() == 1 ? "" : "s",
                       found.real ? "undamped and real" : "complex: damping or gyroscopic terms"));
  out.line(fmt::format("  {:>4} {:>16} {:>16} {:>11} {:>12}   {:<22} {}", "mode", "|λ| [rad/s]",
                       "frequency [Hz]", "ratio ζ", "error [1/s]", "most motion", "most energy"));
  for (size_t i = 0; i < std::min(found.modes.size(), static_cast<size_t>(wanted)); ++i) {
    const Mode& mode = found.modes[i];
    out.line(fmt::format("  {:>4} {:>15.10g} {:>16.10g} {:>11.4g} {:>12.1e}   {:<22} {}", i + 1,
                         mode.value.omega, mode.value.im / (2 * M_PI), shown_ratio(mode),
                         mode.error, largest_share(mode.coordinates),
                         mode.zero ? "moves freely" : largest_share(mode.energy.kinetic)));
  }
  if (found.modes.size() > static_cast<size_t>(wanted)) out.line("  … all of them in modes.csv");
  out.line();
  const bool bad = found.cause >= 0;
  out.line("  " + out.styled(verdict(found), bad ? Style::warning : Style::good));
  Json list = Json::array();
  for (const Mode& mode : found.modes) list.push_back(mode_json(mode));
  out.facts()["model"] = m.name;
  out.facts()["point"] = {{"time", found.point.t}, {"q", coordinates_json(m, found.point)}};
  out.facts()["modes"] = list;
  out.facts()["stability"] = to_text(found.stability);
  out.facts()["verdict"] = verdict(found);
  out.facts()["unstable_mode"] = found.cause >= 0 ? Json(found.cause + 1) : Json(nullptr);
  out.facts()["states"] = found.space.states;
  out.facts()["inputs"] = found.space.inputs;
  out.facts()["outputs"] = found.space.outputs;
}

/// The lines of a sweep as a table, and as a picture of their frequencies.
void write_sweep(const ModeSweep& s, const std::string& name, bool by_speed, OutputFolder& folder) {
  std::vector<std::string> heads{name};
  Trajectory picture;
  picture.columns.push_back({name, by_speed ? "rad/s" : "1"});
  const size_t most = s.lines.front().size();
  for (size_t k = 0; k < most; ++k) {
    for (const char* part : {"imaginary[rad/s]", "real[1/s]", "damping_ratio"})
      heads.push_back(fmt::format("mode{}.{}", k + 1, part));
    picture.columns.push_back({fmt::format("mode{}", k + 1), "rad/s"});
  }
  Trajectory growth = picture;
  for (size_t k = 1; k < growth.columns.size(); ++k) growth.columns[k].unit = "1/s";
  Matrix table(static_cast<int>(s.values.size()), static_cast<int>(heads.size()));
  for (size_t i = 0; i < s.values.size(); ++i) {
    table(static_cast<int>(i), 0) = s.values[i];
    picture.values.push_back(s.values[i]), growth.values.push_back(s.values[i]);
    for (size_t k = 0; k < most; ++k) {
      const ComplexMode& c = s.lines[i][k];
      table(static_cast<int>(i), static_cast<int>(1 + 3 * k)) = c.im;
      table(static_cast<int>(i), static_cast<int>(2 + 3 * k)) = c.re;
      table(static_cast<int>(i), static_cast<int>(3 + 3 * k)) = c.ratio;
      picture.values.push_back(c.im), growth.values.push_back(c.re);
    }
  }
  folder.write("campbell.csv", to_csv(heads, table));
  folder.write("campbell.svg",
               plot_picture("frequencies against " + name, picture, {.against = name}));
  folder.write("growth.svg",
               plot_picture("real parts of λ against " + name, growth, {.against = name}));
}

void tell_of_stability(const ModeSweep& s, const std::string& name, Output& out) {
  Json changes = Json::array(), unstable_from = nullptr;
  for (size_t i = s.values.size(); i-- > 0;)
    if (s.unstable[i]) unstable_from = s.values[i];
  out.line(fmt::format("{} values of {}: {}", s.values.size(), name,
                       unstable_from.is_null() ? "no mode grows at any of them"
                       : s.changes.empty()     ? "unstable at all of them"
                       : s.unstable.front()    ? "unstable at the first"
                                               : "stable at the first"));
  for (const StabilityChange& c : s.changes) {
    changes.push_back({{"value", c.value},
                       {"error", c.error},
                       {"change", c.is_lost ? "lost" : "won"},
                       {"how", to_text(c.how)}});
    out.line(fmt::format("  {} at {} = {:.12g} (± {:.1e}): {} {} it",
                         c.is_lost ? "unstable" : "stable", name, c.value, c.error, to_text(c.how),
                         c.is_lost ? "above" : "below"));
  }
  out.facts()["campbell"] = {{"parameter", name},
                             {"points", s.values.size()},
                             {"unstable_from", unstable_from},
                             {"changes", changes}};
}

/// Modes at every value of a parameter, or of a joint's speed.
void sweep(const ModesArguments& a, const SweepRange& range, OutputFolder& folder, Output& out) {
  const Family family = swept(a, range.name);
  std::optional<OperatingPoint> point;
  double reached = 0;
  const ModeSweep found = sweep_modes(range.values, [&](double value) {
    const Mechanism m = family.mechanism(value);
    if (point && a.point.about == "equilibrium")
      point = follow_equilibrium(family, reached, *point, value);
    else
      point.reset();
    if (!point) point = settled(m, family.start(m, value), a.point.about, a.starts, out, false);
    reached = value;
    return modes_about(m, *point);
  });
  write_sweep(found, range.name, !a.campbell_rotate.empty(), folder);
  tell_of_stability(found, range.name, out);
}

std::string folder_for(const ModesArguments& a) {
  if (!a.out.empty()) return a.out;
  std::string path = a.model.path;
  const size_t slash = path.find_last_of('/'), dot = path.find_last_of('.');
  if (dot != std::string::npos && (slash == std::string::npos || dot > slash)) path.resize(dot);
  return path + "_modes";
}

void check_numbers(const ModesArguments& a) {
  if (a.modes < 1) throw usage_error("bad-value", "--modes", fmt::format("{} modes", a.modes));
  if (a.animate < 0)
    throw usage_error("bad-value", "--animate", fmt::format("{} modes", a.animate));
  if (a.starts < 0 || a.starts > 100'000)
    throw usage_error("bad-value", "--starts", fmt::format("{} starts", a.starts));
  if (a.point.about != "start" && a.point.about != "equilibrium")
    throw usage_error("bad-value", "--about",
                      fmt::format("'{}' is neither equilibrium nor start", a.point.about));
  if (!a.campbell.empty() && !a.campbell_rotate.empty())
    throw usage_error("usage", "--campbell", "only one sweep at a time",
                      "leave out --campbell-rotate");
}

/// The range of a sweep, checked before anything is computed: unknown names are refused here.
std::optional<SweepRange> checked_range(const ModesArguments& a, const Model& model,
                                        const Mechanism& m) {
  if (!a.campbell_rotate.empty()) {
    const SweepRange range = parse_range("--campbell-rotate", a.campbell_rotate);
    one_freedom_joint(m, "--campbell-rotate", range.name);
    return range;
  }
  if (a.campbell.empty()) return {};
  const SweepRange range = parse_range("--campbell", a.campbell);
  std::vector<std::string> names;
  for (const auto& [name, value] : model.parameters) names.push_back(name);
  if (std::find(names.begin(), names.end(), range.name) == names.end())
    throw usage_error("unknown-parameter", "--campbell",
                      fmt::format("the model has no parameter '{}'", range.name),
                      names.empty()
                          ? "define it under [parameters], and use its name in place of a number"
                          : did_you_mean(range.name, names));
  return range;
}

void tell_of_few(const char* flag, int wanted, size_t there, Output& out) {
  if (wanted > 0 && static_cast<size_t>(wanted) > there)
    out.note(
        {.severity = Severity::warning,
         .code = "few-modes",
         .element = flag,
         .message = fmt::format("{} modes are asked for, the mechanism has {}", wanted, there)});
}

int run_modes(const ModesArguments& a, Output& out) {
  check_numbers(a);
  const ValidModel valid = read_model(a.model);
  const Model& model = *valid;
  out.notes(model.notes);
  const Mechanism m = compile(valid);
  out.notes(m.notes);
  const std::optional<SweepRange> range = checked_range(a, model, m);
  OutputFolder folder(folder_for(a), a.replace, model.files);
  out.line(out.styled(m.name, Style::strong));
  const OperatingPoint point = settled(m, point_of(m, a.point), a.point.about, a.starts, out, true);
  check_steady(m, point, out);
  const ModelModes found = modes_about(m, point);
  out.notes(found.notes);
  if (found.modes.empty()) {
    out.line("nothing is free to move: there are no modes");
    out.facts()["modes"] = Json::array();
    return 0;
  }
  if (a.modes_given) tell_of_few("--modes", a.modes, found.modes.size(), out);
  tell_of_few("--animate", a.animate, found.modes.size(), out);
  print_modes(m, found, a.modes, out);
  if (found.cause >= 0 && a.point.about == "equilibrium" && a.starts == 0)
    out.line("  another equilibrium may be stable: --starts 20 looks for one");
  write_modes(folder, m, found);
  if (range) sweep(a, *range, folder, out);
  for (int i = 0; i < std::min(a.animate, static_cast<int>(found.modes.size())); ++i)
    animate_mode(folder.path(), a.model.path, model, m, found, i, a.amplitude, a.replace);
  if (a.animate > 0)
    out.line(
        fmt::format("sarrus report {} shows the motions; choose one on the page", folder.path()));
  folder.write("summary.json", out.facts().dump(2) + "\n");
  out.facts()["folder"] = folder.path();
  out.facts()["files"] = folder.files();
  out.line(fmt::format("files in {}: {}", folder.path(), fmt::join(folder.files(), ", ")));
  return 0;
}

}  // namespace

void add_modes(Program& program) {
  auto a = std::make_shared<ModesArguments>();
  Command command = program.parser.add_command(
      "modes", "Small vibrations: modes, damping, stability, linear models");
  add_model_options(command, a->model);
  add_point_options(command, a->point, true);
  command
      .add_option("--modes", a->modes,
                  "Number of modes to print; default: 20. The files have all of them")
      .type_name("N");
  command
      .add_option("--starts", a->starts,
                  "Also search from N random configurations, and take the first stable equilibrium")
      .type_name("N");
  command.add_option("--campbell", a->campbell, "Frequencies over a parameter of the model")
      .type_name("NAME=FROM:TO:COUNT");
  command
      .add_option("--campbell-rotate", a->campbell_rotate, "Frequencies over the speed of a joint")
      .type_name("JOINT=FROM:TO:COUNT");
  command
      .add_option("--animate", a->animate,
                  "Also write the first N modes as motions, for report and view")
      .type_name("N");
  command.add_option("--amplitude", a->amplitude,
                     "Amplitude of their largest coordinate [rad or m]; default: 0.2, less if "
                     "elastic bodies would bend too far");
  command
      .add_option("-o,--out", a->out, "Folder for the files; default: the model's name with _modes")
      .type_name("FOLDER");
  command.add_flag("--force,--replace", a->replace, "Overwrite files of the same names");
  add_output_options(command, program.out);
  command.footer(
      "Examples:\n  sarrus modes crane.toml\n  sarrus modes top.toml --about start\n"
      "  sarrus modes rotor.toml --campbell-rotate shaft=0:600:61\n  sarrus modes bridge.toml "
      "--animate 3");
  command.action([&program, a, command] {
    a->modes_given = command.is_given("--modes");
    return run_modes(*a, program.out);
  });
}

}  // namespace sarrus::app
