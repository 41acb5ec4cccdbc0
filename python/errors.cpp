#include "errors.hpp"

#include <pybind11/stl.h>

namespace py = pybind11;

namespace sarrus::python {
namespace {

/// The types live as long as the interpreter.
struct ErrorTypes {
  PyObject *base = nullptr, *model = nullptr, *numerics = nullptr, *usage = nullptr;
};
ErrorTypes types;

PyObject* type_of(Fault fault) {
  switch (fault) {
    case Fault::model:
    case Fault::physics: return types.model;
    case Fault::numerics:
    case Fault::budget: return types.numerics;
    case Fault::usage: return types.usage;
    default: return types.base;
  }
}

PyObject* new_type(py::module_& module, const char* name, PyObject* bases, const char* help) {
  PyObject* type =
      PyErr_NewExceptionWithDoc((std::string("sarrus.") + name).c_str(), help, bases, nullptr);
  if (!type) throw py::error_already_set();
  module.add_object(name, py::reinterpret_borrow<py::object>(type));
  return type;
}

const char* word_of(Severity severity) {
  return severity == Severity::error     ? "error"
         : severity == Severity::warning ? "warning"
                                         : "note";
}

}  // namespace

void raise_error(const Error& error) {
  const py::object type = py::reinterpret_borrow<py::object>(type_of(error.fault()));
  const py::object made = type(error.what());
  py::list found;
  for (const Diagnostic& d : error.diagnostics()) found.append(d);
  made.attr("diagnostics") = found;
  PyErr_SetObject(type.ptr(), made.ptr());
}

void bind_errors(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic", "One thing that was found, and what to do about it.")
      .def(py::init([](std::string code, std::string file, int line, std::string element,
                       std::string message, std::string hint) {
             return Diagnostic{.code = std::move(code),
                               .where = {std::move(file), line, 0},
                               .element = std::move(element),
                               .message = std::move(message),
                               .hint = std::move(hint)};
           }),
           py::arg("code"), py::arg("file"), py::arg("line"), py::arg("element"),
           py::arg("message"), py::arg("hint") = "")
      .def_readonly("code", &Diagnostic::code)
      .def_readonly("element", &Diagnostic::element, "Path in the model: joint/slider/child.")
      .def_readonly("message", &Diagnostic::message)
      .def_readonly("hint", &Diagnostic::hint)
      .def_property_readonly("severity",
                             [](const Diagnostic& d) { return word_of(d.severity); })
      .def_property_readonly("file", [](const Diagnostic& d) { return d.where.file; })
      .def_property_readonly("line", [](const Diagnostic& d) { return d.where.line; })
      .def_property_readonly("column", [](const Diagnostic& d) { return d.where.column; })
      .def("__str__", [](const Diagnostic& d) { return to_text(d); })
      .def("__repr__", [](const Diagnostic& d) { return "<" + to_text(d) + ">"; });

  types.base = new_type(module, "Error", PyExc_Exception,
                        "What Sarrus refuses or cannot do; `diagnostics` lists everything found.");
  const auto both = [](PyObject* other) {
    return py::make_tuple(py::reinterpret_borrow<py::object>(types.base),
                          py::reinterpret_borrow<py::object>(other));
  };
  types.model = new_type(module, "ModelError", both(PyExc_ValueError).ptr(),
                         "The model cannot be read, or contradicts itself.");
  types.numerics = new_type(module, "NumericsError", both(PyExc_ArithmeticError).ptr(),
                            "A run that could not go on.");
  types.usage = new_type(module, "UsageError", both(PyExc_ValueError).ptr(),
                         "A call that makes no sense.");
  module.def(
      "raise_model_error",
      [](const std::vector<Diagnostic>& found) { throw Error(Fault::model, found); },
      py::arg("diagnostics"));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise_error(error);
    }
  });
}

}  // namespace sarrus::python
