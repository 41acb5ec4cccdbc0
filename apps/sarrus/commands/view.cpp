// sarrus view: a result or a model in the browser, live.
#include <fmt/format.h>

#include <memory>

#include "chosen_run.hpp"
#include "commands/commands.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/show/scene_modes.hpp"
#include "signals.hpp"
#include "view/view_server.hpp"

namespace sarrus::app {
namespace {

constexpr int usual_port = 8421;
constexpr std::chrono::milliseconds between_looks(100);

struct ViewArguments {
  ModelOptions model;  // its path may also be a result
  std::string folder, port;
};

bool is_result(const std::string& path) { return is_folder(path) || path.ends_with(".sarrus"); }

int parse_port(const std::string& text) {
  size_t used = 0;
  int port = -1;
  try {
    port = std::stoi(text, &used);
  } catch (const std::exception&) {
  }
  if (used != text.size() || port < 0 || port > 65535)
    throw usage_error("bad-value", "--port", fmt::format("'{}' is not a port", text),
                      "0 to 65535; 0 is any free one");
  return port;
}

std::unique_ptr<Shown> make_shown(const ViewArguments& a) {
  if (!is_result(a.model.path)) return std::make_unique<ShownModel>(a.model, a.folder);
  if (!a.folder.empty())
    throw usage_error("usage", "--out", "a result is only shown; nothing is written",
                      "give the model instead to run it into a folder");
  if (const auto modes = mode_folders(a.model.path); !modes.empty())
    return std::make_unique<ShownModes>(a.model.path, modes);
  return std::make_unique<ShownResult>(a.model.path);
}

/// The server at work on a thread of its own, until this goes out of scope, however it does.
class Answering {
 public:
  explicit Answering(ViewServer& server) : server_(server), thread_([&] { server.serve(); }) {}
  ~Answering() {
    server_.stop();
    thread_.join();
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

 private:
  ViewServer& server_;
  std::thread thread_;
};

int run_view(ViewArguments a, Output& out) {
  if (a.model.path.empty()) a.model.path = chosen_run("", out);
  const int port = a.port.empty() ? usual_port : parse_port(a.port);
  const StopPolitely guard;
  const auto shown = make_shown(a);
  ViewServer server(*shown);
  const std::string address =
      fmt::format("http://127.0.0.1:{}/", server.open(port, a.port.empty()));
  const bool runs = !is_result(a.model.path);
  // the key stands behind #, where no browser sends it on and no server logs it
  const std::string full = runs ? address + "#" + server.key() : address;
  if (out.json)
    write_out(Json{{"address", full}}.dump() + "\n");
  else
    out.line(fmt::format("{}   (Ctrl-C ends it)", full));

  const Answering answering(server);
  while (stop_signal() == 0) {
    shown->look();
    std::this_thread::sleep_for(between_looks);
  }
  return 0;
}

}  // namespace

void add_view(Program& program) {
  auto a = std::make_shared<ViewArguments>();
  Command command =
      program.parser.add_command("view", "Shows a result or a model in the browser, live");
  add_model_options(command, a->model);
  command.option("MODEL").required(false).description(
      "Model file, or folder of a run, or result file; default: the last run in this folder");
  command
      .add_option("-o,--out", a->folder, "Folder for runs of the model; default: a temporary one")
      .type_name("FOLDER");
  command
      .add_option("--port", a->port, "Port on 127.0.0.1; default: the first free one from 8421 on")
      .type_name("PORT");
  add_output_options(command, program.out);
  command.footer(
      "Prints the address to open. Only this machine can reach it.\n"
      "Examples:\n"
      "  sarrus view pendulum.toml     shows the initial position, with a Run button\n"
      "  sarrus view pendulum          shows the result, even during the run\n"
      "  sarrus view                   shows the last run in this folder");
  command.action([&program, a] { return run_view(*a, program.out); });
}

}  // namespace sarrus::app
