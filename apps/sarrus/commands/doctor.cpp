// sarrus doctor: what this build has, what it lacks, and what that costs.
#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "commands/commands.hpp"
#include "installed.hpp"
#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/version_check.hpp"
#include "sarrus/integrators/integrator.hpp"
#include "sarrus/results/export_hdf5.hpp"
#include "sarrus/show/canvas.hpp"
#include "shell/desktop.hpp"

namespace sarrus::app {
namespace {

struct Finding {
  const char* part;
  bool there;
  std::string said;  // what it gives, or what to do without it
};

bool has_instructions() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

bool can_write_here() {
  std::error_code unknown;
  return (std::filesystem::status(".", unknown).permissions() &
          std::filesystem::perms::owner_write) != std::filesystem::perms::none;
}

std::vector<Finding> findings() {
  const std::filesystem::path examples = examples_folder();
  const auto say = [](bool there, const char* gives, const char* otherwise) {
    return std::string(there ? gives : otherwise);
  };
  const bool hdf5 = has_hdf5(), png = has_png(), cvode = has_cvode(), wide = has_instructions(),
             desktop = has_desktop(), writable = can_write_here();
  return {
      {"HDF5", hdf5,
       say(hdf5, "sarrus export --hdf5", "no export to HDF5; --csv works. Build with libhdf5-dev")},
      {"PNG plots", png,
       say(png, "sarrus plot -o x.png", "plots as SVG only. Build with libcairo2-dev")},
      {"CVODE", cvode,
       say(cvode, "integrator = \"cvode\"",
           "radau and auto serve stiff models. Build with libsundials-dev")},
      {"AVX2", wide,
       say(wide, "kernels for four instances at once", "batches run on kernels for any processor")},
      {"desktop", desktop,
       say(desktop, "sarrus demo opens a browser", "sarrus demo says which file to open")},
      {"folder", writable,
       say(writable, "results can be written here", "this folder cannot be written to; use -o")},
      {"examples", !examples.empty(),
       examples.empty() ? "not found beside the program; ./dev install PREFIX copies them"
                        : printable(examples.string())},
  };
}

int run_doctor(Output& out) {
  out.line(fmt::format("sarrus {}, compiled by {} ({}), {} cores", library_version(),
                       SARRUS_COMPILER, SARRUS_BUILD, std::thread::hardware_concurrency()));
  out.line();
  Json& parts = out.facts()["parts"];
  parts = Json::array();
  for (const Finding& f : findings()) {
    out.line(
        fmt::format("  {}  {:<10} {}",
                    f.there ? out.styled("yes", Style::good) : out.styled("no ", Style::warning),
                    f.part, f.said));
    parts.push_back({{"part", f.part}, {"there", f.there}, {"said", f.said}});
  }
  out.facts()["version"] = library_version();
  return 0;
}

}  // namespace

void add_doctor(Program& program) {
  Command command = program.parser.add_command("doctor", "Says what this build has and lacks");
  add_output_options(command, program.out);
  command.footer("Nothing here is a fault: Sarrus runs without every optional part.");
  command.action([&program] { return run_doctor(program.out); });
}

}  // namespace sarrus::app
