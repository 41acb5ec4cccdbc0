// import sarrus: models, runs, simulations step by step, and the dynamics of one instant.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <chrono>

#include "arrays.hpp"
#include "errors.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/formulations/stages/derivatives.hpp"
#include "sarrus/linear/modes.hpp"
#include "sarrus/model/settings.hpp"
#include "sarrus/run/simulate.hpp"
#include "sarrus/run/simulation.hpp"

namespace py = pybind11;

namespace sarrus::python {
namespace {

// ── models ──────────────────────────────────────────────────────────────────────────────────────

/// A model with its mechanism, compiled once.
struct Loaded {
  explicit Loaded(Model read) : model(std::move(read)), mechanism(compile(model)) {}
  Model model;
  Mechanism mechanism;
};
using Shared = std::shared_ptr<const Loaded>;

using Parameters = std::map<std::string, double>;

Shared load(const std::string& path, const Parameters& parameters) {
  const py::gil_scoped_release free;
  return std::make_shared<Loaded>(read_model(path, {.parameters = parameters}));
}

Shared parse(const std::string& text, const Parameters& parameters, const std::string& file) {
  const py::gil_scoped_release free;
  return std::make_shared<Loaded>(
      parse_model(text, file, Format::toml, {.parameters = parameters}));
}

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

std::vector<std::string> coordinate_names(const Loaded& l) {
  std::vector<std::string> names;
  for (int i = 0; i < l.mechanism.nq; ++i) names.push_back(l.mechanism.coordinate_name(i));
  return names;
}
std::vector<std::string> velocity_names(const Loaded& l) {
  std::vector<std::string> names;
  for (int i = 0; i < l.mechanism.nu; ++i) names.push_back(l.mechanism.velocity_name(i));
  return names;
}

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
          throw wanted("a number");
        }
      },
      s.member);
}

/// Settings by keyword, each as its descriptor says.
SimulateSpec settings_with(const Loaded& l, const py::kwargs& given) {
  SimulateSpec spec = l.model.simulate;
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

// ── runs ────────────────────────────────────────────────────────────────────────────────────────

/// Whether Ctrl-C was pressed; asked for no more often than a person would notice.
class Interrupt {
 public:
  int operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(50)) return 0;
    asked_ = now;
    const py::gil_scoped_acquire held;
    return PyErr_CheckSignals() ? 1 : 0;
  }

 private:
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

std::unique_ptr<Run> simulated(const Shared& l, const py::kwargs& given) {
  const SimulateSpec spec = settings_with(*l, given);
  std::unique_ptr<Run> run;
  {
    const py::gil_scoped_release free;
    Interrupt interrupt;
    run = std::make_unique<Run>(
        simulate(l->mechanism, spec, [&interrupt] { return interrupt(); }));
  }
  // what was pressed is handed on; its rows are lost with it, as everywhere in Python
  if (PyErr_Occurred()) throw py::error_already_set();
  if (run->summary.failure)
    throw Error(Fault::numerics, *run->summary.failure);
  return run;
}

int column_of(const Run& run, const std::string& name) {
  const int i = run.trajectory.column(name);
  if (i >= 0) return i;
  throw py::key_error(fmt::format("there is no column '{}'; {}", name,
                                  did_you_mean(name, names_of(run.trajectory.columns))));
}

py::array column_view(const py::object& self, const std::string& name) {
  const Run& run = self.cast<const Run&>();
  const auto width = static_cast<py::ssize_t>(run.trajectory.columns.size());
  return view(run.trajectory.values.data() + column_of(run, name), {run.trajectory.rows()},
              {width * static_cast<py::ssize_t>(sizeof(double))}, self);
}

py::array all_values(const py::object& self) {
  const Run& run = self.cast<const Run&>();
  const auto width = static_cast<py::ssize_t>(run.trajectory.columns.size());
  constexpr auto one = static_cast<py::ssize_t>(sizeof(double));
  return view(run.trajectory.values.data(), {run.trajectory.rows(), width}, {width * one, one},
              self);
}

py::dict units_of(const Run& run) {
  py::dict units;
  for (const Column& c : run.trajectory.columns) units[py::str(c.name)] = c.unit;
  return units;
}

// ── one instant ─────────────────────────────────────────────────────────────────────────────────

/// Positions and velocities as given, or those of the start.
struct State {
  std::vector<double> q, u;
};
State state_of(const Loaded& l, const std::optional<Array>& q, const std::optional<Array>& u) {
  const Mechanism& m = l.mechanism;
  return {q ? numbers(*q, m.nq, "q") : m.start.q, u ? numbers(*u, m.nu, "u") : m.start.u};
}

Array mass_matrix_of(const Loaded& l, const std::optional<Array>& q) {
  const State s = state_of(l, q, {});
  const int n = l.mechanism.nu;
  Array M({n, n});
  Workspace<double> w(l.mechanism);
  mass_matrix_at(w, s.q.data(), M.mutable_data());
  return M;
}

Array forward(const Loaded& l, const std::optional<Array>& q, const std::optional<Array>& u,
              double t) {
  const State s = state_of(l, q, u);
  Workspace<double> w(l.mechanism);
  const Kinematics<double>& k =
      move(w, t, s.q.data(), s.u.data(), l.mechanism.start_state.data());
  const Accelerations<double>& a = accelerate(w, k, load(w, k));
  if (!a.exist) throw py::value_error("there are no accelerations that friction and loops allow");
  return array_of(a.udot);
}

Array inverse(const Loaded& l, const std::optional<Array>& q, const std::optional<Array>& u,
              const std::optional<Array>& udot) {
  const State s = state_of(l, q, u);
  const int n = l.mechanism.nu;
  const std::vector<double> a =
      udot ? numbers(*udot, n, "udot") : std::vector<double>(static_cast<size_t>(n));
  std::vector<double> tau(static_cast<size_t>(n));
  Workspace<double> w(l.mechanism);
  inverse_dynamics_at(w, s.q.data(), s.u.data(), a.data(), tau.data());
  return array_of(tau);
}

Array copied(const RowsView& rows) {
  Array out({rows.rows, rows.columns});
  auto to = out.mutable_unchecked<2>();
  for (int i = 0; i < rows.rows; ++i)
    for (int j = 0; j < rows.columns; ++j) to(i, j) = rows(i, j);
  return out;
}

/// ∂u̇/∂q, ∂u̇/∂u, ∂u̇/∂τ where u̇ is given, or that of inertia and gravity alone.
py::tuple derivatives_of(const Loaded& l, const std::optional<Array>& q,
                         const std::optional<Array>& u, const std::optional<Array>& udot) {
  const Mechanism& m = l.mechanism;
  if (!Derivatives::cover(m))
    throw py::value_error("derivatives of elastic bodies are not there yet");
  const State s = state_of(l, q, u);
  Workspace<double> w(m);
  const Kinematics<double>& k = move(w, 0.0, s.q.data(), s.u.data(), m.start_state.data());
  const std::vector<double> a =
      udot ? numbers(*udot, m.nu, "udot") : accelerate(w, k, load(w, k)).udot;
  Derivatives d(m);
  const ForwardDerivatives found = d.of_forward_dynamics(w, k, a.data());
  return py::make_tuple(copied(found.by_x), copied(found.by_u), copied(found.by_tau));
}

py::list modes_of(const Loaded& l, double t) {
  ModelModes found;
  {
    const py::gil_scoped_release free;
    found = modes_about(l.mechanism, start_point(l.mechanism, t));
  }
  py::list values;
  for (const Mode& mode : found.modes)
    values.append(std::complex<double>(mode.value.re, mode.value.im));
  return values;
}

// ── bindings ────────────────────────────────────────────────────────────────────────────────────

void bind_model(py::module_& module) {
  py::class_<Loaded, std::shared_ptr<Loaded>>(module, "Model",
                                              "A model that was read, checked and compiled.")
      .def_property_readonly("name", [](const Loaded& l) { return l.model.name; })
      .def_property_readonly("bodies", [](const Loaded& l) { return names_of(l.model.bodies); })
      .def_property_readonly("joints", [](const Loaded& l) { return names_of(l.model.joints); })
      .def_property_readonly("parameters", [](const Loaded& l) { return l.model.parameters; })
      .def_property_readonly("coordinates", &coordinate_names, "Names of the entries of q.")
      .def_property_readonly("velocities", &velocity_names, "Names of the entries of u.")
      .def_property_readonly("q", [](const Loaded& l) { return array_of(l.mechanism.start.q); },
                             "Positions at the start.")
      .def_property_readonly("u", [](const Loaded& l) { return array_of(l.mechanism.start.u); },
                             "Velocities at the start.")
      .def_property_readonly("notes", [](const Loaded& l) { return l.model.notes; })
      .def(
          "simulate",
          [](const std::shared_ptr<Loaded>& l, const py::kwargs& given) {
            return simulated(l, given);
          },
          "Runs the model and keeps the rows. Keywords are the keys of [simulate]: until=10, "
          "rtol=1e-9, integrator=\"rk4\", …")
      .def(
          "simulation",
          [](const Loaded& l, const py::kwargs& given) {
            Model model = l.model;
            model.simulate = settings_with(l, given);
            return std::make_unique<Simulation>(model);
          },
          "The model at its start, to be advanced step by step.")
      .def("mass_matrix", &mass_matrix_of, py::arg("q") = py::none())
      .def("forward_dynamics", &forward, py::arg("q") = py::none(), py::arg("u") = py::none(),
           py::arg("t") = 0.0, "Accelerations under all forces of the model.")
      .def("inverse_dynamics", &inverse, py::arg("q") = py::none(), py::arg("u") = py::none(),
           py::arg("udot") = py::none(),
           "Joint forces that give these accelerations under gravity and no other force.")
      .def("derivatives", &derivatives_of, py::arg("q") = py::none(), py::arg("u") = py::none(),
           py::arg("udot") = py::none(),
           "How accelerations depend on positions, velocities and joint forces, exactly: three "
           "matrices.")
      .def("modes", &modes_of, py::arg("t") = 0.0,
           "Eigenvalues about the start [1/s], one of each pair, by size.")
      .def("__repr__", [](const Loaded& l) {
        return fmt::format("<sarrus.Model '{}': {} bodies, {} velocities>", l.model.name,
                           l.model.bodies.size(), l.mechanism.nu);
      });
}

void bind_result(py::module_& module) {
  py::class_<Run>(module, "Result", "Rows of a run under named columns.")
      .def("__getitem__", &column_view, "A column as a read-only view: result[\"tip.x\"].")
      .def("__contains__",
           [](const Run& r, const std::string& name) { return r.trajectory.column(name) >= 0; })
      .def("__len__", [](const Run& r) { return r.trajectory.rows(); })
      .def_property_readonly("columns", [](const Run& r) { return names_of(r.trajectory.columns); })
      .def_property_readonly("units", &units_of)
      .def_property_readonly("time", [](const py::object& self) { return column_view(self, "time"); })
      .def_property_readonly("values", &all_values, "All rows, as one read-only view.")
      .def_property_readonly("status", [](const Run& r) { return to_text(r.summary.status); })
      .def_property_readonly("steps", [](const Run& r) { return r.summary.steps; })
      .def_property_readonly(
          "energy_gap", [](const Run& r) { return r.summary.closure; },
          "How far the account of energy is from closing, at most [J].")
      .def_property_readonly("notes", [](const Run& r) { return r.summary.notes; })
      .def("__repr__", [](const Run& r) {
        return fmt::format("<sarrus.Result: {} rows to {} s, {} columns>", r.trajectory.rows(),
                           r.summary.t, r.trajectory.columns.size());
      });
}

void bind_simulation(py::module_& module) {
  py::class_<SimulationState>(module, "SimulationState", "Everything the rest of it depends on.");
  py::class_<Simulation>(module, "Simulation", "A model that is advanced from outside.")
      .def_property_readonly("time", &Simulation::time)
      .def_property_readonly("columns", [](const Simulation& s) { return names_of(s.columns()); })
      .def("advance", &Simulation::advance, py::arg("t"), py::call_guard<py::gil_scoped_release>(),
           "Goes on to exactly t.")
      .def("step", &Simulation::step, py::call_guard<py::gil_scoped_release>(),
           "One step of the method, as long as it chooses; the new time.")
      .def("__getitem__",
           [](const Simulation& s, const std::string& name) {
             try {
               return s.value(name);
             } catch (const std::invalid_argument& unknown) {
               throw py::key_error(unknown.what());
             }
           })
      .def(
          "__setitem__",
          [](Simulation& s, const std::string& name, double value) { s.set(name, value); },
          "A parameter that formulas of the model read.")
      .def_property_readonly("q", [](const Simulation& s) { return array_of(s.now().q); })
      .def_property_readonly("u", [](const Simulation& s) { return array_of(s.now().u); })
      .def_property_readonly("udot", [](const Simulation& s) { return array_of(s.now().udot); })
      .def("save", &Simulation::save)
      .def("restore", &Simulation::restore, py::arg("state"))
      .def("reset", &Simulation::reset)
      .def("__repr__", [](const Simulation& s) {
        return fmt::format("<sarrus.Simulation at {} s>", s.time());
      });
}

}  // namespace
}  // namespace sarrus::python

PYBIND11_MODULE(_sarrus, module) {
  using namespace sarrus::python;
  module.doc() = "The library behind the package sarrus.";
  module.attr("version") = SARRUS_VERSION;
  bind_errors(module);
  bind_result(module);
  bind_simulation(module);
  bind_model(module);
  module.def("load", &load, py::arg("path"), py::arg("parameters") = Parameters{},
             "Reads a model file.");
  module.def("parse", &parse, py::arg("text"), py::arg("parameters") = Parameters{},
             py::arg("file") = "model.toml", "Reads a model from text.");
}
