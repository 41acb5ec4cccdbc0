// sarrus man: manual pages, made from the descriptions of the commands.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/files/text/file.hpp"
#include "shell/man_page.hpp"

namespace sarrus::app {
namespace {

struct ManArguments {
  std::string command, folder;
};

/// Every page as a file, sarrus.1 and sarrus-run.1 and so on: for packages.
void write_all(const Parser& parser, const std::string& folder) {
  const auto write = [&](const std::string& name, const std::string& text) {
    const std::string path = join_path(folder, name + ".1");
    write_file(path, path + ".partial", text);
  };
  write("sarrus", man_page(parser.commands()));
  for (const DescribedCommand& c : parser.commands()) write("sarrus-" + c.name, man_page(c));
}

int run_man(const ManArguments& a, const Parser& parser) {
  if (!a.folder.empty()) return write_all(parser, a.folder), 0;
  const std::vector<DescribedCommand> commands = parser.commands();
  if (a.command.empty()) return write_out(man_page(commands)), 0;
  for (const DescribedCommand& c : commands)
    if (c.name == a.command) return write_out(man_page(c)), 0;
  throw usage_error("unknown-command", "COMMAND",
                    fmt::format("there is no command '{}'", a.command),
                    did_you_mean(a.command, parser.command_names()));
}

}  // namespace

void add_man(Program& program) {
  auto a = std::make_shared<ManArguments>();
  Command command = program.parser.add_command("man", "Prints the manual page of a command");
  command.add_option("COMMAND", a->command, "Which command; default: the program itself");
  command.add_option("-o,--out", a->folder, "Write the pages of all commands into this folder")
      .type_name("FOLDER");
  command.footer("Examples:\n  sarrus man run | man -l -\n  sarrus man -o share/man/man1");
  command.action([&program, a] { return run_man(*a, program.parser); });
}

}  // namespace sarrus::app
