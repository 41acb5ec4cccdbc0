#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sarrus/core/near_match.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/files/grammar.hpp"
#include "sarrus/files/read_valid_model.hpp"
#include "sarrus/formulations/formulation.hpp"
#include "sarrus/integrators/integrator.hpp"

namespace sarrus::app {
namespace {

double parse_value(const std::string& flag, const std::string& text, const Dimension& dimension) {
  if (const auto number = parse_number(text)) return *number;
  if (!looks_like_quantity(text))
    throw usage_error("bad-value", flag, fmt::format("'{}' is not a number", text));
  const Quantity quantity = parse_quantity(text, dimension);
  if (!quantity.problem.empty())
    throw usage_error("bad-value", flag, quantity.problem, quantity.hint);
  return quantity.value;
}

long long parse_count(const std::string& flag, const std::string& text) {
  long long value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end)
    throw usage_error("bad-value", flag, fmt::format("'{}' is not a whole number", text));
  return value;
}

/// "length=0.4" or "length=400 mm".
std::pair<std::string, double> parse_setting(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw usage_error("bad-value", "--set", fmt::format("'{}' is not of the form NAME=VALUE", text),
                      "for example --set length=0.4");
  const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  if (const auto number = parse_number(value)) return {name, *number};
  const size_t blank = value.find(' ');
  const auto number = parse_number(value.substr(0, blank));
  const auto unit = blank == std::string::npos ? std::nullopt : parse_unit(value.substr(blank + 1));
  if (!number || !unit)
    throw usage_error(
        "bad-value", "--set",
        fmt::format("'{}' of {} is neither a number nor a number with a unit", value, name),
        "for example --set length=0.4 or --set \"length=400 mm\"");
  return {name, *number * unit->factor};
}

void refuse_unknown(const char* key, const std::string& name, const std::vector<std::string>& known,
                    const Model& model, const SimulateFlags& flags) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const bool by_flag = flags.count(key) > 0;
  const auto place = model.simulate.where.find(key);
  throw Error(
      by_flag ? Fault::usage : Fault::model,
      Diagnostic{.code = fmt::format("unknown-{}", key),
                 .where = by_flag || place == model.simulate.where.end() ? Place{} : place->second,
                 .element = by_flag ? flag_name(key) : fmt::format("simulate/{}", key),
                 .message = fmt::format("there is no {} '{}'", key, name),
                 .hint = near_match(name, known).empty()
                             ? fmt::format("one of: {}", fmt::join(known, ", "))
                             : did_you_mean(name, known),
                 .value = name});
}

/// A note on a key that has no effect, or not the one that its name suggests.
void note_unused(const Model& model, const SimulateFlags& flags, const std::string& key,
                 const std::string& message, Output& out) {
  const auto place = model.simulate.where.find(key);
  const bool by_flag = flags.count(key) > 0;
  if (!by_flag && place == model.simulate.where.end()) return;
  out.note({.severity = Severity::note,
            .code = "not-used",
            .where = by_flag ? Place{} : place->second,
            .element = by_flag ? flag_name(key) : "simulate/" + key,
            .message = message});
}

}  // namespace

bool has_cvode() try { return make_integrator("cvode", {}) != nullptr; } catch (const Error&) {
  return false;
}

double number(const char* flag, const std::string& text) {
  const auto x = parse_number(text);
  if (!x) throw usage_error("bad-value", flag, fmt::format("'{}' is not a number", text));
  return *x;
}

Error usage_error(const std::string& code, const std::string& element, const std::string& message,
                  const std::string& hint) {
  return {Fault::usage,
          Diagnostic{.code = code, .element = element, .message = message, .hint = hint}};
}

std::vector<std::string> choices_of(const std::string& flag) {
  for (const Setting& setting : settings())
    if (flag_name(setting.name) == flag) return {setting.words.begin(), setting.words.end()};
  return {};
}

std::string flag_name(std::string_view key) {
  std::string flag = "--" + std::string(key);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

void add_output_options(Command& command, Output& out) {
  command.add_flag("--json", out.json, "Print one JSON object on standard output, for scripts");
  command.add_flag("-q,--quiet", out.quiet, "Print only errors");
}

void add_replace_flag(Command& command, bool& replace) {
  command.add_flag("--replace,--force", replace,
                   "Do not keep what is there under the same name; default: kept as 'previous'");
}

void add_model_options(Command& command, ModelOptions& options) {
  command
      .add_option("MODEL", options.path, "Model file, TOML or JSON; or a robot, URDF, MJCF or SDF")
      .required();
  command.add_option("--set", options.set, "Value of a parameter; may be repeated")
      .type_name("NAME=VALUE")
      .repeatable();
  command
      .add_option("--allow", options.allow,
                  "Folder outside the model's own from which parts, meshes and tables may be read")
      .type_name("FOLDER")
      .repeatable();
}

void add_simulate_flags(Command& command, SimulateFlags& flags) {
  for (const Key& key : grammar("simulate").keys) {
    const std::string name(key.name), flag = flag_name(key.name);
    std::string help(key.help);
    if (const std::vector<std::string> words = choices_of(flag); !words.empty())
      help += fmt::format(" One of: {}.", fmt::join(words, ", "));
    const auto take = [&flags, name](const std::string& value) { flags[name] = value; };
    Option option = key.kind == Kind::boolean ? command.add_flag(
                                                    flag, [take] { take("true"); }, help)
                                              : command.add_option(flag, take, help);
    option.group("Settings of the run; they override [simulate] in the model");
    if (key.kind == Kind::number)
      option.type_name(key.dimension == dimensions::time ? "TIME" : "NUMBER");
    if (key.kind == Kind::integer) option.type_name("COUNT");
    if (key.kind == Kind::choice) option.type_name("NAME");
  }
}

std::map<std::string, double> parameters_set(const ModelOptions& options) {
  std::map<std::string, double> parameters;
  for (const std::string& text : options.set) {
    const auto [name, value] = parse_setting(text);
    if (!parameters.emplace(name, value).second)
      throw usage_error("given-twice", "--set", fmt::format("'{}' is set twice", name));
  }
  return parameters;
}

ValidModel read_model(const ModelOptions& options) {
  ReadOptions read;
  read.parameters = parameters_set(options);
  read.allowed_roots = options.allow;
  return read_valid_model(options.path, read);
}

std::string model_text(const ModelOptions& options) {
  return sarrus::model_text(options.path, {.allowed_roots = options.allow});
}

void apply_flags(ValidModel& model, const SimulateFlags& flags) {
  if (flags.empty()) return;
  SimulateSpec s = model->simulate;
  for (const auto& [key, text] : flags) {
    const std::string flag = flag_name(key);
    const Setting& setting = sarrus::setting(key);
    switch (grammar("simulate").find(key)->kind) {
      case Kind::boolean: setting.set(s, true); break;
      case Kind::integer: setting.set(s, parse_count(flag, text)); break;
      case Kind::choice: setting.set(s, text); break;
      default: setting.set(s, parse_value(flag, text, setting.dimension));
    }
    s.where.erase(key);
  }
  try {
    model.set(std::move(s));
  } catch (const Error& e) {  // the file alone was valid: what is wrong now comes from the flags
    std::vector<Diagnostic> wrong = e.diagnostics();
    for (Diagnostic& d : wrong) {
      const std::string key = d.element.substr(d.element.find('/') + 1);
      if (flags.count(key)) d.element = flag_name(key), d.where = {};
    }
    throw Error(Fault::usage, std::move(wrong));
  }
}

void check_methods(const Model& model, const SimulateFlags& flags, Output& out) {
  const SimulateSpec& s = model.simulate;
  for (const Setting& setting : settings()) {
    const Setting::Value value = setting.value(s);
    const std::string* word = std::get_if<std::string>(&value);
    if (!word || word->empty() || !setting.is_used(s)) continue;
    refuse_unknown(std::string(setting.name).c_str(), *word,
                   {setting.words.begin(), setting.words.end()}, model, flags);
  }
  for (const Setting& setting : settings())
    if (const std::string why = why_unused(setting.used_by, s); !why.empty())
      note_unused(model, flags, std::string(setting.name), why, out);
  if (!s.real_time_factor)
    note_unused(model, flags, "overrun", "without real_time_factor nothing can be late", out);
  if (s.formulation == "discrete") {
    for (const char* key : {"integrator", "rtol", "atol", "max_step"})
      note_unused(model, flags, key, "the discrete formulation takes its own steps", out);
    if (s.step)
      note_unused(model, flags, "joint_gap", "the step is given and not chosen from it", out);
    if (s.scheme == "paper")
      note_unused(model, flags, "rotation", "scheme \"paper\" has its own", out);
    return;
  }
  IntegratorOptions trial;
  trial.step = 1;
  const bool adaptive = make_integrator(s.integrator, trial)->is_adaptive();
  if (!adaptive && !s.step)
    throw usage_error("no-step", "--step",
                      fmt::format("{} takes fixed steps, and none is given", s.integrator),
                      "add --step 1e-3, or step = 1e-3 to [simulate]");
  if (adaptive)
    return note_unused(
        model, flags, "step",
        fmt::format("{} chooses its steps; this is only the first one", s.integrator), out);
  for (const char* key : {"rtol", "atol", "max_step"})
    note_unused(model, flags, key,
                fmt::format("{} takes fixed steps and does not use it", s.integrator), out);
}

}  // namespace sarrus::app
