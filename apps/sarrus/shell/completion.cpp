#include "shell/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chosen_run.hpp"
#include "installed.hpp"
#include "options.hpp"
#include "output.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/results/result_reader.hpp"
#include "templates.hpp"

namespace sarrus::app {
namespace {

constexpr const char *model_paths = ":files toml json urdf xml sdf\n",
                     *result_paths = ":folders\n:files sarrus toml json urdf xml sdf\n";

/// Collects lines of the answer that begin with what is typed already.
class Candidates {
 public:
  explicit Candidates(std::string begun) : begun_(std::move(begun)) {}
  void add(const std::string& word, const std::string& help = "") {
    if (word.starts_with(begun_)) text_ += word + "\t" + first_line(help) + "\n";
  }
  void add_all(const std::vector<std::string>& words) {
    for (const std::string& word : words) add(word);
  }
  void paths(const char* kind) { text_ += kind; }
  const std::string& text() const { return text_; }

 private:
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
  std::string begun_, text_;
};

const DescribedOption* flag_called(const DescribedCommand& command, const std::string& name) {
  for (const DescribedOption& o : command.options)
    if (o.is_flag && std::find(o.names.begin(), o.names.end(), name) != o.names.end()) return &o;
  return nullptr;
}

/// Words without a flag, in their order; the last word, which is being typed, is not among them.
std::vector<std::string> plain_words(const DescribedCommand& command,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> plain;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const DescribedOption* flag = flag_called(command, words[i]);
    if (flag && !flag->value.empty())
      ++i;
    else if (!words[i].starts_with("-"))
      plain.push_back(words[i]);
  }
  return plain;
}

/// Names of the columns of the run that the words name, or of the last one here.
void add_columns(Candidates& found, const std::vector<std::string>& plain) {
  Output nobody;
  nobody.quiet = true;
  std::vector<std::string> words = plain;
  const std::vector<std::string> runs = chosen_runs(words, nobody);
  const std::vector<Column> columns = ResultReader(runs.front()).header().columns;
  for (const Column& c : columns) found.add(c.name, c.unit);
}

void add_parameters(Candidates& found, const std::vector<std::string>& plain) {
  const auto model = std::find_if(plain.begin(), plain.end(), names_model);
  if (model == plain.end()) return;
  const Model read = sarrus::read_model(*model);
  for (const auto& [name, value] : read.parameters)
    found.add(name + "=", fmt::format("{:g}", value));
}

void add_examples_to(Candidates& found) {
  if (const auto folder = examples_folder(); !folder.empty())
    for (const Example& e : examples_in(folder)) found.add(e.name, e.title);
}

void add_values(Candidates& found, const DescribedCommand& command, const DescribedOption& flag,
                const std::vector<std::string>& plain) {
  const std::string& name = flag.names.front();
  if (name == "--set") return add_parameters(found, plain);
  if (name == "--against" || name == "--columns") return add_columns(found, plain);
  if (name == "--units") return found.add_all({"deg", "rpm", "mm", "deg,rpm,mm"});
  if (name == "--template")
    for (const Template& t : templates()) found.add(std::string(t.name), std::string(t.help));
  found.add_all(choices_of(name));
  if (flag.value == "FILE") found.paths(":files\n");
  if (flag.value == "FOLDER") found.paths(":folders\n");
  if (command.name == "reduce" && flag.value.empty()) found.paths(":files\n");
}

void add_plain(Candidates& found, const DescribedCommand& command,
               const std::vector<std::string>& plain, const std::vector<std::string>& names) {
  const DescribedOption* due = nullptr;
  size_t position = 0;
  for (const DescribedOption& o : command.options)
    if (!o.is_flag && (due == nullptr || position <= plain.size())) {
      if (position == plain.size() || o.takes_many) due = &o;
      ++position;
    }
  if (!due) return;
  const std::string& word = due->names.front();
  if (command.name == "view" || command.name == "verify")
    found.paths(result_paths);
  else if (word == "MODEL")
    found.paths(model_paths);
  else if (word == "RESULT")
    found.paths(result_paths);
  else if (word == "COMMAND")
    found.add_all(names);
  else if (word == "SHELL")
    found.add_all({"bash", "zsh", "fish"});
  else if (command.name == "examples")
    add_examples_to(found);
  else if (command.name == "plot") {
    found.paths(result_paths);
    add_columns(found, plain);
  } else if (command.name != "new")
    found.paths(":files\n");
}

void complete(Candidates& found, const std::vector<DescribedCommand>& commands,
              const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const DescribedCommand& c : commands) names.push_back(c.name);
  if (words.size() == 1) {
    for (const DescribedCommand& c : commands) found.add(c.name, c.help);
    found.add("help", "Explains a command");
    found.add("--help");
    found.add("--version");
    return;
  }
  if (words.front() == "help") return found.add_all(names);
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const auto& c) { return c.name == words.front(); });
  if (command == commands.end()) return;
  const std::vector<std::string> after(words.begin() + 1, words.end());
  const std::vector<std::string> plain = plain_words(*command, after);
  const DescribedOption* flag =
      after.size() > 1 ? flag_called(*command, after[after.size() - 2]) : nullptr;
  if (flag && !flag->value.empty()) return add_values(found, *command, *flag, plain);
  if (!after.back().starts_with("-")) return add_plain(found, *command, plain, names);
  for (const DescribedOption& o : command->options)
    if (o.is_flag)
      for (const std::string& name : o.names) found.add(name, o.help);
}

constexpr const char* bash_script =
    R"sh(# bash completion of sarrus, written by `sarrus completion bash`
_sarrus() {
  local cur=${COMP_WORDS[COMP_CWORD]} line candidate kind pattern
  local IFS=$' \t\n'
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :folders) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur") ;;
      :files*)
        compopt -o filenames
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur")
        pattern=
        for kind in ${line#:files}; do pattern+=${pattern:+|}$kind; done
        while IFS= read -r candidate; do
          [[ -d $candidate ]] && continue
          [[ -z $pattern || $candidate =~ \.($pattern)$ ]] && COMPREPLY+=("$candidate")
        done < <(compgen -f -- "$cur") ;;
      *)
        candidate=${line%%$'\t'*}
        COMPREPLY+=("$candidate")
        [[ $candidate == *= ]] && compopt -o nospace ;;
    esac
  done < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  return 0
}
complete -F _sarrus sarrus
)sh";

constexpr const char* zsh_script = R"sh(#compdef sarrus
# zsh completion of sarrus, written by `sarrus completion zsh`
_sarrus() {
  local line kinds
  local -a candidates unended
  for line in ${(f)"$("${words[1]}" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
    case $line in
      :folders) _files -/ ;;
      :files) _files ;;
      :files*) kinds=${${line#:files }// /|}; _files -g "*.($kinds)(-.)" ;;
      *=$'\t'*) unended+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (( $#candidates )) && _describe sarrus candidates
  (( $#unended )) && _describe sarrus unended -S ''
  return 0
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _sarrus "$@"; else compdef _sarrus sarrus; fi
)sh";

constexpr const char* fish_script =
    R"sh(# fish completion of sarrus, written by `sarrus completion fish`
function __sarrus_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':folders'
                __fish_complete_directories (commandline -ct)
            case ':files'
                __fish_complete_path (commandline -ct)
            case ':files*'
                for kind in (string split -n ' ' -- (string replace ':files' '' -- $line))
                    __fish_complete_suffix .$kind
                end
            case '*'
                echo $line
        end
    end
end
complete -c sarrus -f -a '(__sarrus_complete)'
)sh";

}  // namespace

std::string completed(const Parser& parser, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  Candidates found(words.back());
  try {
    complete(found, parser.commands(), words);
  } catch (const Error&) {
    // a model or result that cannot be read offers nothing; the command itself will say why
  }
  return found.text();
}

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return bash_script;
  if (shell == "zsh") return zsh_script;
  if (shell == "fish") return fish_script;
  return "";
}

}  // namespace sarrus::app
