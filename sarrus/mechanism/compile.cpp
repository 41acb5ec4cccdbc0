// compile: from names and specifications to one numbered tree.
#include <fenv.h>

#include <algorithm>
#include <cfenv>

#include "sarrus/mechanism/compile.hpp"
#include "sarrus/mechanism/compiler.hpp"
#include "sarrus/mechanism/contacts.hpp"

namespace sarrus {

Mechanism Compiler::run() {
  take_parameters();
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
  add_control();
  binder_.bind(model_.tables);
  list_formulas();
  order_sampled();
  faults_.throw_if_errors(Fault::model);
  physics_.throw_if_errors(Fault::physics);
  for (const Diagnostics* found : {&faults_, &physics_})
    m_.notes.insert(m_.notes.end(), found->all().begin(), found->all().end());
  return std::move(m_);
}

void Compiler::take_parameters() {
  m_.name = model_.name;
  m_.numbers.gravity = model_.gravity;
  for (const auto& [name, value] : model_.parameters) {
    m_.parameter_names.push_back(name);
    m_.numbers.parameters.push_back(value);
  }
  add_inputs();
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

namespace {

/// Kernels compute both branches of a `select`, of which one may divide by 0, and bounds of rounding
/// are those of rounding to nearest. The library changes neither: they belong to the host program.
void refuse_odd_arithmetic() {
  const bool rounds = std::fegetround() != FE_TONEAREST;
  if (!rounds && ::fegetexcept() == 0) return;
  throw Error(
      Fault::usage,
      {.code = "odd-arithmetic",
       .element = "compile",
       .message = rounds ? "this program does not round to nearest, which Sarrus requires"
                         : "this program traps floating-point exceptions, which Sarrus "
                           "causes on purpose",
       .hint = rounds ? "call fesetround(FE_TONEAREST) before, and set it again after"
                      : "call fedisableexcept(FE_ALL_EXCEPT) before, and enable them after"});
}

}  // namespace

Mechanism compile(const ValidModel& model, const char* headers) {
  check_version(headers);
  refuse_odd_arithmetic();
  return Compiler(model).run();
}

/// Notes of this validation that the reader of the model has not given become the mechanism's.
Mechanism compile(const Model& model, const char* headers) {
  const ValidModel valid(model);
  Mechanism m = compile(valid, headers);
  const auto first_new = valid->notes.begin() + static_cast<std::ptrdiff_t>(model.notes.size());
  m.notes.insert(m.notes.begin(), first_new, valid->notes.end());
  return m;
}

}  // namespace sarrus
