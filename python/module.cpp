// import sarrus: what the package in python/sarrus is made of.
#include "compiled.hpp"
#include "errors.hpp"

PYBIND11_MODULE(_sarrus, module) {
  using namespace sarrus::python;
  module.doc() = "The library behind the package sarrus.";
  module.attr("version") = SARRUS_VERSION;
  bind_errors(module);
  ModelClass model = bind_model(module);
  bind_runs(module, model);
  bind_dynamics(model);
  bind_analyses(module, model);
}
