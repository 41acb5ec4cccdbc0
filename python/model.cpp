// Models: their text as a tree for Python, the grammar, and the settings of a run by keyword.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "compiled.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/import_robot.hpp"
#include "sarrus/files/schema.hpp"
#include "sarrus/files/text/paths.hpp"
#include "sarrus/model/settings.hpp"

namespace py = pybind11;

namespace sarrus::python {
namespace {

Model read(const Source& from) {
  return parse_model(from.text, from.file, format_of(from.file, from.text),
                     {.parameters = from.parameters, .origins = from.origins});
}

// ── the text as a tree ──────────────────────────────────────────────────────────────────────────

/// (value, line, column): a table is a dict of such, a list a list of such. Lines of what an import
/// has made mean nothing to anybody.
py::object tree_of(const Node& node, bool has_lines) {
  py::object value;
  switch (node.kind) {
    case NodeKind::table: {
      py::dict table;
      for (const Node& child : node.children) table[py::str(child.key)] = tree_of(child, has_lines);
      value = table;
      break;
    }
    case NodeKind::list: {
      py::list list;
      for (const Node& child : node.children) list.append(tree_of(child, has_lines));
      value = list;
      break;
    }
    case NodeKind::boolean: value = py::bool_(node.text == "true"); break;
    case NodeKind::number: {
      const py::str text(node.text);
      const bool is_whole = node.text.find_first_not_of("+-0123456789") == std::string::npos;
      value = is_whole ? py::object(py::int_(text)) : py::object(py::float_(text));
      break;
    }
    default: value = py::str(node.text);
  }
  return py::make_tuple(value, has_lines ? node.line : 0, has_lines ? node.column : 0);
}

py::object document_of(const Compiled& c) {
  const Source& from = c.source;
  const std::string& text = from.model_file();
  return tree_of(read_document(text, from.file, format_of(from.file, text)).root, from.imported.empty());
}

// ── the grammar ─────────────────────────────────────────────────────────────────────────────────

const char* word_of(Kind kind) {
  switch (kind) {
    case Kind::integer: return "integer";
    case Kind::number: return "number";
    case Kind::boolean: return "boolean";
    case Kind::text: return "text";
    case Kind::name: return "name";
    case Kind::reference: return "reference";
    case Kind::choice: return "choice";
    case Kind::file: return "file";
    case Kind::column: return "column";
    case Kind::axis: return "axis";
    case Kind::vector: return "vector";
    case Kind::numbers: return "numbers";
    case Kind::pair: return "pair";
    case Kind::quaternion: return "quaternion";
    case Kind::matrix: return "matrix";
    case Kind::transform: return "transform";
    case Kind::inertia: return "inertia";
    case Kind::points: return "points";
    case Kind::rows: return "rows";
    case Kind::words: return "words";
    case Kind::formula: return "formula";
    case Kind::formulas: return "formulas";
    case Kind::vector_formula: return "vector_formula";
    case Kind::start: return "start";
    case Kind::table: return "table";
    case Kind::tables: return "tables";
    case Kind::numbers_by_name: return "numbers_by_name";
    case Kind::formulas_by_name: return "formulas_by_name";
    case Kind::indices: return "indices";
  }
  return "";
}

py::dict key_of(const Key& key) {
  py::dict d;
  d["kind"] = word_of(key.kind);
  d["holds"] = kind_text(key);
  d["unit"] = unit_text(key);
  d["required"] = key.required;
  d["fallback"] = py::str(key.fallback.data(), key.fallback.size());
  py::list words;
  for (const std::string_view w : key.words) words.append(py::str(w.data(), w.size()));
  d["words"] = words;
  d["table"] = py::str(key.table.data(), key.table.size());
  d["help"] = py::str(key.help.data(), key.help.size());
  d["earlier"] = py::str(key.earlier.data(), key.earlier.size());
  return d;
}

/// Every table by its name: { help, keys: { name: … } }, in the order of the pages.
py::dict grammar_of_models() {
  py::dict all;
  for (const TableGrammar& table : grammar()) {
    py::dict keys;
    const auto add = [&](const TableGrammar& t) {
      for (const Key& key : t.keys) keys[py::str(key.name.data(), key.name.size())] = key_of(key);
    };
    add(table);
    if (table.is_repeatable) add(grammar("repeat"));
    py::dict d;
    d["help"] = py::str(table.help.data(), table.help.size());
    d["keys"] = keys;
    all[py::str(table.name.data(), table.name.size())] = d;
  }
  return all;
}

// ── settings ────────────────────────────────────────────────────────────────────────────────────

/// A Python value as what the setting holds.
Setting::Value value_for(const Setting& s, const py::handle& value) {
  const bool is_bool = py::isinstance<py::bool_>(value);
  const bool is_whole = PyIndex_Check(value.ptr()) && !is_bool;  // numpy's numbers too
  const auto wanted = [&](const char* what) {
    return py::type_error(
        fmt::format("{} takes {}, not {}", s.name, what, std::string(py::repr(value))));
  };
  return std::visit(
      [&](auto member) -> Setting::Value {
        using Held = std::decay_t<decltype(std::declval<SimulateSpec>().*member)>;
        if constexpr (std::is_same_v<Held, bool>) {
          if (is_bool) return value.cast<bool>();
          throw wanted("True or False");
        } else if constexpr (std::is_same_v<Held, std::string>) {
          if (py::isinstance<py::str>(value)) return value.cast<std::string>();
          throw wanted("a text");
        } else if constexpr (std::is_same_v<Held, std::optional<long long>>) {
          if (is_whole) return value.cast<long long>();
          throw wanted("a whole number");
        } else {
          if (PyNumber_Check(value.ptr()) && !is_bool) return value.cast<double>();
          if (!py::isinstance<py::str>(value) || !looks_like_quantity(value.cast<std::string>()))
            throw wanted("a number");
          const Quantity q = parse_quantity(value.cast<std::string>(), s.dimension);
          if (!q.problem.empty())
            throw py::value_error(fmt::format("{}: {}; {}", s.name, q.problem, q.hint));
          return q.value;
        }
      },
      s.member);
}

std::vector<std::string> coordinate_names(const Compiled& c) {
  std::vector<std::string> names;
  for (int i = 0; i < c.mechanism.nq; ++i) names.push_back(c.mechanism.coordinate_name(i));
  return names;
}
std::vector<std::string> velocity_names(const Compiled& c) {
  std::vector<std::string> names;
  for (int i = 0; i < c.mechanism.nu; ++i) names.push_back(c.mechanism.velocity_name(i));
  return names;
}

/// (file, line) per line of the text, as Python knows them.
using Origins = std::vector<std::tuple<std::string, int, int>>;

Shared compiled(std::string text, std::string file, const Origins& origins,
                Parameters parameters) {
  const py::gil_scoped_release free;
  Source from{std::move(text), std::move(file), {}, std::move(parameters)};
  for (const auto& [name, line, column] : origins) from.origins.push_back({name, line, column});
  return std::make_shared<Compiled>(std::move(from));
}

Shared loaded(const std::string& path, Parameters parameters) {
  const py::gil_scoped_release free;
  Source from{read_model_text(path, {}), path, {}, std::move(parameters)};
  // of another program's file Python changes what an import makes of it
  if (is_xml(from.text)) from.imported = model_text(path);
  return std::make_shared<Compiled>(std::move(from));
}

}  // namespace

Compiled::Compiled(Source from)
    : source(std::move(from)), model(read(source)), mechanism(compile(model)) {}

SimulateSpec settings_with(const Compiled& c, const py::kwargs& given) {
  SimulateSpec spec = c.model.simulate;
  std::vector<std::string> known;
  for (const Setting& s : settings()) known.emplace_back(s.name);
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key);
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw py::type_error(fmt::format("there is no setting '{}'; {}", name,
                                       did_you_mean(name, known)));
    const Setting& s = setting(name);
    s.set(spec, value_for(s, value));
    if (const std::string problem = s.problem(spec); !problem.empty())
      throw py::value_error(fmt::format("{}: {}", name, problem));
  }
  return spec;
}

ModelClass bind_model(py::module_& module) {
  module.def("grammar", &grammar_of_models, "Every table and key of a model, as the reader has them.");
  module.def("did_you_mean", &did_you_mean, py::arg("word"), py::arg("candidates"),
             "The nearest of the candidates, in words.");
  module.def("load", &loaded, py::arg("path"), py::arg("parameters"));
  module.def("compiled", &compiled, py::arg("text"), py::arg("file"), py::arg("origins"),
             py::arg("parameters"),
             "Reads a model from TOML or JSON; `origins` says what each line comes from.");
  return ModelClass(module, "Compiled", "A model that was read, checked and compiled.")
      .def_property_readonly("name", [](const Compiled& c) { return c.model.name; })
      .def_property_readonly("bodies", [](const Compiled& c) { return names_of(c.model.bodies); })
      .def_property_readonly("joints", [](const Compiled& c) { return names_of(c.model.joints); })
      .def_property_readonly("sensors", [](const Compiled& c) { return names_of(c.model.sensors); })
      .def_property_readonly("parameters", [](const Compiled& c) { return c.model.parameters; })
      .def_property_readonly("coordinates", &coordinate_names, "Names of the entries of q.")
      .def_property_readonly("velocities", &velocity_names, "Names of the entries of u.")
      .def_property_readonly("q", [](const Compiled& c) { return array_of(c.mechanism.start.q); },
                             "Positions at the start.")
      .def_property_readonly("u", [](const Compiled& c) { return array_of(c.mechanism.start.u); },
                             "Velocities at the start.")
      .def_property_readonly(
          "notes",
          [](const Compiled& c) {
            std::vector<Diagnostic> notes = c.model.notes;
            notes.insert(notes.end(), c.mechanism.notes.begin(), c.mechanism.notes.end());
            return notes;
          },
          "Warnings and notes of reading and compiling.")
      .def("tree", &document_of, "The text as nested (value, line, column).")
      .def(
          "source",
          [](const Compiled& c) {
            Origins origins;
            for (const Place& p : c.source.origins) origins.emplace_back(p.file, p.line, p.column);
            return py::make_tuple(c.source.model_file(), c.source.file, origins, c.source.parameters);
          },
          "What `compiled` makes the same model from.");
}

}  // namespace sarrus::python
