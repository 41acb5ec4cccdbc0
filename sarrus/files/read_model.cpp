#include "sarrus/files/read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <unordered_set>
#include <utility>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/fields.hpp"
#include "sarrus/files/import/import_robot.hpp"
#include "sarrus/files/read_valid_model.hpp"
#include "sarrus/files/reading.hpp"
#include "sarrus/files/repeat.hpp"
#include "sarrus/files/text/locate.hpp"
#include "sarrus/model/segments.hpp"

namespace sarrus {
namespace {

constexpr long long format_version = 1;
constexpr int most_includes = 1000;

std::string folder_of_file(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

std::string real_path(const std::string& path) {
  std::error_code problem;
  const auto real = std::filesystem::weakly_canonical(path, problem);
  return problem ? path : real.string();
}

/// Reads a file and those it includes into one model.
class Reader {
 public:
  explicit Reader(const ReadOptions& options) : options_(options) {}

  ValidModel read(std::string_view text, const std::string& file, Format format) {
    roots_ = {folder_of_file(file), options_.allowed_roots};
    model_.file = file;
    model_.files.push_back(file);
    if (!file.empty()) model_.name = std::filesystem::path(file).stem().string();
    chain_.push_back({file, real_path(file)});
    read_part(document_of(text, file, format), "", options_.parameters, Place{});
    for (const auto& [body, n] : segments_) cut_beam(model_, body, n);
    check_mentioned_names();
    note_unused();
    return judged();
  }

 private:
  /// Of the text that was handed over, the model's own, and none that it includes.
  Document with_origins(Document document) const {
    if (chain_.size() == 1) document.origins = options_.origins;
    return document;
  }

  /// A model file, or what an import makes of another program's.
  Document document_of(std::string_view text, const std::string& file, Format format) {
    if (!is_xml(text)) return with_origins(read_document(text, file, format));
    Imported made = import_robot(text, file, {.roots = roots_});
    for (Diagnostic& d : made.report.notes()) faults_.add(std::move(d));
    roots_.others.insert(roots_.others.end(), made.roots.begin(), made.roots.end());
    model_.files.insert(model_.files.end(), made.files.begin(), made.files.end());
    return std::move(made.document);
  }

  /// One file: its own units and parameters, then its elements.
  void read_part(Document parsed, const std::string& prefix,
                 const std::map<std::string, double>& overrides, const Place& asked_at) {
    parts_.push_back({std::make_unique<Document>(std::move(parsed)), prefix});
    Document& document = *parts_.back().document;
    Reading r;
    r.scope.document = &document;
    r.scope.faults = &faults_;
    r.scope.prefix = prefix;
    r.scope.mentioned = &mentioned_;
    r.physics = &physics_;
    r.folder = folder_of_file(document.file);
    r.roots = roots_;
    r.files = &model_.files;
    r.segments = &segments_;

    Fields top(r.scope, document.root, "model", "");
    check_version(top);
    r.scope.units = read_units(r.scope, top.node("units"));
    const auto [own, deeper] = split(overrides);
    const std::vector<std::string> unknown = read_parameters(r.scope, top.node("parameters"), own);
    for (const auto& [name, value] : r.scope.parameters) model_.parameters[prefix + name] = value;
    repeat_elements(r.scope, document.root);
    read_elements(r, top);
    refuse_unknown(r, set_inputs(r, unknown, own), asked_at);
    read_whole(r, top, prefix.empty() && chain_.size() == 1);
    read_includes(r, top, deeper);
  }

  void check_version(Fields& top) {
    const auto version = top.integer("sarrus");
    if (!version) return;
    if (*version > format_version)
      top.error("sarrus", "newer-format",
                fmt::format("the file is of format {}, this program reads formats up to {}",
                            *version, format_version),
                "use a newer release of Sarrus");
    if (*version < 1)
      top.error("sarrus", "unknown-format",
                fmt::format("there is no format {}; the first is 1", *version), "write sarrus = 1");
  }

  using Values = std::map<std::string, double>;

  /// Overrides for this file, and those for parts that it includes ("prefix.name").
  static std::pair<Values, Values> split(const Values& overrides) {
    std::pair<Values, Values> result;
    for (const auto& [name, value] : overrides)
      (name.find('.') == std::string::npos ? result.first : result.second)[name] = value;
    return result;
  }

  /// Of names that are no parameters, those that are no inputs either; the inputs get their values.
  std::vector<std::string> set_inputs(const Reading& r, const std::vector<std::string>& names,
                                      const Values& values) {
    std::vector<std::string> unknown;
    for (const std::string& name : names) {
      const auto input =
          std::find_if(model_.inputs.begin(), model_.inputs.end(),
                       [&](const InputSpec& i) { return i.name == r.scope.prefix + name; });
      if (input == model_.inputs.end()) {
        unknown.push_back(name);
        continue;
      }
      input->value = values.at(name);
      input->course.reset();
      if (!input->limits.contain(input->value))
        faults_.error("beyond-limits", input->where, "input/" + input->name,
                      fmt::format("{} {} is given, which is not within its limits {} and {}",
                                  input->value, input->unit, input->limits.low, input->limits.high),
                      "give another value, or other limits in the model");
    }
    return unknown;
  }

  void refuse_unknown(Reading& r, const std::vector<std::string>& unknown, const Place& asked_at) {
    std::vector<std::string> known;
    for (const auto& [name, value] : r.scope.parameters) known.push_back(name);
    for (const InputSpec& i : model_.inputs)
      if (i.name.starts_with(r.scope.prefix)) known.push_back(i.name.substr(r.scope.prefix.size()));
    for (const std::string& name : unknown)
      faults_.error("unknown-parameter",
                    asked_at.line ? asked_at : Place{r.scope.document->file, 0, 0},
                    "parameters/" + shown(name),
                    fmt::format("no parameter{} is called '{}'",
                                model_.inputs.empty() ? "" : " or input", shown(name)),
                    did_you_mean(name, known));
  }

  void read_elements(Reading& r, Fields& top) {
    read_list(r, top, "table", model_.tables, read_table);
    read_list(r, top, "body", model_.bodies, read_body);
    read_list(r, top, "joint", model_.joints, read_joint);
    read_force_elements(r, top, model_);
    read_list(r, top, "constraint", model_.constraints, read_constraint);
    read_list(r, top, "sensor", model_.sensors, read_sensor);
    read_list(r, top, "contact", model_.contacts, read_contact);
    read_list(r, top, "event", model_.events, read_event);
    read_list(r, top, "input", model_.inputs, read_input);
    read_list(r, top, "output", model_.outputs, read_output);
    read_list(r, top, "state", model_.states, read_state);
    read_list(r, top, "block", model_.blocks, read_block);
  }

  /// What concerns the whole model: of an included file it is checked but not used.
  void read_whole(Reading& r, Fields& top, bool is_top) {
    const auto name = top.text("name");
    const auto gravity = top.vector("gravity");
    const Node* simulate = top.node("simulate");
    const SimulateSpec run = simulate ? read_simulate(r, *simulate) : SimulateSpec{};
    if (is_top) {
      if (name) model_.name = *name;
      if (gravity) model_.gravity = *gravity;
      model_.simulate = run;
      return;
    }
    for (const std::string_view key : {"gravity", "simulate"})
      if (top.has(key))
        top.note(key, "not-used", fmt::format("'{}' of an included file is not used", key));
  }

  void read_includes(Reading& r, Fields& top, const Values& overrides) {
    const std::vector<const Node*> nodes = top.tables("include");
    std::set<std::string> prefixes;
    for (size_t i = 0; i < nodes.size() && !faults_.full(); ++i) {
      Fields f(r.scope, *nodes[i], "include", fmt::format("include[{}]", i + 1));
      include(r, f, overrides, prefixes);
    }
    for (const auto& [name, value] : overrides)
      if (!prefixes.count(name.substr(0, name.find('.')))) refuse_unknown(r, {name}, Place{});
  }

  void include(Reading& r, Fields& f, const Values& overrides, std::set<std::string>& prefixes) {
    const auto file = f.text("file");
    const std::string prefix = f.text("prefix").value_or("");
    if (!file) return;
    if (!prefix.empty())
      if (const std::string problem = name_problem(prefix); !problem.empty())
        return f.error("prefix", "bad-name", problem);
    prefixes.insert(prefix);
    const ResolvedPath found = resolve_path(*file, r.folder, roots_);
    if (!found.problem.empty()) return f.error("file", "bad-path", found.problem, found.hint);
    const std::string real = real_path(found.path);
    if (const std::string loop = chain_to(real); !loop.empty())
      return f.error("file", "include-cycle", "files that include each other: " + loop);
    const std::string full_prefix = prefix.empty() ? r.scope.prefix : r.scope.prefix + prefix + ".";
    if (!included_.insert(real + '\n' + full_prefix).second)
      return f.error("file", "included-twice",
                     fmt::format("the same file a second time under the same names: {}",
                                 chain_text(found.path)),
                     "give each a prefix of its own");
    if (++includes_ > most_includes)
      return f.error("file", "too-large",
                     fmt::format("more than {} included files", most_includes));

    chain_.push_back({found.path, real});
    model_.files.push_back(found.path);
    read_included(f, found.path, full_prefix, part_values(r, f, prefix, overrides));
    chain_.pop_back();
  }

  void read_included(Fields& f, const std::string& path, const std::string& prefix,
                     const Values& values) {
    try {
      const std::string text = read_model_text(path, f.place("file"));
      bytes_ += text.size();
      if (bytes_ > TextLimits::file_bytes)
        return f.error(
            "file", "too-large",
            fmt::format("included files of more than {} MB", TextLimits::file_bytes >> 20));
      read_part(document_of(text, path, format_of(path, text)), prefix, values,
                f.place("parameters"));
    } catch (const Error& e) {
      for (const Diagnostic& d : e.diagnostics()) faults_.add(d);
    }
  }

  /// Parameters given with the include, and those from outside, which win.
  Values part_values(Reading& r, Fields& f, const std::string& prefix, const Values& overrides) {
    Values values;
    if (const Node* given = f.node("parameters"))
      for (const Node& child : given->children)
        if (const auto x = read_number(r.scope, child, dimensions::none, f.path("parameters")))
          values[child.key] = *x;
    if (!prefix.empty())
      for (const auto& [name, value] : overrides)
        if (name.starts_with(prefix + ".")) values[name.substr(prefix.size() + 1)] = value;
    return values;
  }

  std::string chain_text(const std::string& last) const {
    std::string text;
    for (const OpenFile& file : chain_) text += shown(file.path, 200) + " → ";
    return text + shown(last, 200);
  }
  /// "a → b → a" where this file is one of those being read; "" otherwise.
  std::string chain_to(const std::string& real) const {
    for (const OpenFile& file : chain_)
      if (file.real == real) return chain_text(file.path);
    return "";
  }

  /// Names without a dot in formulas are parameters or signals: sensors that compute a value, inputs,
  /// outputs, states, blocks.
  void check_mentioned_names() {
    std::unordered_set<std::string> sensors, tables;
    for (const SensorSpec& s : model_.sensors)
      if (s.value) sensors.insert(s.name);
    const auto list = [&](const auto& signals) {
      for (const auto& s : signals) sensors.insert(s.name);
    };
    list(model_.inputs), list(model_.outputs), list(model_.states), list(model_.blocks);
    for (const auto& t : model_.tables) tables.insert(t->name);
    for (const MentionedName& m : mentioned_) {
      if (faults_.full()) return;
      if (m.is_table) {
        if (!tables.count(m.name))
          faults_.error("unknown-function", m.where, m.element,
                        fmt::format("no function or table is called '{}'", shown(m.name)),
                        did_you_mean(m.name, {tables.begin(), tables.end()}));
      } else if (!m.has_dot && !m.is_list && !model_.parameters.count(m.name) &&
                 !sensors.count(m.name)) {
        std::vector<std::string> known = {"t"};
        for (const auto& [name, value] : model_.parameters) known.push_back(name);
        known.insert(known.end(), sensors.begin(), sensors.end());
        faults_.error("unknown-name", m.where, m.element,
                      fmt::format("'{}' is neither t nor a parameter nor a signal", shown(m.name)),
                      did_you_mean(m.name, known));
      }
    }
  }

  /// Parameters and tables that nothing reads: often a name that was mistyped where it is used.
  void note_unused() {
    std::unordered_set<std::string> used, called;
    for (const MentionedName& m : mentioned_) (m.is_table ? called : used).insert(m.name);
    const auto note = [&](const ModelPart& part, const Node& node, const char* code,
                          const std::string& element) {
      faults_.note(code, part.document->place(node), element, "nothing in the model reads it");
    };
    for (const ModelPart& part : parts_) {
      const Node &root = part.document->root, *parameters = root.child("parameters");
      if (parameters && parameters->kind == NodeKind::table)
        for (const Node& one : parameters->children)
          if (!used.count(part.prefix + one.key))
            note(part, one, "unused-parameter", "parameters/" + part.prefix + shown(one.key));
      const Node* tables = root.child("table");
      if (tables && tables->kind == NodeKind::list)
        for (const Node& one : tables->children)
          if (const Node* name = one.child("name");
              name && name->kind == NodeKind::text && !called.count(part.prefix + name->text))
            note(part, one, "unused-table", "table/" + part.prefix + shown(name->text));
    }
  }

  /// Validates, adds places to what was found, and throws if there are errors.
  ValidModel judged() {
    return ValidModel(std::move(model_), [this](const Model& model, Diagnostics& model_faults,
                                                Diagnostics& physics_faults) {
      merge(model, faults_, model_faults);
      merge(model, physics_, physics_faults);
      model_faults = std::move(faults_), physics_faults = std::move(physics_);
    });
  }

  /// Adds what validate found, but not about elements that could not be read in the first place.
  void merge(const Model& model, Diagnostics& into, Diagnostics& found) {
    std::set<std::string> unread;
    for (const Diagnostics* d : {&faults_, &physics_})
      for (const Diagnostic& f : d->all())
        if (f.severity == Severity::error) unread.insert(element_head(f.element));
    const auto nameless = [](const auto& list) {
      return std::any_of(list.begin(), list.end(), [](const auto& b) { return b.name.empty(); });
    };
    const bool bodies_incomplete = nameless(model.bodies) || faults_.full();
    for (Diagnostic& d : found.take()) {
      if (unread.count(element_head(d.element))) continue;
      if (bodies_incomplete && d.code == "unknown-body") continue;
      // the path of a repeated name leads to its first use, but the second one is to be changed
      if (const Place exact = locate(parts_, d.element); exact.line > 0 && d.code != "doubled-name")
        d.where = exact;
      into.add(std::move(d));
    }
  }

  const ReadOptions& options_;
  Model model_;
  Diagnostics faults_, physics_;
  std::vector<MentionedName> mentioned_;
  std::map<std::string, int> segments_;  // of beams
  std::vector<ModelPart> parts_;
  struct OpenFile {
    std::string path, real;
  };
  std::vector<OpenFile> chain_;  // files being read, the model first
  std::unordered_set<std::string> included_;
  AllowedRoots roots_;
  int includes_ = 0;
  size_t bytes_ = 0;
};

}  // namespace

Format format_of(const std::string& path, std::string_view text) {
  if (path.ends_with(".json")) return Format::json;
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? Format::json : Format::toml;
}

Model parse_model(std::string_view text, const std::string& file_name, Format format,
                  const ReadOptions& options, const char* headers) {
  check_version(headers);
  return *Reader(options).read(text, file_name, format);
}

ValidModel read_valid_model(const std::string& path, const ReadOptions& options,
                            const char* headers) {
  check_version(headers);
  const std::string text = read_model_text(path, {});
  return Reader(options).read(text, path, format_of(path, text));
}

Model read_model(const std::string& path, const ReadOptions& options, const char* headers) {
  return *read_valid_model(path, options, headers);
}

std::string model_text(const std::string& path, const ReadOptions& options) {
  std::string text = read_model_text(path, {});
  if (!is_xml(text)) return text;
  return import_robot(text, path, {.roots = {folder_of_file(path), options.allowed_roots}}).toml;
}

}  // namespace sarrus
