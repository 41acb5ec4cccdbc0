// sarrus completion: the script that lets a shell complete commands, flags, files, parameters, columns.
#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/near_match.hpp"
#include "shell/completion.hpp"

namespace sarrus::app {

void add_completion(Program& program) {
  auto shell = std::make_shared<std::string>();
  Command command = program.parser.add_command(
      "completion", "Prints the script that completes words in bash, zsh or fish");
  command.add_option("SHELL", *shell, "bash, zsh or fish").required();
  command.footer(
      "Packages install these scripts; without a package, once:\n"
      "Examples:\n"
      "  sarrus completion bash > ~/.local/share/bash-completion/completions/sarrus\n"
      "  sarrus completion zsh > ~/.zfunc/_sarrus       (with fpath+=~/.zfunc before compinit)\n"
      "  sarrus completion fish > ~/.config/fish/completions/sarrus.fish");
  command.action([shell] {
    const std::string script = completion_script(*shell);
    if (script.empty())
      throw usage_error("unknown-shell", "SHELL",
                        fmt::format("no completion is known for '{}'", *shell),
                        did_you_mean(*shell, {"bash", "zsh", "fish"}));
    write_out(script);
    return 0;
  });
}

}  // namespace sarrus::app
