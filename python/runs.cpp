// Runs: results as views, simulations step by step.
#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <unordered_map>

#include "arrays.hpp"
#include "compiled.hpp"
#include "errors.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/results/kept_model.hpp"
#include "sarrus/results/result_reader.hpp"
#include "sarrus/results/result_writer.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/results/run_json.hpp"
#include "sarrus/run/simulate.hpp"
#include "sarrus/run/simulation.hpp"
#include "sarrus/show/report.hpp"

namespace py = pybind11;

namespace sarrus::python {
namespace {

// ── results ─────────────────────────────────────────────────────────────────────────────────────

/// Rows that were computed here, or read from a file.
struct Result {
  Trajectory rows;
  std::string status;
  std::string summary;  // JSON
  std::vector<Diagnostic> notes;
  std::string path;  // of the file
  std::string name;  // of the model
  // of a run in memory
  Shared model;
  SimulateSpec settings;
  ResultStatus ended = ResultStatus::unfinished;

  py::ssize_t width() const { return static_cast<py::ssize_t>(rows.columns.size()); }
};

int column_of(const Result& r, const std::string& name) {
  const int i = r.rows.column(name);
  if (i >= 0) return i;
  throw py::key_error(fmt::format("there is no column '{}'; {}", name,
                                  did_you_mean(name, names_of(r.rows.columns))));
}

constexpr auto one_number = static_cast<py::ssize_t>(sizeof(double));

py::array column_view(const py::object& self, const std::string& name) {
  const Result& r = self.cast<const Result&>();
  return view(r.rows.values.data() + column_of(r, name), {r.rows.rows()},
              {r.width() * one_number}, self);
}

py::array all_values(const py::object& self) {
  const Result& r = self.cast<const Result&>();
  return view(r.rows.values.data(), {r.rows.rows(), r.width()},
              {r.width() * one_number, one_number}, self);
}

py::dict units_of(const Result& r) {
  py::dict units;
  for (const Column& c : r.rows.columns) units[py::str(c.name)] = c.unit;
  return units;
}

std::unique_ptr<Result> result_from(const std::string& path) {
  const py::gil_scoped_release free;
  ResultFile file = read_result(path);
  auto r = std::make_unique<Result>();
  r->rows = std::move(file.rows);
  r->status = to_text(file.status);
  r->summary = std::move(file.summary_json);
  r->notes = std::move(file.notes);
  r->path = std::move(file.path);
  r->name = std::move(file.header.model_name);
  r->ended = file.status;
  return r;
}

/// A folder that goes with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "sarrus-result-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr)
      throw system_error(path_, "cannot-open", "create a folder", errno);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string run() const { return join_path(path_, "run"); }

 private:
  std::string path_;
};

/// The folder that `sarrus run` would have left.
void write_folder(const Result& r, const std::string& path, FolderUse use) {
  RunFolder folder(path, use);
  ResultHeader header;
  header.model_name = r.name;
  Json settings = settings_json(r.settings);
  if (!r.model->source.parameters.empty()) settings["set"] = r.model->source.parameters;
  header.settings_json = settings.dump();
  ResultWriter writer(folder.result_path(), header);
  folder.start(r.model->source.model_file(), pack_parts(r.model->model));
  writer.begin(r.rows.columns);
  for (int i = 0; i < r.rows.rows(); ++i) writer.row(r.rows.row(i));
  for (const Diagnostic& d : r.notes) writer.add_note(d);
  writer.finish(r.ended, r.summary);
}

void save_result(const Result& r, const std::string& path, bool replace) {
  const py::gil_scoped_release free;
  if (!r.model)
    throw Error(Fault::usage, Diagnostic{.code = "usage",
                                         .element = "save",
                                         .message = fmt::format("the rows are in '{}' already", r.path)});
  write_folder(r, path, replace ? FolderUse::replace : FolderUse::fresh);
}

std::int64_t report_of(const Result& r, const std::string& path, bool replace) {
  const py::gil_scoped_release free;
  if (!r.model) return write_report(r.path, path, {}, replace).shown;
  const TemporaryFolder made;
  write_folder(r, made.run(), FolderUse::fresh);
  return write_report(made.run(), path, {}, replace).shown;
}

using Clock = std::chrono::steady_clock;
bool is_due(Clock::time_point& last, int milliseconds) {
  const auto now = Clock::now();
  if (now - last < std::chrono::milliseconds(milliseconds)) return false;
  last = now;
  return true;
}

/// Asked after every step, looks at the clock, and only now and then at what Python has to say:
/// Ctrl-C, and where the run has got to.
class Watch {
 public:
  explicit Watch(py::function progress) : progress_(std::move(progress)) {}

  int interrupted() {
    if (stopped_ || !is_due(asked_, 50)) return stopped_;
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals()) stopped_ = 1;
    return stopped_;
  }
  void at(double t) {
    if (!progress_ || stopped_ || !is_due(told_, 200)) return;
    const py::gil_scoped_acquire held;
    try {
      progress_(t);
    } catch (py::error_already_set& raised) {
      raised.restore();
      stopped_ = 1;
    }
  }

 private:
  Clock::time_point asked_ = Clock::now(), told_ = asked_;
  py::function progress_;
  int stopped_ = 0;
};

/// Throws what is raised already, with the rows so far as its `result`.
[[noreturn]] void raise_with(py::object result) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (PyObject_SetAttrString(value, "result", result.ptr()) != 0) PyErr_Clear();
  PyErr_Restore(type, value, trace);
  throw py::error_already_set();
}

py::object simulated(const Shared& model, const py::object& progress, const py::kwargs& given) {
  auto r = std::make_unique<Result>();
  r->settings = settings_with(*model, given);
  r->model = model;
  r->name = model->mechanism.name;
  Watch watch(progress.is_none() ? py::function() : progress.cast<py::function>());
  std::optional<Diagnostic> failure;
  {
    const py::gil_scoped_release free;
    Run run = simulate(
        model->mechanism, r->settings, [&watch] { return watch.interrupted(); },
        [&watch](double t) { watch.at(t); });
    r->rows = std::move(run.trajectory);
    r->status = to_text(run.summary.status);
    r->ended = result_status(run.summary.status);
    r->summary =
        summary_json(model->mechanism, r->settings, run.summary, r->rows.columns.size()).dump();
    r->notes = std::move(run.summary.notes);
    failure = std::move(run.summary.failure);
  }
  py::object made = py::cast(std::move(r));
  if (PyErr_Occurred()) raise_with(made);
  if (failure) {
    raise_error(Error(Fault::numerics, *failure));
    raise_with(made);
  }
  return made;
}

// ── step by step ────────────────────────────────────────────────────────────────────────────────

/// A simulation with what it was made from, so that it can be made again.
struct Stepped {
  Stepped(Shared from, const SimulateSpec& with) : model(std::move(from)), settings(with) {
    Model own = model->model;
    own.simulate = settings;
    simulation = std::make_unique<Simulation>(own);
    for (size_t i = 0; i < simulation->columns().size(); ++i)
      column.emplace(simulation->columns()[i].name, i);
    input_names = simulation->inputs();
    const std::vector<std::string>& all = simulation->mechanism().parameter_names;
    for (const std::string& name : input_names)
      input_index.push_back(static_cast<size_t>(std::find(all.begin(), all.end(), name) - all.begin()));
    take_inputs(simulation->mechanism().numbers.parameters);
  }

  void take_inputs(const std::vector<double>& parameters) {
    inputs.clear();
    for (const size_t i : input_index) inputs.push_back(parameters[i]);
  }
  void set(const std::string& name, double value) {
    simulation->set(name, value);
    const auto at = std::find(input_names.begin(), input_names.end(), name);
    inputs[static_cast<size_t>(at - input_names.begin())] = value;
  }

  Shared model;
  SimulateSpec settings;
  std::unique_ptr<Simulation> simulation;
  std::unordered_map<std::string, size_t> column;
  std::vector<std::string> input_names;
  std::vector<size_t> input_index;
  std::vector<double> inputs;
  std::atomic<bool> is_busy = false;
};

/// A simulation belongs to one thread at a time: another one that comes meanwhile is told so.
class Hold {
 public:
  explicit Hold(Stepped& s) : s_(s) {
    if (s.is_busy.exchange(true))
      throw std::runtime_error(
          "the simulation is at work in another thread, or in a callback of its own; give each "
          "thread a simulation of its own");
  }
  ~Hold() { s_.is_busy = false; }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Stepped& s_;
};

Simulation& of(Stepped& s) { return *s.simulation; }

double value_of(Stepped& s, const std::string& name) {
  const Hold held(s);
  if (const auto at = s.column.find(name); at != s.column.end()) return of(s).row()[at->second];
  if (const auto at = std::find(s.input_names.begin(), s.input_names.end(), name);
      at != s.input_names.end())
    return s.inputs[static_cast<size_t>(at - s.input_names.begin())];
  std::vector<std::string> known = s.input_names;
  for (const auto& [column, index] : s.column) known.push_back(column);
  std::sort(known.begin(), known.end());
  throw py::key_error(fmt::format("no column or input is called '{}'; {}", name, did_you_mean(name, known)));
}

/// To exactly t, or until Ctrl-C.
void advance(Stepped& s, double t) {
  const Hold held(s);
  bool stopped = false;
  {
    const py::gil_scoped_release free;
    auto asked = std::chrono::steady_clock::now();
    int steps = 0;
    of(s).advance(t, [&] {
      if (++steps % 64 != 0 || !is_due(asked, 50)) return false;
      const py::gil_scoped_acquire back;
      return stopped = PyErr_CheckSignals() != 0;
    });
  }
  if (stopped) throw py::error_already_set();
}

Array inputs_of(Stepped& s) { return array_of(s.inputs); }
void set_inputs(Stepped& s, const Array& values) {
  const std::vector<double> given =
      numbers(values, static_cast<int>(s.input_names.size()), "inputs");
  const Hold held(s);
  for (size_t i = 0; i < given.size(); ++i)
    if (given[i] != s.inputs[i]) s.set(s.input_names[i], given[i]);
}

std::unique_ptr<Stepped> copied(Stepped& s) {
  const Hold held(s);
  const py::gil_scoped_release free;
  auto copy = std::make_unique<Stepped>(s.model, s.settings);
  copy->simulation->restore(of(s).save());
  copy->inputs = s.inputs;
  return copy;
}

void restore(Stepped& s, const SimulationState& state) {
  const Hold held(s);
  of(s).restore(state);
  s.take_inputs(state.motion.parameters);
}

// ── states that travel ──────────────────────────────────────────────────────────────────────────

py::tuple state_to_python(const SimulationState& s) {
  const MotionState& m = s.motion;
  return py::make_tuple(m.t, m.steps, m.q, m.rest, m.memory, m.formulation_memory, m.counted_from,
                        m.counted, m.parameters, s.energy_at_start);
}
SimulationState state_from_python(const py::tuple& t) {
  if (t.size() != 10) throw py::value_error("this is no state of a simulation");
  using Numbers = std::vector<double>;
  SimulationState s;
  s.motion = {.t = t[0].cast<double>(),
              .steps = t[1].cast<std::int64_t>(),
              .q = t[2].cast<Numbers>(),
              .rest = t[3].cast<Numbers>(),
              .memory = t[4].cast<Numbers>(),
              .formulation_memory = t[5].cast<Numbers>(),
              .parameters = t[8].cast<Numbers>(),
              .counted_from = t[6].cast<std::optional<double>>(),
              .counted = t[7].cast<std::int64_t>()};
  s.energy_at_start = t[9].cast<double>();
  return s;
}

void bind_result(py::module_& module) {
  py::class_<Result>(module, "Rows", "Rows of a run under named columns.")
      .def("__getitem__", &column_view, py::arg("column"))
      .def("__contains__",
           [](const Result& r, const std::string& name) { return r.rows.column(name) >= 0; })
      .def("__len__", [](const Result& r) { return r.rows.rows(); })
      .def_property_readonly("columns", [](const Result& r) { return names_of(r.rows.columns); })
      .def_property_readonly("units", &units_of)
      .def_property_readonly("values", &all_values)
      .def_readonly("status", &Result::status)
      .def_readonly("summary", &Result::summary)
      .def_readonly("notes", &Result::notes)
      .def_readonly("path", &Result::path)
      .def_readonly("name", &Result::name)
      .def("save", &save_result, py::arg("folder"), py::arg("replace"))
      .def("report", &report_of, py::arg("path"), py::arg("replace"));
  module.def("read", &result_from, py::arg("path"));
}

void bind_simulation(py::module_& module) {
  py::class_<SimulationState>(module, "SimulationState",
                              "Everything that the rest of a simulation depends on.")
      .def_property_readonly("time", [](const SimulationState& s) { return s.motion.t; })
      .def(py::pickle(&state_to_python, &state_from_python));
  py::class_<Stepped>(module, "Stepped", "A model that is advanced from outside.", py::dynamic_attr())
      .def(py::init([](const Shared& model, const py::kwargs& given) {
        const SimulateSpec settings = settings_with(*model, given);
        const py::gil_scoped_release free;
        return std::make_unique<Stepped>(model, settings);
      }))
      .def(py::init(&copied), py::arg("other"))
      .def_property_readonly("time", [](Stepped& s) { return of(s).time(); }, "[s]")
      .def_property_readonly("columns", [](Stepped& s) { return names_of(of(s).columns()); })
      .def_property_readonly(
          "units",
          [](Stepped& s) {
            py::dict units;
            for (const Column& c : of(s).columns()) units[py::str(c.name)] = c.unit;
            return units;
          })
      .def("_advance", &advance, py::arg("t"))
      .def("_step",
           [](Stepped& s, double until) {
             const Hold held(s);
             const py::gil_scoped_release free;
             return of(s).step(until);
           },
           py::arg("until"))
      .def("__getitem__", &value_of, py::arg("name"))
      .def(
          "__setitem__",
          [](Stepped& s, const std::string& name, double value) {
            const Hold held(s);
            s.set(name, value);
          },
          py::arg("name"), py::arg("value"))
      .def_readonly("input_names", &Stepped::input_names, "What may be set, in the order of `inputs`.")
      .def_property("inputs", &inputs_of, &set_inputs)
      .def_property_readonly(
          "values", [](Stepped& s) { return array_of(of(s).row()); }, "All columns at `time`.")
      .def_property_readonly("q", [](Stepped& s) { return array_of(of(s).now().q); })
      .def_property_readonly("u", [](Stepped& s) { return array_of(of(s).now().u); })
      .def_property_readonly("udot", [](Stepped& s) { return array_of(of(s).now().udot); })
      .def("save",
           [](Stepped& s) {
             const Hold held(s);
             return of(s).save();
           })
      .def("restore", &restore, py::arg("state"))
      .def("reset",
           [](Stepped& s) {
             const Hold held(s);
             of(s).reset();
             s.take_inputs(of(s).mechanism().numbers.parameters);
           })
      .def_readonly("model", &Stepped::model)
      .def_property_readonly("_settings", [](const Stepped& s) {
        py::dict given;
        for (const Setting& one : settings())
          std::visit(
              [&](const auto& x) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(x)>, std::monostate>)
                  given[py::str(one.name.data(), one.name.size())] = x;
              },
              one.value(s.settings));
        return given;
      });
}

}  // namespace

void bind_runs(py::module_& module, ModelClass& model) {
  bind_result(module);
  bind_simulation(module);
  model.def("simulate", &simulated, py::arg("progress"));
}

}  // namespace sarrus::python
