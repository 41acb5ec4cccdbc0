// sarrus: the program. Parses the command line, runs one command, and turns whatever happens into
// words and an exit code (docs/reference/command_line.md).
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

#include "commands/commands.hpp"
#include "options.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/core/version_check.hpp"
#include "sarrus/integrators/integrator.hpp"
#include "sarrus/results/export_hdf5.hpp"
#include "sarrus/show/canvas.hpp"
#include "shell/completion.hpp"
#include "signals.hpp"

namespace sarrus::app {
namespace {

constexpr const char* overview = R"(Sarrus simulates mechanisms from a description in a text file.

  sarrus new pendulum          writes pendulum.toml, a model to start from
  sarrus view pendulum.toml    shows it in the browser, and runs it there
  sarrus run pendulum.toml     simulates it and says where the results are
  sarrus report pendulum       makes report.html: the motion and its plots, to look at
  sarrus export pendulum --csv motion.csv

Further commands: check, completion, demo, doctor, equilibrium, examples, import, man, markers, modes, plot, reduce, schema, verify. `sarrus help` lists them, `sarrus run --help` explains one.
)";

std::string version_text() {
  std::string parts;
  const auto add = [&](const char* name, bool built_in) {
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", built_in ? "with" : "without", name);
  };
  add("HDF5", has_hdf5());
  add("PNG plots", has_png());
  add("CVODE", has_cvode());
  return fmt::format("sarrus {}\ncompiled by {} ({}), {}\n", library_version(), SARRUS_COMPILER,
                     SARRUS_BUILD, parts);
}

void add_commands(Program& program) {
  add_new(program);
  add_check(program);
  add_import(program);
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
  add_examples(program);
  add_doctor(program);
  add_completion(program);
  add_man(program);
  add_demo(program);
}

/// The command line without a command: overview, help, version.
bool answered_at_once(Program& program, const std::vector<std::string>& words) {
  if (words.empty()) return write_out(overview), true;
  const std::string& first = words.front();
  if (first == completion_word)
    return write_out(completed(program.parser, {words.begin() + 1, words.end()})), true;
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
  return {.code = code, .message = std::move(message), .hint = std::move(hint)};
}

/// Prints a message prepared beforehand: there is no memory to compose another.
void out_of_memory(bool json) noexcept {
  constexpr std::string_view line =
      "error[out-of-memory]: out of memory, or over the memory limit; hint: choose "
      "a smaller model, or raise the limit\n";
  constexpr std::string_view object = R"({
  "status": "error",
  "exit_code": 6,
  "diagnostics": [
    {
      "severity": "error",
      "code": "out-of-memory",
      "file": "",
      "line": 0,
      "column": 0,
      "element": "",
      "message": "out of memory, or over the memory limit",
      "hint": "choose a smaller model, or raise the limit",
      "value": "",
      "limit": ""
    }
  ]
}
)";
  static_assert(static_cast<int>(Fault::io) == 6);
  write_error(line);
  try {
    if (json) write_out(object);
  } catch (...) {  // standard output takes nothing either
  }
}

std::atomic<bool> memory_ran_out = false;
bool json_is_wanted = false;                       // for those who end the program
std::terminate_handler usual_terminate = nullptr;  // says what was thrown, and aborts

/// In place of the handler that operator new calls.
[[noreturn]] void note_shortage() {
  memory_ran_out = true;
  throw std::bad_alloc();
}

/// Not all libraries survive their own cleanup without memory: the program ends at once.
[[noreturn]] void end_without_memory() noexcept {
  out_of_memory(json_is_wanted);
  ::_exit(static_cast<int>(Fault::io));
}

/// Memory runs out where nothing may be thrown too, as in parts of CLI11 and of the standard
/// library.
[[noreturn]] void terminate_in_words() {
  if (memory_ran_out) end_without_memory();
  usual_terminate();
  std::abort();
}

int run(Program& program, const std::vector<std::string>& words) {
  Output& out = program.out;
  try {
    if (answered_at_once(program, words)) return 0;
    const Command::Action chosen = program.parser.parse(words);
    if (!chosen) return write_out(program.parser.help(words.front())), 0;
    const int code = chosen();
    out.finish(code, code == 0 ? "done" : "stopped");
    return code;
  } catch (const Error& e) {
    // streams swallow a lack of memory, and their reader then blames the text
    if (memory_ran_out) throw std::bad_alloc();
    out.errors(e.diagnostics());
    out.finish(e.exit_code(), "error");
    return e.exit_code();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    out.errors({plain("internal", fmt::format("internal error, a bug of ours: {}", e.what()),
                      "please report it with the model")});
    out.finish(static_cast<int>(Fault::internal), "error");
    return static_cast<int>(Fault::internal);
  }
}

/// Whether --json is given: known before parsing, so that an error in the command line is reported
/// in the form asked for.
bool wants_json(int count, char** words) {
  return std::any_of(words, words + count,
                     [](const char* word) { return std::string_view(word) == "--json"; });
}

}  // namespace
}  // namespace sarrus::app

int main(int argc, char** argv) {
  using namespace sarrus::app;
  handle_signals();
  json_is_wanted = wants_json(argc, argv);
  std::set_new_handler(note_shortage);
  usual_terminate = std::set_terminate(terminate_in_words);
  try {
    Program program{{"Sarrus simulates mechanisms from a description in a text file.",
                     "Help on a command: sarrus run --help", version_text},
                    {}};
    program.out.json = json_is_wanted;
    add_commands(program);
    return run(program, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const sarrus::Error& e) {  // saying it failed: standard output does not take it
    write_error(e.what());
    write_error("\n");
    return e.exit_code();
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (const std::exception& e) {
    write_error("error[internal]: internal error, a bug of ours: ");
    write_error(e.what());
    write_error("\n");
    return 1;
  }
}
