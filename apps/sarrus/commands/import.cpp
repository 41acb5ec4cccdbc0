// sarrus import: another program's robot as a model file of Sarrus, and what was made of it.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/import/import_robot.hpp"
#include "sarrus/files/read_valid_model.hpp"
#include "sarrus/files/text/file.hpp"

namespace sarrus::app {
namespace {

namespace fs = std::filesystem;

struct ImportArguments {
  std::string robot, out, key;
  std::vector<std::string> allow;
  bool floating = false, no_shapes = false, replace = false;
};

constexpr std::uint64_t largest_mesh = 200'000'000;

std::string folder_of_path(const std::string& path) {
  return fs::path(path).parent_path().string();
}

Json remarks_json(const std::vector<ImportRemark>& remarks) {
  Json list = Json::array();
  for (const ImportRemark& r : remarks)
    list.push_back({{"what", r.what},
                    {"why", r.why},
                    {"motion", r.effect == Effect::none      ? "same"
                               : r.effect == Effect::decided ? "decided"
                               : r.effect == Effect::changes ? "differs"
                                                             : "may differ"},
                    {"count", r.count},
                    {"file", r.first.file},
                    {"line", r.first.line}});
  return list;
}

void say_remarks(const char* title, const std::vector<ImportRemark>& remarks, Output& out) {
  if (remarks.empty()) return;
  out.line();
  out.line(fmt::format("  {}", title));
  for (const ImportRemark& r : remarks) {
    out.line(fmt::format("    {}{}, line {}: {}", printable(r.what),
                         r.count > 1 ? fmt::format(" × {}", r.count) : "", r.first.line,
                         printable(r.why)));
    if (r.effect == Effect::changes || r.effect == Effect::unknown)
      out.line("      " + out.styled(to_text(r.effect), Style::warning));
  }
}

void say(const ImportReport& report, Output& out) {
  out.line(
      fmt::format("{}, {}", out.styled(printable(report.model), Style::strong), report.format));
  for (const auto& [what, n] : report.read) out.line(fmt::format("  {:<44} {:>5}", what, n));
  say_remarks("approximated or decided", report.approximated, out);
  say_remarks("left out", report.left_out, out);
  out.line();
}

int run_import(const ImportArguments& a, Output& out) {
  const std::string text = read_model_text(a.robot, {});
  if (!is_xml(text))
    throw usage_error("not-a-robot", printable(a.robot), "this is no XML file",
                      "model files of Sarrus need no import");
  const std::string to = a.out.empty() ? fs::path(a.robot).stem().string() + ".toml" : a.out;
  if (!a.replace && (is_file(to) || is_folder(to)))
    throw io_error(to, "file-exists", "exists already and is not overwritten",
                   "choose another name with -o, or --replace it");

  ImportOptions options{.roots = {folder_of_path(a.robot), a.allow},
                        .floating = a.floating,
                        .key = a.key,
                        .draw = !a.no_shapes};
  // faults of the robot are said at the lines of its own file
  parse_model(text, a.robot, Format::toml, {.allowed_roots = a.allow});
  options.destination = to;
  const Imported made = import_robot(text, a.robot, options);

  std::uint64_t bytes = 0;
  for (const auto& [from, copy] : made.copies) {
    fs::create_directories(fs::path(copy).parent_path());
    const std::string mesh = read_file(from, largest_mesh);
    bytes += mesh.size();
    write_file(copy, copy + ".partial", mesh);
  }
  write_file(to, to + ".partial", made.toml);
  say(made.report, out);
  if (!made.copies.empty())
    out.line(fmt::format("copied {} files, {:.1f} MB, to {}", made.copies.size(),
                         static_cast<double>(bytes) * 1e-6,
                         printable(folder_of_path(made.copies.front().second))));
  out.line(fmt::format("wrote {}", printable(to)));
  out.line(fmt::format("next: sarrus check {}", shell_word(to)));

  out.facts()["model"] = to;
  out.facts()["format"] = made.report.format;
  for (const auto& [what, n] : made.report.read) out.facts()["read"][what] = n;
  out.facts()["approximated"] = remarks_json(made.report.approximated);
  out.facts()["left_out"] = remarks_json(made.report.left_out);
  return 0;
}

}  // namespace

void add_import(Program& program) {
  auto a = std::make_shared<ImportArguments>();
  Command command =
      program.parser.add_command("import", "Makes a model file of a robot in URDF, MJCF or SDF");
  command.add_option("ROBOT", a->robot, "Robot, URDF, MJCF or SDF").required();
  command
      .add_option("-o,--out", a->out,
                  "Model file to write; default: the robot's name with .toml, here")
      .type_name("FILE");
  command.add_flag("--floating", a->floating,
                   "The base moves freely instead of being fixed to the world");
  command.add_option("--key", a->key, "MJCF: keyframe to start from").type_name("NAME");
  command.add_flag("--no-shapes", a->no_shapes, "Leave out what is only drawn");
  command
      .add_option(
          "--allow", a->allow,
          "Folder outside the robot's own from which meshes may be read, or that holds packages")
      .type_name("FOLDER")
      .repeatable();
  command.add_flag("--replace,--force", a->replace, "Overwrite the model file");
  add_output_options(command, program.out);
  command.footer(
      "Every command takes a robot where it takes a model: `sarrus run robot.urdf`. An import is "
      "for what you want to change.\n\n"
      "Examples:\n  sarrus import robot.urdf\n  sarrus import robot.urdf -o models/robot.toml "
      "--floating");
  command.action([&program, a] { return run_import(*a, program.out); });
}

}  // namespace sarrus::app
