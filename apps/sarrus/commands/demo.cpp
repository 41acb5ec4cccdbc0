// sarrus demo: a first look, from nothing to a moving picture.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands/commands.hpp"
#include "installed.hpp"
#include "options.hpp"
#include "reports/page_report.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/text/file.hpp"
#include "shell/desktop.hpp"
#include "signals.hpp"
#include "view/run_elsewhere.hpp"

namespace sarrus::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* demo_example = "double_pendulum";

int run_demo(const std::string& folder, Output& out) {
  const fs::path examples = examples_folder();
  if (examples.empty())
    throw io_error(
        "share/sarrus/examples", "no-examples", "the examples were not found beside the program",
        "sarrus new pendulum writes a model, sarrus run pendulum.toml --report shows it");
  ModelOptions model;
  model.path = (examples / demo_example / "model.toml").string();
  const std::string results = join_path(folder, demo_example), page = results + ".html";
  run_elsewhere(model, results, stop_signal, out);
  write_page(results, page, 1, true, out);
  const std::string full = fs::absolute(page).lexically_normal().string();
  const bool opened = open_on_desktop(full);
  out.facts()["opened"] = opened;
  out.line(opened ? "opened in the browser"
                  : fmt::format("there is no desktop here: open {} in a browser", printable(full)));
  out.line(
      fmt::format("the model: sarrus examples {} copies it here, to change and run", demo_example));
  return 0;
}

}  // namespace

void add_demo(Program& program) {
  auto folder = std::make_shared<std::string>("sarrus-demo");
  Command command =
      program.parser.add_command("demo", "Runs an example and shows it in the browser");
  command.add_option("-o,--out", *folder, "Folder for what it writes; default: sarrus-demo")
      .type_name("FOLDER");
  add_output_options(command, program.out);
  command.footer("Examples:\n  sarrus demo");
  command.action([&program, folder] { return run_demo(*folder, program.out); });
}

}  // namespace sarrus::app
