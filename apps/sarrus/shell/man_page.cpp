#include "shell/man_page.hpp"

#include <fmt/format.h>

#include "sarrus/core/version_check.hpp"

namespace sarrus::app {
namespace {

/// Text in which nothing is taken for a command of roff.
std::string roff(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_begins = c == '\n';
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

std::string title_lines(const std::string& name, const std::string& help) {
  return fmt::format(".TH \"{}\" 1 \"\" \"Sarrus {}\" \"Sarrus\"\n.SH NAME\n{} \\- {}\n",
                     roff(name), library_version(), roff(name), roff(help));
}

std::string verbatim(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

std::string synopsis(const DescribedCommand& command) {
  std::string text = fmt::format(".SH SYNOPSIS\n.B sarrus {}\n", roff(command.name));
  for (const DescribedOption& o : command.options) {
    if (o.is_flag) continue;
    const std::string word = roff(o.names.front()) + (o.takes_many ? "..." : "");
    text += o.is_required ? fmt::format(".I {}\n", word) : fmt::format(".RI [ {} ]\n", word);
  }
  return text + ".RI [ flags ]\n";
}

std::string entry(const DescribedOption& o) {
  std::string names;
  for (const std::string& name : o.names)
    names +=
        (names.empty() ? "" : ", ") + fmt::format("\\f{}{}\\fR", o.is_flag ? 'B' : 'I', roff(name));
  if (!o.value.empty()) names += " \\fI" + roff(o.value) + "\\fR";
  return fmt::format(".TP\n{}\n{}\n", names, roff(o.help));
}

constexpr const char* exit_status = R"(.SH EXIT STATUS
0 done; 2 the command line, 3 the model, 4 its physics, 5 the numerics, 6 files; 7 a budget is used up; 9 verify
disagrees, 10 it cannot decide; 130 and 143 stopped by Ctrl\-C and SIGTERM, with the state saved.
)";

}  // namespace

std::string man_page(const std::vector<DescribedCommand>& commands) {
  std::string text =
      title_lines("sarrus", "simulates mechanisms from a description in a text file");
  text += ".SH SYNOPSIS\n.B sarrus\n.I command\n.RI [ words ]\n.SH COMMANDS\n";
  for (const DescribedCommand& c : commands)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(c.name), roff(c.help));
  text += ".SH EXAMPLES\n" + verbatim(
                                 "sarrus new pendulum\nsarrus run pendulum.toml --report\n"
                                 "sarrus verify pendulum.toml");
  text += exit_status;
  text += ".SH SEE ALSO\n";
  for (const DescribedCommand& c : commands)
    text += fmt::format(".BR sarrus\\-{} (1){}\n", roff(c.name), &c == &commands.back() ? "" : ",");
  return text;
}

std::string man_page(const DescribedCommand& command) {
  std::string text = title_lines("sarrus-" + command.name, command.help) + synopsis(command);
  text += ".SH DESCRIPTION\n" + roff(command.help) + ".\n";
  if (!command.notes.empty()) text += ".PP\n" + verbatim(command.notes);
  if (!command.examples.empty()) text += ".SH EXAMPLES\n" + verbatim(command.examples);
  text += ".SH OPTIONS\n";
  for (const DescribedOption& o : command.options) text += entry(o);
  return text + exit_status + ".SH SEE ALSO\n.BR sarrus (1)\n";
}

}  // namespace sarrus::app
