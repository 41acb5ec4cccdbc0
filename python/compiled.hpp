// A model as the library has it: read, checked and compiled once, with the text it came from.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sarrus/files/read_model.hpp"
#include "sarrus/mechanism/compile.hpp"

namespace sarrus::python {

using Parameters = std::map<std::string, double>;

/// What a model is read from: enough to read it again, in another process too.
struct Source {
  std::string text, file;
  std::vector<Place> origins;  // of each line, where Python has made the text
  Parameters parameters;       // in the place of the text's
  std::string imported = {};   // the model file of a text that is none: of a robot in URDF, …

  const std::string& model_file() const { return imported.empty() ? text : imported; }
};

struct Compiled {
  explicit Compiled(Source from);
  Source source;
  Model model;
  Mechanism mechanism;
};
using Shared = std::shared_ptr<Compiled>;

/// Settings by keyword over those of the model, each as its descriptor says.
SimulateSpec settings_with(const Compiled& c, const pybind11::kwargs& given);

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

using ModelClass = pybind11::class_<Compiled, Shared>;
ModelClass bind_model(pybind11::module_& module);
void bind_runs(pybind11::module_& module, ModelClass& model);
void bind_dynamics(ModelClass& model);
void bind_analyses(pybind11::module_& module, ModelClass& model);

}  // namespace sarrus::python
