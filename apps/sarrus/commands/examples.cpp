// sarrus examples: lists the examples that came with the program, and copies one to change.
#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "installed.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/files/text/file.hpp"

namespace sarrus::app {
namespace {

namespace fs = std::filesystem;

struct ExamplesArguments {
  std::string name, out;
};

fs::path folder_of_examples() {
  const fs::path folder = examples_folder();
  if (folder.empty())
    throw io_error(
        "share/sarrus/examples", "no-examples", "the examples were not found beside the program",
        "install with ./dev install PREFIX, which copies them, or run the program of a checkout");
  return folder;
}

int list(const fs::path& folder, Output& out) {
  out.facts()["examples"] = Json::array();
  for (const Example& e : examples_in(folder)) {
    out.line(fmt::format("  {:<36}{}", e.name, e.title));
    out.facts()["examples"].push_back({{"name", e.name}, {"title", e.title}});
  }
  out.line();
  out.line("sarrus examples NAME copies one into this folder; each has a page, README.md");
  return 0;
}

int copy(const fs::path& folder, const ExamplesArguments& a, Output& out) {
  std::vector<std::string> names;
  for (const Example& e : examples_in(folder)) names.push_back(e.name);
  if (std::find(names.begin(), names.end(), a.name) == names.end())
    throw usage_error("unknown-example", "NAME", fmt::format("no example is called '{}'", a.name),
                      did_you_mean(a.name, names));
  const fs::path to = a.out.empty() ? fs::path(a.name).filename() : fs::path(a.out);
  if (fs::exists(fs::symlink_status(to)))
    throw io_error(to.string(), "file-exists", "exists already and is not overwritten",
                   "choose another folder with -o FOLDER");
  std::error_code failed;
  fs::copy(folder / a.name, to, fs::copy_options::recursive, failed);
  if (failed)
    throw io_error(to.string(), "cannot-write", failed.message(),
                   "choose another folder with -o FOLDER");
  const std::string model = (to / "model.toml").string();
  out.facts()["example"] = a.name;
  out.facts()["model"] = model;
  out.line(fmt::format("copied {} to {}; its page is {}", a.name, printable(to.string()),
                       printable((to / "README.md").string())));
  out.line(fmt::format("next: sarrus run {}", shell_word(model)));
  return 0;
}

}  // namespace

void add_examples(Program& program) {
  auto a = std::make_shared<ExamplesArguments>();
  Command command =
      program.parser.add_command("examples", "Lists the examples, or copies one to change");
  command.add_option("NAME", a->name, "The example to copy; without it they are listed");
  command.add_option("-o,--out", a->out, "Folder to copy it to; default: its name")
      .type_name("FOLDER");
  add_output_options(command, program.out);
  command.footer(
      "Examples:\n  sarrus examples\n  sarrus examples four_bar\n  sarrus run four_bar/model.toml");
  command.action([&program, a] {
    const fs::path folder = folder_of_examples();
    return a->name.empty() ? list(folder, program.out) : copy(folder, *a, program.out);
  });
}

}  // namespace sarrus::app
