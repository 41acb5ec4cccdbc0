#include "parser.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "options.hpp"
#include "sarrus/core/near_match.hpp"

namespace sarrus::app {
namespace {

constexpr size_t flag_column = 28;  // [letters] of the help, in which descriptions begin

/// CLI11 accepts unknown words; here they are refused, with near matches.
void refuse_extras(const CLI::App& command) {
  std::vector<std::string> extras = command.remaining();
  std::erase(extras, "--");  // only says that what follows is no flag
  if (extras.empty()) return;
  const std::string& word = extras.front();
  if (!word.starts_with("-"))
    throw usage_error("unexpected-word", command.get_name(),
                      fmt::format("'{}' is one argument too many", word),
                      fmt::format("sarrus {} --help lists the arguments", command.get_name()));
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  const std::string near = near_match(word.substr(0, word.find('=')), flags);
  throw usage_error("unknown-flag", command.get_name(), fmt::format("there is no flag '{}'", word),
                    near.empty() ? fmt::format("sarrus {} --help lists them", command.get_name())
                                 : fmt::format("did you mean {}?", near));
}

/// Who asks for help looks for a line to copy: examples stand before the flags.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    const std::string examples = app->get_parent() ? app->get_footer() : "";
    return CLI::Formatter::make_description(app) +
           (examples.empty() ? "" : "\n" + examples + "\n\n");
  }
  std::string make_footer(const CLI::App* app) const override {
    return app->get_parent() ? "" : CLI::Formatter::make_footer(app);
  }
};

DescribedOption described(const CLI::Option& option) {
  DescribedOption d;
  for (const std::string& name : option.get_lnames()) d.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) d.names.push_back("-" + name);
  d.is_flag = !d.names.empty();
  if (!d.is_flag) d.names.push_back(option.get_name(true));
  d.takes_many = option.get_expected_max() > 1;
  if (option.get_items_expected_max() > 0 && d.is_flag) d.value = option.get_type_name();
  d.help = option.get_description();
  d.group = option.get_group();
  d.is_required = option.get_required();
  return d;
}

/// The hint for a command line that cannot be parsed: for a setting without its value, the values.
std::string hint_for(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& choice : choices_of(words.back()))
    text += (text.empty() ? "one of: " : ", ") + choice;
  return text.empty() ? fmt::format("sarrus {} --help explains it", words.front()) : text;
}

/// An empty word, as an unset variable of a script leaves it, names nothing.
Option said(CLI::Option* option) {
  option->check([option](const std::string& word) -> std::string {
    if (word.empty())
      throw usage_error("empty-word", option->get_name(),
                        fmt::format("{} is given an empty word", option->get_name()),
                        "say what it is, or leave the option out");
    return "";
  });
  return Option(option);
}

}  // namespace

// ── options ─────────────────────────────────────────────────────────────────────────────────────

Option Option::type_name(const std::string& word) {
  option_->type_name(word);
  return *this;
}
Option Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}
Option Option::description(const std::string& help) {
  option_->description(help);
  return *this;
}
Option Option::required(bool yes) {
  option_->required(yes);
  return *this;
}
Option Option::repeatable() {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}
Option Option::show_default() {
  option_->capture_default_str();
  return *this;
}

// ── commands ────────────────────────────────────────────────────────────────────────────────────

Option Command::add_option(const std::string& names, std::string& to, const std::string& help) {
  return said(app_->add_option(names, to, help));
}
Option Command::add_option(const std::string& names, int& to, const std::string& help) {
  return Option(app_->add_option(names, to, help));
}
Option Command::add_option(const std::string& names, std::int64_t& to, const std::string& help) {
  return Option(app_->add_option(names, to, help));
}
Option Command::add_option(const std::string& names, double& to, const std::string& help) {
  return Option(app_->add_option(names, to, help));
}
Option Command::add_option(const std::string& names, std::vector<std::string>& to,
                           const std::string& help) {
  return said(app_->add_option(names, to, help));
}
Option Command::add_option(const std::string& names, std::function<void(const std::string&)> take,
                           const std::string& help) {
  return said(app_->add_option_function<std::string>(names, std::move(take), help));
}
Option Command::add_flag(const std::string& names, bool& to, const std::string& help) {
  return Option(app_->add_flag(names, to, help));
}
Option Command::add_flag(const std::string& names, std::function<void()> take,
                         const std::string& help) {
  return Option(app_->add_flag_function(
      names, [take = std::move(take)](std::int64_t) { take(); }, help));
}
Option Command::option(const std::string& name) { return Option(app_->get_option(name)); }
bool Command::is_given(const std::string& name) const { return app_->count(name) > 0; }
void Command::footer(const std::string& text) { app_->footer(text); }
void Command::action(Action what) {
  app_->callback([chosen = chosen_, what = std::move(what)] { *chosen = what; });
}

// ── the whole ───────────────────────────────────────────────────────────────────────────────────

Parser::Parser(const std::string& description, const std::string& footer, std::string (*version)())
    : app_(std::make_unique<CLI::App>(description, "sarrus")) {
  app_->require_subcommand(0, 1);  // `sarrus report new` means a folder, not a second command
  app_->set_help_flag("-h,--help", "This text");
  app_->set_version_flag("--version", version, "Version, compiler and optional parts");
  app_->formatter(std::make_shared<ExamplesFirst>());
  app_->get_formatter()->column_width(flag_column);
  app_->footer(footer);
}
Parser::~Parser() = default;

Command Parser::add_command(const std::string& name, const std::string& help) {
  CLI::App* command = app_->add_subcommand(name, help);
  command->allow_extras();
  command->get_formatter()->column_width(flag_column);
  return {command, &chosen_};
}

std::vector<std::string> Parser::command_names() const {
  std::vector<std::string> names;
  for (const CLI::App* command : app_->get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<DescribedCommand> Parser::commands() const {
  std::vector<DescribedCommand> all;
  for (const CLI::App* app : app_->get_subcommands({})) {
    DescribedCommand& c = all.emplace_back();
    c.name = app->get_name();
    c.help = app->get_description();
    const std::string footer = app->get_footer();
    const size_t at = std::min(footer.find("Example"), footer.size());
    const size_t line = std::min(footer.find('\n', at), footer.size() - 1) + 1;
    c.notes = footer.substr(0, at);
    c.examples = at < footer.size() ? footer.substr(line) : "";
    for (const CLI::Option* option : app->get_options()) c.options.push_back(described(*option));
  }
  return all;
}

std::string Parser::help() const { return app_->help(); }
std::string Parser::help(const std::string& command) const {
  return app_->get_subcommand(command)->help("sarrus");
}

Command::Action Parser::parse(const std::vector<std::string>& words) {
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app_->parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return {};
  } catch (const CLI::ParseError& e) {
    throw usage_error("usage", words.front(), e.what(), hint_for(words));
  }
  refuse_extras(*app_->get_subcommands().front());
  return chosen_;
}

}  // namespace sarrus::app
