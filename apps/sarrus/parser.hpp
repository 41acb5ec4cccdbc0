// The command line as the commands see it: what each takes, and what it does.
//
// CLI11 is used behind it, in parser.cpp alone: its headers add five seconds of compilation to
// every file that includes them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sarrus::app {

/// A handle: all members change the option itself.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  /// The word that stands for its value in the help.
  Option type_name(const std::string& word);
  /// The heading under which the help lists it.
  Option group(const std::string& heading);
  Option description(const std::string& help);
  Option required(bool yes = true);
  /// One value each time it is given; all of them count.
  Option repeatable();
  /// The help shows the value that is there now.
  Option show_default();

 private:
  CLI::Option* option_;
};

/// A handle, as Option is.
class Command {
 public:
  using Action = std::function<int()>;  // returns the exit code

  Command(CLI::App* app, Action* chosen) : app_(app), chosen_(chosen) {}
  // "--name" or "-n,--name" for a flag, "NAME" for a word without one
  Option add_option(const std::string& names, std::string& to, const std::string& help);
  Option add_option(const std::string& names, int& to, const std::string& help);
  Option add_option(const std::string& names, std::int64_t& to, const std::string& help);
  Option add_option(const std::string& names, double& to, const std::string& help);
  Option add_option(const std::string& names, std::vector<std::string>& to,
                    const std::string& help);
  Option add_option(const std::string& names, std::function<void(const std::string&)> take,
                    const std::string& help);
  Option add_flag(const std::string& names, bool& to, const std::string& help);
  Option add_flag(const std::string& names, std::function<void()> take, const std::string& help);
  /// One that was added before.
  Option option(const std::string& name);
  bool is_given(const std::string& name) const;
  /// Lines to copy, which the help shows first; remarks may stand before a line "Examples:".
  void footer(const std::string& text);
  /// What is to be done when the words name this command.
  void action(Action what);

 private:
  CLI::App* app_;
  Action* chosen_;
};

/// What a command takes, as data: for completion in shells and for manual pages.
struct DescribedOption {
  std::vector<std::string> names;  // "--out", "-o"; "MODEL" for a word without a flag
  std::string value;               // the word that stands for its value; "" for a switch
  std::string help, group;
  bool is_flag = false;  // begins with -
  bool is_required = false, takes_many = false;
};
struct DescribedCommand {
  std::string name, help;
  std::string notes, examples;  // its remarks, and lines to copy
  std::vector<DescribedOption> options;
};

class Parser {
 public:
  /// Texts of the help; `version` answers --version.
  Parser(const std::string& description, const std::string& footer, std::string (*version)());
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  Command add_command(const std::string& name, const std::string& help);
  std::vector<std::string> command_names() const;
  /// In the order in which they were added.
  std::vector<DescribedCommand> commands() const;
  std::string help() const;
  std::string help(const std::string& command) const;
  /// The action of the command that the words name, or nothing where they ask for its help. Throws
  /// Error(usage) where they cannot be understood.
  Command::Action parse(const std::vector<std::string>& words);

 private:
  std::unique_ptr<CLI::App> app_;
  Command::Action chosen_;
};

}  // namespace sarrus::app
