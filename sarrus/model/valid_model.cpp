#include "sarrus/model/valid_model.hpp"

#include <algorithm>

namespace sarrus {

void ValidModel::judge(const Diagnostics& model_faults, const Diagnostics& physics_faults) {
  std::vector<Diagnostic> all = model_faults.all();
  all.insert(all.end(), physics_faults.all().begin(), physics_faults.all().end());
  if (model_faults.has_errors()) throw Error(Fault::model, std::move(all));
  if (physics_faults.has_errors()) throw Error(Fault::physics, std::move(all));
  std::vector<Diagnostic>& notes = model_.notes;
  const auto known = static_cast<std::ptrdiff_t>(notes.size());
  for (Diagnostic& d : all)
    if (std::none_of(notes.begin(), notes.begin() + known, [&](const Diagnostic& said) {
          return said.code == d.code && said.element == d.element;
        }))
      notes.push_back(std::move(d));
}

void ValidModel::set(SimulateSpec settings) {
  std::swap(model_.simulate, settings);
  Diagnostics faults;
  validate_settings(model_, faults);
  if (!faults.has_errors()) return;
  std::swap(model_.simulate, settings);
  faults.throw_if_errors(Fault::model);
}

}  // namespace sarrus
