// sarrus: the program. Parses the command line, runs one command, and turns whatever happens into
// words and an exit code (docs/reference/command_line.md).
#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/core/version_check.hpp"
#include "sarrus/integrators/integrator.hpp"
#include "sarrus/results/export_hdf5.hpp"
#include "sarrus/show/canvas.hpp"
#include "signals.hpp"
#include "view/view_server.hpp"

namespace sarrus::app {
namespace {

constexpr const char* overview = R"(Sarrus simulates mechanisms from a description in a text file.

  sarrus new pendulum          writes pendulum.toml, a model to start from
  sarrus view pendulum.toml    shows it in the browser, and runs it there
  sarrus run pendulum.toml     simulates it and says where the results are
  sarrus report pendulum       makes report.html: the motion and its plots, to look at
  sarrus export pendulum --csv motion.csv

Further commands: check, equilibrium, markers, modes, plot, reduce, schema, verify. `sarrus help` lists them, `sarrus run --help` explains one.
)";

/// A build without it lists the method and refuses to make it.
bool has_cvode() try { return make_integrator("cvode", {}) != nullptr; } catch (const Error&) {
  return false;
}

std::string version_text() {
  std::string parts;
  const auto add = [&](const char* name, bool built_in) {
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", built_in ? "with" : "without", name);
  };
  add("HDF5", has_hdf5());
  add("PNG plots", has_png());
  add("view", has_view_server());
  add("CVODE", has_cvode());
  return fmt::format("sarrus {}\ncompiled by {} ({}), {}\n", library_version(), SARRUS_COMPILER,
                     SARRUS_BUILD, parts);
}

void add_commands(Program& program) {
  add_new(program);
  add_check(program);
  add_run(program);
  add_verify(program);
  add_export(program);
  add_plot(program);
  add_report(program);
  add_equilibrium(program);
  add_modes(program);
  add_markers(program);
  add_reduce(program);
  add_view(program);
  add_schema(program);
}

/// The command line without a command: overview, help, version.
bool answered_at_once(Program& program, const std::vector<std::string>& words) {
  if (words.empty()) return write_out(overview), true;
  const std::string& first = words.front();
  if (first == "--version") return write_out(version_text()), true;
  if (first == "--help" || first == "-h" || (first == "help" && words.size() == 1))
    return write_out(program.parser.help()), true;
  std::vector<std::string> names = program.parser.command_names();
  names.insert(names.begin(), "help");
  const std::string& asked = first == "help" ? words[1] : first;
  if (std::find(names.begin(), names.end(), asked) == names.end())
    throw usage_error(
        asked.starts_with("-") ? "unknown-flag" : "unknown-command", "",
        fmt::format("there is no {} '{}'", asked.starts_with("-") ? "flag" : "command", asked),
        did_you_mean(asked, names));
  if (first == "help") return write_out(program.parser.help(asked)), true;
  return false;
}

Diagnostic plain(const char* code, std::string message, std::string hint) {
  return {Severity::error, code, {}, "", std::move(message), std::move(hint), "", ""};
}

int run(Program& program, const std::vector<std::string>& words) {
  Output& out = program.out;
  // known before parsing, so that a fault in the command line is told in the form asked for
  out.json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    if (answered_at_once(program, words)) return 0;
    const Command::Action chosen = program.parser.parse(words);
    if (!chosen) return write_out(program.parser.help(words.front())), 0;
    const int code = chosen();
    out.finish(code, code == 0 ? "done" : "stopped");
    return code;
  } catch (const Error& e) {
    out.errors(e.diagnostics());
    out.finish(e.exit_code(), "error");
    return e.exit_code();
  } catch (const std::bad_alloc&) {
    out.errors({plain("out-of-memory", "the memory of this machine, or of its limit, is used up",
                      "choose a smaller model, or raise the limit")});
    out.finish(static_cast<int>(Fault::io), "error");
    return static_cast<int>(Fault::io);
  } catch (const std::exception& e) {
    out.errors({plain("internal", fmt::format("internal error, a bug of ours: {}", e.what()),
                      "please report it with the model")});
    out.finish(static_cast<int>(Fault::internal), "error");
    return static_cast<int>(Fault::internal);
  }
}

}  // namespace
}  // namespace sarrus::app

int main(int argc, char** argv) {
  using namespace sarrus::app;
  handle_signals();
  Program program{{"Sarrus simulates mechanisms from a description in a text file.",
                   "Help on a command: sarrus run --help", version_text},
                  {}};
  try {
    add_commands(program);
    return run(program, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const sarrus::Error& e) {  // saying it failed: standard output does not take it
    write_error(std::string(e.what()) + "\n");
    return e.exit_code();
  } catch (const std::exception& e) {
    write_error(fmt::format("error[internal]: internal error, a bug of ours: {}\n", e.what()));
    return 1;
  }
}
