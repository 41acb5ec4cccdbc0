// compile: from names and specifications to one numbered tree.
#include <algorithm>

#include "sarrus/mechanism/compiler.hpp"
#include "sarrus/mechanism/contacts.hpp"

namespace sarrus {

Mechanism Compiler::run() {
  validate_model();
  find_bodies();
  build_tree();
  describe_cuts();
  close_loops();
  add_constraints();
  add_sensors();
  add_joint_forces();
  add_forces();
  add_contacts(model_, m_, faults_);
  add_events();
  binder_.bind(model_.tables);
  list_formulas();
  faults_.throw_if_errors(Fault::model);
  physics_.throw_if_errors(Fault::physics);
  keep_notes(faults_.all());
  keep_notes(physics_.all());
  return std::move(m_);
}

void Compiler::keep_notes(const std::vector<Diagnostic>& found) {
  for (const Diagnostic& d : found)
    if (std::none_of(model_.notes.begin(), model_.notes.end(), [&](const Diagnostic& said) {
          return said.code == d.code && said.element == d.element;
        }))
      m_.notes.push_back(d);
}

void Compiler::validate_model() {
  validate(model_, faults_, physics_);
  faults_.throw_if_errors(Fault::model);
  physics_.throw_if_errors(Fault::physics);
  m_.name = model_.name;
  m_.numbers.gravity = model_.gravity;
  for (const auto& [name, value] : model_.parameters) {
    m_.parameter_names.push_back(name);
    m_.numbers.parameters.push_back(value);
  }
}

void Compiler::find_bodies() {
  body_index_["world"] = -1;
  inside_.assign(model_.bodies.size(), 0);
  for (size_t i = 0; i < model_.bodies.size(); ++i) {
    body_index_[model_.bodies[i].name] = static_cast<int>(i);
    mass_.push_back(mass_properties(model_.bodies[i]));
    m_.bodies.push_back({model_.bodies[i].name, 0, {}, mass_[i].mass, mass_[i].com});
  }
  m_.numbers.body.resize(1);  // the world
}

Mechanism compile(const Model& model, const char* headers) {
  check_version(headers);
  return Compiler(model).run();
}

}  // namespace sarrus
