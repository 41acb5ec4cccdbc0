// sarrus markers: the motion of a body from measured tracks, as tables that a model can follow.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/files/reading.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/markers/marker_motion.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus::app {
namespace {

constexpr std::uint64_t largest_file = 1ull << 28;
constexpr int finer = 5;  // rows of the tables per sample: cubic tables then follow the splines
constexpr double far_from_rigid = 3;  // residual over noise
constexpr double near_lock = 0.1;

struct MarkerArguments {
  std::string tracks, body, out, noise;
  bool replace = false;
};

Csv read_table(const std::string& path) {
  Csv csv = parse_csv(read_file(path, largest_file));
  if (!csv.problem.empty())
    throw Error(Fault::model,
                Diagnostic{.code = "bad-table",
                           .element = path,
                           .message = csv.problem,
                           .hint = "every cell must hold one number; fill the gaps first"});
  return csv;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(Fault::model, Diagnostic{.code = "bad-tracks", .element = path, .message = why});
}

/// Columns time, x, y(, z) of each marker in the order of the body's rows x, y(, z).
MarkerTracks read_tracks(const MarkerArguments& a) {
  const Csv tracks = read_table(a.tracks), body = read_table(a.body);
  const size_t axes = body.columns.size();
  if (axes != 2 && axes != 3)
    refuse(a.body,
           fmt::format("{} columns; a marker has x, y in the plane, x, y, z in space", axes));
  if (tracks.columns.size() < 1 + axes || (tracks.columns.size() - 1) % axes != 0)
    refuse(a.tracks, fmt::format("{} columns are not the time and {} for each marker",
                                 tracks.columns.size(), axes));
  MarkerTracks out;
  out.plane = axes == 2;
  const auto point = [&](const Csv& csv, size_t first, size_t row) {
    return Vec3{csv.columns[first][row], csv.columns[first + 1][row],
                axes == 3 ? csv.columns[first + 2][row] : 0};
  };
  for (size_t i = 0; i < body.columns[0].size(); ++i) out.on_body.push_back(point(body, 0, i));
  out.t = tracks.columns[0];
  for (size_t first = 1; first < tracks.columns.size(); first += axes) {
    out.p.emplace_back();
    for (size_t row = 0; row < out.t.size(); ++row)
      out.p.back().push_back(point(tracks, first, row));
  }
  if (const std::string problem = problem_of(out); !problem.empty()) refuse(a.tracks, problem);
  return out;
}

std::string motion_csv(const MarkerMotion& m, double step) {
  std::string text = "time";
  for (const std::string& name : m.names) text += "," + name;
  text += '\n';
  const auto rows = static_cast<int>(steps_within(m.to - m.from, step));
  for (int i = 0; i <= rows; ++i) {
    const double t = m.from + i * step;
    text += fmt::format("{:.17g}", t);
    for (const SmoothingSpline& f : m.coordinate) text += fmt::format(",{:.17g}", f(t));
    text += '\n';
  }
  return text;
}

/// What a model needs to let a body follow.
std::string joint_toml(const MarkerMotion& m, bool plane) {
  std::string text = fmt::format(
      "# A body that follows its markers from t = {:.6g} s to {:.6g} s; put its name in "
      "the place of \"body\".\n",
      m.from, m.to);
  std::string motion;
  for (const std::string& name : m.names) {
    text += fmt::format(
        "[[table]]\nname = \"track_{0}\"\nfile = \"motion.csv\"\nx = \"time\"\ny = "
        "\"{0}\"\noutside = \"refuse\"\n",
        name);
    motion += fmt::format("{}\"track_{}(t)\"", motion.empty() ? "" : ", ", name);
  }
  text += "\n[[joint]]\nname = \"follow\"\ntype = \"sequence\"\nchild = \"body\"\nsequence = [";
  text += plane ? R"("tx", "ty", "rz")" : R"("tx", "ty", "tz", "rz", "ry", "rx")";
  return text + fmt::format("]\nmotion = [{}]\n", motion);
}

void print(const MarkerTracks& tracks, const MarkerMotion& m, Output& out) {
  const double rate =
      static_cast<double>(tracks.t.size() - 1) / (tracks.t.back() - tracks.t.front());
  out.line(fmt::format("  samples    {} of {} markers, {:.6g} per second", tracks.t.size(),
                       tracks.p.size(), rate));
  out.line(fmt::format("  noise      {:.3g} m, {}", m.noise,
                       m.noise_estimated ? "estimated from the tracks" : "as given"));
  out.line(fmt::format("  rigid fit  {:.3g} m is left, most at marker {} ({:.3g} m)", m.residual,
                       m.worst_marker + 1, m.worst_residual));
  out.line("  expected   errors relative to the quantity, root mean square:");
  out.line(fmt::format("             velocity {:.1e}, acceleration {:.1e}", m.expected.velocity,
                       m.expected.acceleration));
  out.line(fmt::format("             angular velocity {:.1e}, angular acceleration {:.1e}",
                       m.expected.angular_velocity, m.expected.angular_acceleration));
}

void warn(const MarkerArguments& a, const MarkerMotion& m, Output& out) {
  if (m.residual > far_from_rigid * m.noise && m.residual > 1e-9)
    out.note({.severity = Severity::warning,
              .code = "not-rigid",
              .element = a.tracks,
              .message = fmt::format("the markers do not move like one rigid body: the fit leaves "
                                     "{:.3g} m, {:.1f} times the noise",
                                     m.residual, m.noise > 0 ? m.residual / m.noise : INFINITY),
              .hint = "the body bends, a marker has slipped, or two are swapped"});
  if (m.nearest_lock < near_lock && m.names.size() > 3)
    out.note({.severity = Severity::warning,
              .code = "gimbal-lock",
              .element = a.tracks,
              .message = fmt::format("the middle angle comes within {:.3g} rad of a right angle, "
                                     "where the other two cannot be distinguished",
                                     std::asin(std::min(1.0, m.nearest_lock))),
              .hint = "choose body axes so that it turns mostly about z or x"});
}

int run_markers(const MarkerArguments& a, Output& out) {
  std::optional<double> noise;
  if (!a.noise.empty()) {
    const Quantity given = parse_quantity(a.noise, dimensions::length);
    const std::optional<double> plain = parse_number(a.noise);
    if (!plain && !given.problem.empty())
      throw usage_error("bad-value", "--noise", given.problem + "; " + given.hint);
    noise = plain ? *plain : given.value;
    if (!(*noise >= 0)) throw usage_error("bad-value", "--noise", "noise must not be negative");
  }
  const MarkerTracks tracks = read_tracks(a);
  const MarkerMotion m = motion_from(tracks, noise);
  const double sample = tracks.t[1] - tracks.t[0];
  std::filesystem::create_directories(a.out);
  const auto write = [&](const char* name, const std::string& text) {
    const std::string path = join_path(a.out, name);
    if (!a.replace && std::filesystem::exists(path))
      throw Error(Fault::io, Diagnostic{.code = "exists",
                                        .element = path,
                                        .message = "the file exists already",
                                        .hint = "choose another folder, or add --replace"});
    refuse_to_overwrite(path, {a.tracks, a.body});
    write_file(path, path + ".partial", text);
  };
  write("motion.csv", motion_csv(m, sample / finer));
  write("joint.toml", joint_toml(m, tracks.plane));
  print(tracks, m, out);
  warn(a, m, out);
  out.line(fmt::format("files in {}: motion.csv, joint.toml", a.out));
  out.facts()["samples"] = tracks.t.size();
  out.facts()["markers"] = tracks.p.size();
  out.facts()["noise"] = m.noise;
  out.facts()["noise_estimated"] = m.noise_estimated;
  out.facts()["residual"] = m.residual;
  out.facts()["from"] = m.from, out.facts()["to"] = m.to;
  out.facts()["expected"] = {{"velocity", m.expected.velocity},
                             {"acceleration", m.expected.acceleration},
                             {"angular_velocity", m.expected.angular_velocity},
                             {"angular_acceleration", m.expected.angular_acceleration}};
  return 0;
}

}  // namespace

void add_markers(Program& program) {
  auto a = std::make_shared<MarkerArguments>();
  Command command = program.parser.add_command(
      "markers", "Turns measured marker tracks into a prescribed motion");
  command.add_option("TRACKS", a->tracks, "CSV: time, then x, y(, z) of each marker").required();
  command.add_option("--body", a->body, "CSV: x, y(, z) of each marker on the body, one row each")
      .type_name("FILE")
      .required();
  command
      .add_option("--noise", a->noise,
                  "Standard deviation of one coordinate, \"0.05 mm\"; estimated if not given")
      .type_name("LENGTH");
  command.add_option("-o,--out", a->out, "Folder for motion.csv and joint.toml")
      .type_name("FOLDER")
      .required();
  command.add_flag("--force,--replace", a->replace, "Overwrite files of the same names");
  add_output_options(command, program.out);
  command.footer(
      "Example:\n  sarrus markers tracks.csv --body markers.csv --noise '0.05 mm' -o coupler");
  command.action([&program, a] { return run_markers(*a, program.out); });
}

}  // namespace sarrus::app
