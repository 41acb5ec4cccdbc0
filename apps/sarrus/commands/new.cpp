// sarrus new: a model to start from.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/files/text/file.hpp"
#include "templates.hpp"

namespace sarrus::app {
namespace {

struct NewArguments {
  std::string name, chosen = "pendulum";
};

const Template& find_template(const std::string& name) {
  std::vector<std::string> names;
  for (const Template& t : templates()) {
    if (t.name == name) return t;
    names.push_back(t.name);
  }
  throw usage_error("unknown-template", "--template",
                    fmt::format("no template is called '{}'", name), did_you_mean(name, names));
}

/// The name as a TOML string: what TOML would read as an escape or a quote is left out.
std::string model_name(const std::string& path) {
  std::string name;
  for (const char c : std::filesystem::path(path).stem().string())
    if (static_cast<unsigned char>(c) >= ' ' && c != '"' && c != '\\' && c != '\x7f') name += c;
  return name.empty() ? "model" : name;
}

int run_new(const NewArguments& a, Output& out) {
  const Template& chosen = find_template(a.chosen);
  if (a.name.empty() || a.name.back() == '/')
    throw usage_error("bad-name", "new", fmt::format("'{}' is not the name of a file", a.name),
                      "for example sarrus new pendulum");
  const std::string path = a.name.ends_with(".toml") ? a.name : a.name + ".toml";
  if (is_file(path) || is_folder(path))
    throw io_error(path, "file-exists", "exists already and is not overwritten",
                   "choose another name");
  std::string text = chosen.text;
  const std::string mark = "{name}";
  text.replace(text.find(mark), mark.size(), model_name(path));
  File file(path, File::Mode::create);
  file.write(text);
  file.close();

  out.facts()["model"] = path;
  out.facts()["template"] = chosen.name;
  const std::string word = shell_word(path.front() == '-' ? "./" + path : path);
  out.line(fmt::format("wrote {}: {}", printable(path), chosen.help));
  out.line(fmt::format("next: sarrus run {}", word));
  return 0;
}

}  // namespace

void add_new(Program& program) {
  auto a = std::make_shared<NewArguments>();
  Command command = program.parser.add_command("new", "Writes a commented model to start from");
  command.add_option("NAME", a->name, "Name of the model; the file is NAME.toml").required();
  command.add_option("--template", a->chosen, "Which template; they are listed below")
      .type_name("NAME")
      .show_default();
  add_output_options(command, program.out);
  std::string footer = "Templates:\n";
  for (const Template& t : templates()) footer += fmt::format("  {:<18}{}\n", t.name, t.help);
  command.footer(
      footer + "\nExamples:\n  sarrus new pendulum\n  sarrus new crane --template double-pendulum");
  command.action([&program, a] { return run_new(*a, program.out); });
}

}  // namespace sarrus::app
